package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
)

func (w *world) draftSteps() []definition {
	return []definition{
		{`^an empty draft order$`, func(ctx context.Context) error { return w.makeDraft(ctx, object{}) }},
		{`^a draft order of (\d+) "([^"]*)"( without an email| without an address)?$`, w.draftOf},
		{`^a finalized draft order of (\d+) "([^"]*)"$`, func(ctx context.Context, n, name string) error { return w.makeFinalized(ctx, n, name, "") }},
		{`^a finalized draft order of (\d+) "([^"]*)" with the code "([^"]*)"$`, w.makeFinalized},
		{`^the operator drafts 1 "([^"]*)" with a "([^"]*)" of (\d+)$`, w.draftPriced},
		{`^the operator drafts 1 "([^"]*)" in "([^"]*)"$`, w.draftIn},
		{`^the operator changes the draft to (\d+) "([^"]*)"$`, w.changeDraft},
		{`^the operator writes "([^"]*)" as the email$`, func(ctx context.Context, email string) error {
			return w.editDraft(ctx, object{"customerSnapshot": object{"email": email}})
		}},
		{`^the operator enters the code "([^"]*)"$`, func(ctx context.Context, code string) error { return w.editDraft(ctx, object{"discountCode": code}) }},
		{`^the operator asks (\d+) for delivery$`, func(ctx context.Context, fee string) error {
			return w.editDraft(ctx, object{"shippingFee": json.Number(fee)})
		}},
		{`^the operator deletes the draft$`, func(ctx context.Context) error { return w.try(ctx, request{"DELETE", w.draftAt(""), nil, w.asOwner()}) }},
		{`^the operator discards the draft$`, func(ctx context.Context) error { return w.try(ctx, w.onDraft("/discard")) }},
		{`^the operator calculates the draft$`, func(ctx context.Context) error { return w.try(ctx, w.onDraft("/calculate")) }},
		{`^the operator calculates the draft (\d+) times$`, w.calculateOften},
		{`^the operator finalizes the draft$`, w.finalizeDraft},
		{`^the operator finalizes the draft (\d+) times at once$`, w.finalizeTogether},
		{`^the operator sends the same request again$`, func(ctx context.Context) error { return w.try(ctx, w.sent) }},
		{`^"([^"]*)" is taken off the shop$`, w.takeOff},
		{`^the draft is "([^"]*)"$`, func(ctx context.Context, want string) error { return w.wantDraft(ctx, want, "status") }},
		{`^the draft still asks for (\d+) "[^"]*"$`, func(ctx context.Context, want string) error { return w.wantDraft(ctx, want, "lines", 0, "quantity") }},
		{`^the draft comes to (\d+) KRW$`, w.wantDraftTotal},
		{`^the draft comes to (\d+) less (\d+) plus (\d+) for delivery: (\d+) KRW$`, w.wantSums},
		{`^delivery is not known yet$`, func(ctx context.Context) error { return w.wantSum(ctx, "shipping", "") }},
		{`^the code of the draft is good$`, func() error { return equal("the code", dig(w.got.body, "discountCode", "valid"), "true") }},
		{`^the code of the draft is refused because "([^"]*)"$`, w.wantBadCode},
		{`^the calculation names "([^"]*)": "([^"]*)", (\d+) asked for, (\d+) to be had$`, w.wantLack},
		{`^the draft and everything in the shop is as before$`, w.wantUntouched},
		{`^there is no work and no money of the draft$`, w.wantNothing},
		{`^no payment was asked for$`, w.wantNoAsking},
		{`^the operator drafts (\d+) "([^"]*)", calculates (\d+) KRW and finalizes them over GraphQL$`, w.draftOverGraphQL},
		{`^discarding it over GraphQL is refused because "([^"]*)"$`, w.wantNoDiscardOverGraphQL},
		{`^the draft became a "([^"]*)" order of (\d+) KRW$`, w.wantDraftOrder},
		{`^the order came by hand$`, func(ctx context.Context) error { return w.wantOrder(ctx, "source", "manual") }},
		{`^exactly one order came of the draft$`, w.wantOneOfDraft},
		{`^1 of them succeeds and the others are refused because "([^"]*)"$`, w.wantOneWinner},
	}
}

func (w *world) draftAt(action string) string { return "/api/draft-orders/" + w.draft + action }

func (w *world) onDraft(action string) request {
	return request{"POST", w.draftAt(action), nil, keyed(w.asOwner())}
}

func (w *world) makeDraft(ctx context.Context, body object) error {
	made, err := w.must(ctx, request{"POST", "/api/draft-orders", body, w.asOwner()})
	w.draft, w.drafted = text(made.body, "doc", "id"), made.body["doc"]
	return err
}

