package rest

import (
	"net"
	"testing"
)

// Connections of refused clients are read up to a number of them; others are closed at once.
func TestLingeringConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	l := &lingering{}
	l.draining.Store(maxLingering)
	ours, theirs := net.Pipe()
	defer theirs.Close()
	c := &lingeringConn{Conn: ours, listener: l}
	c.unread.Store(true)
	if err := c.Close(); err != nil { // it would wait for what the other side sends
		t.Fatal(err)
	}
	if n := l.draining.Load(); n != maxLingering {
		t.Errorf("%d connections are read", n)
	}
}
