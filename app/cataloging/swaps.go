package cataloging

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// giveWay makes variants of the product leave the SKU and the option values that v is about to take, so that the variants of a
// form can swap them: no two have the same at any time. As no two have the same by the form, those that leave them get others
// later, or go away. Rule catalog-34.
func (p *plan) giveWay(ctx context.Context, v *part) error {
	for _, r := range slices.Clone(p.records.Family.Variants) { // as they are by now
		later := p.unwritten(r)
		if r.ID() == v.was.ID() || later == nil {
			continue
		}
		leave := map[string]any{}
		if number := p.records.Fold(v.sku()); number != "" && number == p.records.Fold(r.Text("sku")) {
			leave["sku"] = nil
		}
		if set := combination(v.chosen); set != "" && set == combination(p.chosenOf(r)) {
			leave[valuesName] = []any{}
		}
		if len(leave) == 0 {
			continue
		}
		if err := p.update(ctx, catalog.Variants, later, leave); err != nil {
			return err
		}
		delete(later.input, collection.RevisionName) // was compared, and is another one now
	}
	return nil
}

// unwritten is what the form says of a variant that is there: nil once it is written, and an empty part for one that goes
// away.
func (p *plan) unwritten(variant collection.Record) *part {
	for _, x := range p.variants {
		if x.was.ID() == variant.ID() && !x.written {
			return x
		}
	}
	if slices.ContainsFunc(p.removedVariants, func(r collection.Record) bool { return r.ID() == variant.ID() }) {
		return &part{path: variantName + ".", was: variant, input: map[string]any{}}
	}
	return nil
}

// sku is the SKU that a variant will have.
func (x *part) sku() string {
	given, isGiven := x.input["sku"]
	if !isGiven {
		return x.was.Text("sku")
	}
	text, _ := given.(string)
	return text
}
