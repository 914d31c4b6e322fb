package steps

import (
	"context"
	"fmt"
)

// orderTransitionSteps moves orders from status to status by hand.
type orderTransitionSteps struct {
	*client

	members   *memberSteps
	checkouts *checkoutSteps
	orders    *orderSteps
}

func newOrderTransitionSteps(c *client, members *memberSteps, checkouts *checkoutSteps, orders *orderSteps) *orderTransitionSteps {
	return &orderTransitionSteps{client: c, members: members, checkouts: checkouts, orders: orders}
}

func (s *orderTransitionSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop moves the order to "([^"]*)"$`, func(ctx context.Context, to string) error { return s.try(ctx, s.request(to, "")) }},
		{`^the shop moves the order to "([^"]*)", then "([^"]*)"$`, func(ctx context.Context, a, b string) error {
			return s.moveThrough(ctx, a, b)
		}},
		{`^the shop moves the order to "([^"]*)", then "([^"]*)", then "([^"]*)"$`, func(ctx context.Context, a, b, c string) error {
			return s.moveThrough(ctx, a, b, c)
		}},
		{`^the shop moves the order to "([^"]*)" with the note "([^"]*)"$`, func(ctx context.Context, to, note string) error {
			return s.try(ctx, s.request(to, note))
		}},
		{`^"([^"]*)" moves the order to "([^"]*)"$`, s.moveAs},
		{`^the shopper tries to move the order to "([^"]*)"$`, s.moveAsShopper},
		{`^(\d+) operators move the order to "([^"]*)" at once$`, s.moveConcurrently},
		{`^exactly 1 request succeeds and the others name the current status "([^"]*)"$`, s.wantOneTransition},
		{`^the refusal names the current status "([^"]*)"$`, func(was string) error {
			return equal("the current status", valueAt(s.got.body, "errors", 0, "data", "from"), was)
		}},
		{`^the ledger's payment has the note "([^"]*)"$`, s.wantPaymentNote},
		{`^the shop confirms delivered orders after (\d+) days$`, s.setConfirmDays},
	}
}

func (s *orderTransitionSteps) request(to, note string) request {
	body := object{"to": to}
	if note != "" {
		body["note"] = note
	}
	return request{"POST", "/api/orders/" + s.orders.id + "/transitions", body, s.asServer()}
}

func (s *orderTransitionSteps) moveThrough(ctx context.Context, states ...string) error {
	for _, to := range states {
		if _, err := s.must(ctx, s.request(to, "")); err != nil {
			return err
		}
	}
	return nil
}

func (s *orderTransitionSteps) moveAs(ctx context.Context, name, to string) error {
	member, err := s.members.logInToTest(ctx, name)
	if err != nil {
		return err
	}
	r := s.request(to, "")
	r.header = member
	return s.try(ctx, r)
}

func (s *orderTransitionSteps) moveAsShopper(ctx context.Context, to string) error {
	r := s.request(to, "")
	r.header = s.checkouts.asShopper()
	return s.try(ctx, r)
}

func (s *orderTransitionSteps) moveConcurrently(ctx context.Context, n int, to string) error {
	all := make([]request, n)
	for i := range all {
		all[i] = s.request(to, "")
	}
	return s.sendConcurrently(ctx, all)
}

func (s *orderTransitionSteps) wantOneTransition(was string) error {
	done := 0
	for _, a := range s.concurrent {
		if a.ok() {
			done++
		} else if err := equal("the current status", valueAt(a.body, "errors", 0, "data", "from"), was); err != nil {
			return err
		}
	}
	if done != 1 {
		return fmt.Errorf("%d of them succeed", done)
	}
	return nil
}

func (s *orderTransitionSteps) wantPaymentNote(ctx context.Context, note string) error {
	got, err := s.must(ctx, request{"GET", "/api/transactions?where[type][equals]=payment", nil, s.asServer()})
	if err != nil {
		return err
	}
	return equal("the payment's note", valueAt(got.body, "docs", 0, "note"), note)
}

func (s *orderTransitionSteps) setConfirmDays(ctx context.Context, days int) error {
	_, err := s.must(ctx, request{"PATCH", "/api/tenants/" + s.shop.TenantID, object{
		"settings": object{"autoConfirmDays": days},
	}, s.asServer()})
	return err
}
