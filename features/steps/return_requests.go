package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// returnRequestSteps requests returns.
type returnRequestSteps struct {
	*client

	customers    *customerSteps
	orders       *orderSteps
	fulfillments *fulfillmentSteps

	id        string // of the return last requested
	body      object // of the return that is being prepared
	firstLine object // of body
}

func newReturnRequestSteps(c *client, customers *customerSteps, orders *orderSteps, fulfillments *fulfillmentSteps) *returnRequestSteps {
	return &returnRequestSteps{client: c, customers: customers, orders: orders, fulfillments: fulfillments}
}

func (s *returnRequestSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the operator lists what can be returned$`, func(ctx context.Context) error {
			return s.try(ctx, request{"GET", "/api/orders/" + s.orders.id + "/returnable", nil, s.asServer()})
		}},
		{`^of (\d+) "([^"]*)" (\d+) (?:was|were) returned and (\d+) remains?$`, s.wantRemaining},
		{`^returning one more "([^"]*)" would refund (\d+) KRW$`, s.wantUnitRefund},
		{`^a note is required, at most (\d+) KRW of shipping can be refunded and (\d+) KRW are suggested$`, s.wantNoteRequired},
		{`^the operator prepares a return of (\d+) "([^"]*)"$`, s.enter},
		{`^the restocking fee is (\d+) KRW$`, func(fee string) { s.firstLine["restockingFee"] = json.Number(fee) }},
		{`^(\d+) KRW of shipping are refunded and (\d+) KRW charged for return shipping$`, func(back, fee string) {
			s.body["initialShippingRefundAmount"], s.body["returnShippingFee"] = json.Number(back), json.Number(fee)
		}},
		{`^the operator adds (\d+) "([^"]*)" to the return with a restocking fee of (\d+) KRW$`, s.enterLine},
		{`^the return is requested with (\d+) KRW for return shipping$`, func(ctx context.Context, fee string) error {
			s.body["returnShippingFee"] = json.Number(fee)
			return s.submit(ctx, s.asServer())
		}},
		{`^the operator adds the note "([^"]*)"$`, func(note string) { s.body["auditNote"] = note }},
		{`^the return is requested$`, func(ctx context.Context) error { return s.submit(ctx, s.asServer()) }},
		{`^a return of (\d+) "([^"]*)" is requested$`, func(ctx context.Context, n int, name string) error {
			return s.create(ctx, n, name, "")
		}},
		{`^the operator requests a return of (\d+) "([^"]*)" with (\d+) KRW of shipping$`, s.create},
		{`^a return of (\d+) "([^"]*)" with (\d+) KRW of shipping$`, s.mustCreate},
		{`^"([^"]*)" requests a return of (\d+) "([^"]*)"$`, func(ctx context.Context, who string, n int, name string) error {
			return s.createAs(ctx, who, n, name, "")
		}},
		{`^"([^"]*)" requests a return of (\d+) "([^"]*)" with (\d+) KRW of shipping$`, s.createAs},
		{`^a return of (\d+) "([^"]*)" is requested (\d+) times at once$`, func(ctx context.Context, n int, name string, times int) error {
			return s.createConcurrently(ctx, n, name, "", times)
		}},
		{`^a return of (\d+) "([^"]*)" with (\d+) KRW of shipping is requested (\d+) times at once$`, s.createConcurrently},
		{`^the operator previews a return of (\d+) "([^"]*)"$`, s.preview},
	}
}

// orderLine is the id of the current order's line of a product.
func (s *returnRequestSteps) orderLine(ctx context.Context, name string) (string, error) {
	lines, err := s.fulfillments.orderLines(ctx)
	if err == nil && lines[name] == nil {
		err = fmt.Errorf("the order has no %q", name)
	}
	return text(lines[name], "id"), err
}

func (s *returnRequestSteps) enter(ctx context.Context, n int, name string) error {
	id, err := s.orderLine(ctx, name)
	if err != nil {
		return err
	}
	s.firstLine = object{"orderLine": id, "quantity": n}
	s.body = object{"order": s.orders.id, "lines": []any{s.firstLine}}
	return nil
}

// enterLine adds a line with its own restocking fee.
func (s *returnRequestSteps) enterLine(ctx context.Context, n int, name, fee string) error {
	id, err := s.orderLine(ctx, name)
	line := object{"orderLine": id, "quantity": n, "restockingFee": json.Number(fee)}
	s.body["lines"] = append(list(s.body, "lines"), line)
	return err
}

