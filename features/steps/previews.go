package steps

import (
	"context"
	"fmt"
	"maps"
	"strconv"
)

// previewSteps ask what would happen to the current order, or to a late payment.
type previewSteps struct {
	*client

	orders *orderSteps
	late   *latePaymentSteps

	previewed any // revision of the order in the last preview
}

func newPreviewSteps(c *client, orders *orderSteps, late *latePaymentSteps) *previewSteps {
	return &previewSteps{client: c, orders: orders, late: late}
}

func (s *previewSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop previews to cancel the order$`, func(ctx context.Context) error {
			err := s.cancel(ctx, object{"preview": true})
			s.previewed = valueAt(s.got.body, "order", "revision")
			return err
		}},
		{`^the shop cancels the order as previewed$`, func(ctx context.Context) error {
			return s.cancel(ctx, object{"expectedRevision": s.previewed})
		}},
		{`^the shop previews to mark the order as paid$`, func(ctx context.Context) error {
			return s.try(ctx, request{"POST", "/api/orders/" + s.orders.id + "/transitions", object{"to": "paid", "preview": true}, s.asServer()})
		}},
		{`^the shop previews to (place the order of|refund) the late payment$`, func(ctx context.Context, what string) error {
			r := s.late.resolveRequest(map[string]string{"place the order of": "places the order of", "refund": "refunds"}[what], s.asServer())
			r.body = object{"action": valueAt(r.body, "action"), "note": "Called the shopper.", "preview": true}
			return s.try(ctx, r)
		}},
		{`^the preview says that (\d+) KRW would be (given back|recorded|assigned)$`, s.wantMoney},
		{`^the preview says that (\d+) units? would (be back in|leave the) stock$`, s.wantStock},
		{`^the preview says that the order would be "([^"]*)"$`, s.wantStatus},
	}
}

func (s *previewSteps) cancel(ctx context.Context, more object) error {
	body := object{"reason": "The shopper changed their mind"}
	maps.Copy(body, more)
	return s.try(ctx, request{"POST", "/api/orders/" + s.orders.id + "/cancel", body, keyed(s.asServer())})
}

func (s *previewSteps) wantMoney(amount, how string) error {
	kind := map[string]string{"given back": "refund", "recorded": "record", "assigned": "assign"}[how]
	for _, m := range list(s.got.body, "outcome", "money") {
		if text(m, "type") == kind {
			return equal("the amount", text(m, "amount"), amount)
		}
	}
	return fmt.Errorf("no money would be %s: %v", how, s.got.body)
}

func (s *previewSteps) wantStock(units int, how string) error {
	if how == "leave the" {
		units = -units
	}
	return equal("the units", text(s.got.body, "outcome", "stock", 0, "quantity"), strconv.Itoa(units))
}

func (s *previewSteps) wantStatus(status string) error {
	for _, r := range list(s.got.body, "outcome", "records") {
		for _, c := range list(r, "changes") {
			if text(r, "collection") == "orders" && text(c, "field") == "status" {
				return equal("the order", text(c, "to"), status)
			}
		}
	}
	return fmt.Errorf("the order would stay as it is: %v", s.got.body)
}
