package personaldata

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/ports"
)

// DeclineErasure declines the request of a customer to be erased, and answers {customer}. The event of the customer tells of it. Errors:
// identity.ErrErased, identity.ErrErasureNotRequested, fault.ErrValidation, fault.ErrForbidden, fault.ErrUnauthenticated,
// ports.ErrNotFound.
func (s *Service) DeclineErasure(ctx context.Context, c idempotency.Call, id, reason string) (idempotency.Response, error) {
	if err := mayErase(c.Principal); err != nil {
		return idempotency.Response{}, err
	}
	work := func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		err = s.Store.Atomically(ctx, ports.ForPrincipal(c.Principal), func(ctx context.Context, tx ports.Tx) error {
			before, err := tx.Records.Lock(ctx, identity.Customers, id)
			if err != nil {
				return err
			}
			now := s.Now()
			after, err := identity.DeclineErasure(before, reason, now)
			if err != nil {
				return err
			}
			if err := tx.Records.Write(ctx, collection.NewChange(identity.Customers, before, after, s.NewID(), now)); err != nil {
				return err
			}
			receipt = c.Receipt(ports.ReceiptOK, c.Body(reply.Member{Name: "customer", Schema: identity.Customers, Record: after}),
				nil, now, now.Add(idempotency.Retention))
			receipt.About(after)
			return claim.Save(ctx, tx, receipt)
		})
		return receipt, err
	}
	answer, _, err := s.Idempotency.RunOptional(ctx, c, work, id)
	return answer, err
}
