package drafting

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/placing"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/ports"
)

// Finalize makes the order of a draft and answers {order, draftOrder}: the goods are taken, the use of its code is counted,
// its work is open. It waits for its money, unless it costs nothing. Spec 3.1.
//
// Errors, in this order: those of admit and of idempotency, ports.ErrAbsent, draft.ErrNotEditable, draft.ErrEmail,
// draft.ErrEmpty, draft.ErrMarketRequired, catalog.ErrVariantUnavailable, inventory.ErrOutOfStock, the refusal of the code,
// checkout.ErrAddressRequired, fault.ErrValidation for an incomplete address, shipping.ErrUnavailable.
func (d *Drafting) Finalize(ctx context.Context, c once.Call, id string) (once.Answer, error) {
	if err := admit(c.Principal, collection.Update); err != nil {
		return once.Answer{}, err
	}
	if err := c.Check(id); err != nil {
		return once.Answer{}, err
	}
	answer, _, err := d.Once.Run(ctx, c, func(ctx context.Context, claim *once.Claim) (receipt ports.Receipt, err error) {
		err = placing.Drawing(d.Now, func(number string) error {
			return d.Store.Atomically(ctx, ports.Of(c.Principal.Tenant.ID), func(ctx context.Context, tx ports.Tx) (err error) {
				receipt, err = d.finalize(ctx, tx, c, id, number)
				if err != nil {
					return err
				}
				return claim.Keep(ctx, tx, receipt)
			})
		})
		if err == nil {
			d.fail(FailCommitted)
		}
		return receipt, err
	})
	return answer, err
}

func (d *Drafting) finalize(ctx context.Context, tx ports.Tx, c once.Call, id, number string) (receipt ports.Receipt, err error) {
	before, err := lock(ctx, tx, c.Principal, id)
	if err != nil {
		return receipt, err
	}
	if err := draft.Editable(before); err != nil {
		return receipt, err
	}
	w := changes{d: d, now: d.Now()}
	x := draft.FromRecord(before)
	sale, err := freeze(ctx, tx, c, x, w.now)
	if err != nil {
		return receipt, err
	}
	placed, work, err := placing.Place(ctx, tx, sale, placing.Making{Number: number, Now: w.now, NewID: d.NewID})
	if short, ok := errors.AsType[*fault.Error](err); ok && errors.Is(err, ports.ErrShort) {
		return receipt, x.Short(short)
	}
	if err != nil {
		return receipt, err
	}
	placed = placed.FromDraft().Await()
	after, err := draft.Finalize(before, placed.ID, draft.Totals{
		Subtotal: placed.Subtotal, Discount: placed.Discount, Shipping: placed.Shipping, Total: placed.Total,
	})
	if err != nil {
		return receipt, err
	}
	made := placed.Record()
	w.put(order.Schema, nil, made)
	for _, f := range work {
		w.put(order.FulfillmentOrders, nil, f.Record())
	}
	w.put(draft.Schema, before, after)
	if err := tx.Records.Write(ctx, w.list...); err != nil {
		return receipt, err
	}
	d.fail(FailBeforeCommit)
	receipt = c.Receipt(ports.Created, c.Body(once.Member{Name: "order", Schema: order.Schema, Record: made}, once.Member{Name: "draftOrder", Schema: draft.Schema, Record: after}), nil, w.now, time.Time{})
	receipt.Record = placed.ID
	return receipt, nil
}

// freeze is x as what is sold, at the prices of this transaction. First without the way to the buyer, so that goods and code
// are refused before the address.
func freeze(ctx context.Context, tx ports.Tx, c once.Call, x draft.Draft, now time.Time) (sale checkout.Checkout, err error) {
	if sale, err = saleOf(ctx, tx, x); err != nil {
		return sale, err
	}
	goods, err := goodsOf(ctx, tx, c, x)
	if err != nil {
		return sale, err
	}
	facts, err := placing.Lookup(ctx, tx, c.Principal.Tenant, goods, sale.Buyer())
	if err != nil {
		return sale, err
	}
	if lacks := x.Lacking(facts.Offers); len(lacks) > 0 {
		return sale, lacks[0].Refusal()
	}
	if err := placing.Freeze(goods, facts, &sale, pricing.Input{Now: now}); err != nil {
		return sale, err
	}
	if sale, err = checkout.Create(sale, now); err != nil {
		return sale, err
	}
	if !sale.RequiresShipping() {
		return sale, nil
	}
	if sale.Address == nil {
		return sale, checkout.ErrAddressRequired.Saying("The draft order has goods to ship and needs a shipping address.")
	}
	return sale, placing.Freeze(goods, facts, &sale, pricing.Input{Now: now, PostalCode: sale.Address.PostalCode, Fee: x.Fee})
}

// goodsOf is x as placing prices it: as a cart with its lines, and its code, which has to apply. Errors: draft.ErrMarketRequired.
func goodsOf(ctx context.Context, tx ports.Tx, c once.Call, x draft.Draft) (goods cart.Cart, err error) {
	goods.Environment = x.Environment
	for _, l := range x.Lines {
		goods.Lines = append(goods.Lines, cart.Line{ID: l.ID, Variant: l.Variant, Quantity: l.Quantity})
	}
	for _, code := range x.Codes() {
		goods.Codes = append(goods.Codes, cart.Code{Code: code, Applied: true})
	}
	goods.Market, err = market(ctx, tx.Records, c.Principal.Tenant)
	return goods, err
}

// saleOf is who buys x and where it goes. Errors: draft.ErrEmail, draft.ErrEmpty.
func saleOf(ctx context.Context, tx ports.Tx, x draft.Draft) (checkout.Checkout, error) {
	who, err := buyer(ctx, tx.Records, x.Buyer)
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
		ID: x.ID, Tenant: x.Tenant, Environment: x.Environment, Customer: who.Customer, Contact: checkout.Contact{Name: who.Name, Email: who.Email, Phone: who.Phone},
		Address: checkout.AddressFrom(x.Address), Notes: x.Notes,
	}, nil
}

// buyer is b with what the customer's own record says; an account that is gone is a guest's.
func buyer(ctx context.Context, r ports.Reader, b draft.Buyer) (draft.Buyer, error) {
	if b.Customer == "" {
		return b.Complete(nil), nil
	}
	customer, err := r.Get(ctx, identity.Customers, b.Customer)
	if errors.Is(err, ports.ErrAbsent) {
		b.Customer, customer, err = "", nil, nil
	}
	return b.Complete(customer), err
}
