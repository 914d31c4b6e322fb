package returnrequests_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
)

// names are the names of an answer's members.
func names(s paymentbed.Answer) []string {
	var own []string
	for name := range maps.Keys(s) {
		if name != "raw" && name != "replayed" {
			own = append(own, name)
		}
	}
	slices.Sort(own)
	return own
}

func TestReturnsOverHTTP(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := paymentbed.NewWeb(b.Bed)
		id := b.DeliveredOrder("3 mug")
		line := b.OrderOf(id).Lines[0].ID
		status, view := w.Ask("GET", "/orders/"+id+"/returnable", "", "X-API-Key", "sk")
		if status != 200 || !slices.Equal(names(view), []string{
			"auditNoteRequired", "currency", "initialShippingRefundCap", "lines", "suggestedInitialShippingRefund",
		}) ||
			!strings.Contains(view.Text("raw"), `{"orderLine":"`+line+
				`","ordered":3,"returned":0,"remaining":3,"unitRefund":12000,"shippable":true}`) {
			t.Errorf("%d %v", status, view)
		}
		body := `{"order":"` + id + `","lines":[{"orderLine":"` + line +
			`","quantity":2,"restockingFee":500,"reason":" Too small "}],"returnShippingFee":2500,"initialShippingRefundAmount":1000}`
		status, preview := w.Ask("POST", "/return-requests/preview", body, "X-API-Key", "sk")
		if status != 200 || preview.Text("refundAmount") != "22000" || preview.Text("lineRefundTotal") != "24000" ||
			preview.Text("order") != id || preview.At("id") != nil {
			t.Errorf("%d %v", status, preview)
		}
		if status, got := w.Ask("POST", "/return-requests", body, "X-API-Key", "sk"); status != 400 ||
			got.Reason() != "idempotency_key_required" {
			t.Errorf("without a key: %d %v", status, got)
		}
		k := paymentbed.Key()
		status, made := w.Ask("POST", "/return-requests", body, "X-API-Key", "sk", "Idempotency-Key", k)
		if status != 201 || !slices.Equal(names(made), []string{"order", "returnRequest"}) ||
			made.Text("returnRequest.refundAmount") != "22000" || made.At("returnRequest.refundStatus") != nil ||
			strings.Contains(made.Text("raw"), "returnedAt") {
			t.Errorf("%d %v", status, made)
		}
		for _, part := range []string{`"reason":"Too small"`, `"restock":true`, `"lineRefund":24000`, `"restockingFee":500`} {
			if !strings.Contains(made.Text("raw"), part) {
				t.Errorf("%s is not in %s", part, made.Text("raw"))
			}
		}
		if status, again := w.Ask("POST", "/return-requests", body, "X-API-Key", "sk", "Idempotency-Key", k); status != 201 ||
			again.Text("raw") != made.Text("raw") || again.Text("replayed") != "true" {
			t.Errorf("a replay: %d %v", status, again)
		}
		if status, got := w.Ask("POST", "/return-requests", strings.Replace(body, "500", "501", 1), "X-API-Key", "sk", "Idempotency-Key",
			k); status != 422 ||
			got.Reason() != "idempotency_key_reused" {
			t.Errorf("another body: %d %v", status, got)
		}
		at := "/return-requests/" + made.Text("returnRequest.id")
		for _, step := range []string{"approve", "receive", "refund"} {
			if status, got := w.Ask("POST", at+"/"+step, "", "X-API-Key", "sk", "Idempotency-Key", paymentbed.Key()); status != 200 {
				t.Errorf("%s: %d %v", step, status, got)
			}
		}
		// made, approved, received, asked for the money, done
		if n := b.Get(returns.Schema, made.Text("returnRequest.id")).Sequence(); n != 5 {
			t.Errorf("%d events", n)
		}
		b.WantMoney(id, 22000, "partially_refunded")
		if status, got := w.Ask("POST", at+"/cancel", `{"reason":"late"}`, "X-API-Key", "sk"); status != 409 ||
			got.Reason() != "return_transition_invalid" {
			t.Errorf("%d %v", status, got)
		}
		if status, got := w.Ask("POST", "/return-requests/"+shops.NewID()+"/approve", "", "X-API-Key", "sk"); status != 404 {
			t.Errorf("%d %v", status, got)
		}
	})
}

