package stock

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// receiptTTL is how long the receipt of an adjustment is kept.
const receiptTTL = 7 * 24 * time.Hour

// Service changes counts by hand.
type Service struct {
	Store       ports.Store
	Idempotency *idempotency.Runner
	Now         func() time.Time
	NewID       func() string
}

// Adjustment is a change of the units on hand of a variant, with its reason and a note.
type Adjustment struct {
	inventory.Adjustment

	Reason, Note string
}

// Adjust changes the units on hand of a variant, in the caller's environment, and answers {movement, stock}.
// Without an idempotency key every call counts. Errors: those of idempotency and access.RequireOperator,
// ports.ErrNotFound, and those of inventory.Adjustment.Apply.
func (s *Service) Adjust(ctx context.Context, c idempotency.Call, variant string, in Adjustment) (idempotency.Response, error) {
	if err := access.RequireOperator(c.Principal, tenant.AdjustStock); err != nil {
		return idempotency.Response{}, err
	}
	work := func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		err = s.Store.Atomically(ctx, ports.ForPrincipal(c.Principal), func(ctx context.Context, tx ports.Tx) error {
			if receipt, err = s.adjust(ctx, tx, c, variant, in); err != nil {
				return err
			}
			return claim.Save(ctx, tx, receipt)
		})
		return receipt, err
	}
	answer, _, err := s.Idempotency.RunOptional(ctx, c, work, variant)
	return answer, err
}

func (s *Service) adjust(ctx context.Context, tx ports.Tx, c idempotency.Call, variant string, in Adjustment) (idempotency.Receipt, error) {
	p := c.Principal
	levels, err := tx.Stock.Levels(ctx, p.Environment, []string{variant}) // locks it
	if err != nil {
		return idempotency.Receipt{}, err
	}
	r, err := tx.Records.Get(ctx, catalog.Variants, variant)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	level, counted := levels[variant]
	if !counted {
		level.Tracked = catalog.Tracked(r)
	}
	next, err := in.Apply(variant, level)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	cause := ports.StockCause{Kind: inventory.Adjusted, Reason: in.Reason, Note: in.Note, Actor: p.Actor(), Movement: s.NewID()}
	if in.Count != nil {
		cause.Kind = inventory.Counted
	}
	if err := tx.Stock.Set(ctx, p.Tenant.ID, p.Environment, r.Text("product"), variant, next, cause); err != nil {
		return idempotency.Receipt{}, err
	}
	if err := tx.SyncStock(ctx); err != nil { // writes the movement
		return idempotency.Receipt{}, err
	}
	movement, err := tx.Records.Get(ctx, inventory.Movements, cause.Movement)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	body := c.Body(reply.Member{Name: "movement", Schema: inventory.Movements, Record: movement}, reply.Member{Name: "stock", Value: next.OnHand})
	receipt := c.Receipt(ports.ReceiptOK, body, nil, s.Now(), s.Now().Add(receiptTTL))
	receipt.About(movement)
	return receipt, nil
}
