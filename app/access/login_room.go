package access

import (
	"context"
	"sync"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Bounds of the login room. Checking a password takes some 30 ms of a processor on purpose.
const (
	maxChecking       = 2   // passwords that are checked at a time, so that logins leave processor time to other requests
	maxWaiting        = 100 // about two seconds of work
	maxWaitingAddress = 64  // of the clients of one address
)

// loginRoom is where logins wait until their password can be checked. Shops take turns, and in a shop the addresses of
// clients: however many logins one of them sends, the next one of another waits for one turn only. The zero value is
// ready for use.
type loginRoom struct {
	mu       sync.Mutex
	checking int
	waiting  []*waitingLogin // in the order in which they came
	turn     int64           // of the shop that was served last
	shops    map[tenant.ID]*shopTurn
}

// shopTurn is the place of a shop in the order of turns, while logins of it wait.
type shopTurn struct {
	turn      int64 // the lowest is next
	count     int   // logins that wait
	last      int64 // of the address that was served last
	addresses map[string]*addressTurn
}

type addressTurn struct {
	turn  int64
	count int
}

type waitingLogin struct {
	shop    tenant.ID
	address string
	ready   chan error // nil: its turn has come
}

// enter waits for a turn of the shop and address; leave ends it. Errors: fault.ErrUnavailable when too many wait, and
// those of ctx.
func (r *loginRoom) enter(ctx context.Context, shop tenant.ID, address string) (leave func(), err error) {
	w := &waitingLogin{shop, address, make(chan error, 1)}
	if err := r.join(w); err != nil {
		return nil, err
	}
	select {
	case err := <-w.ready:
		if err != nil {
			return nil, err
		}
		return r.leave, nil
	case <-ctx.Done():
		return nil, r.cancel(w, ctx.Err())
	}
}

var errRoomFull = fault.ErrUnavailable.WithMessage("Too many concurrent logins. Try again.")

// join lets w wait, or begin at once. When the room is full, the newest login of the address with the most of them
// goes, if w is not one of those.
func (r *loginRoom) join(w *waitingLogin) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.checking < maxChecking {
		r.checking++
		w.ready <- nil
		return nil
	}
	if r.shops == nil {
		r.shops = map[tenant.ID]*shopTurn{}
	}
	if x := r.shops[w.shop]; x != nil && x.addresses[w.address] != nil && x.addresses[w.address].count >= maxWaitingAddress {
		return errRoomFull
	}
	if len(r.waiting) >= maxWaiting {
		crowded := r.mostCrowded(w)
		if crowded == nil {
			return errRoomFull
		}
		r.remove(crowded)
		crowded.ready <- errRoomFull
	}
	r.add(w)
	return nil
}

func (r *loginRoom) add(w *waitingLogin) {
	x := r.shops[w.shop]
	if x == nil {
		x = &shopTurn{turn: r.turn, addresses: map[string]*addressTurn{}}
		r.shops[w.shop] = x
	}
	a := x.addresses[w.address]
	if a == nil {
		a = &addressTurn{turn: x.last}
		x.addresses[w.address] = a
	}
	x.count++
	a.count++
	r.waiting = append(r.waiting, w)
}

// mostCrowded is the newest login of the shop, and in it of the address, that has the most logins waiting; nil if w's
// shop or address would have as many with w.
func (r *loginRoom) mostCrowded(w *waitingLogin) *waitingLogin {
	newest := r.waiting[0]
	most, mostOfAddress := r.crowd(newest)
	for _, other := range r.waiting[1:] {
		if shop, address := r.crowd(other); shop > most || shop == most && address >= mostOfAddress {
			newest, most, mostOfAddress = other, shop, address
		}
	}
	shop, address := r.crowd(w)
	if newest.shop != w.shop && most > shop+1 || newest.shop == w.shop && mostOfAddress > address+1 {
		return newest
	}
	return nil
}

// crowd is how many logins of w's shop wait, and of its address there.
func (r *loginRoom) crowd(w *waitingLogin) (shop, address int) {
	x := r.shops[w.shop]
	if x == nil {
		return 0, 0
	}
	if a := x.addresses[w.address]; a != nil {
		address = a.count
	}
	return x.count, address
}

// remove takes w out of the queue; false: it is not in it.
func (r *loginRoom) remove(w *waitingLogin) bool {
	for i, other := range r.waiting {
		if other != w {
			continue
		}
		r.waiting = append(r.waiting[:i], r.waiting[i+1:]...)
		x := r.shops[w.shop]
		a := x.addresses[w.address]
		if a.count--; a.count == 0 {
			delete(x.addresses, w.address)
		}
		if x.count--; x.count == 0 {
			delete(r.shops, w.shop)
		}
		return true
	}
	return false
}

// cancel ends the waiting of w. A turn that has just come is given back.
func (r *loginRoom) cancel(w *waitingLogin, err error) error {
	r.mu.Lock()
	waited := r.remove(w)
	r.mu.Unlock()
	if !waited && <-w.ready == nil {
		r.leave()
	}
	return err
}

// leave ends a turn; the next one begins.
func (r *loginRoom) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	var next *waitingLogin
	for _, w := range r.waiting {
		if next == nil || r.before(w, next) {
			next = w
		}
	}
	if next == nil {
		r.checking--
		return
	}
	x := r.shops[next.shop]
	a := x.addresses[next.address]
	r.turn, x.last = x.turn, a.turn
	x.turn++
	a.turn++
	r.remove(next)
	next.ready <- nil
}

// before reports whether it is the turn of w rather than of other, who came before it.
func (r *loginRoom) before(w, other *waitingLogin) bool {
	x, y := r.shops[w.shop], r.shops[other.shop]
	if x != y {
		return x.turn < y.turn
	}
	return x.addresses[w.address].turn < x.addresses[other.address].turn
}
