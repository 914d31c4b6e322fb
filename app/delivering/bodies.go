package delivering

import (
	"context"
	"sync"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// maxBodies bounds what is remembered of bodies, in bytes: what was decided just now is sent to many next.
const maxBodies = 16 << 20

// ahead is how many events are read for one that is not remembered: what comes after it is mostly sent after it.
const ahead = 50

// bodies remembers the events that were read last.
type bodies struct {
	mu    sync.Mutex
	known map[place]ports.Event
	order []place // the oldest first
	bytes int
}

type place struct {
	tenant tenant.ID
	number int64
}

func (b *bodies) put(e ports.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := place{e.Tenant, e.Sequence}
	if _, there := b.known[at]; there {
		return
	}
	if b.known == nil {
		b.known = map[place]ports.Event{}
	}
	b.known[at] = e
	b.order = append(b.order, at)
	for b.bytes += len(e.Body); b.bytes > maxBodies; b.order = b.order[1:] {
		b.bytes -= len(b.known[b.order[0]].Body)
		delete(b.known, b.order[0])
	}
}

func (b *bodies) get(of tenant.ID, number int64) (e ports.Event, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e, ok = b.known[place{of, number}]
	return e, ok
}

// event finds the event with a number and an id. Errors: ports.ErrAbsent: it is not kept any more.
func (d *Delivering) event(ctx context.Context, of tenant.ID, number int64, id string) (ports.Event, error) {
	e, ok := d.bodies.get(of, number)
	if !ok {
		page, err := d.Events.Events(ctx, ports.EventQuery{Tenant: of, After: number - 1, Limit: ahead})
		if err != nil {
			return e, err
		}
		for i, found := range page.Events {
			d.bodies.put(found)
			if i == 0 {
				e = found
			}
		}
	}
	if e.Sequence != number || e.ID != id {
		return e, ports.ErrAbsent
	}
	return e, nil
}
