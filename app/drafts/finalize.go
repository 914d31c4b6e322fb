package drafts

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/ports"
)

// Finalize places the order of a draft and answers {order, draftOrder}: stock is taken, the use of its code
// is counted, its fulfillment orders are open. The order is unpaid, unless it costs nothing. Rule drafts-6.
//
// Errors, in this order: those of requireAccess and of idempotency, ports.ErrNotFound, draft.ErrNotEditable,
// draft.ErrEmail, draft.ErrEmpty, draft.ErrMarketRequired, catalog.ErrMarketNotFound, catalog.ErrVariantUnavailable,
// catalog.ErrVariantNotPriced, inventory.ErrOutOfStock, the refusal of the code, checkout.ErrAddressRequired, fault.ErrValidation for an
// incomplete address, shipping.ErrUnavailable.
func (d *Service) Finalize(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	if err := requireAccess(c.Principal, collection.Update); err != nil {
		return idempotency.Response{}, err
	}
	if err := c.CheckKey(id); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := d.Idempotency.Run(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		err = d.Taxes.Ask(ctx, c.Principal, func(known tax.Known) error {
			return d.Numbers.At(d.Now).WithFreshNumber(ctx, c.Principal.Tenant.ID, c.Principal.Environment, func(number string) error {
				return d.Store.Atomically(ctx, ports.ForTenant(c.Principal.Tenant.ID), func(ctx context.Context, tx ports.Tx) (err error) {
					receipt, err = d.finalize(ctx, tx, c, id, selling{number, known})
					if err != nil {
						return err
					}
					return claim.Save(ctx, tx, receipt)
				})
			})
		})
		if err == nil {
			d.failpoint(FailCommitted)
		}
		return receipt, err
	})
	return answer, err
}

// selling is what was found before the transaction that places an order: its number, and what the tax service was asked.
type selling struct {
	number string
	taxes  tax.Known
}

func (d *Service) finalize(
	ctx context.Context, tx ports.Tx, c idempotency.Call, id string, as selling,
) (receipt idempotency.Receipt, err error) {
	before, err := lockDraft(ctx, tx, c.Principal, id)
	if err != nil {
		return receipt, err
	}
	if err := draft.CheckEditable(before); err != nil {
		return receipt, err
	}
	w := collection.NewChangeSet(d.Now(), d.NewID)
	x := draft.FromRecord(before)
	frozen, err := priceDraft(ctx, tx, c, x, as.taxes, w.Now)
	if err != nil {
		return receipt, err
	}
	placed, work, err := placement.Place(ctx, tx, frozen, placement.OrderParams{
		Number: as.number, Now: w.Now, NewID: d.NewID, Actor: c.Principal.Actor(),
	})
	if short, ok := errors.AsType[*fault.Error](err); ok && errors.Is(err, ports.ErrOutOfStock) {
		return receipt, x.WithLine(short)
	}
	if err != nil {
		return receipt, err
	}
	placed = placed.FromDraft().AwaitPayment()
	placed.Assignment = x.Assignment
	after, err := draft.Finalize(before, placed.ID, placed.Totals(), placed.TaxFree())
	if err != nil {
		return receipt, err
	}
	made := placed.Record()
	w.Put(order.Schema, nil, made)
	for _, f := range work {
		w.Put(order.FulfillmentOrders, nil, f.Record())
	}
	w.Put(draft.Schema, before, after)
	if err := tx.Records.Write(ctx, w.List()...); err != nil {
		return receipt, err
	}
	d.failpoint(FailBeforeCommit)
	receipt = c.Receipt(ports.ReceiptCreated,
		c.Body(reply.Member{Name: "order", Schema: order.Schema, Record: made},
			reply.Member{Name: "draftOrder", Schema: draft.Schema, Record: after}),
		nil, w.Now, time.Time{})
	receipt.About(made)
	return receipt, nil
}

