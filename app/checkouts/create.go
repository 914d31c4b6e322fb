package checkouts

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Input is the input of Create and Legacy.
type Input struct {
	Cart             string
	ExpectedRevision int64  // 0: any
	Customer         string // id, server calls only; "" is the cart's
	Contact          sale.Contact
	Address          *address.Address
	Notes            string
	Codes            *[]string // replace the cart's codes; nil: the cart's
	OrderNumber      string    // used for the order if it is free then; "": any
	PaymentID        string    // of an external payment
	EmailField       string    // the email's name in the caller's input, for refusals; "" is "email"

	taxes    tax.Known         // what the tax service of the market was asked
	foreseen *offers.Versioned // what the goods cost, as it was found before the transaction; nil: unknown
}

// withEmailField renames the field in a refusal of the email to the name that the caller used.
func (in Input) withEmailField(err error) error {
	refusal, ok := errors.AsType[*fault.Error](err)
	if in.EmailField == "" || !ok || len(refusal.Fields) != 1 || refusal.Fields[0].Field != "email" {
		return err
	}
	return fault.Invalidf(in.EmailField, "%s", refusal.Fields[0].Message)
}

// Create freezes a cart into a checkout and answers {checkout, checkoutToken}. It supersedes the cart's open
// checkout if that one's slot is free. A payment session of the cart that was released and may still be paid
// is closed at its provider first. Errors: those of idempotency, ports.ErrNotFound, cart.ErrNotActive,
// cart.ErrRevisionConflict, checkout.ErrCartEmpty, payment.ErrSlotHeld while any session of the cart may
// still be paid, ports.ErrProviderUnavailable, tax.ErrUnavailable, fault.ErrValidation and the reasons why something in the
// cart cannot be sold.
func (s *Service) Create(ctx context.Context, c idempotency.Call, in Input) (idempotency.Response, error) {
	if err := RequireCaller(c, true); err != nil {
		return idempotency.Response{}, err
	}
	if err := c.CheckKey(in.Cart); err != nil {
		return idempotency.Response{}, err
	}
	answer, receipt, err := s.Idempotency.Run(ctx, c,
		func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
			err = s.Taxes.Ask(ctx, c.Principal, func(known tax.Known) (err error) {
				in.taxes = known
				receipt, _, err = s.create(ctx, c, in, claim)
				return err
			})
			return receipt, err
		})
	if err != nil || answer.Fault != nil {
		return answer, err
	}
	token, err := c.RemintToken(s.Vault, idempotency.CheckoutTokenPrefix, receipt)
	return withCheckoutToken(answer, token), err
}

// create makes the checkout and its token. The answer has more as further members.
func (s *Service) create(
	ctx context.Context, c idempotency.Call, in Input, claim *idempotency.Claim, more ...reply.Member,
) (receipt idempotency.Receipt, token string, err error) {
	id := s.NewID()
	token, version, err := c.MintToken(s.Vault, idempotency.CheckoutTokenPrefix, id)
	if err != nil {
		return receipt, "", err
	}
	scope := ports.ForTenant(c.Principal.Tenant.ID)
	scope.Prefetch = cartPrefetch(in.Cart)
	if in.foreseen = s.foresee(ctx, c, in, scope.Prefetch); in.foreseen == nil {
		scope.Prefetch.Alone = true // to look the goods up
	}
	err = s.withFreeSlot(ctx, claim.Scope(scope), in.Cart, func(ctx context.Context, tx ports.Tx) error {
		w := s.newChangeSet()
		next, _, err := s.freezeCart(ctx, tx, w, c, in, checkout.Checkout{ID: id, TokenHash: idempotency.HashToken(token)})
		if err != nil {
			return err
		}
		r := w.Put(checkout.Schema, nil, next.Record())
		if err := tx.Records.Write(ctx, w.List()...); err != nil {
			return err
		}
		answer := c.Body(append([]reply.Member{{Name: "checkout", Schema: checkout.Schema, Record: r}}, more...)...)
		receipt = c.Receipt(ports.ReceiptCreated, answer, nil, w.Now, time.Time{})
		receipt.About(r)
		receipt.TokenVersion = version
		return claim.Save(ctx, tx, receipt)
	})
	return receipt, token, err
}

// foresee looks up what a cart costs before the transaction that checks it out, and declares in p what that will read. It is
// nil where that cannot be known, and where the transaction will refuse the cart.
func (s *Service) foresee(ctx context.Context, c idempotency.Call, in Input, p *ports.Prefetch) *offers.Versioned {
	if s.Offers == nil {
		return nil
	}
	of := c.Principal.Tenant.ID
	r, err := s.Recent.Get(ctx, s.Store.Read(ports.ForTenant(of)), of, cart.Schema, in.Cart)
	if err != nil {
		return nil
	}
	x, err := cart.FromRecord(r)
	if in.Codes != nil {
		x.Codes = requiredCodes(*in.Codes)
	}
	if err != nil || authorizeCart(c, x) != nil || len(x.Codes) > 0 || len(x.Lines) == 0 {
		return nil
	}
	found, err := s.Offers.Versioned(ctx, placement.Request(c.Principal.Tenant, x, ""))
	if err != nil || found == nil {
		return nil
	}
	found.Declare(p)
	if buyer := cmp.Or(in.Customer, x.Customer, customerOf(c)); buyer != "" {
		p.Get = append(p.Get, ports.Ref{Schema: identity.Customers, ID: buyer})
	}
	return found
}

