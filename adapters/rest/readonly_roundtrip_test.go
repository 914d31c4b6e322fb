package rest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// storeOrder stores an order as a placement does, and returns its id.
func (b *harness) storeOrder(input map[string]any) (id string) {
	b.t.Helper()
	system := tenant.Principal{Kind: tenant.System, Tenant: b.shop.Tenant, Environment: tenant.Live}
	err := b.store.Atomically(b.t.Context(), ports.ForPrincipal(system), func(ctx context.Context, tx ports.Tx) error {
		r, err := records.InTransaction{Service: b.content}.Create(ctx, tx, system, order.Schema, input)
		id = r.ID()
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return id
}

// A client may send a record back as it was read, with changes of writable fields; changes of other fields
// are refused by name. An order's amounts are in its own currency, not in the tenant's.
func TestRecordRoundTripsReadOnlyFields(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		const none = collection.JSONNumber("0")
		for currency, amounts := range map[string][2]collection.JSONNumber{
			"KWD": {"1.234", "0.617"}, "JPY": {"1234", "617"}, "USD": {"12.34", "6.17"},
		} {
			id := b.storeOrder(map[string]any{
				"orderNumber": "260131-" + currency, "email": "a@shop.example", "status": "paid", "currency": currency,
				"totalAmount": amounts[0], "subtotal": amounts[0], "source": "checkout", "paymentStatus": "paid",
				"fulfillmentStatus": "none", "discountAmount": none, "shippingAmount": none, "refundedAmount": none,
				"placedAt":             "2026-01-31T09:00:00.000Z",
				"returnShippingPolicy": map[string]any{"initialShippingRefund": "never", "returnShippingFee": none},
				"lines": []any{map[string]any{
					"title": "Lamp", "quantity": collection.JSONNumber("2"), "unitPrice": amounts[1], "subtotal": amounts[0],
					"discount": none, "total": amounts[0],
					"kind": "physical", "requiresShipping": true, "fulfilledQuantity": none, "returnedQuantity": none,
				}},
			})
			at := "/api/orders/" + id
			read := b.secret(200, "GET", at, "").raw
			if !strings.Contains(read, `"totalAmount":`+string(amounts[0])+`,`) ||
				!strings.Contains(read, `"unitPrice":`+string(amounts[1])+`,`) {
				t.Fatalf("%s: %s", currency, read)
			}
			changed := b.secret(200, "PATCH", at, strings.Replace(read, `"notes":null`, `"notes":"Call first"`, 1))
			if doc := changed.doc(); doc["notes"] != "Call first" || doc["status"] != "paid" {
				t.Errorf("%s: %s", currency, changed.raw)
			}
			for field, body := range map[string]string{
				"totalAmount": `{"totalAmount":1,"notes":"x"}`, "status": `{"status":"shipped"}`, "lines": `{"lines":[]}`,
				"createdAt": `{"createdAt":"2020-01-01T00:00:00.000Z"}`, "tenant": `{"tenant":"` + string(b.other.Tenant.ID) + `"}`,
				"id": `{"id":"` + newID() + `"}`, "currency": `{"currency":"EUR"}`,
			} {
				if a := b.secret(400, "PATCH", at, body); !strings.Contains(a.raw, `{"field":"`+field+
					`","message":"This field is read-only."}`) {
					t.Errorf("%s: %s", body, a.raw)
				}
			}
			if a := b.secret(200, "GET", at, ""); !strings.Contains(changed.raw, a.raw) {
				t.Errorf("a refusal changed something: %s", a.raw)
			}
			if a := b.requestWithKey("order-"+id, "PATCH", at, `{"notes":"y"}`); a.reason() != "idempotency_key_derived" {
				t.Errorf("%d %s", a.status, a.raw)
			}
		}
		for slug, body := range map[string]string{
			"gadgets":  `{"name":"A","price":5,"size":{"width":1},"extra":{"a":1.50}}`,
			"products": `{"title":"Cup","price":5,"status":"active","stock":3}`, "brands": `{"name":"B"}`, "categories": `{"name":"C"}`,
			"customers": `{"email":"x@shop.example","addresses":[{"label":"Home","recipientName":"X"}]}`,
		} {
			at := "/api/" + slug + "/" + b.make(slug, body)
			read := b.secret(200, "GET", at, "")
			back := b.secret(200, "PATCH", at, read.raw)
			delete(back.doc(), "updatedAt")
			delete(read.body, "updatedAt")
			if len(back.doc()) != len(read.body) || back.doc()["id"] != read.body["id"] {
				t.Errorf("%s: %s\n%s", slug, read.raw, back.raw)
			}
		}
	})
}

// A new record may name its tenant, as Payload's clients do; it must be the caller's.
func TestCreateMayNameTenant(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		own, foreign := `"tenant":"`+string(b.shop.Tenant.ID)+`"`, `"tenant":"`+string(b.other.Tenant.ID)+`"`
		for slug, body := range map[string]string{
			"gadgets": `{"name":"A",%s}`, "products": `{"name":"Cup","price":5,"status":"draft",%s}`,
			"customers": `{"email":"y@shop.example",%s}`,
		} {
			if a := b.secret(201, "POST", "/api/"+slug, fmt.Sprintf(body, own)); a.doc()["tenant"] != string(b.shop.Tenant.ID) {
				t.Errorf("%s: %s", slug, a.raw)
			}
			if a := b.secret(400, "POST", "/api/"+slug, fmt.Sprintf(body, foreign)); !strings.Contains(a.raw,
				`{"field":"tenant","message":"This field is read-only."}`) {
				t.Errorf("%s: %s", slug, a.raw)
			}
		}
	})
}
