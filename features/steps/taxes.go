package steps

import (
	"context"
	"encoding/json"
	"fmt"
)

// taxSteps sets up taxes and looks at those of the current checkout.
type taxSteps struct {
	*client

	catalog   *catalogSteps
	carts     *cartSteps
	checkouts *checkoutSteps

	rates map[string]string // ids by name
}

func newTaxSteps(c *client, catalog *catalogSteps, carts *cartSteps, checkouts *checkoutSteps) *taxSteps {
	return &taxSteps{client: c, catalog: catalog, carts: carts, checkouts: checkouts, rates: map[string]string{}}
}

func (s *taxSteps) definitions() []stepDefinition {
	market := func(mode string) func(context.Context, string) error {
		return func(ctx context.Context, code string) error { return s.openMarket(ctx, code, mode) }
	}
	return []stepDefinition{
		{`^a tax "([^"]*)" of ([0-9.]+) % on "([^"]*)" goods$`, s.createRate},
		{`^the tax "([^"]*)" becomes ([0-9.]+) %$`, s.changeRate},
		{`^the market "([^"]*)" includes taxes in its prices$`, market("included")},
		{`^the market "([^"]*)" adds taxes to its prices$`, market("added")},
		{`^the market "([^"]*)" has no taxes$`, market("off")},
		{`^(\d+) KRW of "([^"]*)" are included in the checkout$`, func(ctx context.Context, amount, name string) error {
			return s.wantTax(ctx, amount, name, "true")
		}},
		{`^(\d+) KRW of "([^"]*)" are added to the checkout$`, func(ctx context.Context, amount, name string) error {
			return s.wantTax(ctx, amount, name, "false")
		}},
		{`^the checkout says nothing of taxes$`, s.wantNone},
		{`^the cart's taxes of (\d+) KRW are an estimate$`, s.wantEstimate},
		{`^a cart of market "([^"]*)" with (\d+) "([^"]*)" and (\d+) "([^"]*)"$`,
			func(ctx context.Context, market string, n int, name string, n2 int, name2 string) error {
				return s.carts.create(ctx, market, []line{{n, name}, {n2, name2}})
			}},
		{`^the shop checks it out for a customer who is exempt from taxes$`, s.checkOutExempt},
		{`^the shopper sends the goods to "([A-Z]{2})" instead$`, s.sendTo},
	}
}

func (s *taxSteps) createRate(ctx context.Context, name, percent, class string) error {
	made, err := s.must(ctx, request{"POST", "/api/tax-rates", object{
		"name": name, "country": "KR", "classes": []any{class}, "percent": json.Number(percent),
	}, s.asServer()})
	s.rates[name] = text(made.body, "doc", "id")
	return err
}

func (s *taxSteps) changeRate(ctx context.Context, name, percent string) error {
	_, err := s.must(ctx, request{"PATCH", "/api/tax-rates/" + s.rates[name], object{"percent": json.Number(percent)}, s.asServer()})
	return err
}

func (s *taxSteps) openMarket(ctx context.Context, code, mode string) error {
	_, err := s.must(ctx, request{"POST", "/api/markets", object{
		"name": "Market " + code, "code": code, "currency": "KRW", "countries": []any{"KR", "DE"}, "taxes": mode,
	}, s.asServer()})
	return err
}

// wantTax compares the amount of a rate in the current checkout, and that its lines come to it, too.
func (s *taxSteps) wantTax(ctx context.Context, amount, name, included string) error {
	got, err := s.checkouts.read(ctx)
	if err != nil {
		return err
	}
	if err := equal("being included", valueAt(got, "checkout", "totals", "taxes", "included"), included); err != nil {
		return err
	}
	rates, _ := valueAt(got, "checkout", "totals", "taxes", "rates").([]any)
	for _, r := range rates {
		if text(r, "name") == name {
			return equal("the tax", text(r, "amount"), amount)
		}
	}
	return fmt.Errorf("%s is not among %v", name, rates)
}

func (s *taxSteps) wantNone(ctx context.Context) error {
	got, err := s.checkouts.read(ctx)
	if err != nil {
		return err
	}
	totals, _ := valueAt(got, "checkout", "totals").(object)
	if taxes, there := totals["taxes"]; there {
		return fmt.Errorf("taxes are %v", taxes)
	}
	return nil
}

func (s *taxSteps) wantEstimate(ctx context.Context, amount string) error {
	if err := s.carts.read(ctx); err != nil {
		return err
	}
	if err := equal("being estimated", valueAt(s.carts.cart.body, "totals", "taxes", "estimated"), "true"); err != nil {
		return err
	}
	return equal("the taxes", valueAt(s.carts.cart.body, "totals", "taxes", "amount"), amount)
}

func (s *taxSteps) checkOutExempt(ctx context.Context) error {
	made, err := s.must(ctx, request{"POST", "/api/customers", object{
		"email": "school@shopper.example", "name": "School", "taxId": "123-45-67890", "taxExempt": true,
	}, s.asServer()})
	if err != nil {
		return err
	}
	made, err = s.must(ctx, request{"POST", serverAPI + "/checkouts", object{
		"cartId": s.carts.cart.id, "customer": text(made.body, "doc", "id"), "shippingAddress": address(),
	}, keyed(s.asServer())})
	s.checkouts.use(text(made.body, "checkout", "id"), text(made.body, "checkoutToken"))
	return err
}

func (s *taxSteps) sendTo(ctx context.Context, country string) error {
	to := address()
	to["country"], to["city"] = country, "Berlin"
	return s.try(ctx, request{
		"PATCH", publicAPI + "/checkouts/" + s.checkouts.checkout.id, object{"shippingAddress": to}, keyed(s.checkouts.asShopper()),
	})
}
