package db

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

	"github.com/cartwright-dev/cartwright/app/background"
)

// The intervals and limits of the watchdog. Together they stay below the second within which an outage is
// reported.
const (
	checkInterval = 100 * time.Millisecond
	silenceLimit  = 250 * time.Millisecond // without a byte on any connection, although answers are awaited
	pingLimit     = 400 * time.Millisecond // of patience
	pollInterval  = 50 * time.Millisecond  // between two polls for the answer to a ping
)

// pollBudget is used up while the process polls for an answer, and hardly while it cannot run: between two
// polls it loses at most pollInterval. On a machine that is overloaded or was suspended, a deadline would
// pass with the answer unread, or before the database had its turn; connections that are cut then make an
// outage of a busy moment.
type pollBudget struct {
	left     time.Duration
	lastPoll time.Time
}

// exhausted takes a look at now, and reports whether it was the last one.
func (p *pollBudget) exhausted(now time.Time) bool {
	p.left -= min(now.Sub(p.lastPoll), pollInterval)
	p.lastPoll = now
	return p.left <= 0
}

// withPollBudget is ctx until patience of d runs out; then it ends because of errUnresponsive.
func withPollBudget(ctx context.Context, d time.Duration, task *background.Task) (context.Context, context.CancelFunc) {
	limited, end := context.WithCancelCause(ctx)
	wait := pollBudget{d, time.Now()}
	task.Start(func() {
		look := time.NewTicker(pollInterval)
		defer look.Stop()
		for {
			select {
			case <-limited.Done():
				return
			case <-look.C:
				if wait.exhausted(time.Now()) {
					end(errUnresponsive)
				}
			}
		}
	})
	return limited, func() { end(nil) }
}

// errUnresponsive: the database accepts connections and says nothing, as when its machine is paused or
// unplugged.
var errUnresponsive = errors.New("the database does not respond")

// watchdog distinguishes a database that hangs from one that works on something long: while answers are
// awaited and none comes, it pings on a connection of its own. Without an answer it cuts all others, so that
// whoever waits on them learns it at once, and lets none be opened until a ping is answered again.
type watchdog struct {
	log        *slog.Logger
	task       *background.Task
	config     *pgx.ConnConfig // of the ping's own connection
	pingConn   *pgx.Conn
	lastByteAt atomic.Int64 // when a byte last came, in nanoseconds
	silent     atomic.Bool
	mu         sync.Mutex
	conns      map[*watchedConn]struct{}
	stop       context.CancelFunc
}

// newWatchdog watches until close.
func newWatchdog(o Options) (*watchdog, error) {
	config, err := pgx.ParseConfig(o.URL)
	if err != nil {
		return nil, errors.New("the Postgres URL cannot be read") // its text holds a password
	}
	config.ConnectTimeout = 0 // ping has a limit
	ctx, stop := context.WithCancel(context.Background())
	p := &watchdog{
		log: o.Logger, task: o.Background.Task("database watchdog"), config: config, conns: map[*watchedConn]struct{}{}, stop: stop,
	}
	p.task.Start(func() { p.task.Run(ctx, p.watch) })
	return p, nil
}

// watchDials has connections of c watched.
func (p *watchdog) watchDials(c *pgconn.Config) {
	dial := c.DialFunc
	c.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		if p.silent.Load() {
			return nil, errUnresponsive
		}
		limited, cancel := withPollBudget(ctx, dialTimeout, p.task)
		defer cancel()
		conn, err := dial(limited, network, address)
		if err != nil {
			if errors.Is(context.Cause(limited), errUnresponsive) { // not the caller gave up
				err = errUnresponsive
			}
			return nil, err
		}
		watched := &watchedConn{Conn: conn, watchdog: p}
		p.mu.Lock()
		p.conns[watched] = struct{}{}
		p.mu.Unlock()
		return watched, nil
	}
}

func (p *watchdog) watch(ctx context.Context) error {
	tick := time.NewTicker(checkInterval)
	defer tick.Stop()
	p.ping(ctx) // connects
	for {
		select {
		case <-ctx.Done():
			p.closePingConn() //nolint:contextcheck // see closePingConn
			return nil
		case <-tick.C:
			p.check(ctx)
		}
	}
}

func (p *watchdog) check(ctx context.Context) {
	if p.silent.Load() {
		if p.ping(ctx) {
			p.silent.Store(false)
			p.log.Warn("database connection restored")
		}
		return
	}
	before := p.lastByteAt.Load()
	if !p.answerOverdue() || p.ping(ctx) || p.lastByteAt.Load() != before || ctx.Err() != nil {
		return
	}
	p.silent.Store(true)
	p.log.Warn("database unresponsive; closing its connections")
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Conn.Close() // its reader gets an error; closing it again removes it from conns
	}
}

// answerOverdue reports whether an answer is awaited and none has come for a while.
func (p *watchdog) answerOverdue() bool {
	long := time.Now().Add(-silenceLimit).UnixNano()
	if p.lastByteAt.Load() > long {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		if since := c.readingSince.Load(); since != 0 && since <= long {
			return true
		}
	}
	return false
}

// ping reports whether the database says anything at all; a refusal is an answer, too.
func (p *watchdog) ping(ctx context.Context) bool {
	var err error
	if p.pingConn == nil {
		limited, cancel := withPollBudget(ctx, dialTimeout, p.task)
		defer cancel()
		p.pingConn, err = pgx.ConnectConfig(limited, p.config)
	} else {
		limited, cancel := withPollBudget(ctx, pingLimit, p.task)
		defer cancel()
		err = p.pingConn.Ping(limited)
	}
	if err != nil {
		p.closePingConn() //nolint:contextcheck // see closePingConn
	}
	var answer *pgconn.PgError
	return err == nil || errors.As(err, &answer)
}

func (p *watchdog) closePingConn() {
	if p.pingConn != nil {
		gone, cancel := context.WithCancel(context.Background())
		cancel() // no farewell to who does not listen
		_ = p.pingConn.Close(gone)
		p.pingConn = nil
	}
}

// watchedConn is a connection that notes since when it is read from, 0 while it is not.
type watchedConn struct {
	net.Conn

	watchdog     *watchdog
	readingSince atomic.Int64
}

// Read implements net.Conn.
func (c *watchedConn) Read(b []byte) (int, error) {
	c.readingSince.Store(time.Now().UnixNano())
	n, err := c.Conn.Read(b)
	c.readingSince.Store(0)
	if n > 0 {
		c.watchdog.lastByteAt.Store(time.Now().UnixNano())
	}
	return n, err
}

// Close implements net.Conn.
func (c *watchedConn) Close() error {
	c.watchdog.mu.Lock()
	delete(c.watchdog.conns, c)
	c.watchdog.mu.Unlock()
	return c.Conn.Close()
}
