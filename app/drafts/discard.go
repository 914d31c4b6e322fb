package drafts

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/ports"
)

// Discard discards a draft and answers {draftOrder}; a key is optional. Rule drafts-1. Errors: those of
// requireAccess and of idempotency, ports.ErrNotFound, draft.ErrNotEditable.
func (d *Service) Discard(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	if err := requireAccess(c.Principal, collection.Update); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := d.Idempotency.RunOptional(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		return d.discard(ctx, c, id, claim)
	}, id)
	return answer, err
}

func (d *Service) discard(
	ctx context.Context, c idempotency.Call, id string, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	err = d.Store.Atomically(ctx, ports.ForTenant(c.Principal.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		before, err := lockDraft(ctx, tx, c.Principal, id)
		if err != nil {
			return err
		}
		after, err := draft.Discard(before)
		if err != nil {
			return err
		}
		w := collection.NewChangeSet(d.Now(), d.NewID)
		w.Put(draft.Schema, before, after)
		if err := tx.Records.Write(ctx, w.List()...); err != nil {
			return err
		}
		receipt = c.Receipt(ports.ReceiptOK, c.Body(reply.Member{Name: "draftOrder", Schema: draft.Schema, Record: after}), nil,
			w.Now, time.Time{})
		receipt.About(after)
		return claim.Save(ctx, tx, receipt)
	})
	return receipt, err
}
