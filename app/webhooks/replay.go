package webhooks

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// MaxReplayEvents is how many events one replay examines.
const MaxReplayEvents = 5000

// replayPageSize is how many events one transaction of a replay examines.
const replayPageSize = 200

// replayBound is one end of a replay, inclusive: the sequence number of an event, or a time.
type replayBound struct {
	sequence int64
	time     time.Time // zero: the bound is a sequence number
}

// replayRange is the range of events of a replay.
type replayRange struct{ from, to replayBound }

// parseReplayRange parses the bounds of a range; to is "" for the newest event. Errors: fault.ErrValidation.
func parseReplayRange(from, to string) (s replayRange, err error) {
	if s.from, err = parseReplayBound("from", from); err != nil {
		return s, err
	}
	if s.to.sequence = 1<<63 - 1; to != "" {
		s.to, err = parseReplayBound("to", to)
	}
	if err == nil && s.empty() {
		err = fault.Invalidf("to", "It must not be before from.")
	}
	return s, err
}

func parseReplayBound(name, text string) (b replayBound, err error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		return replayBound{sequence: n}, nil
	}
	if b.time, err = time.Parse(time.RFC3339, text); err != nil {
		return b, fault.Invalidf(name, "Enter a time such as 2026-01-31T09:00:00Z, or an event number.")
	}
	return b, nil
}

// empty reports whether s is known to be empty without reading the log.
func (s replayRange) empty() bool {
	switch from, to := s.from.time, s.to.time; {
	case from.IsZero() && to.IsZero():
		return s.to.sequence < s.from.sequence
	default:
		return !from.IsZero() && !to.IsZero() && to.Before(from)
	}
}

// contains reports whether e is in s.
func (s replayRange) contains(e ports.Event) bool {
	after := e.Sequence >= s.from.sequence
	if !s.from.time.IsZero() {
		after = !e.At.Before(s.from.time)
	}
	before := e.Sequence <= s.to.sequence
	if !s.to.time.IsZero() {
		before = !e.At.After(s.to.time)
	}
	return after && before
}

// timestampSlack is how far event times may deviate from the order of sequence numbers: an event has the time
// at which its transaction began.
const timestampSlack = time.Minute

// endsWithin reports whether nothing after a page of the log can be in s.
func (s replayRange) endsWithin(page ports.EventPage) bool {
	if !page.More() || s.to.time.IsZero() && page.Next >= s.to.sequence {
		return true
	}
	n := len(page.Events)
	return !s.to.time.IsZero() && n > 0 && page.Events[n-1].At.After(s.to.time.Add(timestampSlack))
}

// FanOutCursors are the positions up to which events were fanned out: see ports.Deliveries.
type FanOutCursors interface {
	// Cursors lists the tenants that have an enabled endpoint, with the sequence number of the last event
	// fanned out.
	Cursors(ctx context.Context) (map[tenant.ID]int64, error)
}

// Replay redelivers the events of a range that match the endpoint's subscription, including those from before
// the endpoint existed or while it was disabled. Sealed tokens are not included. Events that are not fanned
// out yet are left to the dispatcher, which delivers them for the first time, with tokens. It responds with
// {message, deliveries, nextSequence}: how many were scheduled, and where to continue if there were too many
// for one call. Errors: fault.ErrForbidden, fault.ErrValidation, ports.ErrNotFound,
// webhook.ErrEndpointDisabled, those of idempotency.
func (h *Service) Replay(ctx context.Context, c idempotency.Call, id, from, to string) (idempotency.Response, error) {
	if err := authorizeRedelivery(c.Principal); err != nil {
		return idempotency.Response{}, err
	}
	asked, err := parseReplayRange(from, to)
	if err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := h.Idempotency.RunOptional(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		r := replay{service: h, call: c, eventRange: asked}
		record, err := ports.GetInEnvironment(ctx, h.Store.Read(ports.ForPrincipal(c.Principal)), webhook.Endpoints,
			c.Principal.Environment, id)
		if err != nil {
			return receipt, err
		}
		if r.endpoint = h.Endpoint(record); !r.endpoint.Enabled {
			return receipt, webhook.ErrEndpointDisabled
		}
		if err := r.run(ctx); err != nil {
			return receipt, err
		}
		receipt = c.Receipt(ports.ReceiptOK, r.responseBody(), nil, h.Now(), h.Now().Add(idempotency.Retention))
		receipt.Record = id
		err = h.Store.Atomically(ctx, ports.ForPrincipal(c.Principal),
			func(ctx context.Context, tx ports.Tx) error { return claim.Save(ctx, tx, receipt) })
		return receipt, err
	}, id)
	if err == nil {
		h.wakeDeliverer(id)
	}
	return answer, err
}

// replay is a running replay. It can be interrupted and run again: a pending delivery stays as it is.
type replay struct {
	service      *Service
	call         idempotency.Call
	eventRange   replayRange
	endpoint     webhook.Endpoint
	scheduled    int64 // deliveries scheduled
	fannedOutTo  int64 // sequence of the last event that was fanned out when the replay began
	nextSequence int64 // sequence of the first event not examined; 0: all were
}

func (r *replay) responseBody() *reply.Body {
	var next any
	if r.nextSequence != 0 {
		next = r.nextSequence
	}
	return reply.Of(collection.Staff,
		reply.Member{Name: "message", Value: "Replayed."}, reply.Member{Name: "deliveries", Value: r.scheduled},
		reply.Member{Name: "nextSequence", Value: next})
}

