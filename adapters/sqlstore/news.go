package sqlstore

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// newsChannel is where Postgres tells of changes to Options.Told; the payload is the tenant. Triggers send it, so it
// leaves exactly with the commit, whoever writes: the committer, a command, an instance of another version.
//
// Whoever sends commits one at a time, in all of the server: Postgres orders messages by a lock that is held through the
// flush. So neither carts nor placements send. A new record of a watched collection does not either unless it changes
// what is known of others, as a price of a market does of a variant. Of stock only a new count by hand is told, which
// alone sets tracked; units that a placement takes are not.
const newsChannel = "cartwright_news"

// tellNews is what the triggers run.
const tellNews = `CREATE OR REPLACE FUNCTION tell_news() RETURNS trigger LANGUAGE plpgsql AS $do$
BEGIN
	PERFORM pg_notify('` + newsChannel + `', coalesce(NEW.tenant, OLD.tenant));
	RETURN NULL;
END $do$`

// tellers are the triggers that send, and what they run. SQLite needs none: a file tells that others wrote it.
func (m *migrator) tellers(shapes []*shape) (all []definition) {
	if !m.d.postgres {
		return nil
	}
	tell := func(table, verbs string) {
		if name := "news_" + table; !m.kept[name] {
			all = append(all, define("CREATE TRIGGER "+quote(name)+" AFTER "+verbs+" ON "+quote(table)+" FOR EACH ROW EXECUTE FUNCTION tell_news()")...)
		}
	}
	for _, sh := range shapes {
		switch created, told := m.told[sh.schema.Slug]; {
		case told && created:
			tell(sh.table, "INSERT OR UPDATE OR DELETE")
		case told:
			tell(sh.table, "UPDATE OR DELETE")
		}
	}
	tell("stock", "UPDATE OF tracked")
	return append([]definition{{tellNews, m.kept["news_stock"]}}, all...)
}

// The measures of listening for news.
const (
	newsQuiet  = 5 * time.Second        // without any message the connection is tried
	newsAnswer = time.Second            // of patience with that
	newsPause  = 250 * time.Millisecond // before connecting again
	newsLook   = 100 * time.Millisecond // SQLite: between two looks at the file
)

var _ ports.News = (*Store)(nil)

// Follow implements ports.News. On SQLite it is not told which tenant others changed: everything counts as missed.
func (s *Store) Follow(ctx context.Context, changed func(tenant.ID), missed func()) error {
	if s.lite != nil {
		return s.lite.follow(ctx, missed)
	}
	config, err := pgx.ParseConfig(s.o.URL)
	if err != nil {
		return errors.New("the Postgres URL cannot be read") // its text holds a password
	}
	config.ConnectTimeout = serveLimit
	config.RuntimeParams["application_name"] = "cartwright news"
	failing := false // of a database that is away it is enough to tell once
	for ctx.Err() == nil {
		err := listen(ctx, config, changed, func() {
			if failing {
				s.o.Logger.Info("changes of other instances are heard of again")
			}
			failing = false
			missed()
		})
		if ctx.Err() == nil && !failing {
			s.o.Logger.Warn("changes of other instances are not heard of for now; what is remembered ends by time alone", "error", err.Error())
			failing = true
		}
		select {
		case <-ctx.Done():
		case <-time.After(newsPause):
		}
	}
	return nil
}

// listen follows the channel on a connection of its own until that fails. What was told before it listened is missed.
func listen(ctx context.Context, config *pgx.ConnConfig, changed func(tenant.ID), missed func()) error {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() {
		gone, cancel := context.WithTimeout(context.WithoutCancel(ctx), newsAnswer)
		defer cancel()
		_ = conn.Close(gone) // it is of no use any more, whatever this says
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+newsChannel); err != nil {
		return err
	}
	missed()
	for {
		quiet, cancel := context.WithTimeout(ctx, newsQuiet)
		n, err := conn.WaitForNotification(quiet)
		silent := quiet.Err() != nil && ctx.Err() == nil
		cancel()
		switch {
		case err == nil:
			changed(tenant.ID(n.Payload))
		case !silent || conn.IsClosed():
			return err
		default:
			limited, cancel := context.WithTimeout(ctx, newsAnswer)
			err = conn.Ping(limited) // a cut cable says nothing by itself
			cancel()
			if err != nil {
				return err
			}
		}
	}
}

// follow looks at the number that the file has for this connection: it moves when another one wrote.
func (l *lite) follow(ctx context.Context, missed func()) error {
	tick := time.NewTicker(newsLook)
	defer tick.Stop()
	var known int64
	for ctx.Err() == nil {
		now, err := l.version(ctx)
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

// version asks the writing connection, between two transactions: all that this process writes passes it, and does not count.
func (l *lite) version(ctx context.Context) (n int64, err error) {
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	defer func() { <-l.turn }()
	_, err = queryRow(ctx, liteSession{&l.writing}, []any{&n}, "PRAGMA data_version")
	return n, err
}
