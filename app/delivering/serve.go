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
	asked  time.Time               // when it was claimed
	flying int
	landed chan outcome
	any    bool // something was claimed
	tests  bool // are to come first: an operator waits for them
}

// serve makes what is due for an endpoint until nothing is left, or the endpoint is left alone.
func (d *Delivering) serve(ctx context.Context, of tenant.ID, id string, p *pace) {
	r := &runner{Delivering: d, tenant: of, id: id, pace: p, tests: p.tests, landed: make(chan outcome)}
	defer func() {
		if d.giveBack(id, p, r.any); r.any {
			d.Wake() // what waited for something of its record is due now
		}
	}()
	p.probe()
	for dry := false; ; {
		if !dry && ctx.Err() == nil && len(r.queue) == 0 && p.wide() > r.flying {
			dry = !r.claim(ctx)
		}
		if ctx.Err() != nil || p.wide() == 0 || d.Now().Sub(r.asked) > fresh {
			r.release(ctx)
		}
		r.begin(ctx)
		if r.flying == 0 {
			if dry || ctx.Err() != nil || p.wide() == 0 {
				return
			}
			continue
		}
		select {
		case how := <-r.landed:
			r.flying--
			p.learn(how)
			dry = dry && d.Now().Sub(r.asked) < again
		case <-p.nudged:
			dry = false
		}
	}
}

// claim takes deliveries to make, and reports whether there may be more.
func (r *runner) claim(ctx context.Context) (more bool) {
	var err error
	if r.to, err = r.endpoint(ctx, r.tenant, r.id); err != nil && !gone(err) {
		r.complain(ctx, r.id, err)
		return false
	}
	want := r.pace.wide()
	switch {
	case !r.to.Enabled:
		want = endsAtOnce // nothing is asked of it
	case want >= firstWidth:
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

// begin makes requests as far as there is room.
func (r *runner) begin(ctx context.Context) {
	for len(r.queue) > 0 && r.flying < r.pace.wide() {
		c, to := r.queue[0], r.to
		r.queue = r.queue[1:]
		r.flying++
		go func() {
			how, err := r.make(ctx, c, to)
			if err != nil {
				how = failed
				r.complain(ctx, r.id, err)
			}
			r.landed <- how
		}()
	}
}

// release gives back what was claimed and not begun.
func (r *runner) release(ctx context.Context) {
	if len(r.queue) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishLimit)
	defer cancel()
	if err := r.Deliveries.Release(ctx, r.queue); err != nil {
		r.complain(ctx, r.id, err) // the claims run out
	}
	r.queue = nil
}

func (d *Delivering) complain(ctx context.Context, endpoint string, err error) {
	if err != nil && ctx.Err() == nil {
		d.Log.Warn("a webhook delivery could not be worked on; that is tried again", "endpoint", endpoint, "error", err.Error())
	}
}
