package estimating

import (
	"cmp"
	"context"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/ports"
)

// Parcel is an order to be sent somewhere.
type Parcel struct {
	PostalCode string
	Amount     collection.Numeral // of the order after discounts, major units
	Currency   money.Currency     // "": the shop's
	Policy     string             // id, "": the shop's default
	Items      []Item             // nil: everything ships by Policy
}

// Shipping quotes a parcel. Errors: those of admit, fault.ErrValidation, shipping.ErrPostalCode, shipping.ErrUnavailable,
// catalog.ErrVariantUnavailable.
func (e *Estimates) Shipping(ctx context.Context, call once.Call, p Parcel) (shipping.Quote, error) {
	if err := admit(call); err != nil {
		return shipping.Quote{}, err
	}
	if !shipping.ValidPostalCode(p.PostalCode) {
		return shipping.Quote{}, shipping.ErrPostalCode.In(fault.Field{Field: "postalCode", Message: shipping.ErrPostalCode.Message})
	}
	c := cmp.Or(p.Currency, call.Principal.Tenant.Currency)
	if err := cmp.Or(checkItems(p.Items), stated(c)); err != nil {
		return shipping.Quote{}, err
	}
	amount, err := amountOf(p.Amount, c)
	if err != nil {
		return shipping.Quote{}, err
	}
	q := request(call, p.Items)
	q.Currency, q.Shipping, q.Policy = c, true, p.Policy
	facts, err := quoting.Lookup(ctx, e.Store.Read(ports.For(call.Principal)), q)
	if err != nil {
		return shipping.Quote{}, err
	}
	return p.quote(facts, amount)
}

// quote puts the parcel together and prices it. Items that cannot be sold stand in the way only of a quote there would be.
func (p Parcel) quote(f quoting.Facts, amount money.Money) (shipping.Quote, error) {
	parcel := shipping.Parcel{Currency: f.Currency, Amount: amount, PostalCode: p.PostalCode}
	if len(p.Items) == 0 {
		parcel.Policies = []*shipping.Policy{f.Policy}
		return shipping.Price(parcel)
	}
	list, prices, err := lines(p.Items, f)
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
	return q, sellable(p.Items, f)
}
