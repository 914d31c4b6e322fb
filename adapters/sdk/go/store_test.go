package cartwright

import (
	"context"
	"errors"
	"testing"
)

// A change that got no answer does not come back after a later change of the same thing, while what adds to
// something does.
func TestALaterChangeTakesThePlaceOfAnUnsettledOne(t *testing.T) {
	t.Parallel()
	lost := reply{status: 500, reason: "x"}
	address := func(c *Client, email string) error {
		_, err := c.Checkouts.Update(t.Context(), CheckoutUpdateInput{CheckoutID: "o1", Email: email})
		return err
	}
	create := func(c *Client, cart, email string) error {
		_, err := c.Checkouts.Create(t.Context(), CheckoutCreateInput{CartID: cart, Email: email})
		return err
	}
	add := func(c *Client, variant string) error {
		_, err := c.Carts.AddItem(t.Context(), CartAddItemInput{CartID: "c1", VariantID: variant, Quantity: 1})
		return err
	}
	for name, c := range map[string]struct {
		first, second func(*Client) error
		stays         bool
	}{
		"another address": {func(c *Client) error { return address(c, "a") }, func(c *Client) error { return address(c, "b") }, false},
		"a checkout of the same cart": {
			func(c *Client) error { return create(c, "c1", "a") }, func(c *Client) error { return create(c, "c1", "b") }, false,
		},
		"a checkout of another cart": {
			func(c *Client) error { return create(c, "c1", "a") }, func(c *Client) error { return create(c, "c2", "a") }, true,
		},
		"the order of a cart that is changed": {
			func(c *Client) error { return create(c, "c1", "a") }, func(c *Client) error { return add(c, "v1") }, false,
		},
		"an item in another cart": {
			func(c *Client) error { return create(c, "c2", "a") }, func(c *Client) error { return add(c, "v1") }, true,
		},
		"a merge into the cart": {func(c *Client) error { return create(c, "c2", "a") }, func(c *Client) error {
			_, err := c.Carts.Merge(t.Context(), CartMergeInput{SourceCartID: "c1", TargetCartID: "c2"})
			return err
		}, false},
		"one more item in the cart": {func(c *Client) error { return add(c, "v1") }, func(c *Client) error { return add(c, "v2") }, true},
		"something else about the cart": {
			func(c *Client) error { return add(c, "v1") }, func(c *Client) error { return address(c, "a") }, true,
		},
	} {
		server := newFakeServer(t)
		client, _ := server.client(t, nil)
		server.script(lost)
		if err := c.first(client); !errors.Is(err, Reason("x")) {
			t.Fatal(name, err)
		}
		first := server.script()
		if err := c.second(client); err != nil {
			t.Fatal(name, err)
		}
		server.script()
		if left := mustList(t, client); (len(left) == 1) != c.stays {
			t.Errorf("%s: %v", name, left)
		}
		if err := c.first(client); err != nil { // meant anew, or gone on with
			t.Fatal(name, err)
		}
		if again := server.script(); (again[0].key == first[0].key) != c.stays {
			t.Errorf("%s: %v after %v", name, again, first)
		}
	}
}

// slow is a store that takes so long that the caller leaves.
type slow struct {
	*MemoryStore

	leave context.CancelFunc
}

func (s slow) Put(ctx context.Context, p PendingOperation) error {
	s.leave()
	return s.MemoryStore.Put(ctx, p)
}

func TestWhatIsGivenUpBeforeItIsSentDoesNotHappenLater(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	server := newFakeServer(t)
	client, _ := server.client(t, slow{NewMemoryStore(), leave})
	if _, err := client.Carts.Clear(ctx, CartClearInput{CartID: "c1"}); !errors.Is(err, ReasonAborted) || len(server.script()) != 0 ||
		len(mustList(t, client)) != 0 {
		t.Error(err)
	}
}

func TestAnEmptyFilterChangesNothing(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	client, _ := server.client(t, nil)
	for _, where := range []Where{nil, {}} {
		_, removed := client.Collections.Brands.RemoveMany(t.Context(), where)
		_, updated := client.Collections.Brands.UpdateMany(t.Context(), where, BrandUpdate{})
		if !errors.Is(removed, ReasonInvalidInput) || !errors.Is(updated, ReasonInvalidInput) || len(server.script()) != 0 {
			t.Error(removed, updated)
		}
	}
}

// faulty is a store that fails as it is told.
type faulty struct {
	*MemoryStore

	list, put, remove error
}

func (f *faulty) List(ctx context.Context) ([]PendingOperation, error) {
	all, err := f.MemoryStore.List(ctx)
	return all, errors.Join(f.list, err)
}

func (f *faulty) Put(ctx context.Context, p PendingOperation) error {
	return errors.Join(f.put, f.MemoryStore.Put(ctx, p))
}

func (f *faulty) Remove(ctx context.Context, id string) error {
	if f.remove != nil {
		return f.remove
	}
	return f.MemoryStore.Remove(ctx, id)
}

func TestWhatCannotBeWrittenDownIsNotSent(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	store := &faulty{MemoryStore: NewMemoryStore(), put: full}
	server := newFakeServer(t)
	client, _ := server.client(t, store)
	add := func() error {
		_, err := client.Carts.AddItem(t.Context(), CartAddItemInput{CartID: "c1", VariantID: "v1", Quantity: 1})
		return err
	}
	if err := add(); !errors.Is(err, ReasonPendingStoreFailed) || !errors.Is(err, full) || len(server.script()) != 0 {
		t.Error(err)
	}
	store.put, store.list = nil, full
	if err := add(); !errors.Is(err, ReasonPendingStoreFailed) || len(server.script()) != 0 {
		t.Error(err)
	}
	store.list, store.remove = nil, full
	store.all = map[string]PendingOperation{}
	if err := errors.Join(add(), add()); err != nil { // it happened; that it cannot be forgotten must not make two into one
		t.Error(err)
	}
	if sent := server.script(); len(sent) != 2 || sent[0].key == sent[1].key || len(mustList(t, client)) != 0 {
		t.Error(sent)
	}
}

// Resume sends the older change first; that does not take the newer one's place.
func TestTheLastWordIsTheLatest(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	client, _ := server.client(t, nil)
	server.script(reply{status: 500, reason: "x"}, reply{status: 500, reason: "x"})
	for _, email := range []string{"old", "new"} {
		if _, err := client.Checkouts.Update(t.Context(), CheckoutUpdateInput{CheckoutID: "o1", Email: email}); !errors.Is(err, Reason("x")) {
			t.Fatal(err)
		}
	}
	first := server.script()
	if done, err := client.Pending.Resume(t.Context()); err != nil || len(done) != 2 {
		t.Error(done, err)
	}
	if sent := server.script(); len(sent) != 2 || sent[0] != first[0] || sent[1] != first[1] {
		t.Error(sent)
	}
}
