package buying

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/placing"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
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
	Codes            *[]string // instead of the cart's; nil: those
	OrderNumber      string    // that the order takes if it is free; "" is any
	PaymentID        string    // of a payment outside
	EmailAt          string    // where the input has the email, for refusals; "" is "email"
}

// named is a refusal of the email with the name that the caller knows it by.
func (in NewCheckout) named(err error) error {
	refusal, ok := errors.AsType[*fault.Error](err)
	if in.EmailAt == "" || !ok || len(refusal.Fields) != 1 || refusal.Fields[0].Field != "email" {
		return err
	}
	return fault.Invalidf(in.EmailAt, "%s", refusal.Fields[0].Message)
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
	answer, receipt, err := b.Once.Run(ctx, c, func(ctx context.Context, claim *once.Claim) (receipt ports.Receipt, err error) {
		receipt, _, err = b.create(ctx, c, in, claim)
		return receipt, err
	})
	if err != nil || answer.Fault != nil {
		return answer, err
	}
	token, err := c.Remint(b.Vault, once.CheckoutTokenPrefix, receipt)
	answer.Body = once.WithToken(answer.Body, "checkoutToken", token)
	return answer, err
}

// create makes the checkout and its token. more stands beside the checkout in the answer.
func (b *Buying) create(ctx context.Context, c once.Call, in NewCheckout, claim *once.Claim, more ...once.Member) (receipt ports.Receipt, token string, err error) {
	id := b.NewID()
	token, version, err := c.Mint(b.Vault, once.CheckoutTokenPrefix, id)
	if err != nil {
		return receipt, "", err
	}
	err = b.atomically(ctx, c.Principal.Tenant.ID, func(ctx context.Context, tx ports.Tx) error {
		w := b.changes()
		next, _, err := b.freeze(ctx, tx, w, c, in, checkout.Checkout{ID: id, TokenHash: once.HashText(token)})
		if err != nil {
			return err
		}
		r := w.put(checkout.Schema, nil, next.Record())
		if err := tx.Records.Write(ctx, w.list...); err != nil {
			return err
		}
		answer := c.Body(append([]once.Member{{Name: "checkout", Schema: checkout.Schema, Record: r}}, more...)...)
		receipt = c.Receipt(ports.Created, answer, nil, w.now, time.Time{})
		receipt.Record, receipt.TokenVersion = id, version
		return claim.Keep(ctx, tx, receipt)
	})
	return receipt, token, err
}

// freeze completes d by what the locked cart of in costs now, and has it take the place of the cart's live checkout. It
// returns the cart's record too.
func (b *Buying) freeze(ctx context.Context, tx ports.Tx, w *changes, c once.Call, in NewCheckout, d checkout.Checkout) (checkout.Checkout, collection.Record, error) {
	r, x, err := lockCart(ctx, tx, c, in, w.now)
	if err != nil {
		return d, r, err
	}
	if in.Codes != nil {
		x.Codes = asked(*in.Codes)
	}
	d.Tenant, d.Environment, d.Cart, d.Contact, d.Address, d.Notes = x.Tenant, x.Environment, x.ID, in.Contact, in.Address, in.Notes
	d.OrderNumber, d.PaymentID = in.OrderNumber, in.PaymentID
	next, err := b.draft(ctx, tx, c, x, d, in.Customer)
	if err != nil {
		return d, r, in.named(err)
	}
	return next, r, w.supersede(ctx, tx, x.ID, d.ID)
}

// asked are codes that have to apply.
func asked(codes []string) (list []cart.Code) {
	for _, code := range discount.NormalList(codes) {
		list = append(list, cart.Code{Code: code, Applied: true})
	}
	return list
}

// lockCart locks the cart the caller may check out.
func lockCart(ctx context.Context, tx ports.Tx, c once.Call, in NewCheckout, now time.Time) (r collection.Record, x cart.Cart, err error) {
	if r, err = tx.Records.Lock(ctx, cart.Schema, in.Cart); err != nil {
		return r, x, err
	}
	if x, err = cart.FromRecord(r); err != nil {
		return r, x, err
	}
	if err := admitCart(c, x); err != nil {
		return r, x, err
	}
	switch {
	case x.StatusAt(now) != cart.Active:
		err = cart.ErrNotActive.With("currentRevision", x.Revision)
	case in.ExpectedRevision != 0 && in.ExpectedRevision != x.Revision:
		err = cart.ErrRevisionConflict.With("currentRevision", x.Revision)
	case len(x.Lines) == 0:
		err = checkout.ErrCartEmpty
	}
	return r, x, err
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
	facts, err := placing.Lookup(ctx, tx, c.Principal.Tenant, x, d.Buyer())
	if err != nil {
		return d, err
	}
	if err := placing.Available(x, facts); err != nil {
		return d, err
	}
	if err := placing.Freeze(x, facts, &d, in); err != nil {
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
