package rest

import (
	"net"
	"testing"
	"time"
)

// A head whose last line ends without CR, which the framework would wait for to go on, ends the reading of its connection
// at once, wherever its bytes are cut. The client waits for an answer: here, a further read from it would wait for ever.
func TestBareEndOfAHeadEndsReading(t *testing.T) {
	t.Parallel()
	for head, ends := range map[string]bool{
		"GET / HTTP/1.1\nHost: x\n\n": true, "GET / HTTP/1.1\r\nHost: x\n\n": true, "GET / HTTP/1.1\r\nHost: x\r\n\n": true,
		"GET / HTTP/1.1\r\n\n": true, "GET / HTTP/1.1\nHost: x\r\n\r\n": false, "GET / HTTP/1.1\r\nHost: x\r\n\r\n{\n\n}": false,
	} {
		for cut := 1; cut < len(head); cut++ {
			ours, theirs := net.Pipe()
			c := &lingeringConn{Conn: ours, listener: &lingering{}, first: true, head: true}
			go func() {
				for _, part := range []string{head[:cut], head[cut:]} {
					if _, err := theirs.Write([]byte(part)); err != nil {
						t.Error(err)
					}
				}
				if !ends {
					_ = theirs.Close() // the next read ends otherwise
				}
			}()
			b := make([]byte, 100)
			for n := 0; n < len(head); {
				part, err := c.Read(b)
				if n += part; err != nil {
					t.Fatalf("%q cut at %d: %v after %d bytes", head, cut, err, n)
				}
			}
			if _, err := c.Read(b); (err == errBareHead) != ends { //nolint:errorlint // it is not wrapped
				t.Errorf("%q cut at %d: %v", head, cut, err)
			}
			_ = theirs.Close()
		}
	}
}

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

// deadlines is a connection that notes the deadline of each write.
type deadlines struct {
	net.Conn

	by   time.Time
	seen []time.Time
}

func (d *deadlines) SetWriteDeadline(by time.Time) error { d.by = by; return nil }

func (d *deadlines) Write(b []byte) (int, error) {
	d.seen = append(d.seen, d.by)
	return len(b), nil
}

// Every write has a deadline of its own, so that none of an earlier answer ends a later one; the parts of a large answer
// end with it.
func TestEveryWriteHasADeadline(t *testing.T) {
	t.Parallel()
	d := &deadlines{}
	c := &lingeringConn{Conn: d}
	until := time.Now().Add(time.Second)
	for _, by := range []time.Time{{}, until, {}} {
		c.takeBy(by)
		if _, err := c.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if !d.seen[1].Equal(until) || !d.seen[0].After(until) || d.seen[2].Before(d.seen[0]) {
		t.Errorf("%v, with an end at %s", d.seen, until)
	}
}
