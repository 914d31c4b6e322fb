package rest_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/ledongthuc/pdf"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// soldParcel stores a paid order of two lines, the first of which is in a parcel, in an environment of a shop.
func (b *harness) soldParcel(of onboarding.PreparedTenant, env tenant.Environment, number, customer string) (orderID, parcel string) {
	b.t.Helper()
	won := func(n int64) money.Money { return money.Of(n, "KRW") }
	line := func(id, title string, price int64) order.Line {
		return order.Line{Line: sale.Line{
			ID: id, Title: title, SKU: "SKU-" + id, Kind: "physical", Quantity: 1, UnitPrice: won(price), Subtotal: won(price), Discount: won(0),
			Total: won(price), RequiresShipping: true,
		}}
	}
	o := order.Order{
		ID: newID(), Tenant: of.Tenant.ID, Environment: env, Number: number, Status: order.Paid, Source: order.FromCheckout, Customer: customer,
		Currency: "KRW", Contact: sale.Contact{Name: "홍길동"}, Address: &address.Address{PostalCode: "06236", Address1: "테헤란로 152", Country: "KR"},
		Lines: []order.Line{line("a", "Mug", 18_000), line("b", "Plate", 64_000)}, Subtotal: won(82_000), Discount: won(0), Shipping: won(3_000),
		Total: won(85_000), Paid: won(85_000), Refunded: won(0), PlacedAt: b.now(),
	}
	f := order.Fulfillment{
		ID: newID(), Tenant: of.Tenant.ID, Environment: env, Order: o.ID, State: order.FulfillmentPending,
		Tracking: order.Tracking{Carrier: order.CJ, Number: "61234567" + number}, Items: []order.Item{{OrderLine: "a", Quantity: 1}},
	}
	err := b.store.Atomically(b.t.Context(), ports.ForTenant(of.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(order.Schema, nil, o.Record(), newID(), b.now()),
			collection.NewChange(order.Fulfillments, nil, f.Record(), newID(), b.now()))
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return o.ID, f.ID
}

// printedText is what is on the pages of an answer, without spaces.
func printedText(t *testing.T, a answer) (pages []string) {
	t.Helper()
	if a.status != 200 || a.header.Get("Content-Type") != "application/pdf" || a.header.Get("X-Content-Type-Options") != "nosniff" ||
		a.header.Get("Cache-Control") != "private, no-store" || !strings.HasSuffix(a.header.Get("Content-Disposition"), `.pdf"`) {
		t.Fatalf("%d %v %.300s", a.status, a.header, a.raw)
	}
	file, err := pdf.NewReader(bytes.NewReader([]byte(a.raw)), int64(len(a.raw)))
	if err != nil {
		t.Fatal(err)
	}
	for n := range file.NumPage() {
		var page strings.Builder
		for _, letter := range file.Page(n + 1).Content().Text {
			page.WriteString(strings.Trim(letter.S, " \uFFFD"))
		}
		pages = append(pages, page.String())
	}
	return pages
}

func TestDocumentsArePrinted(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		sold, parcel := b.soldParcel(b.shop, tenant.Live, "1001", "")
		_, second := b.soldParcel(b.shop, tenant.Live, "1002", "")
		b.request("PATCH", "/api/tenants/"+string(b.shop.Tenant.ID), `{"settings":{"locale":"ko-KR"}}`, "X-API-Key", b.shop.SecretKey)
		for path, want := range map[string]string{
			"/orders/" + sold + "/invoice": "거래명세서 Mug Plate 82,000원 85,000원", "/orders/" + sold + "/invoice?locale=en": "Invoice ₩85,000 Paid",
			"/fulfillments/" + parcel + "/packing-slip":                   "포장명세서 1001 SKU-a Mug 홍길동",
			"/fulfillments/" + parcel + "/label?size=a4-labels&locale=en": "CJLogistics 612345671001",
		} {
			pages := printedText(t, b.secret(200, "GET", "/api"+path, ""))
			for part := range strings.FieldsSeq(want) {
				if len(pages) != 1 || !strings.Contains(pages[0], part) {
					t.Errorf("%s: %s is not in %q", path, part, pages)
				}
			}
		}
		if slip := printedText(t, b.secret(200, "GET", "/api/fulfillments/"+parcel+"/packing-slip", ""))[0]; strings.Contains(slip, "Plate") ||
			strings.Contains(slip, "18,000") {
			t.Errorf("it lists what is not in the parcel, or prices: %s", slip)
		}
		pages := printedText(t, b.secret(200, "GET", "/api/fulfillments/prints?document=label&ids="+second+","+parcel, ""))
		if len(pages) != 2 || !strings.Contains(pages[0], "612345671002") || !strings.Contains(pages[1], "612345671001") {
			t.Errorf("%q", pages)
		}
		if head := b.secret(200, "HEAD", "/api/orders/"+sold+"/invoice", ""); head.raw != "" || head.header.Get("Content-Length") == "0" {
			t.Errorf("%+v", head)
		}
	})
}

