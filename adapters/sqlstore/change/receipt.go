package change

import (
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/ports"
)

// InsertReceipt stores a receipt, given ReceiptArgs, unless its key has one.
const InsertReceipt = "INSERT INTO receipts (tenant, key, fingerprint, done, fence, result, body, request_id, record, revision, token_version, created_at, expires_at)" +
	" VALUES ($1, $2, $3, TRUE, 0, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (tenant, key) DO NOTHING"

// ReceiptColumns are the columns of ReceiptArgs, and ReceiptArrays these with their types.
const (
	ReceiptColumns = "tenant, key, fingerprint, result, body, request_id, record, revision, token_version, created_at, expires_at"
	ReceiptArrays  = "tenant text, key bytea, fingerprint bytea, result text, body bytea, request_id text, record text, revision bigint, token_version bigint, created_at timestamptz, expires_at timestamptz"
)

// ReceiptArgs are the values of a receipt. Its sequence is kept as the revision: those of a cart that changes
// are one number.
func ReceiptArgs(r ports.Receipt) []any {
	return []any{
		string(r.Tenant), r.Key[:], r.Fingerprint[:], string(r.Result), r.Body, r.RequestID, r.Record, r.Sequence, int64(r.TokenVersion),
		r.At, db.TimeOrNull(r.Expires),
	}
}

// AddStock stores the row of a variant's stock in an environment unless there is one: tenant, environment,
// product, variant, units on hand, whether they are counted.
const AddStock = "INSERT INTO stock (tenant, environment, product, variant, on_hand, reserved, tracked) VALUES ($1, $2, $3, $4, $5, 0, $6) ON CONFLICT (tenant, environment, variant) DO NOTHING"
