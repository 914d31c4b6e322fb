package stock

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// receiptTTL is how long the receipt of an adjustment is kept.
const receiptTTL = 7 * 24 * time.Hour

// Service changes counts by hand.
type Service struct {
	Store       ports.Store
	Places      ports.StockPlaceReader
	Idempotency *idempotency.Runner
	Now         func() time.Time
	NewID       func() string
}

// Adjustment is a change of the units on hand of a variant, with its reason and a note.
type Adjustment struct {
	inventory.Adjustment

	Location     string // id; "": nowhere in particular
	Reason, Note string
}

// Adjust changes the units on hand of a variant, in the caller's environment, and answers {movement, stock}.
// Without an idempotency key every call counts. Errors: those of idempotency and access.RequireOperator,
// ports.ErrNotFound, those of inventory.Adjustment.Apply, and with a location those of ApplyAt and fault.ErrValidation.
func (s *Service) Adjust(ctx context.Context, c idempotency.Call, variant string, in Adjustment) (idempotency.Response, error) {
	return s.run(ctx, c, variant, func(ctx context.Context, tx ports.Tx) (idempotency.Receipt, error) {
		return s.adjust(ctx, tx, c, variant, in)
	})
}

// run does work on a variant in a transaction, once where c has an idempotency key.
func (s *Service) run(
	ctx context.Context, c idempotency.Call, variant string, do func(context.Context, ports.Tx) (idempotency.Receipt, error),
) (idempotency.Response, error) {
	if err := access.RequireOperator(c.Principal, tenant.AdjustStock); err != nil {
		return idempotency.Response{}, err
	}
	work := func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		err = s.Store.Atomically(ctx, ports.ForPrincipal(c.Principal), func(ctx context.Context, tx ports.Tx) error {
			if receipt, err = do(ctx, tx); err != nil {
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
	if err := lockLocations(ctx, tx, variant, namedLocation{"location", in.Location}); err != nil {
		return idempotency.Receipt{}, err
	}
	l, err := lockVariant(ctx, tx, p, variant)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	next, places, err := in.apply(variant, l)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	cause := ports.StockCause{
		Kind: inventory.Adjusted, Reason: in.Reason, Note: in.Note, Location: in.Location, Actor: p.Actor(), Movement: s.NewID(),
	}
	if in.Count != nil {
		cause.Kind = inventory.Counted
	}
	if err := tx.Stock.Set(ctx, p.Tenant.ID, p.Environment, l.record.Text("product"), variant, next, cause); err != nil {
		return idempotency.Receipt{}, err
	}
	if in.Location != "" {
		if err := tx.StockPlaces.Put(ctx, p.Tenant.ID, p.Environment, variant, places); err != nil {
			return idempotency.Receipt{}, err
		}
	}
	if err := tx.SyncStock(ctx); err != nil { // writes the movement
		return idempotency.Receipt{}, err
	}
	return s.receipt(ctx, tx, c, cause.Movement, next.OnHand)
}

// apply returns the stock of a variant after in, and where its units lie then if in has a location.
func (in Adjustment) apply(variant string, l lockedVariant) (ports.StockLevel, inventory.Places, error) {
	if in.Location == "" {
		next, err := in.Apply(variant, l.level)
		return next, nil, err
	}
	return in.ApplyAt(variant, in.Location, l.level, l.places)
}

// receipt answers with a movement that was made, and the units on hand after it.
func (s *Service) receipt(ctx context.Context, tx ports.Tx, c idempotency.Call, id string, onHand int64) (idempotency.Receipt, error) {
	movement, err := tx.Records.Get(ctx, inventory.Movements, id)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	body := c.Body(reply.Member{Name: "movement", Schema: inventory.Movements, Record: movement}, reply.Member{Name: "stock", Value: onHand})
	receipt := c.Receipt(ports.ReceiptOK, body, nil, s.Now(), s.Now().Add(receiptTTL))
	receipt.About(movement)
	return receipt, nil
}
