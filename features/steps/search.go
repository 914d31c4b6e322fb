package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/cucumber/godog"
)

func (w *world) searchSteps() []definition {
	staff := func(query func(string) url.Values) func(context.Context, string) error {
		return func(ctx context.Context, word string) error { return w.find(ctx, w.asOwner(), query(word)) }
	}
	return append(w.manySteps(), []definition{
		{`^a shop that offers$`, w.offer},
		{`^the integrator lists products from (\d+) to (\d+)$`, func(ctx context.Context, from, to string) error {
			return w.find(ctx, w.asOwner(), url.Values{"where[price][greater_than_equal]": {from}, "where[price][less_than_equal]": {to}})
		}},
		{`^the integrator lists products of the brand "([^"]*)"$`, staff(ofBrand)},
		{`^the integrator searches products for "([^"]*)"$`, staff(searched)},
		{`^the integrator lists products without a brand$`, func(ctx context.Context) error {
			return w.find(ctx, w.asOwner(), url.Values{"where[brand][exists]": {"false"}})
		}},
		{`^the integrator lists products by brand, the dearest first$`, func(ctx context.Context) error {
			return w.find(ctx, w.asOwner(), url.Values{"sort": {"brand.name,-price"}})
		}},
		{`^the integrator walks through all products, (\d+) at a time$`, w.walkProducts},
		{`^the integrator lists products with their brands$`, func(ctx context.Context) error {
			return w.find(ctx, w.asOwner(), url.Values{"depth": {"1"}, "populate[brands][name]": {"true"}})
		}},
		{`^the integrator lists nothing but the prices of products$`, func(ctx context.Context) error {
			return w.find(ctx, w.asOwner(), url.Values{"select[price]": {"true"}})
		}},
		{`^the integrator lists products by a misspelt filter$`, func(ctx context.Context) error {
			return w.find(ctx, w.asOwner(), url.Values{"were[brand][exists]": {"true"}})
		}},
		{`^it finds the products "([^"]*)"$`, w.wantProducts},
		{`^a visitor finds the products "([^"]*)"$`, func(ctx context.Context, want string) error {
			if err := w.find(ctx, w.asVisitor(), url.Values{}); err != nil {
				return err
			}
			return w.wantProducts(want)
		}},
		{`^the product "([^"]*)" shows the brand "([^"]*)"$`, w.wantBrandShown},
		{`^the product costing (\d+) shows nothing else$`, w.wantPriceOnly},
		{`^(\d+) products? (?:was|were) changed$`, func(n int) error { return w.wantMany("docs", n) }},
		{`^(\d+) products? (?:is|are) reported as refused$`, func(n int) error { return w.wantMany("errors", n) }},
	}...)
}

// manySteps are what visitors may find, and what integrators do to many products at once.
func (w *world) manySteps() []definition {
	return []definition{
		{`^a visitor searches products for "([^"]*)"$`, func(ctx context.Context, words string) error {
			return w.find(ctx, w.asVisitor(), searched(words))
		}},
		{`^a visitor lists products with more than (\d+) in stock$`, func(ctx context.Context, n string) error {
			return w.find(ctx, w.asVisitor(), url.Values{"where[stock][greater_than]": {n}})
		}},
		{`^the integrator takes all products of the brand "([^"]*)" off the shelves$`, func(ctx context.Context, brand string) error {
			return w.try(ctx, request{"PATCH", "/api/products?" + ofBrand(brand).Encode(), object{"status": "draft"}, keyed(w.asOwner())})
		}},
		{`^the integrator gives all products of the brand "([^"]*)" the same handle$`, func(ctx context.Context, brand string) error {
			return w.try(ctx, request{"PATCH", "/api/products?" + ofBrand(brand).Encode(), object{"slug": "the-same"}, w.asOwner()})
		}},
		{`^the integrator deletes products without saying which$`, func(ctx context.Context) error {
			return w.try(ctx, request{"DELETE", "/api/products", nil, w.asOwner()})
		}},
		{`^the product "([^"]*)" is put back on the shelves$`, func(ctx context.Context, name string) error {
			_, err := w.must(ctx, request{"PATCH", "/api/products/" + w.goods[name].product, object{"status": "published"}, w.asOwner()})
			return err
		}},
	}
}

func ofBrand(name string) url.Values   { return url.Values{"where[brand.name][equals]": {name}} }
func searched(words string) url.Values { return url.Values{"where[name][like]": {words}} }

// offer takes a table: product, price, brand and status.
func (w *world) offer(ctx context.Context, table *godog.Table) error {
	if err := w.openEmptyShop(ctx); err != nil {
		return err
	}
	for _, row := range table.Rows[1:] {
		name, price, brand, status := row.Cells[0].Value, row.Cells[1].Value, row.Cells[2].Value, row.Cells[3].Value
		product := object{"name": name, "price": json.Number(price), "status": status}
		if brand != "" {
			if w.records[brand] == "" {
				if err := w.makeBrands(ctx, brand); err != nil {
					return err
				}
			}
			product["brand"] = w.records[brand]
		}
		made, err := w.must(ctx, request{"POST", "/api/products", product, w.asOwner()})
		if err != nil {
			return err
		}
		w.goods[name] = good{product: text(made.body, "doc", "id")}
	}
	return nil
}

// find lists products, by name unless the query has an order.
func (w *world) find(ctx context.Context, who map[string]string, query url.Values) error {
	if !query.Has("sort") {
		query.Set("sort", "name")
	}
	return w.try(ctx, request{"GET", "/api/products?" + query.Encode(), nil, who})
}

// walkProducts follows the pages to their end and leaves all their records in the last answer.
func (w *world) walkProducts(ctx context.Context, size string) error {
	var all []any
	for page := "1"; page != ""; {
		if err := w.find(ctx, w.asOwner(), url.Values{"limit": {size}, "page": {page}, "sort": {"price"}}); err != nil {
			return err
		}
		if err := w.succeeded(); err != nil {
			return err
		}
		all = append(all, list(w.got.body, "docs")...)
		page = text(w.got.body, "nextPage")
	}
	slices.SortFunc(all, func(a, b any) int { return strings.Compare(text(a, "name"), text(b, "name")) })
	w.got.body["docs"] = all
	return nil
}

func (w *world) wantProducts(want string) error {
	if got := strings.Join(w.shown(), ", "); got != want || !w.got.ok() {
		return fmt.Errorf("%q are shown; it %s", got, w.got)
	}
	return nil
}

func (w *world) wantBrandShown(product, brand string) error {
	for _, doc := range list(w.got.body, "docs") {
		if text(doc, "name") == product {
			return equal("the brand", dig(doc, "brand", "name"), brand)
		}
	}
	return fmt.Errorf("it %s", w.got)
}

func (w *world) wantPriceOnly(price string) error {
	for _, doc := range list(w.got.body, "docs") {
		if fields, _ := doc.(object); text(doc, "price") == price && len(fields) == 2 && text(doc, "id") != "" {
			return nil
		}
	}
	return fmt.Errorf("it %s", w.got)
}

func (w *world) wantMany(where string, n int) error {
	if w.got.body[where] == nil {
		return errors.New("it " + w.got.String())
	}
	return equal("their number", json.Number(strconv.Itoa(len(list(w.got.body, where)))), strconv.Itoa(n))
}
