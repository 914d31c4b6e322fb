package shopping

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// Explain is Retrieve with how the cart's totals come about, for the shop's server. A cart keeps the totals of its last
// change; prices and codes are looked up anew, and the explanation says whether they still make these totals.
// Errors: those of Retrieve.
func (s *Carts) Explain(ctx context.Context, call once.Call, id string) (once.Answer, error) {
	r, err := s.look(ctx, call, id)
	if err != nil {
		return once.Answer{}, err
	}
	c, err := cart.FromRecord(r)
	if err != nil {
		return once.Answer{}, err
	}
	facts, err := s.freshFacts(ctx, call, c)
	if err != nil {
		return once.Answer{}, err
	}
	x, err := c.Explain(facts, s.Now())
	if err != nil {
		return once.Answer{}, err
	}
	a, err := s.show(ctx, call, r, Wrapped)
	if err != nil {
		return once.Answer{}, err
	}
	a.Body = append(a.Body[:len(a.Body)-1], `,"explanation":`...)
	a.Body = append(collection.AppendGroup(a.Body, cart.ExplanationFields, x.Record(), collection.View{}), '}')
	return a, nil
}

// freshFacts are what c would be priced by now, with what its prices are resolved from. In a market that was closed nothing
// is on offer.
func (s *Carts) freshFacts(ctx context.Context, call once.Call, c cart.Cart) (cart.Facts, error) {
	q := quoting.Request{
		Tenant: call.Principal.Tenant, Environment: c.Environment, Market: c.Market, Variants: c.Variants(), Codes: c.CodeTexts(), Customer: c.Customer, Explain: true,
	}
	reader := s.Store.Read(ports.For(call.Principal))
	f, err := quoting.Lookup(ctx, reader, q)
	if errors.Is(err, catalog.ErrMarketNotFound) {
		q.Market, q.Variants = "", nil
		f, err = quoting.Lookup(ctx, reader, q)
		f.Currency = c.Currency
	}
	return cart.Facts{Market: c.Market, Currency: f.Currency, Rounding: f.Rounding, Offers: f.Offers, Codes: f.Codes}, err
}
