package rest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const carrierFile = "/api/fulfillments/carrier-file"

// toBeSent stores a paid order with one line that ships, in live, and returns its fulfillment order.
func (b *harness) paidOrder(of string) string {
	b.t.Helper()
	zero := money.Of(0, "KRW")
	line := sale.Line{
		Title: "=Mug", Quantity: 2, RequiresShipping: true, Kind: "physical", UnitPrice: zero, Subtotal: zero, Discount: zero, Total: zero,
	}
	o, work := order.Place(checkout.Checkout{
		Tenant: tenant.ID(of), Environment: tenant.Live, Currency: "KRW", Lines: []sale.Line{line},
		Totals: sale.Totals{Subtotal: zero, Discount: zero, Total: zero}, Address: &address.Address{RecipientName: "홍길동", PostalCode: "06000"},
	}, newID(), b.now(), newID)
	err := b.store.Atomically(b.t.Context(), ports.ForTenant(tenant.ID(of)), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(order.Schema, nil, o.Record(), newID(), b.now()),
			collection.NewChange(order.FulfillmentOrders, nil, work[0].Record(), newID(), b.now()))
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return work[0].ID
}

func TestCarrierFileExport(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	mine := b.paidOrder(string(b.shop.Tenant.ID))
	b.paidOrder(string(b.other.Tenant.ID))
	got := b.secret(200, "GET", carrierFile+"?carrier=%ED%95%9C%EC%A7%84%ED%83%9D%EB%B0%B0", "")
	lines := strings.Split(strings.TrimPrefix(got.raw, "\uFEFF"), "\r\n")
	if len(lines) != 3 || !strings.Contains(lines[1], ","+mine+",홍길동,,06000,,,'=Mug x2,2,,hanjin,") ||
		!strings.HasPrefix(got.raw, "\uFEFForderNumber,fulfillmentOrder,") {
		t.Errorf("%q", got.raw)
	}
	for name, want := range map[string]string{
		"Content-Type": "text/csv; charset=utf-8", "Content-Disposition": `attachment; filename="carrier-file-`,
		"X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-store",
	} {
		if !strings.HasPrefix(got.header.Get(name), want) {
			t.Errorf("%s: %s", name, got.header.Get(name))
		}
	}
	if head := b.secret(200, "HEAD", carrierFile, ""); head.raw != "" || head.header.Get("Content-Length") == "0" {
		t.Errorf("%+v", head)
	}
	book := b.secret(200, "GET", carrierFile+"?format=xlsx&from=2020-01-01&to=2100-01-01", "")
	if !strings.HasPrefix(book.raw, "PK\x03\x04") || !strings.Contains(book.header.Get("Content-Disposition"), ".xlsx") {
		t.Errorf("%.40q %v", book.raw, book.header)
	}
	for query, field := range map[string]string{
		"?format=pdf": "format", "?from=yesterday": "from", "?carrier=nobody": "carrier", "?until=2026-01-01": "until",
	} {
		if a := b.secret(400, "GET", carrierFile+query, ""); a.reason() != "validation_failed" ||
			!strings.Contains(a.raw, `"field":"`+field+`"`) {
			t.Errorf("%s: %s", query, a.raw)
		}
	}
	if a := b.request("GET", carrierFile, "", "X-Client-Key", b.shop.ClientKey); a.status != 403 {
		t.Errorf("a storefront: %d", a.status)
	}
	if a := b.request("GET", carrierFile, ""); a.status != 401 {
		t.Errorf("nobody: %d", a.status)
	}
	if a := b.secret(405, "PUT", carrierFile, "{}"); a.code() != "METHOD_NOT_ALLOWED" {
		t.Error(a.raw)
	}
}

