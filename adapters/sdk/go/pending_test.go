package cartwright

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestConcurrentEqualInputsAreTwoOperations(t *testing.T) {
	t.Parallel()
	store := NewMemoryStore()
	server := newFakeServer(t)
	client, _ := server.client(t, store)
	paused := make(chan struct{}, 2)
	release := make(chan struct{})
	client.core.pause = func(context.Context, time.Duration) error {
		paused <- struct{}{}
		<-release
		return nil
	}
	server.script(reply{cut: true}, reply{cut: true})
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			if _, err := client.Carts.AddItem(t.Context(), CartAddItemInput{CartID: "c1", VariantID: "v1", Quantity: 1}); err != nil {
				t.Error(err)
			}
		})
	}
	<-paused
	<-paused
	close(release)
	all.Wait()
	keys := map[string]int{}
	for _, h := range server.script() {
		keys[h.key]++
	}
	if len(keys) != 2 {
		t.Errorf("%v", keys)
	}
}

func TestCallersKeyBelongsToOneOperation(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	client, _ := server.client(t, nil)
	own := WithIdempotencyKey("order-4711-line-1-of-the-import")
	add := func(quantity int64, opts ...Option) error {
		_, err := client.Carts.AddItem(t.Context(), CartAddItemInput{CartID: "c1", VariantID: "v1", Quantity: quantity}, opts...)
		return err
	}
	server.script(reply{status: 500, reason: "x"})
	if err := add(1, own); !errors.Is(err, Reason("x")) {
		t.Fatal(err)
	}
	first := server.script()
	if err := add(2, own); !errors.Is(err, keyReused) || len(server.script()) != 0 {
		t.Error(err)
	}
	if err := add(1, own); err != nil {
		t.Error(err)
	}
	if sent := server.script(); len(sent) != 1 || sent[0] != first[0] || sent[0].key != "order-4711-line-1-of-the-import" {
		t.Error(sent)
	}
	if err := add(1, WithIdempotencyKey("short")); !errors.Is(err, keyInvalid) || len(server.script()) != 0 {
		t.Error(err)
	}
}

func TestExpiredAndForeignOperationsAreNeverSent(t *testing.T) {
	t.Parallel()
	store := NewMemoryStore()
	server := newFakeServer(t)
	client, _ := server.client(t, store)
	server.script(reply{status: 500, reason: "x"})
	in := CartAddItemInput{CartID: "c1", VariantID: "v1", Quantity: 1}
	if _, err := client.Carts.AddItem(t.Context(), in); err == nil {
		t.Fatal("the request succeeded")
	}
	first := server.script()
	kept := mustList(t, client)
	other, err := New(Config{BaseURL: server.URL, SecretKey: "sk_test_2", Pending: store})
	if err != nil {
		t.Fatal(err)
	}
	if done, err := other.Pending.Resume(t.Context()); err != nil || len(done) != 0 || len(mustList(t, other)) != 0 {
		t.Error("an operation of another API key was sent", done, err)
	}
	if _, err := other.Carts.AddItem(t.Context(), in, WithIdempotencyKey(first[0].key)); !errors.Is(err, ReasonPendingElsewhere) {
		t.Error(err)
	}
	if _, err := other.Carts.AddItem(t.Context(), in); err != nil {
		t.Error(err)
	}
	if sent := server.script(); len(sent) != 1 || sent[0].key == first[0].key {
		t.Error(sent)
	}
	client.core.now = func() time.Time { return time.Now().Add(-lifetime - time.Hour) } // the clock was set back
	if done, err := client.Pending.Resume(t.Context()); err != nil || len(done) != 0 || len(server.script()) != 0 {
		t.Error(done, err)
	}
	if err := store.Put(t.Context(), kept[0]); err != nil {
		t.Fatal(err)
	}
	client.core.now = func() time.Time { return time.Now().Add(lifetime) }
	if done, err := client.Pending.Resume(t.Context()); err != nil || len(done) != 0 || len(server.script()) != 0 {
		t.Error(done, err)
	}
	if all, _ := store.List(t.Context()); len(all) != 0 {
		t.Error("an expired operation is still stored")
	}
}

func TestResumeAndDiscard(t *testing.T) {
	t.Parallel()
	server := newFakeServer(t)
	client, _ := server.client(t, nil)
	bad := reply{status: 500, reason: "x"}
	server.script(bad, bad, bad)
	_, _ = client.Carts.AddItem(t.Context(), CartAddItemInput{CartID: "c1", VariantID: "v1", Quantity: 1}) // each fails
	_, _ = client.Checkouts.Complete(t.Context(), "o1")
	_, _ = client.Carts.Clear(t.Context(), CartClearInput{CartID: "c2"})
	first := server.script()
	waiting := mustList(t, client)
	if len(waiting) != 3 || waiting[0].Operation != "carts.addItem" || waiting[2].Operation != "carts.clear" {
		t.Fatal(waiting)
	}
	if err := client.Pending.Discard(t.Context(), waiting[2].ID); err != nil {
		t.Fatal(err)
	}
	server.script(reply{}, reply{status: 409, reason: ReasonCheckoutExpired})
	done, err := client.Pending.Resume(t.Context())
	if err != nil || len(done) != 2 || done[0].Err != nil || !strings.Contains(string(done[0].Result), `"c1"`) ||
		!errors.Is(done[1].Err, ReasonCheckoutExpired) {
		t.Errorf("%v %v", done, err)
	}
	if sent := server.script(); len(sent) != 2 || sent[0] != first[0] || sent[1] != first[1] || len(mustList(t, client)) != 0 {
		t.Error(sent, first)
	}
	if cart, seen := client.Carts.Cached("c1"); !seen || cart.Revision != 2 {
		t.Error("the resumed cart is not cached")
	}
}

// An operation that was removed from the store in the meantime is not sent: a newer call has superseded it.
func TestResumeChecksTheStoreBeforeSending(t *testing.T) {
	t.Parallel()
	store := NewMemoryStore()
	server := newFakeServer(t)
	client, _ := server.client(t, store)
	server.script(reply{status: 500, reason: "x"}, reply{status: 500, reason: "x"})
	_, _ = client.Checkouts.Complete(t.Context(), "o1") // both fail
	_, _ = client.Checkouts.Update(t.Context(), CheckoutUpdateInput{CheckoutID: "o2", Email: "old"})
	first := server.script(reply{cut: true})
	client.core.pause = func(context.Context, time.Duration) error { // while the first is sent again
		_, err := client.Checkouts.Update(t.Context(), CheckoutUpdateInput{CheckoutID: "o2", Email: "new"})
		return err
	}
	done, err := client.Pending.Resume(t.Context())
	if err != nil || len(done) != 1 || done[0].Err != nil {
		t.Errorf("%v %v", done, err)
	}
	sent := server.script()
	if len(sent) != 3 || sent[0] != first[0] || sent[2] != first[0] || sent[1].body != `{"email":"new"}` {
		t.Errorf("%v", sent)
	}
}
