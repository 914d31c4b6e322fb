package browsing_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/browsing"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// counted is a store that notes which collections were asked, each time.
type counted struct {
	ports.Store

	asked *[]string
}

func (c counted) Read(scope ports.Scope) ports.Reader {
	return countedReads{c.Store.Read(scope), c.asked}
}

type countedReads struct {
	ports.Reader

	asked *[]string
}

func (c countedReads) Find(ctx context.Context, q collection.Query) (collection.Page, error) {
	*c.asked = append(*c.asked, q.Schema.Slug)
	return c.Reader.Find(ctx, q)
}

func (c countedReads) GetMany(ctx context.Context, s *collection.Schema, ids []string) (map[string]collection.Record, error) {
	*c.asked = append(*c.asked, s.Slug)
	return c.Reader.GetMany(ctx, s, ids)
}

// browsing are the use cases on the shop's store; asked tells what they ask of it.
func (s shop) browsing() (b *browsing.Browsing, asked *[]string) {
	asked = &[]string{}
	store := counted{s.store, asked}
	return &browsing.Browsing{Store: store, Content: &content.Content{Store: store, Registry: s.registry, Fold: strings.ToLower, Now: func() time.Time { return now }}}, asked
}

// fill adds n products, each with two sizes in three variants, a picture, a category and a fixed price.
func (s shop) fill(n int) (ids []string) {
	s.Helper()
	for i := range n {
		id := func(kind string) string { return fmt.Sprintf("%s-%d", kind, i) }
		s.put(catalog.Categories, record{"id": id("category"), "name": "C", "slug": id("category")})
		s.put(media.Schema, record{"id": id("image"), "url": "https://img.example/" + id("image")})
		s.put(catalog.Products, record{"id": id("p"), "name": id("p"), "slug": id("p"), "status": "published", "price": money.Of(1000, "KRW"), "category": id("category"), "images": []string{id("image")}, "brand": "acme"})
		s.put(catalog.Options, record{"id": id("option"), "product": id("p"), "name": "Size", "values": []record{{"id": id("s"), "label": "S"}, {"id": id("l"), "label": "L"}}})
		for k, value := range []string{"s", "l", "l"} {
			s.variant(record{"id": id(fmt.Sprint("v", k)), "product": id("p"), "position": int64(k), "optionValues": []string{id(value)}}, 1)
		}
		s.put(catalog.MarketPrices, record{"id": id("price"), "market": "m-jp", "variant": id("v0"), "currency": "JPY", "amount": money.Of(7, "JPY")})
		ids = append(ids, id("p"))
	}
	return ids
}

// However many products a page has, it takes one query for each kind of record.
func TestAPageTakesAQueryForEachKindOfRecord(t *testing.T) {
	t.Parallel()
	s := open(t)
	ids := s.fill(30)
	b, asked := s.browsing()
	for name, ask := range map[string]func(n int) ([]byte, error){
		"a listing": func(n int) ([]byte, error) {
			return b.Listing(t.Context(), s.by, browsing.Listed{Market: "jp", Where: map[string]any{"slug": map[string]any{"like": "p-"}}, Limit: n, Page: 1})
		},
		"groups": func(n int) ([]byte, error) { return b.ListingGroups(t.Context(), s.by, ids[:n], "jp") },
	} {
		for _, n := range []int{1, 30} {
			*asked = nil
			body, err := ask(n)
			if err != nil || strings.Count(string(body), `"productId":`)+strings.Count(string(body), `"handle":`) != n {
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

// crowded is a store with as many variants as anybody asks for.
type crowded struct{ ports.Store }

func (c crowded) Read(scope ports.Scope) ports.Reader { return crowdedReads{c.Store.Read(scope)} }

type crowdedReads struct{ ports.Reader }

func (c crowdedReads) Find(ctx context.Context, q collection.Query) (collection.Page, error) {
	page, err := c.Reader.Find(ctx, q)
	for q.Schema == catalog.Variants && err == nil && len(page.Docs) < q.Limit {
		page.Docs = append(page.Docs, page.Docs[0])
	}
	return page, err
}

func TestMoreVariantsThanAnAnswerHoldsAreRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	b, _ := s.browsing()
	b.Store = crowded{b.Store}
	if _, err := b.Listing(t.Context(), s.by, browsing.Listed{Limit: 10, Page: 1}); !errors.Is(err, content.ErrTooMuch) {
		t.Errorf("got %v", err)
	}
}

// A key without the right to read reads nothing, by whatever operation.
func TestWhoMayBrowse(t *testing.T) {
	t.Parallel()
	s := open(t)
	b, _ := s.browsing()
	for name, by := range map[string]tenant.Principal{
		"a key that only writes": {Kind: tenant.SecretKey, Tenant: s.by.Tenant, Environment: tenant.Live, CanWrite: true},
		"nobody":                 {Kind: tenant.Anonymous, Tenant: s.by.Tenant},
	} {
		_, _, detail := b.Detail(t.Context(), by, browsing.Wanted{ID: "shirt"})
		_, listing := b.Listing(t.Context(), by, browsing.Listed{})
		_, groups := b.ListingGroups(t.Context(), by, []string{"shirt"}, "")
		_, check := b.StockCheck(t.Context(), by, []inventory.Demand{{Variant: "v-l", Quantity: 1}}, true)
		for _, err := range []error{detail, listing, groups, check} {
			if kind := fault.From(err).Kind; kind != fault.Forbidden && kind != fault.Unauthenticated {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	s.by.CanWrite = false
	if _, err := b.StockCheck(t.Context(), s.by, nil, true); err != nil {
		t.Errorf("reading needs no right to write: %v", err)
	}
}

// A value's picture is that of the first variant with one of its own, else the product's; one that is gone is none.
func TestTheImageOfAnOptionValue(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.variant(record{"id": "v-l2", "product": "shirt", "position": int64(3), "optionValues": []string{"s"}, "images": []string{"gone"}}, 0)
	b, _ := s.browsing()
	body, err := b.ListingGroups(t.Context(), s.by, []string{"shirt"}, "")
	var answer object
	if err = errors.Join(err, json.Unmarshal(body, &answer)); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"https://img.example/front.jpg", "https://img.example/back.jpg"} {
		if got := at(answer, "groups", 0, "items", i, "image", "url"); got != want {
			t.Errorf("value %d: %v", i, got)
		}
	}
}
