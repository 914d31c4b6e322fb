package sqlstore

import (
	"context"
	"errors"
	"fmt"
)

// Durability is what the database promises about an acknowledged commit.
type Durability struct {
	Fsync             string // Postgres: "on"
	SynchronousCommit string // Postgres: "on"
	Synchronous       string // SQLite, writing connection: "2" is FULL
	JournalMode       string // SQLite: "wal"
}

// Durability reads the settings in force on the connections that commit.
func (s *Store) Durability(ctx context.Context) (d Durability, err error) {
	if s.lite != nil {
		err = s.lite.write(ctx, func(on session) error {
			if _, err := queryRow(ctx, on, []any{&d.Synchronous}, "SELECT synchronous FROM pragma_synchronous"); err != nil {
				return err
			}
			_, err := queryRow(ctx, on, []any{&d.JournalMode}, "SELECT journal_mode FROM pragma_journal_mode")
			return err
		})
		return d, err
	}
	_, err = queryRow(ctx, &reads{s, systemScope}, []any{&d.Fsync, &d.SynchronousCommit},
		"SELECT current_setting('fsync'), current_setting('synchronous_commit')")
	return d, err
}

// Ready reports whether requests can be served safely: the database answers, its durability settings can be read, and on
// Postgres the serving roles are under row-level security. Errors: fault.ErrUnavailable, and what is wrong.
func (s *Store) Ready(ctx context.Context) error {
	if _, err := s.Durability(ctx); err != nil {
		return err
	}
	if s.lite != nil {
		return nil
	}
	for _, on := range []session{&reads{s, systemScope}, boundReads{s}} {
		var role string
		var mighty bool
		var owned int64
		_, err := queryRow(ctx, on, []any{&role, &mighty, &owned}, `SELECT current_user::text, (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user),
			(SELECT count(*) FROM pg_tables WHERE tableowner = current_user)`)
		if err != nil {
			return err
		}
		if mighty || owned > 0 {
			return fmt.Errorf("role %s: %w", role, errMighty)
		}
	}
	return nil
}

// errMighty: row-level security does not hold for owners and superusers.
var errMighty = errors.New("the serving role is an owner or a superuser, row-level security would not hold")

// boundReads runs on the app role without any tenant.
type boundReads struct{ s *Store }

func (b boundReads) run(ctx context.Context, stmts ...stmt) error {
	return b.s.breaker.run(func() error { return pgSession{to: b.s.pg.app}.run(ctx, stmts...) })
}
