package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/cucumber/godog"
)

func (w *world) shopSteps() []definition {
	return []definition{
		{`^a shop that sells$`, w.openShop},
		{`^a shop$`, w.openEmptyShop},
		{`^the shop sells "([^"]*)" for (\d+) ([A-Z]{3}) in market "([^"]*)"$`, w.sellInMarket},
		{`^the price of "([^"]*)" becomes (\d+)$`, w.reprice},
		{`^(\d+) "([^"]*)" (?:is|are) left in stock$`, w.wantStock},
		{`^the shop counts "([^"]*)"( no longer)?$`, w.countGoods},
		{`^(\d+) (second|minute|hour|day)s? pass(?:es)?$`, w.wait},
		{`^the (?:change|request|payment|checkout|purchase|login) is refused because "([^"]*)"$`, w.refused},
		{`^the (?:change|request|payment|checkout|login) succeeds$`, w.succeeded},
	}
}

func (w *world) openEmptyShop(ctx context.Context) (err error) {
	w.shop, err = w.target.Shop(ctx)
	return err
}

// openShop takes a table: product, price, and maybe stock, kind and status.
func (w *world) openShop(ctx context.Context, table *godog.Table) error {
	if err := w.openEmptyShop(ctx); err != nil {
		return err
	}
	for _, row := range table.Rows[1:] {
		cells := map[string]string{}
		for i, cell := range row.Cells {
			cells[table.Rows[0].Cells[i].Value] = cell.Value
		}
		if err := w.stockUp(ctx, cells); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) stockUp(ctx context.Context, row map[string]string) error {
	variant := object{"stock": json.Number(or(row["stock"], "100"))}
	switch row["kind"] {
	case "digital", "service", "event":
		variant["kind"], variant["requiresShipping"] = row["kind"], false
	}
	made, err := w.must(ctx, request{"POST", "/api/products", object{
		"name": row["product"], "status": or(row["status"], "published"), "price": json.Number(row["price"]), "variants": []any{variant},
	}, w.asOwner()})
	if err != nil {
		return err
	}
	product := text(made.body, "doc", "id")
	query := url.Values{"where[product][equals]": {product}}
	found, err := w.must(ctx, request{"GET", "/api/product-variants?" + query.Encode(), nil, w.asOwner()})
	if err != nil {
		return err
	}
	if n := text(found.body, "totalDocs"); n != "1" {
		return fmt.Errorf("%s has %s variants", row["product"], n)
	}
	w.goods[row["product"]] = good{product, text(found.body, "docs", 0, "id")}
	return nil
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

func (w *world) good(name string) (good, error) {
	g, ok := w.goods[name]
	if !ok {
		return g, fmt.Errorf("the shop does not sell %q", name)
	}
	return g, nil
}

func (w *world) sellInMarket(ctx context.Context, name, amount, currency, code string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	if w.markets[code] == "" {
		made, err := w.must(ctx, request{"POST", "/api/markets", object{
			"name": "Market " + code, "code": code, "currency": currency, "exchangeRate": json.Number("1"), "status": "active",
		}, w.asOwner()})
		if err != nil {
			return err
		}
		w.markets[code] = text(made.body, "doc", "id")
	}
	_, err = w.must(ctx, request{"POST", "/api/market-prices", object{
		"market": w.markets[code], "variant": g.variant, "amount": json.Number(amount),
	}, w.asOwner()})
	return err
}

func (w *world) reprice(ctx context.Context, name, price string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	_, err = w.must(ctx, request{"PATCH", "/api/products/" + g.product, object{"price": json.Number(price)}, w.asOwner()})
	return err
}

// countGoods has units of a product counted from now on, or not any more.
func (w *world) countGoods(ctx context.Context, name, no string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	_, err = w.must(ctx, request{"PATCH", "/api/product-variants/" + g.variant, object{"trackInventory": no == ""}, w.asOwner()})
	return err
}

func (w *world) wantStock(ctx context.Context, want, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	got, err := w.must(ctx, request{"GET", "/api/product-variants/" + g.variant, nil, w.asOwner()})
	if err != nil {
		return err
	}
	return equal("stock of "+name, got.body["stock"], want)
}
