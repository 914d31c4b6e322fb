package rest

import (
	"net"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Bounds on reading from a client that still sends after it was answered.
const (
	lingerBytes = 64 << 20
	lingerTime  = 15 * time.Second
	lingerIdle  = 2 * time.Second
)

// Lingering wraps l for the server of New. When a connection is closed while its client still sends, it is
// reset, and the reset may overtake the response: the client sees a broken connection instead of the refusal
// of its too large file. Lingering keeps reading such a connection, within bounds, until the client stops.
func Lingering(l net.Listener) net.Listener { return lingering{l} }

type lingering struct{ net.Listener }

// Accept implements net.Listener.
func (l lingering) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &lingeringConn{Conn: c}, nil
}

type lingeringConn struct {
	net.Conn

	unread atomic.Bool
	over   bool // the client sends no more; used by the reading goroutine only
}

// Read implements net.Conn.
func (c *lingeringConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.over = c.over || err != nil
	return n, err
}

// linger makes the connection of c drain before it closes.
func linger(c *fiber.Ctx) {
	if l, ok := c.Context().Conn().(*lingeringConn); ok {
		l.unread.Store(true)
	}
}

// Close implements net.Conn.
func (c *lingeringConn) Close() error {
	if c.unread.Swap(false) {
		c.drain()
	}
	return c.Conn.Close()
}

// drain closes the sending side, and discards what the client still sends.
func (c *lingeringConn) drain() {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok && half.CloseWrite() != nil {
		return
	}
	end := time.Now().Add(lingerTime)
	buf := make([]byte, 16<<10)
	for total := 0; total < lingerBytes; {
		next := time.Now().Add(lingerIdle)
		if next.After(end) {
			next = end
		}
		if c.SetReadDeadline(next) != nil {
			return
		}
		n, err := c.Conn.Read(buf)
		if total += n; err != nil {
			return
		}
	}
}