// customerOf is the calling customer, "" if somebody else calls.
func customerOf(c idempotency.Call) string {
	if c.Principal.Kind == tenant.Customer {
		return c.Principal.ID
	}
	return ""
}

// freezeCart completes d with the lines and prices of the cart, which it locks, and supersedes the cart's
// live checkout. It returns the cart's record too.
func (s *Service) freezeCart(
	ctx context.Context, tx ports.Tx, w *collection.ChangeSet, c idempotency.Call, in Input, d checkout.Checkout,
) (checkout.Checkout, collection.Record, error) {
	r, x, err := lockCart(ctx, tx, c, in, w.Now)
	if err != nil {
		return d, r, err
	}
	if in.Codes != nil {
		x.Codes = requiredCodes(*in.Codes)
	}
	d.Tenant, d.Environment, d.Cart, d.Contact, d.Address, d.Notes = x.Tenant, x.Environment, x.ID, in.Contact, in.Address, in.Notes
	d.OrderNumber, d.PaymentID, d.Locale = in.OrderNumber, in.PaymentID, x.Locale
	next, err := s.priceCheckout(ctx, tx, c, x, d, in)
	if err != nil {
		return d, r, in.withEmailField(err)
	}
	if err := supersede(ctx, tx, w, x.ID, d.ID); err != nil {
		return d, r, err
	}
	return next, r, checkSlotFree(ctx, tx, x.ID)
}

// requiredCodes is codes as a cart has them, all of which have to apply.
func requiredCodes(codes []string) (list []cart.Code) {
	for _, code := range discount.NormalizeCodes(codes) {
		list = append(list, cart.Code{Code: code, Applied: true})
	}
	return list
}

// lockCart locks a cart that the caller may check out.
func lockCart(ctx context.Context, tx ports.Tx, c idempotency.Call, in Input, now time.Time) (r collection.Record, x cart.Cart, err error) {
	if r, err = tx.Records.Lock(ctx, cart.Schema, in.Cart); err != nil {
		return r, x, err
	}
	if x, err = cart.FromRecord(r); err != nil {
		return r, x, err
	}
	if err := authorizeCart(c, x); err != nil {
		return r, x, err
	}
	switch {
	case x.StatusAt(now) != cart.Active:
		err = cart.ErrNotActive.WithData("currentRevision", x.Revision)
	case in.ExpectedRevision != 0 && in.ExpectedRevision != x.Revision:
		err = cart.ErrRevisionConflict.WithData("currentRevision", x.Revision)
	case len(x.Lines) == 0:
		err = checkout.ErrCartEmpty
	}
	return r, x, err
}

// priceCheckout completes d with the buyer and the current prices.
func (s *Service) priceCheckout(
	ctx context.Context, tx ports.Tx, c idempotency.Call, x cart.Cart, d checkout.Checkout, in Input,
) (checkout.Checkout, error) {
	d, err := resolveBuyer(ctx, tx, c, x, d, in.Customer)
	if err != nil {
		return d, err
	}
	home, now := c.Principal.Tenant.Country, pricing.Input{Now: s.Now()}
	checked := d
	for _, l := range x.Lines { // whether anything ships decides if an address is required; prices come later
		checked.Lines = append(checked.Lines, sale.Line{RequiresShipping: l.RequiresShipping})
	}
	if _, err = checkout.Create(checked, home, now.Now); err != nil {
		return d, err
	}
	facts, err := placement.Lookup(ctx, tx, c.Principal.Tenant, x, d.DiscountCustomer(), in.foreseen)
	if err != nil {
		return d, err
	}
	if err := x.CheckAvailable(facts.Offers); err != nil {
		return d, err
	}
	if d.Address != nil {
		now.To = facts.Destination(d.Address.Complete(home), home)
	}
	facts.KnownTaxes = in.taxes
	if now.TaxBuyer, err = facts.TaxBuyer(ctx, tx.Records, d.Customer); err != nil {
		return d, err
	}
	if err := placement.Freeze(x, facts, &d, now); err != nil {
		return d, err
	}
	return checkout.Create(d, home, now.Now)
}

// resolveBuyer sets the buyer: the cart's owner, else the calling customer, or whom a server names. Missing
// contact details are the customer's.
func resolveBuyer(
	ctx context.Context, tx ports.Tx, c idempotency.Call, x cart.Cart, d checkout.Checkout, customer string,
) (checkout.Checkout, error) {
	d.Contact.Email = strings.ToLower(strings.TrimSpace(d.Contact.Email))
	d.Customer = cmp.Or(x.Customer, customerOf(c))
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
	case errors.Is(err, ports.ErrNotFound) && customer != "":
		return d, fault.Invalidf("customer", "This customer does not exist.")
	case errors.Is(err, ports.ErrNotFound):
		return d, nil
	case err != nil:
		return d, err
	case identity.IsErased(r):
		return d, identity.ErrErased
	}
	d.TaxExempt = r.Bool("taxExempt")
	for to, name := range map[*string]string{&d.Contact.Name: "name", &d.Contact.Phone: "phone", &d.Contact.Email: "email"} {
		if *to == "" {
			*to = r.Text(name)
		}
	}
	return d, nil
}
