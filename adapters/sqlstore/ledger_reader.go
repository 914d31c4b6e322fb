package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// LedgerReader is ports.LedgerReader.
type LedgerReader struct{ db *db.DB }

var _ ports.LedgerReader = LedgerReader{}

func (b LedgerReader) session(t tenant.ID) db.Session {
	return b.db.Reader(ports.ForTenant(t))
}

const selectEntries = "SELECT r.id, r.environment, type, minor, r.currency, provider, account_key, reference, checkout, " + movementOwner + ", r.at, " +
	"COALESCE(t.currency, ''), COALESCE(t.net, 0), COALESCE(t.fee, 0) FROM ledger_entries r " +
	"LEFT JOIN ledger_assignments a ON a.tenant = r.tenant AND a.entry = r.id LEFT JOIN ledger_settlements t ON t.tenant = r.tenant AND t.entry = r.id " +
	"WHERE r.tenant = $1 AND r.id > $2 ORDER BY r.id LIMIT $3"

// Entries implements ports.LedgerReader. The order of an entry is the one it was assigned to later, if any.
func (b LedgerReader) Entries(ctx context.Context, t tenant.ID, after string, limit int) (all []ports.LedgerEntry, err error) {
	err = db.Query(ctx, b.session(t), func(r db.Row) error {
		m := ports.LedgerEntry{Tenant: t}
		var at db.NullTime
		var env, currency, settledIn string
		err := r.Scan(&m.ID, &env, &m.Type, &m.Amount.Minor, &currency, &m.Provider, &m.AccountKey, &m.Reference, &m.Checkout, &m.Order, &at,
			&settledIn, &m.Settled.Net.Minor, &m.Settled.Fee.Minor)
		m.Environment, m.At, m.Amount.Currency = tenant.Environment(env), at.Time, money.Currency(currency)
		m.Settled.Net.Currency, m.Settled.Fee.Currency = money.Currency(settledIn), money.Currency(settledIn)
		all = append(all, m)
		return err
	}, selectEntries, string(t), after, int64(limit))
	if err != nil {
		return nil, fmt.Errorf("read ledger entries: %w", err)
	}
	return all, nil
}

// Balances implements ports.LedgerReader.
func (b LedgerReader) Balances(ctx context.Context, t tenant.ID, orders []string) (map[string]map[money.Currency]int64, error) {
	all := map[string]map[money.Currency]int64{}
	err := db.Query(ctx, b.session(t), func(r db.Row) error {
		var order, currency string
		var minor int64
		err := r.Scan(&order, &currency, &minor)
		if all[order] == nil {
			all[order] = map[money.Currency]int64{}
		}
		all[order][money.Currency(currency)] = minor
		return err
	}, "SELECT order_id, currency, "+signedMinor+" FROM ("+movementsOfOrders(b.db.Dialect, "$2")+") r GROUP BY 1, 2", string(t), orders)
	if err != nil {
		return nil, fmt.Errorf("read balances: %w", err)
	}
	return all, nil
}

// movementsOfOrders is the movements of the orders in a list, by index: their own, but those given away, and
// those they were given.
func movementsOfOrders(d *db.Dialect, list string) string {
	return "SELECT m.order_id, type, minor, currency FROM ledger_entries m WHERE m.tenant = $1 AND " + d.InList("m.order_id", list) +
		" AND NOT EXISTS (SELECT 1 FROM ledger_assignments a WHERE a.tenant = m.tenant AND a.entry = m.id)" +
		" UNION ALL SELECT a.order_id, type, minor, currency FROM ledger_assignments a JOIN ledger_entries m ON m.tenant = a.tenant AND m.id = a.entry" +
		" WHERE a.tenant = $1 AND " + d.InList("a.order_id", list)
}

// StockDrift implements ports.LedgerReader. It is one statement, which sees one moment.
func (b LedgerReader) StockDrift(ctx context.Context, t tenant.ID) (all []ports.StockDrift, err error) {
	err = db.Query(ctx, b.session(t), func(r db.Row) error {
		var d ports.StockDrift
		var env string
		err := r.Scan(&env, &d.Variant, &d.Reserved, &d.ReservationSum)
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
