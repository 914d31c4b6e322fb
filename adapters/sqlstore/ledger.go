package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// ledgerRows is ports.Ledger inside a transaction. It has no statement that changes or removes a movement.
type ledgerRows struct{ *txn }

// Append implements ports.Ledger.
func (t ledgerRows) Append(ctx context.Context, m ports.LedgerEntry) error {
	if !t.Covers(string(m.Tenant)) {
		return t.fail(table.ErrForeignTenant)
	}
	b := t.store.db.Builder()
	row := ledgerRow{
		Tenant: m.Tenant, ID: m.ID, Environment: m.Environment, Type: m.Type, Minor: m.Amount.Minor, Currency: m.Amount.Currency,
		Provider: m.Provider, AccountKey: m.AccountKey, Reference: m.Reference, Checkout: m.Checkout, Order: m.Order, At: nullTime(m.At),
	}
	q := b.Insert(&row).On("CONFLICT (tenant, environment, provider, account_key, type, reference) DO NOTHING")
	if err := t.changeRow(ctx, q, ports.ErrAlreadyRecorded); err != nil {
		return fmt.Errorf("append to the ledger: %w", err)
	}
	return nil
}

const insertAssignment = `INSERT INTO ledger_assignments (tenant, entry, order_id, at)
	SELECT tenant, id, $1, $2 FROM ledger_entries WHERE tenant = $3 AND environment = $4 AND provider = $5 AND account_key = $6 AND type = 'charge' AND reference = $7 AND order_id = ''
	ON CONFLICT (tenant, entry) DO NOTHING`

// assigned counts the charges m that were assigned to its order already: 0 or 1.
func (t ledgerRows) assigned(ctx context.Context, m ports.LedgerEntry) (n int64, err error) {
	b := t.store.db.Builder()
	q := b.Select((*ledgerRow)(nil)).ColumnExpr("count(*)").Join("JOIN ledger_assignments a ON a.tenant = r.tenant AND a.entry = r.id").
		Where("a.order_id = ?", m.Order).Where("r.tenant = ?", string(m.Tenant)).Where("r.environment = ?", string(m.Environment)).
		Where("r.provider = ?", m.Provider).Where("r.account_key = ?", m.AccountKey).Where("r.type = 'charge'").
		Where("r.reference = ?", m.Reference)
	return n, b.Query(ctx, t, q, func(r db.Row) error { return r.Scan(&n) })
}

// Assign implements ports.Ledger.
func (t ledgerRows) Assign(ctx context.Context, m ports.LedgerEntry) error {
	if !t.Covers(string(m.Tenant)) {
		return t.fail(table.ErrForeignTenant)
	}
	n, err := db.Exec(ctx, t, insertAssignment, m.Order, m.At, string(m.Tenant), string(m.Environment), m.Provider,
		m.AccountKey, m.Reference)
	if err == nil && n == 0 {
		if n, err = t.assigned(ctx, m); err == nil && n == 0 {
			return ports.ErrNotFound
		}
	}
	if err != nil {
		return fmt.Errorf("assign money: %w", err)
	}
	return nil
}

const insertSettlement = `INSERT INTO ledger_settlements (tenant, entry, environment, currency, net, fee, entry_at)
	SELECT tenant, id, environment, $1, $2, $3, at FROM ledger_entries
	WHERE tenant = $4 AND environment = $5 AND provider = $6 AND account_key = $7 AND type = $8 AND reference = $9
	ON CONFLICT (tenant, entry) DO NOTHING`

// Settle implements ports.Ledger.
func (t ledgerRows) Settle(ctx context.Context, m ports.LedgerEntry, s payment.Settled) error {
	switch {
	case !t.Covers(string(m.Tenant)):
		return t.fail(table.ErrForeignTenant)
	case s.Net.Currency != s.Fee.Currency:
		return t.fail(fmt.Errorf("%v are settled with a fee of %v", s.Net, s.Fee))
	}
	st := db.Stmt{SQL: insertSettlement, Args: []any{
		string(s.Net.Currency), s.Net.Minor, s.Fee.Minor, string(m.Tenant), string(m.Environment), m.Provider, m.AccountKey, m.Type, m.Reference,
	}}
	if t.defersWrites() {
		t.enqueue(queuedStmt{Stmt: st})
		return nil
	}
	if err := t.Run(ctx, st); err != nil {
		return fmt.Errorf("record what is settled: %w", err)
	}
	return nil
}

// signedMinor is what a movement adds to a balance.
const signedMinor = "CAST(sum(CASE type WHEN 'charge' THEN minor ELSE -minor END) AS bigint)"

// belongsToOrder is the condition that the movement r is an order's, its own or one it was given.
func belongsToOrder(order string) string {
	const given = "(SELECT entry FROM ledger_assignments a WHERE a.tenant = r.tenant"
	return "(r.order_id = " + order + " AND r.id NOT IN " + given + " AND a.entry = r.id) OR r.id IN " + given + " AND a.order_id = " +
		order + "))"
}

// Balance implements ports.Ledger.
func (t ledgerRows) Balance(ctx context.Context, order string) (map[money.Currency]int64, error) {
	balance := map[money.Currency]int64{}
	b := t.store.db.Builder()
	q := b.Select((*ledgerRow)(nil)).Column("currency").ColumnExpr(signedMinor).Where("?", t.filter()).
		Where("?", db.Expr(func(a *db.Args) string { return belongsToOrder(a.Bind(order)) })).Group("currency")
	err := b.Query(ctx, t, q, func(r db.Row) error {
		var currency string
		var minor int64
		err := r.Scan(&currency, &minor)
		balance[money.Currency(currency)] = minor
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("balance of order: %w", err)
	}
	return balance, nil
}

// movementOwner is the order that a movement belongs to.
const movementOwner = "COALESCE(a.order_id, r.order_id)"
