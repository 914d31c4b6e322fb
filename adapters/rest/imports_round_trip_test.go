package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/intake"
)

// exported is the file of an export.
func (b *harness) exported(kind, format, locale string) string {
	b.t.Helper()
	a := b.secret(201, "POST", "/api/exports", fmt.Sprintf(`{"kind":%q,"format":%q,"locale":%q}`, kind, format, locale))
	job, _ := a.body["export"].(map[string]any)
	id, _ := job["id"].(string)
	b.runJobs()
	return b.secret(200, "GET", "/api/exports/"+id+"/file", "").raw
}

// changes counts the events of all collections but those of jobs.
func (b *harness) changes() (n int) {
	b.t.Helper()
	db, err := b.database()
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := db.QueryRow("SELECT count(*) FROM events WHERE collection NOT IN ('imports', 'exports')").Scan(&n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

// furnish fills the shop with records that use what a file can say, and answers the id of a customer who bought something.
func (b *harness) furnish() (buyer string) {
	b.t.Helper()
	b.make("markets", `{"name":"US","code":"us","currency":"USD","exchangeRate":0.001}`)
	brand := b.make("brands", `{"name":"Leaf"}`)
	category := b.make("categories", `{"name":"Drinks"}`)
	tags := `"` + b.make("tags", `{"name":"Hot"}`) + `","` + b.make("tags", `{"name":"New = now | then"}`) + `"`
	image, _ := b.upload("tea.png", pngImage(b.t, 2, 2))["id"].(string)
	b.secret(201, "POST", "/api/products/complete", fmt.Sprintf(`{"name":"Tea; \"green\", =fine","slug":"tea","status":"published","price":12000,
		"costPrice":4000,"discount":5,"taxClass":"exempt","description":"Two\nlines",
		"seo":{"title":"Tea, =fine","noIndex":true},"brand":%q,"category":%q,"categories":[%q],"tags":[%s],"images":[%q],
		"options":[{"name":"Size=big","values":[{"label":"S|M"},{"label":"L"}]},{"name":"색상","values":[{"label":"빨강"}]}],"variants":[
		{"sku":"T-1","stock":3,"optionValues":[{"option":"Size=big","value":"S|M"},{"option":"색상","value":"빨강"}],
		 "prices":[{"market":"us","amount":9.5,"compareAtAmount":11}]},
		{"sku":"T-2","stock":0,"price":13000,"compareAtPrice":15000,"weight":12.5,"barcode":"4006381333931","requiresShipping":false,"images":[%q],
		 "optionValues":[{"option":"Size=big","value":"L"}],"lowStockThreshold":2}]}`, brand, category, category, tags, image, image))
	b.make("products", `{"name":"Plain","slug":"plain","status":"draft","price":1,"publishAt":"2027-01-01T00:00:00.000Z"}`)
	ann := b.make("customers", `{"email":"ann@example.com","name":"Ann","phone":"010-1234-5678","groups":["vip","a|b"],"marketingConsent":true,"note":"+82","addresses":[
		{"label":"Office","address1":"1 Main St"},{"label":"Home","recipientName":"Ann","phone":"0101",
		 "postalCode":"01234","address1":"2 Side St","address2":"3","deliveryNote":"Ring","isDefault":true}]}`)
	b.make("customers", `{"email":"bob@example.com","addresses":[{"address1":"9 Side St"}]}`)
	b.make("customers", `{"email":"carl@example.com"}`)
	b.make("discounts", `{"code":"SPRING","title":"Spring","type":"percentage","value":12.5,"usageLimit":5,
		"startsAt":"2026-01-01T00:00:00.000Z","endsAt":"2027-01-01T09:30:00.000Z"}`)
	b.make("discounts", `{"code":"STEPS","type":"tiered","combinable":true,"isActive":false,"minOrderAmount":10000,"maxDiscountAmount":50000,"tiers":[
		{"minAmount":10000,"discountType":"percentage","value":5},{"minAmount":50000,"discountType":"fixed_amount","value":9000}],
		"applicableCategories":["`+category+`"]}`)
	b.imported("orders", rowsOf("orderNumber,status,placedAt,email,buyerName,buyerPhone,recipientName,recipientPhone,postalCode,address1,"+
		"totalAmount,discountCodes,shippingAmount,title,sku,quantity,unitPrice,lineDiscount",
		"A-1,paid,2026-01-30T09:00:00.000Z,ann@example.com,Ann,010,Ann,0101,01234,1 Main St,27500,SPRING=1000,2500,Tea,T-1,2,12000,1000",
		"A-1,,,,,,,,,,,,,Cup,,1,2000,", "A-2,canceled,,x@example.com,,,,,,,100,,,Cup,,1,100,")).want("done 3 0 0")
	b.imported("orders", rowsOf("orderNumber,status,placedAt,deliveredAt,email,customer,totalAmount,title,quantity,unitPrice",
		"A-3,delivered,2026-01-20T09:00:00.000Z,"+deliveredAt+",ann@example.com,"+ann+",100,Cup,1,100")).want("done 1 0 0")
	return ann
}

// deliveredAt is when one of the orders arrived.
const deliveredAt = "2026-01-22T10:00:00.000Z"

// Rule transfers-16.
func TestExportedFilesChangeNothingWhenTheyAreImported(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		buyer := b.furnish()
		before := b.changes()
		for _, kind := range intake.Kinds {
			for format, locale := range map[string]string{"csv": "en", "xlsx": "ko"} {
				file := b.exported(kind, format, locale)
				if kind == "orders" && format == "csv" && !strings.Contains(file, ","+buyer+","+deliveredAt) {
					t.Errorf("the buyer and the delivery of an order are missing:\n%s", file)
				}
				i := b.imported(kind, file)
				rows, _ := i.job["unchanged"].(float64)
				if rows < 2 || !strings.HasPrefix(i.counts(), "done 0 ") || i.job["rejected"] != 0.0 {
					told := b.secret(200, "GET", "/api/imports/"+i.id+"/rows", "").raw
					t.Errorf("%s as %s: %s %v\n%s", kind, format, i.counts(), told, i.fileIf(format, file))
				}
			}
			if now := b.changes(); now != before {
				t.Errorf("%s: %d events", kind, now-before)
				before = now
			}
		}
	})
}

// Rule transfers-16: an exported order that comes in under another number is the same order.
func TestExportedOrdersKeepTheirBuyerAndDelivery(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		buyer := b.furnish()
		header, rows, _ := strings.Cut(b.exported("orders", "csv", "en"), "\n")
		var moved string
		for row := range strings.Lines(rows) {
			if strings.HasPrefix(row, "A-3,") {
				moved += strings.Replace(row, "A-3", "B-3", 1)
			}
		}
		b.imported("orders", header+"\n"+moved).want("done 1 0 0")
		o, _ := b.secret(200, "GET", "/api/orders?where[orderNumber][equals]=B-3", "").docs()[0].(map[string]any)
		if o["customer"] != buyer || o["deliveredAt"] != deliveredAt || o["status"] != "delivered" {
			t.Errorf("%v", o)
		}
	})
}

// fileIf is a file where it is a text.
func (i imported) fileIf(format, file string) string {
	if format == "csv" {
		return file
	}
	return ""
}
