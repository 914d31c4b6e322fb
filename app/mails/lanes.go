package mails

import (
	"sync"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// lanes are the shops whose deliveries are sent beside those of other shops, which do not wait for them. The zero value is ready to use.
type lanes struct {
	mu      sync.Mutex
	busy    map[tenant.ID]bool
	running background.Group
}

// maxLanes is how many shops have their deliveries sent at the same time.
const maxLanes = 64

// free reports whether a shop can have a lane.
func (l *lanes) free(shop tenant.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.busy[shop] && len(l.busy) < maxLanes
}

// run runs work for a shop in a lane of its own, unless it has one or there are too many; ended is called after that.
func (l *lanes) run(shop tenant.ID, work, ended func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy[shop] || len(l.busy) >= maxLanes {
		return
	}
	if l.busy == nil {
		l.busy = map[tenant.ID]bool{}
	}
	l.busy[shop] = true
	l.running.Start(func() {
		defer ended()
		defer func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			delete(l.busy, shop)
		}()
		work()
	})
}
