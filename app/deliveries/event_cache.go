package deliveries

import (
	"context"
	"sync"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// maxCacheBytes bounds the cached events, in bytes: an event fanned out just now is sent to many endpoints
// next.
const maxCacheBytes = 16 << 20

// readAhead is how many events are read on a cache miss: the following events are usually sent next.
const readAhead = 50

// eventCache caches recently read events.
type eventCache struct {
	mu     sync.Mutex
	events map[eventKey]ports.Event
	order  []eventKey // oldest first
	bytes  int
}

type eventKey struct {
	tenant   tenant.ID
	sequence int64
}

func (b *eventCache) put(e ports.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := eventKey{e.Tenant, e.Sequence}
	if _, there := b.events[at]; there {
		return
	}
	if b.events == nil {
		b.events = map[eventKey]ports.Event{}
	}
	b.events[at] = e
	b.order = append(b.order, at)
	for b.bytes += len(e.Body); b.bytes > maxCacheBytes; b.order = b.order[1:] {
		b.bytes -= len(b.events[b.order[0]].Body)
		delete(b.events, b.order[0])
	}
}

func (b *eventCache) get(of tenant.ID, number int64) (e ports.Event, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e, ok = b.events[eventKey{of, number}]
	return e, ok
}

// loadEvent returns the event with a sequence number and an id. Errors: ports.ErrNotFound: it has been
// trimmed.
func (d *Dispatcher) loadEvent(ctx context.Context, of tenant.ID, number int64, id string) (ports.Event, error) {
	e, ok := d.events.get(of, number)
	if !ok {
		page, err := d.Events.Events(ctx, ports.EventQuery{Tenant: of, After: number - 1, Limit: readAhead})
		if err != nil {
			return e, err
		}
		for i, found := range page.Events {
			d.events.put(found)
			if i == 0 {
				e = found
			}
		}
	}
	if e.Sequence != number || e.ID != id {
		return e, ports.ErrNotFound
	}
	return e, nil
}
