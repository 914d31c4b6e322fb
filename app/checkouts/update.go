package checkouts

import (
	"context"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/ports"
)

// UpdateInput is the input of Update; empty fields stay as they are.
type UpdateInput struct {
	Checkout string
	Email    string
	Address  *address.Address

	taxes tax.Known // what the tax service of the market was asked
}

// Update changes the email and the address of an open checkout whose slot is free, and with them its shipping
// fee and total; lines and codes stay frozen. It answers {checkout}. Errors: those of idempotency,
// ports.ErrNotFound, payment.ErrSlotHeld, those of checkout.ExpiredError, checkout.ErrNotOpen, checkout.ErrOffered, fault.ErrValidation,
// shipping.ErrUnavailable, tax.ErrUnavailable.
func (s *Service) Update(ctx context.Context, c idempotency.Call, in UpdateInput) (idempotency.Response, error) {
	if err := RequireCaller(c, true); err != nil {
		return idempotency.Response{}, err
	}
	if err := c.CheckKey(in.Checkout); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := s.Idempotency.Run(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		err = s.Taxes.Ask(ctx, c.Principal, func(known tax.Known) error {
			in.taxes = known
			return s.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) error {
				receipt, err = s.update(ctx, tx, c, in)
				if err != nil {
					return err
				}
				return claim.Save(ctx, tx, receipt)
			})
		})
		return receipt, err
	})
	return answer, err
}

func (s *Service) update(ctx context.Context, tx ports.Tx, c idempotency.Call, in UpdateInput) (idempotency.Receipt, error) {
	r, x, err := Lock(ctx, tx, c, in.Checkout)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	w := s.newChangeSet()
	switch x.StatusAt(w.Now) {
	case checkout.Open:
	case checkout.PaymentPending:
		return idempotency.Receipt{}, payment.ErrSlotHeld.WithData("paymentSessionId", x.Session)
	case checkout.Expired:
		return idempotency.Receipt{}, x.ExpiredError()
	default:
		return idempotency.Receipt{}, checkout.ErrNotOpen
	}
	if x.Draft != "" {
		return idempotency.Receipt{}, checkout.ErrOffered
	}
	next := x
	if in.Email != "" {
		next.Contact.Email = strings.ToLower(strings.TrimSpace(in.Email))
	}
	if in.Address != nil {
		next.Address = in.Address
	}
	if next, err = checkout.Create(next, c.Principal.Tenant.Country, w.Now); err != nil {
		return idempotency.Receipt{}, err
	}
	next.ExpiresAt = x.ExpiresAt
	if err := s.moveTo(ctx, tx, c, x, &next, in); err != nil {
		return idempotency.Receipt{}, err
	}
	r = w.Put(checkout.Schema, r, next.Record())
	receipt := c.Receipt(ports.ReceiptOK, c.Body(reply.Member{Name: "checkout", Schema: checkout.Schema, Record: r}), nil,
		w.Now, time.Time{})
	receipt.About(r)
	return receipt, tx.Records.Write(ctx, w.List()...)
}

// moveTo prices next anew for the address in in, which is nil for none: shipping by the current policies, and taxes by the current
// rates, for the frozen amounts and codes. Where nothing ships the address is stored nowhere, and its taxes are all that is left of it.
func (s *Service) moveTo(
	ctx context.Context, tx ports.Tx, c idempotency.Call, was checkout.Checkout, next *checkout.Checkout, in UpdateInput,
) error {
	home := c.Principal.Tenant.Country
	place := sale.PlaceOf(in.Address, home)
	if in.Address == nil || was.Address != nil && was.Totals.Taxes.SamePlace(sale.PlaceOf(was.Address, home), place) {
		return nil
	}
	request := offers.Request{Tenant: c.Principal.Tenant, Environment: next.Environment, Market: next.Market, Shipping: true}
	for _, l := range next.Lines {
		request.Variants = append(request.Variants, l.Variant)
	}
	facts, err := offers.Lookup(ctx, tx.Records, request)
	if err != nil {
		return err
	}
	if next.RequiresShipping() {
		if err := repriceShipping(facts, was, next); err != nil {
			return err
		}
	}
	facts.KnownTaxes = in.taxes
	buyer := sale.Buyer{Place: place, Home: sale.HomeOf(home), Exempt: next.TaxExempt}
	if buyer.Buyer, err = facts.TaxBuyer(ctx, tx.Records, next.Customer); err != nil {
		return err
	}
	next.Lines, next.Totals, err = sale.Retax(facts.Taxes().WithRounding(facts.Rounding), next.Lines, next.Totals, buyer, s.Now())
	return err
}

// repriceShipping prices shipping to the address of next. What it cost before stays where the way is the same for all policies.
func repriceShipping(facts offers.Facts, was checkout.Checkout, next *checkout.Checkout) error {
	to := facts.Destination(*next.Address, facts.Home)
	p := shipping.Shipment{Currency: next.Currency, Amount: money.Of(0, next.Currency), To: *to}
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
	if was.Address != nil && was.Totals.Shipping != nil {
		if from := facts.Destination(*was.Address, facts.Home); from != nil && shipping.SameWay(*from, *to, p.Policies) {
			return nil
		}
	}
	for _, code := range next.Codes {
		p.BaseFeeWaived = p.BaseFeeWaived || code.FreeShipping
	}
	quote, err := shipping.Price(p)
	if err != nil {
		return err
	}
	next.Totals.Shipping, next.ReturnPolicy = &quote.Total, placement.ReturnPolicy(next.Currency, p.Policies)
	return nil
}
