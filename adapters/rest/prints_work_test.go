package rest_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// soldWork is the fulfillment order of an order of soldParcel: of its two lines, the plate is yet to be packed.
func (b *harness) soldWork(of onboarding.PreparedTenant, env tenant.Environment, number, batch string) (work, sold, parcel string) {
	b.t.Helper()
	sold, parcel = b.soldParcel(of, env, number, "")
	w := order.FulfillmentOrder{
		ID: newID(), Tenant: of.Tenant.ID, Environment: env, Order: sold, Type: order.ShippingFulfillmentOrder, Status: order.FulfillmentOrderOpen,
		Lines: []order.FulfillmentOrderLine{{OrderLine: "a", Quantity: 1}, {OrderLine: "b", Quantity: 1}}, CarrierBatch: batch,
	}
	b.writeAll(of, collection.NewChange(order.FulfillmentOrders, nil, w.Record(), newID(), b.now()))
	return w.ID, sold, parcel
}

func (b *harness) writeAll(of onboarding.PreparedTenant, changes ...collection.Change) {
	b.t.Helper()
	err := b.store.Atomically(b.t.Context(), ports.ForTenant(of.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, changes...)
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// carrierBatch stores a batch for CJ without anything in it.
func (b *harness) carrierBatch(of onboarding.PreparedTenant, env tenant.Environment, number int64) string {
	b.t.Helper()
	batch := order.CarrierBatch{ID: newID(), Tenant: of.Tenant.ID, Environment: env, Number: number, Carrier: order.CJ}
	b.writeAll(of, collection.NewChange(order.CarrierBatches, nil, batch.Record(), newID(), b.now()))
	return batch.ID
}

// changeOrder stores an order anew.
func (b *harness) changeOrder(of onboarding.PreparedTenant, id string, edit func(*order.Order)) {
	b.t.Helper()
	before, err := b.store.Read(ports.ForTenant(of.Tenant.ID)).Get(b.t.Context(), order.Schema, id)
	if err != nil {
		b.t.Fatal(err)
	}
	o := order.FromRecord(before)
	edit(&o)
	b.writeAll(of, collection.NewChange(order.Schema, before, o.Record(), newID(), b.now()))
}

func (b *harness) wantPrinted(t *testing.T, path string, pages ...string) {
	t.Helper()
	got := printedText(t, b.secret(200, "GET", "/api"+path, ""))
	if len(got) != len(pages) {
		t.Fatalf("%s: %d pages, want %d: %q", path, len(got), len(pages), got)
	}
	for i, texts := range pages {
		for text := range strings.FieldsSeq(texts) {
			if absent, is := strings.CutPrefix(text, "!"); strings.Contains(got[i], absent) == is {
				t.Errorf("%s: page %d is not as %q says: %q", path, i+1, text, got[i])
			}
		}
	}
}

// Packers pack by the slip of what is not packed yet.
func TestWhatIsToBePackedIsPrinted(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		first, sold, parcel := b.soldWork(b.shop, tenant.Live, "1001", "")
		second, held, _ := b.soldWork(b.shop, tenant.Live, "1002", "")
		b.changeOrder(b.shop, held, func(o *order.Order) { o.Hold = order.HoldDisputed })
		slip := "/fulfillment-orders/" + first + "/packing-slip"
		b.wantPrinted(t, slip, "Packingslip 1001 SKU-b Plate 홍길동 !Mug !TEST !CJ !64,000")
		b.wantPrinted(t, slip+"?locale=ko", "포장명세서 Plate")
		b.wantPrinted(t, "/fulfillment-orders/"+second+"/packing-slip", "1002 Onhold")
		both := "/fulfillments/prints?fulfillmentOrders=" + second + "," + first
		b.wantPrinted(t, both+"&document=packingSlip", "1002 Plate Onhold", "1001 Plate !Onhold")
		b.wantPrinted(t, both+"&document=label", "Parcel 1002 Units1", "Parcel 1001 !612345671001")
		b.wantPrinted(t, both+"&document=label&size=a4-labels", "1001 1002")

		b.changeOrder(b.shop, sold, func(o *order.Order) { o.CancelKey = "key" })
		if a := b.request("GET", "/api"+slip, "", "X-API-Key", b.shop.SecretKey); a.status != 409 ||
			!strings.Contains(a.raw, "nothing_to_pack") || !strings.Contains(a.raw, first) {
			t.Errorf("of an order that is being canceled: %d %s", a.status, a.raw)
		}
		if a := b.request("GET", "/api"+both+"&document=label", "", "X-API-Key", b.shop.SecretKey); a.status != 409 {
			t.Errorf("one of two has nothing to pack: %d %.200s", a.status, a.raw)
		}
		b.wantPrinted(t, "/fulfillments/"+parcel+"/packing-slip", "Mug !Plate Canceled")
	})
}

