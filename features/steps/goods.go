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

// goodsSteps search the goods of the shop as its shoppers do.
type goodsSteps struct {
	*client

	catalog *catalogSteps
	brands  *brandSteps

	categories map[string]string // ids by name
}

func newGoodsSteps(c *client, catalog *catalogSteps, brands *brandSteps) *goodsSteps {
	return &goodsSteps{client: c, catalog: catalog, brands: brands, categories: map[string]string{}}
}

func (s *goodsSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^a shop with the goods$`, s.openShopWith},
		{`^the other shop sells the goods "([^"]*)"$`, s.sellElsewhere},
		{`^a shopper looks for "([^"]*)"$`, func(ctx context.Context, what string) error {
			return s.look(ctx, s.asVisitor(), url.Values{"q": {what}})
		}},
		{`^a shopper looks for all goods of the brands "([^"]*)"$`, s.lookForBrands},
		{`^a shopper from market "([^"]*)" looks for goods from (\d+) to (\d+)$`, func(ctx context.Context, market, from, to string) error {
			return s.look(ctx, s.asVisitor(), url.Values{"market": {market}, "minPrice": {from}, "maxPrice": {to}})
		}},
		{`^a shopper of the other shop looks for "([^"]*)"$`, func(ctx context.Context, what string) error {
			other, err := s.otherShop(ctx)
			if err != nil {
				return err
			}
			return s.look(ctx, map[string]string{"X-Client-Key": other.TestClientKey}, url.Values{"q": {what}})
		}},
		{`^the goods "([^"]*)" are found$`, s.wantFound},
		{`^no goods are found$`, func(ctx context.Context) error { return s.wantFound(ctx, "") }},
		{`^"([^"]*)" was taken for "([^"]*)"$`, s.wantCorrected},
		{`^the (brands|categories) to choose from are "([^"]*)"$`, s.wantChoice},
	}
}

// openShopWith opens a shop with the goods of a table with the columns product, brand, category and price, and waits until they are found.
func (s *goodsSteps) openShopWith(ctx context.Context, table *godog.Table) error {
	if err := s.openShop(ctx); err != nil {
		return err
	}
	for _, row := range table.Rows[1:] {
		name, brand, category, price := row.Cells[0].Value, row.Cells[1].Value, row.Cells[2].Value, row.Cells[3].Value
		if err := s.brands.createMissing(ctx, brand); err != nil {
			return err
		}
		if err := s.createCategory(ctx, category); err != nil {
			return err
		}
		made, err := s.must(ctx, request{"POST", "/api/products", object{
			"name": name, "price": json.Number(price), "status": "published", "brand": s.brands.ids[brand], "category": s.categories[category],
		}, s.asServer()})
		if err != nil {
			return err
		}
		s.catalog.products[name] = product{id: text(made.body, "doc", "id")}
	}
	return s.waitForAll(ctx, s.asVisitor(), len(table.Rows)-1)
}

func (s *goodsSteps) createCategory(ctx context.Context, name string) error {
	if s.categories[name] != "" {
		return nil
	}
	made, err := s.must(ctx, request{"POST", "/api/categories", object{"name": name}, s.asServer()})
	s.categories[name] = text(made.body, "doc", "id")
	return err
}

func (s *goodsSteps) sellElsewhere(ctx context.Context, name string) error {
	other, err := s.otherShop(ctx)
	if err != nil {
		return err
	}
	if _, err := s.must(ctx, request{"POST", "/api/products", object{
		"name": name, "price": json.Number("1000"), "status": "published",
	}, withSecretKey(other.TestSecretKey)}); err != nil {
		return err
	}
	return s.waitForAll(ctx, map[string]string{"X-Client-Key": other.TestClientKey}, 1)
}

// waitForAll waits until a shop's index has so many goods: it is about a second behind.
func (s *goodsSteps) waitForAll(ctx context.Context, who map[string]string, n int) error {
	return eventually(ctx, func(ctx context.Context) error {
		if err := s.look(ctx, who, url.Values{}); err != nil {
			return err
		}
		return equal("their number", json.Number(strconv.Itoa(len(list(s.got.body, "docs")))), strconv.Itoa(n))
	})
}

func (s *goodsSteps) look(ctx context.Context, who map[string]string, query url.Values) error {
	return s.try(ctx, request{"GET", "/api/commerce/products/search?" + query.Encode(), nil, who})
}

func (s *goodsSteps) lookForBrands(ctx context.Context, names string) error {
	query := url.Values{}
	for name := range strings.SplitSeq(names, ", ") {
		query.Add("brands", s.brands.ids[name])
	}
	return s.look(ctx, s.asVisitor(), query)
}

// wantFound compares the names of what is found, by name.
func (s *goodsSteps) wantFound(_ context.Context, want string) error {
	if !s.got.ok() {
		return errors.New("it " + s.got.String())
	}
	found := names(s.got)
	slices.Sort(found)
	return equal("the goods", strings.Join(found, ", "), want)
}

func (s *goodsSteps) wantCorrected(typed, taken string) error {
	for _, c := range list(s.got.body, "corrections") {
		if text(c, "typed") == typed && text(c, "taken") == taken {
			return nil
		}
	}
	return fmt.Errorf("it %s", s.got)
}

// wantChoice compares the values of a facet with their counts, those with the most goods first.
func (s *goodsSteps) wantChoice(facet, want string) error {
	var all []string
	for _, value := range list(s.got.body, "facets", facet) {
		all = append(all, text(value, "name")+" "+text(value, "count"))
	}
	return equal("the "+facet, strings.Join(all, ", "), want)
}
