package main

import (
	"context"
	"net"
	"sync"
	"time"
)

// How long a server that ends waits for those who just came in.
const (
	lastCall  = 50 * time.Millisecond  // for connections whose first packets are on their way
	firstWord = 500 * time.Millisecond // from a connection's start to its first byte
)

// door is a listener that can stop listening without closing on anybody, and knows which of its connections have not sent
// anything yet. Clients open some in advance; the HTTP server would wait for their first byte when it shuts down, up to its
// read timeout.
type door struct {
	net.Listener

	shut   sync.Once
	mu     sync.Mutex
	quiet  map[*quietConn]struct{}
	change chan struct{} // closed and made anew when one fewer is quiet
}

func watchDoor(l net.Listener) *door {
	return &door{Listener: l, quiet: map[*quietConn]struct{}{}, change: make(chan struct{})}
}

// Accept implements net.Listener.
func (d *door) Accept() (net.Conn, error) {
	conn, err := d.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &quietConn{Conn: conn, of: d, since: time.Now()}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.quiet[c] = struct{}{}
	return c, nil
}

// retire stops listening. A listener that is closed resets the connections nobody has accepted yet, and a balancer that
// has sent a POST on one cannot send it again. So newcomers are made to wait outside first, where they find the address
// closed when they knock again; who is in by then is accepted. Connections that have just begun have a moment to say what
// they came for, the others that never said anything are closed.
func (d *door) retire(ctx context.Context) error {
	if deafen(d.Listener) == nil {
		time.Sleep(lastCall)
	}
	err := d.Close()
	for d.wait(ctx) {
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for c := range d.quiet {
		_ = c.Conn.Close() // nobody is on the line
	}
	clear(d.quiet)
	return err
}

// wait waits until one connection fewer may still say its first word, and answers false when there is none.
func (d *door) wait(ctx context.Context) bool {
	d.mu.Lock()
	var latest time.Time
	for c := range d.quiet {
		if c.since.After(latest) {
			latest = c.since
		}
	}
	change := d.change
	d.mu.Unlock()
	left := time.Until(latest.Add(firstWord))
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
func (d *door) Close() (err error) {
	d.shut.Do(func() { err = d.Listener.Close() })
	return err
}

// quietConn leaves the list with its first byte, or its end. Only its server's goroutine uses it.
type quietConn struct {
	net.Conn

	of    *door
	since time.Time
	spoke bool
}

// Read implements net.Conn.
func (c *quietConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if !c.spoke && n > 0 {
		c.spoke = true
		c.leave()
	}
	return n, err
}

// Close implements net.Conn.
func (c *quietConn) Close() error {
	c.leave()
	return c.Conn.Close()
}

// CloseWrite says that nothing more will be sent.
func (c *quietConn) CloseWrite() error {
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok {
		return nil
	}
	return half.CloseWrite()
}

func (c *quietConn) leave() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if _, is := c.of.quiet[c]; !is {
		return
	}
	delete(c.of.quiet, c)
	close(c.of.change)
	c.of.change = make(chan struct{})
}
