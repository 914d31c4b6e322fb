package buying

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Retrieve answers the union on a checkout's status: {status, checkout} with paymentSession while one is pending, order
// once completed, reason when a person must look. Errors: ports.ErrAbsent also for what the caller may not see.
func (b *Buying) Retrieve(ctx context.Context, c once.Call, id string) ([]byte, error) {
	if err := known(c, false); err != nil {
		return nil, err
	}
	reader := b.Store.Read(ports.For(c.Principal))
	r, err := reader.Get(ctx, checkout.Schema, id)
	if err != nil {
		return nil, err
	}
	x := checkout.FromRecord(r)
	if err := admitCheckout(c, x); err != nil {
		return nil, err
	}
	members := []once.Member{{Name: "checkout", Schema: checkout.Schema, Record: checkout.Schema.AsOf(r, b.Now())}}
	status := x.StatusAt(b.Now())
	switch {
	case status == checkout.PaymentPending && x.Session != "":
		s, err := reader.Get(ctx, payment.Sessions, x.Session)
		if err != nil {
			return nil, err
		}
		members = append(members, once.Member{Name: "paymentSession", Schema: payment.Sessions, Record: s})
	case status == checkout.Completed:
		o, err := reader.Get(ctx, order.Schema, x.Order)
		if err != nil {
			return nil, err
		}
		members = append(members, once.Member{Name: "order", Schema: order.Schema, Record: o})
	}
	answer := with(c.Body(members...), "status", string(status))
	if status == checkout.Attention {
		answer = with(answer, "reason", x.Case.Reason)
	}
	return answer, nil
}

// Session answers {paymentSession}. Errors: ports.ErrAbsent.
func (b *Buying) Session(ctx context.Context, c once.Call, id string) ([]byte, error) {
	if err := known(c, false); err != nil {
		return nil, err
	}
	r, _, err := b.session(ctx, c, id)
	if err != nil {
		return nil, err
	}
	return c.Body(once.Member{Name: "paymentSession", Schema: payment.Sessions, Record: r}), nil
}
