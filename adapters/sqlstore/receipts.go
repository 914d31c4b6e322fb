package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/change"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	// A claim becomes the receipt unless it was taken over.
	finishClaim = `UPDATE receipts SET done = TRUE, fingerprint = $3, result = $4, body = $5, request_id = $6, record = $7, revision = $8, token_version = $9, created_at = $10, expires_at = $11
		WHERE tenant = $1 AND key = $2 AND NOT done AND fence = $12`

	receiptColumns = "r.tenant, r.fingerprint, r.result, r.body, r.request_id, r.record, r.revision, r.token_version, r.created_at, r.expires_at"
	readReceipt    = "SELECT " + receiptColumns + " FROM receipts r WHERE done AND key = "
)

// receiptRows is ports.Receipts inside a transaction.
type receiptRows struct{ *txn }

// Save implements ports.Receipts.
func (t receiptRows) Save(ctx context.Context, r ports.Receipt, fence int64) error {
	if !t.Covers(string(r.Tenant)) {
		return t.fail(table.ErrForeignTenant)
	}
	sql, args, refusal := change.InsertReceipt, change.ReceiptArgs(r), ports.ErrReceiptExists
	if fence != 0 {
		sql, args, refusal = finishClaim, append(args, fence), ports.ErrClaimLost
	}
	if t.defersWrites() {
		if had := t.prefetched.receipt; fence == 0 && had != nil && had.done && had.Key == r.Key {
			return ports.ErrReceiptExists // known before anything of others is undone for it
		}
		t.enqueue(queuedStmt{Stmt: db.Stmt{SQL: sql, Args: args}, errIfNoRows: refusal})
		return nil
	}
	n, err := db.Exec(ctx, t, sql, args...)
	switch {
	case err != nil:
		return fmt.Errorf("keep receipt: %w", err)
	case n == 0:
		return refusal
	}
	return nil
}

// Claim implements ports.Receipts.
func (t receiptRows) Claim(
	ctx context.Context, id tenant.ID, key ports.ReceiptKey, fingerprint [32]byte, lease time.Duration,
) (fence int64, done *ports.Receipt, err error) {
	c := t.store.claims
	if !t.defersWrites() || t.prefetched.plan.Receipt == nil || *t.prefetched.plan.Receipt != key || !t.prefetched.shared {
		return c.claim(ctx, t, id, key, fingerprint, lease)
	}
	switch r := t.prefetched.receipt; {
	case r != nil && r.done:
		return 0, &r.Receipt, nil
	case r != nil: // whether its lease lasts only the database can tell
		return 0, nil, t.fail(errAlone)
	}
	t.enqueue(queuedStmt{
		Stmt:        db.Stmt{SQL: c.first, Args: []any{string(id), key[:], fingerprint[:], lease.Milliseconds()}},
		errIfNoRows: ports.ErrReceiptExists,
	})
	return 1, nil, nil
}

// scanReceipt reads receiptColumns, and what was selected after them; a claim has no result yet.
func scanReceipt(from db.Row, more ...any) (ports.Receipt, error) {
	var r ports.Receipt
	var fingerprint []byte
	var at, expires db.NullTime
	var tenantID string
	var result, request, record *string
	var sequence, version *int64
	dest := append(make([]any, 0, 12), &tenantID, &fingerprint, &result, &r.Body, &request, &record, &sequence, &version, &at, &expires)
	err := from.Scan(append(dest, more...)...)
	copy(r.Fingerprint[:], fingerprint)
	r.Tenant, r.At, r.Expires = tenant.ID(tenantID), at.Time, expires.Time
	if result != nil && request != nil && record != nil && sequence != nil && version != nil {
		r.Result, r.RequestID, r.Record, r.Sequence, r.TokenVersion = ports.ReceiptResult(*result), *request, *record, *sequence, int(*version)
	}
	return r, err
}

// findReceipt reads the receipt of a key within a scope. Errors: ports.ErrNotFound.
func findReceipt(ctx context.Context, on db.Session, within table.TenantScope, key ports.ReceiptKey) (r ports.Receipt, err error) {
	var a db.Args
	text := readReceipt + a.Bind(key[:]) + " AND " + within.TenantFilter(&a, "r")
	found := false
	err = db.Query(ctx, on, func(from db.Row) error { found = true; r, err = scanReceipt(from); r.Key = key; return err }, text, a...)
	if err == nil && !found {
		err = ports.ErrNotFound
	}
	return r, err
}

// Receipt implements ports.Reader.
func (v *view) Receipt(ctx context.Context, key ports.ReceiptKey) (ports.Receipt, error) {
	return findReceipt(ctx, v.session, v.TenantScope, key)
}
