package idempotency

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Runner runs keyed work that spans several transactions and remote calls: checkouts and payments. One
// execution of a key runs at a time. An execution that died loses its claim when the lease expires; the fence
// rejects whatever it still tries to commit.
type Runner struct {
	Store  ports.Store
	Claims ports.Claims
	Cache  ports.ReceiptCache
	Now    func() time.Time
	NewID  func() string
	Lease  time.Duration // 0 is 10 s; renewed three times per lease
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

// Claim is the exclusive right to execute one key.
type Claim struct {
	fence int64
	saved bool
}

// Save stores the response in the transaction of the change it is about. A nil claim stores nothing: the call
// has no key. Errors: ports.ErrClaimLost.
func (c *Claim) Save(ctx context.Context, tx ports.Tx, r Receipt) error {
	if c == nil {
		return nil
	}
	c.saved = true
	return tx.Receipts.Save(ctx, r.Receipt, c.fence)
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

// Run responds to c: from its receipt if there is one, else by executing work, once. It also returns the
// receipt, which names the record and the version of a capability token. Errors: ErrInProgress, ErrKeyReused,
// and those of work that are not stored. Rule idempotency-11.
func (r *Runner) Run(ctx context.Context, c Call, work Work) (Response, ports.Receipt, error) {
	key := c.ReceiptKey()
	if done, ok := r.Cache.Find(ctx, key); ok {
		return replay(c, done)
	}
	epoch := r.Cache.Epoch()
	owner := r.NewID()
	if r.Cache.Lease(ctx, key, owner, r.lease()) {
		defer r.Cache.ReleaseLease(context.WithoutCancel(ctx), key, owner)
	} // else another holder's mark, which a slow cache may keep after its end: the database decides
	fence, done, err := r.Claims.Claim(ctx, c.Principal.Tenant.ID, key, c.Fingerprint, r.lease())
	if err != nil {
		return Response{}, ports.Receipt{}, err
	}
	if done != nil {
		r.Cache.Put(ctx, epoch, *done)
		return replay(c, *done)
	}
	receipt, err := r.runClaimed(ctx, c, owner, fence, work)
	if err != nil {
		r.releaseClaim(ctx, c, fence)
		return Response{}, ports.Receipt{}, err
	}
	if receipt.Passing {
		r.releaseClaim(ctx, c, fence)
		return receipt.reply(), receipt.Receipt, nil
	}
	r.Cache.Put(ctx, epoch, receipt.Receipt)
	a, err := c.firstReply(receipt)
	return a, receipt.Receipt, err
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

// runClaimed executes work while the claim is renewed, and saves its receipt unless work has.
func (r *Runner) runClaimed(ctx context.Context, c Call, owner string, fence int64, work Work) (Receipt, error) {
	ctx, lose := context.WithCancelCause(ctx)
	defer lose(nil)
	renewal := r.Background.Task("claim renewal")
	renewal.Start(func() {
		renewal.Run(ctx, func(ctx context.Context) error { r.renew(ctx, lose, c, owner, fence); return nil })
	})
	claim := &Claim{fence: fence}
	receipt, err := work(ctx, claim)
	if errors.Is(context.Cause(ctx), ports.ErrClaimLost) && err != nil {
		return receipt, ports.ErrClaimLost.WithCause(err)
	}
	refusal, stored := storableRefusal(err)
	switch {
	case err == nil && (claim.saved || receipt.Passing):
		return receipt, nil
	case stored:
		receipt = r.refusalOf(c, refusal)
	case err != nil:
		return receipt, err
	}
	return receipt, r.Store.Atomically(ctx, ports.ForTenant(receipt.Tenant), func(ctx context.Context, tx ports.Tx) error {
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

// renew extends the claim until ctx ends; losing it ends ctx.
func (r *Runner) renew(ctx context.Context, lose context.CancelCauseFunc, c Call, owner string, fence int64) {
	tick := time.NewTicker(r.lease() / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		r.Cache.Lease(ctx, c.ReceiptKey(), owner, r.lease())
		if err := r.Claims.Renew(ctx, c.Principal.Tenant.ID, c.ReceiptKey(), fence, r.lease()); errors.Is(err, ports.ErrClaimLost) {
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
