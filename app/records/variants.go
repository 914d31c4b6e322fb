package records

import (
	"context"
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// beforeWriteVariant completes and checks a variant against its siblings; the lock of the product serializes
// concurrent writes of its variants.
func beforeWriteVariant(ctx context.Context, tx ports.Tx, w *Write) error {
	siblings, options, err := lockFamily(ctx, tx, w)
	if err != nil {
		return err
	}
	if w.After == nil {
		return replaceLastVariant(ctx, tx, w, siblings)
	}
	if err := checkBarcode(w.Before, w.After); err != nil {
		return err
	}
	w.After = catalog.CompleteVariant(w.Before, w.After, w.Input, options)
	if err := catalog.CheckVariant(w.After, options, siblings); err != nil {
		return err
	}
	if !w.Create {
		return checkStock(ctx, tx, w, func() ([]collection.Record, error) { return []collection.Record{w.Before}, nil })
	}
	w.After = withInitialLowFlag(w.After, w.After)
	if old := catalog.ReplaceableDefault(siblings); old != nil {
		return deleteVariant(ctx, tx, w, old)
	}
	return nil
}

// checkBarcode checks the barcode of a variant, unless it is the one that was there before there was a check.
func checkBarcode(before, after collection.Record) error {
	if before != nil && before.Text("barcode") == after.Text("barcode") {
		return nil
	}
	return catalog.CheckBarcode(after.Text("barcode"))
}

// replaceLastVariant creates a default variant in place of a product's last one, since a product always has a
// variant to sell.
func replaceLastVariant(ctx context.Context, tx ports.Tx, w *Write, siblings []collection.Record) error {
	if err := deleteVariant(ctx, tx, w, w.Before); err != nil || len(siblings) > 1 {
		return err
	}
	product := collection.Record{"id": w.Before["product"], "tenant": w.Before["tenant"]}
	v := catalog.NewDefaultVariant(product, w.NewID())
	v["stock"], v["reserved"] = int64(0), int64(0)
	w.AddChange(catalog.Variants, nil, v)
	return nil
}

// afterWriteVariant writes the stock row when the variant is new, or its stock or inventory tracking changed.
func afterWriteVariant(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.After == nil {
		for _, change := range w.RelatedChanges {
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
	if v["stock"] == nil { // null does not clear the stock
		v = v.Clone()
		v["stock"] = w.Before.Int("stock")
	}
	return setStock(ctx, tx, w, v)
}

// beforeWriteOption completes the values of an option and updates the product's list of options. A value that
// variants still use cannot be removed.
func beforeWriteOption(ctx context.Context, tx ports.Tx, w *Write) error {
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
	variants := w.family.variants()
	if w.family == nil {
		if variants, err = listRelated(ctx, tx, w, catalog.Variants, "product", product); err != nil {
			return err
		}
	}
	if err := checkUsedValues(w, variants); err != nil {
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
	w.AddChange(catalog.Products, before, after)
	return nil
}

// checkUsedValues refuses to remove an option value that a variant uses. Errors: fault.ErrValidation.
func checkUsedValues(w *Write, variants []collection.Record) error {
	for i, row := range w.Before.Rows("values") {
		kept := slices.ContainsFunc(w.After.Rows("values"), func(r collection.Record) bool { return r.ID() == row.ID() })
		used := slices.ContainsFunc(variants, func(v collection.Record) bool { return slices.Contains(v.Texts("optionValues"), row.ID()) })
		if !kept && used {
			return fault.Invalidf("values."+strconv.Itoa(i), "Variants still use the value %q; change or delete them first.",
				row.Text("label"))
		}
	}
	return nil
}

// checkOptionOwners refuses options of other products in a product's list. Errors: fault.ErrValidation.
func checkOptionOwners(ctx context.Context, tx ports.Tx, w *Write) error {
	if collection.Equal(w.Before["options"], w.After["options"]) {
		return nil
	}
	options, err := tx.Records.GetMany(ctx, catalog.Options, w.After.Texts("options"), nil)
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
