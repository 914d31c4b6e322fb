package storefront

import (
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// appendProduct appends the product's JSON.
func (g *productEntry) appendProduct(dst []byte) []byte {
	product := g.withoutDeleted(catalog.Products, g.product)
	product["options"] = recordIDs(g.options)
	dst = collection.AppendJSON(dst, catalog.Products, product, g.view())
	dst = dst[:len(dst)-1]
	dst = collection.AppendString(append(dst, `,"handle":`...), g.product.Text("slug"))
	dst = g.appendImage(append(dst, `,"featuredImage":`...), catalog.ImageOf(product, nil))
	dst = g.appendAvailability(dst, slices.ContainsFunc(g.variants, pricedVariant.isAvailable))
	dst = g.appendPriceRange(append(dst, `,"priceRange":`...), g.variants, func(p catalog.Price) money.Money { return p.Amount })
	dst = g.appendPriceRange(append(dst, `,"compareAtPriceRange":`...), g.variants, func(p catalog.Price) money.Money { return p.CompareAt })
	if g.showQuantities {
		dst = g.appendQuantities(dst)
	}
	if !g.withVariants {
		return append(dst, '}')
	}
	dst = append(dst, `,"variants":[`...)
	for i, v := range g.variants {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = g.appendVariant(dst, v)
	}
	return append(dst, "]}"...)
}

func (s *productSet) appendAvailability(dst []byte, available bool) []byte {
	if s.omitStock {
		return dst
	}
	dst = strconv.AppendBool(append(dst, `,"available":`...), available)
	return strconv.AppendBool(append(dst, `,"availableForSale":`...), available)
}

func (g *productEntry) appendQuantities(dst []byte) []byte {
	var reserved, free int64
	for _, v := range g.variants {
		reserved += v.level.Reserved
		free += max(0, v.level.Available())
	}
	dst = strconv.AppendInt(append(dst, `,"reserved":`...), reserved, 10)
	return strconv.AppendInt(append(dst, `,"availableQuantity":`...), free, 10)
}

func (s *productSet) appendImage(dst []byte, id string) []byte {
	image := s.related[media.Schema.Slug][id]
	if image == nil {
		return append(dst, "null"...)
	}
	return collection.AppendJSON(dst, media.Schema, image, collection.View{})
}

// appendPriceRange appends {min, max, currency} over the variants that have such an amount, null if none has.
func (s *productSet) appendPriceRange(dst []byte, variants []pricedVariant, of func(catalog.Price) money.Money) []byte {
	var least, most money.Money
	for _, v := range variants {
		m := of(v.price.Price)
		if !v.hasPrice || m.Currency == "" {
			continue
		}
		if least.Currency == "" || m.Minor < least.Minor {
			least = m
		}
		if most.Currency == "" || m.Minor > most.Minor {
			most = m
		}
	}
	if least.Currency == "" {
		return append(dst, "null"...)
	}
	dst = least.AppendMajor(append(dst, `{"min":`...))
	dst = most.AppendMajor(append(dst, `,"max":`...))
	return append(collection.AppendString(append(dst, `,"currency":`...), string(s.facts.Currency)), '}')
}

func (g *productEntry) appendVariant(dst []byte, v pricedVariant) []byte {
	dst = collection.AppendJSON(dst, catalog.Variants, g.withoutDeleted(catalog.Variants, v.record), g.view())
	dst = dst[:len(dst)-1]
	dst = v.appendPrice(append(dst, `,"resolvedPrice":`...))
	dst = g.appendAvailability(dst, v.isAvailable())
	if g.showQuantities {
		dst = appendAvailableQuantity(append(dst, `,"availableQuantity":`...), v.level, true)
	}
	dst = append(dst, `,"selectedOptions":[`...)
	for _, o := range g.options {
		for _, value := range o.Rows("values") {
			if !slices.Contains(v.record.Texts("optionValues"), value.ID()) {
				continue
			}
			if dst[len(dst)-1] != '[' {
				dst = append(dst, ',')
			}
			dst = collection.AppendString(append(dst, `{"name":`...), o.Text("name"))
			dst = append(collection.AppendString(append(dst, `,"value":`...), value.Text("label")), '}')
		}
	}
	return append(dst, "]}"...)
}

func (v pricedVariant) appendPrice(dst []byte) []byte {
	if !v.hasPrice {
		return append(dst, "null"...)
	}
	dst = v.price.Amount.AppendMajor(append(dst, `{"amount":`...))
	dst = append(dst, `,"compareAtPrice":`...)
	if v.price.CompareAt.Currency != "" {
		dst = v.price.CompareAt.AppendMajor(dst)
	} else {
		dst = append(dst, "null"...)
	}
	dst = collection.AppendString(append(dst, `,"currency":`...), string(v.price.Amount.Currency))
	dst = append(dst, `,"marketId":`...)
	if v.price.MarketID != "" {
		dst = collection.AppendString(dst, v.price.MarketID)
	} else {
		dst = append(dst, "null"...)
	}
	return append(collection.AppendString(append(dst, `,"source":`...), string(v.price.Source)), '}')
}
