package buying

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/placing"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// CheckOut is how the previous generation left a cart: for customers and the shop's server, under a key for those who want
// one. It answers {checkout, order: null, checkoutToken}, or {order} where the shop makes orders before they are paid.
// Errors: those of Create, order number and codes that cannot be.
func (b *Buying) CheckOut(ctx context.Context, c once.Call, in NewCheckout) (once.Answer, error) {
	if err := b.admitCheckOut(c, in); err != nil {
		return once.Answer{}, err
	}
	var token string
	work := func(ctx context.Context, claim *once.Claim) (receipt ports.Receipt, err error) {
		if !c.Principal.Tenant.CheckoutOrderSeparation {
			return b.orderNow(ctx, c, in, claim)
		}
		receipt, token, err = b.create(ctx, c, in, claim, once.Member{Name: "order", Schema: order.Schema, Record: nil})
		return receipt, err
	}
	answer, receipt, err := b.Once.RunOptional(ctx, c, work, in.Cart)
	if err != nil || answer.Fault != nil {
		return answer, err
	}
	if c.Key != "" && receipt.TokenVersion != 0 { // the key's answer may be another execution's
		token, err = c.Remint(b.Vault, once.CheckoutTokenPrefix, receipt)
	}
	return answerWith(answer, token), err
}

// answerWith is a with the token of the checkout it made; an order that was made at once has none.
func answerWith(a once.Answer, token string) once.Answer {
	if token != "" {
		a.Body = once.WithToken(a.Body, "checkoutToken", token)
	}
	return a
}

func (b *Buying) admitCheckOut(c once.Call, in NewCheckout) error {
	if err := known(c, true); err != nil {
		return err
	}
	if !c.Server && c.Principal.Kind != tenant.Customer {
		return fault.ErrUnauthenticated.Saying("Log in as a customer to check out.")
	}
	if in.OrderNumber != "" {
		if err := order.CheckNumber(in.OrderNumber); err != nil {
			return err
		}
	}
	if in.Codes == nil {
		return nil
	}
	return cart.SetCodes{Codes: *in.Codes}.Check()
}

// orderNow makes the order of a cart before it is paid: goods are taken and codes counted, as when it is.
func (b *Buying) orderNow(ctx context.Context, c once.Call, in NewCheckout, claim *once.Claim) (receipt ports.Receipt, err error) {
	err = placing.Drawing(b.Now, func(number string) error {
		return b.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) (err error) {
			receipt, err = b.order(ctx, tx, c, in, number)
			if err != nil {
				return err
			}
			return claim.Keep(ctx, tx, receipt)
		})
	})
	return receipt, err
}

func (b *Buying) order(ctx context.Context, tx ports.Tx, c once.Call, in NewCheckout, number string) (ports.Receipt, error) {
	w := b.changes()
	x, cartRecord, err := b.freeze(ctx, tx, w, c, in, checkout.Checkout{ID: b.NewID()})
	if err != nil {
		return ports.Receipt{}, err
	}
	if err := x.Payable(w.now); err != nil {
		return ports.Receipt{}, err
	}
	o, _, err := b.place(ctx, tx, w, locked{cartRecord: cartRecord, cart: cart.Active, checkout: x, unpaid: true}, number)
	if err != nil {
		return ports.Receipt{}, err
	}
	if err := tx.Records.Write(ctx, w.list...); err != nil {
		return ports.Receipt{}, err
	}
	receipt := c.Receipt(ports.Created, c.Body(once.Member{Name: "order", Schema: order.Schema, Record: o}), nil, w.now, time.Time{})
	receipt.Record = o.ID()
	return receipt, nil
}
