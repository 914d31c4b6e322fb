package idempotency_test

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Claims outlast the tests, or run out at once: nothing depends on how fast a machine is.
const forever = time.Hour

// claims count renewals, each of which lasts for ever.
type claims struct {
	ports.Claims

	lease    time.Duration // of a claim that was not renewed yet
	renewals atomic.Int64
}

func (c *claims) Claim(
	ctx context.Context, t tenant.ID, key ports.ReceiptKey, fingerprint [32]byte, _ time.Duration,
) (int64, *ports.Receipt, error) {
	return c.Claims.Claim(ctx, t, key, fingerprint, c.lease)
}

func (c *claims) Renew(ctx context.Context, t tenant.ID, key ports.ReceiptKey, fence int64, _ time.Duration) error {
	defer c.renewals.Add(1)
	return c.Claims.Renew(ctx, t, key, fence, forever)
}

// runners are two processes on one database.
func runners(t *testing.T) (a, b *idempotency.Runner, first *claims) {
	t.Helper()
	registry, err := collection.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlstore.Open(t.Context(), sqlstore.Options{
		Path: filepath.Join(testservers.TempDir(t), "once.db"), Registry: registry, Fold: strings.ToLower,
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	first = &claims{Claims: store.Claims(), lease: forever}
	runner := func(c ports.Claims) *idempotency.Runner {
		return &idempotency.Runner{
			Store: store, Claims: c, Cache: memory.NewReceipts(1<<20, time.Now, store), Now: time.Now, NewID: rand.Text, Lease: forever,
		}
	}
	return runner(first), runner(store.Claims()), first
}

func call() idempotency.Call {
	return idempotency.Call{
		Principal: tenant.Principal{Kind: tenant.SecretKey, ID: "k", Tenant: tenant.Settings{ID: "t1"}}, Key: "ik_" + rand.Text(),
		Operation: "op", RequestID: rand.Text(),
	}
}

func answers(c idempotency.Call, body string) idempotency.Work {
	return func(context.Context, *idempotency.Claim) (idempotency.Receipt, error) {
		return c.Receipt(ports.ReceiptOK, reply.FromText([]byte(body)), nil, time.Now(), time.Time{}), nil
	}
}

// retryInProgress asks again while the key is in progress.
func retryInProgress(t *testing.T, r *idempotency.Runner, c idempotency.Call, work idempotency.Work) idempotency.Response {
	t.Helper()
	for {
		a, _, err := r.RunClaimed(t.Context(), c, work)
		if errors.Is(err, idempotency.ErrInProgress) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
}

func TestExpiredClaimPassesToNextHolder(t *testing.T) {
	t.Parallel()
	dead, next, held := runners(t)
	c := call()
	func() {
		defer func() { _ = recover() }()
		_, _, _ = dead.RunClaimed(t.Context(), c, func(context.Context, *idempotency.Claim) (idempotency.Receipt, error) { panic("killed") })
	}()
	if _, _, err := next.RunClaimed(t.Context(), c, answers(c, "{}")); !errors.Is(err, idempotency.ErrInProgress) {
		t.Errorf("before the lease ran out: %v", err)
	}
	if err := held.Claims.Renew(t.Context(), "t1", c.ReceiptKey(), 1, 0); err != nil { // it runs out now
		t.Fatal(err)
	}
	if a := retryInProgress(t, next, c, answers(c, `{"by":"next"}`)); a.Replayed || a.Body.String() != `{"by":"next"}` {
		t.Errorf("%+v", a)
	}
	if a := retryInProgress(t, dead, c, answers(c, `{"by":"nobody"}`)); !a.Replayed || a.Body.String() != `{"by":"next"}` {
		t.Errorf("%+v", a)
	}
}

// What ends a mark in the cache may be lost, when the cache is slow: a finished request is replayed all the same, and an
// unfinished one runs.
func TestMarkLeftInTheCacheRefusesNobody(t *testing.T) {
	t.Parallel()
	first, next, _ := runners(t)
	for name, finished := range map[string]bool{"finished": true, "unfinished": false} {
		c := call()
		if finished {
			if _, _, err := first.RunClaimed(t.Context(), c, answers(c, `{"by":"first"}`)); err != nil {
				t.Fatal(err)
			}
		}
		if !next.Cache.Lease(t.Context(), c.ReceiptKey(), "somebody gone", time.Hour) {
			t.Fatal("the mark was not left")
		}
		a, _, err := next.RunClaimed(t.Context(), c, answers(c, `{"by":"next"}`))
		if want := map[bool]string{true: `{"by":"first"}`, false: `{"by":"next"}`}[finished]; err != nil || a.Replayed != finished ||
			a.Body.String() != want {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}

func TestClaimIsRenewedWhileWorking(t *testing.T) {
	t.Parallel()
	holder, other, counted := runners(t)
	counted.lease, holder.Lease = 0, 30*time.Millisecond // nothing but a renewal keeps it, and the first one comes soon
	c := call()
	started, enough := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		a, _, err := holder.RunClaimed(t.Context(), c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
			close(started)
			<-enough
			return answers(c, `{"by":"holder"}`)(ctx, claim)
		})
		if err != nil || a.Body.String() != `{"by":"holder"}` {
			t.Errorf("%+v %v", a, err)
		}
	})
	<-started
	for counted.renewals.Load() == 0 {
		runtime.Gosched()
	}
	for range 10 {
		if _, _, err := other.RunClaimed(t.Context(), c, answers(c, "{}")); !errors.Is(err, idempotency.ErrInProgress) {
			t.Fatalf("the key was given away: %v", err)
		}
	}
	close(enough)
	all.Wait()
}

func TestFencedHolderCannotSaveAnswer(t *testing.T) {
	t.Parallel()
	hung, next, claims := runners(t)
	claims.lease = 0 // it runs out before anything is renewed
	c := call()
	_, _, err := hung.RunClaimed(t.Context(), c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		if a := retryInProgress(t, next, c, answers(c, `{"by":"next"}`)); a.Body.String() != `{"by":"next"}` {
			t.Errorf("%+v", a)
		}
		r := c.Receipt(ports.ReceiptOK, reply.FromText([]byte(`{"by":"hung"}`)), nil, time.Now(), time.Time{})
		return r, hung.Store.Atomically(ctx, ports.ForTenant("t1"),
			func(ctx context.Context, tx ports.Tx) error { return claim.Save(ctx, tx, r) })
	})
	if !errors.Is(err, ports.ErrClaimLost) {
		t.Errorf("%v", err)
	}
	if a := retryInProgress(t, hung, c, answers(c, "{}")); a.Body.String() != `{"by":"next"}` {
		t.Errorf("%+v", a)
	}
}

// The key went to the next holder, which still works: what the first one decided meanwhile is not committed, and its
// end does not free the key.
func TestFencedHolderCannotSaveWhileTheNextOneWorks(t *testing.T) {
	t.Parallel()
	hung, next, claims := runners(t)
	claims.lease = 0 // it runs out before anything is renewed
	c := call()
	started, took, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var late error
	var all sync.WaitGroup
	all.Go(func() {
		defer close(ended)
		_, _, late = hung.RunClaimed(t.Context(), c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
			close(started)
			<-took
			r := c.Receipt(ports.ReceiptOK, reply.FromText([]byte(`{"by":"hung"}`)), nil, time.Now(), time.Time{})
			return r, hung.Store.Atomically(ctx, ports.ForTenant("t1"),
				func(ctx context.Context, tx ports.Tx) error { return claim.Save(ctx, tx, r) })
		})
	})
	<-started
	a := retryInProgress(t, next, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		close(took)
		<-ended
		if _, _, err := next.RunClaimed(ctx, c, answers(c, `{"by":"a third"}`)); !errors.Is(err, idempotency.ErrInProgress) {
			t.Errorf("the fenced holder gave away a key that is not its own: %v", err)
		}
		return answers(c, `{"by":"next"}`)(ctx, claim)
	})
	all.Wait()
	if !errors.Is(late, ports.ErrClaimLost) {
		t.Errorf("the fenced holder saved its answer: %v", late)
	}
	if a.Replayed || a.Body.String() != `{"by":"next"}` {
		t.Errorf("the holder of the key answers %+v", a)
	}
	if a := retryInProgress(t, hung, c, answers(c, "{}")); !a.Replayed || a.Body.String() != `{"by":"next"}` {
		t.Errorf("later: %+v", a)
	}
}