func (r *replay) run(ctx context.Context) error {
	after, err := r.startAfter(ctx)
	if err != nil {
		return err
	}
	decided, err := r.service.Cursors.Cursors(ctx)
	if err != nil {
		return err
	}
	r.fannedOutTo = decided[r.endpoint.Tenant]
	most, size := cmp.Or(r.service.ReplayLimit, MaxReplayEvents), cmp.Or(r.service.ReplayPageSize, replayPageSize)
	for seen := 0; seen < most; seen += size {
		page, err := r.service.Log.Events(ctx, ports.EventQuery{
			Tenant: r.endpoint.Tenant, After: after, Environment: r.endpoint.Environment, Collections: r.endpoint.Collections, Limit: size,
		})
		if err != nil {
			return err
		}
		if err := r.scheduleMatching(ctx, page.Events); err != nil {
			return err
		}
		if r.eventRange.endsWithin(page) {
			return nil
		}
		after = page.Next
	}
	r.nextSequence = after + 1
	return nil
}

// startAfter is the sequence number after which the range begins. For a time it is found by binary search:
// sequence numbers and times have the same order, up to timestampSlack.
func (r *replay) startAfter(ctx context.Context) (int64, error) {
	if r.eventRange.from.time.IsZero() {
		return max(r.eventRange.from.sequence-1, 0), nil
	}
	newest, err := r.service.Log.Newest(ctx, []tenant.ID{r.endpoint.Tenant})
	low, high := int64(0), newest[r.endpoint.Tenant]
	early := r.eventRange.from.time.Add(-timestampSlack)
	for err == nil && low < high {
		middle := low + (high-low)/2
		var page ports.EventPage
		page, err = r.service.Log.Events(ctx, ports.EventQuery{Tenant: r.endpoint.Tenant, After: middle, Limit: 1})
		if len(page.Events) > 0 && page.Events[0].At.Before(early) {
			low = max(page.Events[0].Sequence, middle+1)
		} else {
			high = middle
		}
	}
	return low, err
}

// scheduleMatching schedules deliveries of the matching events of a page.
func (r *replay) scheduleMatching(ctx context.Context, events []ports.Event) error {
	var wanted []ports.Event
	var ids []any
	for _, e := range events {
		h := webhook.Event{Sequence: e.Sequence, Collection: e.Collection, Operation: e.Operation, Environment: e.Environment}
		coming := e.Sequence > r.fannedOutTo && r.endpoint.Receives(h)
		if !coming && r.eventRange.contains(e) && r.endpoint.Matches(h) {
			wanted, ids = append(wanted, e), append(ids, e.ID)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	for tries := 1; ; tries++ {
		made, err := r.writeDeliveries(ctx, wanted, ids)
		if err == nil {
			r.scheduled += made
			return nil
		}
		if tries == maxReplayAttempts || !errors.Is(err, ports.ErrDuplicate) && !errors.Is(err, ports.ErrStale) {
			return err // otherwise the dispatcher changed one of the deliveries concurrently
		}
	}
}

// maxReplayAttempts is how often a page is tried again because the dispatcher changes the same deliveries
// concurrently.
const maxReplayAttempts = 5

func (r *replay) writeDeliveries(ctx context.Context, wanted []ports.Event, ids []any) (made int64, err error) {
	s := webhook.Deliveries
	err = r.service.Store.Atomically(ctx, ports.ForPrincipal(r.call.Principal), func(ctx context.Context, tx ports.Tx) error {
		made = 0
		byEndpoint := collection.And{s.Where("endpoint", collection.Equals, r.endpoint.ID), s.Where("event", collection.In, ids...)}
		page, err := tx.Records.Find(ctx, collection.Query{
			Schema: s, Where: byEndpoint, Limit: collection.MaxLimit, Page: 1, SkipCount: true,
		})
		if err != nil {
			return err
		}
		there := map[string]collection.Record{}
		for _, row := range page.Docs {
			there[row.Text("event")] = row
		}
		now := collection.TruncateTime(r.service.Now())
		var changes []collection.Change
		for _, e := range wanted {
			before := there[e.ID]
			d := r.delivery(e, before)
			if before != nil && d.Status == webhook.Pending {
				continue
			}
			after := d.Redeliver(now).Record()
			after["tenant"] = string(r.endpoint.Tenant)
			changes = append(changes, collection.NewChange(s, before, after, r.service.NewID(), now))
		}
		if made = int64(len(changes)); made == 0 {
			return nil
		}
		return tx.Records.Write(ctx, changes...)
	})
	return made, err
}

// delivery is the delivery of an event, updated from its previous state or new.
func (r *replay) delivery(e ports.Event, before collection.Record) webhook.Delivery {
	if before != nil {
		return webhook.DeliveryFrom(before)
	}
	return webhook.Delivery{
		ID: r.service.NewID(), Endpoint: r.endpoint.ID, Environment: r.endpoint.Environment, Event: e.ID, Sequence: e.Sequence,
		Collection: e.Collection, Operation: e.Operation, RecordID: e.Record, RecordSequence: e.RecordSequence, OccurredAt: e.At,
		Replayed: true,
	}
}
