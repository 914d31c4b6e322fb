package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// stockSteps checks whether products are available, and finds those that are low in stock.
type stockSteps struct {
	*client

	catalog *catalogSteps
	form    product // that an operator has open
}

func newStockSteps(c *client, catalog *catalogSteps) *stockSteps {
	return &stockSteps{client: c, catalog: catalog}
}

func (s *stockSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{
			`^a visitor checks the stock for (\d+) "([^"]*)" and (\d+) "([^"]*)"$`,
			func(ctx context.Context, n int, name string, n2 int, name2 string) error {
				return s.check(ctx, publicAPI, s.asVisitor(), line{n, name}, line{n2, name2})
			},
		},
		{`^the shop's server checks the stock for (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error {
			return s.check(ctx, serverAPI, s.asServer(), line{n, name})
		}},
		{`^everything is available$`, func() error { return equal("everything being available", s.got.body["allAvailable"], "true") }},
		{`^"([^"]*)" is not available because "([^"]*)"$`, s.wantUnavailable},
		{`^at most (\d+) "([^"]*)" are available$`, s.wantAvailable},
		{`^the shop sets a low-stock threshold of (\d+) for "([^"]*)"$`, s.setThreshold},
		{`^"([^"]*)" is (not )?low in stock$`, s.wantLow},
		{`^an operator has opened the form of "([^"]*)"$`, s.openForm},
		{`^the operator saves the form with a stock of (\d+)$`, s.saveForm},
		{`^the operator adds (\d+) "([^"]*)" because "([^"]*)"$`, s.addUnits},
		{`^the stock of "([^"]*)" moved by (.+)$`, s.wantMovements},
	}
}

func (s *stockSteps) check(ctx context.Context, prefix string, header map[string]string, lines ...line) error {
	items, err := s.catalog.items(lines)
	if err != nil {
		return err
	}
	return s.try(ctx, request{"POST", prefix + "/products/stock-check", object{"items": items}, header})
}

// result is the part of the last answer about a product.
func (s *stockSteps) result(name string) (any, error) {
	p, err := s.catalog.product(name)
	if err != nil {
		return nil, err
	}
	for _, item := range list(s.got.body, "items") {
		if text(item, "variantId") == p.variant {
			return item, nil
		}
	}
	return nil, fmt.Errorf("the answer does not have %q: it %s", name, s.got)
}

func (s *stockSteps) wantUnavailable(name, reason string) error {
	item, err := s.result(name)
	if err != nil {
		return err
	}
	if text(item, "available") != "false" || text(s.got.body, "allAvailable") != "false" {
		return fmt.Errorf("it is available: it %s", s.got)
	}
	return equal("the reason", valueAt(item, "reason"), reason)
}

func (s *stockSteps) wantAvailable(want, name string) error {
	item, err := s.result(name)
	if err != nil {
		return err
	}
	return equal("the available quantity", valueAt(item, "availableQuantity"), want)
}

func (s *stockSteps) setThreshold(ctx context.Context, n, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	_, err = s.must(ctx, request{"PATCH", "/api/products/" + p.id, object{"lowStockThreshold": json.Number(n)}, s.asServer()})
	return err
}

func (s *stockSteps) openForm(name string) (err error) {
	s.form, err = s.catalog.product(name)
	return err
}

func (s *stockSteps) saveForm(ctx context.Context, n string) error {
	return s.try(ctx, request{"PATCH", "/api/product-variants/" + s.form.variant, object{"stock": json.Number(n)}, s.asServer()})
}

func (s *stockSteps) addUnits(ctx context.Context, n, name, reason string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	change := object{"delta": json.Number(n), "reason": reason}
	_, err = s.must(ctx, request{"POST", "/api/product-variants/" + p.variant + "/stock", change, s.asServer()})
	return err
}

func (s *stockSteps) wantMovements(ctx context.Context, name, want string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	query := url.Values{"where[variant][equals]": {p.variant}, "sort": {"createdAt,id"}}
	found, err := s.must(ctx, request{"GET", "/api/stock-movements?" + query.Encode(), nil, s.asServer()})
	if err != nil {
		return err
	}
	var moved []string
	for _, m := range list(found.body, "docs") {
		moved = append(moved, text(m, "delta"))
	}
	return equal("the movements", strings.Join(moved, ", "), want)
}

func (s *stockSteps) wantLow(ctx context.Context, name, not string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	query := url.Values{"where[lowStock][equals]": {"true"}, "where[id][equals]": {p.id}}
	found, err := s.must(ctx, request{"GET", "/api/products/count?" + query.Encode(), nil, s.asServer()})
	if err != nil {
		return err
	}
	want := "1"
	if not != "" {
		want = "0"
	}
	return equal("the number of products low in stock", found.body["totalDocs"], want)
}
