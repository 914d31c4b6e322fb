package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ProcessedWebhooks is a ports.ProcessedWebhooks. Of two that note one event at once the primary key lets one
// in.
type ProcessedWebhooks struct{ db *db.DB }

var _ ports.ProcessedWebhooks = ProcessedWebhooks{}

// Seen implements ports.ProcessedWebhooks.
func (h ProcessedWebhooks) Seen(ctx context.Context, id tenant.ID, connection, event string) (bool, error) {
	b := h.db.Builder()
	q := b.Select((*processedWebhookRow)(nil)).Where("tenant = ?", string(id)).Where("connection = ?", connection).Where("event = ?", event)
	found, err := db.Models[processedWebhookRow](ctx, b, h.db.Reader(ports.ForTenant(id)), q)
	if err != nil {
		return false, fmt.Errorf("look for a processed webhook: %w", err)
	}
	return len(found) > 0, nil
}

// Mark implements ports.ProcessedWebhooks.
func (h ProcessedWebhooks) Mark(ctx context.Context, id tenant.ID, connection, event string, until time.Time) error {
	b := h.db.Builder()
	row := processedWebhookRow{Tenant: id, Connection: connection, Event: event, ExpiresAt: nullTime(until)}
	err := h.db.Transact(ctx, ports.ForTenant(id), func(ctx context.Context, on db.Session) error {
		_, err := b.Exec(ctx, on, b.Insert(&row).On("CONFLICT DO NOTHING"))
		return err
	})
	if err != nil {
		return fmt.Errorf("mark a webhook as processed: %w", err)
	}
	return nil
}
