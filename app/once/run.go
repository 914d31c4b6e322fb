package once

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Runner runs keyed work that spans several transactions and remote calls: checkouts and payments. At most one holder of
// a key works at a time; a holder that died loses its claim when the lease runs out, and whatever it still tries to
// commit is refused by the fence.
type Runner struct {
	Store  ports.Store
	Claims ports.Claims
	Cache  ports.ReceiptCache
	Now    func() time.Time
	NewID  func() string
	Lease  time.Duration // 0 is 10 s; renewed three times per lease
}

// Claim is the right to answer one key, handed to the work.
type Claim struct {
	fence int64
	kept  bool
}

// Keep stores the answer in the transaction of the change it answers for. A nil claim keeps nothing: the call has no key.
// Errors: ports.ErrFenced.
func (c *Claim) Keep(ctx context.Context, tx ports.Tx, r ports.Receipt) error {
	if c == nil {
		return nil
	}
	c.kept = true
	return tx.Receipts.Keep(ctx, r, c.fence)
}

// Work is what a key stands for. It returns the answer, which it may have kept already; a fault that Keepable admits is
// an answer too.
type Work func(ctx context.Context, claim *Claim) (ports.Receipt, error)

const (
	defaultLease = 10 * time.Second
	tidyTime     = 5 * time.Second
)

func (r *Runner) lease() time.Duration {
	if r.Lease > 0 {
		return r.Lease
	}
	return defaultLease
}

// Run answers c: from its receipt if there is one, else by doing the work, once. The receipt comes back too: it names
// the record and the version of a capability token. Errors: ErrInProgress, ErrKeyReused, and what work answers that is
// not kept. Contract 1.2.
func (r *Runner) Run(ctx context.Context, c Call, work Work) (Answer, ports.Receipt, error) {
	key := c.ReceiptKey()
	if done, ok := r.Cache.Find(ctx, key); ok {
		return replay(c, done)
	}
	owner := r.NewID()
	if !r.Cache.Lease(ctx, key, owner, r.lease()) {
		return Answer{}, ports.Receipt{}, ErrInProgress
	}
	defer r.Cache.Unlease(context.WithoutCancel(ctx), key, owner)
	fence, done, err := r.Claims.Claim(ctx, c.Principal.Tenant.ID, key, c.Fingerprint, r.lease())
	if err != nil {
		return Answer{}, ports.Receipt{}, err
	}
	if done != nil {
		r.Cache.Keep(ctx, *done)
		return replay(c, *done)
	}
	receipt, err := r.hold(ctx, c, owner, fence, work)
	if err != nil {
		r.drop(ctx, c, fence)
		return Answer{}, ports.Receipt{}, err
	}
	r.Cache.Keep(ctx, receipt)
	a, receipt, err := replay(c, receipt)
	a.Replayed = false
	return a, receipt, err
}

// RunOptional is Run for a call that needs no key: without one the work is done as often as it is asked for. acted are the ids
// that a key must not be made of. Errors: those of Call.Check and of Run.
func (r *Runner) RunOptional(ctx context.Context, c Call, work Work, acted ...string) (Answer, ports.Receipt, error) {
	if c.Key == "" {
		receipt, err := work(ctx, nil)
		return Answer{Result: receipt.Result, Body: receipt.Body, RequestID: receipt.RequestID}, receipt, err
	}
	if err := c.Check(acted...); err != nil {
		return Answer{}, ports.Receipt{}, err
	}
	return r.Run(ctx, c, work)
}

func replay(c Call, r ports.Receipt) (Answer, ports.Receipt, error) {
	a, err := c.Replay(r)
	return a, r, err
}

// hold does the work while the claim is renewed, and keeps its answer unless the work has.
func (r *Runner) hold(ctx context.Context, c Call, owner string, fence int64, work Work) (ports.Receipt, error) {
	ctx, lose := context.WithCancelCause(ctx)
	defer lose(nil)
	go r.renew(ctx, lose, c, owner, fence)
	claim := &Claim{fence: fence}
	receipt, err := work(ctx, claim)
	if errors.Is(context.Cause(ctx), ports.ErrFenced) && err != nil {
		return receipt, ports.ErrFenced.Because(err)
	}
	var refusal *fault.Error
	switch {
	case err == nil && claim.kept:
		return receipt, nil
	case errors.As(err, &refusal) && Keepable(refusal):
		receipt = c.Receipt(ports.Refused, nil, refusal, r.Now(), time.Time{})
	case err != nil:
		return receipt, err
	}
	return receipt, r.Store.Atomically(ctx, ports.Of(receipt.Tenant), func(ctx context.Context, tx ports.Tx) error {
		return claim.Keep(ctx, tx, receipt)
	})
}

// renew extends the claim until ctx ends; a lost one ends ctx.
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
		if err := r.Claims.Renew(ctx, c.Principal.Tenant.ID, c.ReceiptKey(), fence, r.lease()); errors.Is(err, ports.ErrFenced) {
			lose(ports.ErrFenced)
			return
		}
	}
}

// drop lets the key run again at once, best effort: the lease ends by itself.
func (r *Runner) drop(ctx context.Context, c Call, fence int64) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyTime)
	defer cancel()
	_ = r.Claims.Drop(ctx, c.Principal.Tenant.ID, c.ReceiptKey(), fence)
}
