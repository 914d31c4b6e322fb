package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
)

func (w *world) catalogSteps() []definition {
	return []definition{
		{`^the shop has a market "([^"]*)" in ([A-Z]{3}) at a rate of ([0-9.]+)$`, w.makeMarket},
		{`^a visitor looks at "([^"]*)"$`, func(ctx context.Context, name string) error { return w.visit(ctx, name, "") }},
		{`^a visitor from market "([^"]*)" looks at "([^"]*)"$`, func(ctx context.Context, market, name string) error { return w.visit(ctx, name, market) }},
		{`^a visitor looks at something the shop never had$`, w.visitNothing},
		{`^the shop stops selling$`, func(ctx context.Context) error {
			_, err := w.must(ctx, request{"PATCH", "/api/tenants/" + w.shop.TenantID, object{"settings": object{"features": object{"ecommerce": false}}}, w.asOwner()})
			return err
		}},
		{`^the shop's server looks at "([^"]*)"$`, w.serverLooks},
		{`^the product is shown at ([0-9.]+) ([A-Z]{3})$`, w.wantShown},
		{`^the product is not shown because "([^"]*)"$`, w.wantHidden},
		{`^the price is "([^"]*)"$`, w.wantPriceSource},
		{`^no stock number is shown$`, w.wantNoNumbers},
		{`^(\d+) are shown to be left$`, w.wantNumber},
	}
}

func (w *world) makeMarket(ctx context.Context, code, currency, rate string) error {
	made, err := w.must(ctx, request{"POST", "/api/markets", object{
		"name": "Market " + code, "code": code, "currency": currency, "exchangeRate": json.Number(rate), "status": "active",
	}, w.asOwner()})
	w.markets[code] = text(made.body, "doc", "id")
	return err
}

func (w *world) detail(ctx context.Context, prefix, id, market string, header map[string]string) error {
	query := url.Values{"id": {id}}
	if market != "" {
		query.Set("market", market)
	}
	return w.try(ctx, request{"GET", prefix + "/products/detail?" + query.Encode(), nil, header})
}

func (w *world) visit(ctx context.Context, name, market string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	return w.detail(ctx, public, g.product, market, w.asVisitor())
}

func (w *world) visitNothing(ctx context.Context) error {
	return w.detail(ctx, public, "01890000-0000-7000-8000-000000000000", "", w.asVisitor())
}

func (w *world) serverLooks(ctx context.Context, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	return w.detail(ctx, server, g.product, "", w.asOwner())
}

func (w *world) shownVariant() any { return dig(w.got.body, "product", "variants", 0) }

func (w *world) wantShown(amount, currency string) error {
	if err := w.succeeded(); err != nil {
		return err
	}
	if err := equal("being found", w.got.body["found"], "true"); err != nil {
		return err
	}
	if err := equal("the currency", dig(w.shownVariant(), "resolvedPrice", "currency"), currency); err != nil {
		return err
	}
	return equal("the price", dig(w.shownVariant(), "resolvedPrice", "amount"), amount)
}

func (w *world) wantHidden(reason string) error {
	if w.got.ok() || text(w.got.body, "found") != "false" || text(w.got.body, "reason") != reason || w.got.body["product"] != nil {
		return fmt.Errorf("it %s", w.got)
	}
	return nil
}

func (w *world) wantPriceSource(want string) error {
	return equal("the price", dig(w.shownVariant(), "resolvedPrice", "source"), want)
}

var stockFields = regexp.MustCompile(`"(stock|reserved|availableQuantity|lowStockThreshold|lowStock)"`)

func (w *world) wantNoNumbers() error {
	if found := stockFields.Find(w.got.raw); found != nil || !w.got.ok() {
		return fmt.Errorf("%s is shown: it %s", found, w.got)
	}
	return nil
}

func (w *world) wantNumber(want string) error {
	return equal("what is left", dig(w.shownVariant(), "stock"), want)
}
