package productindex

import (
	"context"
	"errors"
	"slices"

	"github.com/cartwright-dev/cartwright/app/indexing"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// builder reads what the products of one shop are found by.
type builder struct {
	live, test ports.Reader // with the stock of either environment
	shop       tenant.Settings
	markets    []catalog.Market
	fold       collection.Fold
}

// open prepares to read a shop.
func (x *Indexer) open(ctx context.Context, id tenant.ID) (*builder, error) {
	scope := ports.ForTenant(id)
	b := &builder{fold: x.Fold}
	scope.Environment = tenant.Live
	b.live = x.Store.Read(scope)
	scope.Environment = tenant.Test
	b.test = x.Store.Read(scope)
	shop, err := b.live.Get(ctx, identity.Tenants, string(id))
	if err != nil && !errors.Is(err, ports.ErrNotFound) {
		return nil, err
	}
	b.shop = identity.SettingsFrom(shop)
	markets, err := indexing.ReadMany(ctx, b.live, catalog.Markets, []string{catalog.Active}, indexing.In(catalog.Markets, "status"))
	for _, m := range markets {
		b.markets = append(b.markets, catalog.MarketFrom(m))
	}
	return b, err
}

// products are the entries of products, and the values of their options.
func (b *builder) products(ctx context.Context, docs []collection.Record) (entries []productsearch.Entry, groups []productsearch.Group, err error) {
	ids := make([]string, len(docs))
	facts := map[string]*productsearch.Facts{}
	for i, doc := range docs {
		ids[i] = doc.ID()
		facts[doc.ID()] = &productsearch.Facts{
			Product: doc, Markets: b.markets, Rounding: b.shop.Rounding, Locales: b.shop.OtherLocales(),
			Fixed: map[string]map[string]*catalog.Price{},
		}
	}
	if err := b.readParts(ctx, ids, facts); err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	for _, id := range ids {
		entries = append(entries, productsearch.EntryOf(productsearch.ProductOf(*facts[id]), b.fold))
		for _, g := range facts[id].OptionGroups() {
			if !seen[g.ID] {
				seen[g.ID] = true
				groups = append(groups, g)
			}
		}
	}
	return entries, groups, nil
}

// readParts reads what belongs to products into their facts.
func (b *builder) readParts(ctx context.Context, ids []string, facts map[string]*productsearch.Facts) error {
	variants, err := indexing.ReadMany(ctx, b.live, catalog.Variants, ids, indexing.In(catalog.Variants, "product"))
	if err != nil {
		return err
	}
	owner := map[string]*productsearch.Facts{}
	for _, v := range variants {
		f := facts[v.Text("product")]
		f.Variants = append(f.Variants, v)
		owner[v.ID()] = f
	}
	options, err := indexing.ReadMany(ctx, b.live, catalog.Options, ids, indexing.In(catalog.Options, "product"))
	if err != nil {
		return err
	}
	for _, o := range options {
		f := facts[o.Text("product")]
		f.Options = append(f.Options, o)
	}
	if err := b.readFixed(ctx, owner); err != nil {
		return err
	}
	return b.readStock(ctx, ids, facts)
}

// readFixed reads the fixed prices of variants.
func (b *builder) readFixed(ctx context.Context, owner map[string]*productsearch.Facts) error {
	if len(b.markets) == 0 {
		return nil
	}
	variants := make([]string, 0, len(owner))
	for id := range owner {
		variants = append(variants, id)
	}
	slices.Sort(variants)
	rows, err := indexing.ReadMany(ctx, b.live, catalog.MarketPrices, variants, indexing.In(catalog.MarketPrices, "variant"))
	for _, r := range rows {
		f, market := owner[r.Text("variant")], r.Text("market")
		if f.Fixed[market] == nil {
			f.Fixed[market] = map[string]*catalog.Price{}
		}
		amount, _ := r.Money("amount")
		f.Fixed[market][r.Text("variant")] = &catalog.Price{Amount: amount}
	}
	return err
}

// readStock reads in which environments units of products are on hand. What is live stands in the products that were read.
func (b *builder) readStock(ctx context.Context, ids []string, facts map[string]*productsearch.Facts) error {
	test, err := b.test.GetMany(ctx, catalog.Products, ids, nil)
	for id, f := range facts {
		if f.Product.Int("stock") > 0 {
			f.InStock = append(f.InStock, tenant.Live)
		}
		if p, there := test[id]; there && p.Int("stock") > 0 {
			f.InStock = append(f.InStock, tenant.Test)
		}
	}
	return err
}

// groups are the groups of records of a source.
func (b *builder) groups(source int, docs []collection.Record) (all []productsearch.Group) {
	for _, doc := range docs {
		all = append(all, productsearch.GroupOf(groupSources[source].kind, groupSources[source].schema, doc, b.shop.OtherLocales()))
	}
	return all
}
