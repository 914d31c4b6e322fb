package steps

import (
	"context"
	"fmt"
	"slices"
)

// wantCount counts the messages of the scenario once the last of them has come, so that a late one is not missed.
func (s *webhookMessageSteps) wantCount(ctx context.Context, want int) error {
	last, err := s.sendLast(ctx)
	if err != nil {
		return err
	}
	if err := eventually(ctx, s.wantNoneDue); err != nil {
		return err
	}
	if got := len(s.messagesBefore(last)); got != want {
		return fmt.Errorf("it received %d messages", got)
	}
	return nil
}

func (s *webhookMessageSteps) wantTestCartOnly(ctx context.Context) error {
	if err := s.wantCount(ctx, 1); err != nil {
		return err
	}
	m := s.deliveries.lastReceiver().messages()[0]
	return equal("the environment", text(m.body, "doc", "environment"), "test")
}

// sendLast makes one more record, waits until the endpoint has received it, and returns its id. Events are delivered in
// the order of their shop: everything before it has been decided then. Of another shop, the same is seen at an endpoint
// of its own.
func (s *webhookMessageSteps) sendLast(ctx context.Context) (record string, err error) {
	if s.other.TenantID != "" {
		theirs, err := startReceiver("")
		if err != nil {
			return "", err
		}
		defer theirs.close()
		other := withSecretKey(s.other.TestSecretKey)
		hook := object{"url": theirs.server.URL + "/hook", "collections": []any{"brands"}}
		if _, err := s.must(ctx, request{"POST", endpointsPath, hook, keyed(other)}); err != nil {
			return "", err
		}
		if _, err := s.sendOne(ctx, theirs, request{"POST", "/api/brands", object{"name": "The last"}, other}); err != nil {
			return "", err
		}
	}
	one := request{"POST", "/api/brands", object{"name": "The last"}, s.asServer()}
	if s.deliveries.about == "carts" {
		one = request{"POST", publicAPI + "/carts", object{}, map[string]string{"X-Client-Key": s.shop.TestClientKey}}
	}
	return s.sendOne(ctx, s.deliveries.lastReceiver(), one)
}

// sendOne makes a record and waits until l has received it.
func (s *webhookMessageSteps) sendOne(ctx context.Context, l *webhookReceiver, r request) (record string, err error) {
	made, err := s.must(ctx, r)
	if err != nil {
		return "", err
	}
	record = firstNonEmpty(text(made.body, "doc", "id"), text(made.body, "cart", "id"))
	return record, eventually(ctx, func(context.Context) error {
		if len(l.messagesAbout(record)) == 0 {
			return fmt.Errorf("it received nothing about the last record, %s", record)
		}
		return nil
	})
}

// wantNoneDue reads the delivery log: each message was tried, unless it is held back by an earlier one about its record.
func (s *webhookMessageSteps) wantNoneDue(ctx context.Context) error {
	all, err := s.deliveries.log(ctx)
	holding := map[string]bool{}
	for _, entry := range all {
		record := text(entry, "record")
		if len(list(entry, "attempts")) == 0 && !holding[record] {
			return fmt.Errorf("a message is due: %v", entry)
		}
		holding[record] = holding[record] || text(entry, "status") == "pending"
	}
	return err
}

// messagesBefore are the messages about everything but the last record.
func (s *webhookMessageSteps) messagesBefore(last string) []message {
	return slices.DeleteFunc(s.deliveries.lastReceiver().messages(), func(m message) bool { return m.record() == last })
}