func TestOnlyDeterministicRefusalsAreKept(t *testing.T) {
	t.Parallel()
	r, _, _ := runners(t)
	refuse := func(f error) idempotency.Work {
		return func(context.Context, *idempotency.Claim) (idempotency.Receipt, error) {
			return idempotency.Receipt{}, f
		}
	}
	for name, f := range map[string]*fault.Error{
		"not found": ports.ErrNotFound, "a refused rule": ports.ErrOutOfStock.WithData("variantId", "v1"),
	} {
		c := call()
		first, _, err := r.Run(t.Context(), c, refuse(f))
		again, _, err2 := r.Run(t.Context(), c, answers(c, "{}"))
		if err != nil || err2 != nil || !errors.Is(first.Fault, f) || !errors.Is(again.Fault, f) || first.Replayed || !again.Replayed ||
			again.Fault.Message != f.Message {
			t.Errorf("%s: %+v %v, then %+v %v", name, first, err, again, err2)
		}
	}
	for name, f := range map[string]error{
		"a provider that is away": ports.ErrProviderUnavailable, "forbidden": fault.ErrForbidden, "a slow database": ports.ErrQueryTooSlow,
		"a bug": errors.New("oops"), "one on no list": &fault.Error{Kind: fault.Conflict, Reason: "never_heard_of"},
		"one of captured money": idempotency.NotStored(ports.ErrOutOfStock),
	} {
		c := call()
		if _, _, err := r.Run(t.Context(), c, refuse(f)); !errors.Is(err, f) {
			t.Errorf("%s: %v", name, err)
		}
		if a, _, err := r.Run(t.Context(), c, answers(c, "{}")); err != nil || a.Replayed || a.Body.String() != "{}" {
			t.Errorf("%s kept its key: %+v %v", name, a, err)
		}
	}
}

