package records

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/ports"
)

// CatalogHooks are the hooks of the catalog, discounts and shipping policies by slug: they maintain slugs,
// default variants, options and stock rows. The registry has the collections that products link to.
func CatalogHooks(store ports.Store, registry *collection.Registry) map[string]Hooks {
	c := catalogHooks{store, registry}
	return map[string]Hooks{
		catalog.Products.Slug: {
			Batchable: true, Prepare: prepareProduct, BeforeLock: lockProductStock, BeforeWrite: c.beforeWriteProduct,
			AfterWrite: withStockSettled(afterWriteProduct), ExtraInput: []collection.Field{variantsInputField()},
			Reasons: stockReasons,
		},
		catalog.Options.Slug: {BeforeWrite: beforeWriteOption},
		catalog.Variants.Slug: {
			Prepare: prepareVariant, BeforeLock: lockVariantStock, BeforeWrite: beforeWriteVariant,
			AfterWrite: withStockSettled(afterWriteVariant), Reasons: stockReasons,
		},
		catalog.Brands.Slug:       {Batchable: true, BeforeWrite: beforeWriteTaxonomy},
		catalog.Tags.Slug:         {Batchable: true, BeforeWrite: beforeWriteTaxonomy},
		catalog.Categories.Slug:   {Batchable: true, BeforeWrite: beforeWriteCategory},
		catalog.Markets.Slug:      {Batchable: true, BeforeWrite: beforeWriteMarket},
		catalog.MarketPrices.Slug: {Batchable: true, Prepare: c.prepareMarketPrice, BeforeWrite: beforeWriteMarketPrice},
		"discounts":               {Batchable: true, BeforeWrite: beforeWriteDiscount},
		"shipping-policies":       {Batchable: true, BeforeWrite: beforeWriteShippingPolicy},
		tax.Schema.Slug:           {Batchable: true, BeforeWrite: beforeWriteTaxRate},
		inventory.Locations.Slug:  {Batchable: true, BeforeWrite: beforeWriteLocation},
	}
}

// catalogHooks is what the hooks of the catalog look up outside of a write.
type catalogHooks struct {
	store    ports.Store
	registry *collection.Registry
}

// variantsInputField is the input field that creates a new product's variants along with it.
func variantsInputField() collection.Field {
	fields := slices.Clone(catalog.Variants.Fields)
	for i := range fields {
		fields[i].Required = fields[i].Required && fields[i].Name != "product"
	}
	return collection.Field{
		Name: "variants", Kind: collection.Array, Fields: fields,
		Doc: "Its variants, created together with it; one default variant if omitted. Leave out product in each.",
	}
}

// variantInputs are the variants that Prepare found in the input of a product.
type variantInputs []map[string]any

func prepareProduct(_ context.Context, w *Write) error {
	product, variants, given, err := catalog.SplitVariants(w.Input)
	if err != nil {
		return err
	}
	if given && !w.Create {
		return fault.Invalidf("variants", "Inline variants are only allowed when creating a product; use product-variants instead.")
	}
	w.Input, w.HookData = product, variantInputs(variants)
	if w.Create {
		return nil
	}
	return expectStock(w)
}

// stockReasons are the refusals of a write of stock.
var stockReasons = []*fault.Error{inventory.ErrStockChanged, inventory.ErrOutOfStock}

func prepareVariant(_ context.Context, w *Write) error {
	if w.Create {
		return nil
	}
	return expectStock(w)
}

// beforeWriteProduct completes a product and creates its variants, or deletes them with it.
func (c catalogHooks) beforeWriteProduct(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.After == nil {
		return deleteProductChildren(ctx, tx, w)
	}
	if err := completeSlug(ctx, tx, w); err != nil {
		return err
	}
	if err := checkOptionOwners(ctx, tx, w); err != nil {
		return err
	}
	if err := completePublication(w); err != nil {
		return err
	}
	if !w.Create {
		return checkStock(ctx, tx, w, func() ([]collection.Record, error) {
			variants, err := listRelated(ctx, tx, w, catalog.Variants, "product", w.ID)
			if err == nil {
				_, err = catalog.StockTarget(variants)
			}
			return variants, err
		})
	}
	if w.variantsFollow {
		return nil
	}
	variants, _ := w.HookData.(variantInputs)
	if len(variants) == 0 {
		v := catalog.NewDefaultVariant(w.After, w.NewID())
		v["stock"], v["reserved"] = w.After.Int("stock"), int64(0)
		w.AddChange(catalog.Variants, nil, v)
		w.After = withInitialLowFlag(w.After, v)
		return nil
	}
	if w.After["stock"] != nil {
		return catalog.ErrStockOnVariants
	}
	return c.inlineVariants(ctx, tx, w, variants)
}

