package eventfeed

import (
	"context"

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

// List responds with a page of the log, oldest events first. Errors: fault.ErrUnauthenticated,
// fault.ErrForbidden, fault.ErrValidation, ErrUnknownSequence.
func (s *Service) List(ctx context.Context, p tenant.Principal, q Query) (idempotency.Response, error) {
	v, err := s.viewFor(p, q.Collections)
	if err != nil {
		return idempotency.Response{}, err
	}
	if q.Limit < 0 || q.Limit > collection.MaxLimit {
		return idempotency.Response{}, fault.Invalidf("limit", "limit must be from 0 to %d.", collection.MaxLimit)
	}
	at, newest, err := s.startPosition(ctx, v.tenant, q.After, "0")
	if err != nil {
		return idempotency.Response{}, err
	}
	docs, size := reply.List{}, 0
	left, more := q.Limit, at < newest
	for look := 0; look < maxReadsPerPage && left > 0 && more && size < maxPageBytes; look++ {
		page, err := s.Log.Events(ctx, v.query(at, min(left, readBatchSize)))
		if err != nil {
			return idempotency.Response{}, err
		}
		for i := range page.Events {
			docs = append(docs, eventMembers(&page.Events[i]))
			size += eventSize(&page.Events[i])
			left--
		}
		at, more = page.Next, page.More()
	}
	body := reply.Of(collection.Staff,
		reply.Member{Name: "docs", Value: docs}, reply.Member{Name: "nextAfter", Value: at}, reply.Member{Name: "hasMore", Value: more})
	return idempotency.Response{Body: body.WithRoom(size + envelopeSize)}, nil
}

func (v eventView) query(after int64, limit int) ports.EventQuery {
	return ports.EventQuery{Tenant: v.tenant, After: after, Environment: v.environment, Collections: v.collections, Limit: limit}
}

// envelopeSize is room for what an event has around its body, and a page around its events.
const envelopeSize = 256

func eventSize(e *ports.Event) int { return len(e.Body) + envelopeSize }

// eventMembers is an event in its wire format.
func eventMembers(e *ports.Event) reply.Object {
	o := append(make(reply.Object, 0, 9),
		reply.Member{Name: "id", Value: e.ID},
		reply.Member{Name: "sequence", Value: e.Sequence},
		reply.Member{Name: "recordSequence", Value: e.RecordSequence},
		reply.Member{Name: "tenant", Value: string(e.Tenant)})
	if e.Environment != "" {
		o = append(o, reply.Member{Name: "environment", Value: string(e.Environment)})
	}
	return append(o, reply.Member{Name: "collection", Value: e.Collection}, reply.Member{Name: "operation", Value: string(e.Operation)},
		reply.Member{Value: reply.JSON(e.Body)}, reply.Member{Name: "occurredAt", Value: e.At})
}
