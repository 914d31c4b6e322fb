package drafts

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// How many days a payment link can be paid.
const (
	DefaultLinkDays = 7
	MaxLinkDays     = 30
)

// PaymentLink makes the payment link of a draft and answers {draftOrder, checkout, checkoutToken}: prices are frozen, nothing is
// reserved yet. A draft that has a link answers the same one again, under any key, until it expires: then a new one takes its place.
// Rules drafts-13, drafts-14.
//
// Errors: those of requireAccess and of idempotency, ports.ErrNotFound, draft.ErrNotEditable, payment.ErrNothingToPay, those of
// Finalize that are about the content of the draft; payment.ErrSlotHeld and ports.ErrProviderUnavailable while a payment by the
// expired link may still arrive.
func (d *Service) PaymentLink(ctx context.Context, c idempotency.Call, id string, days int) (idempotency.Response, error) {
	if err := requireAccess(c.Principal, collection.Update); err != nil {
		return idempotency.Response{}, err
	}
	answer, receipt, err := d.Idempotency.RunOptional(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		of := c.Principal.Tenant.ID
		over, x, err := d.findLink(ctx, c, id)
		if err != nil {
			return receipt, err
		}
		if x.StatusAt(d.Now()) != checkout.Expired {
			over = draft.Link{}
		}
		err = d.Taxes.Ask(ctx, c.Principal, func(known tax.Known) error {
			return checkouts.WithFreeSlot(ctx, d.Sessions, of, x.Cart, func() error {
				return d.Store.Atomically(ctx, ports.ForTenant(of), func(ctx context.Context, tx ports.Tx) (err error) {
					if receipt, err = d.offer(ctx, tx, c, id, offering{days, over, known}); err != nil {
						return err
					}
					return claim.Save(ctx, tx, receipt)
				})
			})
		})
		return receipt, err
	}, id)
	if err != nil || answer.Fault != nil {
		return answer, err
	}
	token, _, err := d.linkToken(c, receipt.Record, receipt.TokenVersion)
	answer.Body = answer.Body.WithSecret(reply.Secret{Name: "checkoutToken", Text: token})
	return answer, err
}

// linkToken is the token of a payment link. It is derived, so that operators can copy the link again although nobody keeps it.
// version is that of the secret, 0 for the present one; used tells which it was.
func (d *Service) linkToken(c idempotency.Call, checkoutID string, version int) (token string, used int, err error) {
	sum, used, err := d.Vault.Derive(version, string(c.Principal.Tenant.ID), "paymentLink", checkoutID)
	return idempotency.CheckoutTokenPrefix + idempotency.Base62(sum), used, err
}

// offering is what a link is made with: how long it is good, the expired link that makes way, zero for none, and what the tax service
// was asked.
type offering struct {
	days  int
	over  draft.Link
	taxes tax.Known
}

// offer makes a link, or finds the present one.
func (d *Service) offer(
	ctx context.Context, tx ports.Tx, c idempotency.Call, id string, by offering,
) (receipt idempotency.Receipt, err error) {
	w := collection.NewChangeSet(d.Now(), d.NewID)
	before, open, err := lockToOffer(ctx, tx, w, c.Principal, id, by.over)
	if err != nil {
		return receipt, err
	}
	if l := draft.LinkOf(open); l.Checkout != "" {
		r, err := tx.Records.Get(ctx, checkout.Schema, l.Checkout)
		return linkReceipt(c, ports.ReceiptOK, open, r, l, w.Now), err
	}
	if err := draft.CheckEditable(open); err != nil {
		return receipt, err
	}
	x, err := priceDraft(ctx, tx, c, draft.FromRecord(open), by.taxes, w.Now)
	if err != nil {
		return receipt, err
	}
	if x.Totals.Total.IsZero() {
		return receipt, payment.ErrNothingToPay.WithMessage("There is nothing to pay: finalize the draft order instead.")
	}
	l := draft.Link{Checkout: d.NewID(), ExpiresAt: collection.TruncateTime(w.Now.AddDate(0, 0, by.days))}
	token, version, err := d.linkToken(c, l.Checkout, 0)
	if err != nil {
		return receipt, err
	}
	l.TokenVersion = version
	x.ID, x.Draft, x.Cart, x.TokenHash, x.ExpiresAt = l.Checkout, id, d.NewID(), idempotency.HashToken(token), l.ExpiresAt
	after, err := draft.Offer(open, l, shownTotals(x), x.TaxFree())
	if err != nil {
		return receipt, err
	}
	w.Put(cart.Schema, nil, d.linkCart(x, w.Now).Record())
	made := w.Put(checkout.Schema, nil, x.Record())
	after = w.Put(draft.Schema, before, after)
	if err := tx.Records.Write(ctx, w.List()...); err != nil {
		return receipt, err
	}
	return linkReceipt(c, ports.ReceiptCreated, after, made, l, w.Now), nil
}

// lockToOffer locks a draft that gets a link, and ends its expired one: before is the draft as it is, open as it is without that link.
func lockToOffer(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, p tenant.Principal, id string, over draft.Link,
) (before, open collection.Record, err error) {
	if over.Checkout != "" {
		before, open, err = endLink(ctx, tx, w, p, id, over)
		if !errors.Is(err, draft.ErrNoPaymentLink) {
			return before, open, err
		}
		return before, before, nil // somebody else ended it: what the draft has now counts
	}
	before, err = lockDraft(ctx, tx, p, id)
	return before, before, err
}

// shownTotals are the totals of x as a draft has them: what does not ship costs nothing to ship.
func shownTotals(x checkout.Checkout) sale.Totals {
	t, none := x.Totals, money.Of(0, x.Currency)
	if t.Shipping == nil {
		t.Shipping = &none
	}
	return t
}

