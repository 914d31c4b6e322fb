package buying

import (
	"context"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/ports"
)

// CheckoutUpdate is the input of Update; what is empty stays.
type CheckoutUpdate struct {
	Checkout string
	Email    string
	Address  *checkout.Address
}

// Update changes buyer and address of an open checkout whose slot is free, and its shipping and total with them; lines
// and codes stay frozen. It answers {checkout}. Errors: those of idempotency, ports.ErrAbsent, payment.ErrSlotHeld,
// checkout.ErrExpired, checkout.ErrNotOpen, fault.ErrValidation, shipping.ErrUnavailable.
func (b *Buying) Update(ctx context.Context, c once.Call, in CheckoutUpdate) (once.Answer, error) {
	if err := known(c, true); err != nil {
		return once.Answer{}, err
	}
	if err := c.Check(in.Checkout); err != nil {
		return once.Answer{}, err
	}
	answer, _, err := b.Once.Run(ctx, c, func(ctx context.Context, claim *once.Claim) (receipt ports.Receipt, err error) {
		err = b.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) error {
			receipt, err = b.update(ctx, tx, c, in)
			if err != nil {
				return err
			}
			return claim.Keep(ctx, tx, receipt)
		})
		return receipt, err
	})
	return answer, err
}

func (b *Buying) update(ctx context.Context, tx ports.Tx, c once.Call, in CheckoutUpdate) (ports.Receipt, error) {
	r, x, err := lockCheckout(ctx, tx, c, in.Checkout)
	if err != nil {
		return ports.Receipt{}, err
	}
	w := b.changes()
	switch x.StatusAt(w.now) {
	case checkout.Open:
	case checkout.PaymentPending:
		return ports.Receipt{}, payment.ErrSlotHeld.With("paymentSessionId", x.Session)
	case checkout.Expired:
		return ports.Receipt{}, checkout.ErrExpired
	default:
		return ports.Receipt{}, checkout.ErrNotOpen
	}
	next := x
	if in.Email != "" {
		next.Contact.Email = strings.ToLower(strings.TrimSpace(in.Email))
	}
	if in.Address != nil {
		next.Address = in.Address
	}
	if next, err = checkout.Create(next, w.now); err != nil {
		return ports.Receipt{}, err
	}
	next.ExpiresAt = x.ExpiresAt
	if err := b.ship(ctx, tx, c, x, &next); err != nil {
		return ports.Receipt{}, err
	}
	r = w.put(checkout.Schema, r, next.Record())
	receipt := c.Receipt(ports.OK, body(c, member{"checkout", checkout.Schema, r}), nil, w.now, time.Time{})
	receipt.Record = x.ID
	return receipt, tx.Records.Write(ctx, w.list...)
}

// ship prices the way to a new address: the frozen cart is priced again with today's policies, and its shipping alone is
// taken over.
func (b *Buying) ship(ctx context.Context, tx ports.Tx, c once.Call, was checkout.Checkout, next *checkout.Checkout) error {
	if next.Address == nil || was.Address != nil && was.Address.PostalCode == next.Address.PostalCode {
		return nil
	}
	again := *next
	frozen := cart.Cart{Environment: next.Environment, Market: next.Market}
	for _, l := range next.Lines {
		frozen.Lines = append(frozen.Lines, cart.Line{ID: l.ID, Variant: l.Variant, Quantity: l.Quantity})
	}
	for _, code := range next.Codes {
		frozen.Codes = append(frozen.Codes, cart.Code{Code: code.Code})
	}
	if err := price(ctx, tx, c.Principal.Tenant, frozen, &again, pricing.Input{Now: b.Now(), PostalCode: next.Address.PostalCode}); err != nil {
		return err
	}
	next.Totals.Shipping, next.Returns = again.Totals.Shipping, again.Returns
	next.Totals.Total = next.Totals.Subtotal.Minus(next.Totals.Discount)
	if next.Totals.Shipping != nil {
		next.Totals.Total = next.Totals.Total.Plus(*next.Totals.Shipping)
	}
	return nil
}
