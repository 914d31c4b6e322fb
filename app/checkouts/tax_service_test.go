package checkouts_test

import (
	"errors"
	"strconv"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/taxfake"
	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// askService opens a market whose taxes a service computes, in a shop in the United States that has a
// rate for California of its own.
func (b *bed) askService(t *testing.T) (market string, service *taxfake.Server) {
	t.Helper()
	b.Shop.Country = "US"
	service = taxfake.New(t, map[string][]taxfake.Rate{
		"US/CA": {{Name: "State", BasisPoints: 725, Jurisdiction: "California"}, {Name: "City", BasisPoints: 100}}, "FR/": {{Name: "TVA", BasisPoints: 2000}},
	})
	b.Create(tax.Schema, `{"name":"Table","country":"US","province":"CA","classes":["standard"],"percent":5,"shipping":false}`)
	market = b.Create(catalog.Markets,
		`{"name":"World","code":"world","currency":"KRW","countries":["US","FR"],"taxes":"added","taxSource":"service"}`)
	b.Create(tax.Connections, `{"name":"Service","environment":"test","url":"`+service.URL+`","secret":"`+taxfake.Secret+`"}`)
	return market, service
}

// tryCheckout is checkoutIn for carts that may be refused.
func (b *bed) tryCheckout(market, product string, to *address.Address) error {
	b.T.Helper()
	of := b.Cart(nil, product)
	b.Rewrite(cart.Schema, of, "market", market)
	in := b.CheckoutInput(of)
	in.Address = to
	_, err := b.Checkouts.Create(b.T.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), in)
	return err
}

// Rules taxes-13, taxes-15.
func TestACheckoutHasTheTaxesOfItsService(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		market, service := b.askService(t)
		made := b.checkoutIn(market, "2 mug", &california)
		// 24000 and 3000 for shipping: 7.25 % are 1740 + 218, 1 % are 240 + 30.
		if taxesOf(made) != "State City" || made.Text("checkout.totals.total") != "29228" || made.Text("checkout.totals.taxes.source") != "service" ||
			made.Text("checkout.totals.taxes.estimated") != "false" || made.Text("checkout.totals.taxes.rates.0.jurisdiction") != "California" {
			t.Errorf("%v", made.At("checkout.totals"))
		}
		asked := service.Asked()
		if len(asked) != 1 || asked[0].To.City != "Daly City" || asked[0].From.Country != "US" || asked[0].Environment != "test" ||
			asked[0].Lines[0].Amount != 24000 || asked[0].Lines[0].Key != made.Text("checkout.lines.0.id") || asked[0].Shipping.Amount != 3000 {
			t.Errorf("%+v", asked)
		}
		moved := b.sendTo(made, paris)
		if taxesOf(moved) != "TVA" || moved.Text("checkout.totals.total") != "32400" || len(service.Asked()) != 2 {
			t.Errorf("%v after %d questions", moved.At("checkout.totals"), len(service.Asked()))
		}
		if again := b.sendTo(made, paris); again.Text("checkout.totals.total") != "32400" || len(service.Asked()) != 2 {
			t.Errorf("the same address is asked about again")
		}
		street := paris
		street.Address1 = "2 Rue"
		if b.sendTo(made, street); len(service.Asked()) != 3 {
			t.Errorf("another street is not asked about")
		}
	})
}

// Rule taxes-13.
func TestASaleWithoutTaxesAsksNoService(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		market, service := b.askService(t)
		service.Set(taxfake.Failing)
		if err := b.tryCheckout(market, "gift", &california); err != nil || len(service.Asked()) != 0 {
			t.Errorf("a gift: %v, %d questions", err, len(service.Asked()))
		}
		buyer := b.Create(identity.Customers, `{"email":"exempt@shop.example","taxExempt":true}`)
		of := b.Cart(nil, "mug")
		b.Rewrite(cart.Schema, of, "market", market)
		in := b.CheckoutInput(of)
		in.Address, in.Customer = &california, buyer
		b.Must(b.Checkouts.Create(b.T.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), in))
		if len(service.Asked()) != 0 {
			t.Errorf("an exempt buyer: %d questions", len(service.Asked()))
		}
	})
}

