package stock

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Transfer is a move of units of a variant from one location to another, with a note.
type Transfer struct {
	inventory.Transfer

	Note string
}

// Move moves units of a variant between locations, in the caller's environment, and answers {movement, stock}: the units on
// hand stay. Without an idempotency key every call counts. Errors: those of idempotency and access.RequireOperator,
// ports.ErrNotFound, fault.ErrValidation for a location that is not there, and those of inventory.Transfer.Apply.
func (s *Service) Move(ctx context.Context, c idempotency.Call, variant string, in Transfer) (idempotency.Response, error) {
	return s.run(ctx, c, variant, func(ctx context.Context, tx ports.Tx) (idempotency.Receipt, error) {
		return s.move(ctx, tx, c, variant, in)
	})
}

func (s *Service) move(ctx context.Context, tx ports.Tx, c idempotency.Call, variant string, in Transfer) (idempotency.Receipt, error) {
	p := c.Principal
	if err := lockLocations(ctx, tx, variant, namedLocation{"from", in.From}, namedLocation{"to", in.To}); err != nil {
		return idempotency.Receipt{}, err
	}
	l, err := lockVariant(ctx, tx, p, variant)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	places, err := in.Apply(l.places, l.level.OnHand)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	if err := tx.StockPlaces.Put(ctx, p.Tenant.ID, p.Environment, variant, places); err != nil {
		return idempotency.Receipt{}, err
	}
	m := ports.StockMovement{
		Cause: ports.StockCause{
			Kind: inventory.Moved, Note: in.Note, From: in.From, Location: in.To, Actor: p.Actor(), Movement: s.NewID(),
		},
		Tenant: p.Tenant.ID, Environment: p.Environment, Product: l.record.Text("product"), Variant: variant,
		Before: l.level.OnHand, After: l.level.OnHand, Moved: in.Units,
	}
	if err := tx.Records.Write(ctx, Changes(ctx, []ports.StockMovement{m}, s.Now(), s.NewID)...); err != nil {
		return idempotency.Receipt{}, err
	}
	return s.receipt(ctx, tx, c, m.Movement, l.level.OnHand)
}

// lockedVariant is a variant whose stock is locked.
type lockedVariant struct {
	record collection.Record
	level  ports.StockLevel
	places inventory.Places
}

// lockVariant locks the stock of a variant in the environment of p. Errors: ports.ErrNotFound.
func lockVariant(ctx context.Context, tx ports.Tx, p tenant.Principal, variant string) (l lockedVariant, err error) {
	levels, err := tx.Stock.Levels(ctx, p.Environment, []string{variant}) // locks it
	if err != nil {
		return l, err
	}
	if l.record, err = tx.Records.Get(ctx, catalog.Variants, variant); err != nil {
		return l, err
	}
	var counted bool
	if l.level, counted = levels[variant]; !counted {
		l.level.Tracked = catalog.Tracked(l.record)
	}
	l.places, err = tx.StockPlaces.Of(ctx, p.Tenant.ID, p.Environment, variant)
	return l, err
}

// namedLocation is a location that a field of an input names by its id, "" for none.
type namedLocation struct{ field, id string }

// lockLocations has locations stay while units of a variant come to them, in the order of their ids. The variant is read first:
// whether it is there, in the revision that the caller knows, comes before what is wrong with the locations. Errors:
// ports.ErrNotFound, fault.ErrValidation.
func lockLocations(ctx context.Context, tx ports.Tx, variant string, all ...namedLocation) error {
	all = slices.DeleteFunc(all, func(l namedLocation) bool { return l.id == "" })
	if len(all) == 0 {
		return nil
	}
	if _, err := tx.Records.Get(ctx, catalog.Variants, variant); err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b namedLocation) int { return cmp.Compare(a.id, b.id) })
	for _, l := range all {
		_, err := tx.Records.LockShared(ctx, inventory.Locations, l.id)
		if errors.Is(err, ports.ErrNotFound) {
			err = fault.Invalidf(l.field, "There is no such record.")
		}
		if err != nil {
			return err
		}
	}
	return nil
}