// An invalid return is refused naming the field, and changes nothing.
func TestInvalidReturnsAreRefused(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := paymentbed.NewWeb(b.Bed)
		id := b.DeliveredOrder("3 mug")
		line := b.OrderOf(id).Lines[0].ID
		lines := func(more string) string {
			return `{"order":"` + id + `","lines":[{"orderLine":"` + line + `","quantity":1` + more + `}]}`
		}
		for name, c := range map[string]struct {
			body   string
			status int
			says   string
		}{
			"nothing":               {`{}`, 400, `"order"`},
			"no line":               {`{"order":"` + id + `","lines":[]}`, 400, `"lines"`},
			"lines that are a text": {`{"order":"` + id + `","lines":"all"}`, 400, `"lines"`},
			"a line without units":  {`{"order":"` + id + `","lines":[{"orderLine":"` + line + `"}]}`, 400, `"lines.0.quantity"`},
			"no unit":               {strings.Replace(lines(""), `"quantity":1`, `"quantity":0`, 1), 400, `"lines.0.quantity"`},
			"half a unit":           {strings.Replace(lines(""), `"quantity":1`, `"quantity":0.5`, 1), 400, `"lines.0.quantity"`},
			"more units than there are": {
				strings.Replace(lines(""), `"quantity":1`, `"quantity":9000000000`, 1), 422, "return_quantity_exceeded",
			},
			"a line named twice": {
				`{"order":"` + id + `","lines":[{"orderLine":"` + line + `","quantity":1},{"orderLine":"` + line + `","quantity":1}]}`, 400,
				`"lines.1.orderLine"`,
			},
			"an unknown line": {
				`{"order":"` + id + `","lines":[{"orderLine":"` + shops.NewID() + `","quantity":1}]}`, 404, "line_not_found",
			},
			"an unknown order": {
				`{"order":"` + shops.NewID() + `","lines":[{"orderLine":"` + line + `","quantity":1}]}`, 404, "not_found",
			},
			"half a won":             {lines(`,"restockingFee":0.5`), 400, `"lines.0.restockingFee"`},
			"less than no fee":       {lines(`,"restockingFee":-1`), 400, `"lines.0.restockingFee"`},
			"a fee that is a text":   {lines(`,"restockingFee":"1"`), 400, `"lines.0.restockingFee"`},
			"a fee beyond all money": {lines(`,"restockingFee":1e30`), 400, `"lines.0.restockingFee"`},
			"less than no way back": {
				strings.Replace(lines(""), `{"order"`, `{"returnShippingFee":-1,"order"`, 1), 400, `"returnShippingFee"`,
			},
			"less than no shipping": {
				strings.Replace(lines(""), `{"order"`, `{"initialShippingRefundAmount":-1,"order"`, 1), 400,
				`"initialShippingRefundAmount"`,
			},
			"an amount of the client's own": {
				strings.Replace(lines(""), `{"order"`, `{"refundAmount":1,"order"`, 1), 400, `"refundAmount"`,
			},
			"a line refund of the client's": {lines(`,"lineRefund":1`), 400, `"lines.0.lineRefund"`},
			"a reason without end": {
				lines(`,"reason":"` + strings.Repeat("김", returns.MaxNote+1) + `"`), 400, `"lines.0.reason"`,
			},
			"a zero byte in the reason":        {lines(`,"reason":"\u0000"`), 400, ""},
			"restocking that is no yes nor no": {lines(`,"restock":"yes"`), 400, `"lines.0.restock"`},
			"an order that is an object":       {strings.Replace(lines(""), `"`+id+`"`, `{"id":"`+id+`"}`, 1), 400, `"order"`},
		} {
			for _, path := range []string{"/return-requests", "/return-requests/preview"} {
				status, said := w.Ask("POST", path, c.body, "X-API-Key", "sk", "Idempotency-Key", paymentbed.Key())
				if status != c.status || !strings.Contains(said.Text("raw"), c.says) {
					t.Errorf("%s at %s: %d %.300s", name, path, status, said.Text("raw"))
				}
			}
		}
		if o := b.OrderOf(id); o.Status != order.Delivered || len(b.All(returns.Schema)) != 0 {
			t.Errorf("%s with %d returns", o.Status, len(b.All(returns.Schema)))
		}
	})
}
