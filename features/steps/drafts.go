package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// draftSteps edits, calculates and finalizes draft orders.
type draftSteps struct {
	*client

	catalog   *catalogSteps
	orders    *orderSteps
	checkouts *checkoutSteps

	id      string
	created any // the draft as it was created
}

func newDraftSteps(c *client, catalog *catalogSteps, orders *orderSteps, checkouts *checkoutSteps) *draftSteps {
	return &draftSteps{client: c, catalog: catalog, orders: orders, checkouts: checkouts}
}

func (s *draftSteps) definitions() []stepDefinition {
	return slices.Concat(s.termsDefinitions(), s.linkDefinitions(), []stepDefinition{
		{`^an empty draft order$`, func(ctx context.Context) error { return s.create(ctx, object{}) }},
		{`^a draft order of (\d+) "([^"]*)"( without an email| without an address)?$`, s.createOf},
		{`^a finalized draft order of (\d+) "([^"]*)"$`, func(ctx context.Context, n, name string) error {
			return s.createFinalized(ctx, n, name, "")
		}},
		{`^a finalized draft order of (\d+) "([^"]*)" with the code "([^"]*)"$`, s.createFinalized},
		{`^the operator drafts 1 "([^"]*)" with a "([^"]*)" of (\d+)$`, s.createWithLineField},
		{`^the operator drafts 1 "([^"]*)" in "([^"]*)"$`, s.createInCurrency},
		{`^the operator changes the draft to (\d+) "([^"]*)"$`, s.setLine},
		{`^the operator enters the email "([^"]*)"$`, func(ctx context.Context, email string) error {
			return s.edit(ctx, object{"customerSnapshot": object{"email": email}})
		}},
		{`^the operator enters the code "([^"]*)"$`, func(ctx context.Context, code string) error {
			return s.edit(ctx, object{"discountCode": code})
		}},
		{`^the operator sets the shipping fee to (\d+)$`, func(ctx context.Context, fee string) error {
			return s.edit(ctx, object{"shippingFee": json.Number(fee)})
		}},
		{`^the operator deletes the draft$`, func(ctx context.Context) error {
			return s.try(ctx, request{"DELETE", s.path(""), nil, s.asServer()})
		}},
		{`^the operator discards the draft$`, func(ctx context.Context) error { return s.try(ctx, s.post("/discard")) }},
		{`^the operator calculates the draft$`, func(ctx context.Context) error { return s.try(ctx, s.post("/calculate")) }},
		{`^the operator calculates the draft (\d+) times$`, s.calculateRepeatedly},
		{`^the operator finalizes the draft$`, s.finalize},
		{`^the operator finalizes the draft (\d+) times at once$`, s.finalizeConcurrently},
		{`^the draft is "([^"]*)"$`, func(ctx context.Context, want string) error { return s.wantField(ctx, want, "status") }},
		{`^the draft still holds (\d+) "([^"]*)"$`, s.wantLine},
		{`^the draft's total is (\d+) KRW$`, s.wantTotal},
		{`^the draft costs (\d+) less (\d+) discount plus (\d+) shipping, (\d+) KRW in total$`, s.wantTotals},
		{`^the cost of shipping is not known yet$`, func(ctx context.Context) error { return s.wantAmount(ctx, "shipping", "") }},
		{`^the draft's code is valid$`, func() error { return equal("the code", valueAt(s.got.body, "discountCode", "valid"), "true") }},
		{`^the draft's code is invalid because "([^"]*)"$`, s.wantCodeRejected},
		{`^the calculation reports "([^"]*)" as "([^"]*)", (\d+) requested and (\d+) available$`, s.wantShortage},
		{`^nothing has changed in the draft or in the shop$`, s.wantUnchanged},
		{`^the draft has no fulfillment orders, payments or checkouts$`, s.wantNoRecords},
		{`^no payment is opened$`, s.wantNoPayment},
		{`^a draft order of (\d+) "([^"]*)" for market "([^"]*)" with a shipping fee of ([0-9.]+)$`, s.createForMarket},
		{`^the draft became a "([^"]*)" order of ([0-9.]+) ([A-Z]{3})$`, s.wantOrder},
		{`^exactly one order is made from the draft$`, s.wantOneOrder},
	})
}

