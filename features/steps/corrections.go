package steps

import (
	"context"
	"maps"
	"strconv"
)

// correctionSteps take back a part of the current order, and correct it.
type correctionSteps struct {
	*client

	orders *orderSteps

	previewed any // revision of the order in the last preview
}

func newCorrectionSteps(c *client, orders *orderSteps) *correctionSteps {
	return &correctionSteps{client: c, orders: orders}
}

func (s *correctionSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop cancels (\d+) units? of the order$`, func(ctx context.Context, n int) error { return s.cancelUnits(ctx, n, object{}) }},
		{`^the shop previews to cancel (\d+) units? of the order$`, s.previewCancel},
		{`^the shop cancels (\d+) units? of the order as previewed$`, func(ctx context.Context, n int) error {
			return s.cancelUnits(ctx, n, object{"expectedRevision": s.previewed})
		}},
		{`^the preview says that (\d+) KRW would be given back of the units$`, func(want string) error {
			return equal("the refund", text(s.got.body, "cancellation", "refundAmount"), want)
		}},
		{`^the shop refunds (\d+) KRW of the order$`, s.refund},
		{`^the order comes to (\d+) KRW less$`, func(ctx context.Context, want string) error {
			return s.orders.wantField(ctx, "canceledAmount", want)
		}},
		{`^the shop corrects the order's address to "([^"]*)" and its email to "([^"]*)"$`, s.correct},
		{`^the shop previews to correct the order's address to "([^"]*)"$`, func(ctx context.Context, street string) error {
			err := s.correctAs(ctx, object{"shippingAddress": object{"address1": street}, "preview": true})
			s.previewed = valueAt(s.got.body, "order", "revision")
			return err
		}},
		{`^the shop corrects the order's address to "([^"]*)" as previewed$`, func(ctx context.Context, street string) error {
			return s.correctAs(ctx, object{"shippingAddress": object{"address1": street}, "expectedRevision": s.previewed})
		}},
		{`^the preview says that the order would go to "([^"]*)"$`, func(want string) error {
			return equal("the address", text(s.got.body, "correction", "shippingAddress", "address1"), want)
		}},
		{`^the shop says that the order was shipped$`, s.ship},
		{`^the order goes to "([^"]*)"$`, func(ctx context.Context, want string) error {
			return s.wantNested(ctx, want, "shippingAddress", "address1")
		}},
		{`^the order's buyer is "([^"]*)"$`, func(ctx context.Context, want string) error {
			return s.wantNested(ctx, want, "customerSnapshot", "email")
		}},
	}
}

// cancelUnits cancels units of the first line; more goes along with the request.
func (s *correctionSteps) cancelUnits(ctx context.Context, n int, more object) error {
	o, err := s.must(ctx, request{"GET", "/api/orders/" + s.orders.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	body := object{"lines": []any{object{"orderLine": text(o.body, "lines", 0, "id"), "quantity": n}}, "reason": "Sold out"}
	maps.Copy(body, more)
	return s.try(ctx, request{"POST", "/api/orders/" + s.orders.id + "/cancel-lines", body, keyed(s.asServer())})
}

func (s *correctionSteps) previewCancel(ctx context.Context, n int) error {
	err := s.cancelUnits(ctx, n, object{"preview": true})
	s.previewed = valueAt(s.got.body, "order", "revision")
	return err
}

func (s *correctionSteps) refund(ctx context.Context, amount string) error {
	won, err := strconv.Atoi(amount)
	if err != nil {
		return err
	}
	return s.try(ctx, request{"POST", "/api/orders/" + s.orders.id + "/refund", object{
		"amount": object{"amount": won, "currency": "KRW"}, "reason": "It came late",
	}, keyed(s.asServer())})
}

func (s *correctionSteps) correctAs(ctx context.Context, body object) error {
	return s.try(ctx, request{"POST", "/api/orders/" + s.orders.id + "/correct", body, s.asServer()})
}

func (s *correctionSteps) correct(ctx context.Context, street, email string) error {
	return s.try(ctx, request{"PATCH", "/api/orders/" + s.orders.id, object{
		"email": email, "shippingAddress": object{"address1": street},
	}, s.asServer()})
}

func (s *correctionSteps) ship(ctx context.Context) error {
	for _, to := range []string{"preparing", "shipped"} {
		r := request{"POST", "/api/orders/" + s.orders.id + "/transitions", object{"to": to}, s.asServer()}
		if _, err := s.must(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

func (s *correctionSteps) wantNested(ctx context.Context, want string, path ...any) error {
	o, err := s.must(ctx, request{"GET", "/api/orders/" + s.orders.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	return equal("the order's", text(o.body, path...), want)
}
