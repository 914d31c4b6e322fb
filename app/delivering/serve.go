package delivering

import (
	"context"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// The times of a claim: a request begins while it is fresh, and what follows then ends before the claim does.
const (
	lease = 30 * time.Second
	fresh = 10 * time.Second
	// again is how soon an endpoint is asked for more after it had less than it could take.
	again = 20 * time.Millisecond
	// turn is for how long an endpoint is served at least, where others of its tenant wait for a place.
	turn = time.Second
)

// endpoint is an endpoint with its record.
type endpoint struct {
	webhook.Endpoint

	record collection.Record
}

// runner makes the due deliveries of one endpoint, as many at a time as its pace allows: each that ends makes room for the
// next, so that none waits for a slow one.
type runner struct {
	*Delivering

	tenant tenant.ID
	id     string
	pace   *pace

	to     endpoint
	queue  []ports.ClaimedDelivery // not begun
	began  time.Time               // the turn
	asked  time.Time               // when it was claimed
	flying int
	places int // that are held: one for each request, and one at least
	landed chan landing
	dry    bool // nothing more can be claimed for now
	over   bool // nothing more is to be claimed in this turn
	any    bool // something was claimed
	ours   bool // something failed that is not the endpoint's
	tests  bool // are to come first: an operator waits for them
}

// landing is the end of a request; ours: something went wrong that is not the endpoint's.
type landing struct {
	how  outcome
	ours bool
}

// serve makes what is due for an endpoint until nothing is left, or the endpoint is left alone, or has to make way. It comes
// with a place for one request.
func (d *Delivering) serve(ctx context.Context, of tenant.ID, id string, p *pace) {
	r := &runner{Delivering: d, tenant: of, id: id, pace: p, tests: p.tests, began: d.Now(), places: 1, landed: make(chan landing)}
	defer func() {
		d.places.give(of, r.places)
		did := r.any && !r.ours // after a failure of our own it is not tried at once
		if d.giveBack(id, p, did); did {
			d.Wake() // what waited for something of its record is due now
		}
	}()
	p.probe()
	for {
		r.over = r.over || ctx.Err() != nil || p.wide() == 0 || d.Now().Sub(r.began) > turn && d.places.makeWay(of)
		if !r.dry && !r.over && len(r.queue) == 0 && r.room() > r.flying {
			r.dry = !r.claim(ctx)
		}
		if r.over || d.Now().Sub(r.asked) > fresh {
			r.release(ctx)
		}
		r.begin(ctx)
		if r.flying > 0 {
			r.await(ctx)
		} else if r.dry || r.over {
			return
		}
	}
}

// room is how many requests could be under way at once now.
func (r *runner) room() int {
	return min(r.pace.wide(), r.places+r.Delivering.places.spare(r.tenant, r.pace.failing()))
}

// await waits until a request ends, or there is more to claim, or what is queued has waited for too long.
func (r *runner) await(ctx context.Context) {
	var stale <-chan time.Time
	if len(r.queue) > 0 {
		timer := time.NewTimer(fresh)
		defer timer.Stop()
		stale = timer.C
	}
	select {
	case l := <-r.landed:
		r.flying--
		r.pace.learn(l.how)
		r.ours = r.ours || l.ours
		r.over = r.over || l.ours
		r.dry = r.dry && r.Now().Sub(r.asked) < again
	case <-r.pace.nudged:
		r.dry = false
	case <-stale:
		r.release(ctx)
	}
}

// claim takes deliveries to make, and reports whether there may be more.
func (r *runner) claim(ctx context.Context) (more bool) {
	var err error
	if r.to, err = r.endpoint(ctx, r.tenant, r.id); err != nil && !gone(err) {
		r.complain(ctx, r.id, err)
		return false
	}
	want := r.room()
	switch {
	case !r.to.Enabled:
		want = endsAtOnce // nothing is asked of it
	case r.pace.wide() >= firstWidth:
		want *= 2 // an endpoint that answers is not made to wait for the next claim
	}
	r.asked = r.Now()
	claimed, err := r.next(ctx, want)
	if err != nil || len(claimed) == 0 {
		r.complain(ctx, r.id, err)
		return false
	}
	r.any, r.queue = true, claimed
	if !r.to.Enabled {
		r.queue = slices.DeleteFunc(slices.Clone(claimed), func(c ports.ClaimedDelivery) bool { return !c.Test })
		r.complain(ctx, r.id, r.discardAll(ctx, claimed))
	}
	return len(claimed) == want || claimed[0].Test
}

// next claims what comes next.
func (r *runner) next(ctx context.Context, want int) ([]ports.ClaimedDelivery, error) {
	if r.tests {
		r.tests = false
		if tests, err := r.Deliveries.ClaimTests(ctx, r.tenant, r.id, r.asked, lease, want); err != nil || len(tests) > 0 {
			return tests, err
		}
	}
	return r.Deliveries.Claim(ctx, r.tenant, r.id, r.asked, lease, want)
}

// discardAll gives up what is due for an endpoint that is off or gone. Tests reach one that is off.
func (r *runner) discardAll(ctx context.Context, claimed []ports.ClaimedDelivery) error {
	why, now := webhook.EndpointOff, collection.Instant(r.Now())
	if r.to.record == nil {
		why = webhook.EndpointLost
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

// begin makes requests as far as there is room. What finds no place is given back, but for what comes next where one ends;
// so are places that nothing is made of.
func (r *runner) begin(ctx context.Context) {
	for len(r.queue) > 0 && r.flying < r.pace.wide() {
		if r.flying == r.places {
			if !r.Delivering.places.take(r.tenant, r.pace.failing()) {
				r.releaseFrom(ctx, min(r.places, len(r.queue)))
				break
			}
			r.places++
		}
		c, to := r.queue[0], r.to
		r.queue = r.queue[1:]
		r.flying++
		go func() {
			how, err := r.make(ctx, c, to)
			r.complain(ctx, r.id, err)
			r.landed <- landing{how, err != nil}
		}()
	}
	if idle := r.places - max(r.flying, 1); idle > 0 {
		r.places -= idle
		r.Delivering.places.give(r.tenant, idle)
	}
}

// release gives back what was claimed and not begun.
func (r *runner) release(ctx context.Context) { r.releaseFrom(ctx, 0) }

// releaseFrom gives back what was claimed and not begun, but for the first n.
func (r *runner) releaseFrom(ctx context.Context, n int) {
	if len(r.queue) == n {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.patience())
	defer cancel()
	if err := r.Deliveries.Release(ctx, r.queue[n:]); err != nil {
		r.complain(ctx, r.id, err) // the claims run out
	}
	r.queue = r.queue[:n]
}

func (d *Delivering) complain(ctx context.Context, endpoint string, err error) {
	if err != nil && ctx.Err() == nil {
		d.Log.Warn("a webhook delivery could not be worked on; that is tried again", "endpoint", endpoint, "error", err.Error())
	}
}