func (w *world) draftLine(n, name string) ([]any, error) {
	g, err := w.good(name)
	return []any{object{"variant": g.variant, "quantity": json.Number(n)}}, err
}

func (w *world) draftOf(ctx context.Context, n, name, without string) error {
	lines, err := w.draftLine(n, name)
	if err != nil {
		return err
	}
	body := object{"lines": lines, "customerSnapshot": object{"name": "Kim Minji", "email": "kim@shopper.example"}, "shippingAddress": address()}
	switch without {
	case " without an email":
		delete(body, "customerSnapshot")
	case " without an address":
		delete(body, "shippingAddress")
	}
	return w.makeDraft(ctx, body)
}

func (w *world) makeFinalized(ctx context.Context, n, name, code string) error {
	if err := w.draftOf(ctx, n, name, ""); err != nil {
		return err
	}
	if err := w.editDraft(ctx, object{"discountCode": code}); err != nil {
		return err
	}
	if err := w.finalizeDraft(ctx); err != nil {
		return err
	}
	return w.succeeded()
}

func (w *world) draftPriced(ctx context.Context, name, what, amount string) error {
	lines, err := w.draftLine("1", name)
	if err != nil {
		return err
	}
	lines[0].(object)[what] = json.Number(amount)
	return w.try(ctx, request{"POST", "/api/draft-orders", object{"lines": lines}, w.asOwner()})
}

func (w *world) draftIn(ctx context.Context, name, currency string) error {
	lines, err := w.draftLine("1", name)
	if err != nil {
		return err
	}
	return w.try(ctx, request{"POST", "/api/draft-orders", object{"lines": lines, "currency": currency}, w.asOwner()})
}

func (w *world) changeDraft(ctx context.Context, n, name string) error {
	lines, err := w.draftLine(n, name)
	if err != nil {
		return err
	}
	return w.editDraft(ctx, object{"lines": lines})
}

func (w *world) editDraft(ctx context.Context, body object) error {
	return w.try(ctx, request{"PATCH", w.draftAt(""), body, w.asOwner()})
}

