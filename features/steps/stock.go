package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
)

func (w *world) stockSteps() []definition {
	return []definition{
		{`^a visitor asks for (\d+) "([^"]*)" and (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string, n2 int, name2 string) error {
			return w.checkStock(ctx, public, w.asVisitor(), wish{n, name}, wish{n2, name2})
		}},
		{`^the shop's server asks for (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error {
			return w.checkStock(ctx, server, w.asOwner(), wish{n, name})
		}},
		{`^everything can be had$`, func() error { return equal("everything being available", w.got.body["allAvailable"], "true") }},
		{`^"([^"]*)" cannot be had because "([^"]*)"$`, w.wantNotHad},
		{`^(\d+) "([^"]*)" can be had at most$`, w.wantLeft},
		{`^the shop wants to know when (\d+) "([^"]*)" are left$`, w.watchStock},
		{`^"([^"]*)" is (not )?low in stock$`, w.wantLow},
	}
}

func (w *world) checkStock(ctx context.Context, prefix string, header map[string]string, wishes ...wish) error {
	items := make([]any, len(wishes))
	for i, x := range wishes {
		g, err := w.good(x.name)
		if err != nil {
			return err
		}
		items[i] = object{"variantId": g.variant, "quantity": x.quantity}
	}
	return w.try(ctx, request{"POST", prefix + "/products/stock-check", object{"items": items}, header})
}

// checked is the answer for one product.
func (w *world) checked(name string) (any, error) {
	g, err := w.good(name)
	if err != nil {
		return nil, err
	}
	for _, item := range list(w.got.body, "items") {
		if text(item, "variantId") == g.variant {
			return item, nil
		}
	}
	return nil, fmt.Errorf("nothing is said of %q: it %s", name, w.got)
}

func (w *world) wantNotHad(name, reason string) error {
	item, err := w.checked(name)
	if err != nil {
		return err
	}
	if text(item, "available") != "false" || text(w.got.body, "allAvailable") != "false" {
		return fmt.Errorf("it can be had: it %s", w.got)
	}
	return equal("the reason", dig(item, "reason"), reason)
}

func (w *world) wantLeft(want, name string) error {
	item, err := w.checked(name)
	if err != nil {
		return err
	}
	return equal("what can be had", dig(item, "availableQuantity"), want)
}

func (w *world) watchStock(ctx context.Context, n, name string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	_, err = w.must(ctx, request{"PATCH", "/api/products/" + g.product, object{"lowStockThreshold": json.Number(n)}, w.asOwner()})
	return err
}

func (w *world) wantLow(ctx context.Context, name, not string) error {
	g, err := w.good(name)
	if err != nil {
		return err
	}
	query := url.Values{"where[lowStock][equals]": {"true"}, "where[id][equals]": {g.product}}
	found, err := w.must(ctx, request{"GET", "/api/products/count?" + query.Encode(), nil, w.asOwner()})
	if err != nil {
		return err
	}
	want := "1"
	if not != "" {
		want = "0"
	}
	return equal("being found as low", found.body["totalDocs"], want)
}
