package once_test

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const lease = 300 * time.Millisecond

// claims counts renewals, and can leave them out as a process that hangs would.
type claims struct {
	ports.Claims

	renewals atomic.Int64
	hangs    bool
}

func (c *claims) Renew(ctx context.Context, t tenant.ID, key ports.ReceiptKey, fence int64, lease time.Duration) error {
	c.renewals.Add(1)
	if c.hangs {
		return nil
	}
	return c.Claims.Renew(ctx, t, key, fence, lease)
}

// runners are two processes on one database.
func runners(t *testing.T) (a, b *once.Runner, first *claims) {
	t.Helper()
	registry, err := collection.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlstore.Open(t.Context(), sqlstore.Options{
		Path: filepath.Join(testservers.Folder(t), "once.db"), Registry: registry, Fold: strings.ToLower, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	first = &claims{Claims: store.Claims()}
	runner := func(c ports.Claims) *once.Runner {
		return &once.Runner{Store: store, Claims: c, Cache: memory.NewReceipts(1<<20, time.Now), Now: time.Now, NewID: rand.Text, Lease: lease}
	}
	return runner(first), runner(store.Claims()), first
}

func call() once.Call {
	return once.Call{Principal: tenant.Principal{Kind: tenant.SecretKey, ID: "k", Tenant: tenant.Facts{ID: "t1"}}, Key: "ik_" + rand.Text(), Operation: "op", RequestID: rand.Text()}
}

func answers(c once.Call, body string) once.Work {
	return func(context.Context, *once.Claim) (ports.Receipt, error) {
		return c.Receipt(ports.OK, []byte(body), nil, time.Now(), time.Time{}), nil
	}
}

// patiently asks again while the key is in progress.
func patiently(t *testing.T, r *once.Runner, c once.Call, work once.Work) once.Answer {
	t.Helper()
	for {
		a, _, err := r.Run(t.Context(), c, work)
		if errors.Is(err, once.ErrInProgress) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
}

func TestACrashedHolderLosesItsKeyToTheNext(t *testing.T) {
	t.Parallel()
	dead, next, _ := runners(t)
	c := call()
	func() {
		defer func() { _ = recover() }()
		_, _, _ = dead.Run(t.Context(), c, func(context.Context, *once.Claim) (ports.Receipt, error) { panic("killed") })
	}()
	if _, _, err := next.Run(t.Context(), c, answers(c, "{}")); !errors.Is(err, once.ErrInProgress) {
		t.Errorf("before the lease ran out: %v", err)
	}
	if a := patiently(t, next, c, answers(c, `{"by":"next"}`)); a.Replayed || string(a.Body) != `{"by":"next"}` {
		t.Errorf("%+v", a)
	}
	if a := patiently(t, dead, c, answers(c, `{"by":"nobody"}`)); !a.Replayed || string(a.Body) != `{"by":"next"}` {
		t.Errorf("%+v", a)
	}
}

func TestALivingHolderKeepsItsKeyAsLongAsItWorks(t *testing.T) {
	t.Parallel()
	holder, other, counted := runners(t)
	c := call()
	started, enough := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		a, _, err := holder.Run(t.Context(), c, func(ctx context.Context, claim *once.Claim) (ports.Receipt, error) {
			close(started)
			<-enough
			return answers(c, `{"by":"holder"}`)(ctx, claim)
		})
		if err != nil || string(a.Body) != `{"by":"holder"}` {
			t.Errorf("%+v %v", a, err)
		}
	})
	<-started
	for counted.renewals.Load() < 6 { // two leases long
		if _, _, err := other.Run(t.Context(), c, answers(c, "{}")); !errors.Is(err, once.ErrInProgress) {
			t.Fatalf("the key was given away: %v", err)
		}
	}
	close(enough)
	all.Wait()
}

func TestAHolderThatHungCannotAnswerAnyMore(t *testing.T) {
	t.Parallel()
	hung, next, claims := runners(t)
	claims.hangs = true
	c := call()
	_, _, err := hung.Run(t.Context(), c, func(ctx context.Context, claim *once.Claim) (ports.Receipt, error) {
		if a := patiently(t, next, c, answers(c, `{"by":"next"}`)); string(a.Body) != `{"by":"next"}` {
			t.Errorf("%+v", a)
		}
		r := c.Receipt(ports.OK, []byte(`{"by":"hung"}`), nil, time.Now(), time.Time{})
		return r, hung.Store.Atomically(ctx, ports.Of("t1"), func(ctx context.Context, tx ports.Tx) error { return claim.Keep(ctx, tx, r) })
	})
	if !errors.Is(err, ports.ErrFenced) {
		t.Errorf("%v", err)
	}
	if a := patiently(t, hung, c, answers(c, "{}")); string(a.Body) != `{"by":"next"}` {
		t.Errorf("%+v", a)
	}
}

func TestOnlyDeterministicRefusalsAreKept(t *testing.T) {
	t.Parallel()
	r, _, _ := runners(t)
	refuse := func(f error) once.Work {
		return func(context.Context, *once.Claim) (ports.Receipt, error) { return ports.Receipt{}, f }
	}
	for name, f := range map[string]*fault.Error{"not found": ports.ErrAbsent, "a refused rule": ports.ErrShort.With("variantId", "v1")} {
		c := call()
		first, _, err := r.Run(t.Context(), c, refuse(f))
		again, _, err2 := r.Run(t.Context(), c, answers(c, "{}"))
		if err != nil || err2 != nil || !errors.Is(first.Fault, f) || !errors.Is(again.Fault, f) || first.Replayed || !again.Replayed || again.Fault.Message != f.Message {
			t.Errorf("%s: %+v %v, then %+v %v", name, first, err, again, err2)
		}
	}
	for name, f := range map[string]error{"a provider that is away": ports.ErrProviderUnavailable, "forbidden": fault.ErrForbidden, "a slow database": ports.ErrSlow, "a bug": errors.New("oops")} {
		c := call()
		if _, _, err := r.Run(t.Context(), c, refuse(f)); !errors.Is(err, f) {
			t.Errorf("%s: %v", name, err)
		}
		if a, _, err := r.Run(t.Context(), c, answers(c, "{}")); err != nil || a.Replayed || string(a.Body) != "{}" {
			t.Errorf("%s kept its key: %+v %v", name, a, err)
		}
	}
}
