package catalogtransfer

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// importedMetadataKey is the metadata key under which columns of the other system are stored.
const importedMetadataKey = "imported"

// productImport imports one product, inside a transaction.
type productImport struct {
	tx      ports.Tx
	records Records
	actor   tenant.Principal
	cache   nameCache
	stock   StockMode
	changed bool

	stockKept int // variants whose stock differs from the file's and was left alone
}

// existingProduct is the tenant's data of a product.
type existingProduct struct {
	product           collection.Record
	options, variants []collection.Record
}

func (m *productImport) run(ctx context.Context, p Product) (outcome, error) {
	has, err := m.findExisting(ctx, p.Handle)
	if err != nil {
		return unchanged, err
	}
	fresh := has.product == nil
	fields, err := m.productFields(ctx, p, has)
	if err != nil {
		return unchanged, err
	}
	if fresh {
		has.product, err = m.createProduct(ctx, p, fields)
	} else {
		err = m.writeDifferences(ctx, catalog.Products, has.product, fields)
	}
	switch {
	case err != nil:
		return unchanged, err
	case fresh && len(p.Options) == 0:
		return created, nil
	}
	if err := m.writeOptionsAndVariants(ctx, p, &has, fresh); err != nil {
		return unchanged, err
	}
	switch {
	case fresh:
		return created, nil
	case m.changed:
		return updated, nil
	}
	return unchanged, nil
}

// createProduct creates the product. The only variant of a product without options is created with it.
func (m *productImport) createProduct(ctx context.Context, p Product, fields map[string]any) (collection.Record, error) {
	fields["slug"], fields["price"] = p.Handle, collection.JSONNumber(p.Variants[0].Price)
	if len(p.Options) == 0 {
		inline, err := m.variantFields(ctx, p, p.Variants[0], existingProduct{}, nil)
		if err != nil {
			return nil, err
		}
		fields["variants"] = []any{inline}
	}
	return m.records.Create(ctx, m.tx, m.actor, catalog.Products, fields)
}

// writeOptionsAndVariants writes options and variants.
func (m *productImport) writeOptionsAndVariants(ctx context.Context, p Product, has *existingProduct, fresh bool) error {
	if err := m.writeOptions(ctx, p, has); err != nil {
		return err
	}
	repriced := false
	for n, v := range p.Variants {
		changed, err := m.writeVariant(ctx, p, v, *has, n)
		if err != nil {
			return err
		}
		repriced = repriced || changed
	}
	if !repriced || fresh {
		return nil
	}
	return m.writeDifferences(ctx, catalog.Products, has.product, map[string]any{"price": collection.JSONNumber(p.Variants[0].Price)})
}

func (m *productImport) findExisting(ctx context.Context, handle string) (has existingProduct, err error) {
	page, err := m.tx.Records.Find(ctx, collection.Query{
		Schema: catalog.Products, Where: catalog.Products.Where("slug", collection.Equals, handle), Sort: catalog.Products.SortBy("id"),
		Limit: 1, Page: 1,
	})
	if err != nil || len(page.Docs) == 0 {
		return has, err
	}
	has.product = page.Docs[0]
	if has.options, err = m.childrenOf(ctx, catalog.Options, "product", has.product.ID()); err != nil {
		return has, err
	}
	has.variants, err = m.childrenOf(ctx, catalog.Variants, "product", has.product.ID())
	return has, err
}

// productFields are the fields in the file, as input.
func (m *productImport) productFields(ctx context.Context, p Product, has existingProduct) (map[string]any, error) {
	brand, err := m.findOrCreateNamed(ctx, catalog.Brands, p.Brand)
	if err != nil {
		return nil, err
	}
	category, err := m.findOrCreateNamed(ctx, catalog.Categories, p.Category)
	if err != nil {
		return nil, err
	}
	tags := []any{}
	for _, t := range p.Tags {
		id, err := m.findOrCreateNamed(ctx, catalog.Tags, t)
		if err != nil {
			return nil, err
		}
		tags = append(tags, id)
	}
	images := []any{}
	for _, img := range p.Images {
		id, err := m.findOrCreateImage(ctx, img)
		if err != nil {
			return nil, err
		}
		images = append(images, id)
	}
	fields := map[string]any{
		"name": p.Title, "description": collection.TextOrNull(p.Description), "brand": collection.TextOrNull(brand),
		"category": collection.TextOrNull(category), "tags": tags, "images": images, "metadata": metadata(has.product, p.Extra),
	}
	if seo := has.product.Group(collection.SEOName); p.SEO != nil &&
		(SEO{Title: seo.Text("title"), Description: seo.Text("description")}) != *p.SEO {
		fields[collection.SEOName] = map[string]any{
			"title": collection.TextOrNull(p.SEO.Title), "description": collection.TextOrNull(p.SEO.Description),
		}
	}
	if was := has.product.Text("status"); !sameVisibility(was, p.Status) {
		fields["status"] = p.Status
	}
	if exempt := has.product.Text("taxClass") == string(tax.Exempt); p.TaxFree != nil && *p.TaxFree != exempt {
		fields["taxClass"] = string(tax.Standard)
		if *p.TaxFree {
			fields["taxClass"] = string(tax.Exempt)
		}
	}
	if p.Discount != "" {
		fields["discount"] = collection.JSONNumber(p.Discount)
	}
	return fields, nil
}

