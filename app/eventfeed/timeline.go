package eventfeed

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/timeline"
	"github.com/cartwright-dev/cartwright/ports"
)

// maxRelated is how many records of one collection a timeline tells of besides its own: the newest.
const maxRelated = 100

// TimelineQuery asks for a page of the timeline of a record, newest first.
type TimelineQuery struct {
	Collection, Record string
	Before             string // nextBefore of the page before; "": from the newest
	Limit              int    // 1..collection.MaxLimit
}

// Timeline responds with the changes of a record, and of the records that are part of it, such as the parcels of an order, in
// words and values. Errors: fault.ErrUnauthenticated, fault.ErrForbidden, ports.ErrNotFound, fault.ErrValidation. Rule events-13.
func (s *Service) Timeline(ctx context.Context, p tenant.Principal, q TimelineQuery) (idempotency.Response, error) {
	schema := s.Registry.Get(q.Collection)
	if schema == nil || !schema.HasTimeline() {
		return idempotency.Response{}, ports.ErrNotFound
	}
	v, err := s.viewFor(p, []string{q.Collection})
	if err != nil {
		return idempotency.Response{}, err
	}
	asked := ports.HistoryQuery{Tenant: v.tenant, Environment: v.environment, Descending: true, Limit: q.Limit + 1}
	if asked.BeforeTime, asked.BeforeID, err = readCursor(q.Before); err != nil {
		return idempotency.Response{}, err
	}
	if q.Limit < 1 || q.Limit > collection.MaxLimit {
		return idempotency.Response{}, fault.Invalidf("limit", "limit must be from 1 to %d.", collection.MaxLimit)
	}
	if asked.Records, err = s.partsOf(ctx, p, &v, schema, q.Record); err != nil {
		return idempotency.Response{}, err
	}
	events, err := s.Log.History(ctx, asked)
	if err != nil {
		return idempotency.Response{}, err
	}
	comments, err := s.comments(ctx, p, q, asked)
	if err != nil {
		return idempotency.Response{}, err
	}
	return s.tell(ctx, v, events, comments, q)
}

// partsOf are the ids of a record and of the records that are told with it; their collections are added to v. Errors:
// ports.ErrNotFound for a record that the shop, in this environment, never had.
func (s *Service) partsOf(ctx context.Context, p tenant.Principal, v *eventView, of *collection.Schema, id string) ([]string, error) {
	ids, r := []string{id}, s.Store.Read(ports.ForTenant(v.tenant))
	if _, err := ports.GetInEnvironment(ctx, r, of, p.Environment, id); err != nil {
		first := ports.HistoryQuery{Tenant: v.tenant, Environment: v.environment, Records: ids, Limit: 1}
		if gone, historyErr := s.Log.History(ctx, first); historyErr != nil || len(gone) == 0 || gone[0].Collection != of.Slug {
			return nil, err
		}
	}
	for _, part := range s.Registry.All() {
		if f, ok := part.Field(part.TimelineOf); !ok || f.RelationTo != of.Slug {
			continue
		}
		if view, err := s.viewFor(p, []string{part.Slug}); err != nil || len(view.collections) == 0 {
			continue // a role that may not read payments is told of none
		}
		v.collections = append(v.collections, part.Slug)
		page, err := r.Find(ctx, collection.Query{
			Schema: part, Environment: string(v.environment), Where: part.Where(part.TimelineOf, collection.Equals, id),
			Sort: part.SortByLast("createdAt"), Limit: maxRelated, Page: 1,
			SkipCount: true,
		})
		if err != nil {
			return nil, err
		}
		for _, d := range page.Docs {
			ids = append(ids, d.ID())
		}
	}
	return ids, nil
}

