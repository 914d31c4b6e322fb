package cataloging

import (
	"context"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/intake"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Merged is what became of a product that rows of a file were merged into.
type Merged struct {
	ID      string
	Changed bool
	Wrote   bool  // something was written, also if it was refused then: the transaction is of no more use to others
	Rows    []int // of each variant of the form: the row of the file that it is from; 0 for none
}

// MergeIn merges rows of a file into a product in a transaction of its caller, and makes the product if id is "". What the rows
// do not say stays: fields, options, variants and prices are added and changed, never removed, but for the prices of a variant
// whose row has a cell for them. A row is of the variant with its SKU, else of the one with its option values, else of the only
// one. Its stock is that of a new variant; the stock of others is left to counts and sales. Errors: as Create and Replace, by the
// paths of the form that has all variants; with exact, those of the database, too, which takes longer.
func (s *Service) MergeIn(
	ctx context.Context, tx ports.Tx, by tenant.Principal, id string, in intake.Product, exact bool,
) (done Merged, err error) {
	if err := s.checkReader(by); err != nil {
		return done, err
	}
	// The form is of what is there under the lock of the product: what others add before would else be taken out again.
	p, err := s.newPlan(ctx, tx, by, id, func(there whole, markets []collection.Record) (body map[string]any) {
		body, done.Rows = mergedForm(there, in, markets)
		return body
	})
	if err != nil {
		return done, err
	}
	done.ID, done.Wrote, p.exact = p.id, true, exact
	if err := p.write(ctx); err != nil {
		return done, err
	}
	done.Changed = p.changed || p.rewritten
	done.Wrote = done.Changed
	return done, nil
}

// mergedForm is the form of a product after the rows of a file, with the row of each of its variants.
func mergedForm(there whole, in intake.Product, markets []collection.Record) (body map[string]any, rows []int) {
	body = maps.Clone(in.Fields)
	if there.product == nil {
		maps.DeleteFunc(body, func(_ string, v any) bool { return v == nil })
	}
	if options, more := mergedOptions(there.options, in.Variants); more {
		body[optionsName] = options
	}
	var variants []any
	for _, v := range there.variants {
		variants, rows = append(variants, map[string]any{idName: v.ID()}), append(rows, 0)
	}
	for _, v := range in.Variants {
		fields := maps.Clone(v.Fields)
		at := findRow(there, rows, v, len(in.Variants))
		if at >= 0 {
			delete(fields, "stock")
			fields[idName] = there.variants[at].ID()
		} else {
			maps.DeleteFunc(fields, func(_ string, v any) bool { return v == nil })
			at = len(variants)
			variants, rows = append(variants, nil), append(rows, 0)
		}
		if v.Options != nil {
			fields[valuesName] = chosenForm(v.Options)
		}
		if v.Prices != nil {
			fields[pricesName] = mergedPrices(there.prices[textOf(fields[idName])], v.Prices, markets)
		}
		variants[at], rows[at] = fields, v.Row
	}
	body[variantName] = variants
	return body, rows
}

// findRow is the index of the variant that a row of a file with so many of them is of; -1 for a new one. rows has those that are
// taken.
func findRow(there whole, rows []int, v intake.Variant, of int) int {
	sku, _ := v.Fields["sku"].(string)
	free := func(i int) bool { return i < len(there.variants) && rows[i] == 0 }
	if sku != "" {
		if i := slices.IndexFunc(there.variants, func(r collection.Record) bool { return r.Text("sku") == sku }); i >= 0 && free(i) {
			return i
		}
	}
	chosen := make([]chosenValue, len(v.Options))
	for i, o := range v.Options {
		chosen[i] = chosenValue{o.Name, o.Value}
	}
	for i, r := range there.variants {
		if !free(i) || sku != "" && r.Text("sku") != "" {
			continue
		}
		if set := combination(chosen); set != "" && set == combination(there.chosenValues(r)) {
			return i
		}
	}
	if of == 1 && len(there.variants) == 1 && len(chosen) == 0 && (sku == "" || there.variants[0].Text("sku") == "") {
		return 0
	}
	return -1
}

func textOf(v any) string { s, _ := v.(string); return s }

// mergedPrices are the prices of a variant with those of a row, by the codes of markets.
func mergedPrices(there []collection.Record, said map[string]map[string]any, markets []collection.Record) []any {
	form := []any{}
	kept := map[string]bool{}
	for _, r := range there {
		i := slices.IndexFunc(markets, func(m collection.Record) bool { return m.ID() == r.Text("market") })
		if i < 0 {
			continue
		}
		code := markets[i].Text("code")
		price := map[string]any{idName: r.ID(), "market": code}
		kept[code] = true
		if amount, given := said[code]["amount"]; given && amount == nil {
			continue
		}
		maps.Copy(price, said[code])
		form = append(form, price)
	}
	for _, code := range slices.Sorted(maps.Keys(said)) {
		if kept[code] || said[code]["amount"] == nil && said[code]["compareAtAmount"] == nil {
			continue
		}
		price := map[string]any{"market": code}
		maps.Copy(price, said[code])
		form = append(form, price)
	}
	return form
}

// chosenValues are the option values of a variant.
func (w whole) chosenValues(variant collection.Record) (chosen []chosenValue) {
	for _, c := range w.chosen(variant) {
		chosen = append(chosen, chosenValue{c.Text("option"), c.Text("value")})
	}
	return chosen
}

func chosenForm(options []intake.Pair) []any {
	out := make([]any, len(options))
	for i, o := range options {
		out[i] = map[string]any{"option": o.Name, "value": o.Value}
	}
	return out
}

// mergedOptions are the options of a product with those of rows; more is false if the rows have no new ones.
func mergedOptions(there []collection.Record, variants []intake.Variant) (form []any, more bool) {
	type option struct {
		input  map[string]any
		values []any
		labels map[string]bool
	}
	var names []string
	byName := map[string]*option{}
	for _, o := range there {
		known := &option{map[string]any{idName: o.ID(), "name": o.Text("name")}, nil, map[string]bool{}}
		for _, row := range o.Rows("values") {
			known.labels[row.Text("label")] = true
			known.values = append(known.values, map[string]any{idName: row.ID(), "label": row.Text("label"), "slug": row.Text("slug")})
		}
		names, byName[o.Text("name")] = append(names, o.Text("name")), known
	}
	for _, v := range variants {
		for _, pair := range v.Options {
			o := byName[pair.Name]
			if o == nil {
				o = &option{map[string]any{"name": pair.Name}, nil, map[string]bool{}}
				names, byName[pair.Name] = append(names, pair.Name), o
			}
			if !o.labels[pair.Value] {
				o.labels[pair.Value], more = true, true
				o.values = append(o.values, map[string]any{"label": pair.Value})
			}
		}
	}
	for _, name := range names {
		byName[name].input["values"] = byName[name].values
		form = append(form, byName[name].input)
	}
	return form, more
}
