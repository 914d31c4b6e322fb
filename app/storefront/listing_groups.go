package storefront

import (
	"context"
	"slices"
	"strconv"

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
func (b *Service) ListingGroups(ctx context.Context, p tenant.Principal, products []string, market string) ([]byte, error) {
	if err := requireCommerce(p); err != nil {
		return nil, err
	}
	if len(products) > collection.MaxLimit {
		return nil, fault.Invalidf("productIds", "At most %d products can be asked about at once.", collection.MaxLimit)
	}
	r := b.Store.Read(ports.ForPrincipal(p))
	found, err := r.GetMany(ctx, catalog.Products, products)
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
	body := []byte(`{"groups":[`)
	for _, g := range shelf.products {
		for _, o := range g.options {
			if body[len(body)-1] != '[' {
				body = append(body, ',')
			}
			body = g.appendGroup(body, o)
		}
	}
	return append(body, "]}"...), nil
}

func (g *productEntry) appendGroup(dst []byte, option collection.Record) []byte {
	dst = collection.AppendString(append(dst, `{"productId":`...), g.product.ID())
	dst = collection.AppendString(append(dst, `,"optionName":`...), option.Text("name"))
	dst = append(dst, `,"items":[`...)
	for _, value := range option.Rows("values") {
		having := slices.DeleteFunc(slices.Clone(g.variants), func(v pricedVariant) bool { return !slices.Contains(v.record.Texts("optionValues"), value.ID()) })
		if len(having) == 0 {
			continue
		}
		if dst[len(dst)-1] != '[' {
			dst = append(dst, ',')
		}
		dst = g.appendOptionValue(dst, value, having)
	}
	return append(dst, "]}"...)
}

// appendOptionValue appends an option value with the prices and availability of its variants.
func (g *productEntry) appendOptionValue(dst []byte, value collection.Record, variants []pricedVariant) []byte {
	dst = collection.AppendString(append(dst, `{"optionValueId":`...), value.ID())
	dst = collection.AppendString(append(dst, `,"label":`...), value.Text("label"))
	dst = g.appendImage(append(dst, `,"image":`...), g.variantImage(variants))
	dst = append(dst, `,"variantIds":[`...)
	for i, v := range variants {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = collection.AppendString(dst, v.record.ID())
	}
	dst = g.appendPriceRange(append(dst, `],"priceRange":`...), variants, func(p catalog.Price) money.Money { return p.Amount })
	return append(strconv.AppendBool(append(dst, `,"available":`...), slices.ContainsFunc(variants, pricedVariant.isAvailable)), '}')
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
