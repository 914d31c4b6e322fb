package payments

import (
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/app/connections"
)

const (
	// connectionRemembered is how long a connection is good for, as it was read, to see that a webhook tells nothing.
	connectionRemembered = 5 * time.Second
	maxRecentConnections = 1_000
)

// recentConnection is a connection as it was read, with the secrets of its webhooks.
type recentConnection struct {
	opened  connections.Opened
	secrets []string
	readAt  time.Time
}

// recentConnections are the connections that webhooks came for lately. They only tell which webhooks need no work: to
// settle anything, the connection is read anew.
type recentConnections struct {
	mu   sync.Mutex
	byID map[string]recentConnection
}

func (c *recentConnections) find(id string, now time.Time) (r recentConnection, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok = c.byID[id]
	return r, ok && now.Sub(r.readAt) < connectionRemembered
}

func (c *recentConnections) add(r recentConnection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID == nil || len(c.byID) >= maxRecentConnections {
		c.byID = map[string]recentConnection{}
	}
	c.byID[r.opened.ID] = r
}
