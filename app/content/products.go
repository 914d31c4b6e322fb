package content

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// CatalogHooks are the hooks of the catalog, discounts and shipping policies by slug: they keep slugs, default variants,
// options and stock rows in step. c is the Content they will serve.
func CatalogHooks(c *Content) map[string]Hooks {
	return map[string]Hooks{
		catalog.Products.Slug:     {Apart: true, Shape: shapeProduct, Enter: holdProduct, Within: c.withinProduct, Then: settled(thenProduct), Takes: []collection.Field{inlineField()}},
		catalog.Options.Slug:      {Within: withinOption},
		catalog.Variants.Slug:     {Enter: holdVariant, Within: c.withinVariant, Then: settled(thenVariant)},
		catalog.Brands.Slug:       {Apart: true, Within: withinGroup},
		catalog.Tags.Slug:         {Apart: true, Within: withinGroup},
		catalog.Categories.Slug:   {Apart: true, Within: withinCategory},
		catalog.Markets.Slug:      {Apart: true, Within: withinMarket},
		catalog.MarketPrices.Slug: {Apart: true, Shape: c.shapeMarketPrice, Within: withinMarketPrice},
		"discounts":               {Apart: true, Within: withinDiscount},
		"shipping-policies":       {Apart: true, Within: withinPolicy},
	}
}

// inlineField is how a new product brings its variants along.
func inlineField() collection.Field {
	fields := slices.Clone(catalog.Variants.Fields)
	for i := range fields {
		fields[i].Required = fields[i].Required && fields[i].Name != "product"
	}
	return collection.Field{
		Name: "variants", Kind: collection.Array, Fields: fields, Doc: "Its variants, made in the same step; left out: one default variant. product needs no mention.",
	}
}

// inline is what Shape found in the input of a product: its variants, as sent.
type inline []map[string]any

func shapeProduct(_ context.Context, w *Write) error {
	product, variants, given, err := catalog.SplitVariants(w.Input)
	if err != nil {
		return err
	}
	if given && !w.Create {
		return fault.Invalidf("variants", "Variants come inline with a new product only; write product-variants instead.")
	}
	w.Input, w.Note = product, inline(variants)
	return nil
}

// withinProduct completes a product and makes its variants, or takes them away with it.
func (c *Content) withinProduct(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.After == nil {
		return deleteWithProduct(ctx, tx, w)
	}
	if err := complete(ctx, tx, w); err != nil {
		return err
	}
	if err := ownOptions(ctx, tx, w); err != nil || !w.Create {
		return err
	}
	variants, _ := w.Note.(inline)
	if len(variants) == 0 {
		v := catalog.NewDefaultVariant(w.After, w.NewID())
		v["stock"], v["reserved"] = w.After.Int("stock"), int64(0)
		w.Change(catalog.Variants, nil, v)
		w.After = bornWith(w.After, v)
		return nil
	}
	if w.After["stock"] != nil {
		return catalog.ErrStockElsewhere
	}
	return c.inlineVariants(ctx, tx, w, variants)
}

func (c *Content) inlineVariants(ctx context.Context, tx ports.Tx, w *Write, variants inline) error {
	var siblings []collection.Record
	var bad []fault.Field
	for i, input := range variants {
		v, err := c.inlineVariant(ctx, tx, w, input, siblings)
		if f := fault.From(err); err != nil && len(f.Fields) == 0 {
			return err
		} else if err != nil {
			for _, p := range f.Fields {
				bad = append(bad, fault.Field{Field: "variants." + strconv.Itoa(i) + "." + p.Field, Message: p.Message})
			}
			continue
		}
		if _, placed := input["position"]; !placed {
			v["position"] = int64(i)
		}
		siblings = append(siblings, v)
		w.Change(catalog.Variants, nil, v)
	}
	if len(bad) > 0 {
		return fault.ErrValidation.In(bad...)
	}
	w.After = bornWith(w.After, siblings...)
	return nil
}

