package program

import (
	"context"
	"net"
	"sync"
	"time"
)

// How long a shutdown waits for connections that were just opened.
const (
	acceptGrace      = 50 * time.Millisecond  // to accept those that are not accepted yet
	firstByteTimeout = 500 * time.Millisecond // from opening a connection to its first byte
)

// gracefulListener is a listener that can stop listening without resetting connections, and knows which of its
// connections have not sent anything yet. Clients open some in advance; on shutdown the HTTP server would wait for
// their first byte, up to its read timeout.
type gracefulListener struct {
	net.Listener

	closeOnce sync.Once
	mu        sync.Mutex
	silent    map[*silentConn]struct{}
	changed   chan struct{} // closed and replaced when a connection leaves silent
}

func newGracefulListener(l net.Listener) *gracefulListener {
	return &gracefulListener{Listener: l, silent: map[*silentConn]struct{}{}, changed: make(chan struct{})}
}

// Accept implements net.Listener.
func (l *gracefulListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &silentConn{Conn: conn, listener: l, openedAt: time.Now()}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.silent[c] = struct{}{}
	return c, nil
}

// shutdown stops listening. Closing a listener resets the connections that were not accepted yet, and a load balancer
// that has sent a POST on one cannot repeat it. So the kernel first drops the packets that open new connections;
// clients resend these, and are then refused. Connections that are already open are accepted meanwhile. New ones have
// until firstByteTimeout to send their request; after that, silent connections are closed.
func (l *gracefulListener) shutdown(ctx context.Context) error {
	if dropNewConnections(l.Listener) == nil {
		time.Sleep(acceptGrace)
	}
	err := l.Close()
	for l.waitForFirstByte(ctx) {
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.silent {
		_ = c.Conn.Close() // no request is lost
	}
	clear(l.silent)
	return err
}

// waitForFirstByte waits until a silent connection sends its first byte, ends, or times out. It reports whether
// there was one to wait for.
func (l *gracefulListener) waitForFirstByte(ctx context.Context) bool {
	l.mu.Lock()
	var latest time.Time
	for c := range l.silent {
		if c.openedAt.After(latest) {
			latest = c.openedAt
		}
	}
	change := l.changed
	l.mu.Unlock()
	left := time.Until(latest.Add(firstByteTimeout))
	if left <= 0 || ctx.Err() != nil {
		return false
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-change:
	case <-ctx.Done():
	}
	return true
}

// Close ends the listener; it may be called again.
func (l *gracefulListener) Close() (err error) {
	l.closeOnce.Do(func() { err = l.Listener.Close() })
	return err
}

// silentConn is a connection that its listener forgets at its first byte or its end. Only the goroutine that serves
// it uses it.
type silentConn struct {
	net.Conn

	listener *gracefulListener
	openedAt time.Time
	hasSent  bool
}

// Read implements net.Conn.
func (c *silentConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if !c.hasSent && n > 0 {
		c.hasSent = true
		c.listener.forget(c)
	}
	return n, err
}

// Close implements net.Conn.
func (c *silentConn) Close() error {
	c.listener.forget(c)
	return c.Conn.Close()
}

// CloseWrite closes the sending half of the connection.
func (c *silentConn) CloseWrite() error {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return nil
	}
	return half.CloseWrite()
}

// forget removes c from the silent connections.
func (l *gracefulListener) forget(c *silentConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.silent[c]; !ok {
		return
	}
	delete(l.silent, c)
	close(l.changed)
	l.changed = make(chan struct{})
}