func (s *draftSteps) path(action string) string { return "/api/draft-orders/" + s.id + action }

func (s *draftSteps) post(action string) request {
	return request{"POST", s.path(action), nil, keyed(s.asServer())}
}

func (s *draftSteps) create(ctx context.Context, body object) error {
	made, err := s.must(ctx, request{"POST", "/api/draft-orders", body, s.asServer()})
	s.id, s.created = text(made.body, "doc", "id"), made.body["doc"]
	return err
}

func (s *draftSteps) lines(n, name string) ([]any, error) {
	p, err := s.catalog.product(name)
	return []any{object{"variant": p.variant, "quantity": json.Number(n)}}, err
}

func (s *draftSteps) createOf(ctx context.Context, n, name, without string) error {
	lines, err := s.lines(n, name)
	if err != nil {
		return err
	}
	body := object{
		"lines": lines, "customerSnapshot": object{"name": "Kim Minji", "email": "kim@shopper.example"}, "shippingAddress": address(),
	}
	switch without {
	case " without an email":
		delete(body, "customerSnapshot")
	case " without an address":
		delete(body, "shippingAddress")
	}
	return s.create(ctx, body)
}

func (s *draftSteps) createForMarket(ctx context.Context, n, name, market, fee string) error {
	lines, err := s.lines(n, name)
	if err != nil {
		return err
	}
	return s.create(ctx, object{
		"lines": lines, "customerSnapshot": object{"name": "Kim Minji", "email": "kim@shopper.example"}, "shippingAddress": address(),
		"market": market, "shippingFee": json.Number(fee),
	})
}

func (s *draftSteps) createFinalized(ctx context.Context, n, name, code string) error {
	if err := s.createOf(ctx, n, name, ""); err != nil {
		return err
	}
	if err := s.edit(ctx, object{"discountCode": code}); err != nil {
		return err
	}
	if err := s.finalize(ctx); err != nil {
		return err
	}
	return s.wantSuccess()
}

func (s *draftSteps) createWithLineField(ctx context.Context, name, what, amount string) error {
	lines, err := s.lines("1", name)
	if err != nil {
		return err
	}
	lines[0].(object)[what] = json.Number(amount)
	return s.try(ctx, request{"POST", "/api/draft-orders", object{"lines": lines}, s.asServer()})
}

func (s *draftSteps) createInCurrency(ctx context.Context, name, currency string) error {
	lines, err := s.lines("1", name)
	if err != nil {
		return err
	}
	return s.try(ctx, request{"POST", "/api/draft-orders", object{"lines": lines, "currency": currency}, s.asServer()})
}

func (s *draftSteps) setLine(ctx context.Context, n, name string) error {
	lines, err := s.lines(n, name)
	if err != nil {
		return err
	}
	return s.edit(ctx, object{"lines": lines})
}

func (s *draftSteps) edit(ctx context.Context, body object) error {
	return s.try(ctx, request{"PATCH", s.path(""), body, s.asServer()})
}

func (s *draftSteps) calculateRepeatedly(ctx context.Context, n int) error {
	for range n {
		if _, err := s.must(ctx, s.post("/calculate")); err != nil {
			return err
		}
	}
	return nil
}

func (s *draftSteps) finalize(ctx context.Context) error {
	err := s.try(ctx, s.post("/finalize"))
	s.orders.use(text(s.got.body, "order", "id"))
	return err
}

func (s *draftSteps) finalizeConcurrently(ctx context.Context, n int) error {
	var all []request
	for range n {
		all = append(all, s.post("/finalize"))
	}
	return s.sendConcurrently(ctx, all)
}

func (s *draftSteps) read(ctx context.Context) (object, error) {
	got, err := s.must(ctx, request{"GET", s.path(""), nil, s.asServer()})
	return got.body, err
}

func (s *draftSteps) wantField(ctx context.Context, want string, path ...any) error {
	got, err := s.read(ctx)
	if err != nil {
		return err
	}
	return equal(fmt.Sprint("the draft's ", path), valueAt(got, path...), want)
}

// wantTotal calculates the draft, whatever was done last.
func (s *draftSteps) wantTotal(ctx context.Context, want string) error {
	got, err := s.must(ctx, s.post("/calculate"))
	if err != nil {
		return err
	}
	return equal("the total", got.body["total"], want)
}

