package main

import (
	"context"
	"net"
	"sync"
	"time"
)

// How long a server that ends waits for those who just came in.
const (
	acceptGrace      = 50 * time.Millisecond  // for connections whose first packets are on their way
	firstByteTimeout = 500 * time.Millisecond // from a connection's start to its first byte
)

// gracefulListener is a listener that can stop listening without closing on anybody, and knows which of its connections have not sent
// anything yet. Clients open some in advance; the HTTP server would wait for their first byte when it shuts down, up to its
// read timeout.
type gracefulListener struct {
	net.Listener

	closeOnce sync.Once
	mu        sync.Mutex
	silent    map[*silentConn]struct{}
	changed   chan struct{} // closed and made anew when one fewer is quiet
}

func newGracefulListener(l net.Listener) *gracefulListener {
	return &gracefulListener{Listener: l, silent: map[*silentConn]struct{}{}, changed: make(chan struct{})}
}

// Accept implements net.Listener.
func (d *gracefulListener) Accept() (net.Conn, error) {
	conn, err := d.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &silentConn{Conn: conn, listener: d, openedAt: time.Now()}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.silent[c] = struct{}{}
	return c, nil
}

// shutdown stops listening. A listener that is closed resets the connections nobody has accepted yet, and a balancer that
// has sent a POST on one cannot send it again. So newcomers are made to wait outside first, where they find the address
// closed when they knock again; who is in by then is accepted. Connections that have just begun have a moment to say what
// they came for, the others that never said anything are closed.
func (d *gracefulListener) shutdown(ctx context.Context) error {
	if dropNewConnections(d.Listener) == nil {
		time.Sleep(acceptGrace)
	}
	err := d.Close()
	for d.waitForFirstByte(ctx) {
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for c := range d.silent {
		_ = c.Conn.Close() // nobody is on the line
	}
	clear(d.silent)
	return err
}

// waitForFirstByte waits until one connection fewer may still say its first word, and answers false when there is none.
func (d *gracefulListener) waitForFirstByte(ctx context.Context) bool {
	d.mu.Lock()
	var latest time.Time
	for c := range d.silent {
		if c.openedAt.After(latest) {
			latest = c.openedAt
		}
	}
	change := d.changed
	d.mu.Unlock()
	left := time.Until(latest.Add(firstByteTimeout))
	if left <= 0 || ctx.Err() != nil {
		return false
	}
	patience := time.NewTimer(left)
	defer patience.Stop()
	select {
	case <-patience.C:
	case <-change:
	case <-ctx.Done():
	}
	return true
}

// Close ends the listener; it may be called again.
func (d *gracefulListener) Close() (err error) {
	d.closeOnce.Do(func() { err = d.Listener.Close() })
	return err
}

// silentConn leaves the list with its first byte, or its end. Only its server's goroutine uses it.
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

// CloseWrite says that nothing more will be sent.
func (c *silentConn) CloseWrite() error {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return nil
	}
	return half.CloseWrite()
}

// forget takes c off the list of connections that have sent nothing.
func (l *gracefulListener) forget(c *silentConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, is := l.silent[c]; !is {
		return
	}
	delete(l.silent, c)
	close(l.changed)
	l.changed = make(chan struct{})
}
