package delivering

import (
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The bounds of a pace.
const (
	firstWidth = 4
	fullWidth  = 32
	tolerated  = 5 // failures in a row, until an endpoint is left alone
	// mostDoublings of the first rest are more than the longest one.
	mostDoublings = 8
	firstRest     = 10 * time.Second
	longRest      = 5 * time.Minute
	forgotten     = time.Hour // since it was last used
	// What is due for an endpoint and cannot be claimed is held back, or with another instance: it is looked for again soon.
	firstIdle = 50 * time.Millisecond
	longIdle  = time.Second
)

// pace is how an endpoint is treated by this instance.
type pace struct {
	busy   bool          // it has a runner
	used   time.Time     // when it last had one
	until  time.Time     // it is left alone
	idle   time.Duration // for which it was last left alone because there was nothing to claim
	asked  bool          // for by an operator, who may have mended it: it is not left alone until the next turn
	tests  bool          // come first in this turn
	nudged chan struct{} // there is more for its runner

	mu    sync.Mutex
	width int // requests at a time
	fails int // in a row
	rest  time.Duration
}

// take answers the pace of an endpoint that is not served yet and not left alone, with a place for its first request; nil
// for others, and when there is none. The runner that serves it is told that there is more.
func (d *Delivering) take(of tenant.ID, endpoint string, now time.Time) *pace {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.running[endpoint]
	switch {
	case p == nil:
		if d.running == nil {
			d.running = map[string]*pace{}
		}
		p = &pace{width: firstWidth, nudged: make(chan struct{}, 1)}
		d.running[endpoint] = p
	case p.busy:
		select {
		case p.nudged <- struct{}{}:
		default:
		}
		return nil
	case now.Before(p.until):
		return nil
	}
	if !d.places.take(of, p.failing()) {
		d.places.missed(of)
		return nil
	}
	p.busy, p.used, p.tests, p.asked = true, now, p.asked, false
	return p
}

// giveBack ends the turn of a runner that made any requests, or none.
func (d *Delivering) giveBack(endpoint string, p *pace, made bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p.idle = min(max(2*p.idle, firstIdle), longIdle); made { //nolint:mnd // twice as long
		p.idle = 0
	}
	now := d.Now()
	p.busy, p.used, p.until = false, now, now.Add(max(p.resting(), p.idle))
	if p.asked {
		p.until = now
	}
}

// Asked has an endpoint served at once, also while it is left alone: an operator wants to see something arrive there, perhaps
// because it was mended. Tests come first. If it was not mended, it is left alone again after one more request.
func (d *Delivering) Asked(endpoint string) {
	d.mu.Lock()
	if p := d.running[endpoint]; p != nil {
		p.asked, p.until = true, time.Time{}
	}
	d.mu.Unlock()
	d.Wake()
}

// forgetPaces of endpoints that had nothing to do for long.
func (d *Delivering) forgetPaces(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, p := range d.running {
		if !p.busy && now.Sub(p.used) > forgotten {
			delete(d.running, id)
		}
	}
}

// failing reports whether the last request failed.
func (p *pace) failing() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fails > 0
}

// resting is how long the endpoint is left alone from now on.
func (p *pace) resting() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rest
}

// wide is how many requests the endpoint gets at a time; 0: it is left alone for now.
func (p *pace) wide() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rest > 0 {
		return 0
	}
	return p.width
}

// probe ends a rest, so that a single request is made.
func (p *pace) probe() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rest = 0
}

// learn notes how a request ended. Each success lets one more be made at a time, each failure half as many; an endpoint that
// fails often enough in a row is left alone, longer each time.
func (p *pace) learn(how outcome) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch how {
	case succeeded:
		p.fails, p.rest, p.width = 0, 0, min(p.width+1, fullWidth)
	case failed:
		p.width = max(p.width/2, 1) //nolint:mnd // half as many
		if p.rest > 0 {
			return // it was on its way when the rest began
		}
		if p.fails++; p.fails >= tolerated {
			p.width, p.rest = 1, min(firstRest<<min(p.fails-tolerated, mostDoublings), longRest)
		}
	case nothing:
	}
}
