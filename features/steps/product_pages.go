package steps

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
)

// productPageSteps reads single products with their price and stock.
type productPageSteps struct {
	*client

	catalog *catalogSteps
}

func newProductPageSteps(c *client, catalog *catalogSteps) *productPageSteps {
	return &productPageSteps{client: c, catalog: catalog}
}

func (s *productPageSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^a visitor opens the product "([^"]*)"$`, func(ctx context.Context, name string) error { return s.readAsVisitor(ctx, name, "") }},
		{`^a visitor from market "([^"]*)" opens the product "([^"]*)"$`, func(ctx context.Context, market, name string) error {
			return s.readAsVisitor(ctx, name, market)
		}},
		{`^a visitor opens a product that does not exist$`, s.readMissing},
		{`^the shop's server reads the product "([^"]*)"$`, s.readAsServer},
		{`^the product is shown at ([0-9.]+) ([A-Z]{3})$`, s.wantPrice},
		{`^the product is not shown because "([^"]*)"$`, s.wantNotShown},
		{`^the source of the price is "([^"]*)"$`, s.wantPriceSource},
		{`^no stock quantity is shown$`, s.wantNoStock},
		{`^a stock of (\d+) is shown$`, s.wantStock},
	}
}

func (s *productPageSteps) detail(ctx context.Context, prefix, id, market string, header map[string]string) error {
	query := url.Values{"id": {id}}
	if market != "" {
		query.Set("market", market)
	}
	return s.try(ctx, request{"GET", prefix + "/products/detail?" + query.Encode(), nil, header})
}

func (s *productPageSteps) readAsVisitor(ctx context.Context, name, market string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	return s.detail(ctx, publicAPI, p.id, market, s.asVisitor())
}

func (s *productPageSteps) readMissing(ctx context.Context) error {
	return s.detail(ctx, publicAPI, missingID, "", s.asVisitor())
}

func (s *productPageSteps) readAsServer(ctx context.Context, name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	return s.detail(ctx, serverAPI, p.id, "", s.asServer())
}

func (s *productPageSteps) variant() any { return valueAt(s.got.body, "product", "variants", 0) }

func (s *productPageSteps) wantPrice(amount, currency string) error {
	if err := s.wantSuccess(); err != nil {
		return err
	}
	if err := equal("being found", s.got.body["found"], "true"); err != nil {
		return err
	}
	if err := equal("the currency", valueAt(s.variant(), "resolvedPrice", "currency"), currency); err != nil {
		return err
	}
	return equal("the price", valueAt(s.variant(), "resolvedPrice", "amount"), amount)
}

func (s *productPageSteps) wantNotShown(reason string) error {
	if s.got.ok() || text(s.got.body, "found") != "false" || text(s.got.body, "reason") != reason || s.got.body["product"] != nil {
		return fmt.Errorf("it %s", s.got)
	}
	return nil
}

func (s *productPageSteps) wantPriceSource(want string) error {
	return equal("the source of the price", valueAt(s.variant(), "resolvedPrice", "source"), want)
}

var stockFields = regexp.MustCompile(`"(stock|reserved|availableQuantity|lowStockThreshold|lowStock|costPrice)"`)

func (s *productPageSteps) wantNoStock() error {
	if found := stockFields.Find(s.got.raw); found != nil || !s.got.ok() {
		return fmt.Errorf("%s is shown: it %s", found, s.got)
	}
	return nil
}

func (s *productPageSteps) wantStock(want string) error {
	return equal("the stock", valueAt(s.variant(), "stock"), want)
}
