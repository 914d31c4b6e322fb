package storefront

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ListingGroups responds with {groups}: for each option of each published product, its values with the prices
// and availability of the variants that have them. Unknown and repeated ids are ignored; at most 500 are
// allowed. Errors: catalog.ErrMarketNotFound, tenant.ErrFeatureDisabled, fault.ErrForbidden,
// fault.ErrValidation, records.ErrAnswerTooLarge.
func (b *Service) ListingGroups(ctx context.Context, p tenant.Principal, products []string, market string) (*reply.Body, error) {
	if err := requireCommerce(p); err != nil {
		return nil, err
	}
	if len(products) > collection.MaxLimit {
		return nil, fault.Invalidf("productIds", "At most %d products can be asked about at once.", collection.MaxLimit)
	}
	r := b.Store.Read(ports.ForPrincipal(p))
	found, err := r.GetMany(ctx, catalog.Products, products, nil)
	if err != nil {
		return nil, err
	}
	var listed []collection.Record
	for _, id := range products {
		if product := found[id]; product.Text("status") == catalog.Published {
			listed = append(listed, product)
			delete(found, id)
		}
	}
	shelf := productSet{withVariants: true}
	if err := shelf.load(ctx, r, p, market, listed); err != nil {
		return nil, err
	}
	groups := reply.List{}
	for _, g := range shelf.products {
		for _, o := range g.options {
			groups = append(groups, g.group(o))
		}
	}
	return reply.Of(collection.Everyone, reply.Member{Name: "groups", Value: groups}).Bounded(&shelf.growth)
}

func (g *productEntry) group(option collection.Record) reply.Object {
	items := reply.List{}
	for _, value := range option.Rows("values") {
		having := slices.DeleteFunc(slices.Clone(g.variants),
			func(v pricedVariant) bool { return !slices.Contains(v.record.Texts("optionValues"), value.ID()) })
		if len(having) > 0 {
			items = append(items, g.optionValue(value, having))
		}
	}
	return reply.Object{
		{Name: "productId", Value: g.product.ID()}, {Name: "optionName", Value: option.Text("name")}, {Name: "items", Value: items},
	}
}

// optionValue is an option value with the prices and availability of its variants.
func (g *productEntry) optionValue(value collection.Record, variants []pricedVariant) reply.Object {
	ids := make([]any, len(variants))
	for i, v := range variants {
		ids[i] = v.record.ID()
	}
	return reply.Object{
		{Name: "optionValueId", Value: value.ID()},
		{Name: "label", Value: value.Text("label")},
		g.image("image", g.variantImage(variants)),
		{Name: "variantIds", Value: ids},
		g.priceRange("priceRange", variants, func(p catalog.Price) money.Money { return p.Amount }),
		{Name: "available", Value: slices.ContainsFunc(variants, pricedVariant.isAvailable)},
	}
}

// variantImage is the first image among the variants' own, else the product's; "" for none.
func (g *productEntry) variantImage(variants []pricedVariant) string {
	for _, v := range variants {
		if image := catalog.ImageOf(nil, g.withoutDeleted(catalog.Variants, v.record)); image != "" {
			return image
		}
	}
	return catalog.ImageOf(g.withoutDeleted(catalog.Products, g.product), nil)
}
