package steps

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

func (w *world) graphqlSteps() []definition {
	return []definition{
		{`^a storefront asks over GraphQL for everything on sale$`, w.askEverything},
		{`^it is told of "([^"]*)" at (\d+) with (\d+) variants?$`, w.wantTold},
		{`^it is not told of "([^"]*)"$`, w.wantUntold},
		{`^a storefront reads "([^"]*)" over GraphQL and over REST$`, w.readTwice},
		{`^both tell the same$`, w.wantSame},
		{`^a storefront asks over GraphQL for everything a hundred times over$`, w.askTooMuch},
		{`^the question is refused because of "([^"]*)"$`, w.wantQuestionRefused},
		{`^a storefront asks over GraphQL how much of "([^"]*)" is left$`, w.askStock},
		{`^that part is refused as "([^"]*)" and the rest is told$`, w.wantRest},
		{`^a storefront tries to rename "([^"]*)" over GraphQL$`, w.rename},
		{`^that part is refused as "([^"]*)" and nothing is changed$`, w.wantUnchanged},
		{`^a visitor puts (\d+) of "([^"]*)" into a new cart over GraphQL$`, w.fillCart},
		{`^the visitor adds (\d+) of "([^"]*)" over GraphQL and again over REST under the same key$`, w.addTwice},
		{`^the cart over REST has (\d+) of "([^"]*)" for (\d+)$`, w.wantInCart},
		{`^the owner logs in over GraphQL$`, w.ownerLogsIn},
		{`^the owner is told of their role and their shop$`, w.wantOwner},
	}
}

// ask sends a GraphQL document, which the server must take for one.
func (w *world) ask(ctx context.Context, header map[string]string, document string, variables object) error {
	if err := w.try(ctx, request{"POST", "/api/graphql", object{"query": document, "variables": variables}, header}); err != nil {
		return err
	}
	return w.succeeded()
}

// told is what the answer has at a path of its data.
func (w *world) told(path ...any) any { return dig(w.got.body, append([]any{"data"}, path...)...) }

func (w *world) askEverything(ctx context.Context) error {
	return w.ask(ctx, w.asVisitor(), `{ Products(limit: 100) { totalDocs docs { name price variants { sku } } } }`, nil)
}

func (w *world) product(name string) any {
	docs, _ := w.told("Products", "docs").([]any)
	for _, d := range docs {
		if text(d, "name") == name {
			return d
		}
	}
	return nil
}

func (w *world) wantTold(name, price, variants string) error {
	p := w.product(name)
	if err := equal("the price", dig(p, "price"), price); err != nil {
		return fmt.Errorf("%w: it %s", err, w.got)
	}
	return equal("the variants", strconv.Itoa(len(list(p, "variants"))), variants)
}

func (w *world) wantUntold(name string) error {
	if w.product(name) != nil {
		return fmt.Errorf("it %s", w.got)
	}
	return nil
}

const wholeProduct = `id name slug status price discount description tags { id name slug } images { id url alt } createdAt updatedAt`

func (w *world) readTwice(ctx context.Context, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	if err := w.ask(ctx, w.asVisitor(), `query($id: String!) { Product(id: $id) { `+wholeProduct+` } }`, object{"id": g.product}); err != nil {
		return err
	}
	over := w.got
	rest, err := w.must(ctx, request{"GET", "/api/products/" + g.product + "?depth=1", nil, w.asVisitor()})
	w.all = []answer{over, rest}
	return err
}

func (w *world) wantSame() error {
	over, _ := dig(w.all[0].body, "data", "Product").(map[string]any)
	rest := map[string]any{}
	for name := range over {
		rest[name] = w.all[1].body[name]
	}
	if len(over) < 10 || !reflect.DeepEqual(over, rest) {
		return fmt.Errorf("GraphQL %s, REST %s", w.all[0], w.all[1])
	}
	return nil
}

func (w *world) askTooMuch(ctx context.Context) error {
	var b strings.Builder
	for i := range 101 {
		fmt.Fprintf(&b, "a%d: Products { totalDocs } ", i)
	}
	return w.ask(ctx, w.asVisitor(), "{ "+b.String()+"}", nil)
}

