package steps

import (
	"context"
	"errors"
	"fmt"
	"net/url"
)

// mailDeliverySteps are mails about the current order.
type mailDeliverySteps struct {
	*client

	members *memberSteps
	orders  *orderSteps
	sentAt  string // of the mail before it was sent again
}

func newMailDeliverySteps(c *client, members *memberSteps, orders *orderSteps) *mailDeliverySteps {
	return &mailDeliverySteps{client: c, members: members, orders: orders}
}

func (s *mailDeliverySteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the buyer is soon mailed (\d+) "([^"]*)"$`, s.wantSoonMailed},
		{`^the buyer is soon sent (\d+) "([^"]*)" to "([^"]*)"$`, s.wantSoonSentTo},
		{`^the shop sends no "([^"]*)" mails$`, s.switchOff},
		{`^the admin has the mail "([^"]*)" sent again$`, s.resend},
		{`^the mail "([^"]*)" is soon sent$`, s.wantSoonSent},
		{`^the mail "([^"]*)" is queued$`, func(kind string) error {
			of, status := text(s.got.body, "delivery", "kind"), text(s.got.body, "delivery", "status")
			return errors.Join(equal("kind", of, kind), equal("what becomes of it", status, "queued"))
		}},
		{`^the mail "([^"]*)" is soon sent once more$`, s.wantSoonSent},
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

// wantSoonSentTo waits until so many messages of a kind were sent to a telephone.
func (s *mailDeliverySteps) wantSoonSentTo(ctx context.Context, n, kind, number string) error {
	query := url.Values{
		"where[recipientPhone][equals]": {number}, "where[kind][equals]": {kind}, "where[channel][equals]": {"message"}, "where[status][equals]": {"sent"},
	}
	return eventually(ctx, func(ctx context.Context) error {
		found, err := s.must(ctx, request{"GET", "/api/mail-deliveries?" + query.Encode(), nil, s.asServer()})
		if err != nil {
			return err
		}
		return equal("how many there are", found.body["totalDocs"], n)
	})
}

// wantSoonSent waits until the mail is sent, and later than it was before it was sent again.
func (s *mailDeliverySteps) wantSoonSent(ctx context.Context, kind string) error {
	return eventually(ctx, func(ctx context.Context) error {
		found, err := s.find(ctx, kind)
		if err != nil {
			return err
		}
		if err := equal("what became of it", valueAt(found, "docs", 0, "status"), "sent"); err != nil {
			return err
		}
		if at := text(found, "docs", 0, "sentAt"); at <= s.sentAt { // RFC 3339 in UTC: earlier is less
			return fmt.Errorf("it was sent at %s, which it was before too", at)
		}
		return nil
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
	s.sentAt = text(found, "docs", 0, "sentAt")
	return s.try(ctx, request{"POST", "/api/mail-deliveries/" + id + "/resend", nil, s.asServer()})
}
