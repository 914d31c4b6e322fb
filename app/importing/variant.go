package importing

import (
	"context"
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// putVariant writes one variant of the file; repriced tells whether its price changed.
func (m *merge) putVariant(ctx context.Context, p Product, v Variant, has shelf, position int) (repriced bool, err error) {
	was := counterpart(p, v, has)
	fields, err := m.variantFields(ctx, p, v, has, was)
	if err != nil {
		return false, err
	}
	if was == nil {
		fields["product"], fields["position"] = has.product.ID(), numeral(int64(position))
		m.changed = true
		_, err = m.records.Create(ctx, m.tx, m.by, catalog.Variants, fields)
		return true, err
	}
	_, repriced = fields["price"]
	return repriced, m.update(ctx, catalog.Variants, was, fields)
}

// counterpart finds the shop's variant for one of the file: the same choice, or for products without choices the only
// variant; else the same SKU. Nil when it is new.
func counterpart(p Product, v Variant, has shelf) collection.Record {
	ids := valueIDs(p, v, has.options)
	for _, r := range has.variants {
		if r.Bool("isDefault") && len(v.Values) > 0 {
			continue // it gives way to the first real one
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

// variantFields are the fields the file speaks of, as input. A price that the variant has already, or falls back to, is
// left out; so is a kind that agrees with the shipping flag, since files know no kinds.
func (m *merge) variantFields(ctx context.Context, p Product, v Variant, has shelf, was collection.Record) (map[string]any, error) {
	images := []any{}
	if v.Image != "" {
		id, err := m.pictured(ctx, variantImage(p, v))
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
		"sku": textOrNull(v.SKU), "barcode": textOrNull(v.Barcode), "optionValues": values, "compareAtPrice": amountOrNull(v.CompareAt),
		"requiresShipping": v.RequiresShipping, "trackInventory": v.Tracked, "stock": numeral(v.Stock), "weight": amountOrNull(v.Grams),
		"metadata": metadata(was, v.Extra),
	}
	if v.Image != "" || len(was.Texts("images")) == 1 {
		fields["images"] = images
	}
	if base, ok := catalog.BasePrice(has.product, was); !ok || was == nil || !holds(collection.Field{}, base.Amount, collection.Numeral(v.Price)) {
		fields["price"] = collection.Numeral(v.Price)
	}
	if kind := v.kind(); was == nil || v.Kind != "" || catalog.ShipsBy(was) != v.RequiresShipping {
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

// variantImage takes the description of a variant's image from the product's, where it is the same picture.
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
	return collection.Numeral(text)
}

func numeral(n int64) collection.Numeral { return collection.Numeral(strconv.FormatInt(n, 10)) }
