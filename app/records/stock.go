package records

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// What a write of the field stock replaces has to be said: a form that was opened before a sale would otherwise
// undo it. Rule catalog-23.

// expectedStock is what the input of an update expects to be on hand; nil: it does not say.
type expectedStock struct{ units *int64 }

// expectStock takes expectedStock out of the input of an update. Errors: fault.ErrValidation.
func expectStock(w *Write) error {
	given := map[string]any{}
	for _, f := range w.Schema.UpdateInput {
		if v, ok := w.Input[f.Name]; ok {
			given[f.Name] = v
			delete(w.Input, f.Name)
		}
	}
	if len(given) == 0 {
		return nil
	}
	reads := collection.InputParser{Schema: &collection.Schema{Slug: w.Schema.Slug, Fields: w.Schema.UpdateInput}, NewID: w.NewID, Now: w.Now}
	r, err := reads.Merge(nil, given)
	if units, ok := r[catalog.ExpectedStock].(int64); ok {
		w.HookData = expectedStock{&units}
	}
	return err
}

// checkStock refuses an update of stock that does not say what it replaces, or is wrong about it. Errors:
// fault.ErrForbidden for a role that may not correct stock, inventory.ErrStockChanged, and those of variants, which lists the
// variants that the stock is of.
func checkStock(ctx context.Context, tx ports.Tx, w *Write, variants func() ([]collection.Record, error)) error {
	if _, given := w.Input["stock"]; !given || w.Before == nil || w.After["stock"] == nil {
		return nil // null does not clear the stock
	}
	present, known := w.Before["stock"].(int64)
	expected, _ := w.HookData.(expectedStock)
	silent := w.basis.ifMatch == "" && expected.units == nil
	if silent && known && w.After.Int("stock") == present {
		return nil // sent back as it was read
	}
	all, err := variants()
	if err != nil {
		return err
	}
	if !known { // a caller without an environment
		if present, err = onHand(ctx, tx, w, all); err != nil {
			return err
		}
	}
	switch {
	case silent && w.After.Int("stock") == present:
		return nil
	case w.basis.ifMatch != "" && w.basis.ifMatch == Tag(w.Principal, w.Before):
	case w.basis.ifMatch == "" && expected.units != nil: // also where the new value is what is there: somebody else sold that unit
		err = inventory.CheckExpected(expected.units, present)
	default:
		err = inventory.ErrStockChanged.WithData("stock", present)
	}
	if err == nil && w.After.Int("stock") != present && w.Principal.Kind == tenant.User && !w.Principal.May(tenant.AdjustStock) {
		err = fault.ErrForbidden // whoever writes products need not be who counts them. Rule access-51.
	}
	return err
}

// onHand adds up the stock of variants.
func onHand(ctx context.Context, tx ports.Tx, w *Write, variants []collection.Record) (units int64, err error) {
	ids := make([]string, len(variants))
	for i, v := range variants {
		ids[i] = v.ID()
	}
	levels, err := tx.Stock.Levels(ctx, w.stockEnvironment(), ids)
	for _, l := range levels {
		units += l.OnHand
	}
	return units, err
}

// stockEnvironment is whose stock w writes.
func (w *Write) stockEnvironment() tenant.Environment {
	if env := w.Principal.Environment; env != "" {
		return env
	}
	return tenant.Live
}

// stockCause is why w changes stock.
func (w *Write) stockCause() ports.StockCause {
	cause := ports.StockCause{Kind: w.stockKind, Reason: w.stockReason, Actor: w.Principal.Actor()}
	switch {
	case cause.Kind != "":
	case w.Create:
		cause.Kind = inventory.Initial
	default:
		cause.Kind = inventory.Edited
	}
	return cause
}
