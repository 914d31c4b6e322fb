package rest

import (
	"bytes"
	"errors"
	"net"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// Bounds on reading from a client that still sends after it was answered.
const (
	lingerBytes = 64 << 20
	lingerTime  = 15 * time.Second
	lingerIdle  = 2 * time.Second
	// lingerPart is read at once; after the first lingerBurst bytes it is read every lingerPause, so that refused clients
	// who send for ever take little time of a processor. An upload of 25 MiB is refused after 1.6 s.
	lingerPart  = 64 << 10
	lingerBurst = 256 << 10
	lingerPause = 4 * time.Millisecond
	// maxLingering is how many connections are read at a time; others are closed at once.
	maxLingering = 64
)

// Lingering wraps l for the server of New. When a connection is closed while its client still sends, it is
// reset, and the reset may overtake the response: the client sees a broken connection instead of the refusal
// of its too large file. Lingering keeps reading such a connection, within bounds, until the client stops.
func Lingering(l net.Listener) net.Listener { return &lingering{Listener: l} }

type lingering struct {
	net.Listener

	draining atomic.Int64 // connections
}

// Accept implements net.Listener.
func (l *lingering) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	_ = c.SetReadDeadline(time.Now().Add(readTimeout)) // until its first byte; a closed connection fails at the read
	return &lingeringConn{Conn: c, listener: l, first: true, head: true}, nil
}

type lingeringConn struct {
	net.Conn

	listener  *lingering
	unread    atomic.Bool
	writtenBy time.Time // see takeBy; of the writing goroutine
	// These are used by the reading goroutine only.
	over    bool // the client sends no more
	first   bool // the first line of a request is next
	head    bool // what is read next is part of a head
	bareLF  bool // its first line ended without CR
	bareEnd bool // so did the empty line at its end, for which the framework waits
	line    int  // bytes read of its present line
	last    byte // that was read
}

// Read implements net.Conn.
func (c *lingeringConn) Read(b []byte) (int, error) {
	if c.bareEnd {
		return 0, errBareHead
	}
	n, err := c.Conn.Read(b)
	c.over = c.over || err != nil
	if n > 0 {
		c.checkLines(b[:n])
	}
	return n, err
}

// Write implements net.Conn. A client has chunkTimeout to take what is written at a time; the deadline of an earlier write
// would end whatever follows it on the connection, such as "100 Continue".
func (c *lingeringConn) Write(b []byte) (int, error) {
	_ = c.SetWriteDeadline(earlier(time.Now().Add(chunkTimeout), c.writtenBy)) // a closed connection fails at the write
	return c.Conn.Write(b)
}

// earlier is the earlier one of two times; a zero end is none.
func earlier(at, end time.Time) time.Time {
	if end.IsZero() || at.Before(end) {
		return at
	}
	return end
}

// takeBy says until when the client has to have taken all of a large answer; the zero time ends that.
func (c *lingeringConn) takeBy(at time.Time) {
	if c != nil {
		c.writtenBy = at
	}
}

// errBareHead ends the reading of a head whose end the framework does not see.
var errBareHead = errors.New("the lines of a request end with CR LF")

// checkLines looks at the ends of the lines of a head in b. Of the first one's the framework accepts any, and does not
// show it; an empty line without CR it takes for no end of the head.
func (c *lingeringConn) checkLines(b []byte) {
	before := c.last
	c.last = b[len(b)-1]
	for c.head && len(b) > 0 {
		at := bytes.IndexByte(b, '\n')
		if at < 0 {
			c.line += len(b)
			return
		}
		if at > 0 {
			before = b[at-1]
		}
		size, bare := c.line+at, before != '\r'
		switch {
		case c.first:
			c.first, c.bareLF = false, bare
		case size == 0, size == 1 && !bare:
			c.head, c.bareEnd = false, bare
		}
		c.line, before, b = 0, '\n', b[at+1:]
	}
}

// takeBareLF reports whether the first line of the request that was just read ended without CR. What follows is no first
// line until expectHead.
func (c *lingeringConn) takeBareLF() bool {
	bare := c.bareLF || c.bareEnd
	c.first, c.head, c.bareLF, c.bareEnd = false, false, false, false
	return bare
}

// expectHead says that what is read next begins a request.
func expectHead(ctx *fasthttp.RequestCtx) {
	if c, ok := ctx.Conn().(*lingeringConn); ok {
		c.first, c.head, c.line = true, true, 0
	}
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
	defer c.listener.draining.Add(-1)
	if c.listener.draining.Add(1) > maxLingering {
		return
	}
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok && half.CloseWrite() != nil {
		return
	}
	end := time.Now().Add(lingerTime)
	buf := make([]byte, lingerPart)
	for total := 0; total < lingerBytes; {
		if c.SetReadDeadline(earlier(time.Now().Add(lingerIdle), end)) != nil {
			return
		}
		n, err := c.Conn.Read(buf)
		if total += n; err != nil {
			return
		}
		if total > lingerBurst {
			time.Sleep(lingerPause)
		}
	}
}
