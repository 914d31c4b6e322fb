package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

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

// ByEmail implements ports.Accounts.
func (s *Store) ByEmail(ctx context.Context, email string) (ports.Account, error) {
	return s.account(ctx, "email", email)
}

// ByID implements ports.Accounts.
func (s *Store) ByID(ctx context.Context, id string) (ports.Account, error) {
	return s.account(ctx, "id", id)
}

func (s *Store) account(ctx context.Context, column, value string) (ports.Account, error) {
	var r accountRow
	err := s.models(ctx, s.crud.NewSelect().Model(&r).Where("? = ?", bun.Ident(column), value))
	if errors.Is(err, sql.ErrNoRows) {
		return ports.Account{}, ports.ErrAbsent
	}
	return r.account(), err
}

// ByIDs implements ports.Accounts.
func (s *Store) ByIDs(ctx context.Context, ids []string) (map[string]ports.Account, error) {
	found := make(map[string]ports.Account, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	var rows []accountRow
	if err := s.models(ctx, s.crud.NewSelect().Model(&rows).Where("id IN (?)", bun.List(ids))); err != nil {
		return nil, err
	}
	for _, r := range rows {
		found[r.ID] = r.account()
	}
	return found, nil
}

// models runs a query of the small tables that hold no tenant's records, outside of transactions. Everything hot goes
// through sessions, whose arguments are bound and whose runs are one round trip.
func (s *Store) models(ctx context.Context, find *bun.SelectQuery) error {
	limited, cancel := s.bounded(ctx)
	defer cancel()
	run := s.breaker.run
	if s.lite != nil { // not on the connection that writes
		find, run = find.Conn(s.lite.readers), func(fn func() error) error { return fn() }
	}
	return s.ended(ctx, run(func() error { return find.Scan(limited) }))
}

// accountRows is ports.AccountRows inside a transaction. On Postgres only the system role may touch accounts; SQLite
// has no roles, so the scope is asked here for both.
type accountRows struct{ *txn }

// errNotSystem: accounts belong to no tenant; a mistake of ours.
var errNotSystem = errors.New("accounts are only open to work across tenants")

// Lock implements ports.AccountRows.
func (t accountRows) Lock(ctx context.Context, id string) (ports.Account, error) {
	return t.locked(ctx, "id", id)
}

// LockEmail implements ports.AccountRows.
func (t accountRows) LockEmail(ctx context.Context, email string) (ports.Account, error) {
	return t.locked(ctx, "email", email)
}

func (t accountRows) locked(ctx context.Context, column, value string) (ports.Account, error) {
	found, err := t.find(ctx, column+" = $1"+t.s.d.forUpdate(), value)
	if err == nil && len(found) == 0 {
		err = ports.ErrAbsent
	}
	if err != nil {
		return ports.Account{}, err
	}
	return found[0], nil
}

// ByIDs implements ports.AccountRows.
func (t accountRows) ByIDs(ctx context.Context, ids []string) (map[string]ports.Account, error) {
	found, err := t.find(ctx, t.s.d.in("id", "$1"), ids)
	byID := make(map[string]ports.Account, len(found))
	for _, a := range found {
		byID[a.ID] = a
	}
	return byID, err
}

func (t accountRows) find(ctx context.Context, where string, arg any) (found []ports.Account, err error) {
	if !t.scope.System {
		return nil, t.refuse(errNotSystem)
	}
	err = query(ctx, t, func(r row) error {
		var a ports.Account
		var memberships []byte
		if err := r.Scan(&a.ID, &a.Email, &a.PasswordHash, &a.TokenVersion, &memberships); err != nil {
			return err
		}
		err := json.Unmarshal(memberships, &a.Memberships) //nolint:musttag // the stored form has the names of the fields
		found = append(found, a)
		return err
	}, "SELECT id, email, password_hash, token_version, memberships FROM accounts WHERE "+where, arg)
	if err != nil {
		return nil, fmt.Errorf("find accounts: %w", err)
	}
	return found, nil
}

const saveAccount = `INSERT INTO accounts (id, email, password_hash, token_version, memberships) VALUES ($1, $2, $3, $4, $5)
	ON CONFLICT (id) DO UPDATE SET email = excluded.email, password_hash = excluded.password_hash, token_version = excluded.token_version, memberships = excluded.memberships`

// Save implements ports.AccountRows.
func (t accountRows) Save(ctx context.Context, a ports.Account) error {
	if !t.scope.System {
		return t.refuse(errNotSystem)
	}
	memberships, err := json.Marshal(a.Memberships) //nolint:musttag // see find
	if err != nil {
		return t.refuse(err)
	}
	_, err = exec(ctx, t, saveAccount, a.ID, a.Email, a.PasswordHash, a.TokenVersion, string(memberships))
	if _, ok := violation(err); ok {
		return t.refuse(ports.ErrDuplicate.Because(err).In(fault.Field{Field: "email", Message: "Value must be unique"}))
	}
	if err != nil {
		return fmt.Errorf("save account: %w", err)
	}
	return nil
}

// Remove implements ports.AccountRows.
func (t accountRows) Remove(ctx context.Context, id string) error {
	if !t.scope.System {
		return t.refuse(errNotSystem)
	}
	if _, err := exec(ctx, t, "DELETE FROM accounts WHERE id = $1", id); err != nil {
		return fmt.Errorf("remove account: %w", err)
	}
	return nil
}
