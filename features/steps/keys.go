package steps

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

func (w *world) keySteps() []definition {
	return []definition{
		{`^the (?:shopper|integrator) repeats that request$`, w.repeat},
		{`^the shopper adds (\d+) "([^"]*)" under the key of that request$`, w.addUnderOldKey},
		{`^the shopper ` + cartChange + ` without a key$`, w.changeWithoutKey},
		{`^the shopper ` + cartChange + ` without saying which revision was seen$`, w.changeBlindly},
		{`^"([^"]*)" makes a cart with (\d+) "([^"]*)" without a key$`, w.makeUnkeyed},
		{`^the shopper adds (\d+) "([^"]*)" under a key made from the cart's number$`, w.addUnderDerivedKey},
		{`^the shop's staff adds (\d+) "([^"]*)"$`, w.staffAdds},
		{`^the answer is the same as before, marked as a receipt$`, w.wantReceipt},
		{`^the refusal names the current revision (\d+)$`, w.wantCurrentRevision},
	}
}

// repeat sends the last request again and remembers the first answer beside the new one.
func (w *world) repeat(ctx context.Context) error {
	first := w.got
	if err := w.try(ctx, w.sent); err != nil {
		return err
	}
	w.all = []answer{first, w.got}
	return nil
}

func (w *world) wantReceipt() error {
	first, again := w.all[0], w.all[1]
	if first.status != again.status || !bytes.Equal(first.raw, again.raw) {
		return fmt.Errorf("first it %s, then it %s", first, again)
	}
	if again.header.Get("Idempotency-Replayed") != "true" {
		return errors.New("the second answer is not marked as a receipt")
	}
	return nil
}

func (w *world) addUnderOldKey(ctx context.Context, quantity int, name string) error {
	r, err := w.addition(quantity, name)
	if err != nil {
		return err
	}
	r.header["Idempotency-Key"] = w.key
	return w.tryOnCart(ctx, r)
}

// cartChange is each change of a cart, as sentences call it.
const cartChange = `(adds to the cart|changes a line|takes a line out|sets the codes|notes something|empties the cart)`

// changing is the request for one change of a cart that holds something.
func (w *world) changing(ctx context.Context, what string) (request, error) {
	if err := w.look(ctx); err != nil {
		return request{}, err
	}
	line := dig(w.cart.body, "lines", 0)
	at := "/items/" + text(line, "id")
	switch what {
	case "adds to the cart":
		return w.write("POST", "/items", object{"variantId": idOf(dig(line, "variant")), "quantity": 1}), nil
	case "changes a line":
		return w.write("PATCH", at, object{"quantity": 5}), nil
	case "takes a line out":
		return w.removal(text(line, "id")), nil
	case "sets the codes":
		return w.write("PUT", "/discount-codes", object{"discountCodes": []any{"TEN"}}), nil
	case "notes something":
		return w.write("PUT", "/attributes", object{"attributes": object{"gift": "yes"}}), nil
	}
	return w.write("POST", "/clear", object{}), nil
}

func (w *world) changeWithoutKey(ctx context.Context, what string) error {
	r, err := w.changing(ctx, what)
	if err != nil {
		return err
	}
	delete(r.header, "Idempotency-Key")
	return w.tryOnCart(ctx, r)
}

func (w *world) changeBlindly(ctx context.Context, what string) error {
	r, err := w.changing(ctx, what)
	if err != nil {
		return err
	}
	if body, ok := r.body.(object); ok {
		delete(body, "expectedRevision")
	}
	r.path, _, _ = strings.Cut(r.path, "?")
	return w.tryOnCart(ctx, r)
}

func (w *world) makeUnkeyed(ctx context.Context, who string, n int, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	made, err := w.must(ctx, request{"POST", public + "/carts", object{"items": []any{object{"variantId": g.variant, "quantity": n}}}, w.asCustomer(who)})
	w.cart = cartView{id: text(made.body, "cart", "id")}
	return err
}

func (w *world) addUnderDerivedKey(ctx context.Context, quantity int, name string) error {
	r, err := w.addition(quantity, name)
	if err != nil {
		return err
	}
	r.header["Idempotency-Key"] = "add-to-" + w.cart.id
	return w.tryOnCart(ctx, r)
}

// staffAdds changes the cart behind the shopper's back: the shopper's view stays old.
func (w *world) staffAdds(ctx context.Context, quantity int, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	_, err = w.must(ctx, request{"POST", server + "/carts/" + w.cart.id + "/items", object{"variantId": g.variant, "quantity": quantity}, keyed(w.asOwner())})
	return err
}

func (w *world) wantCurrentRevision(want string) error {
	for _, data := range append([]any{dig(w.got.body, "errors", 0, "data")}, list(w.got.body, "errors", 0, "data")...) {
		if n, ok := dig(data, "currentRevision").(json.Number); ok && n.String() == want {
			return nil
		}
	}
	return fmt.Errorf("it %s", w.got)
}