func (w *world) calculateOften(ctx context.Context, n int) error {
	for range n {
		if _, err := w.must(ctx, w.onDraft("/calculate")); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) finalizeDraft(ctx context.Context) error {
	err := w.try(ctx, w.onDraft("/finalize"))
	w.sold = text(w.got.body, "order", "id")
	return err
}

func (w *world) finalizeTogether(ctx context.Context, n int) error {
	var all []request
	for range n {
		all = append(all, w.onDraft("/finalize"))
	}
	return w.together(ctx, all)
}

func (w *world) takeOff(ctx context.Context, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	_, err = w.must(ctx, request{"PATCH", "/api/products/" + g.product, object{"status": "draft"}, w.asOwner()})
	return err
}

func (w *world) readDraft(ctx context.Context) (object, error) {
	got, err := w.must(ctx, request{"GET", w.draftAt(""), nil, w.asOwner()})
	return got.body, err
}

func (w *world) wantDraft(ctx context.Context, want string, path ...any) error {
	got, err := w.readDraft(ctx)
	if err != nil {
		return err
	}
	return equal(fmt.Sprint("the draft's ", path), dig(got, path...), want)
}

// wantDraftTotal asks for the totals, whatever was done last.
func (w *world) wantDraftTotal(ctx context.Context, want string) error {
	got, err := w.must(ctx, w.onDraft("/calculate"))
	if err != nil {
		return err
	}
	return equal("the total", got.body["total"], want)
}

func (w *world) wantSums(subtotal, discount, shipping, total string) error {
	for name, want := range map[string]string{"subtotal": subtotal, "discount": discount, "shipping": shipping, "total": total, "currency": "KRW"} {
		if err := equal("the "+name, w.got.body[name], want); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) wantSum(_ context.Context, name, want string) error {
	return equal("the "+name, w.got.body[name], want)
}

func (w *world) wantBadCode(reason string) error {
	if err := equal("the code", dig(w.got.body, "discountCode", "valid"), "false"); err != nil {
		return err
	}
	return equal("the reason", dig(w.got.body, "discountCode", "reason"), reason)
}

func (w *world) wantLack(name, reason, requested, available string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	lack := dig(w.got.body, "unavailable", 0)
	for field, want := range map[string]string{"variant": g.variant, "reason": reason, "requested": requested, "available": available} {
		if err := equal("the lack's "+field, dig(lack, field), want); err != nil {
			return err
		}
	}
	if text(w.got.body, "lines", 0, "available") != "false" || text(lack, "line") != text(w.got.body, "lines", 0, "id") {
		return fmt.Errorf("the line is %v", dig(w.got.body, "lines", 0))
	}
	return nil
}

func (w *world) wantUntouched(ctx context.Context) error {
	got, err := w.readDraft(ctx)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(got, w.drafted) {
		return fmt.Errorf("the draft is %v, it was %v", got, w.drafted)
	}
	if err := w.wantNothing(ctx); err != nil {
		return err
	}
	return w.wantNoOrder(ctx)
}

// count is how many records a collection has.
func (w *world) count(ctx context.Context, slug string) (string, error) {
	got, err := w.must(ctx, request{"GET", "/api/" + slug + "/count", nil, w.asOwner()})
	return text(got.body, "totalDocs"), err
}

func (w *world) wantNone(ctx context.Context, slugs ...string) error {
	for _, slug := range slugs {
		n, err := w.count(ctx, slug)
		if err != nil {
			return err
		}
		if n != "0" {
			return fmt.Errorf("there are %s %s", n, slug)
		}
	}
	return nil
}

func (w *world) wantNothing(ctx context.Context) error {
	return w.wantNone(ctx, "fulfillment-orders", "transactions", "payment-sessions", "checkouts")
}

func (w *world) wantNoAsking(ctx context.Context) error {
	return w.wantNone(ctx, "payment-sessions", "transactions", "checkouts")
}

func (w *world) wantDraftOrder(ctx context.Context, status, total string) error {
	if err := w.wantDraft(ctx, "finalized", "status"); err != nil {
		return err
	}
	got, err := w.readDraft(ctx)
	if err != nil {
		return err
	}
	made, err := w.must(ctx, request{"GET", "/api/orders/" + idOf(got["order"]), nil, w.asOwner()})
	if err != nil {
		return err
	}
	w.sold = text(made.body, "id")
	for field, want := range map[string]string{"status": status, "totalAmount": total, "currency": "KRW", "draftOrder": w.draft} {
		if err := equal("the order's "+field, made.body[field], want); err != nil {
			return err
		}
	}
	return equal("the draft's total", dig(got, "totals", "total"), total)
}

func (w *world) wantOneOfDraft(ctx context.Context) error {
	all, err := w.orders(ctx)
	if err != nil {
		return err
	}
	if len(all) != 1 || text(all[0], "draftOrder") != w.draft {
		return fmt.Errorf("the orders are %v", all)
	}
	return nil
}

func (w *world) wantOneWinner(reason string) error {
	won := 0
	for _, a := range w.all {
		switch {
		case a.ok():
			won++
		case a.reason() != reason:
			return fmt.Errorf("one %s", a)
		}
	}
	if won != 1 {
		return errors.New(strconv.Itoa(won) + " of them succeed")
	}
	return nil
}

// graph asks over GraphQL with the draft's id.
func (w *world) graph(ctx context.Context, document string, variables object) (answer, error) {
	variables["id"] = w.draft
	return w.must(ctx, request{"POST", "/api/graphql", object{"query": document, "variables": variables}, w.asOwner()})
}

func (w *world) draftOverGraphQL(ctx context.Context, n, name, total string) error {
	lines, err := w.draftLine(n, name)
	if err != nil {
		return err
	}
	data := object{"lines": lines, "customerSnapshot": object{"email": "kim@shopper.example"}, "shippingAddress": address()}
	made, err := w.must(ctx, request{"POST", "/api/graphql", object{
		"query": `mutation($data: mutationDraftOrderInput!) { createDraftOrder(data: $data) { id } }`, "variables": object{"data": data},
	}, w.asOwner()})
	if err != nil {
		return err
	}
	w.draft = text(made.body, "data", "createDraftOrder", "id")
	told, err := w.graph(ctx, `query($id: String!) { draftOrderCalculate(draftOrderId: $id) { total } }`, object{})
	if err != nil {
		return err
	}
	if err := equal("the total", dig(told.body, "data", "draftOrderCalculate", "total"), total); err != nil {
		return err
	}
	_, err = w.graph(ctx, `mutation($id: String!, $key: String!) { draftOrderFinalize(draftOrderId: $id, idempotencyKey: $key) { order { id } draftOrder { status } } }`, object{"key": newKey()})
	return err
}

func (w *world) wantNoDiscardOverGraphQL(ctx context.Context, reason string) error {
	got, err := w.graph(ctx, `mutation($id: String!) { draftOrderDiscard(draftOrderId: $id) { draftOrder { status } } }`, object{})
	if err != nil {
		return err
	}
	return equal("the refusal", dig(got.body, "errors", 0, "extensions", "reason"), reason)
}
