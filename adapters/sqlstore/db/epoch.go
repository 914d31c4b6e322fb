package db

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/singleflight"

	"github.com/cartwright-dev/cartwright/ports"
)

// askEpoch reads what is another text once commits may have been lost. A promoted standby and a restored copy are
// started by another postmaster than the one that acknowledged them, and so is a server after a crash. A standby that
// was reached before its promotion says that it recovers. Tables that are loaded from a dump into a running server
// are other files, or in another database.
const askEpoch = `SELECT concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), pg_is_in_recovery(), d.oid,
	to_regclass('receipts')::oid, pg_relation_filenode(to_regclass('receipts'))) FROM pg_database d WHERE d.datname = current_database()`

// epochFresh is for how long an epoch counts as the present one after it was read. No standby takes over within it: to start and to
// be promoted took one 230 ms that was told of its primary's death at once, on a disk without any other load.
const epochFresh = 100 * time.Millisecond

// epochs is what a process knows of the epoch of its database. Decision 41.
type epochs struct {
	changed func() // called when there is another epoch; nil: nothing
	asking  singleflight.Group

	mu      sync.Mutex
	known   ports.Epoch
	askedAt time.Time // when known was asked for
}

// note takes the answer to a question that was asked at some time. One that was asked before the present answer's is
// late news.
func (e *epochs) note(answer string, askedAt time.Time) {
	sum := sha256.Sum256([]byte(answer))
	now := ports.Epoch(hex.EncodeToString(sum[:8]))
	e.mu.Lock()
	if askedAt.Before(e.askedAt) {
		e.mu.Unlock()
		return
	}
	changed := e.known != "" && e.known != now
	e.known, e.askedAt = now, askedAt
	e.mu.Unlock()
	if changed && e.changed != nil {
		e.changed()
	}
}

// last is the epoch as it was read last, and whether that was a moment ago.
func (e *epochs) last(now time.Time) (known ports.Epoch, fresh bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.known, e.known != "" && now.Sub(e.askedAt) < epochFresh
}

// read asks on a new connection, so that a process knows the epoch before it works in it.
func (e *epochs) read(ctx context.Context, conn *pgx.Conn) error {
	askedAt := time.Now()
	var answer string
	if err := conn.QueryRow(ctx, askEpoch).Scan(&answer); err != nil {
		return err
	}
	e.note(answer, askedAt)
	return nil
}

// newFileEpoch is the epoch of a SQLite file that is opened now. Whoever restores a file does that while no server has
// it open, in whatever way, so each opening begins an epoch.
func (e *epochs) newFileEpoch() { e.note(rand.Text(), time.Now()) }

// LastEpoch is the epoch as it was last seen; "" before that.
func (d *DB) LastEpoch() ports.Epoch {
	known, _ := d.epochs.last(time.Time{})
	return known
}

// AskEpoch is the epoch as of a fraction of a second ago; ok is false if the database cannot be asked. All who ask at
// once share one answer.
func (d *DB) AskEpoch(ctx context.Context) (current ports.Epoch, ok bool) {
	current, ok = d.epochs.last(time.Now())
	if ok || d.sqlite != nil {
		return current, true
	}
	_, err, _ := d.epochs.asking.Do("", func() (any, error) {
		askedAt := time.Now()
		var answer string
		// The others have to get an answer although the first of them may give up.
		_, err := QueryRow(context.WithoutCancel(ctx), d.Reader(SystemScope), []any{&answer}, askEpoch)
		if err == nil {
			d.epochs.note(answer, askedAt)
		}
		return nil, err
	})
	if err != nil || ctx.Err() != nil {
		return "", false
	}
	return d.LastEpoch(), true
}
