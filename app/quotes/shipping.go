package quotes

import (
	"cmp"
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/ports"
)

// ShippingRequest is an order to be shipped somewhere.
type ShippingRequest struct {
	To       address.Address       // country, province and postal code
	Amount   collection.JSONNumber // of the order after discounts, major units
	Currency money.Currency        // "": the tenant's
	Policy   string                // id, "": the tenant's default
	Items    []Item                // nil: everything ships by Policy
}

// QuoteShipping quotes a parcel. Errors: those of admit, fault.ErrValidation, shipping.ErrPostalCode,
// shipping.ErrUnavailable, catalog.ErrVariantUnavailable.
func (e *Service) QuoteShipping(ctx context.Context, call idempotency.Call, p ShippingRequest) (shipping.Quote, error) {
	if err := requireReader(call); err != nil {
		return shipping.Quote{}, err
	}
	home := call.Principal.Tenant.Country
	p.To = p.To.Complete(home)
	if err := checkDestination(p.To, home); err != nil {
		return shipping.Quote{}, err
	}
	c := cmp.Or(p.Currency, call.Principal.Tenant.Currency)
	if err := cmp.Or(checkItems(p.Items), checkCurrency(c)); err != nil {
		return shipping.Quote{}, err
	}
	amount, err := parseOrderAmount(p.Amount, c)
	if err != nil {
		return shipping.Quote{}, err
	}
	q := lookupRequest(call, p.Items)
	q.Currency, q.Shipping, q.Policy = c, true, p.Policy
	facts, err := offers.Lookup(ctx, e.Store.Read(ports.ForPrincipal(call.Principal)), q)
	if err != nil {
		return shipping.Quote{}, err
	}
	return p.price(facts, amount, home)
}

// checkDestination refuses a destination that is none, and one without a postal code where addresses have one.
func checkDestination(to address.Address, home string) error {
	problems := to.CheckParts(home)
	switch country := cmp.Or(to.Country, home); {
	case to.PostalCode == "" && address.NeedsPostalCode(country):
		problems = append(problems, fault.Field{Field: "postalCode", Message: "This field is required."})
	case len(problems) == 1 && problems[0].Message == shipping.ErrPostalCode.Message:
		return shipping.ErrPostalCode.WithFields(problems...)
	}
	if len(problems) > 0 {
		return fault.ErrValidation.WithFields(problems...)
	}
	return nil
}

// price builds the parcel and prices it. Items that cannot be sold are refused only if there would be a quote
// otherwise.
func (p ShippingRequest) price(f offers.Facts, amount money.Money, home string) (shipping.Quote, error) {
	parcel := shipping.Shipment{Currency: f.Currency, Amount: amount, To: *f.Destination(p.To, home)}
	if len(p.Items) == 0 {
		parcel.Policies = []*shipping.Policy{f.Policy}
		return shipping.Price(parcel)
	}
	list, prices, err := priceLines(p.Items, f)
	if err != nil {
		return shipping.Quote{}, err
	}
	for i, l := range list {
		if l.RequiresShipping {
			parcel.Policies = append(parcel.Policies, cmp.Or(l.ShippingPolicy, f.Policy))
			continue
		}
		parcel.Amount.Minor = max(0, parcel.Amount.Minor-prices[i].Minor)
	}
	nothing := money.Of(0, f.Currency)
	q := shipping.Quote{BaseFee: nothing, Surcharge: nothing, Total: nothing, Free: true}
	if len(parcel.Policies) > 0 {
		if q, err = shipping.Price(parcel); err != nil {
			return shipping.Quote{}, err
		}
	}
	return q, checkSellable(p.Items, f)
}
