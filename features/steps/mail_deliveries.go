package steps

import (
	"context"
	"fmt"
)

// mailDeliverySteps are mails about the current order.
type mailDeliverySteps struct {
	*client

	members *memberSteps
	orders  *orderSteps
}

func newMailDeliverySteps(c *client, members *memberSteps, orders *orderSteps) *mailDeliverySteps {
	return &mailDeliverySteps{client: c, members: members, orders: orders}
}

func (s *mailDeliverySteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the buyer is soon mailed (\d+) "([^"]*)"$`, s.wantSoonMailed},
		{`^the shop sends no "([^"]*)" mails$`, s.switchOff},
		{`^the admin has the mail "([^"]*)" sent again$`, s.resend},
		{`^the mail "([^"]*)" is soon sent$`, func(ctx context.Context, kind string) error {
			return eventually(ctx, func(ctx context.Context) error {
				found, err := s.find(ctx, kind)
				if err != nil {
					return err
				}
				return equal("what became of it", valueAt(found, "docs", 0, "status"), "sent")
			})
		}},
	}
}

// find finds the mails of a kind to the buyer of the order.
func (s *mailDeliverySteps) find(ctx context.Context, kind string) (map[string]any, error) {
	order, err := s.must(ctx, request{"GET", "/api/orders/" + s.orders.id, nil, s.asServer()})
	if err != nil {
		return nil, err
	}
	query := "/api/mail-deliveries?where[recipient][equals]=" + text(order.body, "email") + "&where[kind][equals]=" + kind
	found, err := s.must(ctx, request{"GET", query, nil, s.asServer()})
	return found.body, err
}

func (s *mailDeliverySteps) wantSoonMailed(ctx context.Context, n, kind string) error {
	return eventually(ctx, func(ctx context.Context) error {
		found, err := s.find(ctx, kind)
		if err != nil {
			return err
		}
		return equal("how many there are", found["totalDocs"], n)
	})
}

func (s *mailDeliverySteps) switchOff(ctx context.Context, kind string) error {
	admin, err := s.members.adminOf(ctx, s.shop)
	if err != nil {
		return err
	}
	list, err := s.must(ctx, request{"GET", "/api/shop-profiles", nil, s.asServer()})
	if err != nil {
		return err
	}
	_, err = s.must(ctx, request{"PATCH", "/api/shop-profiles/" + text(list.body, "docs", 0, "id"), object{"mailsOff": []any{kind}}, admin})
	return err
}

func (s *mailDeliverySteps) resend(ctx context.Context, kind string) error {
	found, err := s.find(ctx, kind)
	if err != nil {
		return err
	}
	id := text(found, "docs", 0, "id")
	if id == "" {
		return fmt.Errorf("there is no mail %s", kind)
	}
	_, err = s.must(ctx, request{"POST", "/api/mail-deliveries/" + id + "/resend", nil, s.asServer()})
	return err
}
