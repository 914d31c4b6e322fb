package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// returnView is a return as it is entered, and the last one that was asked for.
type returnView struct {
	id     string
	wish   object
	fee    object // of its first line
	amount []string
}

func (w *world) returnSteps() []definition {
	return append(w.returnRequestSteps(), w.returnCourseSteps()...)
}

// returnRequestSteps ask for returns.
func (w *world) returnRequestSteps() []definition {
	return []definition{
		{`^a shop policy that gives shipping back "([^"]*)"$`, func(ctx context.Context, how string) error {
			return w.changeDelivery(ctx, object{"initialShippingRefund": how})
		}},
		{`^a shop policy that gives shipping back "([^"]*)" and charges (\d+) KRW for the way back$`, func(ctx context.Context, how, fee string) error {
			return w.changeDelivery(ctx, object{"initialShippingRefund": how, "returnShippingFee": json.Number(fee)})
		}},
		{`^a delivered order of (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error {
			return w.makeDelivered(ctx, []wish{{n, name}})
		}},
		{`^a delivered order of (\d+) "([^"]*)" and (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string, m int, other string) error {
			return w.makeDelivered(ctx, []wish{{n, name}, {m, other}})
		}},
		{`^a delivered order of (\d+) "([^"]*)" with the code "([^"]*)"$`, func(ctx context.Context, n int, name, code string) error {
			return w.makeDelivered(ctx, []wish{{n, name}}, code)
		}},
		{`^a delivered order of "([^"]*)" with (\d+) "([^"]*)"$`, w.makeOwnDelivered},
		{`^a delivered order of (\d+) "([^"]*)" from another system, with (\d+) KRW of shipping$`, w.makeLegacy},
		{`^the operator looks at what may come back$`, func(ctx context.Context) error {
			return w.try(ctx, request{"GET", "/api/orders/" + w.sold + "/returnable", nil, w.asOwner()})
		}},
		{`^of (\d+) "([^"]*)" (\d+) (?:was|were) returned and (\d+) remains?$`, w.wantRemaining},
		{`^one more "([^"]*)" would give (\d+) KRW back$`, w.wantUnitRefund},
		{`^a note is needed, at most (\d+) KRW of shipping go back and (\d+) KRW are suggested$`, w.wantLegacyView},
		{`^the operator enters a return of (\d+) "([^"]*)"$`, w.enterReturn},
		{`^(\d+) KRW are kept for restocking$`, func(fee string) { w.returning.fee["restockingFee"] = json.Number(fee) }},
		{`^(\d+) KRW of shipping are given back and (\d+) KRW charged for the way back$`, func(back, fee string) {
			w.returning.wish["initialShippingRefundAmount"], w.returning.wish["returnShippingFee"] = json.Number(back), json.Number(fee)
		}},
		{`^the operator adds (\d+) "([^"]*)" to the return, of which (\d+) KRW are kept$`, w.enterAnother},
		{`^it is asked for, with (\d+) KRW for the way back$`, func(ctx context.Context, fee string) error {
			w.returning.wish["returnShippingFee"] = json.Number(fee)
			return w.askReturn(ctx, w.asOwner())
		}},
		{`^the operator notes "([^"]*)"$`, func(note string) { w.returning.wish["auditNote"] = note }},
		{`^the return is asked for$`, func(ctx context.Context) error { return w.askReturn(ctx, w.asOwner()) }},
		{`^a return of (\d+) "([^"]*)" is asked for$`, func(ctx context.Context, n int, name string) error { return w.askFor(ctx, n, name, "") }},
		{`^the operator asks for a return of (\d+) "([^"]*)" with (\d+) KRW of shipping$`, w.askFor},
		{`^a return of (\d+) "([^"]*)" with (\d+) KRW of shipping$`, w.makeReturn},
		{`^"([^"]*)" asks for a return of (\d+) "([^"]*)"$`, func(ctx context.Context, who string, n int, name string) error {
			return w.askAs(ctx, who, n, name, "")
		}},
		{`^"([^"]*)" asks for a return of (\d+) "([^"]*)" with (\d+) KRW of shipping$`, w.askAs},
		{`^a return of (\d+) "([^"]*)" is asked for (\d+) times at once$`, func(ctx context.Context, n int, name string, times int) error {
			return w.askTogether(ctx, n, name, "", times)
		}},
		{`^a return of (\d+) "([^"]*)" with (\d+) KRW of shipping is asked for (\d+) times at once$`, w.askTogether},
		{`^the operator previews a return of (\d+) "([^"]*)"$`, w.previewReturn},
	}
}

