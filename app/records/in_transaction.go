package records

import (
	"context"
	"maps"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// InTransaction writes records inside a transaction of its caller, under the same rules as a request: imports
// and the creation of a tenant commit many records at once. A System principal may set read-only fields.
type InTransaction struct {
	*Service

	StockKind   inventory.MovementKind // of the movements that writes of stock make; "": by what the write is
	StockReason string                 // of these movements; "": their kind
	// VariantsFollow says that the variants of new products are created after them, in the same transaction: a product gets
	// no default variant.
	VariantsFollow bool
	// Family is that of the one product whose parts are written; nil: each write locks and reads what it needs.
	Family *Family
	// Slugs are those generated for the one record with a slug that is written, if its transaction is tried again when its slug
	// is taken; nil: it is not.
	Slugs *SlugAttempts
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

// Delete deletes a record. Errors: as Service.Delete.
func (in InTransaction) Delete(ctx context.Context, tx ports.Tx, by tenant.Principal, s *collection.Schema, id string) error {
	_, err := in.executeIn(ctx, tx, by, writeRequest{schema: s, verb: collection.Delete, id: id})
	return err
}

// CreateAs is Create with an id that the caller made.
func (in InTransaction) CreateAs(
	ctx context.Context, tx ports.Tx, by tenant.Principal, s *collection.Schema, id string, input map[string]any,
) (collection.Record, error) {
	return in.executeIn(ctx, tx, by, writeRequest{schema: s, verb: collection.Create, id: id, input: input})
}

// UpdateDiffering is Update, but that an update which changes nothing is no change. The input may name the revision that it
// is based on. Errors: as Update, and collection.ErrChangedMeanwhile.
func (in InTransaction) UpdateDiffering(
	ctx context.Context, tx ports.Tx, by tenant.Principal, s *collection.Schema, id string, input map[string]any,
) (changed bool, err error) {
	u, err := in.NewUpdate(ctx, idempotency.Call{Principal: by}, in.Registry.Get(s.Slug), id, input)
	if err != nil {
		return false, err
	}
	u.write.stockKind, u.write.stockReason, u.write.family = in.StockKind, in.StockReason, in.Family
	if in.Slugs != nil {
		u.write.slugAttempts = in.Slugs
	}
	if u.request.filter, err = in.accessFilter(by, u.request.schema, collection.Update); err != nil {
		return false, err
	}
	_, changed, err = u.Store(ctx, tx)
	return changed, err
}

// Check reads the input of a record to be as a write of it would: its fields, its size, and its links but those of the
// fields named made, whose records are made in the same transaction. before is nil for a new record. It stores nothing.
// Errors: fault.ErrValidation, collection.ErrRecordTooLarge.
func (in InTransaction) Check(
	ctx context.Context, tx ports.Tx, by tenant.Principal, s *collection.Schema, before collection.Record, input map[string]any, made ...string,
) (collection.Record, error) {
	w := Write{
		Principal: by, Schema: in.Registry.Get(s.Slug), ID: before.ID(), Create: before == nil, Input: input, Before: before,
		Now: collection.TruncateTime(in.Now()), NewID: in.NewID,
	}
	after, err := w.writer().Merge(before, input)
	if err != nil {
		return nil, err
	}
	w.After = after.Clone()
	for _, name := range made {
		delete(w.After, name)
	}
	if err := w.Schema.CheckSize(before, w.After); err != nil {
		return nil, err
	}
	return after, checkLinks(ctx, tx.Records, in.Registry, &w)
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
		stockReason: in.StockReason, variantsFollow: in.VariantsFollow, family: in.Family, slugAttempts: in.Slugs,
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
