package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ledgerRows is ports.Ledger inside a transaction. It has no statement that changes or removes a movement.
type ledgerRows struct{ *txn }

const addMovement = `INSERT INTO money_movements (tenant, id, environment, type, minor, currency, provider, account, reference, checkout, order_id, at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (tenant, environment, provider, account, type, reference) DO NOTHING`

// Append implements ports.Ledger.
func (t ledgerRows) Append(ctx context.Context, m ports.Movement) error {
	if !t.covers(string(m.Tenant)) {
		return t.refuse(errForeign)
	}
	args := []any{string(m.Tenant), m.ID, string(m.Environment), m.Type, m.Amount.Minor, string(m.Amount.Currency), m.Provider, m.Account, m.Reference, m.Checkout, m.Order, m.At}
	if t.lazy() {
		t.later(waiting{stmt: stmt{sql: addMovement, args: args}, must: ports.ErrMoneyKnown})
		return nil
	}
	n, err := exec(ctx, t, addMovement, args...)
	switch {
	case err != nil:
		return fmt.Errorf("record money movement: %w", err)
	case n == 0:
		return ports.ErrMoneyKnown
	}
	return nil
}

const assign = `INSERT INTO money_assignments (tenant, movement, order_id, at)
	SELECT tenant, id, $1, $2 FROM money_movements WHERE tenant = $3 AND environment = $4 AND provider = $5 AND account = $6 AND type = 'charge' AND reference = $7 AND order_id = ''
	ON CONFLICT (tenant, movement) DO NOTHING`

// assigned tells one money of an order that it was given.
const assigned = `SELECT count(*) FROM money_assignments a JOIN money_movements r ON r.tenant = a.tenant AND r.id = a.movement
	WHERE a.order_id = $1 AND r.tenant = $2 AND r.environment = $3 AND r.provider = $4 AND r.account = $5 AND r.type = 'charge' AND r.reference = $6`

// Assign implements ports.Ledger.
func (t ledgerRows) Assign(ctx context.Context, m ports.Movement) error {
	if !t.covers(string(m.Tenant)) {
		return t.refuse(errForeign)
	}
	which := args{string(m.Tenant), string(m.Environment), m.Provider, m.Account, m.Reference}
	n, err := exec(ctx, t, assign, append(args{m.Order, m.At}, which...)...)
	if err == nil && n == 0 {
		err = query(ctx, t, func(r row) error { return r.Scan(&n) }, assigned, append(args{m.Order}, which...)...)
		if err == nil && n == 0 {
			return ports.ErrAbsent
		}
	}
	if err != nil {
		return fmt.Errorf("assign money: %w", err)
	}
	return nil
}

// signed is what a movement adds to a balance.
const signed = "CAST(sum(CASE type WHEN 'charge' THEN minor ELSE -minor END) AS bigint)"

// belongs is the condition that the movement r is an order's, its own or one it was given.
func belongs(order string) string {
	const given = "(SELECT movement FROM money_assignments a WHERE a.tenant = r.tenant"
	return "(r.order_id = " + order + " AND r.id NOT IN " + given + " AND a.movement = r.id) OR r.id IN " + given + " AND a.order_id = " + order + "))"
}

// Balance implements ports.Ledger.
func (t ledgerRows) Balance(ctx context.Context, order string) (map[money.Currency]int64, error) {
	balance := map[money.Currency]int64{}
	var a args
	err := query(ctx, t, func(r row) error {
		var currency string
		var minor int64
		err := r.Scan(&currency, &minor)
		balance[money.Currency(currency)] = minor
		return err
	}, "SELECT currency, "+signed+" FROM money_movements r WHERE "+t.fence(&a, "r")+" AND "+belongs(a.bind(order))+" GROUP BY currency", a...)
	if err != nil {
		return nil, fmt.Errorf("balance of order: %w", err)
	}
	return balance, nil
}

// owner is the order that a movement belongs to.
const owner = "COALESCE(a.order_id, r.order_id)"

// Imbalance is an order of which more money went back than came in: the books are wrong.
type Imbalance struct {
	Tenant      tenant.ID
	Environment tenant.Environment
	Order       string
	Currency    money.Currency
	Minor       int64 // charges − refunds, below zero
}

// CheckBooks lists the imbalances of all tenants; there are none unless something is broken.
func (s *Store) CheckBooks(ctx context.Context) (wrong []Imbalance, err error) {
	err = query(ctx, &reads{s, systemScope}, func(r row) error {
		var id, env, currency string
		var w Imbalance
		err := r.Scan(&id, &env, &w.Order, &currency, &w.Minor)
		w.Tenant, w.Environment, w.Currency = tenant.ID(id), tenant.Environment(env), money.Currency(currency)
		wrong = append(wrong, w)
		return err
	}, "SELECT r.tenant, environment, "+owner+", currency, "+signed+" FROM money_movements r LEFT JOIN money_assignments a ON a.tenant = r.tenant AND a.movement = r.id WHERE "+owner+" <> '' GROUP BY 1, 2, 3, 4 HAVING "+signed+" < 0 ORDER BY 1, 2, 3, 4")
	if err != nil {
		return nil, fmt.Errorf("check books: %w", err)
	}
	return wrong, nil
}