// sameVisibility reports whether a product's status already corresponds to what the file can express:
// published, unlisted, or hidden.
func sameVisibility(was, file string) bool {
	return was == file || was == catalog.OutOfStock && file == catalog.Published
}

// metadata is the record's other metadata, with the file's additional columns under their own key.
func metadata(r collection.Record, extra map[string]string) collection.JSONValue {
	was, _ := r["metadata"].(map[string]any)
	out := map[string]any{}
	for k, v := range was {
		if k != importedMetadataKey {
			out[k] = v
		}
	}
	if len(extra) > 0 {
		columns := map[string]any{}
		for k, v := range extra {
			columns[k] = v
		}
		out[importedMetadataKey] = columns
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// writeDifferences writes the fields that differ from the record.
func (m *productImport) writeDifferences(ctx context.Context, s *collection.Schema, was collection.Record, fields map[string]any) error {
	differing := map[string]any{}
	for name, want := range fields {
		f, _ := s.Field(name)
		if !valueEquals(f, was[name], want) {
			differing[name] = want
		}
	}
	if len(differing) == 0 {
		return nil
	}
	m.changed = true
	_, err := m.records.Update(ctx, m.tx, m.actor, s, was.ID(), differing)
	return err
}

// valueEquals compares a record's value with an input of the same field.
func valueEquals(f collection.Field, has any, want collection.JSONValue) bool {
	switch want := want.(type) {
	case collection.JSONNumber:
		switch has := has.(type) {
		case money.Money:
			m, err := money.Parse(string(want), has.Currency)
			return err == nil && m == has
		case money.Decimal:
			d, err := money.ParseDecimal(string(want))
			return err == nil && d == has
		case int64:
			d, err := money.ParseDecimal(string(want))
			return err == nil && d == money.DecimalOf(has)
		}
		return false
	case []any:
		list := make([]string, len(want))
		for i, x := range want {
			list[i], _ = x.(string)
		}
		if f.Kind.Many() {
			return collection.Equal(has, list)
		}
	case nil:
		return has == nil || has == ""
	}
	return collection.Equal(has, want)
}

// writeOptions adds the options and values of the file to the product; existing ones stay. A new option is
// added to the product's list by its hook.
func (m *productImport) writeOptions(ctx context.Context, p Product, has *existingProduct) error {
	for n, name := range p.Options {
		i := slices.IndexFunc(has.options, func(o collection.Record) bool { return o.Text("name") == name })
		var was collection.Record
		if i >= 0 {
			was = has.options[i]
		}
		next, err := m.writeOption(ctx, has.product.ID(), was, name, n, optionLabels(p, n))
		if err != nil {
			return err
		}
		if i >= 0 {
			has.options[i] = next
		} else {
			has.options = append(has.options, next)
		}
	}
	return nil
}

// optionLabels are the values the file's variants have for option n, in file order.
func optionLabels(p Product, n int) []string {
	var out []string
	for _, v := range p.Variants {
		if !slices.Contains(out, v.Values[n]) {
			out = append(out, v.Values[n])
		}
	}
	return out
}

func (m *productImport) writeOption(
	ctx context.Context, product string, was collection.Record, name string, position int, labels []string,
) (collection.Record, error) {
	values := []any{}
	for _, row := range was.Rows("values") {
		values = append(values, map[string]any{"id": row.ID(), "label": row.Text("label"), "slug": row.Text("slug")})
	}
	missing := false
	for _, l := range labels {
		if !slices.ContainsFunc(was.Rows("values"), func(r collection.Record) bool { return r.Text("label") == l }) {
			values = append(values, map[string]any{"label": l})
			missing = true
		}
	}
	if was == nil {
		m.changed = true
		return m.records.Create(ctx, m.tx, m.actor, catalog.Options, map[string]any{
			"product": product, "name": name, "position": numeral(int64(position)), "values": values,
		})
	}
	if !missing {
		return was, nil
	}
	m.changed = true
	return m.records.Update(ctx, m.tx, m.actor, catalog.Options, was.ID(), map[string]any{"values": values})
}
