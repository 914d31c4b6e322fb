package storefront_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/app/storefront"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// countingStore records the collection of every query.
type countingStore struct {
	ports.Store

	queries *[]string
}

func (c countingStore) Read(scope ports.Scope) ports.Reader {
	return countingReader{c.Store.Read(scope), c.queries}
}

type countingReader struct {
	ports.Reader

	queries *[]string
}

func (c countingReader) Find(ctx context.Context, q collection.Query) (collection.Page, error) {
	*c.queries = append(*c.queries, q.Schema.Slug)
	return c.Reader.Find(ctx, q)
}

func (c countingReader) GetMany(ctx context.Context, s *collection.Schema, ids []string, room *collection.Room) (map[string]collection.Record, error) {
	*c.queries = append(*c.queries, s.Slug)
	return c.Reader.GetMany(ctx, s, ids, room)
}

// service is the Service on the tenant's store; asked lists the collections of its queries.
func (s shop) service() (b *storefront.Service, asked *[]string) {
	asked = &[]string{}
	store := countingStore{s.store, asked}
	return &storefront.Service{Store: store, Records: &records.Service{
		Store: store, Registry: s.registry, Fold: strings.ToLower, Now: func() time.Time { return now },
	}}, asked
}

// fill adds n products, each with two sizes in three variants, an image, a category and a fixed price.
func (s shop) fill(n int) (ids []string) {
	s.Helper()
	for i := range n {
		id := func(kind string) string { return fmt.Sprintf("%s-%d", kind, i) }
		s.put(catalog.Categories, record{"id": id("category"), "name": "C", "slug": id("category")})
		s.put(media.Schema, record{"id": id("image"), "url": "https://img.example/" + id("image")})
		s.put(catalog.Products, record{
			"id": id("p"), "name": id("p"), "slug": id("p"), "status": "published", "price": money.Of(1000, "KRW"),
			"category": id("category"), "images": []string{id("image")}, "brand": "acme",
		})
		s.put(catalog.Options, record{
			"id": id("option"), "product": id("p"), "name": "Size",
			"values": []record{{"id": id("s"), "label": "S"}, {"id": id("l"), "label": "L"}},
		})
		for k, value := range []string{"s", "l", "l"} {
			s.variant(record{
				"id": id(fmt.Sprint("v", k)), "product": id("p"), "position": int64(k), "optionValues": []string{id(value)},
			}, 1)
		}
		s.put(catalog.MarketPrices, record{
			"id": id("price"), "market": "m-jp", "variant": id("v0"), "currency": "JPY", "amount": money.Of(7, "JPY"),
		})
		ids = append(ids, id("p"))
	}
	return ids
}

// A page takes one query for each kind of record, however many products it has.
func TestListingRunsOneQueryPerCollection(t *testing.T) {
	t.Parallel()
	s := open(t)
	ids := s.fill(30)
	b, asked := s.service()
	for name, ask := range map[string]func(n int) (*reply.Body, error){
		"a listing": func(n int) (*reply.Body, error) {
			return b.Listing(t.Context(), s.by, storefront.ListingQuery{
				Market: "jp", Where: map[string]any{"slug": map[string]any{"like": "p-"}}, Limit: n, Page: 1,
			})
		},
		"groups": func(n int) (*reply.Body, error) { return b.ListingGroups(t.Context(), s.by, ids[:n], "jp") },
	} {
		for _, n := range []int{1, 30} {
			*asked = nil
			body, err := ask(n)
			if err != nil || strings.Count(body.String(), `"productId":`)+strings.Count(body.String(), `"handle":`) != n {
				t.Fatalf("%s of %d: %s %v", name, n, body, err)
			}
			seen := map[string]bool{}
			for _, slug := range *asked {
				if seen[slug] {
					t.Errorf("%s of %d: %s were asked for more than once: %v", name, n, slug, *asked)
				}
				seen[slug] = true
			}
			if len(seen) != 8 { // products, variants, options, market, its prices, categories, brands, media
				t.Errorf("%s of %d: asked %v", name, n, *asked)
			}
		}
	}
}

// oversizedStore is a store with more variants than any response may embed.
type oversizedStore struct{ ports.Store }

func (c oversizedStore) Read(scope ports.Scope) ports.Reader {
	return oversizedReader{c.Store.Read(scope)}
}

type oversizedReader struct{ ports.Reader }

func (c oversizedReader) Find(ctx context.Context, q collection.Query) (collection.Page, error) {
	page, err := c.Reader.Find(ctx, q)
	for q.Schema == catalog.Variants && err == nil && len(page.Docs) < q.Limit {
		page.Docs = append(page.Docs, page.Docs[0])
	}
	return page, err
}

func TestTooManyEmbeddedVariantsAreRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	b, _ := s.service()
	b.Store = oversizedStore{b.Store}
	if _, err := b.Listing(t.Context(), s.by, storefront.ListingQuery{Limit: 10, Page: 1}); !errors.Is(err, records.ErrAnswerTooLarge) {
		t.Errorf("got %v", err)
	}
}

// A key without the read scope reads nothing, with any operation.
func TestStorefrontAccess(t *testing.T) {
	t.Parallel()
	s := open(t)
	b, _ := s.service()
	for name, by := range map[string]tenant.Principal{
		"a key that only writes": {Kind: tenant.SecretKey, Tenant: s.by.Tenant, Environment: tenant.Live, CanWrite: true},
		"nobody":                 {Kind: tenant.Anonymous, Tenant: s.by.Tenant},
	} {
		_, _, detail := b.ProductDetail(t.Context(), by, storefront.ProductQuery{ID: "shirt"})
		_, listing := b.Listing(t.Context(), by, storefront.ListingQuery{})
		_, groups := b.ListingGroups(t.Context(), by, []string{"shirt"}, "")
		_, check := b.CheckStock(t.Context(), by, []inventory.Demand{{Variant: "v-l", Quantity: 1}}, true)
		for _, err := range []error{detail, listing, groups, check} {
			if kind := fault.From(err).Kind; kind != fault.Forbidden && kind != fault.Unauthenticated {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	s.by.CanWrite = false
	if _, err := b.CheckStock(t.Context(), s.by, nil, true); err != nil {
		t.Errorf("reading needs no right to write: %v", err)
	}
}

// A value's image is that of the first variant with its own image, else the product's; a deleted one is
// ignored.
func TestOptionValueImageFallsBackToTheProduct(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.variant(record{"id": "v-l2", "product": "shirt", "position": int64(3), "optionValues": []string{"s"}, "images": []string{"gone"}}, 0)
	b, _ := s.service()
	body, err := b.ListingGroups(t.Context(), s.by, []string{"shirt"}, "")
	var answer object
	if err = errors.Join(err, json.Unmarshal(body.Bytes(), &answer)); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"https://img.example/front.jpg", "https://img.example/back.jpg"} {
		if got := at(answer, "groups", 0, "items", i, "image", "url"); got != want {
			t.Errorf("value %d: %v", i, got)
		}
	}
}