func TestPrintsAreRefused(t *testing.T) {
	b := newSQLiteHarness(t)
	sold, parcel := b.soldParcel(b.shop, tenant.Live, "1001", "")
	theirs, theirParcel := b.soldParcel(b.other, tenant.Live, "2001", "")
	tested, testParcel := b.soldParcel(b.shop, tenant.Test, "3001", "")
	many := strings.TrimSuffix(strings.Repeat(newID()+",", 101), ",")
	for path, want := range map[string]string{
		"/orders/" + theirs + "/invoice": "404 not_found", "/orders/" + tested + "/invoice": "404 not_found", "/orders/nothing/invoice": "404 not_found",
		"/fulfillments/" + theirParcel + "/packing-slip": "404 not_found", "/fulfillments/" + testParcel + "/label": "404 not_found",
		"/fulfillments/prints?document=label&ids=" + parcel + "," + theirParcel: "404 not_found",
		"/orders/" + sold + "/invoice?locale=de":                                "400 locale", "/orders/" + sold + "/invoice?size=a4": "400 size",
		"/fulfillments/" + parcel + "/packing-slip?size=100x150":                         "400 size",
		"/fulfillments/" + parcel + "/label?size=a5":                                     "400 size",
		"/fulfillments/prints?ids=" + parcel:                                             "400 document",
		"/fulfillments/prints?document=label":                                            "400 ids",
		"/fulfillments/prints?document=label&ids=" + many:                                "400 ids",
		"/fulfillments/prints?document=label&ids=" + parcel + "," + parcel:               "400 ids.1",
		"/fulfillments/prints?document=packingSlip&size=100x150&ids=" + parcel:           "400 size",
		"/fulfillments/prints?document=packingSlip&copies=2&ids=" + parcel:               "400 copies",
		"/fulfillments/prints?document=packingSlip&ids=" + parcel + "&ids=" + testParcel: "404 not_found",
	} {
		a := b.request("GET", "/api"+path, "", "X-API-Key", b.shop.SecretKey)
		status, word, _ := strings.Cut(want, " ")
		if a.header.Get("Content-Type") != "application/json" && !strings.HasPrefix(a.header.Get("Content-Type"), "application/json") ||
			status != map[int]string{400: "400", 404: "404"}[a.status] || !strings.Contains(a.raw, `"`+word+`"`) {
			t.Errorf("%s: %d %s, want %s", path, a.status, a.raw, want)
		}
	}
}

// Those who read orders and parcels print them; buyers print the invoices of their own orders.
func TestWhoMayPrint(t *testing.T) {
	b := newSQLiteHarness(t)
	b.customer("ann@shop.example")
	b.customer("bob@shop.example")
	ann, bob := b.loginCustomer("ann@shop.example", "correct horse").body, b.loginCustomer("bob@shop.example", "correct horse").body
	sold, parcel := b.soldParcel(b.shop, tenant.Live, "1001", ann["user"].(map[string]any)["id"].(string))
	invoice, slip := "/orders/"+sold+"/invoice", "/fulfillments/"+parcel+"/packing-slip"
	batch := "/fulfillments/prints?document=label&ids=" + parcel
	for role, want := range map[tenant.Role]int{
		tenant.Viewer: 200, tenant.Editor: 200, tenant.Packer: 200, tenant.Support: 200, tenant.Accountant: 200, tenant.Marketer: 403,
	} {
		_, as := b.colleague(b.shop, string(role), role)
		for _, path := range []string{invoice, slip, batch} {
			if a := as("GET", path, ""); a.status != want {
				t.Errorf("%s, %s: %d %.200s", role, path, a.status, a.raw)
			}
		}
	}
	as := func(who map[string]any) []string {
		return []string{"Authorization", "Bearer " + who["token"].(string), "X-Client-Key", b.shop.ClientKey}
	}
	for name, c := range map[string]struct {
		path    string
		headers []string
		want    int
	}{
		"a buyer":                     {invoice, as(ann), 200},
		"another customer":            {invoice, as(bob), 404},
		"a buyer, of a packing slip":  {slip, as(ann), 403},
		"a buyer, of labels":          {batch, as(ann), 403},
		"a visitor":                   {invoice, []string{"X-Client-Key", b.shop.ClientKey}, 403},
		"nobody":                      {slip, nil, 401},
		"another shop":                {invoice, []string{"X-API-Key", b.other.SecretKey}, 404},
		"another shop, of its labels": {batch, []string{"X-API-Key", b.other.SecretKey}, 404},
	} {
		if a := b.request("GET", "/api"+c.path, "", c.headers...); a.status != c.want {
			t.Errorf("%s: %d %.200s", name, a.status, a.raw)
		}
	}
}

func TestDocumentsHaveTheLogoOfTheShop(t *testing.T) {
	b := newSQLiteHarness(t)
	sold, parcel := b.soldParcel(b.shop, tenant.Live, "1001", "")
	var logo bytes.Buffer
	if err := png.Encode(&logo, image.NewGray(image.Rect(0, 0, 300, 100))); err != nil {
		t.Fatal(err)
	}
	file := b.upload("logo.png", logo.String())
	profile := b.secret(200, "GET", "/api/shop-profiles", "").docs()[0].(map[string]any)["id"].(string)
	if a := b.adminOf(b.shop)("PATCH", "/shop-profiles/"+profile, `{"logo":"`+file["id"].(string)+`"}`); a.status != 200 {
		t.Fatal(a.raw)
	}
	for path, want := range map[string]bool{
		"/orders/" + sold + "/invoice": true, "/fulfillments/" + parcel + "/packing-slip": true, "/fulfillments/" + parcel + "/label": false,
	} {
		if got := strings.Contains(b.secret(200, "GET", "/api"+path, "").raw, "/Subtype /Image"); got != want {
			t.Errorf("%s has a logo: %t", path, got)
		}
	}
	b.secret(200, "DELETE", "/api/media/"+file["id"].(string), "")
	if a := b.secret(200, "GET", "/api/orders/"+sold+"/invoice", ""); strings.Contains(a.raw, "/Subtype /Image") {
		t.Error("a logo that was deleted is printed")
	}
}
