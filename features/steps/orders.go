package steps

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
)

func (w *world) orderSteps() []definition {
	return []definition{
		{`^an order of another system that is "([^"]*)"$`, w.bringOrder},
		{`^an order of another system with (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error { return w.bringGoods(ctx, n, name, "paid") }},
		{`^an order of another system with (\d+) "([^"]*)" that is "([^"]*)"$`, w.bringGoods},
		{`^"([^"]*)" has an order$`, w.bringOwn},
		{`^the shop calls the order "([^"]*)"$`, func(ctx context.Context, to string) error { return w.try(ctx, w.calling(to, "")) }},
		{`^the shop calls the order "([^"]*)", then "([^"]*)"$`, func(ctx context.Context, a, b string) error { return w.callAll(ctx, a, b) }},
		{`^the shop calls the order "([^"]*)", then "([^"]*)", then "([^"]*)"$`, func(ctx context.Context, a, b, c string) error { return w.callAll(ctx, a, b, c) }},
		{`^the shop calls the order "([^"]*)" and notes "([^"]*)"$`, func(ctx context.Context, to, note string) error { return w.try(ctx, w.calling(to, note)) }},
		{`^"([^"]*)" calls the order "([^"]*)"$`, w.callAs},
		{`^the shopper tries to call the order "([^"]*)"$`, w.callAsShopper},
		{`^(\d+) operators call the order "([^"]*)" at once$`, w.callTogether},
		{`^one of them succeeds, and the others learn that the order was "([^"]*)"$`, w.wantOneStep},
		{`^the step is refused because "([^"]*)"$`, w.refused},
		{`^the refusal says that the order was "([^"]*)"$`, func(was string) error {
			return equal("where the order was", dig(w.got.body, "errors", 0, "data", "from"), was)
		}},
		{`^the goods of the order are "([^"]*)"$`, func(ctx context.Context, want string) error { return w.wantOrder(ctx, "fulfillmentStatus", want) }},
		{`^the payment is noted as "([^"]*)"$`, w.wantPaymentNote},
		{`^the shop confirms orders after (\d+) days$`, w.setConfirmDays},
		{`^the order has no return policy$`, w.wantLegacy},
		{`^the shop imports the same order again$`, func(ctx context.Context) error { return w.try(ctx, w.imported) }},
		{`^the shop imports that number as "([^"]*)"$`, w.bringOther},
		{`^the shop imports three orders, of which the second costs 1 KRW too much$`, w.bringThree},
		{`^(\d+) orders? came in, (\d+) (?:was|were) there already, and (\d+) (?:was|were) refused$`, w.wantImported},
		{`^the refusal of the second names the total$`, w.wantWrongTotal},
		{`^the admin imports an order$`, w.bringAsAdmin},
		{`^"([^"]*)" lists (?:her|his) orders$`, func(ctx context.Context, who string) error {
			return w.try(ctx, request{"GET", "/api/orders", nil, w.asCustomer(who)})
		}},
		{`^"([^"]*)" opens the order$`, func(ctx context.Context, who string) error { return w.openOrder(ctx, who, w.sold) }},
		{`^"([^"]*)" opens the order by its number$`, func(ctx context.Context, who string) error { return w.openOrder(ctx, who, theNumber) }},
		{`^"([^"]*)" looks for the order's number$`, func(ctx context.Context, who string) error { return w.findNumber(ctx, w.asCustomer(who)) }},
		{`^a visitor looks for the order's number$`, func(ctx context.Context) error { return w.findNumber(ctx, w.asVisitor()) }},
		{`^(?:she|he) finds (\d+) orders?$`, func(n string) error { return equal("orders found", w.got.body["totalDocs"], n) }},
		{`^the answer does not say "([^"]*)"$`, w.wantUnsaid},
	}
}

// theNumber is that of every imported order: shops are new for each scenario.
const theNumber = "OLD-1"

// former is an order of the shop's former system, 18000 KRW with shipping.
func former(status string, change object) object {
	o := object{
		"orderNumber": theNumber, "status": status, "email": "kim@shopper.example", "currency": "KRW",
		"lines": []any{object{"title": "Shirt", "quantity": 1, "unitPrice": 15000}}, "shippingAmount": 3000, "totalAmount": 18000,
	}
	maps.Copy(o, change)
	return o
}

func (w *world) bringing(orders ...any) request {
	return request{"POST", "/api/orders/import", object{"orders": orders}, w.asOwner()}
}

// bring imports an order that is acceptable, and remembers it.
func (w *world) bring(ctx context.Context, o object) error {
	if err := w.try(ctx, w.bringing(o)); err != nil {
		return err
	}
	w.imported = w.sent
	if err := w.wantImported("1", "0", "0"); err != nil {
		return err
	}
	got, err := w.must(ctx, request{"GET", "/api/orders?where[orderNumber][equals]=" + theNumber, nil, w.asOwner()})
	w.sold = text(got.body, "docs", 0, "id")
	return err
}

func (w *world) bringOrder(ctx context.Context, status string) error {
	return w.bring(ctx, former(status, nil))
}

func (w *world) bringGoods(ctx context.Context, n int, name, status string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	line := object{"title": name, "variant": g.variant, "quantity": n, "unitPrice": 15000}
	return w.bring(ctx, former(status, object{"lines": []any{line}, "totalAmount": 15000*n + 3000}))
}