func (s *draftSteps) wantTotals(subtotal, discount, shipping, total string) error {
	for name, want := range map[string]string{
		"subtotal": subtotal, "discount": discount, "shipping": shipping, "total": total, "currency": "KRW",
	} {
		if err := equal("the "+name, s.got.body[name], want); err != nil {
			return err
		}
	}
	return nil
}

func (s *draftSteps) wantAmount(_ context.Context, name, want string) error {
	return equal("the "+name, s.got.body[name], want)
}

func (s *draftSteps) wantCodeRejected(reason string) error {
	if err := equal("the code", valueAt(s.got.body, "discountCode", "valid"), "false"); err != nil {
		return err
	}
	return equal("the reason", valueAt(s.got.body, "discountCode", "reason"), reason)
}

func (s *draftSteps) wantShortage(name, reason, requested, available string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	shortage := valueAt(s.got.body, "unavailable", 0)
	for field, want := range map[string]string{"variant": p.variant, "reason": reason, "requested": requested, "available": available} {
		if err := equal("the shortage's "+field, valueAt(shortage, field), want); err != nil {
			return err
		}
	}
	if text(s.got.body, "lines", 0, "available") != "false" || text(shortage, "line") != text(s.got.body, "lines", 0, "id") {
		return fmt.Errorf("the line is %v", valueAt(s.got.body, "lines", 0))
	}
	return nil
}

// wantLine compares the only line of the draft.
func (s *draftSteps) wantLine(ctx context.Context, quantity, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	got, err := s.read(ctx)
	if err != nil {
		return err
	}
	lines := list(got, "lines")
	if len(lines) != 1 || idOf(valueAt(lines[0], "variant")) != p.variant || text(lines[0], "quantity") != quantity {
		return fmt.Errorf("the draft holds %v", lines)
	}
	return nil
}

func (s *draftSteps) wantUnchanged(ctx context.Context) error {
	got, err := s.read(ctx)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(got, s.created) {
		return fmt.Errorf("the draft is %v, it was %v", got, s.created)
	}
	if err := s.wantNoRecords(ctx); err != nil {
		return err
	}
	return s.orders.wantNone(ctx)
}

// count is the number of records of a collection.
func (s *draftSteps) count(ctx context.Context, slug string) (string, error) {
	got, err := s.must(ctx, request{"GET", "/api/" + slug + "/count", nil, s.asServer()})
	return text(got.body, "totalDocs"), err
}

func (s *draftSteps) wantNone(ctx context.Context, slugs ...string) error {
	for _, slug := range slugs {
		n, err := s.count(ctx, slug)
		if err != nil {
			return err
		}
		if n != "0" {
			return fmt.Errorf("there are %s %s", n, slug)
		}
	}
	return nil
}

func (s *draftSteps) wantNoRecords(ctx context.Context) error {
	return s.wantNone(ctx, "fulfillment-orders", "transactions", "payment-sessions", "checkouts")
}

func (s *draftSteps) wantNoPayment(ctx context.Context) error {
	return s.wantNone(ctx, "payment-sessions", "transactions", "checkouts")
}

func (s *draftSteps) wantOrder(ctx context.Context, status, total, currency string) error {
	if err := s.wantField(ctx, "finalized", "status"); err != nil {
		return err
	}
	got, err := s.read(ctx)
	if err != nil {
		return err
	}
	made, err := s.must(ctx, request{"GET", "/api/orders/" + idOf(got["order"]), nil, s.asServer()})
	if err != nil {
		return err
	}
	s.orders.use(text(made.body, "id"))
	for field, want := range map[string]string{"status": status, "totalAmount": total, "currency": currency, "draftOrder": s.id} {
		if err := equal("the order's "+field, made.body[field], want); err != nil {
			return err
		}
	}
	return equal("the draft's total", valueAt(got, "totals", "total"), total)
}

func (s *draftSteps) wantOneOrder(ctx context.Context) error {
	all, err := s.orders.all(ctx)
	if err != nil {
		return err
	}
	if len(all) != 1 || text(all[0], "draftOrder") != s.id {
		return fmt.Errorf("the orders are %v", all)
	}
	return nil
}
