package checkouts

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Legacy is the previous generation's checkout, for customers and the shop's server; the idempotency key is
// optional. It answers {checkout, order: null, checkoutToken}, or {order} in tenants whose orders are placed
// before they are paid. Errors: those of Create, and fault.ErrValidation for an invalid order number or code.
func (s *Service) Legacy(ctx context.Context, c idempotency.Call, in Input) (idempotency.Response, error) {
	if err := s.checkLegacy(c, in); err != nil {
		return idempotency.Response{}, err
	}
	var token string
	work := func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		err = s.Taxes.Ask(ctx, c.Principal, func(known tax.Known) (err error) {
			in.taxes = known
			if !c.Principal.Tenant.CheckoutOrderSeparation {
				receipt, err = s.placeUnpaid(ctx, c, in, claim)
				return err
			}
			receipt, token, err = s.create(ctx, c, in, claim, reply.Member{Name: "order", Schema: order.Schema, Record: nil})
			return err
		})
		return receipt, err
	}
	answer, receipt, err := s.Idempotency.RunOptional(ctx, c, work, in.Cart)
	if err != nil || answer.Fault != nil {
		return answer, err
	}
	if c.Key != "" && receipt.TokenVersion != 0 { // under a key the answer may be an earlier execution's
		token, err = c.RemintToken(s.Vault, idempotency.CheckoutTokenPrefix, receipt)
	}
	return withCheckoutToken(answer, token), err
}

// withCheckoutToken adds the token of the checkout that was made; an unpaid order has none.
func withCheckoutToken(a idempotency.Response, token string) idempotency.Response {
	a.Body = a.Body.WithSecret(reply.Secret{Name: "checkoutToken", Text: token})
	return a
}

func (s *Service) checkLegacy(c idempotency.Call, in Input) error {
	if err := RequireCaller(c, true); err != nil {
		return err
	}
	if !c.Server && c.Principal.Kind != tenant.Customer {
		return fault.ErrUnauthenticated.WithMessage("Log in as a customer to check out.")
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

// placeUnpaid places the order of a cart before it is paid: stock is taken and codes are counted, as for a
// paid order.
func (s *Service) placeUnpaid(
	ctx context.Context, c idempotency.Call, in Input, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	err = s.Numbers.At(s.Now).WithFreshNumber(ctx, c.Principal.Tenant.ID, c.Principal.Environment, func(number string) error {
		return s.withFreeSlot(ctx, ports.ForTenant(c.Principal.Tenant.ID), in.Cart, func(ctx context.Context, tx ports.Tx) (err error) {
			receipt, err = s.placeUnpaidIn(ctx, tx, c, in, number)
			if err != nil {
				return err
			}
			return claim.Save(ctx, tx, receipt)
		})
	})
	return receipt, err
}

func (s *Service) placeUnpaidIn(
	ctx context.Context, tx ports.Tx, c idempotency.Call, in Input, number string,
) (idempotency.Receipt, error) {
	w := s.newChangeSet()
	x, cartRecord, err := s.freezeCart(ctx, tx, w, c, in, checkout.Checkout{ID: s.NewID()})
	if err != nil {
		return idempotency.Receipt{}, err
	}
	if err := x.CheckPayable(w.Now); err != nil {
		return idempotency.Receipt{}, err
	}
	o, _, err := Place(ctx, tx, w, Locked{CartRecord: cartRecord, CartStatus: cart.Active, Checkout: x, unpaid: true}, number)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	if err := tx.Records.Write(ctx, w.List()...); err != nil {
		return idempotency.Receipt{}, err
	}
	receipt := c.Receipt(ports.ReceiptCreated, c.Body(reply.Member{Name: "order", Schema: order.Schema, Record: o}), nil,
		w.Now, time.Time{})
	receipt.About(o)
	return receipt, nil
}
