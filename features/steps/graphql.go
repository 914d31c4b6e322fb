package steps

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// graphQLSteps uses the API over GraphQL and compares it with REST.
type graphQLSteps struct {
	*client

	catalog *catalogSteps
	carts   *cartSteps

	answers [2]answer // of GraphQL and of REST
}

func newGraphQLSteps(c *client, catalog *catalogSteps, carts *cartSteps) *graphQLSteps {
	return &graphQLSteps{client: c, catalog: catalog, carts: carts}
}

func (s *graphQLSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^a storefront queries all products over GraphQL$`, s.readProducts},
		{`^the answer has "([^"]*)" at (\d+) with (\d+) variants?$`, s.wantProduct},
		{`^the answer does not have "([^"]*)"$`, s.wantNoProduct},
		{`^a storefront reads "([^"]*)" over GraphQL and over REST$`, s.readOverBoth},
		{`^both answers have the same product$`, s.wantSame},
		{`^a storefront queries all products 101 times in one document$`, s.sendTooManyAliases},
		{`^the document is refused because "([^"]*)"$`, s.wantDocumentRefused},
		{`^a storefront queries the stock of "([^"]*)" over GraphQL$`, s.readStock},
		{`^that field is refused as "([^"]*)" and the others are answered$`, s.wantFieldRefused},
		{`^a storefront tries to rename "([^"]*)" over GraphQL$`, s.rename},
		{`^the mutation is refused as "([^"]*)" and nothing is changed$`, s.wantNotRenamed},
		{`^a visitor creates a cart with (\d+) "([^"]*)" over GraphQL$`, s.createCart},
		{`^the visitor adds (\d+) "([^"]*)" over GraphQL and again over REST with the same idempotency key$`, s.addOverBoth},
		{`^the cart over REST holds (\d+) "([^"]*)" for (\d+)$`, s.wantLine},
		{`^the admin logs in over GraphQL$`, s.logIn},
		{`^the answer names the admin's role and shop$`, s.wantSession},
	}
}

const wholeProduct = `id name slug status price discount description tags { id name slug } images { id url alt } createdAt updatedAt`

func (s *graphQLSteps) readProducts(ctx context.Context) error {
	return s.graphQL(ctx, s.asVisitor(), `{ Products(limit: 100) { totalDocs docs { name price variants { sku } } } }`, nil)
}

func (s *graphQLSteps) shownProduct(name string) any {
	docs, _ := s.data("Products", "docs").([]any)
	for _, d := range docs {
		if text(d, "name") == name {
			return d
		}
	}
	return nil
}

func (s *graphQLSteps) wantProduct(name, price, variants string) error {
	p := s.shownProduct(name)
	if err := equal("the price", valueAt(p, "price"), price); err != nil {
		return fmt.Errorf("%w: it %s", err, s.got)
	}
	return equal("the variants", strconv.Itoa(len(list(p, "variants"))), variants)
}

func (s *graphQLSteps) wantNoProduct(name string) error {
	if s.shownProduct(name) != nil {
		return fmt.Errorf("it %s", s.got)
	}
	return nil
}

func (s *graphQLSteps) readOverBoth(ctx context.Context, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	if err := s.graphQL(ctx, s.asVisitor(), `query($id: String!) { Product(id: $id) { `+wholeProduct+` } }`, object{"id": p.id}); err != nil {
		return err
	}
	over := s.got
	rest, err := s.must(ctx, request{"GET", "/api/products/" + p.id + "?depth=1", nil, s.asVisitor()})
	s.answers = [2]answer{over, rest}
	return err
}

func (s *graphQLSteps) wantSame() error {
	over, _ := valueAt(s.answers[0].body, "data", "Product").(map[string]any)
	rest := map[string]any{}
	for name := range over {
		rest[name] = s.answers[1].body[name]
	}
	if len(over) < 10 || !reflect.DeepEqual(over, rest) {
		return fmt.Errorf("GraphQL %s, REST %s", s.answers[0], s.answers[1])
	}
	return nil
}

func (s *graphQLSteps) sendTooManyAliases(ctx context.Context) error {
	var b strings.Builder
	for i := range 101 {
		fmt.Fprintf(&b, "a%d: Products { totalDocs } ", i)
	}
	return s.graphQL(ctx, s.asVisitor(), "{ "+b.String()+"}", nil)
}

