package drafting

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/ports"
)

// Discard gives a draft up and answers {draftOrder}; a key is optional. Spec 3.1. Errors: those of admit and of idempotency,
// ports.ErrAbsent, draft.ErrNotEditable.
func (d *Drafting) Discard(ctx context.Context, c once.Call, id string) (once.Answer, error) {
	if err := admit(c.Principal, collection.Update); err != nil {
		return once.Answer{}, err
	}
	answer, _, err := d.Once.RunOptional(ctx, c, func(ctx context.Context, claim *once.Claim) (ports.Receipt, error) {
		return d.discard(ctx, c, id, claim)
	}, id)
	return answer, err
}

func (d *Drafting) discard(ctx context.Context, c once.Call, id string, claim *once.Claim) (receipt ports.Receipt, err error) {
	err = d.Store.Atomically(ctx, ports.Of(c.Principal.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		before, err := lock(ctx, tx, c.Principal, id)
		if err != nil {
			return err
		}
		after, err := draft.Discard(before)
		if err != nil {
			return err
		}
		w := changes{d: d, now: d.Now()}
		w.put(draft.Schema, before, after)
		if err := tx.Records.Write(ctx, w.list...); err != nil {
			return err
		}
		receipt = c.Receipt(ports.OK, c.Body(once.Member{Name: "draftOrder", Schema: draft.Schema, Record: after}), nil, w.now, time.Time{})
		receipt.Record = id
		return claim.Keep(ctx, tx, receipt)
	})
	return receipt, err
}