// Rules taxes-15, taxes-17.
func TestNothingIsSoldWithoutAnAnswer(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		market, service := b.askService(t)
		for _, mode := range []taxfake.Mode{taxfake.Failing, taxfake.WrongTotal, taxfake.UnknownLine, taxfake.Garbled} {
			service.Set(mode)
			if err := b.tryCheckout(market, "mug", &california); !errors.Is(err, tax.ErrUnavailable) {
				t.Errorf("%s: %v", mode, err)
			}
		}
		for _, x := range b.All(checkout.Schema) {
			t.Errorf("a checkout was made: %v", x)
		}
		other := b.Create(catalog.Markets,
			`{"name":"Home","code":"home","currency":"KRW","countries":["US","FR"],"taxes":"added","taxSource":"service","taxFallback":true}`)
		service.Set(taxfake.WrongTotal)
		made := b.checkoutIn(other, "2 mug", &california)
		if taxesOf(made) != "Table" || made.Text("checkout.totals.taxes.source") != "fallback" || made.Text("checkout.totals.total") != "28200" {
			t.Errorf("the table stands in: %v", made.At("checkout.totals"))
		}
		if err := b.tryCheckout(other, "mug", &paris); !errors.Is(err, tax.ErrUnavailable) {
			t.Errorf("where the table has no rates: %v", err)
		}
	})
}

// Rule taxes-18.
func TestASaleAsksTheServiceOfItsEnvironmentAndMarket(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		market, service := b.askService(t)
		own := taxfake.New(t, map[string][]taxfake.Rate{"US/CA": {{Name: "Own", BasisPoints: 100}}})
		members := `"url":"` + own.URL + `","secret":"` + taxfake.Secret + `"`
		b.Create(tax.Connections, `{"name":"Live","environment":"live","market":"`+market+`",`+members+`}`)
		b.Create(tax.Connections, `{"name":"Off","environment":"test","market":"`+market+`","enabled":false,`+members+`}`)
		if got := taxesOf(b.checkoutIn(market, "mug", &california)); got != "State City" {
			t.Errorf("by the service of all markets: %q", got)
		}
		b.Create(tax.Connections, `{"name":"Own","environment":"test","market":"`+market+`",`+members+`}`)
		if got := taxesOf(b.checkoutIn(market, "mug", &california)); got != "Own" || len(service.Asked()) != 1 {
			t.Errorf("by its own service: %q", got)
		}
	})
}

// Rule taxes-13.
func TestASaleThatChangesIsAskedAboutAgain(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		market, service := b.askService(t)
		product := b.Get(catalog.Variants, b.Variants["mug"]).Text("product")
		price := 12000
		change := func() {
			price += 1000
			b.Change(catalog.Products, product, `{"price":`+strconv.Itoa(price)+`}`)
		}
		service.OnAsk(func() { // which would wait for ever within the transaction of the checkout
			if len(service.Asked()) == 1 {
				change()
			}
		})
		made := b.checkoutIn(market, "mug", &california)
		// 13000 and 3000 for shipping: 7.25 % are 943 + 218, 1 % are 130 + 30.
		if made.Text("checkout.totals.total") != "17321" || len(service.Asked()) != 2 {
			t.Errorf("%v after %d questions", made.At("checkout.totals"), len(service.Asked()))
		}
		service.OnAsk(change)
		if err := b.tryCheckout(market, "mug", &california); !errors.Is(err, tax.ErrUnavailable) || len(service.Asked()) > 8 {
			t.Errorf("a price that never stays: %v after %d questions", err, len(service.Asked()))
		}
	})
}

// Rule taxes-8: what a service computed comes back as it was, whatever became of the service.
func TestTaxesOfAServiceAreFrozen(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		market, service := b.askService(t)
		made := b.checkoutIn(market, "2 mug", &california)
		service.Set(taxfake.Failing)
		got := b.Must(b.Checkouts.Update(b.T.Context(), b.Server(paymentbed.Key(), "checkouts.update", ""),
			checkouts.UpdateInput{Checkout: made.Text("checkout.id"), Email: "other@shop.example"}))
		if got.Text("checkout.totals.total") != "29228" || len(service.Asked()) != 1 {
			t.Errorf("another email: %v", got.At("checkout.totals"))
		}
		session := b.Pay(made.Text("checkout.id"))
		id := b.Must(b.Confirm(session, b.Approve(session, "approve"))).Text("order.id")
		o := b.OrderOf(id)
		if o.Taxes.Source != tax.Service || o.Paid != o.Total || o.Taxes.Amount.Minor != 2228 || len(o.Lines[0].Taxes) != 2 {
			t.Fatalf("%+v", o.Taxes)
		}
		if _, err := b.Refund(b.Instance, id, "an amount", 5_000); err != nil {
			t.Fatal(err)
		}
		b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		back := int64(0)
		for _, r := range b.RefundsOf(id) {
			for _, x := range r.Rows("taxes") {
				amount, _ := x.Money("amount")
				back += amount.Minor
			}
		}
		if back != 2228 || len(service.Asked()) != 1 {
			t.Errorf("%d came back, after %d questions", back, len(service.Asked()))
		}
	})
}
