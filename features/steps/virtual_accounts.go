package steps

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// virtualAccountSteps has shoppers pay to an account that the sandbox makes for their payment.
type virtualAccountSteps struct {
	*client

	payments *paymentSteps
	pages    *paymentPageSteps
	orders   *orderSteps

	payment payment // by virtual account; others may be opened after it
	told    object  // the instructions that its shopper saw first
}

func newVirtualAccountSteps(c *client, payments *paymentSteps, pages *paymentPageSteps, orders *orderSteps) *virtualAccountSteps {
	return &virtualAccountSteps{client: c, payments: payments, pages: pages, orders: orders}
}

func (s *virtualAccountSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shopper chooses a virtual account$`, func(ctx context.Context) error { return s.choose(ctx, 0) }},
		{`^a virtual account for (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error { return s.create(ctx, n, name, 0) }},
		{`^a virtual account for (\d+) "([^"]*)" that is open for (\d+) days$`, s.create},
		{`^the shopper (?:of the virtual account )?transfers the amount(?: again)?$`, func(ctx context.Context) error { return s.transfer(ctx, object{}) }},
		{`^the shopper transfers (\d+) KRW$`, func(ctx context.Context, amount int) error { return s.transfer(ctx, object{"amount": amount}) }},
		{`^an order of (\d+) "([^"]*)" that was paid by virtual account$`, s.buy},
		{`^the bank takes the deposit back$`, func(ctx context.Context) error {
			_, err := s.must(ctx, request{"POST", "/sandbox/payments/" + s.payment.orderID + "/reverse", nil, nil})
			return err
		}},
		{`^the shop is asked to look at the payment$`, func(ctx context.Context) error { return s.payments.wantStatus(ctx, "requires_attention") }},
		{`^the shopper is told to transfer (\d+) ([A-Z]{3}) to "([^"]*)" within (\d+) hours$`, s.wantTold},
		{`^the shopper is told the same as before$`, s.wantSame},
		{`^exactly one event tells that "([^"]*)" has to transfer (\d+) ([A-Z]{3}) to "([^"]*)"$`, s.wantEvent},
	}
}

// create opens a payment page and chooses a virtual account there; 0 days is the bank's own time.
func (s *virtualAccountSteps) create(ctx context.Context, n int, name string, days int) error {
	err := s.pages.create(ctx, n, name, func(ctx context.Context) error { return s.pages.openHosted(ctx, "CARD_KR") })
	if err != nil {
		return err
	}
	if err := s.choose(ctx, days); err != nil {
		return err
	}
	got, err := s.must(ctx, s.pages.lookupRequest(serverAPI, s.asServer()))
	s.told, _ = valueAt(got.body, "paymentSession", "instructions").(object)
	return err
}

// buy pays to a virtual account, and waits for the order.
func (s *virtualAccountSteps) buy(ctx context.Context, n int, name string) error {
	if err := s.create(ctx, n, name, 0); err != nil {
		return err
	}
	if err := s.transfer(ctx, object{}); err != nil {
		return err
	}
	if err := s.wantSuccess(); err != nil {
		return err
	}
	return eventually(ctx, func(ctx context.Context) error {
		all, err := s.orders.all(ctx)
		if err == nil && len(all) == 0 {
			err = errors.New("no order is placed")
		}
		if err == nil {
			s.orders.use(idOf(all[0]))
		}
		return err
	})
}

// choose makes the shopper choose a virtual account on the page of the current payment.
func (s *virtualAccountSteps) choose(ctx context.Context, days int) error {
	s.payment = s.payments.payment
	got, err := s.must(ctx, request{"POST", "/sandbox/authorize", object{
		"orderId": s.payment.orderID, "outcome": "virtual_account", "dueInHours": days * 24,
	}, nil})
	s.payments.payment.key = text(got.body, "paymentKey")
	return err
}

func (s *virtualAccountSteps) transfer(ctx context.Context, body object) error {
	return s.try(ctx, request{"POST", "/sandbox/payments/" + s.payment.orderID + "/deposit", body, nil})
}

func (s *virtualAccountSteps) wantTold(amount, currency, bank string, hours int) error {
	todo, _ := valueAt(s.got.body, "paymentSession", "instructions").(object)
	for name, want := range map[string]string{"amount": amount, "currency": currency, "bank": bank} {
		if err := equal("the "+name+" of the instructions", todo[name], want); err != nil {
			return err
		}
	}
	due, err := time.Parse(time.RFC3339, text(todo, "due"))
	if err != nil || text(todo, "account") == "" || text(todo, "holder") == "" {
		return fmt.Errorf("the instructions are %v", todo)
	}
	opened, err := time.Parse(time.RFC3339, text(s.got.body, "paymentSession", "createdAt")) // the shopper chose a moment later
	if late := due.Sub(opened.Add(time.Duration(hours) * time.Hour)); err != nil || late < 0 || late > time.Hour {
		err = fmt.Errorf("the payment was opened at %v, and the deposit is due at %v", opened, due)
	}
	return err
}

func (s *virtualAccountSteps) wantSame() error {
	todo, _ := valueAt(s.got.body, "paymentSession", "instructions").(object)
	if len(todo) == 0 || !maps.Equal(todo, s.told) {
		return fmt.Errorf("first it was %v, now %v", s.told, todo)
	}
	return nil
}

// wantEvent finds the events that add instructions to a payment.
func (s *virtualAccountSteps) wantEvent(ctx context.Context, email, amount, currency, bank string) error {
	var all []any
	err := eventually(ctx, func(ctx context.Context) error { // events are in the log a moment after their change
		got, err := s.must(ctx, request{"GET", "/api/events?after=0&collection=payment-sessions&limit=100", nil, s.asServer()})
		all = slices.DeleteFunc(list(got.body, "docs"), func(e any) bool {
			return text(e, "doc", "instructions", "account") == "" || text(e, "previousDoc", "instructions", "account") != ""
		})
		if err == nil && len(all) == 0 {
			err = errors.New("no event has instructions")
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(all) != 1 {
		return fmt.Errorf("%d events have new instructions", len(all))
	}
	doc, _ := valueAt(all[0], "doc").(object)
	for name, want := range map[string]string{"amount": amount, "currency": currency, "bank": bank} {
		if err := equal("the "+name+" of the event", valueAt(doc, "instructions", name), want); err != nil {
			return err
		}
	}
	return equal("the email of the event", doc["email"], email)
}
