package deliveries

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Timing of a claim: requests begin while it is fresh, and everything after them ends before the claim
// expires.
const (
	claimTTL       = 30 * time.Second
	claimFreshness = 10 * time.Second
	// reclaimDelay is the delay before claiming more after a claim returned less than wanted.
	reclaimDelay = 20 * time.Millisecond
	// minTurn is how long an endpoint is served at least while others of its tenant wait for a slot.
	minTurn = time.Second
)

// endpoint is an endpoint with its record.
type endpoint struct {
	webhook.Endpoint

	record collection.Record
}

// runner makes the due deliveries of one endpoint, with up to the concurrency its pacer allows: each request
// that ends makes room for the next, so that none waits for a slow one.
type runner struct {
	*Dispatcher

	tenant tenant.ID
	id     string
	pacer  *endpointPacer

	target          endpoint
	queue           []ports.ClaimedDelivery // claimed and not started
	startedAt       time.Time               // of the turn
	claimedAt       time.Time               // of the queue
	inFlight        int
	heldSlots       int // one per request in flight, and at least one
	results         chan requestResult
	ended           chan struct{} // closed when the turn ends: nobody receives results any more
	drained         bool          // nothing more can be claimed for now
	stopping        bool          // claim nothing more in this turn
	claimedAny      bool          // something was claimed
	internalFailure bool          // something failed on our side
	testsFirst      bool          // test deliveries come first: an operator is waiting
}

// requestResult is the result of a request; ours: the failure was on our side.
type requestResult struct {
	outcome         attemptOutcome
	internalFailure bool
}

// serve makes the due deliveries of an endpoint until none is left, a backoff begins, or the slots are needed
// by others. The caller has acquired one slot.
func (d *Dispatcher) serve(ctx context.Context, of tenant.ID, id string, p *endpointPacer) {
	r := &runner{
		Dispatcher: d, tenant: of, id: id, pacer: p, testsFirst: p.testsFirst, startedAt: d.Now(), heldSlots: 1,
		results: make(chan requestResult), ended: make(chan struct{}),
	}
	defer func() {
		close(r.ended)
		d.slots.release(of, r.heldSlots)
		did := r.claimedAny && !r.internalFailure // after a failure on our side it is not served again at once
		if d.releasePacer(p, did); did {
			d.Wake() // deliveries held back by these may be due now
		}
	}()
	p.endBackoff()
	for {
		r.stopping = r.stopping || ctx.Err() != nil || p.limit() == 0 || d.Now().Sub(r.startedAt) > minTurn && d.slots.shouldYield(of)
		if !r.drained && !r.stopping && len(r.queue) == 0 && r.capacity() > r.inFlight {
			r.drained = !r.claim(ctx)
		}
		if r.stopping || d.Now().Sub(r.claimedAt) > claimFreshness {
			r.releaseQueue(ctx)
		}
		r.startRequests(ctx)
		if r.inFlight > 0 {
			r.waitForProgress(ctx)
		} else if r.drained || r.stopping {
			return
		}
	}
}

// capacity is how many more requests could be in flight now.
func (r *runner) capacity() int {
	return min(r.pacer.limit(), r.heldSlots+r.slots.available(r.tenant, r.pacer.failing()))
}

// waitForProgress waits until a request ends, more can be claimed, or the queue's claim is getting old.
func (r *runner) waitForProgress(ctx context.Context) {
	var stale <-chan time.Time
	if len(r.queue) > 0 {
		timer := time.NewTimer(claimFreshness)
		defer timer.Stop()
		stale = timer.C
	}
	select {
	case l := <-r.results:
		r.inFlight--
		r.pacer.record(l.outcome)
		r.internalFailure = r.internalFailure || l.internalFailure
		r.stopping = r.stopping || l.internalFailure
		r.drained = r.drained && r.Now().Sub(r.claimedAt) < reclaimDelay
	case <-r.pacer.moreWork:
		r.drained = false
	case <-stale:
		r.releaseQueue(ctx)
	}
}

// claim claims deliveries, and reports whether there may be more.
func (r *runner) claim(ctx context.Context) (more bool) {
	var err error
	if r.target, err = r.loadEndpoint(ctx, r.tenant, r.id); err != nil && !errors.Is(err, ports.ErrNotFound) {
		r.logError(ctx, r.id, err)
		return false
	}
	want := r.capacity()
	switch {
	case !r.target.Enabled:
		want = finishBatchSize // discarding needs no requests
	case r.pacer.limit() >= initialConcurrency:
		want *= 2 // claim ahead for a healthy endpoint
	}
	r.claimedAt = r.Now()
	claimed, err := r.claimNext(ctx, want)
	if err != nil || len(claimed) == 0 {
		r.logError(ctx, r.id, err)
		return false
	}
	r.claimedAny, r.queue = true, claimed
	if !r.target.Enabled {
		r.queue = slices.DeleteFunc(slices.Clone(claimed), func(c ports.ClaimedDelivery) bool { return !c.Test })
		r.logError(ctx, r.id, r.discardAll(ctx, claimed))
	}
	return len(claimed) == want || claimed[0].Test
}