// tell is the page of a timeline that has these events and comments, of each one more than it may have if there are others.
func (s *Service) tell(
	ctx context.Context, v eventView, events []ports.Event, comments []collection.Record, q TimelineQuery,
) (idempotency.Response, error) {
	events, commented := withComments(events, comments, q.Limit+1)
	more := len(events) > q.Limit
	events = events[:min(len(events), q.Limit)]
	names, err := s.namesOf(ctx, v.tenant, events)
	if err != nil {
		return idempotency.Response{}, err
	}
	docs, next, size := reply.List{}, "", envelopeSize
	for i := range events {
		e := &events[i]
		if size += eventSize(e); i > 0 && size > maxPageBytes {
			more = true
			break
		}
		next = cursorOf(e)
		if comment := commented[e.Record]; comment != nil {
			docs = append(docs, commentEntry(e, comment, names))
			continue
		}
		if !v.includes(e.Collection, e.Environment) {
			continue
		}
		told, err := s.entry(e, names)
		if err != nil {
			return idempotency.Response{}, err
		}
		docs = append(docs, told)
	}
	if !more {
		next = ""
	}
	return idempotency.Response{Body: reply.Of(collection.Staff, reply.Member{Name: "docs", Value: docs},
		reply.Member{Name: "nextBefore", Value: collection.TextOrNull(next)}, reply.Member{Name: "hasMore", Value: more})}, nil
}

// entry tells an event.
func (s *Service) entry(e *ports.Event, names map[string]string) (reply.Object, error) {
	body, err := reply.ParseObject(e.Body)
	if err != nil {
		return nil, err
	}
	schema := s.Registry.Get(e.Collection)
	var changes []timeline.Change
	switch e.Operation {
	case collection.Created:
		after, _ := body["doc"].(map[string]any)
		changes = timeline.Made(schema, after)
	case collection.Deleted:
	case collection.Updated:
		changed, _ := body["data"].(map[string]any)
		before, _ := body["previousDoc"].(map[string]any)
		after, _ := body["doc"].(map[string]any)
		changes = timeline.Between(schema, slices.Collect(maps.Keys(changed)), before, after)
	}
	told := make(reply.List, len(changes))
	for i, c := range changes {
		told[i] = reply.Object{
			{Name: "path", Value: c.Path}, {Name: "label", Value: c.Label}, {Name: "from", Value: c.From}, {Name: "to", Value: c.To},
		}
	}
	return withActor(entryHead(e, timeline.Summary(schema, e.Operation, changes), told), e, names), nil
}

// entryHead are the first members of an entry.
func entryHead(e *ports.Event, summary string, changes reply.List) reply.Object {
	return reply.Object{
		{Name: "id", Value: e.ID}, {Name: "collection", Value: e.Collection}, {Name: "record", Value: e.Record},
		{Name: "recordSequence", Value: e.RecordSequence}, {Name: "operation", Value: string(e.Operation)},
		{Name: "summary", Value: summary}, {Name: "changes", Value: changes},
	}
}

// withActor adds who made the change, and when.
func withActor(o reply.Object, e *ports.Event, names map[string]string) reply.Object {
	if e.Actor.Kind != "" {
		o = append(o, reply.Member{Name: "actor", Value: reply.Actor(e.Actor, names[e.Actor.ID])})
	}
	return append(o, reply.Member{Name: "occurredAt", Value: e.At})
}

// cursorOf is the position of an event in a timeline.
func cursorOf(e *ports.Event) string { return strconv.FormatInt(e.At.UnixMicro(), 10) + "." + e.ID }

// readCursor reads what cursorOf made; "" is no position. Errors: fault.ErrValidation.
func readCursor(text string) (at time.Time, id string, err error) {
	if text == "" {
		return at, "", nil
	}
	micros, id, ok := strings.Cut(text, ".")
	n, err := strconv.ParseInt(micros, 10, 64)
	if !ok || err != nil || id == "" || len(text) > maxActorBytes || n < 0 || strings.ContainsRune(id, 0) {
		return at, "", fault.Invalidf("before", "before is nextBefore of the page before.")
	}
	return time.UnixMicro(n).UTC(), id, nil
}
