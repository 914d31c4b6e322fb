package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
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

// sqliteReaders is how many connections read for tenants.
func sqliteReaders() int { return max(4, runtime.GOMAXPROCS(0)) }

// mappedBytes is how much of the file a reader maps into memory; what is behind it is read by calls.
const mappedBytes = "4294967296"

// sqliteSystemReaders are connections that tenants never take: keys and accounts are looked up on them.
const sqliteSystemReaders = 2

// sqliteDB is one SQLite file: a single writing connection, and several that read while it writes.
type sqliteDB struct {
	writerDB   *sql.DB
	writer     *sql.Conn
	writeLock  chan struct{} // holds a token while someone writes
	readers    *sql.DB
	writeStmts stmtCache
	readStmts  stmtCache
	stop       context.CancelFunc
	stopped    chan struct{}
}

func openSQLiteDB(ctx context.Context, o Options) (*sqliteDB, error) {
	if err := createPrivate(o.Path); err != nil {
		return nil, fmt.Errorf("create the SQLite file %s: %w", o.Path, err)
	}
	dsn := func(extra string) string {
		return "file:" + (&url.URL{Path: o.Path}).EscapedPath() +
			"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=cache_size(-16384)&_pragma=temp_store(MEMORY)" + extra
	}
	// Commits move the log into the file only when it has become large because the checkpoint could not keep
	// up.
	w, err := sql.Open("sqlite", dsn("&_pragma=wal_autocheckpoint(16000)"))
	if err != nil {
		return nil, fmt.Errorf("open SQLite: %w", err)
	}
	w.SetMaxOpenConns(1)
	conn, err := w.Conn(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open SQLite file %s: %w", o.Path, err), w.Close())
	}
	// Every commit empties the page caches of the readers. Mapped pages stay in the system's: gets and lists take half as
	// long. The price is that a disk that fails to read a page ends the process, rather than the request.
	r, err := sql.Open("sqlite", dsn("&_pragma=query_only(1)&_pragma=mmap_size("+mappedBytes+")"))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open SQLite: %w", err), conn.Close(), w.Close())
	}
	r.SetMaxOpenConns(sqliteReaders() + sqliteSystemReaders)
	r.SetMaxIdleConns(sqliteReaders() + sqliteSystemReaders)
	l := &sqliteDB{writerDB: w, writer: conn, writeLock: make(chan struct{}, 1), readers: r, stopped: make(chan struct{})}
	l.writeStmts.prepare = func(ctx context.Context, text string) (*sql.Stmt, error) { return conn.PrepareContext(ctx, text) }
	l.readStmts.prepare = func(ctx context.Context, text string) (*sql.Stmt, error) { return r.PrepareContext(ctx, text) }
	ctx, l.stop = context.WithCancel(context.WithoutCancel(ctx))
	task := o.Background.Task("checkpoint")
	task.Start(func() {
		defer close(l.stopped)
		task.Run(ctx, l.checkpoint)
	})
	return l, nil
}

// createPrivate creates a file that nobody else may read, whatever the umask; the files that SQLite puts beside it get
// its mode. A file that is there is not opened: to close it again would end the locks of this process.
func createPrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, privateMode)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Chmod(privateMode), f.Close())
}

func (l *sqliteDB) close() error {
	l.stop()
	<-l.stopped
	l.writeLock <- struct{}{}
	l.writeStmts.close()
	l.readStmts.close()
	return errors.Join(l.readers.Close(), l.writer.Close(), l.writerDB.Close())
}

// checkpoint moves the write-ahead log into the file on a connection of its own, so that no commit pays for it.
func (l *sqliteDB) checkpoint(ctx context.Context) error {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			// A passive checkpoint never waits; what it could not move is left for the next one.
			_, _ = l.readers.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
		}
	}
}

// write runs fn as the only writer, in a transaction that commits when fn returns nil.
func (l *sqliteDB) write(ctx context.Context, fn func(Session) error) (err error) {
	select {
	case l.writeLock <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.writeLock }()
	s := sqliteSession{&l.writeStmts}
	done := false
	defer func() {
		if !done { // also when fn panics, or BEGIN was cut short after it took effect
			_, _ = Exec(context.WithoutCancel(ctx), s, "ROLLBACK")
		}
	}()
	if _, err := Exec(ctx, s, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := fn(s); err != nil {
		return err
	}
	// From here on the caller's patience no longer matters: a commit is never cut in half.
	if _, err := Exec(context.WithoutCancel(ctx), s, "COMMIT"); err != nil {
		return err
	}
	done = true
	return nil
}

// stmtCache keeps statements compiled.
type stmtCache struct {
	prepare func(ctx context.Context, text string) (*sql.Stmt, error)
	mu      sync.RWMutex
	stmts   map[string]*sql.Stmt
}

// get returns a compiled statement; keep is false when the caller has to close it.
func (p *stmtCache) get(ctx context.Context, text string) (s *sql.Stmt, keep bool, err error) {
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

func (p *stmtCache) close() {
	for _, s := range p.stmts {
		_ = s.Close() // the connections are closed next, and say what went wrong
	}
}

// sqliteSession runs statements one after another.
type sqliteSession struct{ stmts *stmtCache }

func (l sqliteSession) Run(ctx context.Context, stmts ...Stmt) error {
	for _, s := range stmts {
		if err := l.one(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func (l sqliteSession) one(ctx context.Context, s Stmt) error {
	p, keep, err := l.stmts.get(ctx, s.SQL)
	if err != nil {
		return err
	}
	if !keep {
		defer p.Close()
	}
	args := sqliteArgs(s.Args)
	var n int64
	if s.OnRow == nil {
		res, err := p.ExecContext(ctx, args...)
		if err != nil {
			return err
		}
		if s.OnDone != nil {
			n, _ = res.RowsAffected() // the driver always knows
		}
	} else if n, err = sqliteRows(ctx, p, args, s.OnRow); err != nil {
		return err
	}
	if s.OnDone != nil {
		return s.OnDone(n)
	}
	return nil
}

func sqliteRows(ctx context.Context, p *sql.Stmt, args []any, each func(Row) error) (n int64, err error) {
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

// sqliteArgs gives times and lists the form in which SQLite keeps them.
func sqliteArgs(args []any) []any {
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
