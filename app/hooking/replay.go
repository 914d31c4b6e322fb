package hooking

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// MaxReplay is how many events one replay looks at.
const MaxReplay = 5000

// replayPage is how many events a transaction of a replay looks at.
const replayPage = 200

// bound is one end of a replay, inclusive: the number of an event, or a time.
type bound struct {
	number int64
	time   time.Time // zero: number counts
}

// span is the events of a replay.
type span struct{ from, to bound }

// parseSpan reads the ends of a span; to is "" where it goes on to the newest event. Errors: fault.ErrValidation.
func parseSpan(from, to string) (s span, err error) {
	if s.from, err = parseBound("from", from); err != nil {
		return s, err
	}
	if s.to.number = 1<<63 - 1; to != "" {
		s.to, err = parseBound("to", to)
	}
	if err == nil && s.empty() {
		err = fault.Invalidf("to", "It lies before the place to begin.")
	}
	return s, err
}

func parseBound(name, text string) (b bound, err error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		return bound{number: n}, nil
	}
	if b.time, err = time.Parse(time.RFC3339, text); err != nil {
		return b, fault.Invalidf(name, "Say a time such as 2026-01-31T09:00:00Z, or the number of an event.")
	}
	return b, nil
}

// empty reports whether s ends before it begins, as far as that can be told without the log.
func (s span) empty() bool {
	switch from, to := s.from.time, s.to.time; {
	case from.IsZero() && to.IsZero():
		return s.to.number < s.from.number
	default:
		return !from.IsZero() && !to.IsZero() && to.Before(from)
	}
}

// holds reports whether e lies in s.
func (s span) holds(e ports.Event) bool {
	after := e.Sequence >= s.from.number
	if !s.from.time.IsZero() {
		after = !e.At.Before(s.from.time)
	}
	before := e.Sequence <= s.to.number
	if !s.to.time.IsZero() {
		before = !e.At.After(s.to.time)
	}
	return after && before
}

// slack is how far the times of events may be from the order of their numbers: a transaction's time is that of its begin.
const slack = time.Minute

// ends reports whether nothing behind a page of the log can lie in s.
func (s span) ends(page ports.EventPage) bool {
	if !page.More() || s.to.time.IsZero() && page.Next >= s.to.number {
		return true
	}
	n := len(page.Events)
	return !s.to.time.IsZero() && n > 0 && page.Events[n-1].At.After(s.to.time.Add(slack))
}

// Cursors tell how far the log was decided on: see ports.Deliveries.
type Cursors interface {
	// Tenants lists the tenants that have an enabled endpoint, with the number of the last event that was decided on.
	Tenants(ctx context.Context) (map[tenant.ID]int64, error)
}

// Replay has an endpoint told again of those events from one place in the log to another that are of the sort it hears of:
// also of what happened before it was made, or while it was off. Tokens of persons are in none of them. What is about to be
// decided on is left to that: it is told for the first time, tokens and all. It answers {message, deliveries, nextSequence}:
// how many are on their way, and where to go on when there was too much for one call. Errors: fault.ErrForbidden,
// fault.ErrValidation, ports.ErrAbsent, webhook.ErrDisabled, those of idempotency.
func (h *Hooking) Replay(ctx context.Context, c once.Call, id, from, to string) (once.Answer, error) {
	if err := mayRepeat(c.Principal); err != nil {
		return once.Answer{}, err
	}
	asked, err := parseSpan(from, to)
	if err != nil {
		return once.Answer{}, err
	}
	answer, _, err := h.Once.RunOptional(ctx, c, func(ctx context.Context, claim *once.Claim) (receipt ports.Receipt, err error) {
		r := replay{h: h, call: c, span: asked}
		record, err := visible(ctx, h.Store.Read(ports.For(c.Principal)), c.Principal, webhook.Endpoints, id)
		if err != nil {
			return receipt, err
		}
		if r.to = h.Endpoint(record); !r.to.Enabled {
			return receipt, webhook.ErrDisabled
		}
		if err := r.run(ctx); err != nil {
			return receipt, err
		}
		receipt = c.Receipt(ports.OK, r.told(), nil, h.Now(), h.Now().Add(receiptLife))
		receipt.Record = id
		err = h.Store.Atomically(ctx, ports.For(c.Principal), func(ctx context.Context, tx ports.Tx) error { return claim.Keep(ctx, tx, receipt) })
		return receipt, err
	}, id)
	if err == nil {
		h.wake(id)
	}
	return answer, err
}

// replay is a replay under way. It can be interrupted and run again: a delivery that is pending stays as it is.
type replay struct {
	h    *Hooking
	call once.Call
	span span
	to   webhook.Endpoint
	due  int64 // deliveries made due
	done int64 // number of the last event that was decided on when the replay began
	next int64 // number of the first event that was not looked at; 0: all were
}

