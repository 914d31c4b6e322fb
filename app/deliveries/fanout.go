package deliveries

import (
	"context"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// fanOutRows is about how many deliveries one transaction stores at most, which also bounds how long it
// blocks other writers on SQLite; minPageSize is the minimum number of events per page.
const fanOutRows, minPageSize = 1000, 20

// FanOut decides one page of events for each tenant that has endpoints and undecided events; more reports
// whether any tenant has another page.
func (d *Dispatcher) FanOut(ctx context.Context) (more bool, err error) {
	found, err := d.fanOut(ctx)
	return found.More, err
}

func (d *Dispatcher) fanOut(ctx context.Context) (found background.Look, err error) {
	cursors, err := d.Deliveries.Cursors(ctx)
	if err != nil || len(cursors) == 0 {
		return found, err
	}
	behind := slices.Collect(maps.Keys(cursors))
	newest, err := d.Events.Newest(ctx, behind)
	if err != nil {
		return found, err
	}
	behind = slices.DeleteFunc(behind, func(id tenant.ID) bool { return newest[id] <= cursors[id] })
	whose := func(id tenant.ID) tenant.ID { return id }
	found, err = background.Follow(ctx, d.task().fanOut, behind, whose, func(ctx context.Context, id tenant.ID) (background.Look, error) {
		return d.fanOutTenant(ctx, id, cursors[id], newest[id])
	})
	if found.Busy { // also with deliveries of another instance, which may need help with them
		d.Wake()
	}
	return found, err
}

// fanOutTenant stores the deliveries for a page of a tenant's events, from cursor on and up to end at most; found is busy
// if there are new ones. Errors: ports.ErrStale if another instance was faster, and then it does nothing.
//
// An endpoint receives every event after its creation, enabling or widening, and none twice:
//
//  1. end is an assigned sequence number read before the endpoints are listed. Every event numbered up to end
//     was committed before end was read.
//  2. If the list shows an outdated state of an endpoint, the transaction that changed the endpoint was not
//     committed when that part of the list was read, hence later than all events up to end. Events after the
//     change get numbers beyond end, and are decided with a later list, since the cursor never passes end.
//  3. An endpoint receives nothing up to its Since, a number read before the endpoint's change was committed;
//     it may be smaller or larger than end. If it is larger for every endpoint, the cursor just moves to end.
//  4. While no endpoint is enabled the cursor stays, and the next endpoint begins after its Since.
//  5. Instances advance the cursor by compare-and-set: of two decisions about the same events only one is
//     stored, and either is correct by the reasons above.
func (d *Dispatcher) fanOutTenant(ctx context.Context, of tenant.ID, cursor, end int64) (found background.Look, err error) {
	listed, err := d.Endpoints.Endpoints(ctx, d.Store.Read(ports.ForTenant(of)))
	if err != nil {
		return found, err
	}
	var endpoints []webhook.Endpoint
	from := int64(-1)
	for _, e := range listed {
		if e.Enabled {
			endpoints = append(endpoints, e)
			if from < 0 || e.SinceSequence < from {
				from = e.SinceSequence
			}
		}
	}
	if endpoints == nil {
		return found, nil
	}
	q := eventQuery(endpoints)
	q.Tenant, q.After, q.Limit = of, max(from, cursor), max(fanOutRows/len(endpoints), minPageSize)
	page, err := d.Events.Events(ctx, q)
	next := min(page.Next, end)
	if err != nil || next <= cursor {
		return found, err
	}
	known := slices.DeleteFunc(page.Events, func(e ports.Event) bool { return e.Sequence > end })
	deliveries := d.newDeliveries(endpoints, known)
	if err := d.Deliveries.FanOut(ctx, of, cursor, next, deliveries); err != nil {
		return found, err
	}
	return background.Look{More: next < page.Last, Busy: len(deliveries) > 0}, nil
}

// eventQuery restricts a page to events that at least one endpoint may receive.
func eventQuery(endpoints []webhook.Endpoint) (q ports.EventQuery) {
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

// newDeliveries are the deliveries of events to the endpoints subscribed to them. The events are cached,
// since they are sent next.
func (d *Dispatcher) newDeliveries(endpoints []webhook.Endpoint, events []ports.Event) (all []webhook.Delivery) {
	now := d.Now()
	for _, e := range events {
		subscribed := false
		h := webhook.Event{Sequence: e.Sequence, Collection: e.Collection, Operation: e.Operation, Environment: e.Environment}
		for _, to := range endpoints {
			if !to.Receives(h) {
				continue
			}
			subscribed = true
			all = append(all, webhook.Delivery{
				ID: d.NewID(), Endpoint: to.ID, Environment: to.Environment, Event: e.ID, Sequence: e.Sequence, Collection: e.Collection,
				Operation: e.Operation, RecordID: e.Record, RecordSequence: e.RecordSequence, OccurredAt: e.At, Status: webhook.Pending,
				NextAttemptAt: now,
			})
		}
		if subscribed {
			d.events.put(e)
		}
	}
	return all
}
