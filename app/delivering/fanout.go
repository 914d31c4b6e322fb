package delivering

import (
	"context"
	"errors"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// rowsAtOnce is about how many deliveries a transaction stores at most, and with it for how long it keeps others from writing
// on SQLite; leastPage is how many events it decides on at least.
const rowsAtOnce, leastPage = 1000, 20

// FanOut decides a page of the log for each tenant that has endpoints and events they were not decided for yet; more
// reports whether there is another one for any.
func (d *Delivering) FanOut(ctx context.Context) (more bool, err error) {
	cursors, err := d.Deliveries.Tenants(ctx)
	if err != nil || len(cursors) == 0 {
		return false, err
	}
	ids := make([]tenant.ID, 0, len(cursors))
	for id := range cursors {
		ids = append(ids, id)
	}
	newest, err := d.Events.Newest(ctx, ids)
	if err != nil {
		return false, err
	}
	var errs []error
	made := false
	for id, cursor := range cursors {
		if newest[id] <= cursor {
			continue
		}
		left, some, err := d.decide(ctx, id, cursor, newest[id])
		more, made, errs = more || left, made || some, append(errs, err)
	}
	if made {
		d.Wake()
	}
	return more, errors.Join(errs...)
}

// decide stores the deliveries of a page of a tenant's log, from cursor on and no further than end. Where another instance
// was faster it does nothing.
//
// No endpoint misses what happened after it was made, switched on or widened, for end is a number that was given out
// before the endpoints are listed, however much the page holds by now. What has a number up to end was committed before
// end was read. An endpoint that is not listed as it is now was written by a transaction that was not committed when its
// part of the list was read, on either database, so after all of that; what happens after it gets a number behind end, and
// is decided by a later list, from the cursor on, which never passes its end. It does not hear of anything twice, nor of
// anything up to its Since, which was read before it was committed: an end may lie behind or ahead of that. Where Since is
// ahead of end, so that nobody hears of the page, the cursor is moved to end alone. While no endpoint is on the cursor stays,
// and the next one begins after its Since. Two instances move the cursor from the same place by compare and set: of two
// decisions about a number one is stored, and each is right for the same reason.
func (d *Delivering) decide(ctx context.Context, of tenant.ID, cursor, end int64) (more, some bool, err error) {
	listed, err := d.Hooking.Endpoints(ctx, d.Store.Read(ports.Of(of)))
	if err != nil {
		return false, false, err
	}
	var endpoints []webhook.Endpoint
	from := int64(-1)
	for _, e := range listed {
		if e.Enabled {
			endpoints = append(endpoints, e)
			if from < 0 || e.Since < from {
				from = e.Since
			}
		}
	}
	if endpoints == nil {
		return false, false, nil
	}
	q := asked(endpoints)
	q.Tenant, q.After, q.Limit = of, max(from, cursor), max(rowsAtOnce/len(endpoints), leastPage)
	page, err := d.Events.Events(ctx, q)
	next := min(page.Next, end)
	if err != nil || next <= cursor {
		return false, false, err
	}
	known := slices.DeleteFunc(page.Events, func(e ports.Event) bool { return e.Sequence > end })
	deliveries := d.deliveries(endpoints, known)
	err = d.Deliveries.FanOut(ctx, of, cursor, next, deliveries)
	if errors.Is(err, ports.ErrStale) {
		return false, false, nil
	}
	return err == nil && next < page.Last, err == nil && len(deliveries) > 0, err
}

// asked narrows a page to what any of the endpoints may hear of.
func asked(endpoints []webhook.Endpoint) (q ports.EventQuery) {
	q.Environment, q.Collections = endpoints[0].Environment, []string{}
	for _, e := range endpoints {
		if e.Environment != q.Environment {
			q.Environment = ""
		}
		if len(e.Collections) == 0 {
			q.Collections = nil
		}
		if q.Collections != nil {
			q.Collections = append(q.Collections, e.Collections...)
		}
	}
	return q
}

// deliveries are those of events to the endpoints that hear of them. The bodies are remembered: they are sent next.
func (d *Delivering) deliveries(endpoints []webhook.Endpoint, events []ports.Event) (all []webhook.Delivery) {
	now := d.Now()
	for _, e := range events {
		heard := false
		h := webhook.Happening{Number: e.Sequence, Collection: e.Collection, Operation: e.Operation, Environment: e.Environment}
		for _, to := range endpoints {
			if !to.Hears(h) {
				continue
			}
			heard = true
			all = append(all, webhook.Delivery{
				ID: d.NewID(), Endpoint: to.ID, Environment: to.Environment, Event: e.ID, Number: e.Sequence, Collection: e.Collection, Operation: e.Operation,
				RecordID: e.Record, RecordSequence: e.RecordSequence, OccurredAt: e.At, Status: webhook.Pending, NextAttemptAt: now,
			})
		}
		if heard {
			d.bodies.put(e)
		}
	}
	return all
}