func (r *replay) told() []byte {
	b := append([]byte(`{"message":"Replayed.","deliveries":`), strconv.FormatInt(r.due, 10)...)
	b = append(b, `,"nextSequence":`...)
	if r.next == 0 {
		return append(b, "null}"...)
	}
	return append(strconv.AppendInt(b, r.next, 10), '}')
}

func (r *replay) run(ctx context.Context) error {
	after, err := r.start(ctx)
	if err != nil {
		return err
	}
	decided, err := r.h.Cursors.Tenants(ctx)
	if err != nil {
		return err
	}
	r.done = decided[r.to.Tenant]
	most, size := cmp.Or(r.h.PerReplay, MaxReplay), cmp.Or(r.h.PerPage, replayPage)
	for seen := 0; seen < most; seen += size {
		page, err := r.h.Log.Events(ctx, ports.EventQuery{
			Tenant: r.to.Tenant, After: after, Environment: r.to.Environment, Collections: r.to.Collections, Limit: size,
		})
		if err != nil {
			return err
		}
		if err := r.page(ctx, page.Events); err != nil {
			return err
		}
		if r.span.ends(page) {
			return nil
		}
		after = page.Next
	}
	r.next = after + 1
	return nil
}

// start is the number after which the span begins. Where it begins with a time, the log is halved until the place is found:
// numbers and times have the same order but for the slack.
func (r *replay) start(ctx context.Context) (int64, error) {
	if r.span.from.time.IsZero() {
		return max(r.span.from.number-1, 0), nil
	}
	newest, err := r.h.Log.Newest(ctx, []tenant.ID{r.to.Tenant})
	low, high := int64(0), newest[r.to.Tenant]
	early := r.span.from.time.Add(-slack)
	for err == nil && low < high {
		middle := low + (high-low)/2
		var page ports.EventPage
		page, err = r.h.Log.Events(ctx, ports.EventQuery{Tenant: r.to.Tenant, After: middle, Limit: 1})
		if len(page.Events) > 0 && page.Events[0].At.Before(early) {
			low = max(page.Events[0].Sequence, middle+1)
		} else {
			high = middle
		}
	}
	return low, err
}

// page makes deliveries of the events of a page due.
func (r *replay) page(ctx context.Context, events []ports.Event) error {
	var wanted []ports.Event
	var ids []any
	for _, e := range events {
		h := webhook.Happening{Number: e.Sequence, Collection: e.Collection, Operation: e.Operation, Environment: e.Environment}
		coming := e.Sequence > r.done && r.to.Hears(h)
		if !coming && r.span.holds(e) && r.to.Picks(h) {
			wanted, ids = append(wanted, e), append(ids, e.ID)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	for tries := 1; ; tries++ {
		made, err := r.make(ctx, wanted, ids)
		if err == nil {
			r.due += made
			return nil
		}
		if tries == replayTries || !errors.Is(err, ports.ErrDuplicate) && !errors.Is(err, ports.ErrStale) {
			return err // else the deliverer was faster with one of them
		}
	}
}

// replayTries is how often a page begins anew because the deliverer makes or ends the same deliveries meanwhile.
const replayTries = 5

func (r *replay) make(ctx context.Context, wanted []ports.Event, ids []any) (made int64, err error) {
	s := webhook.Deliveries
	err = r.h.Store.Atomically(ctx, ports.For(r.call.Principal), func(ctx context.Context, tx ports.Tx) error {
		made = 0
		byEndpoint := collection.And{s.Where("endpoint", collection.Equals, r.to.ID), s.Where("event", collection.In, ids...)}
		page, err := tx.Records.Find(ctx, collection.Query{Schema: s, Where: byEndpoint, Limit: collection.MaxLimit, Page: 1, Uncounted: true})
		if err != nil {
			return err
		}
		there := map[string]collection.Record{}
		for _, row := range page.Docs {
			there[row.Text("event")] = row
		}
		now := collection.Instant(r.h.Now())
		var changes []collection.Change
		for _, e := range wanted {
			before := there[e.ID]
			d := r.delivery(e, before)
			if before != nil && d.Status == webhook.Pending {
				continue
			}
			after := d.Again(now).Record()
			after["tenant"] = string(r.to.Tenant)
			changes = append(changes, collection.NewChange(s, before, after, r.h.NewID(), now))
		}
		if made = int64(len(changes)); made == 0 {
			return nil
		}
		return tx.Records.Write(ctx, changes...)
	})
	return made, err
}

// delivery is that of an event as it was before, or a new one.
func (r *replay) delivery(e ports.Event, before collection.Record) webhook.Delivery {
	if before != nil {
		return webhook.DeliveryFrom(before)
	}
	return webhook.Delivery{
		ID: r.h.NewID(), Endpoint: r.to.ID, Environment: r.to.Environment, Event: e.ID, Number: e.Sequence, Collection: e.Collection,
		Operation: e.Operation, RecordID: e.Record, RecordSequence: e.RecordSequence, OccurredAt: e.At, Replayed: true,
	}
}
