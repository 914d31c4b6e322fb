package sqlstore

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// providerCallRows is ports.ProviderCalls inside a transaction.
type providerCallRows struct{ *txn }

// attempts are the attempts of one call to a provider.
func (t providerCallRows) attempts(of ports.ProviderCall) *bun.SelectQuery {
	return t.store.db.Builder().Select((*providerCallRow)(nil)).Where("tenant = ?", string(of.Tenant)).Where("session = ?", of.Session).
		Where("operation = ?", of.Operation)
}

// Begin implements ports.ProviderCalls. It numbers the attempt and keeps the first attempt's key and bytes.
// Of two at once, one inserts nothing.
func (t providerCallRows) Begin(ctx context.Context, c ports.ProviderCall) (ports.ProviderCall, error) {
	if !t.Covers(string(c.Tenant)) {
		return c, t.fail(table.ErrForeignTenant)
	}
	c.Outcome, c.Detail = "", ""
	if earlier, known := t.earlierCalls(c); known {
		return t.enqueueCall(c, earlier), nil
	}
	b := t.store.db.Builder()
	first := func(column string) *bun.SelectQuery { return t.attempts(c).Column(column).Where("attempt = 1") }
	row := providerCallRow{Tenant: c.Tenant, ID: c.ID, Session: c.Session, Operation: c.Operation, StartedAt: nullTime(c.StartedAt)}
	q := b.Insert(&row).
		Value("attempt", "1 + (?)", t.attempts(c).ColumnExpr("count(*)")).
		Value("provider_key", "coalesce((?), ?)", first("provider_key"), c.ProviderKey).
		Value("request", "coalesce((?), ?)", first("request"), c.Request).
		On("CONFLICT (tenant, session, operation, attempt) DO NOTHING").
		Returning("attempt, provider_key, request, (?)", first("started_at"))
	begun := false
	err := b.Query(ctx, t, q, func(r db.Row) error {
		begun = true
		var at db.NullTime
		err := r.Scan(&c.Attempt, &c.ProviderKey, &c.Request, &at)
		if c.FirstAttemptAt = at.Time; c.Attempt == 1 { // the subquery does not see the row that is being inserted
			c.FirstAttemptAt = c.StartedAt
		}
		return err
	})
	switch {
	case err != nil:
		return c, fmt.Errorf("begin provider call: %w", err)
	case !begun:
		return c, ports.ErrStale
	}
	return c, nil
}

// earlierCalls are the attempts before c, if they were read ahead. A session that is created here has none.
func (t providerCallRows) earlierCalls(c ports.ProviderCall) (earlier []ports.ProviderCall, known bool) {
	if !t.defersWrites() {
		return nil, false
	}
	earlier, known = t.prefetched.calls[ports.CallRef{Session: c.Session, Operation: c.Operation}]
	return earlier, known || t.prefetched.created[c.Session]
}

const insertCall = `INSERT INTO provider_calls (tenant, id, session, operation, provider_key, request, attempt, outcome, detail, started_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, '', '', $8) ON CONFLICT (tenant, session, operation, attempt) DO NOTHING`

// enqueueCall has an attempt stored with the commit, and returns it.
func (t providerCallRows) enqueueCall(c ports.ProviderCall, earlier []ports.ProviderCall) ports.ProviderCall {
	c.Attempt, c.FirstAttemptAt = 1+len(earlier), c.StartedAt
	if len(earlier) > 0 {
		c.ProviderKey, c.Request, c.FirstAttemptAt = earlier[0].ProviderKey, earlier[0].Request, earlier[0].FirstAttemptAt
	}
	t.enqueue(queuedStmt{Stmt: db.Stmt{SQL: insertCall, Args: []any{
		string(c.Tenant), c.ID, c.Session, c.Operation, c.ProviderKey, c.Request, int64(c.Attempt), c.StartedAt,
	}}, errIfNoRows: ports.ErrStale})
	return c
}

// Finish implements ports.ProviderCalls.
func (t providerCallRows) Finish(ctx context.Context, c ports.ProviderCall) error {
	b := t.store.db.Builder()
	update := b.Update((*providerCallRow)(nil)).
		Set("outcome = ?", c.Outcome).Set("detail = ?", c.Detail).Set("finished_at = ?", db.Arg(db.TimeOrNull(c.FinishedAt))).
		Where("tenant = ?", string(c.Tenant)).Where("id = ?", c.ID)
	if err := t.changeRow(ctx, update, ports.ErrNotFound); err != nil {
		return fmt.Errorf("finish provider call: %w", err)
	}
	return nil
}

// Forget implements ports.ProviderCalls.
func (t providerCallRows) Forget(ctx context.Context, c ports.ProviderCall) error {
	if !t.Covers(string(c.Tenant)) {
		return t.fail(table.ErrForeignTenant)
	}
	b := t.store.db.Builder()
	_, err := b.Exec(ctx, t, b.Update((*providerCallRow)(nil)).Set("request = ?", []byte{}).
		Where("tenant = ?", string(c.Tenant)).Where("session = ?", c.Session).Where("operation = ?", c.Operation))
	if err != nil {
		return fmt.Errorf("erase the request of a provider call: %w", err)
	}
	return nil
}

// MayHaveActed implements ports.ProviderCalls.
func (t providerCallRows) MayHaveActed(ctx context.Context, id tenant.ID, session, operation string) (acted bool, err error) {
	if !t.Covers(string(id)) {
		return false, t.fail(table.ErrForeignTenant)
	}
	b := t.store.db.Builder()
	q := b.Select((*providerCallRow)(nil)).Column("id").Where("tenant = ?", string(id)).Where("session = ?", session).
		Where("operation = ? OR operation LIKE ?", operation, operation+":%").Where("outcome NOT IN ('declined', 'unsent')").Limit(1)
	if err := b.Query(ctx, t, q, func(r db.Row) error { acted = true; return r.Scan(new(string)) }); err != nil {
		return false, fmt.Errorf("find a provider call that may have acted: %w", err)
	}
	return acted, nil
}
