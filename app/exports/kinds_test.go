package exports_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/transfer"
	"github.com/cartwright-dev/cartwright/ports"
)

// put stores a record, and returns its id.
func (b *bed) put(s *collection.Schema, r collection.Record) (id string) {
	b.t.Helper()
	r["id"], r["tenant"] = shops.NewID(), string(b.shop.ID)
	shops.NewView(b.t, b.store, b.shop.ID).Atomically(func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(s, nil, r.Clone(), shops.NewID(), b.now()))
	})
	return r.ID()
}

// file is the rows of an export in all formats, which are the same, cells with semicolons between.
func (b *bed) file(kind transfer.Kind, columns ...string) (rows []string) {
	b.t.Helper()
	for _, format := range transfer.Formats {
		id := b.ask(func(q *transfer.Request) { q.Kind, q.Format, q.Columns = kind, format, columns })
		b.run()
		if j := b.job(id); j.Status != job.Done {
			b.t.Fatalf("%s as %s: %+v", kind, format, j)
		}
		var lines []string
		for _, row := range b.table(id)[1:] {
			lines = append(lines, strings.Join(row, ";"))
		}
		if rows != nil && !slices.Equal(rows, lines) {
			b.t.Errorf("%s: as %s it is %q, as csv %q", kind, format, lines, rows)
		}
		rows = lines
	}
	return rows
}

func (b *bed) wantRows(got []string, want ...string) {
	b.t.Helper()
	if !slices.Equal(got, want) {
		b.t.Errorf("rows %q\nwant %q", got, want)
	}
}

// goods stores a mug in two colors, with a fixed price in a market, and returns the ids of product and variants.
func (b *bed) goods() (product, red, blue string) {
	won := func(minor int64) money.Money { return money.Of(minor, "KRW") }
	brand, tag := b.put(catalog.Brands, collection.Record{"name": "Acme", "slug": "acme"}), b.put(catalog.Tags, collection.Record{"name": "New", "slug": "new"})
	picture := b.put(media.Schema, collection.Record{"filename": "mug.png", "url": "/api/media/file/mug.png", "mimeType": "image/png"})
	product = b.put(catalog.Products, collection.Record{
		"name": "Mug", "slug": "mug", "status": "published", "price": won(6000), "costPrice": won(2500), "brand": brand, "tags": []string{tag},
		"images": []string{picture},
	})
	b.put(catalog.Options, collection.Record{
		"product": product, "name": "Color", "values": []collection.Record{{"id": "r", "label": "Red"}, {"id": "b", "label": "Blue"}},
	})
	blue = b.put(catalog.Variants, collection.Record{
		"product": product, "title": "Blue", "sku": "MUG-B", "optionValues": []string{"b"}, "position": int64(2), "kind": "physical", "trackInventory": true,
		"price": won(7000), "weight": money.DecimalOf(300),
	})
	red = b.put(catalog.Variants, collection.Record{
		"product": product, "title": "Red", "sku": "MUG-R", "barcode": "00012", "optionValues": []string{"r"}, "position": int64(1), "kind": "physical",
		"trackInventory": true,
	})
	shops.NewView(b.t, b.store, b.shop.ID).Atomically(func(ctx context.Context, tx ports.Tx) error {
		return tx.Stock.Set(ctx, b.shop.ID, tenant.Live, product, red, ports.StockLevel{OnHand: 5, Tracked: true}, ports.StockCause{})
	})
	return product, red, blue
}

func TestProductsAreExportedWithARowForEachVariant(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		_, _, blue := b.goods()
		market := b.put(catalog.Markets, collection.Record{"name": "Europe", "code": "eu", "currency": "EUR", "status": "active"})
		b.put(catalog.MarketPrices, collection.Record{"market": market, "variant": blue, "currency": "EUR", "amount": money.Of(590, "EUR")})
		b.wantRows(
			b.file("products", "handle", "title", "brand", "tags", "images", "productPrice", "productCostPrice", "sku", "barcode", "optionValues", "price",
				"stock", "weight", "price:eu"),
			"mug;Mug;acme;new;/api/media/file/mug.png;6000;2500;MUG-R;00012;Color=Red;;5;;",
			"mug;Mug;acme;new;/api/media/file/mug.png;6000;2500;MUG-B;;Color=Blue;7000;;300;5.90",
		)
	})
}

func TestStockIsExportedWithARowForEachVariant(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		_, red, blue := b.goods()
		rows := b.file("stock", "variant", "sku", "handle", "onHand", "reserved", "available")
		b.wantRows(rows, blue+";MUG-B;mug;;;", red+";MUG-R;mug;5;0;5")
	})
}

func TestCustomersAreExportedWithTheirDefaultAddress(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		b.put(identity.Customers, collection.Record{
			"email": "kim@example.com", "name": "김 민수", "groups": []string{"a|b", "vip"}, "marketingConsent": true,
			"addresses": []collection.Record{{"address1": "Old road 1"}, {"address1": "New road 2", "postalCode": "04524", "isDefault": true}},
		})
		b.put(identity.Customers, collection.Record{"email": "lee@example.com", "phone": "+8210", "marketingConsent": false})
		b.wantRows(b.file("customers", "email", "name", "phone", "groups", "marketingConsent", "postalCode", "address1"),
			`kim@example.com;김 민수;;a\|b|vip;true;04524;New road 2`, "lee@example.com;;+8210;;false;;")
	})
}

func TestDiscountsAreExportedWithWhatTheyAreAbout(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		product, _, _ := b.goods()
		b.put(discount.Schema, collection.Record{
			"code": "MUGS", "type": "tiered", "currency": "KRW", "applicableProducts": []string{product, "gone"}, "usageLimit": int64(9), "isActive": true,
			"tiers":    []collection.Record{{"minAmount": money.Of(50000, "KRW"), "discountType": "percentage", "value": money.DecimalOf(10)}},
			"startsAt": b.now(),
		})
		b.wantRows(b.file("discounts", "code", "type", "value", "tiers", "products", "usageLimit", "usageCount", "startsAt", "endsAt", "isActive"),
			"MUGS;tiered;;50000 percentage 10;mug|gone;9;0;2026-01-31T09:00:00.000Z;;true")
	})
}

func TestOnlyWhatIsAskedForIsExported(t *testing.T) {
	onBoth(t, func(t *testing.T, b *bed) {
		b.sell(5)
		id := b.ask(func(q *transfer.Request) {
			q.Columns = []string{"orderNumber"}
			q.Where = map[string]any{"orderNumber": map[string]any{"in": []any{"20260131-000002", "20260131-000004"}}}
		})
		b.run()
		var got []string
		for _, row := range b.table(id)[1:] {
			got = append(got, row[0])
		}
		b.wantRows(slices.Compact(got), "20260131-000002", "20260131-000004")
		if j := b.job(id); j.Total == nil || *j.Total != 2 || j.Handled != 2 {
			t.Errorf("it is %+v", j)
		}
	})
}
