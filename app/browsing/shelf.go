package browsing

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// shelf is products with everything that belongs to them, and how they are shown.
type shelf struct {
	quantities   bool // how many units there are: for staff
	timeless     bool // without what depends on stock
	withVariants bool // the variants stand in their product

	facts   quoting.Facts
	goods   []*goods
	related map[string]map[string]collection.Record // by slug and id
}

// goods is one product.
type goods struct {
	*shelf

	product  collection.Record
	options  []collection.Record // by position
	variants []variant           // by position
}

// variant is one variant with its price and stock.
type variant struct {
	record collection.Record
	price  catalog.ResolvedPrice
	priced bool // false: it has no price in this market and cannot be bought
	level  inventory.Level
}

func (v variant) available() bool { return v.priced && v.level.Spares(1) }

func priced(f *quoting.Facts, product, record collection.Record, fixed *catalog.Price) variant {
	v := variant{record: record, level: inventory.Level{OnHand: record.Int("stock"), Reserved: record.Int("reserved"), Tracked: catalog.Tracked(record)}}
	price, err := f.Price(product, record, fixed)
	if err == nil && price.Amount.Currency == f.Currency {
		v.price, v.priced = price, true
	}
	return v
}

// load fetches what belongs to products, a query for each kind of record, and prices the variants. Without products it
// still knows the market. Errors: catalog.ErrMarketNotFound, content.ErrTooMuch.
func (s *shelf) load(ctx context.Context, r ports.Reader, p tenant.Principal, market string, products []collection.Record) (err error) {
	if s.facts, err = factsOf(ctx, r, p, market); err != nil || len(products) == 0 {
		return err
	}
	variants, err := belonging(ctx, r, catalog.Variants, p, idsOf(products))
	if err != nil {
		return err
	}
	options, err := belonging(ctx, r, catalog.Options, p, idsOf(products))
	if err != nil {
		return err
	}
	fixed := map[string]*catalog.Price{}
	if s.facts.Market != nil {
		if fixed, err = quoting.FixedPrices(ctx, r, s.facts.Market.ID, idsOf(variants)); err != nil {
			return err
		}
	}
	of := map[string]*goods{}
	for _, product := range products {
		g := &goods{shelf: s, product: product}
		s.goods, of[product.ID()] = append(s.goods, g), g
	}
	for _, v := range variants {
		g := of[v.Text("product")]
		g.variants = append(g.variants, priced(&s.facts, g.product, v, fixed[v.ID()]))
	}
	for _, o := range options {
		g := of[o.Text("product")]
		g.options = append(g.options, o)
	}
	return s.loadRelated(ctx, r)
}

// belonging lists the records of schema that name one of products, by position. Errors: content.ErrTooMuch.
func belonging(ctx context.Context, r ports.Reader, schema *collection.Schema, p tenant.Principal, products []string) ([]collection.Record, error) {
	among := make([]any, len(products))
	for i, id := range products {
		among[i] = id
	}
	page, err := r.Find(ctx, collection.Query{
		Schema: schema, Environment: string(p.Environment), Where: schema.Where("product", collection.In, among...),
		Sort: []collection.Order{{Path: schema.Where("id", collection.Exists, true).Path}}, Limit: content.MaxEmbedded + 1, Page: 1, Uncounted: true,
	})
	if err == nil && len(page.Docs) > content.MaxEmbedded {
		err = content.ErrTooMuch
	}
	return catalog.Ordered(page.Docs), err
}

// embedded are the collections whose records stand inside a product; other relations stay ids.
var embedded = map[string]*collection.Schema{
	catalog.Brands.Slug: catalog.Brands, catalog.Categories.Slug: catalog.Categories, catalog.Tags.Slug: catalog.Tags,
	media.Schema.Slug: media.Schema, media.Videos.Slug: media.Videos,
}

// loadRelated fetches the embedded records, one query per collection.
func (s *shelf) loadRelated(ctx context.Context, r ports.Reader) error {
	wanted := map[string]map[string]bool{}
	want := func(links []collection.Link) {
		for _, l := range links {
			if embedded[l.Slug] == nil {
				continue
			}
			if wanted[l.Slug] == nil {
				wanted[l.Slug] = map[string]bool{}
			}
			wanted[l.Slug][l.ID] = true
		}
	}
	s.related = map[string]map[string]collection.Record{catalog.Options.Slug: {}}
	for _, g := range s.goods {
		want(catalog.Products.Links(g.product))
		for _, v := range g.variants {
			if s.withVariants {
				want(catalog.Variants.Links(v.record))
			}
		}
		for _, o := range g.options {
			s.related[catalog.Options.Slug][o.ID()] = o
		}
	}
	for slug, ids := range wanted {
		list := make([]string, 0, len(ids))
		for id := range ids {
			list = append(list, id)
		}
		slices.Sort(list)
		found, err := r.GetMany(ctx, embedded[slug], list)
		if err != nil {
			return err
		}
		s.related[slug] = found
	}
	return nil
}

// view embeds what was loaded; a record that is gone reads as null.
func (s *shelf) view() collection.View {
	v := collection.View{Depth: 1, Find: func(slug, id string) (*collection.Schema, collection.Record, bool) {
		schema := embedded[slug]
		if slug == catalog.Options.Slug {
			schema = catalog.Options
		}
		return schema, s.related[slug][id], schema != nil
	}}
	if s.quantities {
		v.Audience = collection.Staff
	}
	return v
}

// present is r without list members that are gone.
func (s *shelf) present(schema *collection.Schema, r collection.Record) collection.Record {
	out := r.Clone()
	for _, f := range schema.Fields {
		if f.Kind != collection.RelationMany && f.Kind != collection.UploadMany {
			continue
		}
		out[f.Name] = slices.DeleteFunc(slices.Clone(r.Texts(f.Name)), func(id string) bool { return s.related[f.Target()][id] == nil })
	}
	return out
}