// linkCart is the cart under x, which payments lock. It has no token and no owner, so nobody can change it.
func (d *Service) linkCart(x checkout.Checkout, now time.Time) cart.Cart {
	goods := cart.Cart{
		ID: x.Cart, Tenant: x.Tenant, Environment: x.Environment, Status: cart.Active, Revision: 1, Market: x.Market, Currency: x.Currency,
		Totals: sale.Totals{Subtotal: x.Totals.Subtotal, Discount: x.Totals.Discount, Total: money.Of(0, x.Currency)}, ExpiresAt: x.ExpiresAt,
		CreatedAt: now, UpdatedAt: now,
	}
	for _, l := range x.Lines {
		l.Terms = nil // they are the shop's, and stand in the checkout
		goods.Lines = append(goods.Lines, cart.Line{Line: l, Available: true})
		goods.Totals.Total = goods.Totals.Total.Plus(l.Charged())
	}
	return goods
}

func linkReceipt(c idempotency.Call, result ports.ReceiptResult, of, x collection.Record, l draft.Link, now time.Time) idempotency.Receipt {
	receipt := c.Receipt(result, c.Body(reply.Member{Name: "draftOrder", Schema: draft.Schema, Record: of},
		reply.Member{Name: "checkout", Schema: checkout.Schema, Record: x}), nil, now, time.Time{})
	receipt.About(x)
	receipt.TokenVersion = l.TokenVersion
	return receipt
}

// RevokePaymentLink ends the payment link of a draft, which can be edited again, and answers {draftOrder}. Errors: those of
// requireAccess and of idempotency, ports.ErrNotFound, draft.ErrNoPaymentLink, payment.ErrSlotHeld while a payment of the buyer
// is under way, payment.ErrRequiresAttention, ports.ErrProviderUnavailable. Rule drafts-15.
func (d *Service) RevokePaymentLink(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	if err := requireAccess(c.Principal, collection.Update); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := d.Idempotency.RunOptional(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		of := c.Principal.Tenant.ID
		l, x, err := d.findLink(ctx, c, id)
		if err != nil {
			return receipt, err
		}
		err = checkouts.WithFreeSlot(ctx, d.Sessions, of, x.Cart, func() error {
			return d.Store.Atomically(ctx, ports.ForTenant(of), func(ctx context.Context, tx ports.Tx) (err error) {
				if receipt, err = d.takeBack(ctx, tx, c, id, l); err != nil {
					return err
				}
				return claim.Save(ctx, tx, receipt)
			})
		})
		return receipt, err
	}, id)
	return answer, err
}

// findLink is the payment link of a draft and its checkout, zero for none. Errors: ports.ErrNotFound.
func (d *Service) findLink(ctx context.Context, c idempotency.Call, id string) (draft.Link, checkout.Checkout, error) {
	reader := d.Store.Read(ports.ForTenant(c.Principal.Tenant.ID))
	r, err := reader.Get(ctx, draft.Schema, id)
	if r, err = inEnvironment(c.Principal, r, err); err != nil {
		return draft.Link{}, checkout.Checkout{}, err
	}
	l := draft.LinkOf(r)
	if l.Checkout == "" { // refused after the caller's revision was compared
		return l, checkout.Checkout{}, nil
	}
	x, err := reader.Get(ctx, checkout.Schema, l.Checkout)
	if err != nil {
		return l, checkout.Checkout{}, err
	}
	return l, checkout.FromRecord(x), nil
}

// endLink locks a draft and ends its link l, and with it the checkout: before is the draft as it is, after as it can be edited again.
// The cart, the checkout and its payment sessions come first, as they do when the payment is booked. A link that the draft has no more
// is refused as such, whatever else stands in the way. Errors: ports.ErrNotFound, draft.ErrNoPaymentLink, payment.ErrSlotHeld,
// payment.ErrRequiresAttention.
func endLink(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, p tenant.Principal, id string, l draft.Link,
) (before, after collection.Record, err error) {
	var refusal error
	if l.Checkout != "" {
		held, err := checkouts.LockWithCart(ctx, tx, l.Checkout)
		if err != nil {
			return nil, nil, err
		}
		refusal = checkouts.EndForMerge(ctx, tx, w, held.Checkout.Cart)
		if refusal != nil && !errors.Is(refusal, payment.ErrSlotHeld) {
			return nil, nil, refusal
		}
		if held.Checkout.Status == checkout.RequiresAttention {
			refusal = payment.ErrRequiresAttention
		}
	}
	if before, err = lockDraft(ctx, tx, p, id); err != nil {
		return nil, nil, err
	}
	if l.Checkout == "" || draft.LinkOf(before) != l {
		return before, nil, draft.ErrNoPaymentLink // it was paid meanwhile, or revoked
	}
	if refusal != nil {
		return before, nil, refusal
	}
	after, err = draft.TakeBack(before)
	return before, after, err
}

// takeBack revokes link l.
func (d *Service) takeBack(ctx context.Context, tx ports.Tx, c idempotency.Call, id string, l draft.Link) (receipt idempotency.Receipt, err error) {
	w := collection.NewChangeSet(d.Now(), d.NewID)
	before, after, err := endLink(ctx, tx, w, c.Principal, id, l)
	if err != nil {
		return receipt, err
	}
	after = w.Put(draft.Schema, before, after)
	if err := tx.Records.Write(ctx, w.List()...); err != nil {
		return receipt, err
	}
	receipt = c.Receipt(ports.ReceiptOK, c.Body(reply.Member{Name: "draftOrder", Schema: draft.Schema, Record: after}), nil, w.Now, time.Time{})
	receipt.About(after)
	return receipt, nil
}
