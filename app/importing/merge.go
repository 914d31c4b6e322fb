package importing

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// extraKey is where metadata keeps the columns of the other system.
const extraKey = "imported"

// merge brings one product into the shop, inside a transaction.
type merge struct {
	tx      ports.Tx
	records Records
	by      tenant.Principal
	names   directory
	changed bool
}

// shelf is what the shop has of a product.
type shelf struct {
	product           collection.Record
	options, variants []collection.Record
}

func (m *merge) product(ctx context.Context, p Product) (outcome, error) {
	has, err := m.find(ctx, p.Handle)
	if err != nil {
		return unchanged, err
	}
	fresh := has.product == nil
	fields, err := m.productFields(ctx, p, has)
	if err != nil {
		return unchanged, err
	}
	if fresh {
		has.product, err = m.create(ctx, p, fields)
	} else {
		err = m.update(ctx, catalog.Products, has.product, fields)
	}
	switch {
	case err != nil:
		return unchanged, err
	case fresh && len(p.Options) == 0:
		return created, nil
	}
	if err := m.choices(ctx, p, &has, fresh); err != nil {
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

// create makes the product; the only variant of one without options comes with it, as one transaction makes one product.
func (m *merge) create(ctx context.Context, p Product, fields map[string]any) (collection.Record, error) {
	fields["slug"], fields["price"] = p.Handle, collection.Numeral(p.Variants[0].Price)
	if len(p.Options) == 0 {
		inline, err := m.variantFields(ctx, p, p.Variants[0], shelf{}, nil)
		if err != nil {
			return nil, err
		}
		fields["variants"] = []any{inline}
	}
	return m.records.Create(ctx, m.tx, m.by, catalog.Products, fields)
}

// choices writes options and variants.
func (m *merge) choices(ctx context.Context, p Product, has *shelf, fresh bool) error {
	if err := m.putOptions(ctx, p, has); err != nil {
		return err
	}
	repriced := false
	for n, v := range p.Variants {
		changed, err := m.putVariant(ctx, p, v, *has, n)
		if err != nil {
			return err
		}
		repriced = repriced || changed
	}
	if !repriced || fresh {
		return nil
	}
	return m.update(ctx, catalog.Products, has.product, map[string]any{"price": collection.Numeral(p.Variants[0].Price)})
}

func (m *merge) find(ctx context.Context, handle string) (has shelf, err error) {
	page, err := m.tx.Records.Find(ctx, collection.Query{
		Schema: catalog.Products, Where: catalog.Products.Where("slug", collection.Equals, handle), Sort: oldestFirst(catalog.Products), Limit: 1, Page: 1,
	})
	if err != nil || len(page.Docs) == 0 {
		return has, err
	}
	has.product = page.Docs[0]
	if has.options, err = m.all(ctx, catalog.Options, "product", has.product.ID()); err != nil {
		return has, err
	}
	has.variants, err = m.all(ctx, catalog.Variants, "product", has.product.ID())
	return has, err
}

// productFields are the fields the file speaks of, as input.
func (m *merge) productFields(ctx context.Context, p Product, has shelf) (map[string]any, error) {
	brand, err := m.named(ctx, catalog.Brands, p.Brand)
	if err != nil {
		return nil, err
	}
	category, err := m.named(ctx, catalog.Categories, p.Category)
	if err != nil {
		return nil, err
	}
	tags := []any{}
	for _, t := range p.Tags {
		id, err := m.named(ctx, catalog.Tags, t)
		if err != nil {
			return nil, err
		}
		tags = append(tags, id)
	}
	images := []any{}
	for _, img := range p.Images {
		id, err := m.pictured(ctx, img)
		if err != nil {
			return nil, err
		}
		images = append(images, id)
	}
	fields := map[string]any{
		"name": p.Title, "description": textOrNull(p.Description), "brand": textOrNull(brand), "category": textOrNull(category),
		"tags": tags, "images": images, "metadata": metadata(has.product, p.Extra),
	}
	if was := has.product.Text("status"); !sameShelfLife(was, p.Status) {
		fields["status"] = p.Status
	}
	if p.Discount != "" {
		fields["discount"] = collection.Numeral(p.Discount)
	}
	return fields, nil
}

// sameShelfLife reports whether a product's status already says what the file can say: shown, by address only, or hidden.
func sameShelfLife(was, file string) bool {
	return was == file || was == catalog.OutOfStock && file == catalog.Published
}

// metadata is what the record keeps besides, with the file's foreign columns in their own place.
func metadata(r collection.Record, extra map[string]string) collection.Tree {
	was, _ := r["metadata"].(map[string]any)
	out := map[string]any{}
	for k, v := range was {
		if k != extraKey {
			out[k] = v
		}
	}
	if len(extra) > 0 {
		columns := map[string]any{}
		for k, v := range extra {
			columns[k] = v
		}
		out[extraKey] = columns
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// update writes the fields that differ from what the record has.
func (m *merge) update(ctx context.Context, s *collection.Schema, was collection.Record, fields map[string]any) error {
	differing := map[string]any{}
	for name, want := range fields {
		f, _ := s.Field(name)
		if !holds(f, was[name], want) {
			differing[name] = want
		}
	}
	if len(differing) == 0 {
		return nil
	}
	m.changed = true
	_, err := m.records.Update(ctx, m.tx, m.by, s, was.ID(), differing)
	return err
}

// holds compares a record's value with an input of the same field.
func holds(f collection.Field, has any, want collection.Tree) bool {
	switch want := want.(type) {
	case collection.Numeral:
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

func textOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// putOptions makes the product offer every choice of the file; options and values it had before stay. A new option joins
// the product's list by itself.
func (m *merge) putOptions(ctx context.Context, p Product, has *shelf) error {
	for n, name := range p.Options {
		i := slices.IndexFunc(has.options, func(o collection.Record) bool { return o.Text("name") == name })
		var was collection.Record
		if i >= 0 {
			was = has.options[i]
		}
		next, err := m.option(ctx, has.product.ID(), was, name, n, labels(p, n))
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

// labels are the values the file's variants have for option n, in file order.
func labels(p Product, n int) []string {
	var out []string
	for _, v := range p.Variants {
		if !slices.Contains(out, v.Values[n]) {
			out = append(out, v.Values[n])
		}
	}
	return out
}

func (m *merge) option(ctx context.Context, product string, was collection.Record, name string, position int, labels []string) (collection.Record, error) {
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
		return m.records.Create(ctx, m.tx, m.by, catalog.Options, map[string]any{
			"product": product, "name": name, "position": numeral(int64(position)), "values": values,
		})
	}
	if !missing {
		return was, nil
	}
	m.changed = true
	return m.records.Update(ctx, m.tx, m.by, catalog.Options, was.ID(), map[string]any{"values": values})
}
