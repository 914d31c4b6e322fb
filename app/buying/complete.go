package buying

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/placing"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/ports"
)

// Complete places the order of a checkout that costs nothing and answers {checkout, order}; a completed checkout answers
// its order again, whatever the key. Errors: those of idempotency, ports.ErrAbsent, checkout.ErrPaymentRequired,
// checkout.ErrExpired, checkout.ErrNotOpen, checkout.ErrAddressRequired, ports.ErrShort, ports.ErrUsedUp.
func (b *Buying) Complete(ctx context.Context, c once.Call, id string) (once.Answer, error) {
	if err := known(c, true); err != nil {
		return once.Answer{}, err
	}
	if err := c.Check(id); err != nil {
		return once.Answer{}, err
	}
	answer, _, err := b.Once.Run(ctx, c, func(ctx context.Context, claim *once.Claim) (receipt ports.Receipt, err error) {
		err = placing.Drawing(b.Now, func(number string) error {
			receipt, err = b.complete(ctx, c, id, claim, number)
			return err
		})
		return receipt, err
	})
	return answer, err
}

func (b *Buying) complete(ctx context.Context, c once.Call, id string, claim *once.Claim, number string) (receipt ports.Receipt, err error) {
	err = b.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) error {
		l, err := lockBoth(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := admitCheckout(c, l.checkout); err != nil {
			return err
		}
		w := b.changes()
		o, r, err := b.placeFree(ctx, tx, w, l, number)
		if err != nil {
			return err
		}
		if err := tx.Records.Write(ctx, w.list...); err != nil {
			return err
		}
		answer := c.Body(once.Member{Name: "checkout", Schema: checkout.Schema, Record: r}, once.Member{Name: "order", Schema: order.Schema, Record: o})
		receipt = c.Receipt(ports.OK, answer, nil, w.now, time.Time{})
		receipt.Record = id
		if err := claim.Keep(ctx, tx, receipt); err != nil {
			return err
		}
		b.fail(FailBeforeCommit)
		return nil
	})
	if err == nil {
		b.fail(FailCommitted)
	}
	return receipt, err
}

func (b *Buying) placeFree(ctx context.Context, tx ports.Tx, w *changes, l locked, number string) (o, c collection.Record, err error) {
	if l.checkout.Status == checkout.Completed {
		o, err = tx.Records.Get(ctx, order.Schema, l.checkout.Order)
		return o, l.record, err
	}
	if err := l.checkout.Payable(w.now); err != nil {
		return nil, nil, err
	}
	switch {
	case !l.checkout.Totals.Total.IsZero():
		return nil, nil, checkout.ErrPaymentRequired
	case l.cart == cart.Completed:
		return nil, nil, checkout.ErrNotOpen
	}
	return b.place(ctx, tx, w, l, number)
}