// Money is asked about for a long time, everything else for a week; nothing for ever. Rule idempotency-23.
func TestEveryReceiptHasAnEnd(t *testing.T) {
	t.Parallel()
	now := time.Date(2028, 2, 29, 9, 0, 0, 0, time.UTC)
	money, _, _ := runners(t)
	money.Now = func() time.Time { return now }
	year, week := time.Date(2029, 3, 1, 9, 0, 0, 0, time.UTC), now.Add(7*24*time.Hour)
	for name, c := range map[string]struct {
		runner  *idempotency.Runner
		expires time.Time
		err     error
		want    time.Time
	}{
		"an answer about money":     {money, time.Time{}, nil, year},
		"a refusal about money":     {money, time.Time{}, ports.ErrOutOfStock, year},
		"any other answer":          {money.Keeping(idempotency.Retention), now.Add(idempotency.Retention), nil, week},
		"a refusal of other things": {money.Keeping(idempotency.Retention), time.Time{}, ports.ErrNotFound, week},
	} {
		by := call()
		_, receipt, err := c.runner.Run(t.Context(), by, func(context.Context, *idempotency.Claim) (idempotency.Receipt, error) {
			return by.Receipt(ports.ReceiptOK, reply.FromText([]byte("{}")), nil, now, c.expires), c.err
		})
		stored, err2 := money.Store.Read(ports.ForTenant("t1")).Receipt(t.Context(), by.ReceiptKey())
		if err != nil || err2 != nil || !receipt.Expires.Equal(c.want) || !stored.Expires.Equal(c.want) {
			t.Errorf("%s: %v and %v until %v, stored until %v; want %v", name, err, err2, receipt.Expires, stored.Expires, c.want)
		}
	}
}

