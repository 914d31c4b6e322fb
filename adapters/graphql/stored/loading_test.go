package stored_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// store stores a record as its own use case would, without GraphQL.
func (s *shop) store(c *collection.Schema, input tree) string {
	s.Helper()
	by := s.by
	by.Kind = tenant.System // others can only upload media
	var made collection.Record
	err := s.content.Store.Atomically(s.Context(), ports.ForPrincipal(by), func(ctx context.Context, tx ports.Tx) (err error) {
		made, err = records.InTransaction{Service: s.content}.Create(ctx, tx, by, c, input)
		return err
	})
	if err != nil {
		s.Fatalf("%s: %v %v", c.Slug, err, fault.From(err).Fields)
	}
	return made.ID()
}

// stocked adds n products that share brands, categories and images and have a variant each, and returns their ids.
func (s *shop) stocked(n int) (ids []string) {
	s.Helper()
	image := func(name string) string { return s.store(media.Schema, tree{"filename": name, "alt": name}) }
	var brands, categories, images []any
	for i := range 3 {
		categories = append(categories, s.store(catalog.Categories, tree{"name": fmt.Sprint("C", i), "image": image(fmt.Sprint("c", i))}))
		brands = append(brands, s.store(catalog.Brands, tree{"name": fmt.Sprint("B", i), "image": image(fmt.Sprint("b", i))}))
		images = append(images, image(fmt.Sprint("p", i)))
	}
	for i := range n {
		ids = append(ids, s.store(catalog.Products, tree{
			"name": fmt.Sprintf("P%03d", i), "status": "published", "price": num(1000 + i), "brand": brands[i%3],
			"category": categories[i%3], "categories": categories, "images": []any{images[i%3], images[(i+1)%3]}, "stock": num(i),
		}))
	}
	return ids
}

func num(n int) collection.JSONNumber { return collection.JSONNumber(fmt.Sprint(n)) }

const deep = `name price
	brand { name image { alt } } category { name parent { name } image { alt } } categories { name image { alt } }
	images { alt } options { name product { name } }
	variants { sku product { brand { image { alt } } } }`

// Loading takes one query per level and collection, however many records a page has and however they are reached.
// Rule graphql-6.
func TestLevelLoadsOncePerCollection(t *testing.T) {
	bothDatabases(t, func(t *testing.T, s *shop) {
		ids := s.stocked(100)
		s.reads.take()
		got := s.data(`{ Products(limit: 100, sort: "name") { docs { `+deep+` } } }`, nil)
		// Below products: brands, categories, images and variants. Below those: the images of brands and
		// categories, which level one has loaded in part, and the products of the variants; their brands and
		// images are known by then.
		want := "find product-variants, find products, many brands, many categories, many media, many media, many products"
		if reads := s.reads.take(); reads != want {
			t.Errorf("a query reads %s", reads)
		}
		if n := strings.Count(got, `"sku"`); n != 100 {
			t.Errorf("%d variants", n)
		}
		first := `{"name":"P000","price":1000,"brand":{"name":"B0","image":{"alt":"b0"}},"category":{"name":"C0","parent":null,"image":{"alt":"c0"}},` +
			`"categories":[{"name":"C0","image":{"alt":"c0"}},{"name":"C1","image":{"alt":"c1"}},{"name":"C2","image":{"alt":"c2"}}],"images":[{"alt":"p0"},{"alt":"p1"}],` +
			`"options":[],"variants":[{"sku":null,"product":{"brand":{"image":{"alt":"b0"}}}}]}`
		if !strings.HasPrefix(got, `{"Products":{"docs":[`+first) {
			t.Errorf("%.900s", got)
		}
		// The result of a mutation is loaded in the same way, without reading the record that it wrote.
		s.reads.take()
		one := s.data(`mutation { updateProduct(id: "`+ids[0]+`", data: {price: 1000}) { `+deep+` } }`, nil)
		if one != `{"updateProduct":`+first+`}` {
			t.Errorf("%s", one)
		}
		if reads := s.reads.take(); reads != "find product-variants, many brands, many categories, many media, many media, many products" {
			t.Errorf("a mutation reads %s", reads)
		}
	})
}

