package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // registers the driver

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// maxPrepared bounds how many different statements keep their compiled form per database handle.
const maxPrepared = 1000

// lite is one SQLite file: a single writing connection, and several that read while it writes.
type lite struct {
	writerDB *sql.DB
	writer   *sql.Conn
	turn     chan struct{} // holds a token while someone writes
	readers  *sql.DB
	writing  prepared
	reading  prepared
	stop     context.CancelFunc
	stopped  chan struct{}
}

func openLite(ctx context.Context, path string) (*lite, error) {
	dsn := func(extra string) string {
		return "file:" + (&url.URL{Path: path}).EscapedPath() + "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=cache_size(-16384)&_pragma=temp_store(MEMORY)" + extra
	}
	// Commits move the log into the file only when it has become large because the checkpoint could not keep up.
	w, err := sql.Open("sqlite", dsn("&_pragma=wal_autocheckpoint(16000)"))
	if err != nil {
		return nil, fmt.Errorf("open SQLite: %w", err)
	}
	w.SetMaxOpenConns(1)
	conn, err := w.Conn(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open SQLite file %s: %w", path, err), w.Close())
	}
	r, err := sql.Open("sqlite", dsn("&_pragma=query_only(1)"))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open SQLite: %w", err), conn.Close(), w.Close())
	}
	n := max(4, runtime.GOMAXPROCS(0))
	r.SetMaxOpenConns(n)
	r.SetMaxIdleConns(n)
	l := &lite{writerDB: w, writer: conn, turn: make(chan struct{}, 1), readers: r, stopped: make(chan struct{})}
	l.writing.prepare = func(ctx context.Context, text string) (*sql.Stmt, error) { return conn.PrepareContext(ctx, text) }
	l.reading.prepare = func(ctx context.Context, text string) (*sql.Stmt, error) { return r.PrepareContext(ctx, text) }
	ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	go l.checkpoint(ctx)
	return l, nil
}

func (l *lite) close() error {
	l.stop()
	<-l.stopped
	l.turn <- struct{}{}
	l.writing.close()
	l.reading.close()
	return errors.Join(l.readers.Close(), l.writer.Close(), l.writerDB.Close())
}

// checkpoint moves the write-ahead log into the file on a connection of its own, so that no commit pays for it.
func (l *lite) checkpoint(ctx context.Context) {
	defer close(l.stopped)
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			// A passive checkpoint never waits; what it could not move is left for the next one.
			_, _ = l.readers.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
		}
	}
}

// write runs fn as the only writer, in a transaction that commits when fn returns nil.
func (l *lite) write(ctx context.Context, fn func(session) error) (err error) {
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.turn }()
	s := liteSession{&l.writing}
	done := false
	defer func() {
		if !done { // also when fn panics, or BEGIN was cut short after it took effect
			_, _ = exec(context.WithoutCancel(ctx), s, "ROLLBACK")
		}
	}()
	if _, err := exec(ctx, s, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := fn(s); err != nil {
		return err
	}
	// From here on the caller's patience no longer matters: a commit is never cut in half.
	if _, err := exec(context.WithoutCancel(ctx), s, "COMMIT"); err != nil {
		return err
	}
	done = true
	return nil
}

// prepared keeps statements compiled.
type prepared struct {
	prepare func(ctx context.Context, text string) (*sql.Stmt, error)
	mu      sync.RWMutex
	stmts   map[string]*sql.Stmt
}

// get returns a compiled statement; keep is false when the caller has to close it.
func (p *prepared) get(ctx context.Context, text string) (s *sql.Stmt, keep bool, err error) {
	p.mu.RLock()
	s = p.stmts[text]
	p.mu.RUnlock()
	if s != nil {
		return s, true, nil
	}
	s, err = p.prepare(ctx, strings.ReplaceAll(text, "$", "?")) //nolint:sqlclosecheck // kept, or closed by the caller
	if err != nil {
		return nil, false, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stmts == nil {
		p.stmts = map[string]*sql.Stmt{}
	}
	if p.stmts[text] != nil || len(p.stmts) >= maxPrepared {
		return s, false, nil
	}
	p.stmts[text] = s
	return s, true, nil
}

func (p *prepared) close() {
	for _, s := range p.stmts {
		_ = s.Close() // the connections are closed next, and say what went wrong
	}
}

// liteSession runs statements one after another.
type liteSession struct{ on *prepared }

func (l liteSession) run(ctx context.Context, stmts ...stmt) error {
	for _, s := range stmts {
		if err := l.one(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func (l liteSession) one(ctx context.Context, s stmt) error {
	p, keep, err := l.on.get(ctx, s.sql)
	if err != nil {
		return err
	}
	if !keep {
		defer p.Close()
	}
	args := liteArgs(s.args)
	var n int64
	if s.each == nil {
		res, err := p.ExecContext(ctx, args...)
		if err != nil {
			return err
		}
		if s.done != nil {
			n, _ = res.RowsAffected() // the driver always knows
		}
	} else if n, err = liteRows(ctx, p, args, s.each); err != nil {
		return err
	}
	if s.done != nil {
		return s.done(n)
	}
	return nil
}

func liteRows(ctx context.Context, p *sql.Stmt, args []any, each func(row) error) (n int64, err error) {
	rows, err := p.QueryContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		n++
		if err := each(rows); err != nil {
			return n, err
		}
	}
	return n, rows.Err()
}

// liteArgs gives times and lists the form in which SQLite keeps them.
func liteArgs(args []any) []any {
	var out []any
	for i, a := range args {
		var v any
		switch a := a.(type) {
		case time.Time:
			v = a.UnixMilli()
		case []string:
			v = jsonList(a, collection.AppendString)
		case []int64:
			v = jsonList(a, func(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) })
		case []bool:
			v = jsonList(a, strconv.AppendBool)
		case []time.Time:
			v = jsonList(a, func(dst []byte, t time.Time) []byte { return strconv.AppendInt(dst, t.UnixMilli(), 10) })
		default:
			continue
		}
		if out == nil {
			out = append([]any(nil), args...)
		}
		out[i] = v
	}
	if out == nil {
		return args
	}
	return out
}

// jsonList is a list as json_each takes it apart.
func jsonList[T any](list []T, each func([]byte, T) []byte) string {
	out := []byte{'['}
	for i, v := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = each(out, v)
	}
	return string(append(out, ']'))
}
