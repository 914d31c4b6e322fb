package access

import "sync"

// maxPendingTokens is how many email tokens are created at the same time; further requests are turned away.
const maxPendingTokens = 64

// pendingTokens counts the requests whose email token is being created, in the background. Unlike a wait
// group it may be waited for while further ones begin.
type pendingTokens struct {
	mu    sync.Mutex
	count int
	none  chan struct{} // closed when count is 0 again
}

// begin counts one more; false: there are too many.
func (p *pendingTokens) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.count >= maxPendingTokens {
		return false
	}
	if p.count == 0 {
		p.none = make(chan struct{})
	}
	p.count++
	return true
}

func (p *pendingTokens) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.count--; p.count == 0 {
		close(p.none)
	}
}

// wait returns when all that were pending have ended.
func (p *pendingTokens) wait() {
	p.mu.Lock()
	none := p.none
	p.mu.Unlock()
	if none != nil {
		<-none
	}
}
