package catalogtransfer

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Export reads the whole catalog of a tenant, oldest product first, page by page. Importing its result
// changes nothing. What the common format cannot express (discounts in percent, market prices, kinds) is left
// out.
func Export(ctx context.Context, store ports.Store, t tenant.ID) ([]Product, error) {
	e := export{read: store.Read(ports.ForTenant(t)), names: map[string]string{}, images: map[string]Image{}}
	var out []Product
	for page := 1; ; page++ {
		found, err := e.read.Find(ctx, collection.Query{
			Schema: catalog.Products, Environment: string(tenant.Live), Sort: catalog.Products.SortBy("id"), Limit: exportPageSize,
			Page: page,
		})
		if err != nil {
			return nil, err
		}
		part, err := e.products(ctx, found.Docs)
		if err != nil {
			return nil, err
		}
		out = append(out, part...)
		if len(found.Docs) < exportPageSize {
			return out, nil
		}
	}
}

const exportPageSize = 100

type export struct {
	read   ports.Reader
	names  map[string]string // id → name of brands, categories, tags
	images map[string]Image  // by id
}

func (e export) products(ctx context.Context, records []collection.Record) ([]Product, error) {
	if err := e.loadReferences(ctx, records); err != nil {
		return nil, err
	}
	ids := make([]any, len(records))
	for i, r := range records {
		ids[i] = r.ID()
	}
	options, err := e.children(ctx, catalog.Options, ids)
	if err != nil {
		return nil, err
	}
	variants, err := e.children(ctx, catalog.Variants, ids)
	if err != nil {
		return nil, err
	}
	for _, some := range variants {
		if err := e.loadReferences(ctx, some); err != nil {
			return nil, err
		}
	}
	out := make([]Product, len(records))
	for i, r := range records {
		out[i] = e.product(r, options[r.ID()], variants[r.ID()])
	}
	return out, nil
}

// children lists the records of s that belong to the products with ids, by product, in order.
func (e export) children(ctx context.Context, s *collection.Schema, ids []any) (map[string][]collection.Record, error) {
	out := map[string][]collection.Record{}
	if len(ids) == 0 {
		return out, nil
	}
	all, err := ports.FindAll(ctx, e.read, collection.Query{
		Schema: s, Environment: string(tenant.Live), Where: s.Where("product", collection.In, ids...), Sort: s.SortBy("id"),
	})
	if err != nil {
		return nil, err
	}
	for _, r := range all {
		out[r.Text("product")] = append(out[r.Text("product")], r)
	}
	for id, some := range out {
		out[id] = catalog.SortByPosition(some)
	}
	return out, nil
}

// loadReferences loads the names and images that records refer to.
func (e export) loadReferences(ctx context.Context, records []collection.Record) error {
	wanted := map[*collection.Schema]map[string]bool{catalog.Brands: {}, catalog.Categories: {}, catalog.Tags: {}, media.Schema: {}}
	for _, r := range records {
		wanted[catalog.Brands][r.Text("brand")] = true
		wanted[catalog.Categories][r.Text("category")] = true
		for _, id := range r.Texts("tags") {
			wanted[catalog.Tags][id] = true
		}
		for _, id := range r.Texts("images") {
			wanted[media.Schema][id] = true
		}
	}
	for s, set := range wanted {
		var ids []string
		for id := range set {
			_, named := e.names[id]
			_, pictured := e.images[id]
			if id != "" && !named && !pictured {
				ids = append(ids, id)
			}
		}
		if len(ids) == 0 {
			continue
		}
		found, err := e.read.GetMany(ctx, s, ids, nil)
		if err != nil {
			return err
		}
		for id, r := range found {
			if s == media.Schema {
				e.images[id] = Image{URL: r.Text("url"), Alt: r.Text("alt")}
			} else {
				e.names[id] = r.Text("name")
			}
		}
	}
	return nil
}

func (e export) product(r collection.Record, options, variants []collection.Record) Product {
	p := Product{
		Handle: r.Text("slug"), Title: r.Text("name"), Description: r.Text("description"), Brand: e.names[r.Text("brand")],
		Category: e.names[r.Text("category")], Status: r.Text("status"), TaxFree: new(r.Text("taxClass") == string(tax.Exempt)), Extra: extraColumns(r),
	}
	seo := r.Group(collection.SEOName)
	p.SEO = &SEO{Title: seo.Text("title"), Description: seo.Text("description")}
	if p.Status == catalog.OutOfStock {
		p.Status = catalog.Published
	}
	for _, id := range r.Texts("tags") {
		p.Tags = append(p.Tags, e.names[id])
	}
	for _, id := range r.Texts("images") {
		if img, ok := e.images[id]; ok {
			p.Images = append(p.Images, img)
		}
	}
	for _, o := range options {
		if setOnEveryVariant(o, variants) {
			p.Options = append(p.Options, o.Text("name"))
		}
	}
	for _, v := range variants {
		p.Variants = append(p.Variants, e.variant(r, v, options, variants))
	}
	return p
}

// setOnEveryVariant reports whether every variant has a value of the option; otherwise it is no column of the
// file.
func setOnEveryVariant(option collection.Record, variants []collection.Record) bool {
	for _, v := range variants {
		if optionLabel(option, v) == "" {
			return false
		}
	}
	return len(variants) > 0
}

// optionLabel is the variant's value of an option.
func optionLabel(option, variant collection.Record) string {
	for _, row := range option.Rows("values") {
		for _, id := range variant.Texts("optionValues") {
			if row.ID() == id {
				return row.Text("label")
			}
		}
	}
	return ""
}

func (e export) variant(product, r collection.Record, options, all []collection.Record) Variant {
	v := Variant{
		SKU: r.Text("sku"), Barcode: r.Text("barcode"), Kind: catalog.KindOf(r), RequiresShipping: catalog.RequiresShipping(r),
		Tracked: catalog.Tracked(r), Stock: r.Int("stock"), Extra: extraColumns(r),
	}
	if base, ok := catalog.BasePrice(product, r); ok {
		v.Price = base.Amount.Major()
	}
	if m, ok := r.Money("compareAtPrice"); ok {
		v.CompareAt = m.Major()
	}
	if m, ok := catalog.CostPriceOf(product, r); ok {
		v.Cost = m.Major()
	}
	if d, ok := r.Decimal("weight"); ok {
		v.Grams = d.String()
	}
	if images := r.Texts("images"); len(images) > 0 {
		v.Image = e.images[images[0]].URL
	}
	for _, o := range options {
		if setOnEveryVariant(o, all) {
			v.Values = append(v.Values, optionLabel(o, r))
		}
	}
	return v
}

func extraColumns(r collection.Record) map[string]string {
	was, _ := r["metadata"].(map[string]any)
	columns, _ := was[importedMetadataKey].(map[string]any)
	if len(columns) == 0 {
		return nil
	}
	out := map[string]string{}
	for name, v := range columns {
		out[name], _ = v.(string)
	}
	return out
}
