package idempotency

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Runner runs keyed work, once for each key. Work whose effects are one transaction stores its receipt in it, and the
// unique key decides between two executions. Work that asks a provider on the way claims its key first, in the transaction
// that comes before the call: one execution of a key then runs at a time. An execution that died loses its claim when the
// lease expires; the fence rejects whatever it still tries to commit.
type Runner struct {
	Store     ports.Store
	Committer ports.Committer // stores refusals; nil: the store does
	Claims    ports.Claims
	Cache     ports.ReceiptCache
	Recent    *RecentKeys // of the keys that may be in the cache; nil: it is asked for every key
	Now       func() time.Time
	NewID     func() string
	Lease     time.Duration // 0 is 10 s; renewed three times per lease
	// Retention is how long refusals are kept; 0: as long as receipts about money.
	Retention time.Duration

	Background *background.Runner // renews leases; may be nil
}

// Keeping is r for work whose refusals are kept for d.
func (r *Runner) Keeping(d time.Duration) *Runner {
	other := *r
	other.Retention = d
	return &other
}

// Claim is the right to execute one key. It is exclusive once it is held: until then other executions of the key may run,
// of which one stores its receipt.
type Claim struct {
	call  Call
	key   ports.ReceiptKey
	lease time.Duration
	renew func()       // called once it is held
	fence atomic.Int64 // 0: not held
	done  *ports.Receipt
	saved bool
}

// hold notes that the claim is held.
func (c *Claim) hold(fence int64) {
	c.fence.Store(fence)
	c.renew()
}

// errAnswered says that the key has a receipt already.
var errAnswered = errors.New("the key has its answer")

// Scope is scope for a transaction that saves the receipt: a store may look at the key together with all else.
func (c *Claim) Scope(scope ports.Scope) ports.Scope {
	if c == nil || scope.Prefetch == nil || c.fence.Load() != 0 {
		return scope
	}
	with := *scope.Prefetch
	with.Receipt = &c.key
	scope.Prefetch = &with
	return scope
}

// Atomically is Store.Atomically for a transaction before a call to a provider: it takes the claim with it, unless it is
// held. Errors: ErrInProgress, ErrKeyReused, those of fn.
func (c *Claim) Atomically(
	ctx context.Context, store ports.Store, scope ports.Scope, fn func(ctx context.Context, tx ports.Tx) error,
) error {
	if c == nil || c.fence.Load() != 0 {
		return store.Atomically(ctx, scope, fn)
	}
	var fence int64
	err := store.Atomically(ctx, c.Scope(scope), func(ctx context.Context, tx ports.Tx) (err error) {
		var done *ports.Receipt
		if fence, done, err = tx.Receipts.Claim(ctx, c.call.Principal.Tenant.ID, c.key, c.call.Fingerprint, c.lease); err != nil {
			return err
		}
		if c.done = done; done != nil {
			return errAnswered
		}
		return fn(ctx, tx)
	})
	if err == nil {
		c.hold(fence)
	}
	return err
}

// Save stores the response in the transaction of the change it is about. A nil claim stores nothing: the call
// has no key. Errors: ports.ErrClaimLost; ports.ErrReceiptExists, unless the claim is held.
func (c *Claim) Save(ctx context.Context, tx ports.Tx, r Receipt) error {
	if c == nil {
		return nil
	}
	c.saved = true
	return tx.Receipts.Save(ctx, r.Receipt, c.fence.Load())
}

// Work is the execution of a call. It returns the receipt of its response, which it may have saved already; a
// fault for which IsStorable holds is a response too, unless it is NotStored.
type Work func(ctx context.Context, claim *Claim) (Receipt, error)

const (
	defaultLease   = 10 * time.Second
	cleanupTimeout = 5 * time.Second
)

func (r *Runner) lease() time.Duration {
	if r.Lease > 0 {
		return r.Lease
	}
	return defaultLease
}

// Run responds to c: from its receipt if there is one, else by executing work, whose effects count once. Work saves its
// receipt in the transaction of its effects, or takes its claim with the first of several (Claim.Atomically); it may
// be executed by two callers at once until then. It also returns the receipt, which names the record and the version of a
// capability token. Errors: ErrInProgress, ErrKeyReused, and those of work that are not stored. Rule idempotency-11.
func (r *Runner) Run(ctx context.Context, c Call, work Work) (Response, ports.Receipt, error) {
	claim := &Claim{call: c, key: c.ReceiptKey(), lease: r.lease()}
	if r.Recent.MarkSeen(claim.key) {
		if done, ok := r.Cache.Find(ctx, claim.key); ok {
			return replay(c, done)
		}
	}
	epoch := r.Cache.Epoch()
	receipt, err := r.execute(ctx, claim, work)
	switch {
	case claim.done != nil:
		r.Cache.Put(ctx, epoch, *claim.done)
		return replay(c, *claim.done)
	case err == nil && !receipt.Passing:
		r.Cache.Put(ctx, epoch, receipt.Receipt)
		a, err := c.firstReply(receipt)
		return a, receipt.Receipt, err
	case claim.fence.Load() != 0:
		r.releaseClaim(ctx, c, claim.fence.Load())
	case err != nil && !errors.Is(err, fault.ErrUnavailable):
		return r.runAfterAll(ctx, claim, work, err)
	}
	if err != nil {
		return Response{}, ports.Receipt{}, err
	}
	return receipt.reply(), receipt.Receipt, nil
}

