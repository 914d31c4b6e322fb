package sqlstore

import (
	"context"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/eventlog"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
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
	}, "SELECT record_sequence FROM events WHERE tenant = $1 AND record = $2 AND previous_doc IS NOT NULL ORDER BY record_sequence", string(id), record)
	return numbers, err
}

// EventText is the EventText of one event.
func (s *Store) EventText(ctx context.Context, id tenant.ID, record string, n int64) (text []byte, err error) {
	_, err = db.QueryRow(ctx, s.engine.db.Reader(ports.ForTenant(id)), []any{&text}, "SELECT "+table.EventText+" FROM events e WHERE tenant = $1 AND record = $2 AND record_sequence = $3", string(id), record, n)
	return text, err
}

// Exec runs a statement of a test as requests run theirs.
func (s *Store) Exec(ctx context.Context, id tenant.ID, sql string, args ...any) error {
	return s.engine.transact(ctx, ports.ForTenant(id), func(ctx context.Context, t *txn) error {
		_, err := db.Exec(ctx, t, sql, args...)
		return err
	})
}

// NarrowLog is a log whose pages look at few numbers.
func (s *Store) NarrowLog(window int64) eventlog.Log {
	return eventlog.New(eventlog.Options{DB: s.engine.db, Tables: s.engine.events, Window: window})
}

// PlansOfDeliveries are how the database finds what the deliverer asks for, by the name of the question.
func (s *Store) PlansOfDeliveries(ctx context.Context, id tenant.ID, endpoint string, now time.Time) (map[string]string, error) {
	d := s.Deliveries()
	sh, err := s.engine.shape(webhook.Deliveries)
	if err != nil {
		return nil, err
	}
	plans := map[string]string{}
	const limit = 64
	for name, q := range map[string]db.Stmt{
		"claim":   {SQL: d.claimSQL(limit, ""), Args: []any{string(id), endpoint, now, now}},
		"hold":    {SQL: d.holdBackSQL(), Args: []any{string(id), endpoint, now}},
		"due":     {SQL: dueEndpoints, Args: []any{now, int64(limit)}},
		"tenants": {SQL: tenantsWithWebhooks},
		"expire":  {SQL: d.expireSQL(sh, limit), Args: []any{now, now}},
		"prune":   {SQL: d.pruneSQL(limit), Args: []any{now}},
		"lag":     {SQL: pendingDeliveries},
	} {
		err := s.engine.transact(ctx, db.SystemScope, func(ctx context.Context, t *txn) error {
			var lines []string
			var first []db.Stmt
			if name == "claim" || name == "hold" || name == "due" {
				first = d.forceIndexOrder()
			}
			err := t.Run(ctx, append(first, db.ExplainStmt(s.engine.dialect, q, &lines))...)
			plans[name] = strings.Join(lines, "\n")
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return plans, nil
}