// claimNext claims the next due deliveries.
func (r *runner) claimNext(ctx context.Context, want int) ([]ports.ClaimedDelivery, error) {
	if r.testsFirst {
		r.testsFirst = false
		if tests, err := r.Deliveries.ClaimTests(ctx, r.tenant, r.id, r.claimedAt, claimTTL, want); err != nil || len(tests) > 0 {
			return tests, err
		}
	}
	return r.Deliveries.Claim(ctx, r.tenant, r.id, r.claimedAt, claimTTL, want)
}

// discardAll discards due deliveries of a disabled or deleted endpoint. Test deliveries to a disabled one are
// made.
func (r *runner) discardAll(ctx context.Context, claimed []ports.ClaimedDelivery) error {
	why, now := webhook.EndpointDisabled, collection.TruncateTime(r.Now())
	if r.target.record == nil {
		why = webhook.EndpointDeleted
	}
	var off []ports.ClaimedDelivery
	for _, c := range claimed {
		if !c.Test {
			c.Delivery = c.Discard(why, now)
			off = append(off, c)
		}
	}
	if off == nil {
		return nil
	}
	ended, err := r.Deliveries.Finish(ctx, off)
	for _, e := range ended {
		if !e.Lost {
			r.stats.discarded.Add(1)
		}
	}
	return err
}

// startRequests starts as many requests as there is room for. Queued deliveries without a slot are released,
// except those that can start when a request ends; so are unused slots.
func (r *runner) startRequests(ctx context.Context) {
	for len(r.queue) > 0 && r.inFlight < r.pacer.limit() {
		if r.inFlight == r.heldSlots {
			if !r.slots.acquire(r.tenant, r.pacer.failing()) {
				r.releaseQueueFrom(ctx, min(r.heldSlots, len(r.queue)))
				break
			}
			r.heldSlots++
		}
		c, to := r.queue[0], r.target
		r.queue = r.queue[1:]
		r.inFlight++
		r.task().endpoints.Start(func() {
			how, err := r.deliverSafely(ctx, c, to)
			r.logError(ctx, r.id, err)
			select {
			case r.results <- requestResult{how, err != nil}:
			case <-r.ended:
			}
		})
	}
	if idle := r.heldSlots - max(r.inFlight, 1); idle > 0 {
		r.heldSlots -= idle
		r.slots.release(r.tenant, idle)
	}
}

// releaseQueue releases the claims of deliveries that were not started.
func (r *runner) releaseQueue(ctx context.Context) { r.releaseQueueFrom(ctx, 0) }

// releaseQueueFrom releases the claims of deliveries that were not started, except the first n.
func (r *runner) releaseQueueFrom(ctx context.Context, n int) {
	if len(r.queue) == n {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.writeTimeout())
	defer cancel()
	if err := r.Deliveries.Release(ctx, r.queue[n:]); err != nil {
		r.logError(ctx, r.id, err) // the claims expire
	}
	r.queue = r.queue[:n]
}

func (d *Dispatcher) logError(ctx context.Context, endpoint string, err error) {
	if err != nil && ctx.Err() == nil {
		d.Log.Warn("webhook delivery failed internally; will retry", "endpoint", endpoint, "error", err.Error())
	}
}

// deliverSafely makes one attempt. A delivery that fails again and again on our side, or panics, counts as a failed
// attempt from then on, so that its own backoff and age end it, and the next ones of its endpoint are made.
func (r *runner) deliverSafely(ctx context.Context, c ports.ClaimedDelivery, to endpoint) (how attemptOutcome, err error) {
	item := background.Item{Tenant: r.tenant, ID: c.ID}
	if r.task().deliveries.Waits(item) { // its claim expires
		if r.task().deliveries.IsSetAside(item) {
			r.logError(ctx, r.id, r.recordInternalFailure(ctx, c, to))
		}
		return outcomeNone, nil
	}
	err = r.task().deliveries.Do(ctx, item, func(ctx context.Context) (err error) {
		how, err = r.deliver(ctx, c, to)
		return err
	})
	return how, err
}