// The fields of a mutation run in order, and none uses records that were loaded before an earlier one wrote.
func TestMutationsSeeEarlierMutations(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	s.stocked(1)
	brand := s.id(`mutation { createBrand(data: {name: "Old"}) { id } }`)
	out := s.execute(`mutation {
		b: createProduct(data: {name: "B", status: draft, price: 1, brand: "`+brand+`"}) { brand { name } }
		e: updateBrand(id: "nowhere", data: {name: "New"}) { name }
		c: updateBrand(id: "`+brand+`", data: {name: "New"}) { name }
		d: createProduct(data: {name: "D", status: draft, price: 1, brand: "`+brand+`"}) { brand { name } }
	}`, nil)
	if want := `{"b":{"brand":{"name":"Old"}},"e":null,"c":{"name":"New"},"d":{"brand":{"name":"New"}}}`; string(out.Data) != want ||
		len(out.Errors) != 1 {
		t.Errorf("%s", out.raw)
	}
}

// Relations to deleted records, and to records that the caller may not read, are null.
func TestUnreachableRecordsReadNull(t *testing.T) {
	bothDatabases(t, func(t *testing.T, s *shop) {
		s.stocked(1)
		tags := []string{s.id(`mutation { createTag(data: {name: "a"}) { id } }`), s.id(`mutation { createTag(data: {name: "b"}) { id } }`)}
		p := s.id(`mutation { createProduct(data: {name: "T", status: published, price: 1, tags: ["` + tags[0] + `", "` + tags[1] +
			`"]}) { id } }`)
		s.want(`mutation { deleteTag(id: "`+tags[0]+`") { name } }`, `{"deleteTag":{"name":"a"}}`)
		s.want(`{ Product(id: "`+p+`") { tags { name } brand { name } } }`, `{"Product":{"tags":[null,{"name":"b"}],"brand":null}}`)
		s.want(`{ Product(id: "`+p+`") { tenant { name } } }`, `{"Product":{"tenant":{"name":"Mine"}}}`)
		buyer := s.as(tenant.ClientKey)
		buyer.want(`{ Product(id: "`+p+`") { name tenant { name } tags { name } } }`,
			`{"Product":{"name":"T","tenant":null,"tags":[null,{"name":"b"}]}}`)
		s.data(`mutation { updateProduct(id: "`+p+`", data: {status: draft}) { id } }`, nil)
		buyer.refused(`{ Product(id: "`+p+`") { name } }`, "NOT_FOUND not_found")
	})
}

// A response embeds no more records than over REST.
func TestResponseSizeIsBounded(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	many := slices.Repeat([]any{s.store(catalog.Categories, tree{"name": "C"})}, 900)
	for i := range 6 {
		s.store(catalog.Products, tree{"name": fmt.Sprint("P", i), "status": "published", "price": num(1), "categories": many})
	}
	four := `{ docs { a: categories { id } b: categories { id } c: categories { id } d: categories { id } } } }`
	s.data(`{ Products(limit: 5) `+four, nil)
	if out := s.refused(`{ Products(limit: 6) `+four, "BAD_USER_INPUT answer_too_large"); string(out.Data) != "null" {
		t.Errorf("%.200s", out.raw)
	}
	// The result of a mutation is returned even when another field of it exceeds a limit.
	tag := s.id(`mutation { createTag(data: {name: "T"}) { id } }`)
	p := s.store(catalog.Products, tree{"name": "P", "status": "published", "price": num(1), "categories": many})
	lists := ""
	for i := range 24 {
		lists += fmt.Sprintf("c%d: categories { id } ", i)
	}
	out := s.refused(`mutation {
		a: updateTag(id: "`+tag+`", data: {name: "A"}) { name }
		b: updateProduct(id: "`+p+`", data: {name: "B"}) { name `+lists+` }
		c: updateTag(id: "`+tag+`", data: {name: "C"}) { name }
	}`, "BAD_USER_INPUT answer_too_large")
	if want := `{"a":{"name":"A"},"b":null,"c":{"name":"C"}}`; string(out.Data) != want {
		t.Errorf("%.300s", out.raw)
	}
}

// One schema serves many callers at the same time. The race detector finds what the library initializes at first use.
func TestConcurrentDocuments(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	s.stocked(3)
	buyer := s.as(tenant.ClientKey)
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			caller := []*shop{s, buyer}[i%2]
			for _, document := range []string{
				`{ Products(where: {status: {in: [published]}}) { docs { ` + deep + ` } } }`,
				`{ __schema { types { name kind fields { name type { kind name } } enumValues { name } } directives { name locations } } }`,
				`{ __type(name: "Product_where") { inputFields { name type { name kind } } } }`,
			} {
				if out := caller.execute(document+strings.Repeat(" ", i), nil); len(out.Errors) > 0 {
					t.Errorf("%.300s", out.raw)
				}
			}
		})
	}
	all.Wait()
}