// priceDraft prices x in this transaction: first without shipping, so that lines and code are refused before
// the address, and with estimated taxes where a service is to be asked about the whole. Errors: those of Finalize that are about the
// content of the draft.
func priceDraft(
	ctx context.Context, tx ports.Tx, c idempotency.Call, x draft.Draft, taxes tax.Known, now time.Time,
) (frozen checkout.Checkout, err error) {
	if frozen, err = draftCheckout(ctx, tx, x, c.Principal.Tenant.Country); err != nil {
		return frozen, err
	}
	goods, err := draftCart(ctx, tx, c, x)
	if err != nil {
		return frozen, err
	}
	facts, err := draftFacts(ctx, tx, c, x, goods, &frozen)
	if err != nil {
		return frozen, err
	}
	in := pricing.Input{Now: now}
	if in.TaxBuyer, err = facts.TaxBuyer(ctx, tx.Records, frozen.Customer); err != nil {
		return frozen, err
	}
	facts.KnownTaxes = taxes
	if err := placement.Freeze(goods, facts.WithoutShipping(x.Variants()), &frozen, in); err != nil {
		return frozen, err
	}
	if frozen, err = checkout.Create(frozen, c.Principal.Tenant.Country, now); err != nil {
		return frozen, err
	}
	if !frozen.RequiresShipping() {
		return frozen, nil
	}
	if frozen.Address == nil {
		return frozen, checkout.ErrAddressRequired.WithMessage("The draft order ships goods and needs a shipping address.")
	}
	if in.Policy = x.ChosenPolicy(facts.Policy); in.Policy != nil {
		frozen.ShippingMethod = in.Policy.Title
	}
	in.To, in.ShippingFee = facts.Destination(*frozen.Address, c.Principal.Tenant.Country), x.ShippingFee
	return frozen, placement.Freeze(goods, facts, &frozen, in)
}

// draftFacts finds what the goods of x cost, and whether the buyer of frozen pays taxes. Errors: those of draft.UnavailableLine.
func draftFacts(
	ctx context.Context, tx ports.Tx, c idempotency.Call, x draft.Draft, goods cart.Cart, frozen *checkout.Checkout,
) (facts offers.Facts, err error) {
	q := placement.Request(c.Principal.Tenant, goods, frozen.DiscountCustomer())
	q.Uses, q.Policy = tx.DiscountUses, x.Policy
	if facts, err = offers.Lookup(ctx, tx.Records, q); err != nil {
		return facts, err
	}
	if frozen.TaxExempt, err = facts.TaxExempt(ctx, tx.Records, frozen.Customer); err != nil {
		return facts, err
	}
	if lacks := x.UnavailableLines(facts.Offers); len(lacks) > 0 {
		return facts, lacks[0].Refusal()
	}
	return facts, nil
}

// draftCart is x as a cart with its lines and its code, which has to apply, for package placement. Errors:
// draft.ErrMarketRequired, catalog.ErrMarketNotFound.
func draftCart(ctx context.Context, tx ports.Tx, c idempotency.Call, x draft.Draft) (goods cart.Cart, err error) {
	goods.Environment = x.Environment
	for _, l := range x.Lines {
		goods.Lines = append(goods.Lines, cart.Line{Line: l})
	}
	for _, code := range x.Codes() {
		goods.Codes = append(goods.Codes, cart.Code{Code: code, Applied: true})
	}
	goods.Market, err = marketOf(ctx, tx.Records, c.Principal.Tenant, x)
	return goods, err
}

// draftCheckout is x as a checkout with its buyer and address. home is the shop's country. Errors: draft.ErrEmail, draft.ErrEmpty.
func draftCheckout(ctx context.Context, tx ports.Tx, x draft.Draft, home string) (checkout.Checkout, error) {
	who, err := resolveBuyer(ctx, tx.Records, x.Buyer)
	if err != nil {
		return checkout.Checkout{}, err
	}
	if err := who.CheckEmail(); err != nil {
		return checkout.Checkout{}, err
	}
	if len(x.Lines) == 0 {
		return checkout.Checkout{}, draft.ErrEmpty
	}
	return checkout.Checkout{
		ID: x.ID, Tenant: x.Tenant, Environment: x.Environment, Customer: who.Customer,
		Contact: who.Complete(sale.CountryOf(x.Address, home)),
		Address: x.Address, Notes: x.Notes,
	}, nil
}

// resolveBuyer completes b from the customer's record; a deleted customer counts as a guest.
func resolveBuyer(ctx context.Context, r ports.Reader, b draft.Buyer) (draft.Buyer, error) {
	if b.Customer == "" {
		return b.WithDefaults(nil), nil
	}
	customer, err := r.Get(ctx, identity.Customers, b.Customer)
	if errors.Is(err, ports.ErrNotFound) {
		b.Customer, customer, err = "", nil, nil
	}
	return b.WithDefaults(customer), err
}
