package storefront_test

import (
	"context"
	"encoding/json"
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
	"github.com/cartwright-dev/cartwright/app/storefront"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

type record = collection.Record

var now = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

func dec(text string) money.Decimal {
	d, err := money.ParseDecimal(text)
	if err != nil {
		panic(err)
	}
	return d
}

type shop struct {
	*testing.T

	store    *sqlstore.Store
	registry *collection.Registry
	by       tenant.Principal
}

func open(t *testing.T) shop {
	t.Helper()
	policies := &collection.Schema{
		Slug: shipping.Schema.Slug, Singular: "ShippingPolicy", Plural: "ShippingPolicies", Fields: shipping.Schema.Fields,
	}
	registry, err := collection.NewRegistry(slices.Concat(catalog.Schemas(), media.Schemas(), []*collection.Schema{policies})...)
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
	facts := tenant.Settings{ID: "shop", Currency: "KRW", CommerceEnabled: true}
	s := shop{t, store, registry, tenant.Principal{Kind: tenant.SecretKey, Tenant: facts, Environment: tenant.Live, CanRead: true}}
	s.put(catalog.Brands, record{"id": "acme", "name": "Acme", "slug": "acme"})
	s.put(media.Schema, record{"id": "front", "url": "https://img.example/front.jpg"})
	s.put(media.Schema, record{"id": "back", "url": "https://img.example/back.jpg"})
	s.put(catalog.Products, record{
		"id": "shirt", "name": "Shirt", "slug": "shirt", "status": "published", "price": money.Of(10_000, "KRW"), "discount": dec("20"),
		"brand": "acme", "category": "gone", "images": []string{"front", "gone"}, "lowStockThreshold": int64(2), "costPrice": money.Of(4, "KRW"),
	})
	s.put(catalog.Options, record{
		"id": "size", "product": "shirt", "name": "Size", "values": []record{{"id": "s", "label": "Small"}, {"id": "l", "label": "Large"}},
	})
	s.put(catalog.Products, record{"id": "draft", "name": "Draft", "slug": "draft", "status": "draft", "price": money.Of(1, "KRW")})
	s.put(catalog.Products, record{"id": "quiet", "name": "Quiet", "slug": "quiet", "status": "unlisted", "price": money.Of(1, "KRW")})
	s.variant(record{
		"id": "v-l", "product": "shirt", "title": "Large", "position": int64(2), "optionValues": []string{"l"},
		"price": money.Of(20_000, "KRW"), "images": []string{"back"},
	}, 3)
	s.variant(record{"id": "v-s", "product": "shirt", "title": "Small", "position": int64(1), "optionValues": []string{"s"}}, 0)
	s.put(catalog.Markets, record{
		"id": "m-jp", "name": "Japan", "code": "jp", "currency": "JPY", "exchangeRate": dec("0.1"), "status": "active",
	})
	s.put(catalog.Markets, record{"id": "m-eu", "name": "Europe", "code": "eu", "currency": "EUR", "status": "active"})
	s.put(catalog.MarketPrices, record{"id": "p", "market": "m-jp", "variant": "v-l", "currency": "JPY", "amount": money.Of(1500, "JPY")})
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
		return tx.Stock.Set(ctx, "shop", tenant.Live, r.Text("product"), r.ID(), inventory.Level{OnHand: stock, Tracked: true}, ports.StockCause{})
	})
	if err != nil {
		s.Fatal(err)
	}
}

type object = map[string]any

func (s shop) detail(w storefront.ProductQuery) (found bool, answer object) {
	s.Helper()
	found, body, err := (&storefront.Service{Store: s.store}).ProductDetail(s.Context(), s.by, w)
	if err != nil {
		s.Fatal(err)
	}
	if err := json.Unmarshal(body.Bytes(), &answer); err != nil || answer["found"] != found {
		s.Fatalf("%s: %v", body, err)
	}
	return found, answer
}

// at follows a path of names and indexes.
func at(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			v = v.(object)[step]
		case int:
			v = v.([]any)[step]
		}
	}
	return v
}

func TestProductDetailSaysWhyAProductIsNotFound(t *testing.T) {
	t.Parallel()
	s := open(t)
	for name, c := range map[string]struct {
		wanted storefront.ProductQuery
		reason any
	}{
		"unknown":         {storefront.ProductQuery{Slug: "nothing"}, "missing"},
		"unknown by id":   {storefront.ProductQuery{ID: "nothing"}, "missing"},
		"a draft":         {storefront.ProductQuery{Slug: "draft"}, "unpublished"},
		"a slug is no id": {storefront.ProductQuery{ID: "Shirt"}, "missing"},
	} {
		if found, answer := s.detail(c.wanted); found || answer["reason"] != c.reason || len(answer) != 2 {
			t.Errorf("%s: got %v", name, answer)
		}
	}
	for _, w := range []storefront.ProductQuery{{Slug: "quiet"}, {ID: "quiet"}} {
		if found, answer := s.detail(w); !found {
			t.Errorf("an unlisted product opens: %v", answer)
		}
	}
	s.by.Tenant.CommerceEnabled = false
	if found, answer := s.detail(storefront.ProductQuery{Slug: "shirt"}); found || answer["reason"] != "feature_disabled" {
		t.Errorf("got %v", answer)
	}
	s.by.Tenant.ID, s.by.Tenant.CommerceEnabled = "other", true
	if found, answer := s.detail(storefront.ProductQuery{ID: "shirt"}); found || answer["reason"] != "missing" {
		t.Errorf("another tenant's product: %v", answer)
	}
}

