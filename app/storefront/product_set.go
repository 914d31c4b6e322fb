package storefront

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// productSet is products with all their related records, and how they are shown.
type productSet struct {
	showQuantities bool // include units in stock; for staff only
	omitStock      bool // leave out what depends on stock
	withVariants   bool // embed the variants in their product

	content  tenant.Content
	growth   reply.Growth
	facts    offers.Facts
	products []*productEntry
	related  map[string]map[string]collection.Record // by slug and id
}

// productEntry is one product.
type productEntry struct {
	*productSet

	product  collection.Record
	options  []collection.Record // by position
	variants []pricedVariant     // by position
}

// pricedVariant is one variant with its price and stock.
type pricedVariant struct {
	record   collection.Record
	price    catalog.ResolvedPrice
	hasPrice bool // false: it has no price in this market and cannot be bought
	level    inventory.Level
}

func (v pricedVariant) isAvailable() bool { return v.hasPrice && v.level.AvailableCovers(1) }

func priceVariant(f *offers.Facts, product, record collection.Record, fixed *catalog.Price) pricedVariant {
	v := pricedVariant{record: record, level: inventory.Level{
		OnHand: record.Int("stock"), Reserved: record.Int("reserved"), Tracked: catalog.Tracked(record),
	}}
	price, err := f.Price(product, record, fixed)
	if err == nil && price.Amount.Currency == f.Currency {
		v.price, v.hasPrice = price, true
	}
	return v
}

// load reads the related records of products, with one query for each kind, and prices the variants. The
// market is looked up even if there are no products. Errors: catalog.ErrMarketNotFound,
// records.ErrAnswerTooLarge.
func (s *productSet) load(
	ctx context.Context, r ports.Reader, p tenant.Principal, market string, products []collection.Record,
) (err error) {
	s.content = p.Content
	s.growth = reply.Growth{Most: setBytes, Memory: ports.MemoryOf(ctx)}
	if s.facts, err = priceFacts(ctx, r, p, market); err != nil || len(products) == 0 {
		return err
	}
	room := collection.NewRoom(setBytes)
	variants, err := findByProduct(ctx, r, catalog.Variants, p, recordIDs(products), room)
	if err != nil {
		return err
	}
	options, err := findByProduct(ctx, r, catalog.Options, p, recordIDs(products), room)
	if err != nil {
		return err
	}
	fixed := map[string]*catalog.Price{}
	if s.facts.Market != nil {
		if fixed, err = offers.FixedPrices(ctx, r, s.facts.Market.ID, recordIDs(variants)); err != nil {
			return err
		}
	}
	s.assemble(products, variants, options, fixed)
	return s.loadRelated(ctx, r, room)
}

// assemble puts products together with their variants and options, in the language that is read.
func (s *productSet) assemble(products, variants, options []collection.Record, fixed map[string]*catalog.Price) {
	of := map[string]*productEntry{}
	for _, product := range products {
		g := &productEntry{productSet: s, product: catalog.Products.Localized(product, s.content)}
		s.products, of[product.ID()] = append(s.products, g), g
	}
	byProduct := map[string][]collection.Record{}
	for _, o := range options {
		byProduct[o.Text("product")] = append(byProduct[o.Text("product")], o)
	}
	for _, v := range variants {
		v = catalog.VariantIn(v, byProduct[v.Text("product")], s.content)
		g := of[v.Text("product")]
		g.variants = append(g.variants, priceVariant(&s.facts, g.product, v, fixed[v.ID()]))
	}
	for _, o := range options {
		o = catalog.Options.Localized(o, s.content)
		g := of[o.Text("product")]
		g.options = append(g.options, o)
	}
}

// setBytes bounds the variants, options and embedded records of the products of one answer, as they are stored, and the
// answer: a page of a hundred products with a hundred variants each has a third of it. Rule collections-31.
const setBytes = 2 * records.MaxPageBytes

// findByProduct lists the records of schema that belong to products, by position, which take room. Errors:
// records.ErrAnswerTooLarge.
func findByProduct(
	ctx context.Context, r ports.Reader, schema *collection.Schema, p tenant.Principal, products []string, room *collection.Room,
) ([]collection.Record, error) {
	among := make([]any, len(products))
	for i, id := range products {
		among[i] = id
	}
	page, err := r.Find(ctx, collection.Query{
		Schema: schema, Environment: string(p.Environment), Where: schema.Where("product", collection.In, among...),
		Sort: schema.SortBy("id"), Limit: records.MaxEmbedded + 1, Page: 1,
		SkipCount: true, MaxBytes: max(1, room.Left()), // 0 would be any
	})
	if err == nil {
		err = room.Take(int(page.Bytes))
	}
	if err == nil && len(page.Docs) > records.MaxEmbedded {
		err = records.ErrAnswerTooLarge
	}
	return catalog.SortByPosition(page.Docs), err
}

// embeddedSchemas are the collections whose records are embedded in a product; other relations are shown as
// ids.
var embeddedSchemas = map[string]*collection.Schema{
	catalog.Brands.Slug: catalog.Brands, catalog.Categories.Slug: catalog.Categories, catalog.Tags.Slug: catalog.Tags,
	media.Schema.Slug: media.Schema, media.Videos.Slug: media.Videos,
}

// loadRelated reads the embedded records, which take room, with one query per collection.
func (s *productSet) loadRelated(ctx context.Context, r ports.Reader, room *collection.Room) error {
	wanted := map[string]map[string]bool{}
	want := func(links []collection.Link) {
		for _, l := range links {
			if embeddedSchemas[l.Slug] == nil {
				continue
			}
			if wanted[l.Slug] == nil {
				wanted[l.Slug] = map[string]bool{}
			}
			wanted[l.Slug][l.ID] = true
		}
	}
	s.related = map[string]map[string]collection.Record{catalog.Options.Slug: {}}
	for _, g := range s.products {
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
		found, err := r.GetMany(ctx, embeddedSchemas[slug], list, room)
		if err != nil {
			return err
		}
		for id, record := range found {
			found[id] = embeddedSchemas[slug].Localized(record, s.content)
		}
		s.related[slug] = found
	}
	return nil
}

// view embeds the loaded records; a deleted record is shown as null.
func (s *productSet) view() *collection.View {
	v := &collection.View{Depth: 1, Full: s.growth.Full, Resolve: func(slug, id string) (*collection.Schema, collection.Record, bool) {
		schema := embeddedSchemas[slug]
		if slug == catalog.Options.Slug {
			schema = catalog.Options
		}
		return schema, s.related[slug][id], schema != nil
	}}
	if s.showQuantities {
		v.Audience = collection.Staff
	}
	return v
}

// withoutDeleted is r without deleted list members.
func (s *productSet) withoutDeleted(schema *collection.Schema, r collection.Record) collection.Record {
	out := r.Clone()
	for _, f := range schema.Fields {
		if f.Kind != collection.RelationMany && f.Kind != collection.UploadMany {
			continue
		}
		out[f.Name] = slices.DeleteFunc(slices.Clone(r.Texts(f.Name)), func(id string) bool { return s.related[f.Target()][id] == nil })
	}
	return out
}
