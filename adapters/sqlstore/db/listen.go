package db

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// The intervals of listening.
const (
	listenIdle  = 5 * time.Second        // without any message the connection is tried
	listenPing  = time.Second            // of patience with that
	listenRetry = 250 * time.Millisecond // before connecting again
	filePoll    = 100 * time.Millisecond // SQLite: between two looks at the file
)

// Listen calls the function of a channel for every notification on it, and missed whenever some may have been missed:
// when it begins to listen, and after every interruption. It returns when ctx ends. On SQLite it calls missed
// when another process has changed the file.
func (d *DB) Listen(ctx context.Context, received map[string]func(payload string), missed func()) error {
	if d.sqlite != nil {
		return d.sqlite.watchFile(ctx, missed)
	}
	config, err := pgx.ParseConfig(d.options.URL)
	if err != nil {
		return errors.New("the Postgres URL cannot be read") // its text holds a password
	}
	config.ConnectTimeout = connectTimeout
	config.RuntimeParams["application_name"] = "cartwright listener"
	failing := false // an outage is logged once
	for ctx.Err() == nil {
		err := listenOnce(ctx, config, received, func() {
			if failing {
				d.options.Logger.Info("cache invalidation from other instances resumed")
			}
			failing = false
			missed()
		})
		if ctx.Err() == nil && !failing {
			d.options.Logger.Warn("cache invalidation from other instances interrupted; caches expire by time only", "error", err.Error())
			failing = true
		}
		select {
		case <-ctx.Done():
		case <-time.After(listenRetry):
		}
	}
	return nil
}

// listenOnce follows the channels on a connection of its own until that fails. What was sent before it
// listened is missed.
func listenOnce(ctx context.Context, config *pgx.ConnConfig, received map[string]func(payload string), missed func()) error {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() {
		gone, cancel := context.WithTimeout(context.WithoutCancel(ctx), listenPing)
		defer cancel()
		_ = conn.Close(gone) // it is of no use any more, whatever this says
	}()
	for channel := range received {
		if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
			return err
		}
	}
	missed()
	for {
		quiet, cancel := context.WithTimeout(ctx, listenIdle)
		n, err := conn.WaitForNotification(quiet)
		silent := quiet.Err() != nil && ctx.Err() == nil
		cancel()
		switch {
		case err == nil:
			received[n.Channel](n.Payload)
		case !silent || conn.IsClosed():
			return err
		default:
			limited, cancel := context.WithTimeout(ctx, listenPing)
			err = conn.Ping(limited) // a cut cable says nothing by itself
			cancel()
			if err != nil {
				return err
			}
		}
	}
}

// watchFile looks at the number that the file has for this connection: it moves when another one wrote.
func (l *sqliteDB) watchFile(ctx context.Context, missed func()) error {
	tick := time.NewTicker(filePoll)
	defer tick.Stop()
	var known int64
	for ctx.Err() == nil {
		now, err := l.dataVersion(ctx)
		if err == nil && now != known {
			known = now
			missed()
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
	return nil
}

// dataVersion reads the number from the writing connection, between two transactions: all that this process
// writes passes it, and does not count.
func (l *sqliteDB) dataVersion(ctx context.Context) (n int64, err error) {
	select {
	case l.writeLock <- struct{}{}:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	defer func() { <-l.writeLock }()
	_, err = QueryRow(ctx, sqliteSession{&l.writeStmts}, []any{&n}, "PRAGMA data_version")
	return n, err
}
