package cataloging

import (
	"context"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// plan is what a form changes: its parts, checked, and what goes away.
type plan struct {
	attention

	tx      ports.Tx
	by      tenant.Principal
	records records.InTransaction
	newID   func() string

	id      string // of the product
	was     whole  // empty for a new product
	form    form
	markets []collection.Record
	levels  map[string][]inventory.Level // stock of the variants that are there, in both environments; locked

	options, variants []*part
	removedOptions    []collection.Record
	removedVariants   []collection.Record
	changed           bool // something beside the product itself
	rewritten         bool // the product itself
}

// part is one option, variant or price of a form.
type part struct {
	path    string // ends in a dot
	was     collection.Record
	input   map[string]any
	differs bool
	chosen  []chosenValue       // of a variant
	prices  []*part             // of a variant
	gone    []collection.Record // prices of a variant that its form does not have
	leaving []any               // values of an option that its form does not have
	written bool                // of a variant: it has what the form says
}

// newPlan locks a product, makes the form of what is there by then, and checks all of its parts. Errors: fault.ErrValidation,
// ports.ErrNotFound, collection.ErrChangedMeanwhile, ErrVariantReserved.
func (s *Service) newPlan(
	ctx context.Context, tx ports.Tx, by tenant.Principal, id string, form func(there whole, markets []collection.Record) map[string]any,
) (*plan, error) {
	var bad problems
	p := &plan{tx: tx, by: by, id: id, newID: s.NewID}
	p.records = records.InTransaction{Service: s.Records, Family: &records.Family{}}
	if err := p.loadPresent(ctx); err != nil {
		return nil, err
	}
	p.form = readForm(form(p.was, p.markets), &bad)
	p.records.StockReason, p.records.VariantsFollow = p.form.reason, len(p.form.variants) > 0
	switch {
	case p.id == "":
		p.id = s.NewID()
		if p.form.id != "" {
			bad.add(idName, "A new product gets its id from the server.")
		}
	case p.form.id != "" && p.form.id != p.id:
		bad.add(idName, "This is another product than that of the address.")
	}
	for _, check := range []func(context.Context, *problems) error{p.checkProduct, p.checkOptions, p.checkVariants} {
		if err := check(ctx, &bad); err != nil {
			return nil, err
		}
	}
	return p, bad.err()
}

// loadPresent reads what is there. Stock is locked before the product, in the same order as sales do.
func (p *plan) loadPresent(ctx context.Context) (err error) {
	if p.markets, err = ports.FindAll(ctx, p.tx.Records, collection.Query{
		Schema: catalog.Markets, Sort: catalog.Markets.SortBy("id"),
	}); err != nil || p.id == "" {
		return err
	}
	seen, err := load(ctx, p.tx.Records, p.by, p.id)
	if err != nil {
		return err
	}
	ids := make([]string, len(seen.variants))
	for i, v := range seen.variants {
		ids[i] = v.ID()
	}
	p.levels = map[string][]inventory.Level{}
	for _, env := range [...]tenant.Environment{tenant.Live, tenant.Test} {
		levels, err := p.tx.Stock.Levels(ctx, env, ids)
		if err != nil {
			return err
		}
		for id, level := range levels {
			p.levels[id] = append(p.levels[id], level)
		}
	}
	if _, err := p.tx.Records.Lock(ctx, catalog.Products, p.id); err != nil {
		return err
	}
	p.was, err = load(ctx, p.tx.Records, p.by, p.id)
	p.records.Family.Options, p.records.Family.Variants = slices.Clone(p.was.options), slices.Clone(p.was.variants)
	return err
}

// check reads the input of a part and adds what is wrong with it. Its links named made are to parts of the same form. It
// answers what of the input has to be written: all of a new part, else what differs from what is there; nil: nothing.
func (p *plan) check(
	ctx context.Context, bad *problems, s *collection.Schema, at string, was collection.Record, input map[string]any, made ...string,
) (differing map[string]any, err error) {
	if err := checkRevision(at, was, input, bad); err != nil {
		return nil, err
	}
	fields := maps.Clone(input)
	forget(fields, collection.RevisionName)
	switch s {
	case catalog.Products:
		forget(fields, collection.ExpectedRevision)
	case catalog.Variants:
		forget(fields, catalog.ExpectedStock)
	}
	after, err := p.records.Check(ctx, p.tx, p.by, s, was, fields, made...)
	switch {
	case err == nil && was == nil:
		forget(input, collection.RevisionName)
		return input, nil
	case err == nil:
		return differences(s, was, after, input), nil
	case bad.addError(at, err):
		return nil, nil
	}
	return nil, err
}

// differences are the members of the input by which after differs from what was there, with what they are based on.
func differences(s *collection.Schema, was, after collection.Record, input map[string]any) map[string]any {
	out := map[string]any{}
	take := func(names ...string) {
		for _, name := range names {
			if v, given := input[name]; given {
				out[name] = v
			}
		}
	}
	for i := range s.Fields {
		if f := &s.Fields[i]; !collection.Equal(was[f.Name], after[f.Name]) {
			take(f.Name, f.Alias)
		}
	}
	if input[catalog.ExpectedStock] != nil { // compared even where the stock is what is there
		take("stock")
	}
	if len(out) == 0 {
		return nil
	}
	take(collection.RevisionName, collection.ExpectedRevision, catalog.ExpectedStock)
	return out
}

// checkRevision compares the revision that a part was based on with the present one. Errors: collection.ErrChangedMeanwhile.
func checkRevision(at string, was collection.Record, input map[string]any, bad *problems) error {
	for _, name := range []string{collection.RevisionName, collection.ExpectedRevision} {
		given := input[name]
		if given == nil || name == collection.ExpectedRevision && at != "" {
			continue
		}
		if was == nil {
			bad.add(at+name, "What is new has no revision.")
			continue
		}
		n, err := collection.ReadRevision(name, given)
		if err != nil {
			bad.addError(at, err)
			continue
		}
		if err := collection.CheckRevision(was.Revision(), n); err != nil {
			return located(at, err)
		}
	}
	return nil
}

// located is err with the path of the part it is about: before its fields, or in data "path".
func located(at string, err error) error {
	f := fault.From(err)
	switch {
	case f.Kind == fault.Internal || at == "":
		return err
	case len(f.Fields) == 0:
		return f.WithData("path", at[:len(at)-1])
	}
	moved := *f
	moved.Fields = slices.Clone(f.Fields)
	for i := range moved.Fields {
		moved.Fields[i].Field = at + moved.Fields[i].Field
	}
	return &moved
}

func (p *plan) checkProduct(ctx context.Context, bad *problems) error {
	if p.form.fields["stock"] != nil {
		bad.add("stock", catalog.ErrStockOnVariants.Fields[0].Message)
		delete(p.form.fields, "stock")
	}
	differing, err := p.check(ctx, bad, catalog.Products, "", p.was.product, p.form.fields)
	p.form.fields = differing
	return err
}

// write writes the product and its parts.
func (p *plan) write(ctx context.Context) error {
	if err := p.writeProduct(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{p.writeOptions, p.removeVariants, p.writeVariants, p.removeOptions} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if p.tx.SyncStock != nil {
		if err := p.tx.SyncStock(ctx); err != nil {
			return err
		}
	}
	return p.touchProduct(ctx)
}

func (p *plan) writeProduct(ctx context.Context) error {
	write := p.records
	write.Slugs = p.slugs
	var err error
	switch {
	case p.was.product == nil:
		_, err = write.CreateAs(ctx, p.tx, p.by, catalog.Products, p.id, p.form.fields)
		p.rewritten = true
	case p.form.fields != nil:
		p.rewritten, err = write.UpdateDiffering(ctx, p.tx, p.by, catalog.Products, p.id, p.form.fields)
	}
	if err != nil {
		return err
	}
	return p.checkWritten(ctx, catalog.Products, p.id, "")
}

// checkWritten has the database refuse now what was written, if a refusal has to have the path of its part.
func (p *plan) checkWritten(ctx context.Context, s *collection.Schema, id, path string) error {
	if !p.exact {
		return nil
	}
	_, err := p.tx.Records.Get(ctx, s, id)
	return located(path, err)
}

// touchProduct gives the product a new revision if a part of it changed and it did not: whoever has the whole product
// before them is told by its revision that it is another one. Decision 68.
func (p *plan) touchProduct(ctx context.Context) error {
	if !p.changed || p.was.product == nil {
		return nil
	}
	now, err := p.tx.Records.Get(ctx, catalog.Products, p.id)
	if err != nil || now.Revision() != p.was.product.Revision() {
		return err
	}
	_, err = p.records.Update(ctx, p.tx, p.by, catalog.Products, p.id, map[string]any{})
	return err
}
