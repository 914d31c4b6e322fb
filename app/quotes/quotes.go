// Package quotes computes what a discount code would take off and what shipping would cost, before there is a
// cart or a checkout. Nothing here changes anything, so nothing needs an idempotency key. Rules discounts-10,
// shipping-4.
//
// Details that the rules leave open:
//
//   - An amount is in the currency that the caller states, else in the market's, else in the tenant's.
//   - The items of a validation are priced by the server, and a code's product conditions apply to them. The
//     part of orderAmount beyond their sum belongs to no product; if orderAmount is smaller than the sum, the
//     difference is spread over the items as an earlier reduction. So a code for all products applies to
//     orderAmount, whatever the items. Without items a code for certain products applies to nothing.
//   - If the stated currency is not the market's, the items are ignored and every condition on amounts fails.
//   - Uses are counted as for carts: those of placed orders. For a known customer they are counted exactly,
//     including reserved uses, since a per-customer limit can only be checked that way.
//   - An item that cannot be sold has no price; if the code or parcel is refused for another reason, that is
//     reported first.
//   - Items of a parcel that do not ship do not count toward a threshold: their price is deducted from
//     orderAmount. A parcel of only such items costs nothing, without any policy.
//   - policyId replaces the tenant's default policy; products with their own policy keep it.
//   - Every well-formed validation counts against the limit of a client address in one tenant, whatever its
//     result.
//   - An explanation is available to the tenant's server. On the public prefix there is no such input: 400.
package quotes

import (
	"context"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// AttemptWindow is the time over which Service.Attempts counts.
const AttemptWindow = time.Minute

// maxAttempts is how many codes one address may try per AttemptWindow. Rule discounts-11.
const maxAttempts = 30

// Service implements quotes.
type Service struct {
	Store    ports.Store
	Attempts ports.AttemptLimiter // over AttemptWindow
	Now      func() time.Time
}

// Item is a quantity of a variant.
type Item struct {
	Variant  string
	Quantity int64
}

// requireReader admits visitors and customers of the tenant, and its own server with a key that has the read
// scope. Errors: fault.ErrUnauthenticated, fault.ErrForbidden, tenant.ErrFeatureDisabled.
func requireReader(call idempotency.Call) error {
	p := call.Principal
	switch {
	case p.Kind == "" || p.Kind == tenant.Anonymous:
		return fault.ErrUnauthenticated
	case call.Server && (p.Kind != tenant.SecretKey || !p.CanRead):
		return fault.ErrForbidden.WithMessage("This requires a secret key or server token with the read scope.")
	case !call.Server && p.Kind != tenant.ClientKey && p.Kind != tenant.Customer:
		return fault.ErrForbidden
	case !p.Tenant.CommerceEnabled:
		return tenant.ErrFeatureDisabled
	}
	return nil
}

// countAttempt counts a validation on the public prefix. Errors: fault.ErrRateLimited.
func (e *Service) countAttempt(ctx context.Context, call idempotency.Call) error {
	if call.Server {
		return nil
	}
	key := "validate\x00" + string(call.Principal.Tenant.ID) + "\x00" + call.Address
	if wait := e.Attempts.Try(ctx, key, maxAttempts, e.Now()); wait > 0 {
		return fault.ErrRateLimited.WithRetry(wait).WithData("limit", int64(maxAttempts))
	}
	return nil
}

// lookupRequest is the lookup that all quotes share.
func lookupRequest(call idempotency.Call, items []Item) offers.Request {
	q := offers.Request{Tenant: call.Principal.Tenant, Environment: call.Principal.Environment}
	for _, it := range items {
		q.Variants = append(q.Variants, it.Variant)
	}
	return q
}

// checkItems reports items that no order can contain. Errors: fault.ErrValidation.
func checkItems(items []Item) error {
	if len(items) > cart.MaxLines {
		return fault.Invalidf("items", "At most "+strconv.Itoa(cart.MaxLines)+" items can be looked at together.")
	}
	var bad []fault.Field
	for i, it := range items {
		if it.Quantity < 1 || it.Quantity > cart.MaxQuantity {
			bad = append(bad, fault.Field{
				Field: "items." + strconv.Itoa(i) + ".quantity", Message: "This field takes 1 to " + strconv.Itoa(cart.MaxQuantity) + ".",
			})
		}
	}
	if len(bad) > 0 {
		return fault.ErrValidation.WithFields(bad...)
	}
	return nil
}

// priceLines are items with their prices; one that cannot be sold costs nothing. Errors: money.ErrOutOfRange.
func priceLines(items []Item, f offers.Facts) (list []pricing.Line, prices []money.Money, err error) {
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

// checkSellable refuses items that cannot be sold. Errors: catalog.ErrVariantUnavailable.
func checkSellable(items []Item, f offers.Facts) error {
	for _, it := range items {
		if !f.Offers[it.Variant].Sellable {
			return catalog.ErrVariantUnavailable.WithData("variantId", it.Variant)
		}
	}
	return nil
}

// checkCurrency validates a currency. Errors: fault.ErrValidation.
func checkCurrency(c money.Currency) error {
	if c != "" && !c.Valid() {
		return fault.Invalidf("currency", "This field takes an ISO 4217 code.")
	}
	return nil
}

// parseOrderAmount parses orderAmount. Errors: fault.ErrValidation.
func parseOrderAmount(n collection.JSONNumber, c money.Currency) (money.Money, error) {
	m, err := money.Parse(string(n), c)
	switch {
	case err != nil:
		return m, fault.Invalidf("orderAmount", fault.From(err).Message)
	case m.Minor < 0:
		return m, fault.Invalidf("orderAmount", "This field takes 0 or more.")
	}
	return m, nil
}
