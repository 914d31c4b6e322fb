package offers_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

type record = collection.Record

var now = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

func krw(n int64) money.Money { return money.Of(n, "KRW") }

func dec(text string) money.Decimal {
	d, err := money.ParseDecimal(text)
	if err != nil {
		panic(err)
	}
	return d
}

// counting counts the reads it passes on.
type counting struct {
	ports.Reader

	reads int
}

func (c *counting) Find(ctx context.Context, q collection.Query) (collection.Page, error) {
	c.reads++
	return c.Reader.Find(ctx, q)
}

func (c *counting) GetMany(ctx context.Context, s *collection.Schema, ids []string, room *collection.Room) (map[string]record, error) {
	c.reads++
	return c.Reader.GetMany(ctx, s, ids, room)
}

type shop struct {
	*testing.T

	store ports.Store
}

// open creates a tenant with two products, a market in yen and three codes.
func open(t *testing.T) shop {
	t.Helper()
	schemas := slices.Concat(catalog.Schemas(), media.Schemas(), identity.Schemas(), []*collection.Schema{discount.Schema, shipping.Schema, tax.Schema})
	registry, err := collection.NewRegistry(schemas...)
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlstore.Open(t.Context(), sqlstore.Options{
		Path: filepath.Join(testservers.TempDir(t), "shop.db"), Registry: registry, Fold: strings.ToLower,
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	s := shop{t, store}
	s.put(catalog.Products, record{
		"id": "shirt", "name": "Shirt", "taxClass": "exempt", "status": "published", "price": krw(10_000), "discount": dec("20"), "category": "clothes",
		"categories": []string{"sale"}, "images": []string{"front"}, "shippingPolicy": "bulky",
	})
	s.put(catalog.Products, record{"id": "song", "name": "Song", "status": "unlisted", "price": krw(900)})
	s.put(catalog.Products, record{"id": "old", "name": "Old", "status": "draft", "price": krw(1)})
	s.variant(record{
		"id": "shirt-s", "product": "shirt", "title": "S", "sku": "S1", "compareAtPrice": krw(99_000), "images": []string{"back"},
		"requiresShipping": true,
	}, 5)
	s.variant(record{"id": "shirt-l", "product": "shirt", "title": "L", "price": krw(20_000), "requiresShipping": true}, 0)
	s.variant(record{"id": "song-1", "product": "song", "kind": "digital", "requiresShipping": false, "trackInventory": false}, 0)
	s.variant(record{"id": "old-1", "product": "old"}, 5)
	s.put(catalog.Markets, record{
		"id": "m-jp", "name": "Japan", "code": "jp", "currency": "JPY", "exchangeRate": dec("0.1"), "status": "active",
	})
	s.put(catalog.Markets, record{
		"id": "m-us", "name": "USA", "code": "us", "currency": "USD", "exchangeRate": dec("0.001"), "status": "inactive",
	})
	s.put(catalog.Markets, record{"id": "m-eu", "name": "Europe", "code": "eu", "currency": "EUR", "status": "active"})
	s.put(catalog.MarketPrices, record{
		"id": "p1", "market": "m-jp", "variant": "shirt-l", "currency": "JPY", "amount": money.Of(1500, "JPY"),
		"compareAtAmount": money.Of(1600, "JPY"),
	})
	s.put(catalog.MarketPrices, record{
		"id": "p2", "market": "m-eu", "variant": "shirt-l", "currency": "EUR", "amount": money.Of(1599, "EUR"),
	})
	s.put(discount.Schema, record{
		"id": "d1", "code": "TENTH", "type": "percentage", "value": dec("10"), "currency": "KRW", "isActive": true,
	})
	s.put(shipping.Schema, shipping.DefaultPolicy("standard", tenant.Settings{ID: "shop", Country: "KR", Currency: "KRW"}))
	s.put(shipping.Schema, record{"id": "bulky", "title": "Bulky", "baseFee": krw(9000), "currency": "KRW"})
	return s
}

func (s shop) put(schema *collection.Schema, r record) {
	s.Helper()
	r["tenant"] = "shop"
	err := s.store.Atomically(s.Context(), ports.ForTenant("shop"), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(schema, nil, r.Clone(), "e-"+r.ID(), now))
	})
	if err != nil {
		s.Fatal(schema.Slug, err)
	}
}

