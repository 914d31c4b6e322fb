package content

import (
	"context"
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// withinVariant completes and checks a variant beside its siblings; its product's lock keeps two of them from coming or
// going at once.
func (c *Content) withinVariant(ctx context.Context, tx ports.Tx, w *Write) error {
	product := w.After.Text("product")
	if w.After == nil {
		product = w.Before.Text("product")
	}
	owner, err := tx.Records.Lock(ctx, catalog.Products, product)
	if err != nil {
		return err
	}
	siblings, err := every(ctx, tx, w, catalog.Variants, "product", product)
	if err != nil {
		return err
	}
	if w.After == nil {
		return lastVariant(ctx, tx, w, owner, siblings)
	}
	options, err := every(ctx, tx, w, catalog.Options, "product", product)
	if err != nil {
		return err
	}
	w.After = catalog.CompleteVariant(w.Before, w.After, w.Input, options)
	if err := catalog.CheckVariant(w.After, options, siblings); err != nil || !w.Create {
		return err
	}
	w.After = bornWith(w.After, w.After)
	if old := catalog.GivesWay(siblings); old != nil {
		return deleteVariant(ctx, tx, w, old)
	}
	return nil
}

// lastVariant puts a default variant in the place of a product's last one: a product always has something to sell.
func lastVariant(ctx context.Context, tx ports.Tx, w *Write, product collection.Record, siblings []collection.Record) error {
	if err := deleteVariant(ctx, tx, w, w.Before); err != nil || len(siblings) > 1 {
		return err
	}
	v := catalog.NewDefaultVariant(product, w.NewID())
	v["stock"], v["reserved"] = int64(0), int64(0)
	w.Change(catalog.Variants, nil, v)
	return nil
}

// thenVariant writes the stock row when the variant is new, or its stock or counting changed.
func thenVariant(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.After == nil {
		for _, change := range w.Also {
			if change.Schema == catalog.Variants && change.After != nil {
				return setStock(ctx, tx, w, change.After)
			}
		}
		return nil
	}
	same := collection.Equal(w.Before["stock"], w.After["stock"]) && catalog.Tracked(w.Before) == catalog.Tracked(w.After)
	if !w.Create && same {
		return nil
	}
	v := w.After
	if v["stock"] == nil { // a null clears nothing: the units are still there
		v = v.Clone()
		v["stock"] = w.Before.Int("stock")
	}
	return setStock(ctx, tx, w, v)
}

// withinOption completes the values of an option and keeps the product's list of options in step. A value that variants
// still have cannot go.
func withinOption(ctx context.Context, tx ports.Tx, w *Write) error {
	product := w.After.Text("product")
	if w.After == nil {
		product = w.Before.Text("product")
	}
	before, err := tx.Records.Lock(ctx, catalog.Products, product)
	if err != nil {
		return err
	}
	if w.After != nil {
		w.After = catalog.Complete(w.Schema, w.After, nil)
	}
	variants, err := every(ctx, tx, w, catalog.Variants, "product", product)
	if err != nil {
		return err
	}
	if err := valuesStay(w, variants); err != nil {
		return err
	}
	listed := slices.Contains(before.Texts("options"), w.ID)
	if listed == (w.After != nil) {
		return nil
	}
	after := before.Clone()
	after["options"] = slices.DeleteFunc(slices.Clone(before.Texts("options")), func(id string) bool { return id == w.ID })
	if w.After != nil {
		after["options"] = append(after.Texts("options"), w.ID)
	}
	w.Change(catalog.Products, before, after)
	return nil
}

// valuesStay refuses to drop an option value that a variant has. Errors: fault.ErrValidation.
func valuesStay(w *Write, variants []collection.Record) error {
	for i, row := range w.Before.Rows("values") {
		kept := slices.ContainsFunc(w.After.Rows("values"), func(r collection.Record) bool { return r.ID() == row.ID() })
		used := slices.ContainsFunc(variants, func(v collection.Record) bool { return slices.Contains(v.Texts("optionValues"), row.ID()) })
		if !kept && used {
			return fault.Invalidf("values."+strconv.Itoa(i), "Variants still have the value %q; change or delete them first.", row.Text("label"))
		}
	}
	return nil
}

// ownOptions refuses options of another product in a product's list. Errors: fault.ErrValidation.
func ownOptions(ctx context.Context, tx ports.Tx, w *Write) error {
	if collection.Equal(w.Before["options"], w.After["options"]) {
		return nil
	}
	options, err := tx.Records.GetMany(ctx, catalog.Options, w.After.Texts("options"))
	if err != nil {
		return err
	}
	for i, id := range w.After.Texts("options") {
		if o := options[id]; o != nil && o.Text("product") != w.ID {
			return fault.Invalidf("options."+strconv.Itoa(i), "This option belongs to another product.")
		}
	}
	return nil
}
