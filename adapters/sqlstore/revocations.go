package sqlstore

import (
	"context"
	"time"
)

// Revoke implements ports.Revocations. Sweep forgets entries that no longer matter.
func (s *Store) Revoke(ctx context.Context, jti string, from, until time.Time) error {
	return s.transact(ctx, systemScope, func(ctx context.Context, t *txn) error {
		_, err := exec(ctx, t, "INSERT INTO revocations AS r (jti, from_time, until_time) VALUES ($1, $2, $3) ON CONFLICT (jti) DO UPDATE SET from_time = CASE WHEN excluded.from_time < r.from_time THEN excluded.from_time ELSE r.from_time END, until_time = CASE WHEN excluded.until_time > r.until_time THEN excluded.until_time ELSE r.until_time END", jti, from, until)
		return err
	})
}

// Revoked implements ports.Revocations.
func (s *Store) Revoked(ctx context.Context, jti string, now time.Time) (bool, error) {
	return queryRow(ctx, &reads{s, systemScope}, []any{new(string)}, "SELECT jti FROM revocations WHERE jti = $1 AND from_time <= $2 AND until_time >= $2", jti, now)
}
