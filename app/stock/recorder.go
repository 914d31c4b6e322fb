package stock

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/lowstock"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Recorder records movements.
type Recorder struct {
	Now   func() time.Time
	NewID func() string
}

// Update writes what a transaction moved, and then the low-stock flags that depend on it.
func (r Recorder) Update(ctx context.Context, tx ports.Tx, locked []ports.StockKey, moved []ports.StockMovement) error {
	if changes := Changes(ctx, moved, r.Now(), r.NewID); len(changes) > 0 {
		if err := tx.Records.Write(ctx, changes...); err != nil {
			return err
		}
	}
	return lowstock.Tracker(r).Update(ctx, tx, locked)
}

// Changes are movements as new records. One without an id gets one.
func Changes(ctx context.Context, moved []ports.StockMovement, now time.Time, newID func() string) []collection.Change {
	var changes []collection.Change
	for _, m := range moved {
		if m.Movement == "" {
			m.Movement = newID()
		}
		m.Actor = m.Actor.Or(ports.ActorOf(ctx))
		changes = append(changes, collection.NewChange(inventory.Movements, nil, m.Record(), newID(), now))
	}
	return changes
}

// InitialMovements are the movements of the stock that a new variant brings, in both environments.
func InitialMovements(t tenant.ID, s ports.InitialStock, cause ports.StockCause) []ports.StockMovement {
	if s.Level.OnHand == 0 {
		return nil
	}
	m := ports.StockMovement{Cause: cause, Tenant: t, Environment: tenant.Live, Product: s.Product, Variant: s.Variant, After: s.Level.OnHand}
	test := m
	test.Environment = tenant.Test
	return []ports.StockMovement{m, test}
}
