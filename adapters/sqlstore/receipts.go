package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	receiptColumns = "tenant, key, fingerprint, done, fence, result, body, request_id, record, revision, token_version, created_at, expires_at"

	addReceipt = "INSERT INTO receipts (" + receiptColumns + ") VALUES ($1, $2, $3, TRUE, 0, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (tenant, key) DO NOTHING"

	// A claim becomes the receipt as long as nobody else took it.
	finishClaim = `UPDATE receipts SET done = TRUE, fingerprint = $3, result = $4, body = $5, request_id = $6, record = $7, revision = $8, token_version = $9, created_at = $10, expires_at = $11
		WHERE tenant = $1 AND key = $2 AND NOT done AND fence = $12`

	readReceipt = "SELECT tenant, fingerprint, result, body, request_id, record, revision, token_version, created_at, expires_at FROM receipts r WHERE done AND key = "
)

func receiptArgs(r ports.Receipt) []any {
	return []any{string(r.Tenant), r.Key[:], r.Fingerprint[:], string(r.Result), r.Body, r.RequestID, r.Record, r.Revision, int64(r.TokenVersion), r.At, orNull(r.Expires)}
}

// receiptRows is ports.Receipts inside a transaction.
type receiptRows struct{ *txn }

// Keep implements ports.Receipts.
func (t receiptRows) Keep(ctx context.Context, r ports.Receipt, fence int64) error {
	if !t.covers(string(r.Tenant)) {
		return t.refuse(errForeign)
	}
	sql, args, refusal := addReceipt, receiptArgs(r), ports.ErrReceiptExists
	if fence != 0 {
		sql, args, refusal = finishClaim, append(args, fence), ports.ErrFenced
	}
	if t.lazy() {
		t.later(waiting{stmt: stmt{sql: sql, args: args}, must: refusal})
		return nil
	}
	n, err := exec(ctx, t, sql, args...)
	switch {
	case err != nil:
		return fmt.Errorf("keep receipt: %w", err)
	case n == 0:
		return refusal
	}
	return nil
}

// scanReceipt reads the columns of readReceipt.
func scanReceipt(from row, key ports.ReceiptKey) (ports.Receipt, error) {
	r := ports.Receipt{Key: key}
	var fingerprint []byte
	var at, expires moment
	var tenantID, result string
	err := from.Scan(&tenantID, &fingerprint, &result, &r.Body, &r.RequestID, &r.Record, &r.Revision, &r.TokenVersion, &at, &expires)
	copy(r.Fingerprint[:], fingerprint)
	r.Tenant, r.Result, r.At, r.Expires = tenant.ID(tenantID), ports.Result(result), at.Time, expires.Time
	return r, err
}

// Receipt implements ports.Reader.
func (v *view) Receipt(ctx context.Context, key ports.ReceiptKey) (r ports.Receipt, err error) {
	var a args
	text := readReceipt + a.bind(key[:]) + " AND " + v.fence(&a, "r")
	found := false
	err = query(ctx, v.on, func(from row) error { found = true; r, err = scanReceipt(from, key); return err }, text, a...)
	if err == nil && !found {
		err = ports.ErrAbsent
	}
	return r, err
}
