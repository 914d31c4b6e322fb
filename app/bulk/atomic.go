package bulk

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// atomically changes all records in one transaction, or none. Errors: ErrRefused.
func (w run) atomically(ctx context.Context, claim *idempotency.Claim, patches []Patch) (idempotency.Receipt, error) {
	updates, refusals := make([]*records.PendingUpdate, len(patches)), problems{}
	for i, p := range patches {
		u, err := w.update(ctx, p)
		switch {
		case err == nil:
			updates[i] = u
		case isRowError(err):
			refusals[i] = fault.From(err)
		default:
			return idempotency.Receipt{}, err
		}
	}
	t := together{w, patches, updates, refusals, false}
	receipt, err := t.store(ctx, claim)
	if err != nil && isRowError(err) && !errors.Is(err, ErrRefused) { // the database refused one of them: find out which
		t.oneAtATime = true
		receipt, err = t.store(ctx, claim)
	}
	return receipt, err
}

// together are updates that are made all or none.
type together struct {
	run

	patches    []Patch
	updates    []*records.PendingUpdate // nil: refused already
	refusals   problems
	oneAtATime bool // what is written is read again at once, so that a refusal of the database tells its record
}

func (t together) store(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
	var found problems
	err = t.Store.Atomically(ctx, t.Records.Scope(t.call.Principal, t.schema), func(ctx context.Context, tx ports.Tx) error {
		rows := make([]row, len(t.patches))
		found = t.refusals.clone()
		for _, i := range lockOrder(t.patches, t.updates) {
			revision, changed, err := t.updates[i].Store(ctx, tx)
			if err == nil && t.oneAtATime {
				_, err = tx.Records.Get(ctx, t.schema, t.patches[i].ID)
			}
			rows[i] = written(t.patches[i].ID, revision, changed)
			switch {
			case err == nil:
			case !isRowError(err):
				return err
			default:
				if found[i] = fault.From(err); t.updates[i].Wrote() {
					return err // the transaction is of no more use
				}
			}
		}
		if len(found) > 0 {
			return found.asError()
		}
		receipt = t.receipt(rows)
		return claim.Save(ctx, tx, receipt)
	})
	switch {
	case err == nil:
		committed(t.updates)
	case len(found) > 0 && isRowError(err):
		err = found.asError()
	}
	return receipt, err
}