// A batch of more orders than are read at once is printed in the order of its file, without what has nothing to pack.
func TestBatchesArePrinted(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		const count = 120
		batch, empty := b.carrierBatch(b.shop, tenant.Live, 1), b.carrierBatch(b.shop, tenant.Live, 2)
		numbers := map[string]string{}
		for i := range count {
			number := strconv.Itoa(10_000 + i)
			work, sold, _ := b.soldWork(b.shop, tenant.Live, number, batch)
			if i%10 == 3 {
				b.changeOrder(b.shop, sold, func(o *order.Order) { o.Status = order.Canceled })
				continue
			}
			numbers[work] = number
		}
		b.soldWork(b.shop, tenant.Live, "20000", "")
		var want []string
		for row := range strings.Lines(b.secret(200, "GET", "/api/fulfillments/carrier-batches/"+batch+"/file", "").raw) {
			for work, number := range numbers {
				if strings.Contains(row, work) {
					want = append(want, number)
				}
			}
		}
		path := "/api/fulfillments/prints?carrierBatch=" + batch + "&document="
		for _, document := range []string{"packingSlip", "label"} {
			pages := printedText(t, b.secret(200, "GET", path+document, ""))
			if len(pages) != len(want) || len(want) != len(numbers) {
				t.Fatalf("%s: %d pages of %d, %d in the file", document, len(pages), len(numbers), len(want))
			}
			for i, page := range pages {
				if !strings.Contains(page, want[i]) || !strings.Contains(page, "CJLogistics") {
					t.Fatalf("%s: page %d is not of order %s: %s", document, i+1, want[i], page)
				}
			}
		}
		a := b.request("GET", "/api/fulfillments/prints?document=label&carrierBatch="+empty, "", "X-API-Key", b.shop.SecretKey)
		if a.status != 409 || !strings.Contains(a.raw, "nothing_to_pack") || !strings.Contains(a.raw, empty) {
			t.Errorf("a batch without anything: %d %s", a.status, a.raw)
		}
	})
}