func (w *world) wantQuestionRefused(reason string) error {
	if _, answered := w.got.body["data"]; answered {
		return fmt.Errorf("it %s", w.got)
	}
	return equal("the reason", w.got.reason(), reason)
}

func (w *world) askStock(ctx context.Context, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	return w.ask(ctx, w.asVisitor(), `query($id: String!) { Product(id: $id) { name stock } }`, object{"id": g.product})
}

func (w *world) wantRest(code string) error {
	if w.told("Product", "name") == nil || w.told("Product", "stock") != nil {
		return fmt.Errorf("it %s", w.got)
	}
	return equal("the code", dig(w.got.body, "errors", 0, "extensions", "code"), code)
}

func (w *world) rename(ctx context.Context, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	return w.ask(ctx, w.asVisitor(), `mutation($id: String!) { updateProduct(id: $id, data: {name: "mine"}) { name } }`, object{"id": g.product})
}

func (w *world) wantUnchanged(ctx context.Context, code string) error {
	if err := equal("the code", dig(w.got.body, "errors", 0, "extensions", "code"), code); err != nil {
		return err
	}
	if err := w.askEverything(ctx); err != nil {
		return err
	}
	if w.product("mine") != nil {
		return errors.New("it was renamed")
	}
	return nil
}

func (w *world) fillCart(ctx context.Context, n int, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	err = w.ask(ctx, w.asVisitor(), `mutation($v: String!, $n: Int!) { cartCreate(input: {items: [{variantId: $v, quantity: $n}]}) { cartToken cart { id revision } } }`, object{"v": g.variant, "n": n})
	w.cart.id, w.cart.token = fmt.Sprint(w.told("cartCreate", "cart", "id")), fmt.Sprint(w.told("cartCreate", "cartToken"))
	return err
}

func (w *world) addTwice(ctx context.Context, n int, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	key := newKey()
	err = w.ask(ctx, w.asVisitor(), `mutation($c: String!, $t: String!, $v: String!, $n: Int!, $k: String!) {
		cartAddItem(cartId: $c, cartToken: $t, input: {variantId: $v, quantity: $n}, expectedRevision: 1, idempotencyKey: $k) { cart { revision } }
	}`, object{"c": w.cart.id, "t": w.cart.token, "v": g.variant, "n": n, "k": key})
	if err != nil {
		return err
	}
	if err := equal("the revision", w.told("cartAddItem", "cart", "revision"), "2"); err != nil {
		return fmt.Errorf("%w: it %s", err, w.got)
	}
	_, err = w.must(ctx, request{"POST", public + "/carts/" + w.cart.id + "/items", object{"variantId": g.variant, "quantity": n, "expectedRevision": 1},
		with(w.asVisitor(), "X-Cart-Token", w.cart.token, "Idempotency-Key", key)})
	return err
}

func (w *world) wantInCart(ctx context.Context, n, name, total string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	a, err := w.must(ctx, request{"GET", public + "/carts/" + w.cart.id, nil, with(w.asVisitor(), "X-Cart-Token", w.cart.token)})
	if err != nil {
		return err
	}
	for _, line := range list(a.body, "cart", "lines") {
		if idOf(dig(line, "variant")) == g.variant {
			return errors.Join(equal("the quantity", dig(line, "quantity"), n), equal("the total", dig(line, "total"), total))
		}
	}
	return fmt.Errorf("%s is not in it: it %s", name, a)
}

func (w *world) ownerLogsIn(ctx context.Context) error {
	return w.ask(ctx, nil, `mutation($e: String!, $p: String!) { loginUser(email: $e, password: $p) { token exp user { email role tenants { id name } } } }`,
		object{"e": w.shop.AdminEmail, "p": w.shop.AdminPassword})
}

func (w *world) wantOwner() error {
	if err := equal("the role", w.told("loginUser", "user", "role"), "tenant_admin"); err != nil {
		return fmt.Errorf("%w: it %s", err, w.got)
	}
	return equal("the shop", w.told("loginUser", "user", "tenants", 0, "id"), w.shop.TenantID)
}
