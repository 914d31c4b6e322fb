package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// EventNumbers lists the stored events of a record by their recordSequence.
func (s *Store) EventNumbers(ctx context.Context, id tenant.ID, record string) (numbers []int64, err error) {
	err = db.Query(ctx, s.engine.db.Reader(ports.ForTenant(id)), func(r db.Row) error {
		var n int64
		err := r.Scan(&n)
		numbers = append(numbers, n)
		return err
	}, "SELECT record_sequence FROM events WHERE tenant = $1 AND record = $2 ORDER BY record_sequence", string(id), record)
	return numbers, err
}

// EventsWithBefore lists those of them that keep the record before.
func (s *Store) EventsWithBefore(ctx context.Context, id tenant.ID, record string) (numbers []int64, err error) {
	err = db.Query(ctx, s.engine.db.Reader(ports.ForTenant(id)), func(r db.Row) error {
		var n int64
		err := r.Scan(&n)
		numbers = append(numbers, n)
		return err
	}, "SELECT record_sequence FROM events WHERE tenant = $1 AND record = $2 AND previous_doc IS NOT NULL ORDER BY record_sequence",
		string(id), record)
	return numbers, err
}

// EventText is the EventText of one event.
func (s *Store) EventText(ctx context.Context, id tenant.ID, record string, n int64) (text []byte, err error) {
	_, err = db.QueryRow(ctx, s.engine.db.Reader(ports.ForTenant(id)), []any{&text},
		"SELECT "+table.EventText+" FROM events e WHERE tenant = $1 AND record = $2 AND record_sequence = $3", string(id), record, n)
	return text, err
}

// Exec runs a statement of a test as requests run theirs.
func (s *Store) Exec(ctx context.Context, id tenant.ID, sql string, args ...any) error {
	return s.engine.transact(ctx, ports.ForTenant(id), func(ctx context.Context, t *txn) error {
		_, err := db.Exec(ctx, t, sql, args...)
		return err
	})
}

// Imbalance is an order for which more money was refunded than charged: the ledger is wrong.
type Imbalance struct {
	Tenant      tenant.ID
	Environment tenant.Environment
	Order       string
	Currency    money.Currency
	Minor       int64 // charges − refunds, below zero
}

// CheckLedger lists the imbalances of all tenants; there are none unless something is broken.
func (s *Store) CheckLedger(ctx context.Context) (wrong []Imbalance, err error) {
	err = db.Query(ctx, s.engine.db.Reader(db.SystemScope), func(r db.Row) error {
		var id, env, currency string
		var w Imbalance
		err := r.Scan(&id, &env, &w.Order, &currency, &w.Minor)
		w.Tenant, w.Environment, w.Currency = tenant.ID(id), tenant.Environment(env), money.Currency(currency)
		wrong = append(wrong, w)
		return err
	}, "SELECT r.tenant, environment, "+movementOwner+", currency, "+signedMinor+
		" FROM ledger_entries r LEFT JOIN ledger_assignments a ON a.tenant = r.tenant AND a.entry = r.id WHERE "+movementOwner+
		" <> '' GROUP BY 1, 2, 3, 4 HAVING "+signedMinor+" < 0 ORDER BY 1, 2, 3, 4")
	if err != nil {
		return nil, fmt.Errorf("check books: %w", err)
	}
	return wrong, nil
}

// ExecOwner runs a statement as the owner of the tables.
func (s *Store) ExecOwner(ctx context.Context, sql string) error {
	if !s.engine.dialect.Postgres {
		return s.engine.db.InTransaction(ctx, db.SystemScope, func(on db.Session) error { return db.Query(ctx, on, func(db.Row) error { return nil }, sql) })
	}
	return s.engine.db.AsOwner(ctx, func(owner db.Owner) error {
		return owner.InTransaction(ctx, func(on db.Session) error { return on.Run(ctx, db.Stmt{SQL: sql}) })
	})
}

// WaitingUnits is how many units of work wait for a shared transaction.
func WaitingUnits(s *Store) int {
	if g := s.engine.grouped; !s.engine.dialect.Postgres {
		g.mu.Lock()
		defer g.mu.Unlock()
		return len(g.waiting)
	}
	s.engine.sharing.mu.Lock()
	defer s.engine.sharing.mu.Unlock()
	return len(s.engine.sharing.waiting)
}

// LockBySQL is the statement by which a shared transaction locks the records that have a value.
func LockBySQL(s *Store, of *collection.Schema, field string, id tenant.ID, value string) (text string, args []any, err error) {
	u := &unit{t: &txn{}}
	u.t.view = view{TenantScope: s.engine.scoped(ports.ForTenant(id)), store: s.engine}
	u.t.prefetched = newPrefetched(&ports.Prefetch{LockBy: []ports.RefBy{{Schema: of, Field: field, Value: value}}})
	r := &sharedReads{sharedTransaction: &sharedTransaction{engine: s.engine, units: []*unit{u}}}
	err = r.locksBy()
	return r.stmts[0].SQL, r.stmts[0].Args, err
}
