package buying

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// NewCheckout is the input of Create.
type NewCheckout struct {
	Cart             string
	ExpectedRevision int64  // 0: any
	Customer         string // id, server calls only; "" is the cart's
	Contact          checkout.Contact
	Address          *checkout.Address
	Notes            string
}

// Create freezes a cart into a checkout and answers {checkout, checkoutToken}. It supersedes an open checkout of the cart
// whose slot is free. Errors: those of idempotency, ports.ErrAbsent, cart.ErrNotActive, cart.ErrRevisionConflict,
// checkout.ErrCartEmpty, payment.ErrSlotHeld, fault.ErrValidation and what keeps the cart from being sold.
func (b *Buying) Create(ctx context.Context, c once.Call, in NewCheckout) (once.Answer, error) {
	if err := known(c, true); err != nil {
		return once.Answer{}, err
	}
	if err := c.Check(in.Cart); err != nil {
		return once.Answer{}, err
	}
	answer, receipt, err := b.Once.Run(ctx, c, func(ctx context.Context, claim *once.Claim) (ports.Receipt, error) {
		return b.create(ctx, c, in, claim)
	})
	if err != nil || answer.Fault != nil {
		return answer, err
	}
	token, err := c.Remint(b.Vault, once.CheckoutTokenPrefix, receipt)
	answer.Body = once.WithToken(answer.Body, "checkoutToken", token)
	return answer, err
}

func (b *Buying) create(ctx context.Context, c once.Call, in NewCheckout, claim *once.Claim) (receipt ports.Receipt, err error) {
	id := b.NewID()
	token, version, err := c.Mint(b.Vault, once.CheckoutTokenPrefix, id)
	if err != nil {
		return receipt, err
	}
	err = b.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) error {
		x, err := lockCart(ctx, tx, c, in, b.Now())
		if err != nil {
			return err
		}
		draft := checkout.Checkout{
			ID: id, Tenant: x.Tenant, Environment: x.Environment, Cart: x.ID, Contact: in.Contact, Address: in.Address, Notes: in.Notes,
			TokenHash: once.HashText(token),
		}
		w := b.changes()
		next, err := b.draft(ctx, tx, c, x, draft, in.Customer)
		if err != nil {
			return err
		}
		if err := w.supersede(ctx, tx, x.ID, id); err != nil {
			return err
		}
		r := w.put(checkout.Schema, nil, next.Record())
		if err := tx.Records.Write(ctx, w.list...); err != nil {
			return err
		}
		receipt = c.Receipt(ports.Created, body(c, member{"checkout", checkout.Schema, r}), nil, w.now, time.Time{})
		receipt.Record, receipt.TokenVersion = id, version
		return claim.Keep(ctx, tx, receipt)
	})
	return receipt, err
}

// lockCart locks the cart the caller may check out.
func lockCart(ctx context.Context, tx ports.Tx, c once.Call, in NewCheckout, now time.Time) (cart.Cart, error) {
	r, err := tx.Records.Lock(ctx, cart.Schema, in.Cart)
	if err != nil {
		return cart.Cart{}, err
	}
	x, err := cart.FromRecord(r)
	if err != nil {
		return x, err
	}
	if err := admitCart(c, x); err != nil {
		return x, err
	}
	switch {
	case x.StatusAt(now) != cart.Active:
		return x, cart.ErrNotActive.With("currentRevision", x.Revision)
	case in.ExpectedRevision != 0 && in.ExpectedRevision != x.Revision:
		return x, cart.ErrRevisionConflict.With("currentRevision", x.Revision)
	case len(x.Lines) == 0:
		return x, checkout.ErrCartEmpty
	}
	return x, nil
}

// draft completes d with the buyer and the prices of now.
func (b *Buying) draft(ctx context.Context, tx ports.Tx, c once.Call, x cart.Cart, d checkout.Checkout, customer string) (checkout.Checkout, error) {
	var err error
	if d, err = buyer(ctx, tx, c, x, d, customer); err != nil {
		return d, err
	}
	in := pricing.Input{Now: b.Now()}
	if d.Address != nil {
		in.PostalCode = d.Address.PostalCode
	}
	checked := d
	for _, l := range x.Lines { // what ships decides whether the address matters; prices come later
		checked.Lines = append(checked.Lines, checkout.Line{RequiresShipping: l.RequiresShipping})
	}
	if _, err := checkout.Create(checked, in.Now); err != nil {
		return d, err
	}
	if err := price(ctx, tx, c.Principal.Tenant, x, &d, in); err != nil {
		return d, err
	}
	return checkout.Create(d, in.Now)
}

// buyer says who buys: the customer who asks, the cart's owner, or whom a server names.
func buyer(ctx context.Context, tx ports.Tx, c once.Call, x cart.Cart, d checkout.Checkout, customer string) (checkout.Checkout, error) {
	d.Contact.Email = strings.ToLower(strings.TrimSpace(d.Contact.Email))
	d.Customer = x.Customer
	if d.Customer == "" && c.Principal.Kind == tenant.Customer {
		d.Customer = c.Principal.ID
	}
	if customer != "" && customer != d.Customer {
		if !c.Server {
			return d, fault.Invalidf("customer", "Only a server may name another customer.")
		}
		d.Customer = customer
	}
	if d.Customer == "" {
		return d, nil
	}
	r, err := tx.Records.Get(ctx, identity.Customers, d.Customer)
	switch {
	case errors.Is(err, ports.ErrAbsent) && customer != "":
		return d, fault.Invalidf("customer", "This customer does not exist.")
	case errors.Is(err, ports.ErrAbsent):
		return d, nil
	case err != nil:
		return d, err
	}
	for to, name := range map[*string]string{&d.Contact.Name: "name", &d.Contact.Phone: "phone", &d.Contact.Email: "email"} {
		if *to == "" {
			*to = r.Text(name)
		}
	}
	return d, nil
}

// supersede cancels the live checkout of a cart. Errors: payment.ErrSlotHeld when a payment of it is under way.
func (w *changes) supersede(ctx context.Context, tx ports.Tx, cartID, by string) error {
	page, err := tx.Records.Find(ctx, collection.Query{
		Schema: checkout.Schema, Where: checkout.Schema.Where("liveCart", collection.Equals, cartID), Limit: 1, Page: 1,
	})
	if err != nil || len(page.Docs) == 0 {
		return err
	}
	r, err := tx.Records.Lock(ctx, checkout.Schema, page.Docs[0].ID())
	if err != nil {
		return err
	}
	old := checkout.FromRecord(r)
	switch {
	case old.SlotHeld:
		return payment.ErrSlotHeld.With("paymentSessionId", old.Session)
	case old.StatusAt(w.now) == checkout.Expired:
		old = old.Expire()
	default:
		old = old.Supersede(by)
	}
	w.put(checkout.Schema, r, old.Record())
	return nil
}

// supersedeFree is supersede that leaves a checkout alone whose payment is under way: its money will come late.
func (w *changes) supersedeFree(ctx context.Context, tx ports.Tx, cartID, by string) error {
	if err := w.supersede(ctx, tx, cartID, by); !errors.Is(err, payment.ErrSlotHeld) {
		return err
	}
	return nil
}