func (s *returnRequestSteps) createRequest(as map[string]string) request {
	return request{"POST", "/api/return-requests", s.body, keyed(as)}
}

func (s *returnRequestSteps) submit(ctx context.Context, as map[string]string) error {
	err := s.try(ctx, s.createRequest(as))
	if err == nil && s.got.ok() {
		s.id = text(s.got.body, "returnRequest", "id")
	}
	return err
}

func (s *returnRequestSteps) enterWithShipping(ctx context.Context, n int, name, shipping string) error {
	err := s.enter(ctx, n, name)
	if err == nil && shipping != "" {
		s.body["initialShippingRefundAmount"] = json.Number(shipping)
	}
	return err
}

func (s *returnRequestSteps) create(ctx context.Context, n int, name, shipping string) error {
	if err := s.enterWithShipping(ctx, n, name, shipping); err != nil {
		return err
	}
	return s.submit(ctx, s.asServer())
}

func (s *returnRequestSteps) createAs(ctx context.Context, who string, n int, name, shipping string) error {
	if err := s.enterWithShipping(ctx, n, name, shipping); err != nil {
		return err
	}
	return s.submit(ctx, s.customers.as(who))
}

func (s *returnRequestSteps) createConcurrently(ctx context.Context, n int, name, shipping string, times int) error {
	if err := s.enterWithShipping(ctx, n, name, shipping); err != nil {
		return err
	}
	var all []request
	for range times {
		all = append(all, s.createRequest(s.asServer()))
	}
	return s.sendConcurrently(ctx, all)
}

func (s *returnRequestSteps) preview(ctx context.Context, n int, name string) error {
	if err := s.enter(ctx, n, name); err != nil {
		return err
	}
	if err := s.try(ctx, request{"POST", "/api/return-requests/preview", s.body, s.asServer()}); err != nil {
		return err
	}
	return s.wantSuccess()
}

func (s *returnRequestSteps) mustCreate(ctx context.Context, n int, name, shipping string) error {
	if err := s.create(ctx, n, name, shipping); err != nil {
		return err
	}
	return s.wantSuccess()
}

func (s *returnRequestSteps) wantField(ctx context.Context, field, want string) error {
	got, err := s.must(ctx, request{"GET", "/api/return-requests/" + s.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	return equal("the return's "+field, got.body[field], want)
}

// lineState is a line of the answer that lists what can be returned.
func (s *returnRequestSteps) lineState(ctx context.Context, name string) (any, error) {
	if err := s.wantSuccess(); err != nil {
		return nil, err
	}
	id, err := s.orderLine(ctx, name)
	if err != nil {
		return nil, err
	}
	for _, l := range list(s.got.body, "lines") {
		if text(l, "orderLine") == id {
			return l, nil
		}
	}
	return nil, fmt.Errorf("it %s", s.got)
}

func (s *returnRequestSteps) wantRemaining(ctx context.Context, ordered, name, returned, remaining string) error {
	l, err := s.lineState(ctx, name)
	if err != nil {
		return err
	}
	if text(l, "ordered") != ordered || text(l, "returned") != returned || text(l, "remaining") != remaining {
		return fmt.Errorf("it reads %v", l)
	}
	return nil
}

func (s *returnRequestSteps) wantUnitRefund(ctx context.Context, name, want string) error {
	l, err := s.lineState(ctx, name)
	if err != nil {
		return err
	}
	return equal("the refund of one more", valueAt(l, "unitRefund"), want)
}

func (s *returnRequestSteps) wantNoteRequired(limit, suggested string) error {
	got := s.got.body
	return errors.Join(
		equal("requiring a note", got["auditNoteRequired"], "true"),
		equal("the cap of the shipping refund", got["initialShippingRefundCap"], limit),
		equal("the suggested shipping refund", got["suggestedInitialShippingRefund"], suggested),
	)
}

func (s *returnRequestSteps) wantOpenCount(ctx context.Context, want string) error {
	query := "limit=0&where[order][equals]=" + s.orders.id + "&where[status][in]=requested,approved,received"
	got, err := s.must(ctx, request{"GET", "/api/return-requests?" + query, nil, s.asServer()})
	if err != nil {
		return err
	}
	return equal("the number of open returns", got.body["totalDocs"], want)
}