func TestCarrierFileImport(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	mine, theirs := b.paidOrder(string(b.shop.Tenant.ID)), b.paidOrder(string(b.other.Tenant.ID))
	file := entry{
		"file", "numbers.csv", "fulfillmentOrder,carrier,trackingNumber\n" + mine + ",KGB,12345678901\n" + theirs + ",cj,123456789012\n",
	}
	key := []string{"Idempotency-Key", "0123456789abcdef"}
	dry := b.sendForm("POST", carrierFile, []entry{{"dryRun", "", "true"}, file}, key...)
	if dry.status != 200 || fmt.Sprint(dry.body["applied"], dry.body["dryRun"], len(dry.body["rows"].([]any))) != "1 true 2" {
		t.Fatal(dry.status, dry.raw)
	}
	first := b.sendForm("POST", carrierFile, []entry{file}, key...)
	if first.status != 200 ||
		fmt.Sprint(first.body["applied"], first.body["unchanged"], len(first.body["errors"].([]any)), len(first.body["warnings"].([]any))) != "1 0 1 0" {
		t.Fatal(first.status, first.raw)
	}
	if again := b.sendForm("POST", carrierFile, []entry{file}, key...); again.raw != first.raw ||
		again.header.Get("Idempotency-Replayed") != "true" {
		t.Error(again.raw)
	}
	if again := b.sendForm("POST", carrierFile, []entry{file}); again.body["unchanged"] != 1.0 || again.body["applied"] != 0.0 {
		t.Error(again.raw)
	}
	for name, c := range map[string]struct {
		entries []entry
		status  int
		reason  string
	}{
		"no file":           {[]entry{{"alt", "", "x"}}, 400, "validation_failed"},
		"nothing chosen":    {[]entry{{"file", "", "text"}}, 400, "file_missing"},
		"two files":         {[]entry{file, file}, 400, "form_malformed"},
		"an empty file":     {[]entry{{"file", "a.csv", ""}}, 400, "sheet_unreadable"},
		"a picture":         {[]entry{{"file", "a.csv", pngImage(t, 1, 1)}}, 400, "sheet_unreadable"},
		"no tracking":       {[]entry{{"file", "a.csv", "carrier,orderNumber\n"}}, 400, "carrier_file_column"},
		"more than may be":  {[]entry{{"file", "a.csv", strings.Repeat("a,b\n", 7<<20)}}, 413, "sheet_too_large"},
		"something besides": {[]entry{file, {"carrier", "", "cj"}}, 400, "validation_failed"},
		"neither":           {[]entry{file, {"dryRun", "", "maybe"}}, 400, "validation_failed"},
	} {
		if a := b.sendForm("POST", carrierFile, c.entries); a.status != c.status || a.reason() != c.reason {
			t.Errorf("%s: %d %.300s", name, a.status, a.raw)
		}
	}
	if a := b.secret(415, "POST", carrierFile, `{"file": "x"}`); a.reason() != "media_type_unsupported" && a.code() != "BAD_USER_INPUT" {
		t.Error(a.raw)
	}
	kind, body := form(t, file)
	if a := b.request("POST", carrierFile, body, "Content-Type", kind, "X-Client-Key", b.shop.ClientKey); a.status != 403 {
		t.Errorf("a storefront: %d", a.status)
	}
}

func TestCarrierFileImportOverGraphQL(t *testing.T) {
	t.Parallel()
	b := newSQLiteHarness(t)
	work := b.paidOrder(string(b.shop.Tenant.ID))
	const document = `{"query": "mutation($f: Upload!) { carrierFileImport(file: $f) { applied unchanged errors { row message } warnings { row } } }", "variables": {"f": null}}`
	entries := func(content string) []entry {
		return []entry{{"operations", "", document}, {"map", "", `{"0": ["variables.f"]}`}, {"0", "numbers.csv", content}}
	}
	file := "fulfillmentOrder,carrier,trackingNumber\n" + work + ",KGB,12345678901\n" + newID() + ",cj,123456789012\n"
	dry := strings.Replace(document, "file: $f)", "file: $f, dryRun: true)", 1)
	tried := b.sendForm("POST", "/api/graphql", append([]entry{{"operations", "", dry}}, entries(file)[1:]...))
	if answer, _ := tried.body["data"].(map[string]any)["carrierFileImport"].(map[string]any); answer["applied"] != 1.0 {
		t.Fatal(tried.raw)
	}
	got := b.sendForm("POST", "/api/graphql", entries(file))
	report, _ := got.body["data"].(map[string]any)["carrierFileImport"].(map[string]any)
	if got.status != 200 || report["applied"] != 1.0 || report["unchanged"] != 0.0 ||
		fmt.Sprint(report["errors"].([]any)[0].(map[string]any)["row"]) != "3" {
		t.Fatal(got.raw)
	}
	if again := b.sendForm("POST", carrierFile, []entry{{"file", "a.csv", file}}); again.body["unchanged"] != 1.0 {
		t.Error(again.raw)
	}
	if a := b.sendForm("POST", "/api/graphql", entries("nothing")); a.reason() != "carrier_file_column" {
		t.Error(a.raw)
	}
}
