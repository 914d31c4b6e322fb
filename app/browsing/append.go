package browsing

import (
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// append writes the product.
func (g *goods) append(dst []byte) []byte {
	product := g.present(catalog.Products, g.product)
	product["options"] = idsOf(g.options)
	dst = collection.AppendJSON(dst, catalog.Products, product, g.view())
	dst = dst[:len(dst)-1]
	dst = collection.AppendString(append(dst, `,"handle":`...), g.product.Text("slug"))
	dst = g.appendImage(append(dst, `,"featuredImage":`...), catalog.ImageOf(product, nil))
	dst = g.appendAvailable(dst, slices.ContainsFunc(g.variants, variant.available))
	dst = g.appendRange(append(dst, `,"priceRange":`...), g.variants, func(p catalog.Price) money.Money { return p.Amount })
	dst = g.appendRange(append(dst, `,"compareAtPriceRange":`...), g.variants, func(p catalog.Price) money.Money { return p.CompareAt })
	if g.quantities {
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

func (s *shelf) appendAvailable(dst []byte, available bool) []byte {
	if s.timeless {
		return dst
	}
	dst = strconv.AppendBool(append(dst, `,"available":`...), available)
	return strconv.AppendBool(append(dst, `,"availableForSale":`...), available)
}

func (g *goods) appendQuantities(dst []byte) []byte {
	var reserved, free int64
	for _, v := range g.variants {
		reserved += v.level.Reserved
		free += max(0, v.level.Free())
	}
	dst = strconv.AppendInt(append(dst, `,"reserved":`...), reserved, 10)
	return strconv.AppendInt(append(dst, `,"availableQuantity":`...), free, 10)
}

func (s *shelf) appendImage(dst []byte, id string) []byte {
	image := s.related[media.Schema.Slug][id]
	if image == nil {
		return append(dst, "null"...)
	}
	return collection.AppendJSON(dst, media.Schema, image, collection.View{})
}

// appendRange writes {min, max, currency} over the variants that have such an amount, null when none has.
func (s *shelf) appendRange(dst []byte, variants []variant, of func(catalog.Price) money.Money) []byte {
	var least, most money.Money
	for _, v := range variants {
		m := of(v.price.Price)
		if !v.priced || m.Currency == "" {
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

func (g *goods) appendVariant(dst []byte, v variant) []byte {
	dst = collection.AppendJSON(dst, catalog.Variants, g.present(catalog.Variants, v.record), g.view())
	dst = dst[:len(dst)-1]
	dst = v.appendPrice(append(dst, `,"resolvedPrice":`...))
	dst = g.appendAvailable(dst, v.available())
	if g.quantities {
		dst = appendLeft(append(dst, `,"availableQuantity":`...), v.level, true)
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

func (v variant) appendPrice(dst []byte) []byte {
	if !v.priced {
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
