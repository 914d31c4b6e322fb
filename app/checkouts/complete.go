package checkouts

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

// CompleteFree places the order of a checkout that costs nothing and answers {checkout, order}; a completed
// checkout answers its order again under any key. Errors: those of idempotency, ports.ErrNotFound,
// checkout.ErrPaymentRequired, checkout.ErrExpired, checkout.ErrNotOpen, checkout.ErrAddressRequired,
// ports.ErrOutOfStock, ports.ErrDiscountUsageLimit, discount.ErrNotFound, discount.ErrInactive.
func (s *Service) CompleteFree(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	if err := RequireCaller(c, true); err != nil {
		return idempotency.Response{}, err
	}
	if err := c.CheckKey(id); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := s.Idempotency.Run(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		err = s.Numbers.At(s.Now).WithFreshNumber(ctx, c.Principal.Tenant.ID, c.Principal.Environment, func(number string) error {
			receipt, err = s.completeFree(ctx, c, id, claim, number)
			return err
		})
		return receipt, err
	})
	return answer, err
}

func (s *Service) completeFree(
	ctx context.Context, c idempotency.Call, id string, claim *idempotency.Claim, number string,
) (receipt idempotency.Receipt, err error) {
	err = s.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) error {
		l, err := LockWithCart(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := Authorize(c, l.Checkout); err != nil {
			return err
		}
		w := s.newChangeSet()
		o, r, err := placeFree(ctx, tx, w, l, number)
		if err != nil {
			return err
		}
		if err := tx.Records.Write(ctx, w.List()...); err != nil {
			return err
		}
		answer := c.Body(reply.Member{Name: "checkout", Schema: checkout.Schema, Record: r},
			reply.Member{Name: "order", Schema: order.Schema, Record: o})
		receipt = c.Receipt(ports.ReceiptOK, answer, nil, w.Now, time.Time{})
		receipt.About(r)
		if err := claim.Save(ctx, tx, receipt); err != nil {
			return err
		}
		s.failpoint(FailBeforeCommit)
		return nil
	})
	if err == nil {
		s.failpoint(FailCommitted)
	}
	return receipt, err
}

// placeFree places the order of a checkout that costs nothing; a completed one has its order already.
func placeFree(ctx context.Context, tx ports.Tx, w *collection.ChangeSet, l Locked, number string) (o, c collection.Record, err error) {
	if l.Checkout.Status == checkout.Completed {
		o, err = tx.Records.Get(ctx, order.Schema, l.Checkout.Order)
		return o, l.Record, err
	}
	if err := l.Checkout.CheckPayable(w.Now); err != nil {
		return nil, nil, err
	}
	switch {
	case !l.Checkout.Totals.Total.IsZero():
		return nil, nil, checkout.ErrPaymentRequired
	case l.IsCartSpent():
		return nil, nil, checkout.ErrNotOpen
	}
	if err := placement.CheckCodes(ctx, tx, l.Checkout); err != nil { // there was no session to take the slot
		return nil, nil, err
	}
	return Place(ctx, tx, w, l, number)
}