// Work that asks a provider takes its claim with the transaction before the call: from then on the key is in progress, and
// a refusal in that transaction leaves no claim behind.
func TestClaimIsTakenWithTheFirstTransaction(t *testing.T) {
	t.Parallel()
	first, next, _ := runners(t)
	c := call()
	begins := func(then func() error) idempotency.Work {
		return func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
			err := claim.Atomically(ctx, first.Store, ports.ForTenant("t1"), func(context.Context, ports.Tx) error { return nil })
			if err == nil {
				err = then()
			}
			return c.Receipt(ports.ReceiptOK, reply.FromText([]byte(`{"by":"first"}`)), nil, time.Now(), time.Time{}), err
		}
	}
	a, _, err := first.Run(t.Context(), c, begins(func() error {
		for name, run := range map[string]func(context.Context, idempotency.Call, idempotency.Work) (idempotency.Response, ports.Receipt, error){
			"one transaction": next.Run, "claimed": next.RunClaimed,
		} {
			if _, _, err := run(t.Context(), c, answers(c, `{"by":"next"}`)); !errors.Is(err, idempotency.ErrInProgress) {
				t.Errorf("%s, meanwhile: %v", name, err)
			}
		}
		return nil
	}))
	if err != nil || a.Replayed || a.Body.String() != `{"by":"first"}` {
		t.Errorf("%+v, %v", a, err)
	}
	a, _, err = next.Run(t.Context(), c, begins(func() error { t.Error("it ran again"); return nil }))
	if err != nil || !a.Replayed || a.Body.String() != `{"by":"first"}` {
		t.Errorf("again: %+v, %v", a, err)
	}
	refused := call()
	a, _, err = first.Run(t.Context(), refused, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		return idempotency.Receipt{}, claim.Atomically(ctx, first.Store, ports.ForTenant("t1"),
			func(context.Context, ports.Tx) error { return ports.ErrOutOfStock })
	})
	if err != nil || !errors.Is(a.Fault, ports.ErrOutOfStock) {
		t.Errorf("refused: %+v, %v", a, err)
	}
	if a, _, err = next.Run(t.Context(), refused, answers(refused, "{}")); err != nil || !a.Replayed || !errors.Is(a.Fault, ports.ErrOutOfStock) {
		t.Errorf("refused, again: %+v, %v", a, err)
	}
}

// Two executions of work in one transaction: both may run, one counts, and both are answered with it.
func TestOneExecutionOfAKeyCounts(t *testing.T) {
	t.Parallel()
	first, next, _ := runners(t)
	c := call()
	saves := func(r *idempotency.Runner, body string, before func()) idempotency.Work {
		return func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
			before()
			receipt := c.Receipt(ports.ReceiptOK, reply.FromText([]byte(body)), nil, time.Now(), time.Time{})
			return receipt, r.Store.Atomically(ctx, ports.ForTenant("t1"),
				func(ctx context.Context, tx ports.Tx) error { return claim.Save(ctx, tx, receipt) })
		}
	}
	a, _, err := first.Run(t.Context(), c, saves(first, `{"by":"first"}`, func() {
		if a, _, err := next.Run(t.Context(), c, saves(next, `{"by":"next"}`, func() {})); err != nil || a.Replayed {
			t.Errorf("%+v, %v", a, err)
		}
	}))
	if err != nil || !a.Replayed || a.Body.String() != `{"by":"next"}` {
		t.Errorf("%+v, %v", a, err)
	}
	// Whatever it is refused with meanwhile, its answer takes precedence.
	a, _, err = first.Run(t.Context(), c, func(context.Context, *idempotency.Claim) (idempotency.Receipt, error) {
		return idempotency.Receipt{}, fault.ErrForbidden
	})
	if err != nil || !a.Replayed || a.Body.String() != `{"by":"next"}` {
		t.Errorf("refused: %+v, %v", a, err)
	}
}
