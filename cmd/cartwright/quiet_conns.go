package main

import (
	"errors"
	"net"
	"sync"
)

// quietConns is a listener that knows which of its connections have not sent anything yet. Clients open some in advance;
// the HTTP server would wait for their first byte when it shuts down, up to its read timeout.
type quietConns struct {
	net.Listener

	mu    sync.Mutex
	quiet map[*quietConn]struct{}
	done  bool
}

func watchQuiet(l net.Listener) *quietConns {
	return &quietConns{Listener: l, quiet: map[*quietConn]struct{}{}}
}

// Accept implements net.Listener.
func (q *quietConns) Accept() (net.Conn, error) {
	conn, err := q.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &quietConn{Conn: conn, of: q}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.done {
		return nil, errors.Join(net.ErrClosed, conn.Close())
	}
	q.quiet[c] = struct{}{}
	return c, nil
}

// Close ends the listener and the connections that have not sent anything.
func (q *quietConns) Close() error {
	err := q.Listener.Close()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.done = true
	for c := range q.quiet {
		_ = c.Conn.Close() // nobody is on the line
	}
	clear(q.quiet)
	return err
}

// quietConn leaves the list with its first byte, or its end. Only its server's goroutine uses it.
type quietConn struct {
	net.Conn

	of    *quietConns
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
	delete(c.of.quiet, c)
}
