package eventfeed

import (
	"context"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Limits of one response.
const (
	readBatchSize   = 100     // events per read
	maxReadsPerPage = 10      // reads for one page
	maxPageBytes    = 4 << 20 // checked after each read
)

// List responds with a page of the log. Errors: fault.ErrUnauthenticated, fault.ErrForbidden, fault.ErrValidation,
// ErrUnknownSequence, ErrTrimmed.
func (s *Service) List(ctx context.Context, p tenant.Principal, q Query) (idempotency.Response, error) {
	v, err := s.viewFor(p, q.Collections)
	if err != nil {
		return idempotency.Response{}, err
	}
	if q.Limit < 0 || q.Limit > collection.MaxLimit {
		return idempotency.Response{}, fault.Invalidf("limit", "limit must be from 0 to %d.", collection.MaxLimit)
	}
	if len(q.Actor) > maxActorBytes {
		return idempotency.Response{}, fault.Invalidf("actor", "actor is a kind of actor or the id of one, of at most %d characters.", maxActorBytes)
	}
	read := s.readLog
	if q.Record != "" {
		read = s.readRecord
	}
	found, err := read(ctx, v, q)
	if err != nil {
		return idempotency.Response{}, err
	}
	names, err := s.namesOf(ctx, v.tenant, found.events)
	if err != nil {
		return idempotency.Response{}, err
	}
	docs, size := make(reply.List, len(found.events)), envelopeSize
	for i := range found.events {
		e := &found.events[i]
		docs[i] = eventMembers(e, names)
		size += eventSize(e)
	}
	position := "nextAfter"
	if q.Descending {
		position = "nextBefore"
	}
	body := reply.Of(collection.Staff, reply.Member{Name: "docs", Value: docs}, reply.Member{Name: position, Value: found.next},
		reply.Member{Name: "hasMore", Value: found.more})
	return idempotency.Response{Body: body.WithRoom(size)}, nil
}

// maxActorBytes is how long the name of an actor is at most.
const maxActorBytes = 100

// foundEvents is what a page shows, and from where the next one goes on.
type foundEvents struct {
	events []ports.Event
	next   int64
	more   bool
}

// readLog reads a page of the log. Errors: fault.ErrValidation, ErrUnknownSequence, ErrTrimmed.
func (s *Service) readLog(ctx context.Context, v eventView, q Query) (f foundEvents, err error) {
	at, newest, err := s.startPosition(ctx, v.tenant, q.After, "0")
	if err != nil {
		return f, err
	}
	asked := v.query(at, 0)
	asked.Before, asked.Descending, asked.Actor = q.Before, q.Descending, q.Actor
	f.next, f.more = at, at < newest && (q.Before == 0 || q.Before > at+1)
	if q.Descending {
		f.next = newest + 1
		if q.Before > 0 {
			f.next = min(f.next, q.Before)
		}
	}
	size := 0
	for look := 0; look < maxReadsPerPage && len(f.events) < q.Limit && f.more && size < maxPageBytes; look++ {
		if asked.Limit = min(q.Limit-len(f.events), readBatchSize); q.Descending {
			asked.Before = f.next
		} else {
			asked.After = f.next
		}
		page, err := s.Log.Events(ctx, asked)
		if err != nil {
			return f, err
		}
		for i := range page.Events {
			size += eventSize(&page.Events[i])
		}
		f.events, f.next, f.more = append(f.events, page.Events...), page.Next, page.More()
	}
	return f, nil
}

// readRecord reads a page of the history of a record. Errors: fault.ErrValidation.
func (s *Service) readRecord(ctx context.Context, v eventView, q Query) (f foundEvents, err error) {
	asked := ports.HistoryQuery{
		Tenant: v.tenant, Environment: v.environment, Records: []string{q.Record}, Actor: q.Actor, Before: q.Before, Descending: q.Descending,
		Limit: min(q.Limit, readBatchSize) + 1,
	}
	for _, slug := range q.Collections {
		if s.Registry.Get(slug).FrequentlyUpdated {
			return f, fault.Invalidf("record", "The events of %s are not kept by record: there are too many.", slug)
		}
	}
	if q.After != "" {
		if asked.After, err = strconv.ParseInt(q.After, 10, 64); err != nil || asked.After < 0 {
			return f, fault.Invalidf("after", "With record, after is the recordSequence of an event.")
		}
	}
	f.next = asked.After
	if q.Descending {
		f.next = asked.Before
	}
	found, err := s.Log.History(ctx, asked)
	if err != nil {
		return f, err
	}
	if f.more = len(found) == asked.Limit; f.more {
		found = found[:len(found)-1]
	}
	size := 0
	for i, e := range found {
		if size += eventSize(&found[i]); i > 0 && size > maxPageBytes {
			f.more = true
			break
		}
		f.next = e.RecordSequence
		if v.includes(e.Collection, e.Environment) && !s.Registry.Get(e.Collection).FrequentlyUpdated {
			f.events = append(f.events, e)
		}
	}
	return f, nil
}

func (v eventView) query(after int64, limit int) ports.EventQuery {
	return ports.EventQuery{Tenant: v.tenant, After: after, Environment: v.environment, Collections: v.collections, Limit: limit}
}

// envelopeSize is room for what an event has around its body, and a page around its events.
const envelopeSize = 256

func eventSize(e *ports.Event) int { return len(e.Body) + envelopeSize }

// eventMembers is an event in its wire format. names are those of actors, by id.
func eventMembers(e *ports.Event, names map[string]string) reply.Object {
	o := append(make(reply.Object, 0, 10), reply.Member{Name: "id", Value: e.ID})
	if e.Sequence > 0 {
		o = append(o, reply.Member{Name: "sequence", Value: e.Sequence})
	}
	o = append(o, reply.Member{Name: "recordSequence", Value: e.RecordSequence}, reply.Member{Name: "tenant", Value: string(e.Tenant)})
	if e.Environment != "" {
		o = append(o, reply.Member{Name: "environment", Value: string(e.Environment)})
	}
	o = append(o, reply.Member{Name: "collection", Value: e.Collection}, reply.Member{Name: "operation", Value: string(e.Operation)})
	if e.Actor.Kind != "" {
		o = append(o, reply.Member{Name: "actor", Value: reply.Actor(e.Actor, names[e.Actor.ID])})
	}
	return append(o, reply.Member{Value: reply.JSON(e.Body)}, reply.Member{Name: "occurredAt", Value: e.At})
}