func (s *graphQLSteps) wantDocumentRefused(reason string) error {
	if data, ok := s.got.body["data"]; !ok || data != nil {
		return fmt.Errorf("it %s", s.got)
	}
	return equal("the reason", s.got.reason(), reason)
}

func (s *graphQLSteps) readStock(ctx context.Context, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	return s.graphQL(ctx, s.asVisitor(), `query($id: String!) { Product(id: $id) { name stock } }`, object{"id": p.id})
}

func (s *graphQLSteps) wantFieldRefused(code string) error {
	if s.data("Product", "name") == nil || s.data("Product", "stock") != nil {
		return fmt.Errorf("it %s", s.got)
	}
	return equal("the code", valueAt(s.got.body, "errors", 0, "extensions", "code"), code)
}

func (s *graphQLSteps) rename(ctx context.Context, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	return s.graphQL(ctx, s.asVisitor(), `mutation($id: String!) { updateProduct(id: $id, data: {name: "mine"}) { name } }`,
		object{"id": p.id})
}

func (s *graphQLSteps) wantNotRenamed(ctx context.Context, code string) error {
	if err := equal("the code", valueAt(s.got.body, "errors", 0, "extensions", "code"), code); err != nil {
		return err
	}
	if err := s.readProducts(ctx); err != nil {
		return err
	}
	if s.shownProduct("mine") != nil {
		return errors.New("it was renamed")
	}
	return nil
}

func (s *graphQLSteps) createCart(ctx context.Context, n int, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	err = s.graphQL(ctx, s.asVisitor(), `mutation($v: String!, $n: Int!) {
		cartCreate(input: {items: [{variantId: $v, quantity: $n}]}) { cartToken cart { id revision } }
	}`, object{"v": p.variant, "n": n})
	s.carts.use(fmt.Sprint(s.data("cartCreate", "cart", "id")), fmt.Sprint(s.data("cartCreate", "cartToken")))
	return err
}

func (s *graphQLSteps) addOverBoth(ctx context.Context, n int, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	key := newKey()
	err = s.graphQL(ctx, s.asVisitor(), `mutation($c: String!, $t: String!, $v: String!, $n: Int!, $k: String!) {
		cartAddItem(cartId: $c, cartToken: $t, input: {variantId: $v, quantity: $n}, expectedRevision: 1, idempotencyKey: $k) { cart { revision } }
	}`, object{"c": s.carts.cart.id, "t": s.carts.cart.token, "v": p.variant, "n": n, "k": key})
	if err != nil {
		return err
	}
	if err := equal("the revision", s.data("cartAddItem", "cart", "revision"), "2"); err != nil {
		return fmt.Errorf("%w: it %s", err, s.got)
	}
	_, err = s.must(ctx, request{"POST", publicAPI + "/carts/" + s.carts.cart.id + "/items",
		object{"variantId": p.variant, "quantity": n, "expectedRevision": 1},
		with(s.asVisitor(), "X-Cart-Token", s.carts.cart.token, "Idempotency-Key", key)})
	return err
}

func (s *graphQLSteps) wantLine(ctx context.Context, n, name, total string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	a, err := s.must(ctx, request{
		"GET", publicAPI + "/carts/" + s.carts.cart.id, nil, with(s.asVisitor(), "X-Cart-Token", s.carts.cart.token),
	})
	if err != nil {
		return err
	}
	for _, line := range list(a.body, "cart", "lines") {
		if idOf(valueAt(line, "variant")) == p.variant {
			return errors.Join(equal("the quantity", valueAt(line, "quantity"), n), equal("the total", valueAt(line, "total"), total))
		}
	}
	return fmt.Errorf("%s is not in it: it %s", name, a)
}

func (s *graphQLSteps) logIn(ctx context.Context) error {
	return s.graphQL(ctx, nil, `mutation($e: String!, $p: String!) {
		loginUser(email: $e, password: $p) { token exp user { email role tenants { id name } } }
	}`, object{"e": s.shop.AdminEmail, "p": s.shop.AdminPassword})
}

func (s *graphQLSteps) wantSession() error {
	if err := equal("the role", s.data("loginUser", "user", "role"), "tenant-admin"); err != nil {
		return fmt.Errorf("%w: it %s", err, s.got)
	}
	return equal("the shop", s.data("loginUser", "user", "tenants", 0, "id"), s.shop.TenantID)
}