// inlineVariant reads one variant of a product that is being made. Its product needs no link check: it is not there yet.
func (c *Content) inlineVariant(ctx context.Context, tx ports.Tx, w *Write, input map[string]any, siblings []collection.Record) (collection.Record, error) {
	input = maps.Clone(input)
	if p, named := input["product"]; named && p != nil && p != w.ID {
		return nil, fault.Invalidf("product", "This variant is part of another product.")
	}
	input["product"] = w.ID
	sub := Write{Principal: w.Principal, Schema: catalog.Variants, ID: w.NewID(), Create: true, Input: input, Now: w.Now, NewID: w.NewID}
	v, err := sub.writer().Accept(nil, input)
	if err != nil {
		return nil, err
	}
	sub.After = v.Clone()
	delete(sub.After, "product")
	if err := c.checkLinks(ctx, tx.Records, &sub); err != nil {
		return nil, err
	}
	maps.Copy(v, newRecord(w.Principal, sub.Schema, sub.ID))
	v = catalog.CompleteVariant(nil, v, input, nil)
	if v["stock"] == nil {
		v["stock"] = int64(0)
	}
	v["reserved"] = int64(0)
	return bornWith(v, v), catalog.CheckVariant(v, nil, siblings)
}

// thenProduct writes stock rows: those of new variants, or of the default variant when the product's stock changed.
func thenProduct(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.After == nil {
		return nil
	}
	if w.Create {
		for _, change := range w.Also {
			if change.Schema != catalog.Variants || change.After == nil {
				continue
			}
			if err := setStock(ctx, tx, w, change.After); err != nil {
				return err
			}
		}
		return nil
	}
	if _, given := w.Input["stock"]; !given || w.After["stock"] == nil || collection.Equal(w.Before["stock"], w.After["stock"]) {
		return nil
	}
	variants, err := every(ctx, tx, w, catalog.Variants, "product", w.ID)
	if err != nil {
		return err
	}
	target, err := catalog.StockTarget(variants)
	if err != nil {
		return err
	}
	target = target.Clone()
	target["stock"] = w.After["stock"]
	return setStock(ctx, tx, w, target)
}

func setStock(ctx context.Context, tx ports.Tx, w *Write, variant collection.Record) error {
	env := w.Principal.Environment
	if env == "" {
		env = tenant.Live
	}
	return tx.Stock.Set(ctx, w.Principal.Tenant.ID, env, variant.Text("product"), variant.ID(), unitsOf(variant))
}

// deleteWithProduct takes variants, options and fixed prices away with their product.
func deleteWithProduct(ctx context.Context, tx ports.Tx, w *Write) error {
	variants, err := every(ctx, tx, w, catalog.Variants, "product", w.ID)
	if err != nil {
		return err
	}
	for _, v := range variants {
		if err := deleteVariant(ctx, tx, w, v); err != nil {
			return err
		}
	}
	return deleteEvery(ctx, tx, w, catalog.Options, "product", w.ID)
}

// deleteVariant adds the end of a variant and its fixed prices to w.
func deleteVariant(ctx context.Context, tx ports.Tx, w *Write, v collection.Record) error {
	if v.ID() != w.ID {
		w.Change(catalog.Variants, v, nil)
	}
	return deleteEvery(ctx, tx, w, catalog.MarketPrices, "variant", v.ID())
}

func deleteEvery(ctx context.Context, tx ports.Tx, w *Write, s *collection.Schema, field, id string) error {
	records, err := every(ctx, tx, w, s, field, id)
	for _, r := range records {
		w.Change(s, r, nil)
	}
	return err
}

// every lists all records of s whose relation field names id, with their computed fields.
func every(ctx context.Context, tx ports.Tx, w *Write, s *collection.Schema, field, id string) ([]collection.Record, error) {
	return ports.All(ctx, tx.Records, collection.Query{
		Schema: s, Environment: string(w.Principal.Environment), Where: s.Where(field, collection.Equals, id),
		Sort: []collection.Order{{Path: s.Where("id", collection.Exists, true).Path}},
	})
}
