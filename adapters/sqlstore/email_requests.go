package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/ports"
)

// emailRequestRows is ports.EmailRequests inside a transaction.
type emailRequestRows struct{ *txn }

const emailRequestColumns = "id, collection, purpose, sender, account, email, requested_at"

// Add implements ports.EmailRequests.
func (t emailRequestRows) Add(ctx context.Context, due time.Time, requests ...ports.EmailRequest) error {
	if !t.Scope.System {
		return t.fail(table.ErrForeignTenant)
	}
	stmts := make([]db.Stmt, len(requests))
	for i, r := range requests {
		stmts[i] = db.Stmt{
			SQL:  "INSERT INTO email_requests (" + emailRequestColumns + ", due_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
			Args: []any{r.ID, r.Collection, r.Purpose, string(r.Tenant), r.Account, r.Email, r.RequestedAt, due},
		}
	}
	if err := t.Run(ctx, stmts...); err != nil {
		return fmt.Errorf("store an email request: %w", err)
	}
	return nil
}

// Finish implements ports.EmailRequests.
func (t emailRequestRows) Finish(ctx context.Context, id string) error {
	if !t.Scope.System {
		return t.fail(table.ErrForeignTenant)
	}
	n, err := db.Exec(ctx, t, "DELETE FROM email_requests WHERE id = $1", id)
	switch {
	case err != nil:
		return fmt.Errorf("finish an email request: %w", err)
	case n == 0:
		return ports.ErrNotFound
	}
	return nil
}

// EmailRequestQueue is a ports.EmailRequestQueue.
type EmailRequestQueue struct{ db *db.DB }

var _ ports.EmailRequestQueue = EmailRequestQueue{}

// ClaimDue implements ports.EmailRequestQueue. What another instance is claiming is left to it.
func (q EmailRequestQueue) ClaimDue(ctx context.Context, now, again time.Time, limit int) (due []ports.EmailRequest, err error) {
	found, err := db.QueryRow(ctx, q.db.Reader(db.SystemScope), []any{new(int64)}, "SELECT 1 FROM email_requests WHERE due_at <= $1 LIMIT 1", now)
	if err != nil || !found {
		return nil, err // mostly, at the cost of a read
	}
	text := "UPDATE email_requests SET due_at = $1 WHERE id IN (SELECT id FROM email_requests WHERE due_at <= $2 ORDER BY due_at LIMIT $3" +
		q.db.Dialect.SkipLocked() + ") RETURNING " + emailRequestColumns
	err = q.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		due = nil
		return db.Query(ctx, on, func(r db.Row) error {
			var x ports.EmailRequest
			var requested db.NullTime
			err := r.Scan(&x.ID, &x.Collection, &x.Purpose, &x.Tenant, &x.Account, &x.Email, &requested)
			x.RequestedAt = requested.Time
			due = append(due, x)
			return err
		}, text, again, now, int64(limit))
	})
	if err != nil {
		return nil, fmt.Errorf("claim email requests: %w", err)
	}
	return due, nil
}
