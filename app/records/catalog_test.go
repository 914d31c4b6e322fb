package records_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestProductWithoutVariantsGetsADefaultVariant(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	p := b.product(tree{"stock": num("7")})
	v := b.variants(p)
	if len(v) != 1 || !v[0].Bool("isDefault") || v[0].Int("stock") != 7 || !v[0].Bool("requiresShipping") || p.Text("slug") != "shirt" {
		t.Fatalf("product %v\nvariants %v", p, v)
	}
	if test := b.all(catalog.Variants, "product", p.ID(), tenant.Test); test[0].Int("stock") != 7 {
		t.Errorf("the test row starts as a copy: %v", test[0])
	}
}

func TestInlineVariantsComeWithTheirProduct(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	p := b.product(tree{"variants": []any{tree{"sku": "S", "stock": num("1")}, tree{"sku": "M", "kind": "digital"}}})
	v := b.variants(p)
	if len(v) != 2 || v[0].Text("sku") != "S" || v[0].Int("stock") != 1 || v[1].Int("position") != 1 || v[1].Bool("requiresShipping") ||
		v[1].Bool("isDefault") {
		t.Errorf("got %v", v)
	}
}

func TestInvalidInlineVariantRefusesTheProduct(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	_, err := b.create(catalog.Products, tree{"name": "Shirt", "status": "published", "price": num("1"), "variants": []any{
		tree{"sku": "S"}, tree{"kind": "magic", "product": "other"}, tree{"colour": "red", "images": []any{"nowhere"}},
	}})
	b.refused(err, "variants.1.product", "variants.2.colour")
	if n := len(b.all(catalog.Products, "name", "Shirt", tenant.Live)); n != 0 {
		t.Errorf("%d products were stored", n)
	}
	_, err = b.create(catalog.Products, tree{
		"name": "Shirt", "status": "published", "price": num("1"), "variants": []any{tree{"images": []any{"nowhere"}}},
	})
	b.refused(err, "variants.0.images.0")
	_, err = b.create(catalog.Products, tree{
		"name": "Shirt", "status": "published", "price": num("1"), "stock": num("3"), "variants": []any{tree{"sku": "S"}},
	})
	b.refused(err, "stock")
	p := b.product(nil)
	_, err = b.update(catalog.Products, p.ID(), tree{"variants": []any{}})
	b.refused(err, "variants")
}

// Rule catalog-26. What was there before barcodes were checked stays, and can be sent back.
func TestAWrongBarcodeIsRefusedUnlessItIsThere(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	const wrong = "4006381333932"
	_, err := b.create(catalog.Products, tree{
		"name": "Pen", "status": "draft", "price": num("1"), "variants": []any{tree{"barcode": "4006381333931"}, tree{"barcode": wrong}},
	})
	b.refused(err, "variants.1.barcode")
	p := b.product(tree{"variants": []any{tree{"barcode": "shelf 7", "costPrice": num("4000")}}})
	old := b.variants(p)[0]
	_, err = b.update(catalog.Variants, old.ID(), tree{"barcode": wrong})
	b.refused(err, "barcode")
	next := old.Clone()
	next["barcode"] = wrong
	if err := b.inTransaction(func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(catalog.Variants, old, next, "older", b.content.Now()))
	}); err != nil {
		t.Fatal(err)
	}
	if r, err := b.update(catalog.Variants, old.ID(), tree{"barcode": wrong, "title": "Pen"}); err != nil || r.Text("title") != "Pen" {
		t.Errorf("%v %v", r, err)
	}
}

func TestGeneratedSlugsAreUnique(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	var slugs []string
	for range 3 {
		slugs = append(slugs, b.product(nil).Text("slug"))
	}
	if !slices.Equal(slugs, []string{"shirt", "shirt-2", "shirt-3"}) {
		t.Errorf("got %v", slugs)
	}
	if _, err := b.create(catalog.Products, tree{
		"name": "Other", "slug": "shirt-2", "status": "draft", "price": num("1"),
	}); !errors.Is(err, ports.ErrDuplicate) {
		t.Errorf("a chosen slug that is taken: %v", err)
	}
	_, err := b.create(catalog.Brands, tree{"name": "A", "slug": "a b"})
	b.refused(err, "slug")
	if slug := b.mustCreate(catalog.Tags, tree{"name": "여름 신상"}).Text("slug"); slug != "여름-신상" {
		t.Errorf("got %q", slug)
	}
}

