package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// paymentTaskRows is ports.PaymentTasks inside a transaction.
type paymentTaskRows struct{ *txn }

const insertPaymentTask = `INSERT INTO payment_tasks (tenant, kind, item, lane, urgency, since, due_at, fence) VALUES ($1, $2, $3, $4, $5, $6, $7, 1)
	ON CONFLICT (tenant, kind, item) DO `

const replacePaymentTask = insertPaymentTask + `UPDATE SET lane = excluded.lane, urgency = excluded.urgency, since = excluded.since,
	due_at = excluded.due_at, fence = payment_tasks.fence + 1`

func insertPaymentTasks(text string, tasks []ports.PaymentTask) []db.Stmt {
	stmts := make([]db.Stmt, len(tasks))
	for i, t := range tasks {
		stmts[i] = db.Stmt{SQL: text, Args: []any{
			string(t.Tenant), string(t.Kind), t.Item, t.Lane, int64(t.Urgency), t.Since, t.DueAt,
		}}
	}
	return stmts
}

// Schedule implements ports.PaymentTasks.
func (t paymentTaskRows) Schedule(ctx context.Context, tasks ...ports.PaymentTask) error {
	for _, one := range tasks {
		if !t.Covers(string(one.Tenant)) {
			return t.fail(table.ErrForeignTenant)
		}
	}
	if err := t.runOrDefer(ctx, insertPaymentTasks(replacePaymentTask, tasks)...); err != nil {
		return fmt.Errorf("schedule payment tasks: %w", err)
	}
	return nil
}

// Cancel implements ports.PaymentTasks.
func (t paymentTaskRows) Cancel(ctx context.Context, id tenant.ID, item string, kinds ...ports.PaymentTaskKind) error {
	if !t.Covers(string(id)) {
		return t.fail(table.ErrForeignTenant)
	}
	stmts := make([]db.Stmt, len(kinds))
	for i, kind := range kinds {
		stmts[i] = db.Stmt{
			SQL: "DELETE FROM payment_tasks WHERE tenant = $1 AND kind = $2 AND item = $3", Args: []any{string(id), string(kind), item},
		}
	}
	if err := t.runOrDefer(ctx, stmts...); err != nil {
		return fmt.Errorf("cancel payment tasks: %w", err)
	}
	return nil
}

// PaymentTaskQueue is a ports.PaymentTaskQueue.
type PaymentTaskQueue struct{ db *db.DB }

var _ ports.PaymentTaskQueue = PaymentTaskQueue{}

// Adopt implements ports.PaymentTaskQueue.
func (q PaymentTaskQueue) Adopt(ctx context.Context, tasks ...ports.PaymentTask) error {
	err := q.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		return on.Run(ctx, insertPaymentTasks(insertPaymentTask+"NOTHING", tasks)...)
	})
	if err != nil {
		return fmt.Errorf("adopt payment tasks: %w", err)
	}
	return nil
}

// inScope is the tenant predicate of scope s on the row called alias.
func (q PaymentTaskQueue) inScope(s ports.Scope, a *db.Args, alias string) string {
	return table.TenantScope{Dialect: q.db.Dialect, Scope: s}.TenantFilter(a, alias)
}

// dueLanes jumps from one lane to the next, however many tasks each has.
func (q PaymentTaskQueue) dueLanes(s ports.Scope, after string, now time.Time, limit int) db.Stmt {
	var a db.Args
	from, at, most := a.Bind(after), a.Bind(now), a.Bind(int64(limit))
	next := func(lane string) string {
		return "(SELECT d.lane FROM payment_tasks d WHERE d.lane > " + lane + " ORDER BY d.lane LIMIT 1)"
	}
	due := ""
	for urgency := range payment.LeastUrgent + 1 {
		if urgency > 0 {
			due += " OR "
		}
		due += fmt.Sprintf("EXISTS (SELECT 1 FROM payment_tasks d WHERE d.lane = e.lane AND d.urgency = %d AND d.due_at <= %s AND %s)",
			urgency, at, q.inScope(s, &a, "d"))
	}
	return db.Stmt{SQL: "WITH RECURSIVE e(lane) AS (SELECT " + next(from) + " UNION ALL SELECT " + next("e.lane") +
		" FROM e WHERE e.lane IS NOT NULL) SELECT lane FROM e WHERE lane IS NOT NULL AND (" + due + ") ORDER BY lane LIMIT " + most, Args: a}
}

