package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// cartView is the cart as its shopper last saw it.
type cartView struct {
	id, token string
	revision  json.Number
	body      object
}

func (w *world) cartSteps() []definition {
	return []definition{
		{`^an empty cart$`, func(ctx context.Context) error { return w.makeCart(ctx, "", nil) }},
		{`^a cart with (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error { return w.makeCart(ctx, "", []wish{{n, name}}) }},
		{`^a cart with (\d+) "([^"]*)" and (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string, n2 int, name2 string) error {
			return w.makeCart(ctx, "", []wish{{n, name}, {n2, name2}})
		}},
		{`^a cart of market "([^"]*)" with (\d+) "([^"]*)"$`, func(ctx context.Context, market string, n int, name string) error {
			return w.makeCart(ctx, market, []wish{{n, name}})
		}},
		{`^the shopper adds (\d+) "([^"]*)"$`, w.add},
		{`^the shopper adds (\d+) "([^"]*)" from market "([^"]*)"$`, w.addFrom},
		{`^the shopper adds (\d+) "([^"]*)" for "([^"]*)"$`, w.addFor},
		{`^the shopper adds (\d+) "([^"]*)" with the old word for a guest$`, w.addOldWord},
		{`^the shopper changes "([^"]*)" to (\d+)$`, w.change},
		{`^the shopper removes "([^"]*)"$`, w.remove},
		{`^the shopper removes something that is not in the cart$`, w.removeNothing},
		{`^the shopper empties the cart$`, func(ctx context.Context) error { return w.tryOnCart(ctx, w.write("POST", "/clear", object{})) }},
		{`^the shopper notes "([^"]*)" as "([^"]*)"$`, func(ctx context.Context, name, value string) error {
			return w.tryOnCart(ctx, w.write("PUT", "/attributes", object{"attributes": object{name: value}}))
		}},
		{`^the cart's note "([^"]*)" is "([^"]*)"$`, w.wantNote},
		{`^the cart holds (\d+) "([^"]*)"$`, w.wantLine},
		{`^the cart holds no "([^"]*)"$`, func(ctx context.Context, name string) error { return w.wantLine(ctx, 0, name) }},
		{`^the cart is empty$`, w.wantEmpty},
		{`^the cart costs (\d+) ([A-Z]{3})$`, w.wantCost},
		{`^the cart is at revision (\d+)$`, w.wantRevision},
		{`^the cart is "([^"]*)"$`, w.wantCartStatus},
		{`^the cart needs (no )?shipping$`, w.wantShipping},
		{`^(\d+) people add 1 "([^"]*)" at once$`, w.crowdAdds},
		{`^the same addition of 1 "([^"]*)" arrives (\d+) times at once$`, w.echoes},
		{`^exactly (\d+) of (?:them|the answers) succeeds?$`, w.wantSuccesses},
	}
}

type wish struct {
	quantity int
	name     string
}

func (w *world) makeCart(ctx context.Context, market string, wishes []wish, codes ...string) error {
	if err := w.tryCart(ctx, market, wishes, codes); err != nil {
		return err
	}
	if err := w.succeeded(); err != nil {
		return err
	}
	w.cart = cartView{id: text(w.got.body, "cart", "id"), token: text(w.got.body, "cartToken")}
	return w.look(ctx)
}

func (w *world) tryCart(ctx context.Context, market string, wishes []wish, codes []string) error {
	body := object{}
	if codes != nil {
		body["discountCodes"] = codes
	}
	if market != "" {
		body["market"] = market
	}
	items, err := w.items(wishes)
	if err != nil {
		return err
	}
	if items != nil {
		body["items"] = items
	}
	return w.try(ctx, request{"POST", public + "/carts", body, keyed(w.asVisitor())})
}

func (w *world) asCartOwner() map[string]string {
	return with(w.asVisitor(), "X-Cart-Token", w.cart.token)
}

// look retrieves the cart: what the server holds, not what an answer said.
func (w *world) look(ctx context.Context) error {
	got, err := w.must(ctx, request{"GET", public + "/carts/" + w.cart.id, nil, w.asCartOwner()})
	if err != nil {
		return err
	}
	w.cart.body, _ = got.body["cart"].(object)
	w.cart.revision = json.Number(text(w.cart.body, "revision"))
	return nil
}

// write is a cart change on the revision the shopper last saw, under a new key.
func (w *world) write(method, path string, body object) request {
	body["expectedRevision"] = w.cart.revision
	return request{method, public + "/carts/" + w.cart.id + path, body, keyed(w.asCartOwner())}
}

func (w *world) addition(quantity int, name string) (request, error) {
	g, err := w.good(name)
	return w.write("POST", "/items", object{"variantId": g.variant, "quantity": quantity}), err
}

func (w *world) add(ctx context.Context, quantity int, name string) error {
	r, err := w.addition(quantity, name)
	if err != nil {
		return err
	}
	return w.tryOnCart(ctx, r)
}

func (w *world) addFrom(ctx context.Context, quantity int, name, market string) error {
	r, err := w.addition(quantity, name)
	if err != nil {
		return err
	}
	r.body.(object)["market"] = market
	return w.tryOnCart(ctx, r)
}

func (w *world) addFor(ctx context.Context, quantity int, name, people string) error {
	r, err := w.addition(quantity, name)
	if err != nil {
		return err
	}
	var admissions []any
	for person := range strings.SplitSeq(people, ", ") {
		admissions = append(admissions, object{"name": person})
	}
	r.body.(object)["admissions"] = admissions
	return w.tryOnCart(ctx, r)
}