func TestPrintsOfWorkAreRefused(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		work, _, parcel := b.soldWork(b.shop, tenant.Live, "1001", "")
		theirs, _, _ := b.soldWork(b.other, tenant.Live, "2001", "")
		tested, _, _ := b.soldWork(b.shop, tenant.Test, "3001", "")
		batch, theirBatch, testBatch := b.carrierBatch(b.shop, tenant.Live, 1), b.carrierBatch(b.other, tenant.Live, 1), b.carrierBatch(b.shop, tenant.Test, 1)
		b.soldWork(b.other, tenant.Live, "2002", theirBatch)
		many := strings.Join(slices.Repeat([]string{newID()}, 101), ",")
		const prints = "/fulfillments/prints?document=label"
		for path, want := range map[string]string{
			"/fulfillment-orders/" + theirs + "/packing-slip": "404 not_found", "/fulfillment-orders/" + tested + "/packing-slip": "404 not_found",
			"/fulfillment-orders/nothing/packing-slip":                                     "404 not_found",
			"/fulfillment-orders/" + work + "/packing-slip?size=100x150":                   "400 size",
			"/fulfillment-orders/" + work + "/packing-slip?locale=de":                      "400 locale",
			prints + "&fulfillmentOrders=" + work + "," + theirs:                           "404 not_found",
			prints + "&fulfillmentOrders=" + work + "," + tested:                           "404 not_found",
			prints + "&fulfillmentOrders=" + work + "," + parcel:                           "404 not_found",
			prints + "&ids=" + work:                                                        "404 not_found",
			prints + "&fulfillmentOrders=" + work + "," + work:                             "400 fulfillmentOrders.1",
			prints + "&fulfillmentOrders=" + many:                                          "400 fulfillmentOrders",
			prints + "&fulfillmentOrders=" + work + "&ids=" + parcel:                       "400 ids",
			prints + "&carrierBatch=" + batch + "&ids=" + parcel:                           "400 ids",
			prints + "&carrierBatch=" + batch + "&fulfillmentOrders=" + work:               "400 ids",
			prints + "&fulfillmentOrders=":                                                 "400 ids",
			prints + "&carrierBatch=" + theirBatch:                                         "404 not_found",
			prints + "&carrierBatch=" + testBatch:                                          "404 not_found",
			prints + "&carrierBatch=nothing":                                               "404 not_found",
			"/fulfillments/prints?document=packingSlip&size=100x150&carrierBatch=" + batch: "400 size",
		} {
			a := b.request("GET", "/api"+path, "", "X-API-Key", b.shop.SecretKey)
			status, word, _ := strings.Cut(want, " ")
			if fmt.Sprint(a.status) != status || !strings.Contains(a.raw, `"`+word+`"`) {
				t.Errorf("%s: %d %.300s, want %s", path, a.status, a.raw, want)
			}
		}
		slip := b.request("GET", "/api/fulfillment-orders/"+tested+"/packing-slip", "", "X-API-Key", b.shop.TestSecretKey)
		if pages := printedText(t, slip); len(pages) != 1 || !strings.Contains(pages[0], "TEST") {
			t.Errorf("in the test environment: %q", pages)
		}
	})
}

func TestWhoMayPrintWork(t *testing.T) {
	b := newSQLiteHarness(t)
	b.customer("ann@shop.example")
	batch := b.carrierBatch(b.shop, tenant.Live, 1)
	work, _, _ := b.soldWork(b.shop, tenant.Live, "1001", batch)
	paths := []string{
		"/fulfillment-orders/" + work + "/packing-slip", "/fulfillments/prints?document=label&fulfillmentOrders=" + work,
		"/fulfillments/prints?document=packingSlip&carrierBatch=" + batch,
	}
	for role, want := range map[tenant.Role]int{
		tenant.Viewer: 200, tenant.Editor: 200, tenant.Packer: 200, tenant.Support: 200, tenant.Accountant: 200, tenant.Marketer: 403,
	} {
		_, as := b.colleague(b.shop, string(role), role)
		for _, path := range paths {
			if a := as("GET", path, ""); a.status != want {
				t.Errorf("%s, %s: %d %.200s", role, path, a.status, a.raw)
			}
		}
	}
	ann := b.loginCustomer("ann@shop.example", "correct horse").body
	for name, c := range map[string]struct {
		headers []string
		want    int
	}{
		"a customer": {[]string{"Authorization", "Bearer " + ann["token"].(string), "X-Client-Key", b.shop.ClientKey}, 403},
		"a visitor":  {[]string{"X-Client-Key", b.shop.ClientKey}, 403}, "nobody": {nil, 401}, "another shop": {[]string{"X-API-Key", b.other.SecretKey}, 404},
	} {
		for _, path := range paths {
			if a := b.request("GET", "/api"+path, "", c.headers...); a.status != c.want {
				t.Errorf("%s, %s: %d %.200s", name, path, a.status, a.raw)
			}
		}
	}
}
