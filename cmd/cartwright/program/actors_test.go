package program

import (
	"fmt"
	"slices"
	"testing"
)

// Rule events-11: money and stock say who moved them, and imports that they are some.
func TestMoneyAndStockNameTheirActor(t *testing.T) {
	t.Parallel()
	p := newRevisionFixture(t)
	paid, _ := p.paidOrder()
	placed := p.must("GET", "/events?limit=1&record="+paid, nil, p.secret)["docs"].([]any)[0].(object)["actor"].(object)
	if placed["kind"] != "secret-key" || placed["id"] == nil || placed["name"] == nil || placed["via"] != "api" {
		t.Errorf("the order was placed by %v", placed)
	}
	for _, slug := range []string{"transactions", "stock-movements"} {
		docs := p.must("GET", "/"+slug+"?where[order][equals]="+paid, nil, p.secret)["docs"].([]any)
		if len(docs) == 0 {
			t.Errorf("the order has no %s", slug)
		}
		for _, d := range docs {
			if a := d.(object)["actor"].(object); a["kind"] != placed["kind"] || a["id"] != placed["id"] || a["via"] != placed["via"] {
				t.Errorf("%s of the order are by %v", slug, a)
			}
		}
	}
	row := object{
		"orderNumber": "OLD-1", "status": "paid", "currency": "KRW", "placedAt": "2026-01-02T03:04:05Z",
		"customerSnapshot": object{"email": "kim@shop.example", "name": "Kim"},
		"shippingAddress":  object{"recipientName": "Kim", "phone": "010", "postalCode": "04524", "address1": "Road 1", "country": "KR"},
		"lines":            []any{object{"title": "Tea", "quantity": 1, "unitPrice": 1500}}, "totalAmount": 1500,
	}
	if done := p.must("POST", "/orders/import", object{"orders": []any{row}}, p.secret); fmt.Sprint(done["created"]) != "1" {
		t.Fatal(done)
	}
	imported := p.must("GET", "/orders?where[orderNumber][equals]=OLD-1", nil, p.secret)["docs"].([]any)[0].(object)["id"].(string)
	events := p.must("GET", "/events?record="+imported, nil, p.secret)["docs"].([]any)
	if !slices.ContainsFunc(events, func(e any) bool { return e.(object)["actor"].(object)["via"] == "import" }) || len(events) != 1 {
		t.Errorf("the imported order has the events %v", events)
	}
}
