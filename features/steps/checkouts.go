package steps

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
)

// checkoutSteps checks carts out.
type checkoutSteps struct {
	*client

	catalog *catalogSteps
	carts   *cartSteps

	checkout checkout   // the current one
	made     []checkout // all, oldest first
}

func newCheckoutSteps(c *client, catalog *catalogSteps, carts *cartSteps) *checkoutSteps {
	return &checkoutSteps{client: c, catalog: catalog, carts: carts}
}

func (s *checkoutSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^a checkout of (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error { return s.create(ctx, n, name, true) }},
		{`^a checkout of (\d+) "([^"]*)" without an address$`, func(ctx context.Context, n int, name string) error {
			return s.create(ctx, n, name, false)
		}},
		{`^the shopper checks out$`, func(ctx context.Context) error { return s.checkOut(ctx, true) }},
		{`^the shopper checks out without an address$`, func(ctx context.Context) error { return s.checkOut(ctx, false) }},
		{`^the shopper enters an address$`, s.setAddress},
		{`^the shopper completes the checkout without paying$`, s.complete},
		{`^the shopper completes the checkout (\d+) times at once$`, s.completeConcurrently},
		{`^the checkout is "([^"]*)"$`, s.wantStatus},
		{`^the first checkout is "([^"]*)"$`, s.wantFirstStatus},
		{`^the checkout holds (\d+) "([^"]*)"$`, s.wantLine},
		{`^the checkout's total is (\d+) ([A-Z]{3})$`, s.wantTotal},
		{`^the checkout has no shipping$`, s.wantNoShipping},
		{`^the shop's server lists the "([^"]*)" checkouts, newest first$`, func(ctx context.Context, status string) error {
			return s.try(ctx, request{"GET", serverAPI + "/checkouts" + newestFirst(status), nil, s.asServer()})
		}},
		{`^a browser lists the shop's checkouts$`, func(ctx context.Context) error {
			return s.try(ctx, request{"GET", serverAPI + "/checkouts", nil, s.asShopper()})
		}},
		{`^it finds (\d+) checkouts, the first of (\d+) KRW$`, s.wantFound},
		{`^the collection lists the same checkouts$`, s.wantSameList},
		{`^reading the checkout does not show its token$`, s.wantTokenHidden},
		{`^the checkout cannot be read with the cart's token$`, s.wantCartTokenRefused},
		{`^the shopper checks out with the postal code "([^"]*)"$`, func(ctx context.Context, code string) error {
			to := address()
			to["postalCode"] = code
			return s.checkOutTo(ctx, to)
		}},
	}
}

// checkout is a checkout as its shopper knows it.
type checkout struct{ id, token string }

func address() object {
	return object{
		"recipientName": "Kim Minji", "phone": "010-1234-5678", "postalCode": "04524", "address1": "110 Sejong-daero", "address2": "3F",
		"country": "KR",
	}
}

func (s *checkoutSteps) create(ctx context.Context, n int, name string, withAddress bool) error {
	if err := s.carts.create(ctx, "", []line{{n, name}}); err != nil {
		return err
	}
	if err := s.checkOut(ctx, withAddress); err != nil {
		return err
	}
	return s.wantSuccess()
}

func (s *checkoutSteps) checkOut(ctx context.Context, withAddress bool) error {
	if withAddress {
		return s.checkOutTo(ctx, address())
	}
	return s.checkOutTo(ctx, nil)
}

// use makes a checkout the current one.
func (s *checkoutSteps) use(id, token string) {
	s.checkout = checkout{id, token}
	s.made = append(s.made, s.checkout)
}

// useFirst makes the first checkout of the scenario the current one again.
func (s *checkoutSteps) useFirst() { s.checkout = s.made[0] }

// checkOutTo checks the cart out; the address may be nil.
func (s *checkoutSteps) checkOutTo(ctx context.Context, to object) error {
	return s.checkOutAs(ctx, nil, to)
}

// checkOutAs checks out as a buyer; nil for one of whom only the email is known.
func (s *checkoutSteps) checkOutAs(ctx context.Context, buyer, to object) error {
	body := object{"cartId": s.carts.cart.id, "expectedRevision": s.carts.cart.revision, "email": "kim@shopper.example"}
	if to != nil {
		body["shippingAddress"] = to
	}
	if buyer != nil {
		body["customer"] = buyer
	}
	if err := s.try(ctx, request{"POST", publicAPI + "/checkouts", body, keyed(s.carts.asShopper())}); err != nil {
		return err
	}
	if s.got.ok() {
		s.use(text(s.got.body, "checkout", "id"), text(s.got.body, "checkoutToken"))
	}
	return nil
}

func (s *checkoutSteps) asShopper() map[string]string {
	return with(s.asVisitor(), "X-Checkout-Token", s.checkout.token)
}

