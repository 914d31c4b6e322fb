package catalogtransfer

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// writeVariant writes one variant of the file; repriced reports whether its price changed.
func (m *productImport) writeVariant(
	ctx context.Context, p Product, v Variant, has existingProduct, position int,
) (repriced bool, err error) {
	was := matchingVariant(p, v, has)
	fields, err := m.variantFields(ctx, p, v, has, was)
	if err != nil {
		return false, err
	}
	if was == nil {
		fields["product"], fields["position"] = has.product.ID(), numeral(int64(position))
		m.changed = true
		_, err = m.records.Create(ctx, m.tx, m.actor, catalog.Variants, fields)
		return true, err
	}
	if err := m.resolveStock(ctx, v, was, fields); err != nil {
		return false, err
	}
	_, repriced = fields["price"]
	return repriced, m.writeDifferences(ctx, catalog.Variants, was, fields)
}

// resolveStock replaces the stock in fields, the file's, by what it means for a variant that the tenant has.
// It locks the stock: what is sold meanwhile waits.
func (m *productImport) resolveStock(ctx context.Context, v Variant, was collection.Record, fields map[string]any) error {
	delete(fields, "stock")
	levels, err := m.tx.Stock.Levels(ctx, cmp.Or(m.actor.Environment, tenant.Live), []string{was.ID()})
	if err != nil {
		return err
	}
	present, counted := levels[was.ID()].OnHand, max(0, v.Stock)
	switch {
	case m.stock == StockKept && counted != present:
		m.stockKept++
	case m.stock == StockAdded && v.Stock != 0:
		m.setStock(was, fields, present, present+v.Stock)
	case m.stock == StockCounted && counted != present:
		m.setStock(was, fields, present, counted)
	}
	return nil
}

// setStock has fields set the stock of was from present to next.
func (m *productImport) setStock(was collection.Record, fields map[string]any, present, next int64) {
	was["stock"] = present // as locked; it may have been read before
	fields["stock"], fields[catalog.ExpectedStock] = numeral(next), numeral(present)
}

// matchingVariant finds the tenant's variant that corresponds to one of the file: the same option values, or
// for products without options the only variant; else the same SKU. Nil if it is new.
func matchingVariant(p Product, v Variant, has existingProduct) collection.Record {
	ids := valueIDs(p, v, has.options)
	for _, r := range has.variants {
		if r.Bool("isDefault") && len(v.Values) > 0 {
			continue // it is replaced by the first real one
		}
		if slices.Equal(slices.Sorted(slices.Values(r.Texts("optionValues"))), slices.Sorted(slices.Values(ids))) {
			return r
		}
	}
	for _, r := range has.variants {
		if v.SKU != "" && r.Text("sku") == v.SKU {
			return r
		}
	}
	return nil
}

// valueIDs are the ids of the option values a variant has.
func valueIDs(p Product, v Variant, options []collection.Record) []string {
	var ids []string
	for n, label := range v.Values {
		i := slices.IndexFunc(options, func(o collection.Record) bool { return o.Text("name") == p.Options[n] })
		if i < 0 {
			continue
		}
		for _, row := range options[i].Rows("values") {
			if row.Text("label") == label {
				ids = append(ids, row.ID())
			}
		}
	}
	return ids
}

// variantFields are the fields in the file, as input. A price that the variant already has, or falls back to,
// is omitted; so is a kind that agrees with RequiresShipping, since files do not contain kinds.
func (m *productImport) variantFields(
	ctx context.Context, p Product, v Variant, has existingProduct, was collection.Record,
) (map[string]any, error) {
	images := []any{}
	if v.Image != "" {
		id, err := m.findOrCreateImage(ctx, variantImage(p, v))
		if err != nil {
			return nil, err
		}
		images = append(images, id)
	}
	values := []any{}
	for _, id := range valueIDs(p, v, has.options) {
		values = append(values, id)
	}
	fields := map[string]any{
		"sku": collection.TextOrNull(v.SKU), "barcode": collection.TextOrNull(v.Barcode), "optionValues": values,
		"compareAtPrice": amountOrNull(v.CompareAt), "requiresShipping": v.RequiresShipping, "trackInventory": v.Tracked,
		"stock": numeral(max(0, v.Stock)), "weight": amountOrNull(v.Grams), "metadata": metadata(was, v.Extra),
	}
	if v.Image != "" || len(was.Texts("images")) == 1 {
		fields["images"] = images
	}
	if base, ok := catalog.BasePrice(has.product, was); !ok || was == nil ||
		!valueEquals(collection.Field{}, base.Amount, collection.JSONNumber(v.Price)) {
		fields["price"] = collection.JSONNumber(v.Price)
	}
	if cost, ok := catalog.CostPriceOf(has.product, was); v.Cost != "" &&
		(!ok || !valueEquals(collection.Field{}, cost, collection.JSONNumber(v.Cost))) {
		fields[catalog.CostPrice] = collection.JSONNumber(v.Cost)
	}
	if kind := v.kind(); was == nil || v.Kind != "" || catalog.RequiresShipping(was) != v.RequiresShipping {
		fields["kind"] = kind
	}
	return fields, nil
}

func (v Variant) kind() string {
	switch {
	case v.Kind != "":
		return v.Kind
	case v.RequiresShipping:
		return catalog.Physical
	}
	return catalog.Digital
}

// variantImage completes a variant's image with the alt text of the product's, if it has the same URL.
func variantImage(p Product, v Variant) Image {
	for _, img := range p.Images {
		if img.URL == v.Image {
			return img
		}
	}
	return Image{URL: v.Image}
}

func amountOrNull(text string) any {
	if text == "" {
		return nil
	}
	return collection.JSONNumber(text)
}

func numeral(n int64) collection.JSONNumber { return collection.JSONNumber(strconv.FormatInt(n, 10)) }
