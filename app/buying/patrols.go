package buying

import (
	"slices"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/payment"
)

// How many sessions are looked up at the same time: of one connection, and of how many connections.
const (
	patrolWidth = 2
	maxPatrols  = 64
)

// fewAway is after how many look-ups in a row that reached nobody the others of a connection wait for the next round.
const fewAway = 5

// patrols look sessions up, those of each connection in a patrol of its own.
type patrols struct {
	mu     sync.Mutex
	looked map[string]time.Time // when a session was last looked up, by id
	busy   map[string]bool      // connections whose patrol is at work
	work   sync.WaitGroup
}

func newPatrols() *patrols { return &patrols{looked: map[string]time.Time{}, busy: map[string]bool{}} }

func (p *patrols) wait() { p.work.Wait() }

// last is when a session was last looked up.
func (p *patrols) last(session string) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.looked[session]
}

// forget keeps what is known about those sessions alone.
func (p *patrols) forget(allBut map[string]bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id := range p.looked {
		if !allBut[id] {
			delete(p.looked, id)
		}
	}
}

// start looks sessions of a connection up, those first that wait longest, and does not wait for it. A connection whose
// patrol is still at work is left to it.
func (p *patrols) start(connection string, now time.Time, sessions []payment.Session, look func(s payment.Session, ask bool) (away bool)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.busy[connection] || len(p.busy) >= maxPatrols {
		return
	}
	p.busy[connection] = true
	slices.SortStableFunc(sessions, func(a, b payment.Session) int { return p.looked[a.ID].Compare(p.looked[b.ID]) })
	one := patrol{of: p, now: now, sessions: sessions, look: look}
	p.work.Go(func() {
		var both sync.WaitGroup
		for range patrolWidth {
			both.Go(one.run)
		}
		both.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.busy, connection)
	})
}

// patrol is the work on one connection.
type patrol struct {
	of       *patrols
	now      time.Time
	look     func(s payment.Session, ask bool) (away bool)
	sessions []payment.Session // still to be looked up; of of.mu
	away     int               // look-ups in a row that reached nobody; of of.mu
}

// run looks up one session after the other. Once the provider has turned out to be away the rest of them are looked at
// without asking it; they stay due.
func (p *patrol) run() {
	for s, ask, more := p.next(); more; s, ask, more = p.next() {
		p.told(p.look(s, ask), ask)
	}
}

func (p *patrol) next() (s payment.Session, ask, more bool) {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	if len(p.sessions) == 0 {
		return s, false, false
	}
	s, p.sessions = p.sessions[0], p.sessions[1:]
	if ask = p.away < fewAway; ask {
		p.of.looked[s.ID] = p.now
	}
	return s, ask, true
}

func (p *patrol) told(away, asked bool) {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	switch {
	case away:
		p.away++
	case asked:
		p.away = 0
	}
}
