package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Books is ports.Books.
type Books struct{ store *Store }

var _ ports.Books = Books{}

// Books is the journal of money, to be checked.
func (s *Store) Books() Books { return Books{s} }

func (b Books) reads(t tenant.ID) *reads { return &reads{b.store, ports.Of(t)} }

// owned joins what was given to orders later.
const owned = " FROM money_movements r LEFT JOIN money_assignments a ON a.tenant = r.tenant AND a.movement = r.id WHERE r.tenant = $1"

// Movements implements ports.Books.
func (b Books) Movements(ctx context.Context, t tenant.ID, after string, limit int) (all []ports.Movement, err error) {
	err = query(ctx, b.reads(t), func(r row) error {
		var env, currency string
		var at moment
		m := ports.Movement{Tenant: t}
		err := r.Scan(&m.ID, &env, &m.Type, &m.Amount.Minor, &currency, &m.Provider, &m.Account, &m.Reference, &m.Checkout, &m.Order, &at)
		m.Environment, m.Amount.Currency, m.At = tenant.Environment(env), money.Currency(currency), at.Time
		all = append(all, m)
		return err
	}, "SELECT r.id, environment, type, minor, currency, provider, account, reference, checkout, "+owner+", r.at"+owned+" AND r.id > $2 ORDER BY r.id LIMIT $3",
		string(t), after, limit)
	if err != nil {
		return nil, fmt.Errorf("read money movements: %w", err)
	}
	return all, nil
}

// Balances implements ports.Books.
func (b Books) Balances(ctx context.Context, t tenant.ID, orders []string) (map[string]map[money.Currency]int64, error) {
	all := map[string]map[money.Currency]int64{}
	err := query(ctx, b.reads(t), func(r row) error {
		var order, currency string
		var minor int64
		err := r.Scan(&order, &currency, &minor)
		if all[order] == nil {
			all[order] = map[money.Currency]int64{}
		}
		all[order][money.Currency(currency)] = minor
		return err
	}, "SELECT order_id, currency, "+signed+" FROM ("+b.store.ofOrders("$2")+") r GROUP BY 1, 2", string(t), orders)
	if err != nil {
		return nil, fmt.Errorf("read balances: %w", err)
	}
	return all, nil
}

// ofOrders is the movements of the orders in a list, by index: their own, but those given away, and those they were given.
func (s *Store) ofOrders(list string) string {
	return "SELECT m.order_id, type, minor, currency FROM money_movements m WHERE m.tenant = $1 AND " + s.d.in("m.order_id", list) +
		" AND NOT EXISTS (SELECT 1 FROM money_assignments a WHERE a.tenant = m.tenant AND a.movement = m.id)" +
		" UNION ALL SELECT a.order_id, type, minor, currency FROM money_assignments a JOIN money_movements m ON m.tenant = a.tenant AND m.id = a.movement" +
		" WHERE a.tenant = $1 AND " + s.d.in("a.order_id", list)
}

// Drift implements ports.Books. It is one statement, which sees one moment.
func (b Books) Drift(ctx context.Context, t tenant.ID) (all []ports.Drifted, err error) {
	err = query(ctx, b.reads(t), func(r row) error {
		var d ports.Drifted
		var env string
		err := r.Scan(&env, &d.Variant, &d.Reserved, &d.Promised)
		d.Environment = tenant.Environment(env)
		all = append(all, d)
		return err
	}, `SELECT s.environment, s.variant, s.reserved, CAST(coalesce(h.promised, 0) AS bigint) FROM stock s
		LEFT JOIN (SELECT environment, variant, sum(quantity) AS promised FROM reservations WHERE tenant = $1 GROUP BY 1, 2) h
			ON h.environment = s.environment AND h.variant = s.variant
		WHERE s.tenant = $1 AND s.reserved <> coalesce(h.promised, 0) ORDER BY 1, 2`, string(t))
	if err != nil {
		return nil, fmt.Errorf("compare stock with reservations: %w", err)
	}
	return all, nil
}
