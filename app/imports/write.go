package imports

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/intake"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/transfer"
	"github.com/cartwright-dev/cartwright/ports"
)

var ordersSchema = order.Schema

// reference is a field whose cells name other records.
type reference struct {
	field, column string
	to            *collection.Schema
	by            string // field of to that people know it by
}

var images = reference{"images", "images", media.Schema, "url"}

// references are the fields of products and discounts that name records by what people know them by.
var references = map[intake.Kind][]reference{
	intake.Products: {
		{"category", "category", catalog.Categories, "slug"}, {"categories", "categories", catalog.Categories, "slug"},
		{"tags", "tags", catalog.Tags, "slug"}, {"brand", "brand", catalog.Brands, "slug"}, images,
	},
	intake.Discounts: {
		{"applicableProducts", "products", catalog.Products, "slug"}, {"applicableCategories", "categories", catalog.Categories, "slug"},
		{"markets", "markets", catalog.Markets, "code"},
	},
}

// resolve replaces in an input the names of records by their ids, and tells those that do not exist.
func (c chunk) resolve(ctx context.Context, row int, input map[string]any, refs ...reference) (problems []intake.Problem, err error) {
	for _, ref := range refs {
		var names []string
		list, isList := input[ref.field].([]any)
		switch name, isText := input[ref.field].(string); {
		case isText:
			names = []string{name}
		case isList:
			for _, it := range list {
				name, _ := it.(string)
				names = append(names, name)
			}
		default:
			continue
		}
		ids, missing, err := c.idsOf(ctx, ref, names)
		if err != nil {
			return nil, err
		}
		for _, name := range missing {
			problems = append(problems, intake.Problem{
				Row: row, Column: ref.column, Code: intake.CodeReference,
				Message: "There is no " + ref.to.Singular + " with the " + ref.by + " " + intake.Excerpt(name) + ".",
			})
		}
		if input[ref.field] = ids; !isList {
			input[ref.field] = ids[0]
		}
	}
	return problems, nil
}

// idsOf are the ids of records by their names, or by their ids, as files have those without a name. Pictures are found by the ids
// in their addresses, of which there is no index.
func (c chunk) idsOf(ctx context.Context, ref reference, names []string) (ids []any, missing []string, err error) {
	var there map[string]collection.Record
	if ref.to != media.Schema {
		if there, err = c.find(ctx, ref.to, ref.by, names); err != nil {
			return nil, nil, err
		}
	}
	ids = make([]any, len(names))
	var unknown []string
	for i, name := range names {
		if there[name] != nil {
			ids[i] = there[name].ID()
			continue
		}
		id := name
		if ref.to == media.Schema {
			id = media.IDIn(name)
		}
		ids[i], unknown = id, append(unknown, id)
	}
	if len(unknown) == 0 {
		return ids, nil, nil
	}
	byID, err := c.tx.Records.GetMany(ctx, ref.to, unknown, nil)
	for i, name := range names {
		if id, _ := ids[i].(string); there[name] == nil && byID[id] == nil {
			ids[i], missing = "", append(missing, name)
		}
	}
	return ids, missing, err
}

// mergeProduct merges rows into a product, or makes it if id is "".
func (c chunk) mergeProduct(ctx context.Context, u unit, id string) (outcome, error) {
	product, problems := intake.ProductOf(u.rows)
	missing, err := c.resolve(ctx, u.rows[0].Number, product.Fields, references[c.kind]...)
	for i := range product.Variants {
		v := product.Variants[i]
		more, failed := c.resolve(ctx, v.Row, v.Fields, reference{images.field, "variantImages", images.to, images.by})
		missing, err = append(missing, more...), errors.Join(err, failed)
	}
	if err != nil {
		return outcome{}, err
	}
	if problems = append(problems, missing...); len(problems) > 0 {
		return outcome{id: id, problems: problems}, nil
	}
	done, err := c.Cataloging.MergeIn(ctx, c.tx, c.by, id, product, len(c.units) == 1)
	switch {
	case err == nil:
		return outcome{id: done.ID, changed: done.Changed}, nil
	case !isRowError(err):
		return outcome{}, err
	}
	for i, row := range done.Rows {
		if row == 0 {
			done.Rows[i] = u.rows[0].Number
		}
	}
	done.Rows = append(done.Rows, u.rows[0].Number)
	if done.Wrote {
		return outcome{}, refusedParts{err, done.Rows}
	}
	return refused(c.kind, err, done.Rows), nil
}

// importOrder makes an order. One that is there with the same content is unchanged.
func (c chunk) importOrder(ctx context.Context, u unit) (outcome, error) {
	input, problems := intake.OrderOf(u.rows)
	if len(problems) > 0 {
		return outcome{problems: problems}, nil
	}
	done, err := c.Orders.ImportIn(ctx, c.tx, c.by, input)
	switch {
	case err == nil:
		return outcome{id: done.ID, changed: done.Created}, nil
	case done.Wrote || !isRowError(err):
		return outcome{}, err
	case done.There != nil && intake.IsOrder(u.rows, transfer.OrderRows(done.There, nil)):
		return outcome{id: done.ID}, nil // an exported order that is sent back
	}
	return refused(c.kind, err, u.numbers()), nil
}

// writeRecord creates the record of a row, or updates the one with this id.
func (c chunk) writeRecord(ctx context.Context, u unit, id string) (outcome, error) {
	s := c.Records.Registry.Get(Schema(c.kind).Slug)
	var there collection.Record
	var err error
	if id != "" {
		if there, err = c.tx.Records.Lock(ctx, s, id); errors.Is(err, ports.ErrNotFound) {
			return refused(c.kind, err, u.numbers()), nil
		} else if err != nil {
			return outcome{}, err
		}
	}
	input, problems := c.inputOf(u, there)
	missing, err := c.resolve(ctx, u.rows[0].Number, input, references[c.kind]...)
	if err != nil {
		return outcome{}, err
	}
	if problems = append(problems, missing...); len(problems) > 0 {
		return outcome{id: id, problems: problems}, nil
	}
	if there == nil {
		return c.create(ctx, s, u, input)
	}
	return c.update(ctx, s, u, id, input)
}

func (c chunk) inputOf(u unit, there collection.Record) (map[string]any, []intake.Problem) {
	if c.kind == intake.Customers {
		return u.rows[0].Customer(there)
	}
	return u.rows[0].Discount(there)
}

func (c chunk) create(ctx context.Context, s *collection.Schema, u unit, input map[string]any) (outcome, error) {
	in := records.InTransaction{Service: c.Records}
	if _, err := in.Check(ctx, c.tx, c.by, s, nil, input); err != nil {
		if isRowError(err) {
			return refused(c.kind, err, u.numbers()), nil
		}
		return outcome{}, err
	}
	made, err := in.Create(ctx, c.tx, c.by, s, input)
	return outcome{id: made.ID(), changed: true}, err
}

func (c chunk) update(ctx context.Context, s *collection.Schema, u unit, id string, input map[string]any) (outcome, error) {
	var changed bool
	update, err := c.Records.NewUpdate(ctx, idempotency.Call{Principal: c.by}, s, id, input)
	if err == nil {
		_, changed, err = update.Store(ctx, c.tx)
	}
	switch {
	case err == nil:
		return outcome{id: id, changed: changed}, nil
	case update != nil && update.Wrote() || !isRowError(err):
		return outcome{}, err
	}
	o := refused(c.kind, err, u.numbers())
	o.id = id
	return o, nil
}
