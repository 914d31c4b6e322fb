package sqlstore

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Alone runs work while no other instance on this database migrates it, or runs such work. On SQLite, which has one server,
// it runs at once.
func (s *Store) Alone(ctx context.Context, work func(context.Context) error) error {
	if !s.d.postgres {
		return work(ctx)
	}
	return s.asOwner(ctx, func(conn *pgxpool.Conn, _ inTurn) error {
		if err := lockMigrations(ctx, conn); err != nil {
			return err
		}
		return work(ctx)
	})
}
