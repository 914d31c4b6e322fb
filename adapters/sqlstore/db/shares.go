package db

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// lane is a kind of work of a tenant.
type lane int

// The lanes.
const (
	laneRead   lane = iota // what an index serves
	laneCostly             // what may have to read all of a tenant's records: Stmt.Costly
	laneWrite              // transactions
	lanes
)

// longRun is the time from which on a read counts as long: its tenant may then run fewer of its lane at a time.
const longRun = 50 * time.Millisecond

// ErrShareBusy is that a call ended while it waited for others of its own tenant.
var ErrShareBusy = errors.New("the tenant's share of the database is in use")

// shares divides the connections that serve requests among tenants, so that what one of them asks for never
// takes the last one, nor all processors of the database. Decision 43.
//
//   - A tenant may take a connection while it has fewer than twice as many as are free, but the last one only
//     if it has none. So one tenant alone leaves a third, and many leave one for whoever comes next.
//   - Of costly reads it may run a third as many at a time, and of reads that turn out to be long still fewer:
//     each halves the width of its lane, and short ones widen it again.
//   - Whoever has to wait is served in the order of who has the fewest connections, then of arrival.
//
// What serves many tenants at once (the committer, gathered reads) and the server itself do not take part: a
// few connections are left to them.
type shares struct {
	now func() time.Time

	mu      sync.Mutex
	free    int
	most    [lanes]float64 // width of a lane at most
	least   [lanes]float64
	tenants map[tenant.ID]*share
	arrived int64 // waiters so far
}

// share is what one tenant has. Those with nothing running or waiting, and full width, are not kept.
type share struct {
	held    int
	running [lanes]int
	width   [lanes]float64
	waiting [lanes]list.List // of *waiter
}

type waiter struct {
	number int64
	ready  chan struct{} // closed when it may run
}

// turn is the right to use a connection; it ends by shares.end.
type turn struct {
	id    tenant.ID
	in    lane
	began time.Time
}

func newShares(connections int, now func() time.Time) *shares {
	n := float64(connections)
	return &shares{
		now: now, free: connections, tenants: map[tenant.ID]*share{},
		most:  [lanes]float64{laneRead: n, laneCostly: max(1, n/3), laneWrite: n},
		least: [lanes]float64{laneRead: max(1, n/3), laneCostly: max(1, n/12), laneWrite: n},
	}
}

// sharedKey marks contexts of work that has its turn already.
type sharedKey struct{}

// InTurn runs work, a transaction of scope, when it is the turn of its tenant. The reads of the same call count
// as part of it. Errors: fault.ErrUnavailable when ctx ends first, and those of work.
func (d *DB) InTurn(ctx context.Context, scope ports.Scope, work func(context.Context) error) error {
	return d.inTurn(ctx, scope, laneWrite, func() error { return work(WithTurn(ctx)) })
}

// HasTurn reports whether a call is part of a transaction that has its turn.
func (d *DB) HasTurn(ctx context.Context) bool { return ctx.Value(sharedKey{}) != nil }

// WithTurn is the context of a transaction that needs no turn.
func WithTurn(ctx context.Context) context.Context { return context.WithValue(ctx, sharedKey{}, true) }

func (d *DB) inTurn(ctx context.Context, scope ports.Scope, in lane, work func() error) error {
	if scope.System || len(scope.Tenants) == 0 || ctx.Value(sharedKey{}) != nil {
		return work()
	}
	u, err := d.shares.begin(ctx, scope.Tenants[0], in)
	if err != nil {
		return err
	}
	defer d.shares.end(u)
	return work()
}

// begin waits for the tenant's turn. Errors: ErrShareBusy with the cause why ctx ended.
func (s *shares) begin(ctx context.Context, id tenant.ID, in lane) (turn, error) {
	s.mu.Lock()
	t := s.tenants[id]
	if t == nil {
		t = &share{width: s.most}
		s.tenants[id] = t
	}
	if t.waiting[in].Len() == 0 && s.allows(t, in) {
		defer s.mu.Unlock()
		return s.start(id, t, in), nil
	}
	s.arrived++
	w := &waiter{s.arrived, make(chan struct{})}
	place := t.waiting[in].PushBack(w)
	s.mu.Unlock()
	select {
	case <-w.ready:
		return turn{id, in, s.now()}, nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-w.ready: // just now: the connection goes to the next one
		s.release(id, in)
	default:
		t.waiting[in].Remove(place)
		s.drop(id, t)
	}
	return turn{}, errors.Join(ErrShareBusy, context.Cause(ctx))
}

// end gives the connection back.
func (s *shares) end(u turn) {
	took := s.now().Sub(u.began)
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tenants[u.id]; took >= longRun {
		t.width[u.in] = max(s.least[u.in], t.width[u.in]/2)
	} else {
		t.width[u.in] = min(s.most[u.in], t.width[u.in]+1/t.width[u.in])
	}
	s.release(u.id, u.in)
}

// allows reports whether t may run one more in a lane.
func (s *shares) allows(t *share, in lane) bool {
	fair := t.held == 0 && s.free > 0 || s.free > 1 && t.held < 2*s.free
	return fair && float64(t.running[in]) < max(1, float64(int(t.width[in])))
}

func (s *shares) start(id tenant.ID, t *share, in lane) turn {
	s.free--
	t.held++
	t.running[in]++
	return turn{id, in, s.now()}
}

// release frees a connection and gives it to whoever waits.
func (s *shares) release(id tenant.ID, in lane) {
	t := s.tenants[id]
	s.free++
	t.held--
	t.running[in]--
	for s.startNext() {
	}
	s.drop(id, t)
}

// startNext starts the waiter whose tenant has the fewest connections, and reports whether there was one that
// may run.
func (s *shares) startNext() bool {
	var next *waiter
	var of *share
	var id tenant.ID
	var in lane
	for tid, t := range s.tenants {
		for l := range lanes {
			first := t.waiting[l].Front()
			if first == nil || !s.allows(t, l) {
				continue
			}
			w := first.Value.(*waiter)
			if next == nil || t.held < of.held || t.held == of.held && w.number < next.number {
				next, of, id, in = w, t, tid, l
			}
		}
	}
	if next == nil {
		return false
	}
	of.waiting[in].Remove(of.waiting[in].Front())
	s.start(id, of, in)
	close(next.ready)
	return true
}

// drop forgets a tenant of whom there is nothing to know.
func (s *shares) drop(id tenant.ID, t *share) {
	waiting := 0
	for l := range lanes {
		waiting += t.waiting[l].Len()
	}
	if t.held == 0 && waiting == 0 && t.width == s.most {
		delete(s.tenants, id)
	}
}
