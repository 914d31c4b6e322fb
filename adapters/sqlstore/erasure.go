package sqlstore

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/eventlog"
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

// RedactEvents implements ports.Erasure.
func (t erasureRows) RedactEvents(ctx context.Context, s *collection.Schema, found ports.PersonalEvents, ids ...string) (events int, err error) {
	id, err := t.tenant()
	if err != nil || len(ids) == 0 || s.NoEvents {
		return 0, err
	}
	text := t.store.events.EventsOfRecords(s.Slug)
	reads := []eventRead{{text, []any{id, ids}}}
	if !t.store.events.IndexedByRecord(s.Slug) {
		reads = []eventRead{
			{text + eventlog.Between, []any{id, ids, found.Through, int64(math.MaxInt64)}}, {text + eventlog.Numbered, []any{id, ids, numbersOf(found, ids)}},
		}
	}
	var stmts []db.Stmt
	err = personalEvents(ctx, t, s, reads, func(e storedEvent) {
		args := []any{id, e.record, e.key, *e.doc, textOrNull(e.previous)}
		stmts = append(stmts, db.Stmt{SQL: t.store.events.RewriteEvent(), Args: args})
	})
	if err == nil && len(stmts) > 0 {
		err = t.Run(ctx, stmts...)
	}
	if err != nil {
		return 0, fmt.Errorf("redact the events of %s: %w", s.Slug, err)
	}
	return len(stmts), nil
}

// numbersOf are the numbers of events of records that were found, as texts.
func numbersOf(found ports.PersonalEvents, ids []string) []string {
	numbers := []string{}
	for _, id := range ids {
		for _, n := range found.Of[id] {
			numbers = append(numbers, strconv.FormatInt(n, 10))
		}
	}
	return numbers
}

// textOrNull is an argument for a text that may be null.
func textOrNull(text *string) any {
	if text == nil {
		return nil
	}
	return *text
}

// RedactReceipts implements ports.Erasure.
func (t erasureRows) RedactReceipts(ctx context.Context, keys []ports.ReceiptKey, records ...ports.Ref) (answers int, err error) {
	id, err := t.tenant()
	if err != nil {
		return 0, err
	}
	schemas, _ := bySchemas(records)
	var stmts []db.Stmt
	for _, key := range keys {
		err := personalAnswers(ctx, t, schemas, func(_ ports.ReceiptKey, redacted []byte) {
			args := []any{id, key[:], redacted}
			stmts = append(stmts, db.Stmt{SQL: "UPDATE receipts SET body = $3 WHERE tenant = $1 AND key = $2", Args: args})
		}, shownAnswers+" AND r.key = $2", id, key[:])
		if err != nil {
			return 0, err
		}
	}
	if len(stmts) > 0 {
		err = t.Run(ctx, stmts...)
	}
	if err != nil {
		return 0, fmt.Errorf("redact stored answers: %w", err)
	}
	return len(stmts), nil
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
