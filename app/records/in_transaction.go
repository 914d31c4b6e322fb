package records

import (
	"context"
	"maps"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// InTransaction writes records inside a transaction of its caller, under the same rules as a request: imports
// and the creation of a tenant commit many records at once. A System principal may set read-only fields.
type InTransaction struct {
	*Service

	StockKind inventory.MovementKind // of the movements that writes of stock make; "": by what the write is
}

// Create stores a new record. Errors: as Service.Create.
func (in InTransaction) Create(
	ctx context.Context, tx ports.Tx, by tenant.Principal, s *collection.Schema, input map[string]any,
) (collection.Record, error) {
	return in.executeIn(ctx, tx, by, writeRequest{schema: s, verb: collection.Create, id: in.NewID(), input: input})
}

// Update merges input into a record. Errors: as Service.Update.
func (in InTransaction) Update(
	ctx context.Context, tx ports.Tx, by tenant.Principal, s *collection.Schema, id string, input map[string]any,
) (collection.Record, error) {
	return in.executeIn(ctx, tx, by, writeRequest{schema: s, verb: collection.Update, id: id, input: input})
}

func (in InTransaction) executeIn(ctx context.Context, tx ports.Tx, by tenant.Principal, j writeRequest) (collection.Record, error) {
	j.schema = in.Registry.Get(j.schema.Slug) // as this server declares it: the options of a field may depend on its adapters
	var err error
	if j.filter, err = in.accessFilter(by, j.schema, j.verb); err != nil {
		return nil, err
	}
	w := Write{
		Principal: by, Schema: j.schema, ID: j.id, Create: j.verb == collection.Create, Input: maps.Clone(j.input),
		Now: collection.TruncateTime(in.Now()), NewID: in.NewID, stockKind: in.StockKind,
	}
	hooks := in.Hooks[j.schema.Slug]
	if hooks.Prepare != nil {
		if err := hooks.Prepare(ctx, &w); err != nil {
			return nil, err
		}
	}
	if err := in.store(ctx, tx, &w, j, hooks); err != nil {
		return nil, err
	}
	return w.After, nil
}
