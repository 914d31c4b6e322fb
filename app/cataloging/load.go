package cataloging

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// whole is a product with its parts.
type whole struct {
	product           collection.Record
	options, variants []collection.Record            // in order
	prices            map[string][]collection.Record // by variant
}

// load reads a product in one piece. Errors: ports.ErrNotFound.
func load(ctx context.Context, r ports.Reader, p tenant.Principal, id string) (w whole, err error) {
	if w.product, err = r.Get(ctx, catalog.Products, id); err != nil {
		return w, err
	}
	if w.options, err = children(ctx, r, p, catalog.Options, "product", id); err != nil {
		return w, err
	}
	if w.variants, err = children(ctx, r, p, catalog.Variants, "product", id); err != nil {
		return w, err
	}
	w.options, w.variants = catalog.SortByPosition(w.options), catalog.SortByPosition(w.variants)
	w.prices = map[string][]collection.Record{}
	ids := make([]any, len(w.variants))
	for i, v := range w.variants {
		ids[i] = v.ID()
	}
	if len(ids) == 0 {
		return w, nil
	}
	prices, err := children(ctx, r, p, catalog.MarketPrices, "variant", ids...)
	for _, price := range prices {
		w.prices[price.Text("variant")] = append(w.prices[price.Text("variant")], price)
	}
	return w, err
}

// children are the records of s whose field refers to one of ids, by id, with their computed fields.
func children(
	ctx context.Context, r ports.Reader, p tenant.Principal, s *collection.Schema, field string, ids ...any,
) ([]collection.Record, error) {
	return ports.FindAll(ctx, r, collection.Query{
		Schema: s, Environment: string(environment(p)), Where: s.Where(field, collection.In, ids...),
		Sort: s.SortBy("id"),
	})
}

// record is w in the form of ProductFields.
func (w whole) record() collection.Record {
	out := withRevision(w.product)
	options := make([]collection.Record, len(w.options))
	for i, o := range w.options {
		options[i] = withRevision(o)
	}
	variants := make([]collection.Record, len(w.variants))
	for i, v := range w.variants {
		variants[i] = withRevision(v)
		variants[i][valuesName] = w.chosen(v)
		prices := make([]collection.Record, len(w.prices[v.ID()]))
		for n, price := range w.prices[v.ID()] {
			prices[n] = withRevision(price)
		}
		variants[i][pricesName] = prices
	}
	out[optionsName], out[variantName] = options, variants
	return out
}

func withRevision(r collection.Record) collection.Record {
	c := r.Clone()
	c[collection.RevisionName] = r.Revision()
	return c
}

// chosen are the option values of a variant, in the order of the options.
func (w whole) chosen(variant collection.Record) []collection.Record {
	chosen := []collection.Record{}
	for _, o := range w.options {
		for _, row := range o.Rows("values") {
			if slices.Contains(variant.Texts(valuesName), row.ID()) {
				chosen = append(chosen, collection.Record{"option": o.Text("name"), "value": row.Text("label")})
			}
		}
	}
	return chosen
}
