package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// accountRow is an account in the table accounts.
type accountRow struct {
	bun.BaseModel `bun:"table:accounts"`

	ID           string             `bun:"id,pk"`
	Email        string             `bun:"email"`
	PasswordHash string             `bun:"password_hash"`
	TokenVersion int64              `bun:"token_version"`
	Memberships  []ports.Membership `bun:"memberships,type:json"`
}

func (r accountRow) account() ports.Account {
	return ports.Account{ID: r.ID, Email: r.Email, PasswordHash: r.PasswordHash, TokenVersion: r.TokenVersion, Memberships: r.Memberships}
}

// model runs fn with bun on the connection of one transaction across tenants. It serves the small tables that hold no
// tenant's records; everything hot goes through sessions, whose arguments are bound and whose runs are one round trip.
func (s *Store) model(ctx context.Context, fn func(context.Context, *bun.DB, bun.IConn) error) error {
	limited, cancel := s.bounded(ctx)
	defer cancel()
	if s.lite != nil {
		return s.ended(ctx, s.lite.write(limited, func(session) error { return fn(limited, s.crud, s.lite.writer) }))
	}
	return s.ended(ctx, s.breaker.run(func() error {
		return s.crud.RunInTx(limited, nil, func(ctx context.Context, tx bun.Tx) error { return fn(ctx, s.crud, tx.Tx) })
	}))
}

// ByEmail implements ports.Accounts.
func (s *Store) ByEmail(ctx context.Context, email string) (ports.Account, error) {
	return s.account(ctx, "email", email)
}

// ByID implements ports.Accounts.
func (s *Store) ByID(ctx context.Context, id string) (ports.Account, error) {
	return s.account(ctx, "id", id)
}

func (s *Store) account(ctx context.Context, column, value string) (ports.Account, error) {
	limited, cancel := s.bounded(ctx)
	defer cancel()
	var r accountRow
	find := s.crud.NewSelect().Model(&r).Where("? = ?", bun.Ident(column), value)
	run := s.breaker.run
	if s.lite != nil { // not on the connection that writes
		find, run = find.Conn(s.lite.readers), func(fn func() error) error { return fn() }
	}
	err := s.ended(ctx, run(func() error { return find.Scan(limited) }))
	if errors.Is(err, sql.ErrNoRows) {
		return ports.Account{}, ports.ErrAbsent
	}
	return r.account(), err
}

// Save implements ports.Accounts.
func (s *Store) Save(ctx context.Context, a ports.Account, was int64) error {
	r := accountRow{ID: a.ID, Email: a.Email, PasswordHash: a.PasswordHash, TokenVersion: a.TokenVersion, Memberships: a.Memberships}
	return s.model(ctx, func(ctx context.Context, db *bun.DB, on bun.IConn) error {
		var res sql.Result
		known, err := db.NewSelect().Conn(on).Model(&r).WherePK().Where("token_version = ? OR ? = 0", was, was).Exists(ctx)
		if err != nil {
			return err
		}
		switch {
		case known != (was != 0):
			return ports.ErrStale
		case known:
			res, err = db.NewUpdate().Conn(on).Model(&r).WherePK().Where("token_version = ?", was).Exec(ctx)
		default:
			res, err = db.NewInsert().Conn(on).Model(&r).Exec(ctx)
		}
		return saved(res, err)
	})
}

// saved reads the outcome of a write of one account.
func saved(res sql.Result, err error) error {
	if constraint, ok := violation(err); ok {
		if broke(constraint, "accounts_pkey", "accounts", []string{"id"}) {
			return ports.ErrStale.Because(err)
		}
		return ports.ErrDuplicate.Because(err).In(fault.Field{Field: "email", Message: "Value must be unique"})
	}
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(ports.ErrStale, err)
	}
	return nil
}