func TestFirstRealVariantReplacesTheDefaultVariant(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		product tree
		touch   tree
		left    int
	}{
		"untouched":               {nil, nil, 1},
		"with units on hand":      {tree{"stock": num("1")}, nil, 2},
		"after it was edited":     {nil, tree{"sku": "OWN"}, 2},
		"with its stock set to 0": {tree{"stock": num("0")}, nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newFixture(t)
			p := b.product(c.product)
			if c.touch != nil {
				if _, err := b.update(catalog.Variants, b.variants(p)[0].ID(), c.touch); err != nil {
					t.Fatal(err)
				}
			}
			b.mustCreate(catalog.Variants, tree{"product": p.ID(), "sku": "FIRST"})
			if v := b.variants(p); len(v) != c.left {
				t.Errorf("got %v", v)
			}
			b.mustCreate(catalog.Variants, tree{"product": p.ID(), "sku": "SECOND"})
			if v := b.variants(p); len(v) != c.left+1 {
				t.Errorf("an explicit one gave way: %v", v)
			}
		})
	}
}

func TestStockIsWrittenOnTheVariantThatTracksIt(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	p := b.product(nil)
	if _, err := b.update(catalog.Products, p.ID(), tree{"stock": num("5"), "expectedStock": num("0")}); err != nil {
		t.Fatal(err)
	}
	if n := b.variants(p)[0].Int("stock"); n != 5 {
		t.Errorf("the default variant has %d", n)
	}
	if n := b.all(catalog.Variants, "product", p.ID(), tenant.Test)[0].Int("stock"); n != 0 {
		t.Errorf("a live restock reached the test row: %d", n)
	}
	b.mustCreate(catalog.Variants, tree{"product": p.ID(), "sku": "A", "stock": num("2")})
	_, err := b.update(catalog.Products, p.ID(), tree{"stock": num("9")})
	b.refused(err, "stock")
	if _, err := b.update(catalog.Products, p.ID(), tree{"stock": num("7"), "name": "Same stock sent back"}); err != nil {
		t.Errorf("an unchanged stock may be sent back: %v", err)
	}
	b.by.Environment = tenant.Test
	if _, err := b.update(catalog.Variants, b.variants(p)[0].ID(), tree{"stock": num("40"), "expectedStock": num("0")}); err != nil {
		t.Fatal(err)
	}
	if live, test := b.variants(p)[0].Int("stock"), b.all(catalog.Variants, "product", p.ID(), tenant.Test)[0].Int("stock"); live != 5 ||
		test != 40 {
		t.Errorf("live %d, test %d", live, test)
	}
}

