package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// cartSteps changes the cart of the shopper, who has no account.
type cartSteps struct {
	*client

	catalog *catalogSteps

	cart cart // as the shopper last saw it
}

func newCartSteps(c *client, catalog *catalogSteps) *cartSteps {
	return &cartSteps{client: c, catalog: catalog}
}

func (s *cartSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^an empty cart$`, func(ctx context.Context) error { return s.create(ctx, "", nil) }},
		{
			`^a cart with (\d+) "([^"]*)"$`,
			func(ctx context.Context, n int, name string) error { return s.create(ctx, "", []line{{n, name}}) },
		},
		{`^a cart with (\d+) "([^"]*)" and (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string, n2 int, name2 string) error {
			return s.create(ctx, "", []line{{n, name}, {n2, name2}})
		}},
		{`^a cart of market "([^"]*)" with (\d+) "([^"]*)"$`, func(ctx context.Context, market string, n int, name string) error {
			return s.create(ctx, market, []line{{n, name}})
		}},
		{`^the shopper adds (\d+) "([^"]*)"$`, s.add},
		{`^the shopper adds (\d+) "([^"]*)" from market "([^"]*)"$`, s.addFromMarket},
		{`^the shopper adds (\d+) "([^"]*)" for the guests "([^"]*)"$`, s.addWithAdmissions},
		{`^the shopper adds (\d+) "([^"]*)" with the removed field "admission"$`, s.addWithLegacyAdmission},
		{`^the shopper sets the quantity of "([^"]*)" to (\d+)$`, s.setQuantity},
		{`^the shopper removes "([^"]*)"$`, s.remove},
		{`^the shopper removes something that is not in the cart$`, s.removeMissing},
		{`^the shopper empties the cart$`, func(ctx context.Context) error {
			return s.apply(ctx, s.changeRequest("POST", "/clear", object{}))
		}},
		{`^the shopper sets the attribute "([^"]*)" to "([^"]*)"$`, func(ctx context.Context, name, value string) error {
			return s.apply(ctx, s.changeRequest("PUT", "/attributes", object{"attributes": object{name: value}}))
		}},
		{`^the cart's attribute "([^"]*)" is "([^"]*)"$`, s.wantAttribute},
		{`^the cart holds (\d+) "([^"]*)"$`, s.wantLine},
		{`^the guests of "([^"]*)" are "([^"]*)"$`, s.wantGuests},
		{`^the cart holds no "([^"]*)"$`, func(ctx context.Context, name string) error { return s.wantLine(ctx, 0, name) }},
		{`^the cart is empty$`, s.wantEmpty},
		{`^the cart's subtotal is (\d+) ([A-Z]{3})$`, s.wantSubtotal},
		{`^the cart is at revision (\d+)$`, s.wantRevision},
		{`^the cart is "([^"]*)"$`, s.wantStatus},
		{`^the cart requires (no )?shipping$`, s.wantShipping},
		{`^(\d+) people add 1 "([^"]*)" at once$`, s.addConcurrently},
		{`^the same request to add 1 "([^"]*)" arrives (\d+) times at once$`, s.sendDuplicates},
		{`^a visitor without the cart's token reads the cart$`, s.readWithoutToken},
	}
}

// cart is a cart as its shopper last saw it.
type cart struct {
	id, token string
	revision  json.Number
	body      object
}

func (s *cartSteps) create(ctx context.Context, market string, lines []line, codes ...string) error {
	if err := s.tryCreate(ctx, market, lines, codes); err != nil {
		return err
	}
	if err := s.wantSuccess(); err != nil {
		return err
	}
	s.use(text(s.got.body, "cart", "id"), text(s.got.body, "cartToken"))
	return s.read(ctx)
}

func (s *cartSteps) tryCreate(ctx context.Context, market string, lines []line, codes []string) error {
	body := object{}
	if codes != nil {
		body["discountCodes"] = codes
	}
	if market != "" {
		body["market"] = market
	}
	items, err := s.catalog.items(lines)
	if err != nil {
		return err
	}
	if items != nil {
		body["items"] = items
	}
	return s.try(ctx, request{"POST", publicAPI + "/carts", body, keyed(s.asVisitor())})
}

func (s *cartSteps) asShopper() map[string]string {
	return with(s.asVisitor(), "X-Cart-Token", s.cart.token)
}

// use makes a cart the current one; what it holds is not read yet.
func (s *cartSteps) use(id, token string) { s.cart = cart{id: id, token: token} }

// read reads the cart from the server, whatever the last answer said.
func (s *cartSteps) read(ctx context.Context) error {
	got, err := s.must(ctx, request{"GET", publicAPI + "/carts/" + s.cart.id, nil, s.asShopper()})
	if err != nil {
		return err
	}
	s.cart.body, _ = got.body["cart"].(object)
	s.cart.revision = json.Number(text(s.cart.body, "revision"))
	return nil
}

// changeRequest changes the cart at the revision that the shopper last saw, with a new idempotency key.
func (s *cartSteps) changeRequest(method, path string, body object) request {
	body["expectedRevision"] = s.cart.revision
	return request{method, publicAPI + "/carts/" + s.cart.id + path, body, keyed(s.asShopper())}
}

func (s *cartSteps) addRequest(quantity int, name string) (request, error) {
	p, err := s.catalog.product(name)
	return s.changeRequest("POST", "/items", object{"variantId": p.variant, "quantity": quantity}), err
}