func completePublication(w *Write) (err error) {
	w.After, err = catalog.CompletePublication(w.Before, w.After, w.Now)
	return err
}

func (c catalogHooks) inlineVariants(ctx context.Context, tx ports.Tx, w *Write, variants variantInputs) error {
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
		w.AddChange(catalog.Variants, nil, v)
	}
	if len(bad) > 0 {
		return fault.ErrValidation.WithFields(bad...)
	}
	w.After = withInitialLowFlag(w.After, siblings...)
	return nil
}

// inlineVariant parses one variant of a product that is being created. The link to the product is not
// checked: it does not exist yet.
func (c catalogHooks) inlineVariant(
	ctx context.Context, tx ports.Tx, w *Write, input map[string]any, siblings []collection.Record,
) (collection.Record, error) {
	input = maps.Clone(input)
	if p, named := input["product"]; named && p != nil && p != w.ID {
		return nil, fault.Invalidf("product", "This variant belongs to another product.")
	}
	input["product"] = w.ID
	sub := Write{Principal: w.Principal, Schema: catalog.Variants, ID: w.NewID(), Create: true, Input: input, Now: w.Now, NewID: w.NewID}
	v, err := sub.writer().Merge(nil, input)
	if err != nil {
		return nil, err
	}
	sub.After = v.Clone()
	delete(sub.After, "product")
	if err := checkLinks(ctx, tx.Records, c.registry, &sub); err != nil {
		return nil, err
	}
	maps.Copy(v, newRecord(w.Principal, sub.Schema, sub.ID))
	if err := checkBarcode(nil, v); err != nil {
		return nil, err
	}
	v = catalog.CompleteVariant(nil, v, input, nil)
	if v["stock"] == nil {
		v["stock"] = int64(0)
	}
	v["reserved"] = int64(0)
	return withInitialLowFlag(v, v), catalog.CheckVariant(v, nil, siblings)
}

// afterWriteProduct writes stock rows: those of new variants, or that of the default variant when the
// product's stock was changed.
func afterWriteProduct(ctx context.Context, tx ports.Tx, w *Write) error {
	if w.After == nil {
		return nil
	}
	if w.Create {
		for _, change := range w.RelatedChanges {
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
	variants, err := listRelated(ctx, tx, w, catalog.Variants, "product", w.ID)
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
	return tx.Stock.Set(
		ctx, w.Principal.Tenant.ID, w.stockEnvironment(), variant.Text("product"), variant.ID(), stockLevel(variant), w.stockCause(),
	)
}

// deleteProductChildren deletes variants, options and fixed prices with their product.
func deleteProductChildren(ctx context.Context, tx ports.Tx, w *Write) error {
	variants, err := listRelated(ctx, tx, w, catalog.Variants, "product", w.ID)
	if err != nil {
		return err
	}
	for _, v := range variants {
		if err := deleteVariant(ctx, tx, w, v); err != nil {
			return err
		}
	}
	return deleteRelated(ctx, tx, w, catalog.Options, "product", w.ID)
}

// deleteVariant adds the deletion of a variant and its fixed prices to w.
func deleteVariant(ctx context.Context, tx ports.Tx, w *Write, v collection.Record) error {
	if v.ID() != w.ID {
		w.AddChange(catalog.Variants, v, nil)
	}
	return deleteRelated(ctx, tx, w, catalog.MarketPrices, "variant", v.ID())
}

func deleteRelated(ctx context.Context, tx ports.Tx, w *Write, s *collection.Schema, field, id string) error {
	records, err := listRelated(ctx, tx, w, s, field, id)
	for _, r := range records {
		w.AddChange(s, r, nil)
	}
	return err
}

// listRelated lists all records of s whose relation field refers to id, with their computed fields.
func listRelated(ctx context.Context, tx ports.Tx, w *Write, s *collection.Schema, field, id string) ([]collection.Record, error) {
	return ports.FindAll(ctx, tx.Records, collection.Query{
		Schema: s, Environment: string(w.Principal.Environment), Where: s.Where(field, collection.Equals, id),
		Sort: s.SortBy("id"),
	})
}
