package steps

import (
	"context"
	"fmt"
)

// erasureSteps erases customers.
type erasureSteps struct {
	*client

	customers *customerSteps
	orders    *orderSteps
	imports   *orderImportSteps
	ids       map[string]string // of customers by name
}

func newErasureSteps(c *client, customers *customerSteps, orders *orderSteps, imports *orderImportSteps) *erasureSteps {
	return &erasureSteps{client: c, customers: customers, orders: orders, imports: imports, ids: map[string]string{}}
}

func (s *erasureSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop erases "([^"]*)"$`, s.erase},
		{`^"([^"]*)" is soon erased$`, s.wantErased},
		{`^the order names nobody$`, s.wantNobody},
		{`^"([^"]*)" asks to be erased$`, func(ctx context.Context, who string) error {
			return s.try(ctx, request{"POST", "/api/customers/request-erasure", object{"password": password}, s.customers.as(who)})
		}},
		{`^only "([^"]*)" asks the shop to be erased$`, func(ctx context.Context, who string) error {
			id, err := s.idOf(ctx, who)
			if err != nil {
				return err
			}
			return s.wantAsking(ctx, id)
		}},
		{`^the shop declines to erase "([^"]*)" because "([^"]*)"$`, func(ctx context.Context, who, why string) error {
			id, err := s.idOf(ctx, who)
			if err != nil {
				return err
			}
			return s.try(ctx, request{"POST", "/api/customers/" + id + "/decline-erasure", object{"reason": why}, s.asServer()})
		}},
		{`^nobody asks the shop to be erased$`, func(ctx context.Context) error { return s.wantAsking(ctx, "") }},
		{`^"([^"]*)" is told "([^"]*)"$`, func(ctx context.Context, who, why string) error {
			me, err := s.must(ctx, request{"GET", "/api/customers/me", nil, s.customers.as(who)})
			if told := text(me.body, "customer", "erasureDeclineReason"); err == nil && told != why {
				err = fmt.Errorf("%s is told %q: it %s", who, told, me)
			}
			return err
		}},
		{`^"([^"]*)" is still logged in$`, func(ctx context.Context, who string) error {
			_, err := s.idOf(ctx, who)
			return err
		}},
		{`^the order is in the way of erasing "([^"]*)"$`, s.wantInTheWay},
		{`^the shop imports an order of "([^"]*)"$`, func(ctx context.Context, who string) error {
			return s.try(ctx, s.imports.request(importedOrder("delivered", object{"customer": s.ids[who]})))
		}},
	}
}

// idOf is the id of a customer who is logged in.
func (s *erasureSteps) idOf(ctx context.Context, who string) (string, error) {
	me, err := s.must(ctx, request{"GET", "/api/customers/me", nil, s.customers.as(who)})
	id := text(me.body, "customer", "id")
	if err == nil && id == "" {
		err = fmt.Errorf("%s is not logged in: it %s", who, me)
	}
	return id, err
}

// wantAsking checks who asks to be erased, and that nobody else does.
func (s *erasureSteps) wantAsking(ctx context.Context, id string) error {
	got, err := s.must(ctx, request{"GET", "/api/customers?where[erasureRequestedAt][exists]=true", nil, s.asServer()})
	if err != nil {
		return err
	}
	if n := len(list(got.body, "docs")); n > 1 {
		return fmt.Errorf("%d customers ask to be erased", n)
	}
	return equal("who asks to be erased", text(got.body, "docs", 0, "id"), id)
}

func (s *erasureSteps) erase(ctx context.Context, who string) (err error) {
	if s.ids[who], err = s.idOf(ctx, who); err != nil {
		return err
	}
	return s.try(ctx, request{"POST", "/api/customers/" + s.ids[who] + "/erase", object{"reason": "asked for it"}, s.asServer()})
}

func (s *erasureSteps) wantErased(ctx context.Context, who string) error {
	return eventually(ctx, func(ctx context.Context) error {
		got, err := s.must(ctx, request{"GET", "/api/customers/" + s.ids[who], nil, s.asServer()})
		if err == nil && (text(got.body, "erasedAt") == "" || text(got.body, "email") != "erased-"+s.ids[who]+"@erased.invalid") {
			err = fmt.Errorf("%s is not erased: it %s", who, got)
		}
		return err
	})
}

func (s *erasureSteps) wantNobody(ctx context.Context) error {
	got, err := s.must(ctx, request{"GET", "/api/orders/" + s.orders.id, nil, s.asServer()})
	for _, path := range [][]any{
		{"email"}, {"customerSnapshot", "name"}, {"customerSnapshot", "email"}, {"shippingAddress", "recipientName"}, {"shippingAddress", "address1"},
	} {
		if err == nil && valueAt(got.body, path...) != nil {
			err = fmt.Errorf("the order has %v: it %s", path, got)
		}
	}
	return err
}

func (s *erasureSteps) wantInTheWay(ctx context.Context, who string) error {
	got, err := s.must(ctx, request{"GET", "/api/customers/" + s.ids[who] + "/erasure", nil, s.asServer()})
	if err != nil {
		return err
	}
	return equal("what is in the way", text(got.body, "blocking", 0, "record"), s.orders.id)
}