// returnCourseSteps are what becomes of returns, and what is to be seen of them.
func (w *world) returnCourseSteps() []definition {
	return []definition{
		{`^an approved return of (\d+) "([^"]*)"$`, w.makeApproved},
		{`^a return of (\d+) "([^"]*)" that was paid out$`, w.makePaidOut},
		{`^(\d+) returns of (\d+) "([^"]*)" are paid out one after the other$`, w.payOutMany},
		{`^the shop (approve|reject|cancel)s the return$`, func(ctx context.Context, what string) error { return w.try(ctx, w.onReturn(what)) }},
		{`^the goods of the return arrive$`, func(ctx context.Context) error {
			_, err := w.must(ctx, w.onReturn("receive"))
			return err
		}},
		{`^the shop pays the return out$`, func(ctx context.Context) error { return w.try(ctx, w.onReturn("refund")) }},
		{`^an editor pays the return out$`, w.payOutAsEditor},
		{`^the shop pays the return out (\d+) times at once$`, func(ctx context.Context, n int) error {
			var all []request
			for range n {
				all = append(all, w.onReturn("refund"))
			}
			return w.together(ctx, all)
		}},
		{`^the bank gives money back later$`, func(ctx context.Context) error { return w.order(ctx, object{"asyncRefundNext": 1}) }},
		{`^the return is refused because "([^"]*)"$`, w.refused},
		{`^the return is "([^"]*)"$`, func(ctx context.Context, want string) error { return w.wantReturn(ctx, "status", want) }},
		{`^the return gives (\d+) KRW back$`, func(ctx context.Context, want string) error {
			if err := w.succeeded(); err != nil {
				return err
			}
			return w.wantReturn(ctx, "refundAmount", want)
		}},
		{`^it would give (\d+) KRW back$`, func(want string) error { return equal("the refund", w.got.body["refundAmount"], want) }},
		{`^(\d+) KRW of shipping are suggested$`, func(want string) error {
			return equal("the suggestion", w.got.body["suggestedInitialShippingRefund"], want)
		}},
		{`^the returns gave (.*) KRW back$`, w.wantAmounts},
		{`^(\d+) returns? (?:is|are) open$`, w.wantOpen},
	}
}

func (w *world) makeDelivered(ctx context.Context, wishes []wish, codes ...string) error {
	if err := w.makeCart(ctx, "", wishes, codes...); err != nil {
		return err
	}
	if err := w.payCart(ctx); err != nil {
		return err
	}
	return w.deliverOrder(ctx)
}

// makeOwnDelivered is an order of a customer who is logged in.
func (w *world) makeOwnDelivered(ctx context.Context, owner string, n int, name string) error {
	if err := w.makeOwnCart(ctx, owner, n, name); err != nil {
		return err
	}
	made, err := w.must(ctx, request{"POST", public + "/checkouts", object{
		"cartId": w.cart.id, "email": owner + "@shopper.example", "shippingAddress": address(),
	}, keyed(w.asCustomer(owner))})
	if err != nil {
		return err
	}
	w.checkout = checkoutView{text(made.body, "checkout", "id"), text(made.body, "checkoutToken")}
	if err := w.openPayment(ctx); err != nil {
		return err
	}
	if err := w.payOpen(ctx); err != nil {
		return err
	}
	return w.deliverOrder(ctx)
}

// deliverOrder sends everything that ships in one parcel, which arrives, and completes the rest.
func (w *world) deliverOrder(ctx context.Context) error {
	got, err := w.must(ctx, request{"GET", "/api/fulfillment-orders?where[order][equals]=" + w.sold, nil, w.asOwner()})
	if err != nil {
		return err
	}
	for _, work := range list(got.body, "docs") {
		if err := w.doWork(ctx, text(work, "type")); err != nil {
			return err
		}
	}
	return w.wantOrder(ctx, "status", "delivered")
}

