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
	number, values := p.taken(v)
	if len(p.was.variants) == 0 || number == "" && len(values) == 0 {
		return nil
	}
	for _, r := range slices.Clone(p.records.Family.Variants) { // as they are by now
		leave := map[string]any{}
		if number != "" && number == p.records.Fold(r.Text("sku")) {
			leave["sku"] = nil
		}
		if len(values) > 0 && catalog.SameValues(values, r.Texts(valuesName)) {
			leave[valuesName] = []any{}
		}
		if len(leave) == 0 || r.ID() == v.was.ID() {
			continue
		}
		later := p.unwritten(r)
		if later == nil {
			continue
		}
		if err := p.update(ctx, catalog.Variants, later, leave); err != nil {
			return err
		}
		delete(later.input, collection.RevisionName) // was compared, and is another one now
	}
	return nil
}

// taken is the folded SKU and the ids of the option values that v is about to take: none of those that it has already.
func (p *plan) taken(v *part) (number string, values []string) {
	if number = p.records.Fold(v.sku()); number == p.records.Fold(v.was.Text("sku")) {
		number = ""
	}
	if combination(v.chosen) == combination(p.chosenOf(v.was)) {
		return number, nil
	}
	for _, id := range p.valueIDs(v.chosen) {
		values = append(values, id.(string))
	}
	return number, values
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
