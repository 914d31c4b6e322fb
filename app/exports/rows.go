package exports

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/transfer"
	"github.com/cartwright-dev/cartwright/ports"
)

// columns are the columns of an export that p sees. Errors: fault.ErrValidation for columns.
func (s *Service) columns(_ context.Context, _ tenant.Principal, sheet transfer.Sheet, names []string) ([]transfer.Column, error) {
	return sheet.Pick(names)
}

// rows are the rows of some records, with what they show of others.
func (x *export) rows(ctx context.Context, page []collection.Record) ([]transfer.Row, error) {
	return x.orderRows(ctx, page)
}

func (x *export) orderRows(ctx context.Context, page []collection.Record) (rows []transfer.Row, err error) {
	parcels, err := x.related(ctx, order.Fulfillments, "order", page)
	for _, o := range page {
		rows = append(rows, transfer.OrderRows(o, parcels[o.ID()])...)
	}
	return rows, err
}

// related are the records of s that refer to one of page by a field, by what they refer to, oldest first.
func (x *export) related(
	ctx context.Context, s *collection.Schema, field string, page []collection.Record,
) (map[string][]collection.Record, error) {
	if len(page) == 0 {
		return nil, nil
	}
	ids := make([]string, len(page))
	for i, r := range page {
		ids[i] = r.ID()
	}
	by := map[string][]collection.Record{}
	err := ports.FindEach(ctx, x.Store.Read(ports.ForPrincipal(x.principal)), collection.Query{
		Schema: s, Environment: string(x.principal.Environment), Where: collection.FieldIn(s, field, ids), Now: x.Now(),
	}, func(found []collection.Record) error {
		for _, r := range found {
			by[r.Text(field)] = append(by[r.Text(field)], r)
		}
		return nil
	})
	return by, err
}
