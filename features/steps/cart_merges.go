package steps

import (
	"context"
	"fmt"
)

// cartMergeSteps merges one cart into another.
type cartMergeSteps struct {
	*client

	catalog   *catalogSteps
	customers *customerSteps
	carts     *cartSteps

	source cart // the cart made before the current one
}

func newCartMergeSteps(c *client, catalog *catalogSteps, customers *customerSteps, carts *cartSteps) *cartMergeSteps {
	return &cartMergeSteps{client: c, catalog: catalog, customers: customers, carts: carts}
}

func (s *cartMergeSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^"([^"]*)" merges the cart into their own$`, func(ctx context.Context, who string) error { return s.try(ctx, s.request(who)) }},
		{`^"([^"]*)" merges the cart into their own without an idempotency key$`, s.mergeWithoutKey},
		{`^"([^"]*)" merges the cart into their own (\d+) times at once with one idempotency key$`, s.mergeConcurrently},
		{`^another cart with (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error {
			return s.createTarget(ctx, "", n, name)
		}},
		{`^another cart of market "([^"]*)" with (\d+) "([^"]*)"$`, s.createTarget},
		{`^the shopper merges the first cart into the second$`, s.mergeAsGuest},
		{`^the answer warns that (\d+) of (\d+) "([^"]*)" were kept$`, s.wantKept},
	}
}

// request is the merge that a storefront makes when a guest logs in.
func (s *cartMergeSteps) request(who string) request {
	body := object{"sourceCartId": s.carts.cart.id}
	if s.carts.cart.token != "" {
		body["sourceCartToken"] = s.carts.cart.token
	}
	return request{"POST", publicAPI + "/carts/merge", body, keyed(s.customers.as(who))}
}

func (s *cartMergeSteps) mergeWithoutKey(ctx context.Context, who string) error {
	r := s.request(who)
	delete(r.header, "Idempotency-Key")
	return s.try(ctx, r)
}

func (s *cartMergeSteps) mergeConcurrently(ctx context.Context, who string, n int) error {
	r := s.request(who)
	all := make([]request, n)
	for i := range all {
		all[i] = r
	}
	return s.sendConcurrently(ctx, all)
}

func (s *cartMergeSteps) createTarget(ctx context.Context, market string, n int, name string) error {
	s.source = s.carts.cart
	return s.carts.create(ctx, market, []line{{n, name}})
}

// mergeAsGuest merges as a guest who holds both tokens.
func (s *cartMergeSteps) mergeAsGuest(ctx context.Context) error {
	body := object{"sourceCartId": s.source.id, "sourceCartToken": s.source.token, "targetCartId": s.carts.cart.id}
	return s.carts.apply(ctx, request{"POST", publicAPI + "/carts/merge", body, keyed(s.carts.asShopper())})
}

func (s *cartMergeSteps) wantKept(kept, requested, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	for _, warning := range list(s.got.body, "warnings") {
		if text(warning, "variantId") == p.variant && text(warning, "kept") == kept && text(warning, "requested") == requested {
			return nil
		}
	}
	return fmt.Errorf("it %s", s.got)
}