func (w *world) doWork(ctx context.Context, kind string) error {
	if kind == "manual" {
		if err := w.completeWork(ctx); err != nil {
			return err
		}
		return w.succeeded()
	}
	for _, step := range []func() error{
		func() error { return w.pack(ctx, kind) },
		func() error { return w.ship(ctx, "cj", "123456789012") },
		func() error { return w.onParcel(ctx, w.parcel(), "deliver", object{}) },
	} {
		if err := step(); err != nil {
			return err
		}
		if err := w.succeeded(); err != nil {
			return err
		}
	}
	return nil
}

// makeLegacy imports an order without a return policy.
func (w *world) makeLegacy(ctx context.Context, n int, name string, shipping int) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	const number, price = "legacy-1", 15000
	if _, err := w.must(ctx, request{"POST", "/api/orders/import", object{"orders": []any{object{
		"orderNumber": number, "email": "kim@shopper.example", "status": "delivered", "currency": "KRW",
		"shippingAmount": shipping, "totalAmount": n*price + shipping,
		"lines": []any{object{"variant": g.variant, "title": name, "quantity": n, "unitPrice": price}},
	}}}, w.asOwner()}); err != nil {
		return err
	}
	found, err := w.must(ctx, request{"GET", "/api/orders?where[orderNumber][equals]=" + number, nil, w.asOwner()})
	w.sold = text(found.body, "docs", 0, "id")
	return err
}

// soldLine is the id of the order's line of a product.
func (w *world) soldLine(ctx context.Context, name string) (string, error) {
	lines, err := w.orderLines(ctx)
	if err == nil && lines[name] == nil {
		err = fmt.Errorf("the order has no %q", name)
	}
	return text(lines[name], "id"), err
}

func (w *world) enterReturn(ctx context.Context, n int, name string) error {
	id, err := w.soldLine(ctx, name)
	if err != nil {
		return err
	}
	w.returning.fee = object{"orderLine": id, "quantity": n}
	w.returning.wish = object{"order": w.sold, "lines": []any{w.returning.fee}}
	return nil
}

// enterAnother adds a line with a fee of its own.
func (w *world) enterAnother(ctx context.Context, n int, name, fee string) error {
	id, err := w.soldLine(ctx, name)
	line := object{"orderLine": id, "quantity": n, "restockingFee": json.Number(fee)}
	w.returning.wish["lines"] = append(list(w.returning.wish, "lines"), line)
	return err
}

func (w *world) wanting(as map[string]string) request {
	return request{"POST", "/api/return-requests", w.returning.wish, keyed(as)}
}

func (w *world) askReturn(ctx context.Context, as map[string]string) error {
	err := w.try(ctx, w.wanting(as))
	if err == nil && w.got.ok() {
		w.returning.id = text(w.got.body, "returnRequest", "id")
	}
	return err
}

func (w *world) enterWith(ctx context.Context, n int, name, shipping string) error {
	err := w.enterReturn(ctx, n, name)
	if err == nil && shipping != "" {
		w.returning.wish["initialShippingRefundAmount"] = json.Number(shipping)
	}
	return err
}

func (w *world) askFor(ctx context.Context, n int, name, shipping string) error {
	if err := w.enterWith(ctx, n, name, shipping); err != nil {
		return err
	}
	return w.askReturn(ctx, w.asOwner())
}

func (w *world) askAs(ctx context.Context, who string, n int, name, shipping string) error {
	if err := w.enterWith(ctx, n, name, shipping); err != nil {
		return err
	}
	return w.askReturn(ctx, w.asCustomer(who))
}

func (w *world) askTogether(ctx context.Context, n int, name, shipping string, times int) error {
	if err := w.enterWith(ctx, n, name, shipping); err != nil {
		return err
	}
	var all []request
	for range times {
		all = append(all, w.wanting(w.asOwner()))
	}
	return w.together(ctx, all)
}

func (w *world) previewReturn(ctx context.Context, n int, name string) error {
	if err := w.enterReturn(ctx, n, name); err != nil {
		return err
	}
	if err := w.try(ctx, request{"POST", "/api/return-requests/preview", w.returning.wish, w.asOwner()}); err != nil {
		return err
	}
	return w.succeeded()
}

