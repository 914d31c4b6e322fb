package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ProcessedWebhooks is a ports.ProcessedWebhooks. Of two that note one event at once the primary key lets one
// in.
type ProcessedWebhooks struct{ db *db.DB }

var _ ports.ProcessedWebhooks = ProcessedWebhooks{}

// Seen implements ports.ProcessedWebhooks.
func (h ProcessedWebhooks) Seen(ctx context.Context, id tenant.ID, connection, event string) (bool, error) {
	return isProcessed(ctx, h.db.Builder(), h.db.Reader(ports.ForTenant(id)), id, connection, event)
}

// Mark implements ports.ProcessedWebhooks.
func (h ProcessedWebhooks) Mark(ctx context.Context, id tenant.ID, connection, event string, until time.Time) error {
	err := h.db.Transact(ctx, ports.ForTenant(id), func(ctx context.Context, on db.Session) error {
		return on.Run(ctx, insertProcessedWebhook(id, connection, event, until))
	})
	if err != nil {
		return fmt.Errorf("mark a webhook as processed: %w", err)
	}
	return nil
}

// processedWebhookRows is ports.ProcessedWebhooks inside a transaction.
type processedWebhookRows struct{ *txn }

// Seen implements ports.ProcessedWebhooks.
func (t processedWebhookRows) Seen(ctx context.Context, id tenant.ID, connection, event string) (bool, error) {
	if !t.Covers(string(id)) {
		return false, t.fail(table.ErrForeignTenant)
	}
	return isProcessed(ctx, t.store.db.Builder(), t, id, connection, event)
}

// Mark implements ports.ProcessedWebhooks.
func (t processedWebhookRows) Mark(ctx context.Context, id tenant.ID, connection, event string, until time.Time) error {
	if !t.Covers(string(id)) {
		return t.fail(table.ErrForeignTenant)
	}
	if err := t.runOrDefer(ctx, insertProcessedWebhook(id, connection, event, until)); err != nil {
		return fmt.Errorf("mark a webhook as processed: %w", err)
	}
	return nil
}

func isProcessed(ctx context.Context, b *db.Builder, on db.Session, id tenant.ID, connection, event string) (bool, error) {
	q := b.Select((*processedWebhookRow)(nil)).Where("tenant = ?", string(id)).Where("connection = ?", connection).Where("event = ?", event)
	found, err := db.Models[processedWebhookRow](ctx, b, on, q)
	if err != nil {
		return false, fmt.Errorf("look for a processed webhook: %w", err)
	}
	return len(found) > 0, nil
}

func insertProcessedWebhook(id tenant.ID, connection, event string, until time.Time) db.Stmt {
	return db.Stmt{
		SQL:  "INSERT INTO processed_webhooks (tenant, connection, event, expires_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
		Args: []any{string(id), connection, event, until},
	}
}
