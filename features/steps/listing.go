package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
)

func (w *world) listingSteps() []definition {
	return []definition{
		{`^a visitor lists what is on sale$`, func(ctx context.Context) error { return w.listing(ctx, url.Values{}) }},
		{`^a visitor from market "([^"]*)" lists what is on sale$`, func(ctx context.Context, market string) error {
			return w.listing(ctx, url.Values{"market": {market}})
		}},
		{`^a visitor lists what costs at most (\d+)$`, func(ctx context.Context, most string) error {
			return w.listing(ctx, url.Values{"where[price][less_than_equal]": {most}})
		}},
		{`^a visitor from market "([^"]*)" lists what costs at most (\d+)$`, func(ctx context.Context, market, most string) error {
			return w.listing(ctx, url.Values{"market": {market}, "where[price][less_than_equal]": {most}})
		}},
		{`^a visitor from market "([^"]*)" lists the cheapest first$`, func(ctx context.Context, market string) error {
			return w.listing(ctx, url.Values{"market": {market}, "sort": {"price"}})
		}},
		{`^the list shows (\d+) products?$`, func(want string) error { return equal("how many are listed", w.got.body["totalDocs"], want) }},
		{`^the list shows "([^"]*)" from ([0-9.]+) ([A-Z]{3})$`, w.wantInListing},
		{`^the list says "([^"]*)" is sold out$`, w.wantSoldOut},
		{`^"([^"]*)" comes in "([^"]*)" as "([^"]*)" for (\d+) and "([^"]*)" for (\d+)$`, w.makeChoices},
		{`^a visitor looks at the choices of "([^"]*)"$`, w.lookAtChoices},
		{`^"([^"]*)" of "([^"]*)" costs (\d+) ([A-Z]{3})$`, w.wantChoice},
		{`^there are no choices$`, w.wantNoChoices},
	}
}

func (w *world) listing(ctx context.Context, query url.Values) error {
	return w.try(ctx, request{"GET", public + "/products/listing?" + query.Encode(), nil, w.asVisitor()})
}

// listed is a product as the list shows it.
func (w *world) listed(name string) (any, error) {
	if err := w.succeeded(); err != nil {
		return nil, err
	}
	docs := list(w.got.body, "docs")
	i := slices.IndexFunc(docs, func(d any) bool { return text(d, "name") == name })
	if i < 0 {
		return nil, fmt.Errorf("%q is not listed: it %s", name, w.got)
	}
	return docs[i], nil
}

func (w *world) wantInListing(name, amount, currency string) error {
	p, err := w.listed(name)
	if err != nil {
		return err
	}
	if err := equal("the currency", dig(p, "priceRange", "currency"), currency); err != nil {
		return err
	}
	return equal("the lowest price", dig(p, "priceRange", "min"), amount)
}

func (w *world) wantSoldOut(name string) error {
	p, err := w.listed(name)
	if err != nil {
		return err
	}
	return equal("being available", dig(p, "availableForSale"), "false")
}

// makeChoices gives a product an option with two values: its variant is the first, a new one the second.
func (w *world) makeChoices(ctx context.Context, name, option, first, firstPrice, second, secondPrice string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	made, err := w.must(ctx, request{"POST", "/api/product-options", object{
		"product": g.product, "name": option, "values": []any{object{"label": first}, object{"label": second}},
	}, w.asOwner()})
	if err != nil {
		return err
	}
	value := func(i int) []any { return []any{text(made.body, "doc", "values", i, "id")} }
	if _, err := w.must(ctx, request{"PATCH", "/api/product-variants/" + g.variant, object{"optionValues": value(0), "price": json.Number(firstPrice)}, w.asOwner()}); err != nil {
		return err
	}
	_, err = w.must(ctx, request{"POST", "/api/product-variants", object{"product": g.product, "optionValues": value(1), "price": json.Number(secondPrice), "stock": 1}, w.asOwner()})
	return err
}

func (w *world) lookAtChoices(ctx context.Context, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	return w.try(ctx, request{"POST", public + "/products/listing-groups", object{"productIds": []any{g.product}}, w.asVisitor()})
}

func (w *world) wantChoice(label, option, amount, currency string) error {
	for _, g := range list(w.got.body, "groups") {
		for _, item := range list(g, "items") {
			if text(g, "optionName") != option || text(item, "label") != label {
				continue
			}
			if err := equal("the currency", dig(item, "priceRange", "currency"), currency); err != nil {
				return err
			}
			return equal("the price", dig(item, "priceRange", "min"), amount)
		}
	}
	return fmt.Errorf("%q of %q is no choice: it %s", label, option, w.got)
}

func (w *world) wantNoChoices() error {
	if !w.got.ok() || len(list(w.got.body, "groups")) > 0 {
		return fmt.Errorf("there are some: it %s", w.got)
	}
	return nil
}
