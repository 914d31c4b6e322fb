package content

import (
	"context"
	"maps"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Within writes records inside a transaction of its caller, with every rule that holds for a request: imports and the
// founding of a tenant put many records into one commit. A System principal may set what the server owns.
type Within struct{ *Content }

// Create stores a new record. Errors: as Content.Create.
func (in Within) Create(ctx context.Context, tx ports.Tx, by tenant.Principal, s *collection.Schema, input map[string]any) (collection.Record, error) {
	return in.put(ctx, tx, by, job{schema: s, verb: collection.Create, id: in.NewID(), input: input})
}

// Update merges input into a record. Errors: as Content.Update.
func (in Within) Update(ctx context.Context, tx ports.Tx, by tenant.Principal, s *collection.Schema, id string, input map[string]any) (collection.Record, error) {
	return in.put(ctx, tx, by, job{schema: s, verb: collection.Update, id: id, input: input})
}

func (in Within) put(ctx context.Context, tx ports.Tx, by tenant.Principal, j job) (collection.Record, error) {
	var err error
	if j.reach, err = in.reach(by, j.schema, j.verb); err != nil {
		return nil, err
	}
	w := Write{
		Principal: by, Schema: j.schema, ID: j.id, Create: j.verb == collection.Create, Input: maps.Clone(j.input),
		Now: collection.Instant(in.Now()), NewID: in.NewID,
	}
	hooks := in.Hooks[j.schema.Slug]
	if hooks.Shape != nil {
		if err := hooks.Shape(ctx, &w); err != nil {
			return nil, err
		}
	}
	if err := in.keep(ctx, tx, &w, j, hooks); err != nil {
		return nil, err
	}
	return w.After, nil
}
