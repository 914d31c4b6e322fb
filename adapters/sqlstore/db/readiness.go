package db

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
func (d *DB) Durability(ctx context.Context) (found Durability, err error) {
	if d.sqlite != nil {
		err = d.sqlite.write(ctx, func(on Session) error {
			if _, err := QueryRow(ctx, on, []any{&found.Synchronous}, "SELECT synchronous FROM pragma_synchronous"); err != nil {
				return err
			}
			_, err := QueryRow(ctx, on, []any{&found.JournalMode}, "SELECT journal_mode FROM pragma_journal_mode")
			return err
		})
		return found, err
	}
	_, err = QueryRow(ctx, d.Reader(SystemScope), []any{&found.Fsync, &found.SynchronousCommit},
		"SELECT current_setting('fsync'), current_setting('synchronous_commit')")
	return found, err
}

// Ready reports whether requests can be served safely: the database answers and can write, its durability settings can
// be read, and on Postgres the serving roles are under row-level security. Errors: fault.ErrUnavailable, and
// what is wrong.
func (d *DB) Ready(ctx context.Context) error {
	if _, err := d.Durability(ctx); err != nil {
		return err
	}
	if err := d.checkStorage(ctx); err != nil {
		return err
	}
	if d.sqlite != nil {
		return nil
	}
	for _, on := range []Session{d.Reader(SystemScope), appRoleSession{d}} {
		var role string
		var privileged bool
		var owned int64
		_, err := QueryRow(ctx, on, []any{&role, &privileged, &owned},
			`SELECT current_user::text, (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user),
			(SELECT count(*) FROM pg_tables WHERE tableowner = current_user)`)
		if err != nil {
			return err
		}
		if privileged || owned > 0 {
			return fmt.Errorf("role %s: %w", role, errPrivilegedRole)
		}
	}
	return nil
}

// errPrivilegedRole: row-level security does not hold for owners and superusers.
var errPrivilegedRole = errors.New("the serving role is an owner or a superuser, row-level security would not hold")

// appRoleSession runs on the app role without any tenant.
type appRoleSession struct{ db *DB }

func (b appRoleSession) Run(ctx context.Context, stmts ...Stmt) error {
	return b.db.breaker.run(func() error { return pgSession{to: b.db.pools.app}.Run(ctx, stmts...) })
}
