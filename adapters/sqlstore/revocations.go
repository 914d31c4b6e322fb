package sqlstore

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/ports"
)

// Revocations is a ports.Revocations.
type Revocations struct{ db *db.DB }

var _ ports.Revocations = Revocations{}

// Revoke implements ports.Revocations. Sweep deletes entries that no longer matter. Of two for one id the
// earlier begins and the later ends.
func (r Revocations) Revoke(ctx context.Context, from, until time.Time, ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	rows := make([]revocationRow, len(ids))
	for i, id := range ids {
		rows[i] = revocationRow{JTI: id, RevokedAt: nullTime(from), ExpiresAt: nullTime(until)}
	}
	b := r.db.Builder()
	q := b.Insert(&rows).On("CONFLICT (jti) DO UPDATE").
		Set("revoked_at = CASE WHEN excluded.revoked_at < r.revoked_at THEN excluded.revoked_at ELSE r.revoked_at END").
		Set("expires_at = CASE WHEN excluded.expires_at > r.expires_at THEN excluded.expires_at ELSE r.expires_at END")
	return r.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		_, err := b.Exec(ctx, on, q)
		return err
	})
}

// Revoked implements ports.Revocations.
func (r Revocations) Revoked(ctx context.Context, now time.Time, ids ...string) (bool, error) {
	b := r.db.Builder()
	in := db.Expr(func(a *db.Args) string { return r.db.Dialect.InList("jti", a.Bind(ids)) })
	q := b.Select((*revocationRow)(nil)).Where("?", in).Where("revoked_at <= ?", now).Where("expires_at >= ?", now).Limit(1)
	found, err := db.Models[revocationRow](ctx, b, r.db.Reader(db.SystemScope), q)
	return len(found) > 0, err
}
