package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/cucumber/godog"
)

// catalogSteps keeps the products of the shop and its markets.
type catalogSteps struct {
	*client

	products map[string]product // by name
	markets  map[string]string  // ids by code
}

func newCatalogSteps(c *client) *catalogSteps {
	return &catalogSteps{client: c, products: map[string]product{}, markets: map[string]string{}}
}

func (s *catalogSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop has a market "([^"]*)" in ([A-Z]{3}) with an exchange rate of ([0-9.]+)$`, s.createMarket},
		{`^"([^"]*)" is unpublished$`, s.unpublish},
		{`^a shop that sells$`, s.openSellingShop},
		{`^the shop sells "([^"]*)" for (\d+) ([A-Z]{3}) in market "([^"]*)"$`, s.sellInMarket},
		{`^the price of "([^"]*)" becomes (\d+)$`, s.setPrice},
		{`^(\d+) "([^"]*)" (?:is|are) left in stock$`, s.wantStock},
		{`^the shop (starts|stops) tracking the stock of "([^"]*)"$`, s.setTracking},
	}
}

// product is something the shop sells, with the id of its one variant.
type product struct{ id, variant string }

// line is a quantity of a product that a step asks for.
type line struct {
	quantity int
	name     string // of the product
}

func (s *catalogSteps) createMarket(ctx context.Context, code, currency, rate string) error {
	made, err := s.must(ctx, request{"POST", "/api/markets", object{
		"name": "Market " + code, "code": code, "currency": currency, "exchangeRate": json.Number(rate), "status": "active",
	}, s.asServer()})
	s.markets[code] = text(made.body, "doc", "id")
	return err
}

func (s *catalogSteps) unpublish(ctx context.Context, name string) error {
	p, err := s.product(name)
	if err != nil {
		return err
	}
	_, err = s.must(ctx, request{"PATCH", "/api/products/" + p.id, object{"status": "draft"}, s.asServer()})
	return err
}

// items are lines as the API takes them.
func (s *catalogSteps) items(lines []line) (items []any, err error) {
	for _, l := range lines {
		p, err := s.product(l.name)
		if err != nil {
			return nil, err
		}
		items = append(items, object{"variantId": p.variant, "quantity": l.quantity})
	}
	return items, nil
}

// openSellingShop opens a shop with products. It takes a table with the columns product and price, and maybe
// stock, kind, status and tax.
func (s *catalogSteps) openSellingShop(ctx context.Context, table *godog.Table) error {
	if err := s.openShop(ctx); err != nil {
		return err
	}
	for _, row := range table.Rows[1:] {
		cells := map[string]string{}
		for i, cell := range row.Cells {
			cells[table.Rows[0].Cells[i].Value] = cell.Value
		}
		if err := s.addProduct(ctx, cells); err != nil {
			return err
		}
	}
	return nil
}

func (s *catalogSteps) addProduct(ctx context.Context, row map[string]string) error {
	variant := object{"stock": json.Number(firstNonEmpty(row["stock"], "100"))}
	switch row["kind"] {
	case "digital", "service", "event":
		variant["kind"], variant["requiresShipping"] = row["kind"], false
	}
	made, err := s.must(ctx, request{"POST", "/api/products", object{
		"name": row["product"], "status": firstNonEmpty(row["status"], "published"), "price": json.Number(row["price"]),
		"taxClass": taxClass(row["tax"]), "variants": []any{variant},
	}, s.asServer()})
	if err != nil {
		return err
	}
	id := text(made.body, "doc", "id")
	query := url.Values{"where[product][equals]": {id}}
	found, err := s.must(ctx, request{"GET", "/api/product-variants?" + query.Encode(), nil, s.asServer()})
	if err != nil {
		return err
	}
	if n := text(found.body, "totalDocs"); n != "1" {
		return fmt.Errorf("%s has %s variants", row["product"], n)
	}
	s.products[row["product"]] = product{id, text(found.body, "docs", 0, "id")}
	return nil
}

func (s *catalogSteps) product(name string) (product, error) {
	p, ok := s.products[name]
	if !ok {
		return p, fmt.Errorf("the shop does not sell %q", name)
	}
	return p, nil
}

func (s *catalogSteps) sellInMarket(ctx context.Context, name, amount, currency, code string) error {
	p, err := s.product(name)
	if err != nil {
		return err
	}
	if s.markets[code] == "" {
		if err := s.createMarket(ctx, code, currency, "1"); err != nil {
			return err
		}
	}
	_, err = s.must(ctx, request{"POST", "/api/market-prices", object{
		"market": s.markets[code], "variant": p.variant, "amount": json.Number(amount),
	}, s.asServer()})
	return err
}

func (s *catalogSteps) setPrice(ctx context.Context, name, price string) error {
	p, err := s.product(name)
	if err != nil {
		return err
	}
	_, err = s.must(ctx, request{"PATCH", "/api/products/" + p.id, object{"price": json.Number(price)}, s.asServer()})
	if err != nil || len(s.target.URLs) == 1 {
		return err
	}
	return eventually(ctx, func(ctx context.Context) error { // carts of other processes: within a second, as package offers says
		for range s.target.URLs {
			made, err := s.must(ctx, request{"POST", "/api/commerce/carts", object{
				"items": []any{object{"variantId": p.variant, "quantity": 1}},
			}, s.asVisitor()})
			if err == nil {
				err = equal("the price", valueAt(made.body, "cart", "totals", "subtotal"), price)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *catalogSteps) setTracking(ctx context.Context, startsOrStops, name string) error {
	p, err := s.product(name)
	if err != nil {
		return err
	}
	_, err = s.must(ctx, request{"PATCH", "/api/product-variants/" + p.variant, object{
		"trackInventory": startsOrStops == "starts",
	}, s.asServer()})
	return err
}

func (s *catalogSteps) wantStock(ctx context.Context, want, name string) error {
	p, err := s.product(name)
	if err != nil {
		return err
	}
	got, err := s.must(ctx, request{"GET", "/api/product-variants/" + p.variant, nil, s.asServer()})
	if err != nil {
		return err
	}
	return equal("stock of "+name, got.body["stock"], want)
}
