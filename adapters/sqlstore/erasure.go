package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// erasureRows is ports.Erasure inside a transaction.
type erasureRows struct{ *txn }

// tenant is the one that the transaction is bound to. Errors: table.ErrForeignTenant without one.
func (t erasureRows) tenant() (string, error) {
	if len(t.Scope.Tenants) != 1 {
		return "", t.fail(table.ErrForeignTenant)
	}
	return string(t.Scope.Tenants[0]), nil
}

// storedEvent is an event as it is rewritten.
type storedEvent struct {
	record        string
	key           int64 // what tells it from the other events of the record: see eventlog.Tables.EventsOfRecords
	doc, previous *string
}

// RedactEvents implements ports.Erasure.
func (t erasureRows) RedactEvents(ctx context.Context, s *collection.Schema, ids ...string) (events int, err error) {
	id, err := t.tenant()
	if err != nil || len(ids) == 0 || s.NoEvents {
		return 0, err
	}
	log := t.store.events
	var stmts []db.Stmt
	err = db.Query(ctx, t, func(r db.Row) error {
		var e storedEvent
		if err := r.Scan(&e.record, &e.key, &e.doc, &e.previous); err != nil {
			return err
		}
		doc, previous, changed, err := table.RedactEvent(s, e.record, []byte(*e.doc), e.previous)
		if err == nil && changed {
			stmts = append(stmts, db.Stmt{SQL: log.RewriteEvent(), Args: []any{id, e.record, e.key, doc, textOrNull(previous)}})
		}
		return err
	}, log.EventsOfRecords(s.Slug), id, ids)
	if err == nil && len(stmts) > 0 {
		err = t.Run(ctx, stmts...)
	}
	if err != nil {
		return 0, fmt.Errorf("redact the events of %s: %w", s.Slug, err)
	}
	return len(stmts), nil
}

// textOrNull is an argument for a text that may be null.
func textOrNull(text *string) any {
	if text == nil {
		return nil
	}
	return *text
}

// RedactReceipts implements ports.Erasure. Receipts are not found by the record that they are about, because every change of a
// cart would pay for the index: those of the tenant are gone through, without their bodies.
func (t erasureRows) RedactReceipts(ctx context.Context, records ...ports.Ref) (keys []ports.ReceiptKey, err error) {
	id, err := t.tenant()
	if err != nil || len(records) == 0 {
		return nil, err
	}
	schemas, ids := make(map[string]*collection.Schema, len(records)), make([]string, len(records))
	for i, r := range records {
		schemas[r.ID], ids[i] = r.Schema, r.ID
	}
	var stmts []db.Stmt
	err = db.Query(ctx, t, func(r db.Row) error {
		var key, body []byte
		if err := r.Scan(&key, &body); err != nil {
			return err
		}
		redacted, changed, err := table.RedactAnswer(schemas, body)
		if err == nil && changed {
			stmts = append(stmts, db.Stmt{SQL: "UPDATE receipts SET body = $3 WHERE tenant = $1 AND key = $2", Args: []any{id, key, redacted}})
			keys = append(keys, ports.ReceiptKey(key))
		}
		return err
	}, "SELECT r.key, r.body FROM receipts r WHERE r.tenant = $1 AND r.done AND r.result <> $3 AND "+t.store.dialect.InList("r.record", "$2"),
		id, ids, string(ports.ReceiptRefused))
	if err == nil && len(stmts) > 0 {
		err = t.Run(ctx, stmts...)
	}
	if err != nil {
		return nil, fmt.Errorf("redact stored answers: %w", err)
	}
	return keys, nil
}

// ForgetCalls implements ports.Erasure.
func (t erasureRows) ForgetCalls(ctx context.Context, sessions ...string) error {
	id, err := t.tenant()
	if err != nil || len(sessions) == 0 {
		return err
	}
	_, err = db.Exec(ctx, t, "UPDATE provider_calls SET request = $3 WHERE tenant = $1 AND "+t.store.dialect.InList("session", "$2")+
		" AND request <> $3", id, sessions, []byte{})
	if err != nil {
		return fmt.Errorf("erase requests to providers: %w", err)
	}
	return nil
}

// ForgetCustomer implements ports.Erasure.
func (t erasureRows) ForgetCustomer(ctx context.Context, customer string, addresses ...string) error {
	id, err := t.tenant()
	if err == nil && !t.Scope.System {
		err = t.fail(table.ErrForeignTenant)
	}
	if err != nil {
		return err
	}
	stmts := []db.Stmt{{
		SQL: "DELETE FROM logins WHERE kind = $1 AND subject = $2 AND tenant = $3", Args: []any{string(tenant.Customer), customer, id},
	}}
	if len(addresses) > 0 {
		stmts = append(stmts, db.Stmt{
			SQL:  "DELETE FROM email_requests WHERE collection = $1 AND sender = $2 AND " + t.store.dialect.InList("email", "$3"),
			Args: []any{identity.Customers.Slug, id, addresses},
		})
	}
	if err := t.Run(ctx, stmts...); err != nil {
		return fmt.Errorf("forget a customer: %w", err)
	}
	return nil
}