// runAfterAll responds to a call whose execution failed without any effect: from the receipt of another execution, which
// takes precedence, else with its error. A key that another execution has claimed waits its turn.
func (r *Runner) runAfterAll(ctx context.Context, claim *Claim, work Work, failed error) (Response, ports.Receipt, error) {
	c := claim.call
	done, err := r.Store.Read(ports.ForTenant(c.Principal.Tenant.ID)).Receipt(ctx, claim.key)
	switch {
	case err == nil:
		return replay(c, done)
	case !errors.Is(err, ports.ErrNotFound):
		return Response{}, ports.Receipt{}, err
	case errors.Is(failed, ports.ErrReceiptExists):
		return r.RunClaimed(ctx, c, work)
	}
	return Response{}, ports.Receipt{}, failed
}

// RunClaimed is Run for work that has effects before it could claim its key by itself: the claim is held from its
// beginning.
func (r *Runner) RunClaimed(ctx context.Context, c Call, work Work) (Response, ports.Receipt, error) {
	return r.Run(ctx, c, func(ctx context.Context, claim *Claim) (Receipt, error) {
		if claim.fence.Load() != 0 {
			return work(ctx, claim)
		}
		fence, done, err := r.Claims.Claim(ctx, c.Principal.Tenant.ID, claim.key, c.Fingerprint, claim.lease)
		if claim.done = done; done != nil {
			return Receipt{}, errAnswered
		}
		if err != nil {
			return Receipt{}, err
		}
		claim.hold(fence)
		return work(ctx, claim)
	})
}

// RunOptional is Run for a call that needs no key: without one, every call executes work. A key must not
// contain the ids in acted. Errors: those of Call.CheckKey and of Run.
func (r *Runner) RunOptional(ctx context.Context, c Call, work Work, acted ...string) (Response, ports.Receipt, error) {
	if c.Key == "" {
		receipt, err := work(ctx, nil)
		return receipt.reply(), receipt.Receipt, err
	}
	if err := c.CheckKey(acted...); err != nil {
		return Response{}, ports.Receipt{}, err
	}
	return r.Run(ctx, c, work)
}

func replay(c Call, r ports.Receipt) (Response, ports.Receipt, error) {
	a, err := c.Replay(r)
	return a, r, err
}

// firstReply is the response of the execution that made the receipt. A refusal is decoded as its replays will be.
func (c Call) firstReply(r Receipt) (Response, error) {
	if r.Result != ports.ReceiptRefused {
		return r.reply(), nil
	}
	a, err := c.Replay(r.Receipt)
	a.Replayed = false
	return a, err
}

func (r Receipt) reply() Response {
	return Response{Result: r.Result, Body: r.Body, RequestID: r.RequestID, Sequence: r.Sequence}
}

// execute executes work while its claim is renewed once it is held, and saves its receipt unless work has.
func (r *Runner) execute(ctx context.Context, claim *Claim, work Work) (Receipt, error) {
	ctx, lose := context.WithCancelCause(ctx)
	defer lose(nil)
	renewal := r.Background.Task("claim renewal")
	claim.renew = func() {
		renewal.Start(func() {
			renewal.Run(ctx, func(ctx context.Context) error { r.renew(ctx, lose, claim); return nil })
		})
	}
	receipt, err := work(ctx, claim)
	if errors.Is(context.Cause(ctx), ports.ErrClaimLost) && err != nil {
		return receipt, ports.ErrClaimLost.WithCause(err)
	}
	refusal, stored := storableRefusal(err)
	switch {
	case claim.done != nil:
		return receipt, errAnswered
	case err == nil && (claim.saved || receipt.Passing):
		return receipt, nil
	case errors.Is(err, ErrInProgress), errors.Is(err, ErrKeyReused), errors.Is(err, ports.ErrReceiptExists):
		return receipt, err
	case stored:
		receipt = r.refusalOf(claim.call, refusal)
	case err != nil:
		return receipt, err
	}
	return receipt, r.save(ctx, claim, receipt)
}

// save stores a receipt by itself.
func (r *Runner) save(ctx context.Context, claim *Claim, receipt Receipt) error {
	if claim.fence.Load() == 0 && r.Committer != nil {
		return r.Committer.Commit(ctx, ports.CommitRequest{Tenant: receipt.Tenant, Receipts: []ports.Receipt{receipt.Receipt}})
	}
	return r.Store.Atomically(ctx, ports.ForTenant(receipt.Tenant), func(ctx context.Context, tx ports.Tx) error {
		return claim.Save(ctx, tx, receipt)
	})
}

func (r *Runner) refusalOf(c Call, refusal *fault.Error) Receipt {
	now := r.Now()
	var expires time.Time
	if r.Retention > 0 {
		expires = now.Add(r.Retention)
	}
	return c.Receipt(ports.ReceiptRefused, nil, refusal, now, expires)
}

// renew extends a claim that is held until ctx ends; losing it ends ctx. Meanwhile the cache has a mark of it.
func (r *Runner) renew(ctx context.Context, lose context.CancelCauseFunc, claim *Claim) {
	owner := r.NewID()
	r.Cache.Lease(ctx, claim.key, owner, r.lease())
	defer r.Cache.ReleaseLease(context.WithoutCancel(ctx), claim.key, owner)
	tick := time.NewTicker(r.lease() / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		r.Cache.Lease(ctx, claim.key, owner, r.lease())
		err := r.Claims.Renew(ctx, claim.call.Principal.Tenant.ID, claim.key, claim.fence.Load(), r.lease())
		if errors.Is(err, ports.ErrClaimLost) {
			lose(ports.ErrClaimLost)
			return
		}
	}
}

// releaseClaim lets the key be executed again at once. It is best effort: otherwise the lease expires.
func (r *Runner) releaseClaim(ctx context.Context, c Call, fence int64) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
	defer cancel()
	_ = r.Claims.Release(ctx, c.Principal.Tenant.ID, c.ReceiptKey(), fence)
}
