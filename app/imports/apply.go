package imports

import (
	"cmp"
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/cataloging"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/stock"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/intake"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Writers are the use cases that rows are written by.
type Writers struct {
	Records    *records.Service
	Cataloging *cataloging.Service
	Stock      *stock.Service
	Orders     *orders.Service
}

// chunk are units to be applied in one transaction.
type chunk struct {
	Writers

	tx    ports.Tx
	by    tenant.Principal
	kind  intake.Kind
	mode  intake.Mode
	units []unit
}

// MayImport admits those who may write by single requests what a file of a kind does. Errors: fault.ErrForbidden,
// fault.ErrUnauthenticated, tenant.ErrFeatureDisabled.
func (w Writers) MayImport(p tenant.Principal, kind intake.Kind, mode intake.Mode) error {
	switch kind {
	case intake.Stock:
		return access.RequireOperator(p, tenant.AdjustStock)
	case intake.Orders:
		return access.RequireOperator(p, tenant.ImportOrders)
	case intake.Products:
		for _, s := range []*collection.Schema{catalog.Options, catalog.Variants, catalog.MarketPrices} {
			if err := w.Records.CheckAccess(p, s, collection.Read, collection.Create, collection.Update); err != nil {
				return err
			}
		}
	case intake.Customers, intake.Discounts:
	}
	return w.Records.CheckAccess(p, Schema(kind), append(mode.Verbs(), collection.Read)...)
}

// Schema is the collection that a kind is about.
func Schema(kind intake.Kind) *collection.Schema { return schemas[kind] }

var schemas = map[intake.Kind]*collection.Schema{
	intake.Products: catalog.Products, intake.Customers: identity.Customers, intake.Discounts: discount.Schema,
	intake.Stock: catalog.Variants, intake.Orders: ordersSchema,
}

// apply applies the units in the transaction and answers in their order. Units with problems are left out. Errors: those after
// which the transaction has to be undone; one that isRowError accepts is about one of several units.
func (c chunk) apply(ctx context.Context) ([]outcome, error) {
	done := make([]outcome, len(c.units))
	var due []int
	for i, u := range c.units {
		if done[i].problems = u.problems; len(u.problems) == 0 {
			due = append(due, i)
		}
	}
	return done, c.applyDue(ctx, due, done)
}

func (c chunk) applyDue(ctx context.Context, due []int, done []outcome) error {
	if len(due) == 0 {
		return nil
	}
	if c.kind == intake.Stock {
		return c.countStock(ctx, due, done)
	}
	there, err := c.find(ctx, Schema(c.kind), c.kind.KeyField(), c.keys(due))
	if err != nil {
		return err
	}
	// Records that are there are locked in the order of their ids, so that imports and requests do not wait in a circle.
	slices.SortStableFunc(due, func(a, b int) int { return cmp.Compare(there[c.units[a].key()].ID(), there[c.units[b].key()].ID()) })
	for turn, i := range due {
		record := there[c.units[i].key()]
		if refusal, is := c.checkMode(c.units[i], record); is {
			done[i] = refusal
			continue
		}
		var err error
		switch c.kind {
		case intake.Products:
			done[i], err = c.mergeProduct(ctx, c.units[i], record.ID())
		case intake.Orders:
			done[i], err = c.importOrder(ctx, c.units[i])
		case intake.Customers, intake.Discounts, intake.Stock:
			done[i], err = c.writeRecord(ctx, c.units[i], record.ID())
		}
		if err != nil {
			return err
		}
		done[i].turn = turn
	}
	return nil
}

// checkMode refuses a record that is there, or is not, where the import only creates, or updates.
func (c chunk) checkMode(u unit, there collection.Record) (o outcome, is bool) {
	switch key := c.kind.Key(); {
	case there != nil && c.mode == intake.CreateOnly:
		return rejected(u, key, intake.CodeExists, "There is a record with this "+key+" already, and this import only creates."), true
	case there == nil && c.mode == intake.UpdateOnly:
		return rejected(u, key, intake.CodeNotFound, "There is no record with this "+key+", and this import only updates."), true
	}
	return o, false
}

func (c chunk) keys(due []int) []string {
	keys := make([]string, len(due))
	for n, i := range due {
		keys[n] = c.units[i].key()
	}
	return keys
}

// find are the records of s whose unique field has one of values, by value.
func (c chunk) find(ctx context.Context, s *collection.Schema, field string, values []string) (map[string]collection.Record, error) {
	found := map[string]collection.Record{}
	for part := range slices.Chunk(values, collection.MaxLimit) {
		among := make([]any, len(part))
		for i, v := range part {
			among[i] = v
		}
		where := s.Where(field, collection.In, among...)
		q := collection.Query{Schema: s, Where: where, Environment: string(c.by.Environment)}
		if s.PerEnvironment {
			q.Where = collection.And{where, s.Where("environment", collection.Equals, string(c.by.Environment))}
		}
		all, err := ports.FindAll(ctx, c.tx.Records, q)
		if err != nil {
			return nil, err
		}
		for _, r := range all {
			found[r.Text(field)] = r
		}
	}
	return found, nil
}

// countStock sets the units on hand of variants, which are known by their SKUs, or their ids if they have none.
func (c chunk) countStock(ctx context.Context, due []int, done []outcome) error {
	rows := make([]intake.Count, len(due))
	var skus, ids []string
	for n, i := range due {
		count, problems := c.units[i].rows[0].Count()
		rows[n], done[i].problems = count, problems
		if count.SKU != "" {
			skus = append(skus, count.SKU)
		} else {
			ids = append(ids, count.Variant)
		}
	}
	bySKU, err := c.find(ctx, catalog.Variants, "sku", skus)
	if err != nil {
		return err
	}
	byID, err := c.tx.Records.GetMany(ctx, catalog.Variants, ids, nil)
	if err != nil {
		return err
	}
	var counts []stock.Count
	var of []int
	for n, i := range due {
		v := bySKU[rows[n].SKU]
		if rows[n].SKU == "" {
			v = byID[rows[n].Variant]
		}
		switch {
		case len(done[i].problems) > 0:
		case v == nil:
			done[i] = rejected(c.units[i], "sku", intake.CodeNotFound, "There is no such variant.")
		case rows[n].SKU == "" && v.Text("sku") != "": // another row may have it by its SKU
			done[i] = rejected(c.units[i], "sku", intake.CodeMissing, "This variant has a SKU: write "+v.Text("sku")+".")
		default:
			done[i].id = v.ID()
			counts, of = append(counts, stock.Count{Variant: v, Units: rows[n].OnHand}), append(of, i)
		}
	}
	return c.count(ctx, counts, of, done)
}

// count sets units on hand, each of the unit with the same index in of.
func (c chunk) count(ctx context.Context, counts []stock.Count, of []int, done []outcome) error {
	if len(counts) == 0 {
		return nil
	}
	counted, err := c.Stock.CountIn(ctx, c.tx, c.by, counts)
	if err != nil {
		return err
	}
	for n, i := range of {
		if done[i].changed = counted[n].Changed; counted[n].Refused != nil {
			done[i] = refused(c.kind, counted[n].Refused, c.units[i].numbers())
		}
	}
	return nil
}