func (w *world) makeReturn(ctx context.Context, n int, name, shipping string) error {
	if err := w.askFor(ctx, n, name, shipping); err != nil {
		return err
	}
	return w.succeeded()
}

func (w *world) onReturn(what string) request {
	return request{"POST", "/api/return-requests/" + w.returning.id + "/" + what, object{}, keyed(w.asOwner())}
}

func (w *world) makeApproved(ctx context.Context, n int, name string) error {
	if err := w.makeReturn(ctx, n, name, ""); err != nil {
		return err
	}
	_, err := w.must(ctx, w.onReturn("approve"))
	return err
}

func (w *world) makePaidOut(ctx context.Context, n int, name string) error {
	if err := w.makeApproved(ctx, n, name); err != nil {
		return err
	}
	got, err := w.must(ctx, w.onReturn("refund"))
	w.returning.amount = append(w.returning.amount, text(got.body, "returnRequest", "refundAmount"))
	return err
}

func (w *world) payOutMany(ctx context.Context, times, n int, name string) error {
	for range times {
		if err := w.makePaidOut(ctx, n, name); err != nil {
			return err
		}
	}
	return nil
}

// payOutAsEditor is the try of somebody who may decide about returns, but not give money back.
func (w *world) payOutAsEditor(ctx context.Context) error {
	if err := w.makeMember(ctx, w.shop, "editor", "tenant-editor"); err != nil {
		return err
	}
	got, err := w.must(ctx, request{"POST", "/api/users/login", object{"email": w.emailOf("editor"), "password": "made up by " + w.shop.TenantID}, nil})
	if err != nil {
		return err
	}
	r := w.onReturn("refund")
	r.header = keyed(map[string]string{"Authorization": "Bearer " + text(got.body, "token"), "X-Environment": "test"})
	return w.try(ctx, r)
}

func (w *world) wantReturn(ctx context.Context, field, want string) error {
	got, err := w.must(ctx, request{"GET", "/api/return-requests/" + w.returning.id, nil, w.asOwner()})
	if err != nil {
		return err
	}
	return equal("the return's "+field, got.body[field], want)
}

// remaining is what the operator sees of a line.
func (w *world) remaining(ctx context.Context, name string) (any, error) {
	if err := w.succeeded(); err != nil {
		return nil, err
	}
	id, err := w.soldLine(ctx, name)
	if err != nil {
		return nil, err
	}
	for _, l := range list(w.got.body, "lines") {
		if text(l, "orderLine") == id {
			return l, nil
		}
	}
	return nil, fmt.Errorf("it %s", w.got)
}

func (w *world) wantRemaining(ctx context.Context, ordered, name, returned, remaining string) error {
	l, err := w.remaining(ctx, name)
	if err != nil {
		return err
	}
	if text(l, "ordered") != ordered || text(l, "returned") != returned || text(l, "remaining") != remaining {
		return fmt.Errorf("it reads %v", l)
	}
	return nil
}

func (w *world) wantUnitRefund(ctx context.Context, name, want string) error {
	l, err := w.remaining(ctx, name)
	if err != nil {
		return err
	}
	return equal("what one more gives back", dig(l, "unitRefund"), want)
}

func (w *world) wantLegacyView(limit, suggested string) error {
	got := w.got.body
	if text(got, "auditNoteRequired") != "true" || text(got, "initialShippingRefundCap") != limit || text(got, "suggestedInitialShippingRefund") != suggested {
		return fmt.Errorf("it %s", w.got)
	}
	return nil
}

func (w *world) wantAmounts(want string) error {
	if got := strings.Join(w.returning.amount, " "); got != strings.NewReplacer(",", "", " and ", " ").Replace(want) {
		return fmt.Errorf("they gave %s back", got)
	}
	return nil
}

func (w *world) wantOpen(ctx context.Context, want string) error {
	got, err := w.must(ctx, request{"GET", "/api/return-requests?limit=0&where[order][equals]=" + w.sold + "&where[status][in]=requested,approved,received", nil, w.asOwner()})
	if err != nil {
		return err
	}
	return equal("the number of open returns", got.body["totalDocs"], want)
}
