package sqlstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Accounts is a ports.Accounts.
type Accounts struct{ db *db.DB }

var _ ports.Accounts = Accounts{}

// ByAddress implements ports.Accounts.
func (a Accounts) ByAddress(ctx context.Context, email string) ([]ports.Account, error) {
	return findAccounts(ctx, a.db, a.session(), accountsOf(email))
}

// ByID implements ports.Accounts.
func (a Accounts) ByID(ctx context.Context, id string) (ports.Account, error) {
	return oneAccount(findAccounts(ctx, a.db, a.session(), accountBy(id)))
}

// ByIDs implements ports.Accounts.
func (a Accounts) ByIDs(ctx context.Context, ids []string) (map[string]ports.Account, error) {
	if len(ids) == 0 {
		return map[string]ports.Account{}, nil
	}
	return accountsByID(findAccounts(ctx, a.db, a.session(), accountsIn(a.db.Dialect, ids)))
}

// WithSecondFactors implements ports.Accounts.
func (a Accounts) WithSecondFactors(ctx context.Context, after string, limit int) ([]ports.Account, error) {
	return findAccounts(ctx, a.db, a.session(), func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("second_factors IS NOT NULL").Where("id > ?", after).Order("id").Limit(int64(limit))
	})
}

func (a Accounts) session() db.Session { return a.db.Reader(db.SystemScope) }

// accountBy narrows a query to the account with an id.
func accountBy(id string) func(*bun.SelectQuery) *bun.SelectQuery {
	return func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("id = ?", id) }
}

// accountsOf narrows a query to the accounts with an address, in the order of ports.Accounts.ByAddress. The
// keys of a range follow the address alone, since no address contains a space; see accountKey. Ids are in the
// order of time.
func accountsOf(address string) func(*bun.SelectQuery) *bun.SelectQuery {
	return func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("email = ? OR (email > ? AND email < ?)", address, address+" ", address+"!").
			OrderExpr("CASE WHEN email = ? THEN 0 ELSE 1 END", address).Order("id")
	}
}

// accountsIn narrows a query to some accounts.
func accountsIn(d *db.Dialect, ids []string) func(*bun.SelectQuery) *bun.SelectQuery {
	return func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("?", db.Expr(func(a *db.Args) string { return d.InList("id", a.Bind(ids)) }))
	}
}

func findAccounts(
	ctx context.Context, d *db.DB, on db.Session, narrow ...func(*bun.SelectQuery) *bun.SelectQuery,
) (found []ports.Account, err error) {
	b := d.Builder()
	rows, err := db.Models[accountRow](ctx, b, on, b.Select((*accountRow)(nil)).Apply(narrow...))
	if err != nil {
		return nil, fmt.Errorf("find accounts: %w", err)
	}
	for _, r := range rows {
		found = append(found, r.account())
	}
	return found, nil
}

func oneAccount(found []ports.Account, err error) (ports.Account, error) {
	if err == nil && len(found) == 0 {
		err = ports.ErrNotFound
	}
	if err != nil {
		return ports.Account{}, err
	}
	return found[0], nil
}

func accountsByID(found []ports.Account, err error) (map[string]ports.Account, error) {
	byID := make(map[string]ports.Account, len(found))
	for _, a := range found {
		byID[a.ID] = a
	}
	return byID, err
}

// accountRows is ports.AccountStore inside a transaction. On Postgres only the system role may touch
// accounts; SQLite has no roles, so the scope is checked here for both.
type accountRows struct{ *txn }

// errNotSystem: accounts belong to no tenant; a mistake of ours.
var errNotSystem = errors.New("accounts are only open to work across tenants")

// Lock implements ports.AccountStore.
func (t accountRows) Lock(ctx context.Context, id string) (ports.Account, error) {
	return oneAccount(t.find(ctx, accountBy(id), t.locked))
}

// LockByAddress implements ports.AccountStore.
func (t accountRows) LockByAddress(ctx context.Context, email string) ([]ports.Account, error) {
	return t.find(ctx, accountsOf(email), t.locked)
}

// ByIDs implements ports.AccountStore.
func (t accountRows) ByIDs(ctx context.Context, ids []string) (map[string]ports.Account, error) {
	return accountsByID(t.find(ctx, accountsIn(t.store.dialect, ids)))
}

func (t accountRows) find(ctx context.Context, narrow ...func(*bun.SelectQuery) *bun.SelectQuery) ([]ports.Account, error) {
	if !t.Scope.System {
		return nil, t.fail(errNotSystem)
	}
	return findAccounts(ctx, t.store.db, t, narrow...)
}

// locked makes a query lock its rows. SQLite has one writer: the transaction itself is the lock.
func (t accountRows) locked(q *bun.SelectQuery) *bun.SelectQuery {
	if t.store.dialect.Postgres {
		return q.For("UPDATE")
	}
	return q
}

// Save implements ports.AccountStore.
func (t accountRows) Save(ctx context.Context, a ports.Account) error {
	if !t.Scope.System {
		return t.fail(errNotSystem)
	}
	b := t.store.db.Builder()
	row := accountRow{
		ID: a.ID, Email: accountKey(a), PasswordHash: a.PasswordHash, TokenVersion: a.TokenVersion,
		Memberships: newMembershipList(a.Memberships), Factors: factorsColumn(a.SecondFactors),
	}
	_, err := b.Exec(ctx, t, b.Insert(&row).On("CONFLICT (id) DO UPDATE"))
	if _, ok := db.Violation(err); ok {
		return t.fail(ports.ErrDuplicate.WithCause(err).WithFields(fault.Field{Field: "email", Message: "Value must be unique"}))
	}
	if err != nil {
		return fmt.Errorf("save account: %w", err)
	}
	return t.savePasskeys(ctx, a)
}

// Delete implements ports.AccountStore.
func (t accountRows) Delete(ctx context.Context, id string) error {
	if !t.Scope.System {
		return t.fail(errNotSystem)
	}
	b := t.store.db.Builder()
	if _, err := b.Exec(ctx, t, b.Delete((*accountRow)(nil)).Where("id = ?", id)); err != nil {
		return fmt.Errorf("delete account: %w", err)
	}
	return t.savePasskeys(ctx, ports.Account{ID: id})
}
