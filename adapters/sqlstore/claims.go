package sqlstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Claims is a ports.Claims: rows of the receipts table that are not done yet. Here alone the database's clock
// counts, because the instances that compete for a lease share no other one. A row stays when its claim is
// given up, so that the fence only ever grows.
type Claims struct {
	db          *db.DB
	first, take string // the first claim of a key; any
	renew, drop string
}

var _ ports.Claims = Claims{}

// newClaims are the claims of a database.
func newClaims(d *db.DB) Claims {
	now, until := d.Dialect.Clock(), d.Dialect.Clock()+" + $4"
	if d.Dialect.Postgres {
		until += "::bigint * interval '1 millisecond'"
	}
	const mine = " WHERE tenant = $1 AND key = $2 AND NOT done AND fence = $3"
	first := `INSERT INTO receipts (tenant, key, fingerprint, done, fence, lease_until, created_at) VALUES ($1, $2, $3, FALSE, 1, ` +
		until + `, ` + now + `) ON CONFLICT (tenant, key) DO `
	return Claims{
		db:    d,
		first: first + "NOTHING",
		take: first + `UPDATE SET fence = receipts.fence + 1, fingerprint = excluded.fingerprint, lease_until = excluded.lease_until
			WHERE NOT receipts.done AND receipts.lease_until <= ` + now + ` AND (receipts.fingerprint = excluded.fingerprint OR length(receipts.fingerprint) = 0)
			RETURNING fence`,
		renew: "UPDATE receipts SET lease_until = " + until + mine,
		// Without a fingerprint the key may come back with another body; the next fence refuses what this
		// holder left behind.
		drop: "UPDATE receipts SET lease_until = " + now + ", fence = fence + 1, fingerprint = $4" + mine,
	}
}

// Claim implements ports.Claims.
func (c Claims) Claim(
	ctx context.Context, id tenant.ID, key ports.ReceiptKey, fingerprint [32]byte, lease time.Duration,
) (fence int64, done *ports.Receipt, err error) {
	err = c.db.Transact(ctx, ports.ForTenant(id), func(ctx context.Context, on db.Session) (err error) {
		fence, done, err = c.claim(ctx, on, id, key, fingerprint, lease)
		return err
	})
	return fence, done, err
}

// claim is Claim in a transaction.
func (c Claims) claim(
	ctx context.Context, on db.Session, id tenant.ID, key ports.ReceiptKey, fingerprint [32]byte, lease time.Duration,
) (fence int64, done *ports.Receipt, err error) {
	taken, err := db.QueryRow(ctx, on, []any{&fence}, c.take, string(id), key[:], fingerprint[:], lease.Milliseconds())
	if err != nil {
		return 0, nil, fmt.Errorf("claim key: %w", err)
	}
	if taken {
		return fence, nil, nil
	}
	switch kept, err := findReceipt(ctx, on, table.TenantScope{Dialect: c.db.Dialect, Scope: ports.ForTenant(id)}, key); {
	case err == nil:
		return 0, &kept, nil
	case !errors.Is(err, ports.ErrNotFound):
		return 0, nil, fmt.Errorf("claim key: %w", err)
	}
	var holder []byte
	_, err = db.QueryRow(ctx, on, []any{&holder}, "SELECT fingerprint FROM receipts WHERE tenant = $1 AND key = $2", string(id), key[:])
	switch {
	case err != nil:
		return 0, nil, fmt.Errorf("claim key: %w", err)
	case len(holder) > 0 && !bytes.Equal(holder, fingerprint[:]):
		return 0, nil, idempotency.ErrKeyReused
	}
	return 0, nil, idempotency.ErrInProgress
}

// Renew implements ports.Claims.
func (c Claims) Renew(ctx context.Context, id tenant.ID, key ports.ReceiptKey, fence int64, lease time.Duration) error {
	n, err := c.change(ctx, c.renew, id, key, fence, lease.Milliseconds())
	switch {
	case err != nil:
		return fmt.Errorf("renew claim: %w", err)
	case n == 0:
		return ports.ErrClaimLost
	}
	return nil
}

// Release implements ports.Claims. A claim that is no longer held is left alone.
func (c Claims) Release(ctx context.Context, id tenant.ID, key ports.ReceiptKey, fence int64) error {
	if _, err := c.change(ctx, c.drop, id, key, fence, []byte{}); err != nil {
		return fmt.Errorf("drop claim: %w", err)
	}
	return nil
}

func (c Claims) change(ctx context.Context, text string, id tenant.ID, key ports.ReceiptKey, fence int64, last any) (n int64, err error) {
	err = c.db.Transact(ctx, ports.ForTenant(id), func(ctx context.Context, on db.Session) error {
		n, err = db.Exec(ctx, on, text, string(id), key[:], fence, last)
		return err
	})
	return n, err
}
