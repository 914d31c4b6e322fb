package deliveries

import (
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Limits of a pacer.
const (
	initialConcurrency = 4
	maxConcurrency     = 32
	failureThreshold   = 5 // consecutive failures that start a backoff
	// maxBackoffDoublings of the first backoff exceed the longest one.
	maxBackoffDoublings = 8
	initialBackoff      = 10 * time.Second
	maxBackoff          = 5 * time.Minute
	pacerTTL            = time.Hour // since its last use
	// Due deliveries that cannot be claimed are held back, or claimed by another instance: poll again soon.
	minIdleWait = 50 * time.Millisecond
	maxIdleWait = time.Second
)

// endpointPacer is the concurrency and backoff of one endpoint on this instance.
type endpointPacer struct {
	running     bool          // it has a runner
	lastUsed    time.Time     // when it last had a runner
	pausedUntil time.Time     // end of the backoff
	idleWait    time.Duration // the last wait because nothing could be claimed
	requested   bool          // an operator requested a delivery: skip the backoff until the next turn
	testsFirst  bool          // test deliveries come first in this turn
	moreWork    chan struct{} // signals the runner that there is more

	mu          sync.Mutex
	concurrency int // allowed concurrent requests
	failures    int // consecutive
	backoff     time.Duration
}

// acquirePacer returns the pacer of an endpoint that has no runner and is not backing off, with a slot for
// its first request; otherwise, or if no slot is free, nil. If the endpoint has a runner, that is signaled.
func (d *Dispatcher) acquirePacer(of tenant.ID, endpoint string, now time.Time) *endpointPacer {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.pacers[endpoint]
	switch {
	case p == nil:
		if d.pacers == nil {
			d.pacers = map[string]*endpointPacer{}
		}
		p = &endpointPacer{concurrency: initialConcurrency, moreWork: make(chan struct{}, 1)}
		d.pacers[endpoint] = p
	case p.running:
		select {
		case p.moreWork <- struct{}{}:
		default:
		}
		return nil
	case now.Before(p.pausedUntil):
		return nil
	}
	if !d.slots.acquire(of, p.failing()) {
		d.slots.markStarved(of)
		return nil
	}
	p.running, p.lastUsed, p.testsFirst, p.requested = true, now, p.requested, false
	return p
}

// releasePacer ends the turn of a runner; made reports whether it made any requests.
func (d *Dispatcher) releasePacer(p *endpointPacer, made bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p.idleWait = min(max(2*p.idleWait, minIdleWait), maxIdleWait); made { //nolint:mnd // twice as long
		p.idleWait = 0
	}
	now := d.Now()
	p.running, p.lastUsed, p.pausedUntil = false, now, now.Add(max(p.currentBackoff(), p.idleWait))
	if p.requested {
		p.pausedUntil = now
	}
}

// ServeNow serves an endpoint at once, even during its backoff, for an operator who is testing it or has just
// repaired it. Test deliveries come first. If the request fails, the backoff continues.
func (d *Dispatcher) ServeNow(endpoint string) {
	d.mu.Lock()
	if p := d.pacers[endpoint]; p != nil {
		p.requested, p.pausedUntil = true, time.Time{}
	}
	d.mu.Unlock()
	d.Wake()
}

// evictPacers removes pacers of endpoints that have been idle for pacerTTL.
func (d *Dispatcher) evictPacers(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, p := range d.pacers {
		if !p.running && now.Sub(p.lastUsed) > pacerTTL {
			delete(d.pacers, id)
		}
	}
}

// failing reports whether the last request failed.
func (p *endpointPacer) failing() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failures > 0
}

// currentBackoff is the backoff that starts now.
func (p *endpointPacer) currentBackoff() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.backoff
}

// limit is how many concurrent requests the endpoint may get; 0 during a backoff.
func (p *endpointPacer) limit() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.backoff > 0 {
		return 0
	}
	return p.concurrency
}

// endBackoff ends a backoff, so that a single request is made.
func (p *endpointPacer) endBackoff() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.backoff = 0
}

// record adjusts to the outcome of a request. Each success adds one to the concurrency, each failure halves
// it; enough consecutive failures start a backoff, which gets longer each time.
func (p *endpointPacer) record(how attemptOutcome) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch how {
	case outcomeSucceeded:
		p.failures, p.backoff, p.concurrency = 0, 0, min(p.concurrency+1, maxConcurrency)
	case outcomeFailed:
		p.concurrency = max(p.concurrency/2, 1) //nolint:mnd // half as many
		if p.backoff > 0 {
			return // the request started before the backoff
		}
		if p.failures++; p.failures >= failureThreshold {
			p.concurrency, p.backoff = 1, min(initialBackoff<<min(p.failures-failureThreshold, maxBackoffDoublings), maxBackoff)
		}
	case outcomeNone:
	}
}
