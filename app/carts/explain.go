package carts

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// Explain is Retrieve with an explanation of the cart's totals, for the tenant's server. A cart keeps the
// totals of its last change; prices and codes are looked up anew, and the explanation says whether they still
// result in these totals. Errors: those of Retrieve.
func (s *Service) Explain(ctx context.Context, call idempotency.Call, id string) (idempotency.Response, error) {
	r, err := s.readCart(ctx, call, id)
	if err != nil {
		return idempotency.Response{}, err
	}
	c, err := cart.FromRecord(r)
	if err != nil {
		return idempotency.Response{}, err
	}
	facts, err := s.freshFacts(ctx, call, c)
	if err != nil {
		return idempotency.Response{}, err
	}
	x, err := c.Explain(facts, s.Now())
	if err != nil {
		return idempotency.Response{}, err
	}
	shown, err := s.shownCart(ctx, call, r, c)
	if err != nil {
		return idempotency.Response{}, err
	}
	body := reply.Of(collection.Staff, shown, reply.Member{Name: "explanation", Fields: cart.ExplanationFields, Record: x.Record()})
	return idempotency.Response{Result: ports.ReceiptOK, Body: body, Revision: c.Revision}, nil
}

// freshFacts are the current facts that c would be priced with, including the inputs of price resolution. In
// a closed market nothing is for sale.
func (s *Service) freshFacts(ctx context.Context, call idempotency.Call, c cart.Cart) (cart.Facts, error) {
	q := offers.Request{
		Tenant: call.Principal.Tenant, Environment: c.Environment, Market: c.Market, Variants: c.Variants(), Codes: c.CodeList(),
		Customer: c.Customer, Locale: c.Locale, Explain: true,
	}
	reader := s.Store.Read(ports.ForPrincipal(call.Principal))
	f, err := offers.Lookup(ctx, reader, q)
	if errors.Is(err, catalog.ErrMarketNotFound) {
		q.Market, q.Variants = "", nil
		f, err = offers.Lookup(ctx, reader, q)
		f.Currency = c.Currency
	}
	if err != nil {
		return cart.Facts{}, err
	}
	facts, err := factsOf(ctx, reader, f, c.Customer)
	facts.Market = c.Market
	return facts, err
}
