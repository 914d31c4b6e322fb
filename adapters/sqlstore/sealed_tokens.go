package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/ports"
)

// sealedTokenRows is ports.SealedTokens inside a transaction.
type sealedTokenRows struct{ *txn }

// Add implements ports.SealedTokens.
func (t sealedTokenRows) Add(ctx context.Context, e ports.SealedToken) error {
	if !t.Covers(string(e.Tenant)) {
		return t.fail(table.ErrForeignTenant)
	}
	b := t.store.db.Builder()
	row := sealedTokenRow{
		Tenant: e.Tenant, Event: e.Event, Collection: e.Collection, Ciphertext: e.Ciphertext, ExpiresAt: nullTime(e.Expires),
	}
	if _, err := b.Exec(ctx, t, b.Insert(&row)); err != nil {
		return fmt.Errorf("store a sealed token: %w", err)
	}
	return nil
}

// ForEvent implements ports.SealedTokens.
func (t sealedTokenRows) ForEvent(ctx context.Context, event string) (ports.SealedToken, error) {
	b := t.store.db.Builder()
	found, err := db.Models[sealedTokenRow](ctx, b, t, b.Select((*sealedTokenRow)(nil)).Where("?", t.filter()).Where("event = ?", event))
	switch {
	case err != nil:
		return ports.SealedToken{}, fmt.Errorf("find a sealed token: %w", err)
	case len(found) == 0:
		return ports.SealedToken{Event: event}, ports.ErrNotFound
	}
	r := found[0]
	return ports.SealedToken{
		Tenant: r.Tenant, Event: event, Collection: r.Collection, Ciphertext: r.Ciphertext, Expires: r.ExpiresAt.Time,
	}, nil
}

// Delete implements ports.SealedTokens.
func (t sealedTokenRows) Delete(ctx context.Context, event string) error {
	b := t.store.db.Builder()
	if _, err := b.Exec(ctx, t, b.Delete((*sealedTokenRow)(nil)).Where("?", t.filter()).Where("event = ?", event)); err != nil {
		return fmt.Errorf("delete a sealed token: %w", err)
	}
	return nil
}