func (s *checkoutSteps) setAddress(ctx context.Context) error {
	return s.try(ctx, request{
		"PATCH", publicAPI + "/checkouts/" + s.checkout.id, object{"shippingAddress": address()}, keyed(s.asShopper()),
	})
}

func (s *checkoutSteps) completeRequest() request {
	return request{"POST", publicAPI + "/checkouts/" + s.checkout.id + "/complete", object{}, keyed(s.asShopper())}
}

func (s *checkoutSteps) complete(ctx context.Context) error { return s.try(ctx, s.completeRequest()) }

func (s *checkoutSteps) completeConcurrently(ctx context.Context, n int) error {
	var all []request
	for range n {
		all = append(all, s.completeRequest())
	}
	return s.sendConcurrently(ctx, all)
}

// read reads the union of Rule checkouts-9: a status and what belongs to it.
func (s *checkoutSteps) read(ctx context.Context) (object, error) {
	got, err := s.must(ctx, request{"GET", publicAPI + "/checkouts/" + s.checkout.id, nil, s.asShopper()})
	return got.body, err
}

func (s *checkoutSteps) wantStatus(ctx context.Context, want string) error {
	got, err := s.read(ctx)
	if err != nil {
		return err
	}
	return equal("the checkout", got["status"], want)
}

func (s *checkoutSteps) wantFirstStatus(ctx context.Context, want string) error {
	current := s.checkout
	defer func() { s.checkout = current }()
	s.useFirst()
	return s.wantStatus(ctx, want)
}

func (s *checkoutSteps) wantLine(ctx context.Context, quantity int, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	got, err := s.read(ctx)
	if err != nil {
		return err
	}
	for _, line := range list(got, "checkout", "lines") {
		if idOf(valueAt(line, "variant")) == p.variant {
			return equal(name+" in the checkout", valueAt(line, "quantity"), strconv.Itoa(quantity))
		}
	}
	return fmt.Errorf("the checkout holds no %q", name)
}

func (s *checkoutSteps) wantTotal(ctx context.Context, amount, currency string) error {
	got, err := s.read(ctx)
	if err != nil {
		return err
	}
	if err := equal("the currency", valueAt(got, "checkout", "currency"), currency); err != nil {
		return err
	}
	return equal("the total", valueAt(got, "checkout", "totals", "total"), amount)
}

// wantNoShipping: a checkout that does not ship has no shipping total at all, not one of zero.
func (s *checkoutSteps) wantNoShipping(ctx context.Context) error {
	got, err := s.read(ctx)
	if err != nil {
		return err
	}
	totals, _ := valueAt(got, "checkout", "totals").(object)
	if shipping, there := totals["shipping"]; there {
		return fmt.Errorf("shipping is %v", shipping)
	}
	return equal("requiring shipping", valueAt(got, "checkout", "requiresShipping"), "false")
}

// newestFirst is the query for records with a status.
func newestFirst(status string) string {
	return "?depth=1&limit=5&sort=-createdAt&where[status][equals]=" + status
}

func (s *checkoutSteps) wantFound(n, total string) error {
	if err := equal("the number of checkouts", s.got.body["totalDocs"], n); err != nil {
		return fmt.Errorf("%w: %s", err, s.got)
	}
	return equal("the total of the first", valueAt(s.got.body, "docs", 0, "totals", "total"), total)
}

// wantSameList compares the last answer with the collection's list, byte by byte.
func (s *checkoutSteps) wantSameList(ctx context.Context) error {
	got, err := s.must(ctx, request{"GET", "/api/checkouts" + newestFirst("open"), nil, s.asServer()})
	if err == nil && !bytes.Equal(got.raw, s.got.raw) {
		err = fmt.Errorf("the list %s, and the operation %s", got, s.got)
	}
	return err
}

func (s *checkoutSteps) wantTokenHidden(ctx context.Context) error {
	for path, header := range map[string]map[string]string{
		publicAPI + "/checkouts/" + s.checkout.id: s.asShopper(),
		serverAPI + "/checkouts/" + s.checkout.id: s.asServer(),
		"/api/checkouts/" + s.checkout.id:         s.asServer(),
	} {
		got, err := s.must(ctx, request{"GET", path, nil, header})
		if err != nil {
			return err
		}
		raw, err := json.Marshal(got.body)
		if err != nil {
			return err
		}
		if bytes.Contains(raw, []byte(s.checkout.token)) {
			return fmt.Errorf("%s shows the token", path)
		}
	}
	return nil
}

func (s *checkoutSteps) wantCartTokenRefused(ctx context.Context) error {
	if err := s.try(ctx, request{"GET", publicAPI + "/checkouts/" + s.checkout.id, nil, s.carts.asShopper()}); err != nil {
		return err
	}
	if s.got.ok() {
		return fmt.Errorf("it %s", s.got)
	}
	return nil
}
