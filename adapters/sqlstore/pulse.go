package sqlstore

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// The measures of a pulse. Together they stay below the second within which a database that is away is told of.
const (
	pulseEvery   = 100 * time.Millisecond
	pulseSilence = 250 * time.Millisecond // without a byte on any connection, although answers are awaited
	pulsePing    = 400 * time.Millisecond // of patience
	pulseLook    = 50 * time.Millisecond  // between two looks for the answer to a ping
)

// patience runs out while we look for an answer, and hardly while we cannot: between two looks no more passes of it than
// pulseLook. On a machine that is overloaded or was suspended, a deadline would pass with the answer unread, or before the
// database had its turn; connections that are cut then make an outage of a busy moment.
type patience struct {
	left   time.Duration
	looked time.Time
}

// over takes a look at now, and reports whether it was the last one.
func (p *patience) over(now time.Time) bool {
	p.left -= min(now.Sub(p.looked), pulseLook)
	p.looked = now
	return p.left <= 0
}

// patiently is ctx until patience of d runs out; then it ends because of errSilent.
func patiently(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	limited, end := context.WithCancelCause(ctx)
	wait := patience{d, time.Now()}
	go func() {
		look := time.NewTicker(pulseLook)
		defer look.Stop()
		for {
			select {
			case <-limited.Done():
				return
			case <-look.C:
				if wait.over(time.Now()) {
					end(errSilent)
				}
			}
		}
	}()
	return limited, func() { end(nil) }
}

// errSilent: the database accepts connections and says nothing, as when its machine is paused or unplugged.
var errSilent = errors.New("the database is silent")

// pulse tells a database that hangs from one that works on something long: while answers are awaited and none comes, it
// pings on a connection of its own. Without an answer it cuts all others, so that whoever waits on them learns it at
// once, and lets none be opened until a ping is answered again.
type pulse struct {
	log    *slog.Logger
	config *pgx.ConnConfig // of the ping's own connection
	own    *pgx.Conn
	heard  atomic.Int64 // when a byte last came, in nanoseconds
	silent atomic.Bool
	mu     sync.Mutex
	conns  map[*pulsed]struct{}
	stop   context.CancelFunc
}

// newPulse watches until close.
func newPulse(o Options) (*pulse, error) {
	config, err := pgx.ParseConfig(o.URL)
	if err != nil {
		return nil, errors.New("the Postgres URL cannot be read") // its text holds a password
	}
	config.ConnectTimeout = 0 // ping has a limit
	ctx, stop := context.WithCancel(context.Background())
	p := &pulse{log: o.Logger, config: config, conns: map[*pulsed]struct{}{}, stop: stop}
	go p.watch(ctx)
	return p, nil
}

// through has connections of c watched.
func (p *pulse) through(c *pgconn.Config) {
	dial := c.DialFunc
	c.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if p.silent.Load() {
			return nil, errSilent
		}
		limited, cancel := patiently(ctx, connectLimit)
		defer cancel()
		conn, err := dial(limited, network, address)
		if err != nil {
			if errors.Is(context.Cause(limited), errSilent) { // not the caller gave up
				err = errSilent
			}
			return nil, err
		}
		watched := &pulsed{Conn: conn, pulse: p}
		p.mu.Lock()
		p.conns[watched] = struct{}{}
		p.mu.Unlock()
		return watched, nil
	}
}

func (p *pulse) watch(ctx context.Context) {
	tick := time.NewTicker(pulseEvery)
	defer tick.Stop()
	p.ping(ctx) // connects
	for {
		select {
		case <-ctx.Done():
			p.hangUp() //nolint:contextcheck // see hangUp
			return
		case <-tick.C:
			p.check(ctx)
		}
	}
}

func (p *pulse) check(ctx context.Context) {
	if p.silent.Load() {
		if p.ping(ctx) {
			p.silent.Store(false)
			p.log.Warn("the database answers again")
		}
		return
	}
	before := p.heard.Load()
	if !p.awaited() || p.ping(ctx) || p.heard.Load() != before || ctx.Err() != nil {
		return
	}
	p.silent.Store(true)
	p.log.Warn("the database is silent, its connections are cut")
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Conn.Close() // whoever reads from it is told; closing it again forgets it
	}
}

// awaited reports whether someone waits for an answer and nobody has got one for a while.
func (p *pulse) awaited() bool {
	long := time.Now().Add(-pulseSilence).UnixNano()
	if p.heard.Load() > long {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		if since := c.since.Load(); since != 0 && since <= long {
			return true
		}
	}
	return false
}

// ping reports whether the database says anything at all; a refusal is an answer, too.
func (p *pulse) ping(ctx context.Context) bool {
	var err error
	if p.own == nil {
		limited, cancel := patiently(ctx, connectLimit)
		defer cancel()
		p.own, err = pgx.ConnectConfig(limited, p.config)
	} else {
		limited, cancel := patiently(ctx, pulsePing)
		defer cancel()
		err = p.own.Ping(limited)
	}
	if err != nil {
		p.hangUp() //nolint:contextcheck // see hangUp
	}
	var answer *pgconn.PgError
	return err == nil || errors.As(err, &answer)
}

func (p *pulse) hangUp() {
	if p.own != nil {
		gone, cancel := context.WithCancel(context.Background())
		cancel() // no farewell to who does not listen
		_ = p.own.Close(gone)
		p.own = nil
	}
}

// pulsed is a connection that notes since when it is read from, 0 while it is not.
type pulsed struct {
	net.Conn

	pulse *pulse
	since atomic.Int64
}

// Read implements net.Conn.
func (c *pulsed) Read(b []byte) (int, error) {
	c.since.Store(time.Now().UnixNano())
	n, err := c.Conn.Read(b)
	c.since.Store(0)
	if n > 0 {
		c.pulse.heard.Store(time.Now().UnixNano())
	}
	return n, err
}

// Close implements net.Conn.
func (c *pulsed) Close() error {
	c.pulse.mu.Lock()
	delete(c.pulse.conns, c)
	c.pulse.mu.Unlock()
	return c.Conn.Close()
}
