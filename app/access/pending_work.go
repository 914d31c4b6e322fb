package access

import "sync"

// maxPending is how many pieces of work of one kind are under way at the same time; further ones are turned away.
const maxPending = 64

// pendingWork counts what is under way in the background: email tokens that are created, or logins whose use is noted.
// Unlike a wait group it may be waited for while further ones begin.
type pendingWork struct {
	mu    sync.Mutex
	count int
	none  chan struct{} // closed when count is 0 again
}

// begin counts one more; false: there are too many.
func (p *pendingWork) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.count >= maxPending {
		return false
	}
	if p.count == 0 {
		p.none = make(chan struct{})
	}
	p.count++
	return true
}

func (p *pendingWork) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.count--; p.count == 0 {
		close(p.none)
	}
}

// wait returns when all that were pending have ended.
func (p *pendingWork) wait() {
	p.mu.Lock()
	none := p.none
	p.mu.Unlock()
	if none != nil {
		<-none
	}
}