func (w *world) addOldWord(ctx context.Context, quantity int, name string) error {
	r, err := w.addition(quantity, name)
	if err != nil {
		return err
	}
	r.body.(object)["admission"] = object{"name": "Kim"}
	return w.tryOnCart(ctx, r)
}

// tryOnCart makes a change; a shopper whose change succeeded has seen the new revision.
func (w *world) tryOnCart(ctx context.Context, r request) error {
	if err := w.try(ctx, r); err != nil || !w.got.ok() {
		return err
	}
	w.cart.revision = json.Number(text(w.got.body, "cart", "revision"))
	return nil
}

func (w *world) line(name string) (object, error) {
	g, err := w.good(name)
	if err != nil {
		return nil, err
	}
	for _, l := range list(w.cart.body, "lines") {
		if idOf(dig(l, "variant")) == g.variant {
			return l.(object), nil
		}
	}
	return nil, nil
}

func (w *world) change(ctx context.Context, name string, quantity int) error {
	if err := w.look(ctx); err != nil {
		return err
	}
	line, err := w.line(name)
	if err != nil {
		return err
	}
	return w.tryOnCart(ctx, w.write("PATCH", "/items/"+text(line, "id"), object{"quantity": quantity}))
}

func (w *world) remove(ctx context.Context, name string) error {
	if err := w.look(ctx); err != nil {
		return err
	}
	line, err := w.line(name)
	if err != nil {
		return err
	}
	return w.removeLine(ctx, text(line, "id"))
}

func (w *world) removeNothing(ctx context.Context) error {
	return w.removeLine(ctx, "01890000-0000-7000-8000-000000000000")
}

func (w *world) removeLine(ctx context.Context, id string) error {
	return w.tryOnCart(ctx, w.removal(id))
}

func (w *world) removal(line string) request {
	path := fmt.Sprintf("%s/carts/%s/items/%s?expectedRevision=%s", public, w.cart.id, line, w.cart.revision)
	return request{"DELETE", path, nil, keyed(w.asCartOwner())}
}

func (w *world) wantLine(ctx context.Context, quantity int, name string) error {
	if err := w.look(ctx); err != nil {
		return err
	}
	line, err := w.line(name)
	if err != nil {
		return err
	}
	got := or(text(line, "quantity"), "0")
	if got != strconv.Itoa(quantity) {
		return fmt.Errorf("the cart holds %s %q", got, name)
	}
	return nil
}

func (w *world) wantEmpty(ctx context.Context) error {
	if err := w.look(ctx); err != nil {
		return err
	}
	if n := len(list(w.cart.body, "lines")); n != 0 {
		return fmt.Errorf("the cart has %d lines", n)
	}
	return nil
}

func (w *world) wantCost(ctx context.Context, amount, currency string) error {
	if err := w.look(ctx); err != nil {
		return err
	}
	if err := equal("the currency", w.cart.body["currency"], currency); err != nil {
		return err
	}
	return equal("the cart's subtotal", dig(w.cart.body, "totals", "subtotal"), amount)
}

func (w *world) wantRevision(ctx context.Context, want string) error {
	if err := w.look(ctx); err != nil {
		return err
	}
	return equal("the revision", w.cart.body["revision"], want)
}

func (w *world) wantNote(ctx context.Context, name, want string) error {
	if err := w.look(ctx); err != nil {
		return err
	}
	return equal("the note "+name, dig(w.cart.body, "attributes", name), want)
}

func (w *world) wantCartStatus(ctx context.Context, want string) error {
	if err := w.look(ctx); err != nil {
		return err
	}
	return equal("the cart", w.cart.body["status"], want)
}

func (w *world) wantShipping(ctx context.Context, no string) error {
	if err := w.look(ctx); err != nil {
		return err
	}
	return equal("requiring shipping", w.cart.body["requiresShipping"], strconv.FormatBool(no == ""))
}

// crowdAdds lets n people of the shop's staff add at the same time; they need no revision.
func (w *world) crowdAdds(ctx context.Context, n int, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	var all []request
	for range n {
		all = append(all, request{"POST", server + "/carts/" + w.cart.id + "/items", object{"variantId": g.variant, "quantity": 1}, keyed(w.asOwner())})
	}
	return w.together(ctx, all)
}

func (w *world) echoes(ctx context.Context, name string, n int) error {
	r, err := w.addition(1, name)
	if err != nil {
		return err
	}
	return w.together(ctx, slices.Repeat([]request{r}, n))
}

// together sends all at the same time. An answer that invites the same request again gets it, as a good client would.
func (w *world) together(ctx context.Context, all []request) error {
	w.all = make([]answer, len(all))
	errs := make([]error, len(all))
	var group sync.WaitGroup
	for i, r := range all {
		group.Go(func() { w.all[i], errs[i] = w.persist(ctx, r) })
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *world) persist(ctx context.Context, r request) (a answer, err error) {
	for attempt := range 60 {
		a, err = w.send(ctx, r)
		if err != nil || text(a.body, "errors", 0, "extensions", "retryable") != "true" {
			return a, err
		}
		select {
		case <-ctx.Done():
			return a, ctx.Err()
		case <-time.After(time.Duration(attempt) * 10 * time.Millisecond):
		}
	}
	return a, fmt.Errorf("after many attempts it still %s", a)
}

func (w *world) wantSuccesses(want int) error {
	got := 0
	for _, a := range w.all {
		if a.ok() {
			got++
		}
	}
	if got != want {
		return fmt.Errorf("%d of %d succeeded; the first %s", got, len(w.all), w.all[0])
	}
	return nil
}
