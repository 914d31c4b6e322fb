package steps

import (
	"context"
	"fmt"
	"strconv"
)

func (w *world) customerSteps() []definition {
	return []definition{
		{`^the customers "([^"]*)" and "([^"]*)"$`, w.makeCustomers},
		{`^a cart of "([^"]*)" with (\d+) "([^"]*)"$`, w.makeOwnCart},
		{`^"([^"]*)" asks for the own cart$`, w.askOwnCart},
		{`^"([^"]*)" opens the cart of "[^"]*"$`, w.openForeignCart},
		{`^"([^"]*)" adds (\d+) "([^"]*)"$`, w.ownerAdds},
		{`^the own cart holds (\d+) "([^"]*)"$`, w.wantOwnLine},
		{`^there is no own cart$`, w.wantNoOwnCart},
	}
}

const password = "correct horse battery staple"

// makeCustomers registers people at the shop and logs them in.
func (w *world) makeCustomers(ctx context.Context, one, other string) error {
	for _, name := range []string{one, other} {
		email := name + "@shopper.example"
		if _, err := w.must(ctx, request{"POST", "/api/customers/register", object{"email": email, "password": password, "name": name}, w.asVisitor()}); err != nil {
			return err
		}
		got, err := w.must(ctx, request{"POST", "/api/customers/login", object{"email": email, "password": password}, w.asVisitor()})
		if err != nil {
			return err
		}
		w.people[name] = text(got.body, "token")
	}
	return nil
}

func (w *world) asCustomer(name string) map[string]string {
	return with(w.asVisitor(), "Authorization", "Bearer "+w.people[name])
}

func (w *world) makeOwnCart(ctx context.Context, owner string, n int, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	made, err := w.must(ctx, request{"POST", public + "/carts", object{
		"items": []any{object{"variantId": g.variant, "quantity": n}},
	}, keyed(w.asCustomer(owner))})
	w.cart = cartView{id: text(made.body, "cart", "id")}
	return err
}

func (w *world) askOwnCart(ctx context.Context, who string) error {
	return w.try(ctx, request{"GET", public + "/carts/mine", nil, w.asCustomer(who)})
}

func (w *world) openForeignCart(ctx context.Context, who string) error {
	return w.try(ctx, request{"GET", public + "/carts/" + w.cart.id, nil, w.asCustomer(who)})
}

func (w *world) ownerAdds(ctx context.Context, who string, n int, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	return w.try(ctx, request{"POST", public + "/carts/" + w.cart.id + "/items", object{"variantId": g.variant, "quantity": n}, keyed(w.asCustomer(who))})
}

func (w *world) wantOwnLine(quantity int, name string) error {
	if err := w.succeeded(); err != nil {
		return err
	}
	w.cart.body, _ = w.got.body["cart"].(object)
	line, err := w.line(name)
	if err != nil {
		return err
	}
	return equal(name+" in the own cart", line["quantity"], strconv.Itoa(quantity))
}

func (w *world) wantNoOwnCart() error {
	if err := w.succeeded(); err != nil {
		return err
	}
	if w.got.body["cart"] != nil {
		return fmt.Errorf("it %s", w.got)
	}
	return nil
}
