package sqlstore

import (
	"context"
	"fmt"

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

	readReceipt = "SELECT tenant, fingerprint, result, body, request_id, record, revision, token_version, created_at, expires_at FROM receipts r WHERE done AND key = "
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

// scanReceipt reads the columns of readReceipt.
func scanReceipt(from db.Row, key ports.ReceiptKey) (ports.Receipt, error) {
	r := ports.Receipt{Key: key}
	var fingerprint []byte
	var at, expires db.NullTime
	var tenantID, result string
	err := from.Scan(&tenantID, &fingerprint, &result, &r.Body, &r.RequestID, &r.Record, &r.Sequence, &r.TokenVersion, &at, &expires)
	copy(r.Fingerprint[:], fingerprint)
	r.Tenant, r.Result, r.At, r.Expires = tenant.ID(tenantID), ports.ReceiptResult(result), at.Time, expires.Time
	return r, err
}

// findReceipt reads the receipt of a key within a scope. Errors: ports.ErrNotFound.
func findReceipt(ctx context.Context, on db.Session, within table.TenantScope, key ports.ReceiptKey) (r ports.Receipt, err error) {
	var a db.Args
	text := readReceipt + a.Bind(key[:]) + " AND " + within.TenantFilter(&a, "r")
	found := false
	err = db.Query(ctx, on, func(from db.Row) error { found = true; r, err = scanReceipt(from, key); return err }, text, a...)
	if err == nil && !found {
		err = ports.ErrNotFound
	}
	return r, err
}

// Receipt implements ports.Reader.
func (v *view) Receipt(ctx context.Context, key ports.ReceiptKey) (ports.Receipt, error) {
	return findReceipt(ctx, v.session, v.TenantScope, key)
}
