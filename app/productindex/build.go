package productindex

import (
	"context"
	"errors"
	"slices"

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
	markets, err := readMany(ctx, b.live, catalog.Markets, []string{catalog.Active}, in(catalog.Markets, "status"))
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
	variants, err := readMany(ctx, b.live, catalog.Variants, ids, in(catalog.Variants, "product"))
	if err != nil {
		return err
	}
	owner := map[string]*productsearch.Facts{}
	for _, v := range variants {
		f := facts[v.Text("product")]
		f.Variants = append(f.Variants, v)
		owner[v.ID()] = f
	}
	options, err := readMany(ctx, b.live, catalog.Options, ids, in(catalog.Options, "product"))
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
	rows, err := readMany(ctx, b.live, catalog.MarketPrices, variants, in(catalog.MarketPrices, "variant"))
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

// readStock reads in which environments units of products are on hand.
func (b *builder) readStock(ctx context.Context, ids []string, facts map[string]*productsearch.Facts) error {
	for env, r := range map[tenant.Environment]ports.Reader{tenant.Live: b.live, tenant.Test: b.test} {
		there, err := r.GetMany(ctx, catalog.Products, ids, nil)
		if err != nil {
			return err
		}
		for id, p := range there {
			if p.Int("stock") > 0 {
				facts[id].InStock = append(facts[id].InStock, env)
			}
		}
	}
	return nil
}

// groups are the groups of records of a source.
func (b *builder) groups(source int, docs []collection.Record) (all []productsearch.Group) {
	for _, doc := range docs {
		all = append(all, productsearch.GroupOf(groupSources[source].kind, groupSources[source].schema, doc, b.shop.OtherLocales()))
	}
	return all
}

// in is the condition that a field of s is one of some values.
func in(s *collection.Schema, field string) func(values []string) collection.Cond {
	return func(values []string) collection.Cond { return collection.FieldIn(s, field, values) }
}

// readMany reads the records that some of values call for by a condition, but for damaged ones: nobody can read those.
func readMany(
	ctx context.Context, r ports.Reader, s *collection.Schema, values []string, where func(some []string) collection.Cond,
) (all []collection.Record, err error) {
	for some := range slices.Chunk(values, recordPage) {
		q := collection.Query{Schema: s, Where: where(some), LeaveOutDamaged: true}
		err = ports.FindEach(ctx, r, q, func(page []collection.Record) error {
			all = append(all, page...)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