func (s *cartSteps) add(ctx context.Context, quantity int, name string) error {
	r, err := s.addRequest(quantity, name)
	if err != nil {
		return err
	}
	return s.apply(ctx, r)
}

func (s *cartSteps) addFromMarket(ctx context.Context, quantity int, name, market string) error {
	r, err := s.addRequest(quantity, name)
	if err != nil {
		return err
	}
	r.body.(object)["market"] = market
	return s.apply(ctx, r)
}

func (s *cartSteps) addWithAdmissions(ctx context.Context, quantity int, name, people string) error {
	r, err := s.addRequest(quantity, name)
	if err != nil {
		return err
	}
	var admissions []any
	for person := range strings.SplitSeq(people, ", ") {
		admissions = append(admissions, object{"name": person})
	}
	r.body.(object)["admissions"] = admissions
	return s.apply(ctx, r)
}

func (s *cartSteps) addWithLegacyAdmission(ctx context.Context, quantity int, name string) error {
	r, err := s.addRequest(quantity, name)
	if err != nil {
		return err
	}
	r.body.(object)["admission"] = object{"name": "Kim"}
	return s.apply(ctx, r)
}

// apply makes a change; the answer to a successful change shows its shopper the new revision.
func (s *cartSteps) apply(ctx context.Context, r request) error {
	if err := s.try(ctx, r); err != nil || !s.got.ok() {
		return err
	}
	s.cart.revision = json.Number(text(s.got.body, "cart", "revision"))
	return nil
}

func (s *cartSteps) line(name string) (object, error) {
	p, err := s.catalog.product(name)
	if err != nil {
		return nil, err
	}
	for _, l := range list(s.cart.body, "lines") {
		if idOf(valueAt(l, "variant")) == p.variant {
			return l.(object), nil
		}
	}
	return nil, nil
}

func (s *cartSteps) setQuantity(ctx context.Context, name string, quantity int) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	line, err := s.line(name)
	if err != nil {
		return err
	}
	return s.apply(ctx, s.changeRequest("PATCH", "/items/"+text(line, "id"), object{"quantity": quantity}))
}

func (s *cartSteps) remove(ctx context.Context, name string) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	line, err := s.line(name)
	if err != nil {
		return err
	}
	return s.removeLine(ctx, text(line, "id"))
}

func (s *cartSteps) removeMissing(ctx context.Context) error {
	return s.removeLine(ctx, missingID)
}

func (s *cartSteps) removeLine(ctx context.Context, id string) error {
	return s.apply(ctx, s.removeRequest(id))
}

func (s *cartSteps) removeRequest(line string) request {
	path := fmt.Sprintf("%s/carts/%s/items/%s?expectedRevision=%s", publicAPI, s.cart.id, line, s.cart.revision)
	return request{"DELETE", path, nil, keyed(s.asShopper())}
}

func (s *cartSteps) wantLine(ctx context.Context, quantity int, name string) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	line, err := s.line(name)
	if err != nil {
		return err
	}
	got := firstNonEmpty(text(line, "quantity"), "0")
	if got != strconv.Itoa(quantity) {
		return fmt.Errorf("the cart holds %s %q", got, name)
	}
	return nil
}

func (s *cartSteps) wantGuests(ctx context.Context, name, guests string) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	line, err := s.line(name)
	if err != nil {
		return err
	}
	var names []string
	for _, one := range list(line, "admissions") {
		names = append(names, text(one, "name"))
	}
	return equal("the guests", strings.Join(names, ", "), guests)
}

func (s *cartSteps) wantEmpty(ctx context.Context) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	if n := len(list(s.cart.body, "lines")); n != 0 {
		return fmt.Errorf("the cart has %d lines", n)
	}
	return nil
}

func (s *cartSteps) wantSubtotal(ctx context.Context, amount, currency string) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	if err := equal("the currency", s.cart.body["currency"], currency); err != nil {
		return err
	}
	return equal("the cart's subtotal", valueAt(s.cart.body, "totals", "subtotal"), amount)
}

func (s *cartSteps) wantRevision(ctx context.Context, want string) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	return equal("the revision", s.cart.body["revision"], want)
}

func (s *cartSteps) wantAttribute(ctx context.Context, name, want string) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	return equal("the attribute "+name, valueAt(s.cart.body, "attributes", name), want)
}

func (s *cartSteps) wantStatus(ctx context.Context, want string) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	return equal("the cart", s.cart.body["status"], want)
}

func (s *cartSteps) wantShipping(ctx context.Context, no string) error {
	if err := s.read(ctx); err != nil {
		return err
	}
	return equal("requiring shipping", s.cart.body["requiresShipping"], strconv.FormatBool(no == ""))
}

// addConcurrently adds through the shop's server, which needs no revision.
func (s *cartSteps) addConcurrently(ctx context.Context, n int, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	var all []request
	for range n {
		all = append(all, request{"POST", serverAPI + "/carts/" + s.cart.id + "/items", object{
			"variantId": p.variant, "quantity": 1,
		}, keyed(s.asServer())})
	}
	return s.sendConcurrently(ctx, all)
}

func (s *cartSteps) sendDuplicates(ctx context.Context, name string, n int) error {
	r, err := s.addRequest(1, name)
	if err != nil {
		return err
	}
	return s.sendConcurrently(ctx, slices.Repeat([]request{r}, n))
}

func (s *cartSteps) readWithoutToken(ctx context.Context) error {
	return s.try(ctx, request{"GET", publicAPI + "/carts/" + s.cart.id, nil, s.asVisitor()})
}
