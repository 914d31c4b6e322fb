package productsearch

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Facts are the records of one product.
type Facts struct {
	Product  collection.Record
	Variants []collection.Record
	Options  []collection.Record
	Markets  []catalog.Market
	Fixed    map[string]map[string]*catalog.Price // fixed prices, by market and variant
	InStock  []tenant.Environment                 // those in which units of some variant are on hand
	Rounding money.Rounding
	Locales  []string // of the shop besides the default one
}

// ProductOf is what the product of f is found by.
func ProductOf(f Facts) Product {
	p := Product{
		ID: f.Product.ID(), Listed: f.Product.Text("status") == catalog.Published,
		Names:        append([]string{f.Product.Text("name")}, catalog.Products.Translations(f.Product, "name")...),
		Descriptions: append([]string{f.Product.Text("description")}, catalog.Products.Translations(f.Product, "description")...),
		Brand:        f.Product.Text("brand"), Categories: catalog.CategoriesOf(f.Product), Tags: f.Product.Texts("tags"),
		InStock: f.InStock, Price: -1,
	}
	for _, v := range f.Variants {
		if !catalog.Tracked(v) {
			p.InStock = []tenant.Environment{tenant.Live, tenant.Test}
		}
	}
	for _, g := range f.OptionGroups() {
		p.Options = append(p.Options, OptionOf(g.ID))
	}
	f.prices(&p)
	return p
}

// OptionGroups are the values of options that variants of f have.
func (f Facts) OptionGroups() (groups []Group) {
	for _, o := range f.Options {
		for i, value := range o.Rows("values") {
			has := func(v collection.Record) bool { return slices.Contains(v.Texts("optionValues"), value.ID()) }
			if !slices.ContainsFunc(f.Variants, has) {
				continue
			}
			key := Option{o.Text("name"), value.Text("label")}.Key()
			g := Group{Kind: OptionValue, ID: key, Names: map[string]string{"": key}}
			for _, locale := range f.Locales {
				in := catalog.Options.Localized(o, tenant.Content{Locale: locale})
				if text := (Option{in.Text("name"), in.Rows("values")[i].Text("label")}).Key(); text != key {
					g.Names[locale] = text
				}
			}
			groups = append(groups, g)
		}
	}
	return groups
}

// prices finds the lowest prices of a product.
func (f Facts) prices(p *Product) {
	discount, _ := f.Product.Decimal("discount")
	for _, v := range f.Variants {
		if base, ok := catalog.BasePrice(f.Product, v); ok {
			if key := PriceKey(base.Amount.Minor, discount); p.Price < 0 || key < p.Price {
				p.Price = key
			}
		}
	}
	for _, m := range f.Markets {
		fixed := f.Fixed[m.ID]
		if len(fixed) == 0 {
			continue
		}
		lowest := int64(-1)
		for _, v := range f.Variants {
			base, _ := catalog.BasePrice(f.Product, v)
			price, err := catalog.ResolvePrice(catalog.PriceFacts{
				Base: base, Discount: discount, Market: &m, Fixed: fixed[v.ID()], Rounding: f.Rounding,
			})
			if err == nil && (lowest < 0 || price.Amount.Minor < lowest) {
				lowest = price.Amount.Minor
			}
		}
		if lowest >= 0 {
			if p.Fixed == nil {
				p.Fixed = map[string]int64{}
			}
			p.Fixed[m.ID] = lowest
		}
	}
}

// GroupOf is the group of a brand, a category or a tag.
func GroupOf(kind GroupKind, schema *collection.Schema, r collection.Record, locales []string) Group {
	g := Group{Kind: kind, ID: r.ID(), Names: map[string]string{"": r.Text("name")}}
	if kind == Category {
		g.Parent = r.Text("parent")
	}
	for _, locale := range locales {
		if name := schema.Localized(r, tenant.Content{Locale: locale}).Text("name"); name != g.Names[""] {
			g.Names[locale] = name
		}
	}
	return g
}
