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

// searchSteps lists products by filters and changes many at once.
type searchSteps struct {
	*client

	catalog *catalogSteps
	brands  *brandSteps
}

func newSearchSteps(c *client, catalog *catalogSteps, brands *brandSteps) *searchSteps {
	return &searchSteps{client: c, catalog: catalog, brands: brands}
}

func (s *searchSteps) definitions() []stepDefinition {
	staff := func(query func(string) url.Values) func(context.Context, string) error {
		return func(ctx context.Context, word string) error { return s.list(ctx, s.asServer(), query(word)) }
	}
	return append([]stepDefinition{
		{`^a shop with the products$`, s.openSellingShop},
		{`^the integrator lists products that cost from (\d+) to (\d+)$`, func(ctx context.Context, from, to string) error {
			return s.list(ctx, s.asServer(), url.Values{"where[price][greater_than_equal]": {from}, "where[price][less_than_equal]": {to}})
		}},
		{`^the integrator lists products of the brand "([^"]*)"$`, staff(ofBrand)},
		{`^the integrator searches products for "([^"]*)"$`, staff(searched)},
		{`^the integrator lists products without a brand$`, func(ctx context.Context) error {
			return s.list(ctx, s.asServer(), url.Values{"where[brand][exists]": {"false"}})
		}},
		{`^the integrator lists products by brand and descending price$`, func(ctx context.Context) error {
			return s.list(ctx, s.asServer(), url.Values{"sort": {"brand.name,-price"}})
		}},
		{`^the integrator reads all pages of products, (\d+) per page$`, s.listAllPages},
		{`^the integrator lists products with their brands$`, func(ctx context.Context) error {
			return s.list(ctx, s.asServer(), url.Values{"depth": {"1"}, "populate[brands][name]": {"true"}})
		}},
		{`^the integrator lists only the prices of products$`, func(ctx context.Context) error {
			return s.list(ctx, s.asServer(), url.Values{"select[price]": {"true"}})
		}},
		{`^the integrator lists products by a misspelled filter$`, func(ctx context.Context) error {
			return s.list(ctx, s.asServer(), url.Values{"were[brand][exists]": {"true"}})
		}},
		{`^it finds the products "([^"]*)"$`, s.wantProducts},
		{`^a visitor finds the products "([^"]*)"$`, func(ctx context.Context, want string) error {
			if err := s.list(ctx, s.asVisitor(), url.Values{}); err != nil {
				return err
			}
			return s.wantProducts(want)
		}},
		{`^the product "([^"]*)" shows the brand "([^"]*)"$`, s.wantBrandShown},
		{`^the product that costs (\d+) shows no other field$`, s.wantPriceOnly},
		{`^(\d+) products? (?:was|were) changed$`, func(n int) error { return s.wantCount("docs", n) }},
		{`^(\d+) products? (?:is|are) reported as refused$`, func(n int) error { return s.wantCount("errors", n) }},
	}, s.changeDefinitions()...)
}

// changeDefinitions are what visitors can find, and bulk changes.
func (s *searchSteps) changeDefinitions() []stepDefinition {
	return []stepDefinition{
		{`^a visitor searches products for "([^"]*)"$`, func(ctx context.Context, words string) error {
			return s.list(ctx, s.asVisitor(), searched(words))
		}},
		{`^a visitor lists products with more than (\d+) in stock$`, func(ctx context.Context, n string) error {
			return s.list(ctx, s.asVisitor(), url.Values{"where[stock][greater_than]": {n}})
		}},
		{`^the integrator unpublishes all products of the brand "([^"]*)"$`, func(ctx context.Context, brand string) error {
			return s.try(ctx, request{"PATCH", "/api/products?" + ofBrand(brand).Encode(), object{"status": "draft"}, keyed(s.asServer())})
		}},
		{`^the integrator gives all products of the brand "([^"]*)" the same slug$`, func(ctx context.Context, brand string) error {
			return s.try(ctx, request{"PATCH", "/api/products?" + ofBrand(brand).Encode(), object{"slug": "the-same"}, s.asServer()})
		}},
		{`^the integrator deletes products without a filter$`, func(ctx context.Context) error {
			return s.try(ctx, request{"DELETE", "/api/products", nil, s.asServer()})
		}},
		{`^the product "([^"]*)" is published again$`, func(ctx context.Context, name string) error {
			_, err := s.must(ctx, request{
				"PATCH", "/api/products/" + s.catalog.products[name].id, object{"status": "published"}, s.asServer(),
			})
			return err
		}},
	}
}