func (s shop) variant(r record, stock int64) {
	s.Helper()
	s.put(catalog.Variants, r)
	err := s.store.Atomically(s.Context(), ports.ForTenant("shop"), func(ctx context.Context, tx ports.Tx) error {
		return tx.Stock.Set(ctx, "shop", tenant.Live, r.Text("product"), r.ID(),
			inventory.Level{OnHand: stock, Tracked: catalog.Tracked(r)}, ports.StockCause{})
	})
	if err != nil {
		s.Fatal(err)
	}
}

func (s shop) ask(q offers.Request) (offers.Facts, int, error) {
	s.Helper()
	q.Tenant, q.Environment = tenant.Settings{ID: "shop", Currency: "KRW"}, tenant.Live
	r := &counting{Reader: s.store.Read(ports.ForTenant("shop"))}
	f, err := offers.Lookup(s.Context(), r, q)
	return f, r.reads, err
}

func TestOfferIsComplete(t *testing.T) {
	t.Parallel()
	s := open(t)
	f, _, err := s.ask(offers.Request{Variants: []string{"shirt-s", "song-1", "nothing", "shirt-s", ""}, Shipping: true})
	if err != nil || len(f.Offers) != 2 || f.Currency != "KRW" || f.MarketID() != "" || f.Policy.ID != "standard" {
		t.Fatalf("got %+v, %v", f, err)
	}
	o := f.Offers["shirt-s"]
	if o.Product != "shirt" || o.Variant != "shirt-s" || o.Title != "Shirt" || o.VariantTitle != "S" ||
		o.SKU != "S1" || o.Image != "back" || !slices.Equal(o.Categories, []string{"clothes", "sale"}) || o.Kind != "physical" ||
		!o.RequiresShipping || o.TaxClass != tax.Exempt || o.UnitPrice != krw(8000) || o.CompareAt != krw(10_000) || !o.Sellable ||
		o.Stock != (inventory.Level{OnHand: 5, Tracked: true}) || o.Policy.ID != "bulky" {
		t.Errorf("shirt: %+v", o)
	}
	explained, _, err := s.ask(offers.Request{Variants: []string{"shirt-s"}, Shipping: true, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	for field, v := range reflect.ValueOf(explained.Offers["shirt-s"]).Fields() {
		if v.IsZero() && field.Name != "Terms" { // of drafts alone
			t.Errorf("Offer.%s of a product that has everything is not looked up", field.Name)
		}
	}
	o = f.Offers["song-1"]
	if o.Kind != "digital" || o.RequiresShipping || o.TaxClass != tax.Standard || o.UnitPrice != krw(900) || o.CompareAt != (money.Money{}) || !o.Sellable ||
		o.Stock.Tracked || o.Policy != nil || o.Image != "" {
		t.Errorf("song: %+v", o)
	}
}

func TestUnpublishedProductIsNotSellable(t *testing.T) {
	t.Parallel()
	s := open(t)
	f, _, err := s.ask(offers.Request{Variants: []string{"old-1"}})
	if err != nil || f.Offers["old-1"].Sellable || f.Offers["old-1"].UnitPrice != krw(1) {
		t.Errorf("a draft: %+v, %v", f.Offers["old-1"], err)
	}
	f, _, err = s.ask(offers.Request{Variants: []string{"shirt-s", "shirt-l"}, Market: "eu"})
	if err != nil || f.Offers["shirt-s"].Sellable || f.Offers["shirt-s"].UnitPrice.Currency != "EUR" || !f.Offers["shirt-l"].Sellable {
		t.Errorf("a market without a rate sells fixed prices only: %+v, %v", f.Offers, err)
	}
}

func TestPricesInAMarket(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, ref := range []string{"jp", "m-jp"} {
		f, _, err := s.ask(offers.Request{Variants: []string{"shirt-s", "shirt-l"}, Market: ref})
		if err != nil || f.MarketID() != "m-jp" || f.Currency != "JPY" {
			t.Fatalf("%s: %+v, %v", ref, f, err)
		}
		if o := f.Offers["shirt-s"]; o.UnitPrice != money.Of(800, "JPY") || o.CompareAt != money.Of(1000, "JPY") {
			t.Errorf("computed: %+v", o)
		}
		if o := f.Offers["shirt-l"]; o.UnitPrice != money.Of(1500, "JPY") || o.CompareAt != money.Of(1600, "JPY") {
			t.Errorf("fixed: %+v", o)
		}
	}
	for _, ref := range []string{"us", "m-us", "fr"} {
		if _, _, err := s.ask(offers.Request{Market: ref}); !errors.Is(err, catalog.ErrMarketNotFound) {
			t.Errorf("%s: %v", ref, err)
		}
	}
}

// Prices are read for every page of a catalog, and rates only for what is sold.
func TestTaxRatesAreReadForSalesAlone(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.put(catalog.Markets, record{
		"id": "m-kr", "name": "Korea", "code": "kr", "currency": "KRW", "status": "active", "countries": []string{"KR"}, "taxes": "added",
	})
	s.put(tax.Schema, record{"id": "vat", "name": "VAT", "country": "KR", "classes": []string{"standard"}, "percent": dec("10"), "active": true})
	r := &counting{Reader: s.store.Read(ports.ForTenant("shop"))}
	if m, err := offers.Market(s.Context(), r, "kr"); err != nil || m.Taxes == nil || r.reads != 1 {
		t.Errorf("%d reads for a market: %+v, %v", r.reads, m, err)
	}
	if f, _, err := s.ask(offers.Request{Market: "kr"}); err != nil || len(f.Taxes().Rates) != 1 {
		t.Errorf("a lookup has the taxes %+v, %v", f.Taxes(), err)
	}
}

func TestCodesKeepRequestOrder(t *testing.T) {
	t.Parallel()
	s := open(t)
	f, _, err := s.ask(offers.Request{Codes: []string{"nope", " tenth ", "TENTH"}})
	if err != nil || len(f.Codes) != 2 {
		t.Fatalf("got %+v, %v", f.Codes, err)
	}
	if c := f.Codes[0]; c.Code != "NOPE" || c.Discount != nil || !errors.Is(c.Refusal, discount.ErrNotFound) {
		t.Errorf("got %+v", c)
	}
	if c := f.Codes[1]; c.Code != "TENTH" || c.Discount == nil || c.Discount.Value != dec("10") || c.Refusal != nil || c.Uses != 0 {
		t.Errorf("got %+v", c)
	}
}

func TestReservedUsesCountInsideTransaction(t *testing.T) {
	t.Parallel()
	s := open(t)
	use := []ports.DiscountUse{{Discount: "d1", Customer: "jo"}}
	q := offers.Request{
		Tenant: tenant.Settings{ID: "shop", Currency: "KRW"}, Environment: tenant.Live, Codes: []string{"tenth"}, Customer: "jo",
	}
	err := s.store.Atomically(t.Context(), ports.ForTenant("shop"), func(ctx context.Context, tx ports.Tx) error {
		if err := tx.DiscountUses.Reserve(ctx, "shop", tenant.Live, "checkout", use); err != nil {
			return err
		}
		q.Uses = tx.DiscountUses
		f, err := offers.Lookup(ctx, tx.Records, q)
		if err == nil && (f.Codes[0].Uses != 1 || f.Codes[0].CustomerUses != 1) {
			t.Errorf("reserved: %+v", f.Codes[0])
		}
		if err == nil {
			err = tx.DiscountUses.Redeem(ctx, "shop", tenant.Live, "checkout", use)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := s.ask(offers.Request{Codes: []string{"tenth"}})
	if err != nil || f.Codes[0].Uses != 1 {
		t.Errorf("placed uses count outside too: %+v, %v", f.Codes, err)
	}
}

func TestQueryCountIsConstant(t *testing.T) {
	t.Parallel()
	s := open(t)
	few := offers.Request{Variants: []string{"shirt-s"}, Codes: []string{"tenth"}, Market: "jp", Shipping: true}
	many := few
	many.Variants, many.Codes = []string{"shirt-s", "shirt-l", "song-1", "old-1"}, []string{"tenth", "a", "b"}
	_, one, err := s.ask(few)
	_, all, again := s.ask(many)
	if err != nil || again != nil || one != all || all > 6 {
		t.Errorf("%d reads for one line, %d for many; %v %v", one, all, err, again)
	}
	if _, none, _ := s.ask(offers.Request{}); none > 1 {
		t.Errorf("%d reads for nothing", none)
	}
}
