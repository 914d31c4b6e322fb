package steps

import (
	"context"
	"fmt"
	"time"
)

// guestErasureSteps erase who bought without an account.
type guestErasureSteps struct {
	*client

	orders    *orderSteps
	delivered *deliveredOrderSteps

	email   string // of the guest
	erasure string // its id
	noted   map[string]string
}

func newGuestErasureSteps(c *client, orders *orderSteps, delivered *deliveredOrderSteps) *guestErasureSteps {
	return &guestErasureSteps{client: c, orders: orders, delivered: delivered}
}

func (s *guestErasureSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop erases the guest of the order$`, s.erase},
		{`^the shop looks what it holds of the guest of the order$`, s.preview},
		{`^the order is in the way of erasing the guest$`, func() error {
			return equal("what is in the way", text(s.got.body, "blocking", 0, "record"), s.orders.id)
		}},
		{`^the guest is soon erased$`, s.wantErased},
		{`^the order names the erasure and nobody else$`, s.wantErasureNamed},
		{`^the shop notes its figures and settlements$`, func(ctx context.Context) (err error) {
			s.noted, err = s.figures(ctx)
			return err
		}},
		{`^its figures and settlements are what they were, to the last letter$`, s.wantSameFigures},
		{`^the shop notes "([^"]*)" on the payment of the order$`, s.noteOnPayment},
		{`^a delivered order of (\d+) "([^"]*)" by a guest who was erased$`, s.createErased},
		{`^what came since about the guest is (\d+) "([^"]*)"$`, s.wantCame},
		{`^what came since about the guest is soon (\d+) "([^"]*)"$`, func(ctx context.Context, n, slug string) error {
			return eventually(ctx, func(ctx context.Context) error { return s.wantCame(ctx, n, slug) })
		}},
		{`^the shop erases the guest again$`, func(ctx context.Context) error { return s.begin(ctx, s.email) }},
	}
}

// find remembers the address of who bought the order.
func (s *guestErasureSteps) find(ctx context.Context) error {
	got, err := s.must(ctx, request{"GET", "/api/orders/" + s.orders.id, nil, s.asServer()})
	s.email = text(got.body, "email")
	return err
}

func (s *guestErasureSteps) erase(ctx context.Context) error {
	if err := s.find(ctx); err != nil {
		return err
	}
	return s.begin(ctx, s.email)
}

func (s *guestErasureSteps) begin(ctx context.Context, email string) error {
	err := s.try(ctx, request{"POST", "/api/guest-erasures/begin", object{"email": email, "reason": "asked for it"}, s.asServer()})
	if id := text(s.got.body, "erasure", "id"); id != "" {
		s.erasure = id
	}
	return err
}

func (s *guestErasureSteps) createErased(ctx context.Context, n int, name string) error {
	if err := s.delivered.create(ctx, []line{{n, name}}); err != nil {
		return err
	}
	if err := s.erase(ctx); err != nil {
		return err
	}
	s.target.Advance(3 * time.Minute)
	return s.wantErased(ctx)
}

func (s *guestErasureSteps) preview(ctx context.Context) error {
	if err := s.find(ctx); err != nil {
		return err
	}
	return s.look(ctx, s.email)
}

func (s *guestErasureSteps) look(ctx context.Context, email string) error {
	return s.try(ctx, request{"POST", "/api/guest-erasures/preview", object{"email": email}, s.asServer()})
}

func (s *guestErasureSteps) wantErased(ctx context.Context) error {
	return eventually(ctx, func(ctx context.Context) error {
		got, err := s.must(ctx, request{"GET", "/api/guest-erasures/" + s.erasure, nil, s.asServer()})
		if err == nil && (text(got.body, "erasedAt") == "" || text(got.body, "erasingSince") != "") {
			err = fmt.Errorf("the guest is not erased: it %s", got)
		}
		s.email = text(got.body, "email")
		return err
	})
}

func (s *guestErasureSteps) wantErasureNamed(ctx context.Context) error {
	got, err := s.must(ctx, request{"GET", "/api/orders/" + s.orders.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	for _, path := range [][]any{
		{"customerSnapshot", "name"}, {"customerSnapshot", "email"}, {"shippingAddress", "recipientName"}, {"shippingAddress", "address1"},
	} {
		if valueAt(got.body, path...) != nil {
			return fmt.Errorf("the order has %v: it %s", path, got)
		}
	}
	return equal("the address of the order", text(got.body, "email"), "erased-"+s.erasure+"@erased.invalid")
}

// figures are what the shop's reports answer, by their address.
func (s *guestErasureSteps) figures(ctx context.Context) (map[string]string, error) {
	all := map[string]string{}
	for _, path := range []string{
		"summary", "summary?by=day", "summary?by=product", "summary?by=provider", "settlement",
	} {
		got, err := s.must(ctx, request{"GET", "/api/reports/" + path, nil, s.asServer()})
		if err != nil {
			return nil, err
		}
		all[path] = string(got.raw)
	}
	return all, nil
}

func (s *guestErasureSteps) wantSameFigures(ctx context.Context) error {
	now, err := s.figures(ctx)
	for path, was := range s.noted {
		if err == nil {
			err = equal(path, now[path], was)
		}
	}
	return err
}

func (s *guestErasureSteps) noteOnPayment(ctx context.Context, words string) error {
	got, err := s.must(ctx, request{"GET", "/api/transactions?where[order][equals]=" + s.orders.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	return s.try(ctx, request{"PATCH", "/api/transactions/" + text(got.body, "docs", 0, "id"), object{"note": words}, s.asServer()})
}

func (s *guestErasureSteps) wantCame(ctx context.Context, n, slug string) error {
	if err := s.look(ctx, s.email); err != nil {
		return err
	}
	for _, row := range list(s.got.body, "collections") {
		want := "0"
		if text(row, "collection") == slug {
			want = n
		}
		if err := equal("what came in "+text(row, "collection"), text(row, "personal"), want); err != nil {
			return err
		}
	}
	return nil
}
