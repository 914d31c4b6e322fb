package buying

import (
	"context"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/placing"
	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/shipping"
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
	receipt := c.Receipt(ports.OK, c.Body(once.Member{Name: "checkout", Schema: checkout.Schema, Record: r}), nil, w.now, time.Time{})
	receipt.Record = x.ID
	return receipt, tx.Records.Write(ctx, w.list...)
}

// ship prices the way to a new address by today's policies, for what is frozen: amounts and codes as they were bought.
func (b *Buying) ship(ctx context.Context, tx ports.Tx, c once.Call, was checkout.Checkout, next *checkout.Checkout) error {
	if next.Address == nil || was.Address != nil && was.Address.PostalCode == next.Address.PostalCode {
		return nil
	}
	request := quoting.Request{Tenant: c.Principal.Tenant, Environment: next.Environment, Market: next.Market, Shipping: true}
	for _, l := range next.Lines {
		request.Variants = append(request.Variants, l.Variant)
	}
	facts, err := quoting.Lookup(ctx, tx.Records, request)
	if err != nil {
		return err
	}
	p := shipping.Parcel{Currency: next.Currency, Amount: money.Of(0, next.Currency), PostalCode: next.Address.PostalCode}
	for _, l := range next.Lines {
		if !l.RequiresShipping {
			continue
		}
		policy := facts.Offers[l.Variant].Policy
		if policy == nil {
			policy = facts.Policy
		}
		p.Amount, p.Policies = p.Amount.Plus(l.Total), append(p.Policies, policy)
	}
	for _, code := range next.Codes {
		p.FreeBase = p.FreeBase || code.FreeShipping
	}
	quote, err := shipping.Price(p)
	if err != nil {
		return err
	}
	next.Totals.Shipping, next.Returns = &quote.Total, placing.Returns(next.Currency, p.Policies)
	next.Totals.Total = next.Totals.Subtotal.Minus(next.Totals.Discount).Plus(quote.Total)
	return nil
}
