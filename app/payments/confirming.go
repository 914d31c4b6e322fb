package payments

import (
	"context"
	"sync"
)

// confirming is the sessions whose payment is being confirmed in this process. A provider tells of a payment while it
// answers our confirm: what the webhook could find out, the confirm is about to store. It only saves look-ups; another
// process settles by itself.
type confirming struct {
	mu       sync.Mutex
	sessions map[string]chan struct{} // closed when it is over
}

// begin notes that a session is being confirmed, until end.
func (c *confirming) begin(session string) (end func()) {
	over := make(chan struct{})
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sessions == nil {
		c.sessions = map[string]chan struct{}{}
	}
	c.sessions[session] = over
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		close(over)
		if c.sessions[session] == over {
			delete(c.sessions, session)
		}
	}
}

// wait waits until a session is not being confirmed, or ctx ends.
func (c *confirming) wait(ctx context.Context, session string) {
	c.mu.Lock()
	over := c.sessions[session]
	c.mu.Unlock()
	if over == nil {
		return
	}
	select {
	case <-over:
	case <-ctx.Done():
	}
}
