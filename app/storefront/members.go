package storefront

import (
	"slices"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// member is the product: its record with what a storefront needs besides.
func (g *productEntry) member() reply.Object {
	product := g.withoutDeleted(catalog.Products, g.product)
	product["options"] = recordIDs(g.options)
	o := append(make(reply.Object, 0, 10),
		reply.Member{Schema: catalog.Products, Record: product, View: g.view()},
		reply.Member{Name: "handle", Value: g.product.Text("slug")},
		g.image("featuredImage", catalog.ImageOf(product, nil)))
	o = g.addAvailability(o, slices.ContainsFunc(g.variants, pricedVariant.isAvailable))
	o = append(o,
		g.priceRange("priceRange", g.variants, func(p catalog.Price) money.Money { return p.Amount }),
		g.priceRange("compareAtPriceRange", g.variants, func(p catalog.Price) money.Money { return p.CompareAt }))
	if g.showQuantities {
		o = g.addQuantities(o)
	}
	if !g.withVariants {
		return o
	}
	variants := make(reply.List, len(g.variants))
	for i, v := range g.variants {
		variants[i] = g.variantMember(v)
	}
	return append(o, reply.Member{Name: "variants", Value: variants})
}

func (s *productSet) addAvailability(o reply.Object, available bool) reply.Object {
	if s.omitStock {
		return o
	}
	return append(o, reply.Member{Name: "available", Value: available}, reply.Member{Name: "availableForSale", Value: available})
}

func (g *productEntry) addQuantities(o reply.Object) reply.Object {
	var reserved, free int64
	for _, v := range g.variants {
		reserved += v.level.Reserved
		free += max(0, v.level.Available())
	}
	return append(o, reply.Member{Name: "reserved", Value: reserved}, reply.Member{Name: "availableQuantity", Value: free})
}

// image is the image with this id, as every visitor sees it; null if there is none.
func (s *productSet) image(name, id string) reply.Member {
	return reply.Member{Name: name, Schema: media.Schema, Record: s.related[media.Schema.Slug][id], View: &collection.View{}}
}

// priceRange is {min, max, currency} over the variants that have such an amount, null if none has.
func (s *productSet) priceRange(name string, variants []pricedVariant, of func(catalog.Price) money.Money) reply.Member {
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
		return reply.Member{Name: name}
	}
	return reply.Member{Name: name, Value: reply.Object{
		{Name: "min", Value: least}, {Name: "max", Value: most}, {Name: "currency", Value: string(s.facts.Currency)},
	}}
}

func (g *productEntry) variantMember(v pricedVariant) reply.Object {
	o := append(make(reply.Object, 0, 6),
		reply.Member{Schema: catalog.Variants, Record: g.withoutDeleted(catalog.Variants, v.record), View: g.view()}, v.priceMember())
	o = g.addAvailability(o, v.isAvailable())
	if g.showQuantities {
		o = append(o, availableQuantity(v.level, true))
	}
	selected := reply.List{}
	for _, option := range g.options {
		for _, value := range option.Rows("values") {
			if slices.Contains(v.record.Texts("optionValues"), value.ID()) {
				selected = append(selected, reply.Object{
					{Name: "name", Value: option.Text("name")}, {Name: "value", Value: value.Text("label")},
				})
			}
		}
	}
	return append(o, reply.Member{Name: "selectedOptions", Value: selected})
}

func (v pricedVariant) priceMember() reply.Member {
	if !v.hasPrice {
		return reply.Member{Name: "resolvedPrice"}
	}
	var compareAt, market any
	if v.price.CompareAt.Currency != "" {
		compareAt = v.price.CompareAt
	}
	if v.price.MarketID != "" {
		market = v.price.MarketID
	}
	return reply.Member{Name: "resolvedPrice", Value: reply.Object{
		{Name: "amount", Value: v.price.Amount}, {Name: "compareAtPrice", Value: compareAt},
		{Name: "currency", Value: string(v.price.Amount.Currency)},
		{Name: "marketId", Value: market}, {Name: "source", Value: string(v.price.Source)},
	}}
}

// availableQuantity is how many units can be bought: null if inventory is not tracked, none if it is not known.
func availableQuantity(l inventory.Level, known bool) reply.Member {
	if known && !l.Tracked {
		return reply.Member{Name: "availableQuantity"}
	}
	return reply.Member{Name: "availableQuantity", Value: max(0, l.Available())}
}
