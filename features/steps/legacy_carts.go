package steps

import (
	"context"
	"encoding/json"
	"slices"
)

// legacyCartSteps calls the cart operations of the previous generation, which take no idempotency key and no revision.
type legacyCartSteps struct {
	*client

	catalog   *catalogSteps
	carts     *cartSteps
	checkouts *checkoutSteps
}

func newLegacyCartSteps(c *client, catalog *catalogSteps, carts *cartSteps, checkouts *checkoutSteps) *legacyCartSteps {
	return &legacyCartSteps{client: c, catalog: catalog, carts: carts, checkouts: checkouts}
}

func (s *legacyCartSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^a cart made by a legacy storefront$`, s.create},
		{
			`^a legacy storefront adds (\d+) "([^"]*)"$`,
			func(ctx context.Context, n int, name string) error { return s.add(ctx, n, name, "") },
		},
		{`^a legacy storefront adds (\d+) "([^"]*)" from market "([^"]*)"$`, s.add},
		{`^(\d+) people add 1 "([^"]*)" in a legacy storefront at once$`, s.addConcurrently},
		{`^a legacy storefront applies the code "([^"]*)"$`, func(ctx context.Context, code string) error {
			return s.changeCode(ctx, "/apply-discount", code)
		}},
		{`^a legacy storefront removes the code "([^"]*)"$`, func(ctx context.Context, code string) error {
			return s.changeCode(ctx, "/remove-discount", code)
		}},
		{`^the shopper (applies|removes) the code "([^"]*)" with the legacy operation$`, s.changeCodeOnCurrentPath},
		{`^a legacy storefront shows the cart$`, func(ctx context.Context) error { return s.try(ctx, s.request("GET", "", nil)) }},
		{`^it shows a subtotal of (\d+), a discount of (\d+) and a total of (\d+)$`, s.wantTotals},
		{`^the shop's server checks the cart out with the legacy operation$`, s.checkOut},
	}
}

// request calls a legacy operation on the cart, without an idempotency key and a revision.
func (s *legacyCartSteps) request(method, path string, body any) request {
	return request{method, publicAPI + "/cart/" + s.carts.cart.id + path, body, s.carts.asShopper()}
}

func (s *legacyCartSteps) create(ctx context.Context) error {
	made, err := s.must(ctx, request{"POST", publicAPI + "/cart", object{}, s.asVisitor()})
	s.carts.use(text(made.body, "id"), text(made.body, "cartToken"))
	return err
}

func (s *legacyCartSteps) addRequest(n int, name, market string) (request, error) {
	p, err := s.catalog.product(name)
	body := object{"variantId": p.variant, "quantity": n}
	if market != "" {
		body["market"] = market
	}
	return s.request("POST", "/items", body), err
}

func (s *legacyCartSteps) add(ctx context.Context, n int, name, market string) error {
	r, err := s.addRequest(n, name, market)
	if err != nil {
		return err
	}
	if err := s.try(ctx, r); err != nil || !s.got.ok() {
		return err
	}
	s.carts.cart.revision = json.Number(text(s.got.body, "revision"))
	return nil
}

func (s *legacyCartSteps) addConcurrently(ctx context.Context, n int, name string) error {
	r, err := s.addRequest(1, name, "")
	if err != nil {
		return err
	}
	return s.sendConcurrently(ctx, slices.Repeat([]request{r}, n))
}

func (s *legacyCartSteps) changeCode(ctx context.Context, path, code string) error {
	return s.try(ctx, s.request("POST", path, object{"discountCode": code}))
}

// changeCodeOnCurrentPath calls a legacy operation at the path where current operations are.
func (s *legacyCartSteps) changeCodeOnCurrentPath(ctx context.Context, does, code string) error {
	path := map[string]string{"applies": "/apply-discount", "removes": "/remove-discount"}[does]
	return s.try(ctx, s.carts.changeRequest("POST", path, object{"discountCode": code}))
}

func (s *legacyCartSteps) wantTotals(subtotal, discount, total string) error {
	for _, want := range [][2]string{{"itemsTotal", subtotal}, {"discountAmount", discount}, {"totalAmount", total}} {
		if err := equal(want[0], s.got.body[want[0]], want[1]); err != nil {
			return err
		}
	}
	return nil
}

func (s *legacyCartSteps) checkOut(ctx context.Context) error {
	customer := object{"name": "Kim", "email": "kim@shopper.example"}
	body := object{"cartId": s.carts.cart.id, "customerSnapshot": customer, "shippingAddress": address()}
	made, err := s.must(ctx, request{"POST", serverAPI + "/orders/checkout", body, s.asServer()})
	s.checkouts.use(text(made.body, "checkout", "id"), text(made.body, "checkoutToken"))
	return err
}
