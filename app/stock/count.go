package stock

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Count is how many units of a variant were counted.
type Count struct {
	Variant collection.Record
	Units   int64
}

// Counted is what became of a Count.
type Counted struct {
	Changed bool  // false: so many were on hand already, and there is no movement
	Refused error // why it was not taken: one of the errors of inventory.Adjustment.Apply
}

// CountIn sets the units on hand of variants in the caller's environment, in a transaction of its own caller, and answers in the
// order of counts. Each variant is there once. Errors: those of access.RequireOperator and of the database.
func (s *Service) CountIn(ctx context.Context, tx ports.Tx, by tenant.Principal, counts []Count) ([]Counted, error) {
	if err := access.RequireOperator(by, tenant.AdjustStock); err != nil {
		return nil, err
	}
	ids := make([]string, len(counts))
	for i, c := range counts {
		ids[i] = c.Variant.ID()
	}
	levels, err := tx.Stock.Levels(ctx, by.Environment, ids) // locks them
	if err != nil {
		return nil, err
	}
	done := make([]Counted, len(counts))
	for i, c := range counts {
		level, known := levels[c.Variant.ID()]
		if !known {
			level.Tracked = catalog.Tracked(c.Variant)
		}
		if known && level.OnHand == c.Units {
			continue
		}
		next, err := inventory.Adjustment{Count: &c.Units}.Apply(c.Variant.ID(), level)
		if err != nil {
			done[i].Refused = err
			continue
		}
		cause := ports.StockCause{Kind: inventory.Counted, Actor: by.Actor()}
		if err := tx.Stock.Set(ctx, by.Tenant.ID, by.Environment, c.Variant.Text("product"), c.Variant.ID(), next, cause); err != nil {
			return nil, err
		}
		done[i].Changed = true
	}
	return done, nil
}