func TestProductDetailTakesEitherSlugOrID(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, w := range []storefront.ProductQuery{{}, {Slug: "shirt", ID: "shirt"}} {
		if _, _, err := (&storefront.Service{Store: s.store}).ProductDetail(t.Context(), s.by, w); !errors.Is(err, storefront.ErrSlugOrID) {
			t.Errorf("%+v: %v", w, err)
		}
	}
	if _, _, err := (&storefront.Service{Store: s.store}).ProductDetail(t.Context(), s.by,
		storefront.ProductQuery{Slug: "shirt", Market: "us"}); !errors.Is(err, catalog.ErrMarketNotFound) {
		t.Errorf("got %v", err)
	}
}

func TestProductDetailIncludesVariantsOptionsAndImages(t *testing.T) {
	t.Parallel()
	s := open(t)
	_, answer := s.detail(storefront.ProductQuery{Slug: "shirt"})
	p := answer["product"]
	for name, c := range map[string]struct {
		path []any
		want any
	}{
		"the record":           {[]any{"name"}, "Shirt"},
		"the handle":           {[]any{"handle"}, "shirt"},
		"the brand in full":    {[]any{"brand", "name"}, "Acme"},
		"a deleted category":   {[]any{"category"}, nil},
		"the first image":      {[]any{"featuredImage", "url"}, "https://img.example/front.jpg"},
		"the options in full":  {[]any{"options", 0, "values", 1, "label"}, "Large"},
		"variants by position": {[]any{"variants", 0, "id"}, "v-s"},
		"a variant's image":    {[]any{"variants", 1, "images", 0, "url"}, "https://img.example/back.jpg"},
		"what was chosen":      {[]any{"variants", 1, "selectedOptions"}, []any{object{"name": "Size", "value": "Large"}}},
		"a price": {[]any{"variants", 0, "resolvedPrice"}, object{
			"amount": 8000.0, "compareAtPrice": 10_000.0, "currency": "KRW", "marketId": nil, "source": "fixed",
		}},
		"the range":                      {[]any{"priceRange"}, object{"min": 8000.0, "max": 16_000.0, "currency": "KRW"}},
		"the former range":               {[]any{"compareAtPriceRange"}, object{"min": 10_000.0, "max": 20_000.0, "currency": "KRW"}},
		"availability":                   {[]any{"available"}, true},
		"availability by its other name": {[]any{"availableForSale"}, true},
		"a variant in stock":             {[]any{"variants", 1, "available"}, true},
		"a variant out of stock":         {[]any{"variants", 0, "availableForSale"}, false},
	} {
		if got := at(p, c.path...); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v", name, got)
		}
	}
	if images := at(p, "images").([]any); len(images) != 1 {
		t.Errorf("images that are gone fall away: %v", images)
	}
}

func TestPricesAreResolvedInTheMarket(t *testing.T) {
	t.Parallel()
	s := open(t)
	_, answer := s.detail(storefront.ProductQuery{ID: "shirt", Market: "jp"})
	p := answer["product"]
	if got := at(p, "variants", 0, "resolvedPrice"); !reflect.DeepEqual(got, object{
		"amount": 800.0, "compareAtPrice": 1000.0, "currency": "JPY", "marketId": "m-jp", "source": "computed",
	}) {
		t.Errorf("computed: %v", got)
	}
	if got := at(p, "variants", 1, "resolvedPrice"); !reflect.DeepEqual(got, object{
		"amount": 1500.0, "compareAtPrice": nil, "currency": "JPY", "marketId": "m-jp", "source": "fixed",
	}) {
		t.Errorf("fixed: %v", got)
	}
	_, answer = s.detail(storefront.ProductQuery{ID: "shirt", Market: "eu"})
	p = answer["product"]
	if at(p, "variants", 0, "resolvedPrice") != nil || at(p, "priceRange") != nil || at(p, "available") != false {
		t.Errorf("a market without any price: %v", p)
	}
}

// Public responses never contain a quantity, for any caller and operation. Rule catalog-4.
func TestQuantitiesAreShownOnlyToStaffWhoRequestThem(t *testing.T) {
	t.Parallel()
	s := open(t)
	_, answer := s.detail(storefront.ProductQuery{Slug: "shirt", ShowQuantities: true})
	p := answer["product"]
	if at(p, "stock") != 3.0 || at(p, "reserved") != 0.0 || at(p, "availableQuantity") != 3.0 || at(p, "lowStockThreshold") != 2.0 ||
		at(p, "variants", 1, "availableQuantity") != 3.0 || at(p, "variants", 1, "stock") != 3.0 {
		t.Errorf("staff: %v", p)
	}
	for name, c := range map[string]struct {
		kind tenant.Kind
		asks bool
	}{
		"staff that does not ask": {tenant.SecretKey, false}, "a shopper": {tenant.ClientKey, false},
		"a shopper who asks": {tenant.ClientKey, true}, "a customer who asks": {tenant.Customer, true},
	} {
		s.by.Kind = c.kind
		_, body, err := (&storefront.Service{Store: s.store}).ProductDetail(t.Context(), s.by,
			storefront.ProductQuery{Slug: "shirt", ShowQuantities: c.asks})
		for _, word := range []string{"stock", "reserved", "availableQuantity", "lowStockThreshold", "costPrice"} {
			if err != nil || strings.Contains(body.String(), `"`+word+`"`) {
				t.Errorf("%s sees %s: %v", name, word, err)
			}
		}
	}
}
