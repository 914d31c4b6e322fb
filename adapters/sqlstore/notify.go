package sqlstore

import (
	"context"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/migrate"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var _ ports.ChangeNotifier = (*Store)(nil)

// Subscribe implements ports.ChangeNotifier. A SQLite file does not say whose records another process changed: there every
// change counts as missed.
func (s *Store) Subscribe(ctx context.Context, changed func(tenant.ID), missed func()) error {
	return s.engine.db.Listen(ctx, migrate.NotifyChannel, func(payload string) { changed(tenant.ID(payload)) }, missed)
}
