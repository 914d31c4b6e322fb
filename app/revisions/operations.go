package revisions

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Operations gives every operation that changes one record, which its path names, the input expectedRevision. Carts have
// it already.
func Operations(all []operation.Operation, registry *collection.Registry) []operation.Operation {
	for i := range all {
		o := &all[i]
		s := recordOf(o, registry)
		if s == nil {
			continue
		}
		o.Input = append(slices.Clip(o.Input), collection.ExpectedRevisionField())
		o.Reasons = append(slices.Clip(o.Reasons), collection.ErrChangedMeanwhile)
		run := o.Run
		o.Run = func(ctx context.Context, call idempotency.Call, in *operation.Input) (idempotency.Response, error) {
			if expected := in.PositiveInteger(collection.ExpectedRevision); expected > 0 {
				ctx = expecting(ctx, &expectation{
					schema: s, id: in.Param("id"), revision: expected, early: call.Principal.IsStaff(),
				})
			}
			return run(ctx, call, in)
		}
	}
	return all
}

// recordOf is the collection of the record that o changes; nil: none, or o reads the revision itself.
func recordOf(o *operation.Operation, registry *collection.Registry) *collection.Schema {
	steps := o.Segments()
	at := slices.Index(steps, "{id}")
	if !o.Mutates || o.Deprecated || o.RawInput || o.Upload != nil || at < 1 || o.TakesRevision() {
		return nil
	}
	return registry.Get(strings.TrimSuffix(strings.Join(steps[:at], "/"), "/aggregator"))
}