func (w *world) bringOwn(ctx context.Context, who string) error {
	me, err := w.must(ctx, request{"GET", "/api/customers/me", nil, w.asCustomer(who)})
	if err != nil {
		return err
	}
	return w.bring(ctx, former("paid", object{"customer": text(me.body, "customer", "id")}))
}

func (w *world) bringOther(ctx context.Context, status string) error {
	return w.try(ctx, w.bringing(former(status, nil)))
}

func (w *world) bringThree(ctx context.Context) error {
	return w.try(ctx, w.bringing(
		former("paid", object{"orderNumber": "OLD-1"}), former("paid", object{"orderNumber": "OLD-2", "totalAmount": 18001}), former("paid", object{"orderNumber": "OLD-3"}),
	))
}

func (w *world) bringAsAdmin(ctx context.Context) error {
	admin, err := w.adminOf(ctx, w.shop)
	if err != nil {
		return err
	}
	r := w.bringing(former("paid", nil))
	r.header = admin
	return w.try(ctx, r)
}

func (w *world) wantImported(created, unchanged, refused string) error {
	if err := w.succeeded(); err != nil {
		return err
	}
	if err := equal("the orders that came in", w.got.body["created"], created); err != nil {
		return fmt.Errorf("%w: %s", err, w.got)
	}
	if err := equal("the orders that were there", w.got.body["unchanged"], unchanged); err != nil {
		return err
	}
	return equal("the orders that were refused", json.Number(strconv.Itoa(len(list(w.got.body, "errors")))), refused)
}

func (w *world) wantWrongTotal() error {
	if err := equal("the place of what was refused", dig(w.got.body, "errors", 0, "index"), "1"); err != nil {
		return err
	}
	return equal("why", dig(w.got.body, "errors", 0, "message"), "totalAmount: It comes to 18000, not 18001.")
}

func (w *world) calling(to, note string) request {
	body := object{"to": to}
	if note != "" {
		body["note"] = note
	}
	return request{"POST", "/api/orders/" + w.sold + "/transitions", body, w.asOwner()}
}

func (w *world) callAll(ctx context.Context, states ...string) error {
	for _, to := range states {
		if _, err := w.must(ctx, w.calling(to, "")); err != nil {
			return err
		}
	}
	return nil
}

// stepAs is a member of the shop at the till of its test environment.
func (w *world) callAs(ctx context.Context, name, to string) error {
	got, err := w.must(ctx, request{"POST", "/api/users/login", object{"email": w.emailOf(name), "password": "made up by " + w.shop.TenantID}, nil})
	if err != nil {
		return err
	}
	r := w.calling(to, "")
	r.header = map[string]string{"Authorization": "Bearer " + text(got.body, "token"), "X-Tenant-Id": w.shop.TenantID, "X-Environment": "test"}
	return w.try(ctx, r)
}

func (w *world) callAsShopper(ctx context.Context, to string) error {
	r := w.calling(to, "")
	r.header = w.asBuyer()
	return w.try(ctx, r)
}

func (w *world) callTogether(ctx context.Context, n int, to string) error {
	all := make([]request, n)
	for i := range all {
		all[i] = w.calling(to, "")
	}
	return w.together(ctx, all)
}

func (w *world) wantOneStep(was string) error {
	done := 0
	for _, a := range w.all {
		if a.ok() {
			done++
		} else if err := equal("where the order was", dig(a.body, "errors", 0, "data", "from"), was); err != nil {
			return err
		}
	}
	if done != 1 {
		return fmt.Errorf("%d of them succeed", done)
	}
	return nil
}

func (w *world) wantPaymentNote(ctx context.Context, note string) error {
	got, err := w.must(ctx, request{"GET", "/api/transactions?where[type][equals]=payment", nil, w.asOwner()})
	if err != nil {
		return err
	}
	return equal("the payment's note", dig(got.body, "docs", 0, "note"), note)
}

func (w *world) setConfirmDays(ctx context.Context, days int) error {
	_, err := w.must(ctx, request{"PATCH", "/api/tenants/" + w.shop.TenantID, object{"settings": object{"autoConfirmDays": days}}, w.asOwner()})
	return err
}

func (w *world) wantLegacy(ctx context.Context) error {
	got, err := w.must(ctx, request{"GET", "/api/orders/" + w.sold, nil, w.asOwner()})
	if _, has := got.body["returnShippingPolicy"]; has && err == nil {
		err = errors.New("it has one")
	}
	return err
}

func (w *world) openOrder(ctx context.Context, who, id string) error {
	return w.try(ctx, request{"GET", "/api/orders/" + id, nil, w.asCustomer(who)})
}

func (w *world) findNumber(ctx context.Context, header map[string]string) error {
	return w.try(ctx, request{"GET", "/api/orders?where[orderNumber][equals]=" + theNumber, nil, header})
}

func (w *world) wantUnsaid(secret string) error {
	if err := w.succeeded(); err != nil {
		return err
	}
	if bytes.Contains(w.got.raw, []byte(secret)) {
		return fmt.Errorf("it %s", w.got)
	}
	return nil
}