func TestInventoryTrackingCanBeDisabled(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	p := b.product(tree{"stock": num("3")})
	v := b.variants(p)[0]
	if _, err := b.update(catalog.Variants, v.ID(), tree{"trackInventory": false}); err != nil {
		t.Fatal(err)
	}
	err := b.inTransaction(func(ctx context.Context, tx ports.Tx) error {
		levels, err := tx.Stock.Levels(ctx, tenant.Live, []string{v.ID()})
		if level := levels[v.ID()]; level.Tracked || level.OnHand != 3 {
			t.Errorf("got %+v", level)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sizes creates sizes S and L for a product and returns the option with its value ids.
func (b fixture) sizes(p collection.Record) (option collection.Record, small, large string) {
	b.Helper()
	option = b.mustCreate(catalog.Options, tree{
		"product": p.ID(), "name": "Size", "values": []any{tree{"label": "Small"}, tree{"label": "Large"}},
	})
	rows := option.Rows("values")
	return option, rows[0].ID(), rows[1].ID()
}

func TestVariantTakesOnlyOptionsOfItsProduct(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	p := b.product(nil)
	option, small, large := b.sizes(p)
	if option.Rows("values")[1].Text("slug") != "large" {
		t.Errorf("got %v", option)
	}
	if got := b.all(catalog.Products, "id", p.ID(), tenant.Live)[0].Texts("options"); !slices.Equal(got, []string{option.ID()}) {
		t.Errorf("the product does not list the option: %v", got)
	}
	v := b.mustCreate(catalog.Variants, tree{"product": p.ID(), "optionValues": []any{small}})
	if v.Text("title") != "Small" {
		t.Errorf("title %q", v.Text("title"))
	}
	_, err := b.create(catalog.Variants, tree{"product": p.ID(), "optionValues": []any{small}})
	b.refused(err, "optionValues")
	_, err = b.create(catalog.Variants, tree{"product": p.ID(), "optionValues": []any{"nothing"}})
	b.refused(err, "optionValues.0")
	_, err = b.create(catalog.Variants, tree{"product": p.ID(), "optionValues": []any{small, large}})
	b.refused(err, "optionValues.1")
	if v, err = b.update(catalog.Variants, v.ID(), tree{"optionValues": []any{large}}); err != nil || v.Text("title") != "Large" {
		t.Errorf("the title did not follow: %v, %v", v, err)
	}
	_, err = b.update(catalog.Options, option.ID(), tree{"values": []any{tree{"id": small, "label": "Small"}}})
	b.refused(err, "values.1")
	if _, err = b.update(catalog.Options, option.ID(), tree{"values": []any{tree{"id": large, "label": "Large"}}}); err != nil {
		t.Errorf("an unused value can go: %v", err)
	}
	other := b.product(nil)
	_, err = b.update(catalog.Products, other.ID(), tree{"options": []any{option.ID()}})
	b.refused(err, "options.0")
}

func TestDeletingAProductDeletesItsChildren(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	p := b.product(nil)
	option, small, _ := b.sizes(p)
	v := b.mustCreate(catalog.Variants, tree{"product": p.ID(), "optionValues": []any{small}})
	m := b.mustCreate(catalog.Markets, tree{"name": "Japan", "code": "jp", "currency": "jpy", "exchangeRate": num("0.11")})
	price := b.mustCreate(catalog.MarketPrices, tree{"market": m.ID(), "variant": v.ID(), "amount": num("900")})
	if amount, _ := price.Money("amount"); amount.Currency != "JPY" || price.Text("currency") != "JPY" {
		t.Errorf("got %v", price)
	}
	if _, err := b.content.Delete(b.Context(), callBy(b.by), catalog.Products, p.ID(), records.Projection{}); err != nil {
		t.Fatal(err)
	}
	left := slices.Concat(b.all(catalog.Products, "id", p.ID(), ""), b.variants(p), b.all(catalog.Options, "id", option.ID(), ""),
		b.all(catalog.MarketPrices, "id", price.ID(), ""))
	if len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestAProductAlwaysHasAVariant(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	p := b.product(tree{"variants": []any{tree{"sku": "ONLY"}}})
	if _, err := b.content.Delete(b.Context(), callBy(b.by), catalog.Variants, b.variants(p)[0].ID(), records.Projection{}); err != nil {
		t.Fatal(err)
	}
	if v := b.variants(p); len(v) != 1 || !v[0].Bool("isDefault") {
		t.Errorf("got %v", v)
	}
}

func TestMarketPriceUsesTheMarketCurrency(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	v := b.variants(b.product(nil))[0]
	m := b.mustCreate(catalog.Markets, tree{"name": "Kuwait", "code": "kw", "currency": "KWD", "exchangeRate": num("0.0002")})
	_, err := b.create(catalog.MarketPrices, tree{"market": m.ID(), "variant": v.ID(), "amount": num("1.2345")})
	b.refused(err, "amount")
	_, err = b.create(catalog.MarketPrices, tree{"market": m.ID(), "variant": v.ID(), "amount": num("1"), "currency": "USD"})
	b.refused(err, "currency")
	b.mustCreate(catalog.MarketPrices, tree{"market": m.ID(), "variant": v.ID(), "amount": num("1.234")})
	if _, err := b.create(catalog.MarketPrices, tree{"market": m.ID(), "variant": v.ID(), "amount": num("2")}); !errors.Is(err, ports.ErrDuplicate) {
		t.Errorf("a second price of the pair: %v", err)
	}
	_, err = b.create(catalog.Markets, tree{"name": "USA", "code": "us", "currency": "USD"})
	b.refused(err, "exchangeRate")
}

func TestCategoryCannotBeItsOwnAncestor(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	top := b.mustCreate(catalog.Categories, tree{"name": "Top"})
	below := b.mustCreate(catalog.Categories, tree{"name": "Below", "parent": top.ID()})
	_, err := b.update(catalog.Categories, top.ID(), tree{"parent": below.ID()})
	b.refused(err, "parent")
}

func TestDiscountsAndShippingPoliciesGetDefaults(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	if d := b.mustCreate(discount.Schema, tree{"code": "summer", "type": "percentage", "value": num("10")}); d.Text("code") != "SUMMER" ||
		d.Text("currency") != "KRW" {
		t.Errorf("got %v", d)
	}
	_, err := b.create(discount.Schema, tree{"code": "x", "type": "percentage", "value": num("101")})
	b.refused(err, "value")
	first := b.mustCreate(shipping.Schema, tree{"title": "A", "baseFee": num("3000"), "isDefault": true})
	if len(first.Rows("zones")) != 2 {
		t.Errorf("got %v", first)
	}
	b.mustCreate(shipping.Schema, tree{"title": "B", "baseFee": num("2500"), "isDefault": true})
	if b.all(shipping.Schema, "id", first.ID(), "")[0].Bool("isDefault") {
		t.Error("two policies are the default one")
	}
}

// A rate is stored with the code of its province that addresses have, or it would never apply.
func TestATaxRateHasAProvinceOfItsCountry(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	rate := func(country, province string) tree {
		return tree{"name": "Tax", "country": country, "province": province, "classes": []any{"standard"}, "percent": num("5")}
	}
	for typed, want := range map[string]string{"CA": "CA", "US-CA": "CA", "ca": "CA", "California": "CA", "": ""} {
		if got := b.mustCreate(tax.Schema, rate("US", typed)); got.Text("province") != want {
			t.Errorf("%q: %q, want %q", typed, got.Text("province"), want)
		}
	}
	for _, wrong := range []string{"XX", "ON", "KR-11"} {
		_, err := b.create(tax.Schema, rate("US", wrong))
		b.refused(err, "province")
	}
	made := b.mustCreate(tax.Schema, rate("US", "CA"))
	_, err := b.update(tax.Schema, made.ID(), tree{"country": "CA"})
	b.refused(err, "province")
}

func TestAShopHasSoManyLocations(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	err := b.inTransaction(func(ctx context.Context, tx ports.Tx) error {
		w := collection.NewChangeSet(b.content.Now(), b.content.NewID)
		for i := range inventory.MaxLocations - 1 {
			w.Put(inventory.Locations, nil, collection.Record{"id": fmt.Sprintf("shelf-%03d", i), "tenant": "shop", "name": "Shelf"})
		}
		return tx.Records.Write(ctx, w.List()...)
	})
	if err != nil {
		t.Fatal(err)
	}
	last := b.mustCreate(inventory.Locations, tree{"name": "Cellar"})
	_, err = b.create(inventory.Locations, tree{"name": "Attic"})
	b.refused(err, "name")
	if _, err = b.update(inventory.Locations, last.ID(), tree{"name": "Attic"}); err != nil {
		t.Errorf("a location changes: %v", err)
	}
}

// A rate too many would count for nothing, and nobody would see it.
func TestAShopHasSoManyActiveTaxRates(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	err := b.inTransaction(func(ctx context.Context, tx ports.Tx) error {
		w := collection.NewChangeSet(b.content.Now(), b.content.NewID)
		for i := range tax.MaxRates {
			w.Put(tax.Schema, nil, collection.Record{
				"id": fmt.Sprintf("rate-%04d", i), "tenant": "shop", "name": "Tax", "country": "US", "classes": []string{"standard"},
				"percent": money.DecimalOf(1), "active": true,
			})
		}
		return tx.Records.Write(ctx, w.List()...)
	})
	if err != nil {
		t.Fatal(err)
	}
	rate := tree{"name": "Tax", "country": "US", "classes": []any{"standard"}, "percent": num("5")}
	_, err = b.create(tax.Schema, rate)
	b.refused(err, "active")
	rate["active"] = false
	made := b.mustCreate(tax.Schema, rate)
	_, err = b.update(tax.Schema, made.ID(), tree{"active": true})
	b.refused(err, "active")
	if _, err = b.update(tax.Schema, "rate-0000", tree{"percent": num("2")}); err != nil {
		t.Errorf("an active rate changes: %v", err)
	}
	if _, err = b.update(tax.Schema, "rate-0000", tree{"active": false}); err != nil {
		t.Error(err)
	}
	if _, err = b.update(tax.Schema, made.ID(), tree{"active": true}); err != nil {
		t.Errorf("in the place of another one: %v", err)
	}
}