func ofBrand(name string) url.Values { return url.Values{"where[brand.name][equals]": {name}} }

func searched(words string) url.Values { return url.Values{"where[name][like]": {words}} }

// openSellingShop opens a shop with products. It takes a table with the columns product, price, brand and status.
func (s *searchSteps) openSellingShop(ctx context.Context, table *godog.Table) error {
	if err := s.openShop(ctx); err != nil {
		return err
	}
	for _, row := range table.Rows[1:] {
		name, price, brand, status := row.Cells[0].Value, row.Cells[1].Value, row.Cells[2].Value, row.Cells[3].Value
		body := object{"name": name, "price": json.Number(price), "status": status}
		if brand != "" {
			if err := s.brands.createMissing(ctx, brand); err != nil {
				return err
			}
			body["brand"] = s.brands.ids[brand]
		}
		made, err := s.must(ctx, request{"POST", "/api/products", body, s.asServer()})
		if err != nil {
			return err
		}
		s.catalog.products[name] = product{id: text(made.body, "doc", "id")}
	}
	return nil
}

// list lists products, by name unless the query sorts them.
func (s *searchSteps) list(ctx context.Context, who map[string]string, query url.Values) error {
	if !query.Has("sort") {
		query.Set("sort", "name")
	}
	return s.try(ctx, request{"GET", "/api/products?" + query.Encode(), nil, who})
}

// listAllPages reads all pages and leaves all their records in the last answer.
func (s *searchSteps) listAllPages(ctx context.Context, size string) error {
	var all []any
	for page := "1"; page != ""; {
		if err := s.list(ctx, s.asServer(), url.Values{"limit": {size}, "page": {page}, "sort": {"price"}}); err != nil {
			return err
		}
		if err := s.wantSuccess(); err != nil {
			return err
		}
		all = append(all, list(s.got.body, "docs")...)
		page = text(s.got.body, "nextPage")
	}
	slices.SortFunc(all, func(a, b any) int { return strings.Compare(text(a, "name"), text(b, "name")) })
	s.got.body["docs"] = all
	return nil
}

func (s *searchSteps) wantProducts(want string) error {
	if got := strings.Join(names(s.got), ", "); got != want || !s.got.ok() {
		return fmt.Errorf("%q are shown; it %s", got, s.got)
	}
	return nil
}

func (s *searchSteps) wantBrandShown(product, brand string) error {
	for _, doc := range list(s.got.body, "docs") {
		if text(doc, "name") == product {
			return equal("the brand", valueAt(doc, "brand", "name"), brand)
		}
	}
	return fmt.Errorf("it %s", s.got)
}

func (s *searchSteps) wantPriceOnly(price string) error {
	for _, doc := range list(s.got.body, "docs") {
		if fields, _ := doc.(object); text(doc, "price") == price && len(fields) == 2 && text(doc, "id") != "" {
			return nil
		}
	}
	return fmt.Errorf("it %s", s.got)
}

func (s *searchSteps) wantCount(where string, n int) error {
	if s.got.body[where] == nil {
		return errors.New("it " + s.got.String())
	}
	return equal("their number", json.Number(strconv.Itoa(len(list(s.got.body, where)))), strconv.Itoa(n))
}
