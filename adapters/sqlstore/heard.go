package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Heard is a ports.Heard. Of two that note one event at once the primary key lets one in.
type Heard struct{ store *Store }

var _ ports.Heard = Heard{}

// Heard are the events of webhooks that s remembers.
func (s *Store) Heard() Heard { return Heard{s} }

// Has implements ports.Heard.
func (h Heard) Has(ctx context.Context, id tenant.ID, connection, event string) (bool, error) {
	var n int64
	found, err := queryRow(ctx, &reads{h.store, ports.Of(id)}, []any{&n},
		"SELECT 1 FROM heard_events WHERE tenant = $1 AND connection = $2 AND event = $3", string(id), connection, event)
	if err != nil {
		return false, fmt.Errorf("look for a webhook event: %w", err)
	}
	return found, nil
}

// Keep implements ports.Heard.
func (h Heard) Keep(ctx context.Context, id tenant.ID, connection, event string, until time.Time) error {
	err := h.store.transact(ctx, ports.Of(id), func(ctx context.Context, t *txn) error {
		_, err := exec(ctx, t, "INSERT INTO heard_events (tenant, connection, event, until_time) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING", string(id), connection, event, until)
		return err
	})
	if err != nil {
		return fmt.Errorf("keep a webhook event: %w", err)
	}
	return nil
}
