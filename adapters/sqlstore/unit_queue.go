package sqlstore

import (
	"context"
	"slices"
	"sync"
)

// unitQueue is units of work that wait for a transaction which they share.
type unitQueue[U comparable] struct {
	mu      sync.Mutex
	waiting []U
	stats   SharedStats
}

// await is how a unit ended; done tells. A caller that gives up while its unit waits takes it out of the queue.
func (q *unitQueue[U]) await(ctx context.Context, u U, done <-chan error) error {
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	if q.withdraw(u) {
		return ctx.Err()
	}
	return <-done // it may be running: what it writes to is its caller's
}

// withdraw takes a unit out of the queue; ok is false when it is under way, or done.
func (q *unitQueue[U]) withdraw(u U) (ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := slices.Index(q.waiting, u)
	if at >= 0 {
		q.waiting = slices.Delete(q.waiting, at, at+1)
	}
	return at >= 0
}
