package eventfeed

import (
	"context"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/idempotency"
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
	body := []byte(`{"docs":[`)
	left, more := q.Limit, at < newest
	for look := 0; look < maxReadsPerPage && left > 0 && more && len(body) < maxPageBytes; look++ {
		page, err := s.Log.Events(ctx, v.query(at, min(left, readBatchSize)))
		if err != nil {
			return idempotency.Response{}, err
		}
		for i := range page.Events {
			if left < q.Limit {
				body = append(body, ',')
			}
			body = appendEvent(body, &page.Events[i])
			left--
		}
		at, more = page.Next, page.More()
	}
	body = strconv.AppendInt(append(body, `],"nextAfter":`...), at, 10)
	body = strconv.AppendBool(append(body, `,"hasMore":`...), more)
	return idempotency.Response{Body: append(body, '}')}, nil
}

func (v eventView) query(after int64, limit int) ports.EventQuery {
	return ports.EventQuery{Tenant: v.tenant, After: after, Environment: v.environment, Collections: v.collections, Limit: limit}
}

// appendEvent appends an event in its wire format.
func appendEvent(dst []byte, e *ports.Event) []byte {
	text := func(name, value string) { dst = collection.AppendString(append(dst, name...), value) }
	text(`{"id":`, e.ID)
	dst = strconv.AppendInt(append(dst, `,"sequence":`...), e.Sequence, 10)
	dst = strconv.AppendInt(append(dst, `,"recordSequence":`...), e.RecordSequence, 10)
	text(`,"tenant":`, string(e.Tenant))
	if e.Environment != "" {
		text(`,"environment":`, string(e.Environment))
	}
	text(`,"collection":`, e.Collection)
	text(`,"operation":`, string(e.Operation))
	dst = append(dst, ',')
	dst = append(dst, e.Body[1:len(e.Body)-1]...) // the members of the body
	dst = collection.AppendValue(append(dst, `,"occurredAt":`...), e.At)
	return append(dst, '}')
}
