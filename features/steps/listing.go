package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
)

// listingSteps lists products with their lowest price, and the options they come in.
type listingSteps struct {
	*client

	catalog *catalogSteps
}

func newListingSteps(c *client, catalog *catalogSteps) *listingSteps {
	return &listingSteps{client: c, catalog: catalog}
}

func (s *listingSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^a visitor lists the products$`, func(ctx context.Context) error { return s.list(ctx, url.Values{}) }},
		{`^a visitor from market "([^"]*)" lists the products$`, func(ctx context.Context, market string) error {
			return s.list(ctx, url.Values{"market": {market}})
		}},
		{`^a visitor lists the products that cost at most (\d+)$`, func(ctx context.Context, most string) error {
			return s.list(ctx, url.Values{"where[price][less_than_equal]": {most}})
		}},
		{
			`^a visitor from market "([^"]*)" lists the products that cost at most (\d+)$`,
			func(ctx context.Context, market, most string) error {
				return s.list(ctx, url.Values{"market": {market}, "where[price][less_than_equal]": {most}})
			},
		},
		{`^a visitor from market "([^"]*)" lists the products by price$`, func(ctx context.Context, market string) error {
			return s.list(ctx, url.Values{"market": {market}, "sort": {"price"}})
		}},
		{
			`^the list shows (\d+) products?$`,
			func(want string) error { return equal("the number of products", s.got.body["totalDocs"], want) },
		},
		{`^the list shows "([^"]*)" from ([0-9.]+) ([A-Z]{3})$`, s.wantLowestPrice},
		{`^the list shows "([^"]*)" as sold out$`, s.wantSoldOut},
		{`^"([^"]*)" comes in "([^"]*)" as "([^"]*)" for (\d+) and "([^"]*)" for (\d+)$`, s.makeOption},
		{`^a visitor lists the options of "([^"]*)"$`, s.readOptions},
		{`^"([^"]*)" of the option "([^"]*)" costs (\d+) ([A-Z]{3})$`, s.wantOptionValue},
		{`^no options are listed$`, s.wantNoOptions},
	}
}

func (s *listingSteps) list(ctx context.Context, query url.Values) error {
	return s.try(ctx, request{"GET", publicAPI + "/products/listing?" + query.Encode(), nil, s.asVisitor()})
}

// product is a product as the last answer lists it.
func (s *listingSteps) product(name string) (any, error) {
	if err := s.wantSuccess(); err != nil {
		return nil, err
	}
	docs := list(s.got.body, "docs")
	i := slices.IndexFunc(docs, func(d any) bool { return text(d, "name") == name })
	if i < 0 {
		return nil, fmt.Errorf("%q is not listed: it %s", name, s.got)
	}
	return docs[i], nil
}

func (s *listingSteps) wantLowestPrice(name, amount, currency string) error {
	p, err := s.product(name)
	if err != nil {
		return err
	}
	if err := equal("the currency", valueAt(p, "priceRange", "currency"), currency); err != nil {
		return err
	}
	return equal("the lowest price", valueAt(p, "priceRange", "min"), amount)
}

func (s *listingSteps) wantSoldOut(name string) error {
	p, err := s.product(name)
	if err != nil {
		return err
	}
	return equal("being available", valueAt(p, "availableForSale"), "false")
}

// makeOption gives a product an option with two values; its variant has the first, a new variant the second.
func (s *listingSteps) makeOption(ctx context.Context, name, option, first, firstPrice, second, secondPrice string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	made, err := s.must(ctx, request{"POST", "/api/product-options", object{
		"product": p.id, "name": option, "values": []any{object{"label": first}, object{"label": second}},
	}, s.asServer()})
	if err != nil {
		return err
	}
	value := func(i int) []any { return []any{text(made.body, "doc", "values", i, "id")} }
	if _, err := s.must(ctx, request{"PATCH", "/api/product-variants/" + p.variant, object{
		"optionValues": value(0), "price": json.Number(firstPrice),
	}, s.asServer()}); err != nil {
		return err
	}
	_, err = s.must(ctx, request{"POST", "/api/product-variants", object{
		"product": p.id, "optionValues": value(1), "price": json.Number(secondPrice), "stock": 1,
	}, s.asServer()})
	return err
}

func (s *listingSteps) readOptions(ctx context.Context, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	return s.try(ctx, request{"POST", publicAPI + "/products/listing-groups", object{"productIds": []any{p.id}}, s.asVisitor()})
}

func (s *listingSteps) wantOptionValue(label, option, amount, currency string) error {
	for _, g := range list(s.got.body, "groups") {
		for _, item := range list(g, "items") {
			if text(g, "optionName") != option || text(item, "label") != label {
				continue
			}
			if err := equal("the currency", valueAt(item, "priceRange", "currency"), currency); err != nil {
				return err
			}
			return equal("the price", valueAt(item, "priceRange", "min"), amount)
		}
	}
	return fmt.Errorf("%q of the option %q is not listed: it %s", label, option, s.got)
}

func (s *listingSteps) wantNoOptions() error {
	if !s.got.ok() || len(list(s.got.body, "groups")) > 0 {
		return fmt.Errorf("options are listed: it %s", s.got)
	}
	return nil
}
