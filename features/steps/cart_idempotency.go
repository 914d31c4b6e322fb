package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// cartIdempotencySteps changes carts with missing, used and derived idempotency keys, and without a revision.
type cartIdempotencySteps struct {
	*client

	catalog   *catalogSteps
	customers *customerSteps
	carts     *cartSteps
}

func newCartIdempotencySteps(c *client, catalog *catalogSteps, customers *customerSteps, carts *cartSteps) *cartIdempotencySteps {
	return &cartIdempotencySteps{client: c, catalog: catalog, customers: customers, carts: carts}
}

func (s *cartIdempotencySteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shopper adds (\d+) "([^"]*)" with the idempotency key of that request$`, s.addWithUsedKey},
		{`^the shopper ` + cartChangePattern + ` without an idempotency key$`, s.changeWithoutKey},
		{`^the shopper ` + cartChangePattern + ` without a revision$`, s.changeWithoutRevision},
		{`^"([^"]*)" creates a cart with (\d+) "([^"]*)" without an idempotency key$`, s.createWithoutKey},
		{`^the shopper adds (\d+) "([^"]*)" with an idempotency key derived from the cart's id$`, s.addWithDerivedKey},
		{`^the shop's server adds (\d+) "([^"]*)"$`, s.addAsServer},
		{`^the refusal names the current revision (\d+)$`, s.wantCurrentRevision},
	}
}

// cartChangePattern is every change of a cart, in the words of the steps.
const cartChangePattern = `(adds a line|changes a line|removes a line|sets the discount codes|sets the attributes|empties the cart)`

func (s *cartIdempotencySteps) addWithUsedKey(ctx context.Context, quantity int, name string) error {
	r, err := s.carts.addRequest(quantity, name)
	if err != nil {
		return err
	}
	r.header["Idempotency-Key"] = s.sent.header["Idempotency-Key"]
	return s.carts.apply(ctx, r)
}

// request is the request for a change of a cart that has lines.
func (s *cartIdempotencySteps) request(ctx context.Context, what string) (request, error) {
	if err := s.carts.read(ctx); err != nil {
		return request{}, err
	}
	line := valueAt(s.carts.cart.body, "lines", 0)
	at := "/items/" + text(line, "id")
	switch what {
	case "adds a line":
		return s.carts.changeRequest("POST", "/items", object{"variantId": idOf(valueAt(line, "variant")), "quantity": 1}), nil
	case "changes a line":
		return s.carts.changeRequest("PATCH", at, object{"quantity": 5}), nil
	case "removes a line":
		return s.carts.removeRequest(text(line, "id")), nil
	case "sets the discount codes":
		return s.carts.changeRequest("PUT", "/discount-codes", object{"discountCodes": []any{"TEN"}}), nil
	case "sets the attributes":
		return s.carts.changeRequest("PUT", "/attributes", object{"attributes": object{"gift": "yes"}}), nil
	}
	return s.carts.changeRequest("POST", "/clear", object{}), nil
}

func (s *cartIdempotencySteps) changeWithoutKey(ctx context.Context, what string) error {
	r, err := s.request(ctx, what)
	if err != nil {
		return err
	}
	delete(r.header, "Idempotency-Key")
	return s.carts.apply(ctx, r)
}

func (s *cartIdempotencySteps) changeWithoutRevision(ctx context.Context, what string) error {
	r, err := s.request(ctx, what)
	if err != nil {
		return err
	}
	if body, ok := r.body.(object); ok {
		delete(body, "expectedRevision")
	}
	r.path, _, _ = strings.Cut(r.path, "?")
	return s.carts.apply(ctx, r)
}

func (s *cartIdempotencySteps) createWithoutKey(ctx context.Context, who string, n int, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	made, err := s.must(ctx, request{"POST", publicAPI + "/carts", object{
		"items": []any{object{"variantId": p.variant, "quantity": n}},
	}, s.customers.as(who)})
	s.carts.use(text(made.body, "cart", "id"), "")
	return err
}

func (s *cartIdempotencySteps) addWithDerivedKey(ctx context.Context, quantity int, name string) error {
	r, err := s.carts.addRequest(quantity, name)
	if err != nil {
		return err
	}
	r.header["Idempotency-Key"] = "add-to-" + s.carts.cart.id
	return s.carts.apply(ctx, r)
}

// addAsServer changes the cart without the shopper: the revision that the shopper last saw is outdated then.
func (s *cartIdempotencySteps) addAsServer(ctx context.Context, quantity int, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	_, err = s.must(ctx, request{"POST", serverAPI + "/carts/" + s.carts.cart.id + "/items", object{
		"variantId": p.variant, "quantity": quantity,
	}, keyed(s.asServer())})
	return err
}

func (s *cartIdempotencySteps) wantCurrentRevision(want string) error {
	for _, data := range append([]any{valueAt(s.got.body, "errors", 0, "data")}, list(s.got.body, "errors", 0, "data")...) {
		if n, ok := valueAt(data, "currentRevision").(json.Number); ok && n.String() == want {
			return nil
		}
	}
	return fmt.Errorf("it %s", s.got)
}
