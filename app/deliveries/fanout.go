package deliveries

import (
	"context"
	"errors"
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
	ids := make([]tenant.ID, 0, len(cursors))
	for id := range cursors {
		ids = append(ids, id)
	}
	newest, err := d.Events.Newest(ctx, ids)
	if err != nil {
		return found, err
	}
	var errs []error
	for id, cursor := range cursors {
		if newest[id] <= cursor {
			continue
		}
		errs = append(errs, d.task().fanOut.Do(ctx, background.Item{Tenant: id}, func(ctx context.Context) error {
			left, some, err := d.fanOutTenant(ctx, id, cursor, newest[id])
			found.More, found.Busy = found.More || left, found.Busy || some
			return err
		}))
	}
	if found.Busy {
		d.Wake()
	}
	return found, errors.Join(errs...)
}

// fanOutTenant stores the deliveries for a page of a tenant's events, from cursor on and up to end at most; some reports
// that there are new ones. If another instance was faster it does nothing.
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
func (d *Dispatcher) fanOutTenant(ctx context.Context, of tenant.ID, cursor, end int64) (more, some bool, err error) {
	listed, err := d.Endpoints.Endpoints(ctx, d.Store.Read(ports.ForTenant(of)))
	if err != nil {
		return false, false, err
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
		return false, false, nil
	}
	q := eventQuery(endpoints)
	q.Tenant, q.After, q.Limit = of, max(from, cursor), max(fanOutRows/len(endpoints), minPageSize)
	page, err := d.Events.Events(ctx, q)
	next := min(page.Next, end)
	if err != nil || next <= cursor {
		return false, false, err
	}
	known := slices.DeleteFunc(page.Events, func(e ports.Event) bool { return e.Sequence > end })
	deliveries := d.newDeliveries(endpoints, known)
	err = d.Deliveries.FanOut(ctx, of, cursor, next, deliveries)
	if errors.Is(err, ports.ErrStale) {
		return false, true, nil // those of the other instance, which may need help with them
	}
	return err == nil && next < page.Last, err == nil && len(deliveries) > 0, err
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