// DueLanes implements ports.PaymentTaskQueue.
func (q PaymentTaskQueue) DueLanes(ctx context.Context, s ports.Scope, after string, now time.Time, limit int) (lanes []string, err error) {
	st := q.dueLanes(s, after, now, limit)
	err = db.Query(ctx, q.db.Reader(s), func(r db.Row) error {
		var lane string
		err := r.Scan(&lane)
		lanes = append(lanes, lane)
		return err
	}, st.SQL, st.Args...)
	if err != nil {
		return nil, fmt.Errorf("look for due payment tasks: %w", err)
	}
	return lanes, nil
}

// claim claims up to limit due tasks of one urgency. What another instance is claiming is left to it.
func (q PaymentTaskQueue) claim(s ports.Scope, lane string, urgency int, now, until time.Time, limit int) db.Stmt {
	var a db.Args
	due := "SELECT d.tenant, d.kind, d.item FROM payment_tasks d WHERE d.lane = " + a.Bind(lane) + " AND d.urgency = " + a.Bind(int64(urgency)) +
		" AND d.due_at <= " + a.Bind(now) + " AND " + q.inScope(s, &a, "d") + " ORDER BY d.due_at LIMIT " + a.Bind(int64(limit)) +
		q.db.Dialect.SkipLocked()
	return db.Stmt{SQL: "UPDATE payment_tasks SET due_at = " + a.Bind(until) + ", fence = fence + 1 WHERE (tenant, kind, item) IN (" + due +
		") RETURNING tenant, kind, item, lane, urgency, since, due_at, fence", Args: a}
}

// Claim implements ports.PaymentTaskQueue.
func (q PaymentTaskQueue) Claim(
	ctx context.Context, s ports.Scope, lane string, now, until time.Time, limit int,
) (claimed []ports.PaymentTask, err error) {
	err = q.db.Transact(ctx, s, func(ctx context.Context, on db.Session) error {
		claimed = nil
		for urgency := 0; urgency <= payment.LeastUrgent && len(claimed) < limit; urgency++ {
			st := q.claim(s, lane, urgency, now, until, limit-len(claimed))
			if err := db.Query(ctx, on, func(r db.Row) error {
				t, err := scanPaymentTask(r)
				claimed = append(claimed, t)
				return err
			}, st.SQL, st.Args...); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("claim payment tasks: %w", err)
	}
	return claimed, nil
}

func scanPaymentTask(r db.Row) (t ports.PaymentTask, err error) {
	var urgency int64
	var since, due db.NullTime
	err = r.Scan(&t.Tenant, &t.Kind, &t.Item, &t.Lane, &urgency, &since, &due, &t.Fence)
	t.Urgency, t.Since, t.DueAt = int(urgency), since.Time, due.Time
	return t, err
}

const claimedPaymentTask = " WHERE tenant = $1 AND kind = $2 AND item = $3 AND fence = $4"

// Reschedule implements ports.PaymentTaskQueue.
func (q PaymentTaskQueue) Reschedule(ctx context.Context, t ports.PaymentTask) error {
	return q.change(ctx, t, "UPDATE payment_tasks SET due_at = $5, urgency = $6, fence = fence + 1"+claimedPaymentTask, t.DueAt, int64(t.Urgency))
}

// Finish implements ports.PaymentTaskQueue.
func (q PaymentTaskQueue) Finish(ctx context.Context, t ports.PaymentTask) error {
	return q.change(ctx, t, "DELETE FROM payment_tasks"+claimedPaymentTask)
}

func (q PaymentTaskQueue) change(ctx context.Context, t ports.PaymentTask, text string, more ...any) error {
	args := append([]any{string(t.Tenant), string(t.Kind), t.Item, t.Fence}, more...)
	err := q.db.Transact(ctx, ports.ForTenant(t.Tenant), func(ctx context.Context, on db.Session) error {
		_, err := db.Exec(ctx, on, text, args...)
		return err
	})
	if err != nil {
		return fmt.Errorf("record a payment task: %w", err)
	}
	return nil
}
