// Package estimating tells what a code would take off and what delivery would cost, before there is a cart or a checkout.
// Nothing here changes anything, so nothing needs an idempotency key. Contract 6.
//
// Decisions of our own, where the contract is silent:
//
//   - An amount is in the currency that the caller states, else in the market's, else in the shop's.
//   - The items of a validation are priced by us and say what a code is limited to. What orderAmount is above them belongs to
//     nothing a code could be limited to; what it is below them was taken off before, and is spread over them. So a code
//     for everything works on orderAmount, whatever the items. Without items a limited code applies to nothing.
//   - A currency that is not the market's is no context: the items are not looked at, and what depends on amounts fails.
//   - Uses are counted as carts count them: those of placed orders. For a known customer they are counted exactly, those
//     promised to open payments too, since the customer's own can only be told that way.
//   - An item that cannot be sold has no price; a code or parcel that fails anyway says so first.
//   - Of the items of a parcel those that do not ship count nothing toward a threshold: their price is taken off
//     orderAmount. A parcel of such items alone costs nothing, without any policy.
//   - policyId stands in for the shop's default policy; products with a policy of their own keep it.
//   - Only well-formed validations count against the budget, of an address in one shop, whatever they are answered.
//   - An explanation is for the shop's server. On the public prefix there is no such input: 400.
package estimating

import (
	"context"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Window is the time over which Estimates.Tries counts.
const Window = time.Minute

// budget is how many codes one address may try in a Window. Contract 6.
const budget = 30

// Estimates is the use cases of this package.
type Estimates struct {
	Store ports.Store
	Tries ports.Attempts // over Window
	Now   func() time.Time
}

// Item is a quantity of a variant.
type Item struct {
	Variant  string
	Quantity int64
}

// admit says who may ask: visitors and customers of the shop, and its own server with a key that may read.
// Errors: fault.ErrUnauthenticated, fault.ErrForbidden, tenant.ErrFeatureDisabled.
func admit(call once.Call) error {
	p := call.Principal
	switch {
	case p.Kind == "" || p.Kind == tenant.Anonymous:
		return fault.ErrUnauthenticated
	case call.Server && (p.Kind != tenant.SecretKey || !p.CanRead):
		return fault.ErrForbidden.Saying("This takes a secret key or a server token that may read.")
	case !call.Server && p.Kind != tenant.ClientKey && p.Kind != tenant.Customer:
		return fault.ErrForbidden
	case !p.Tenant.CommerceEnabled:
		return tenant.ErrFeatureDisabled
	}
	return nil
}

// charge counts a validation of the public prefix. Errors: fault.ErrRateLimited.
func (e *Estimates) charge(ctx context.Context, call once.Call) error {
	if call.Server {
		return nil
	}
	key := "validate\x00" + string(call.Principal.Tenant.ID) + "\x00" + call.Address
	if wait := e.Tries.Try(ctx, key, budget, e.Now()); wait > 0 {
		return fault.ErrRateLimited.Retry(wait).With("limit", int64(budget))
	}
	return nil
}

// request is the part of a lookup that every estimate has.
func request(call once.Call, items []Item) quoting.Request {
	q := quoting.Request{Tenant: call.Principal.Tenant, Environment: call.Principal.Environment}
	for _, it := range items {
		q.Variants = append(q.Variants, it.Variant)
	}
	return q
}

// checkItems reports what no order could hold. Errors: fault.ErrValidation.
func checkItems(items []Item) error {
	if len(items) > cart.MaxLines {
		return fault.Invalidf("items", "At most "+strconv.Itoa(cart.MaxLines)+" items can be looked at together.")
	}
	var bad []fault.Field
	for i, it := range items {
		if it.Quantity < 1 || it.Quantity > cart.MaxQuantity {
			bad = append(bad, fault.Field{Field: "items." + strconv.Itoa(i) + ".quantity", Message: "This field takes 1 to " + strconv.Itoa(cart.MaxQuantity) + "."})
		}
	}
	if len(bad) > 0 {
		return fault.ErrValidation.In(bad...)
	}
	return nil
}

// lines are items at their prices; one that cannot be sold costs nothing. Errors: money.ErrOutOfRange.
func lines(items []Item, f quoting.Facts) (list []pricing.Line, prices []money.Money, err error) {
	for _, it := range items {
		l := f.Offers[it.Variant].Line("", it.Quantity)
		if l.Variant == "" { // unknown
			l.Variant, l.UnitPrice = it.Variant, money.Of(0, f.Currency)
		}
		price, err := l.UnitPrice.Times(l.Quantity)
		if err != nil {
			return nil, nil, err
		}
		list, prices = append(list, l), append(prices, price)
	}
	return list, prices, nil
}

// sellable refuses items that nothing can be said about. Errors: catalog.ErrVariantUnavailable.
func sellable(items []Item, f quoting.Facts) error {
	for _, it := range items {
		if !f.Offers[it.Variant].Sellable {
			return catalog.ErrVariantUnavailable.With("variantId", it.Variant)
		}
	}
	return nil
}

// stated reads a currency. Errors: fault.ErrValidation.
func stated(c money.Currency) error {
	if c != "" && !c.Valid() {
		return fault.Invalidf("currency", "This field takes an ISO 4217 code.")
	}
	return nil
}

// amountOf reads orderAmount. Errors: fault.ErrValidation.
func amountOf(n collection.Numeral, c money.Currency) (money.Money, error) {
	m, err := money.Parse(string(n), c)
	switch {
	case err != nil:
		return m, fault.Invalidf("orderAmount", fault.From(err).Message)
	case m.Minor < 0:
		return m, fault.Invalidf("orderAmount", "This field takes 0 or more.")
	}
	return m, nil
}
