package streaming

import (
	"context"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The bounds of one answer.
const (
	atOnce  = 100     // events that are read together
	looks   = 10      // parts of the log that are looked at for one page
	maxBody = 4 << 20 // bytes, and what was read together with the last of them
)

// List is a page of the log, oldest events first. Errors: fault.ErrUnauthenticated, fault.ErrForbidden,
// fault.ErrValidation, ErrBeyond.
func (s *Streaming) List(ctx context.Context, p tenant.Principal, q Asked) (once.Answer, error) {
	v, err := s.view(p, q.Collections)
	if err != nil {
		return once.Answer{}, err
	}
	if q.Limit < 0 || q.Limit > collection.MaxLimit {
		return once.Answer{}, fault.Invalidf("limit", "limit is 0 to %d.", collection.MaxLimit)
	}
	at, newest, err := s.begin(ctx, v.tenant, q.After, "0")
	if err != nil {
		return once.Answer{}, err
	}
	body := []byte(`{"docs":[`)
	left, more := q.Limit, at < newest
	for look := 0; look < looks && left > 0 && more && len(body) < maxBody; look++ {
		page, err := s.Log.Events(ctx, v.query(at, min(left, atOnce)))
		if err != nil {
			return once.Answer{}, err
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
	return once.Answer{Body: append(body, '}')}, nil
}

func (v view) query(after int64, limit int) ports.EventQuery {
	return ports.EventQuery{Tenant: v.tenant, After: after, Environment: v.environment, Collections: v.collections, Limit: limit}
}

// appendEvent appends an event as the wire shows it.
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
	dst = append(dst, e.Body[1:len(e.Body)-1]...) // its members
	dst = collection.AppendValue(append(dst, `,"occurredAt":`...), e.At)
	return append(dst, '}')
}
