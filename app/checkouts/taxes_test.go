package checkouts_test

import (
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// sellAbroad has a shop in the United States that sells there and, first of all, in Korea, each with its taxes.
func (b *bed) sellAbroad() (market string) {
	b.T.Helper()
	b.Shop.Country = "US"
	b.Create(tax.Schema, `{"name":"Korea","country":"KR","classes":["standard"],"percent":10,"shipping":false}`)
	b.Create(tax.Schema, `{"name":"France","country":"FR","classes":["standard"],"percent":20,"shipping":false}`)
	b.Create(tax.Schema, `{"name":"California","country":"US","province":"CA","classes":["standard"],"percent":7.25,"shipping":false}`)
	return b.Create(catalog.Markets, `{"name":"World","code":"world","currency":"KRW","countries":["KR","FR"],"taxes":"added"}`)
}

// checkoutIn makes a checkout of a product in a market that goes to an address, which may be nil.
func (b *bed) checkoutIn(market, product string, to *address.Address) paymentbed.Answer {
	b.T.Helper()
	of := b.Cart(nil, product)
	b.Rewrite(cart.Schema, of, "market", market)
	in := b.CheckoutInput(of)
	in.Address = to
	return b.Must(b.Checkouts.Create(b.T.Context(), b.Server(paymentbed.Key(), "checkouts.create", ""), in))
}

// sendTo gives a checkout another address.
func (b *bed) sendTo(made paymentbed.Answer, to address.Address) paymentbed.Answer {
	b.T.Helper()
	return b.Must(b.Checkouts.Update(b.T.Context(), b.Server(paymentbed.Key(), "checkouts.update", ""),
		checkouts.UpdateInput{Checkout: made.Text("checkout.id"), Address: &to}))
}

// taxesOf names the taxes of a checkout.
func taxesOf(a paymentbed.Answer) string {
	var names []string
	rates, _ := a.At("checkout.totals.taxes.rates").([]any)
	for _, r := range rates {
		rate, _ := r.(map[string]any)
		name, _ := rate["name"].(string)
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// A digital good is taxed by the address that its buyer gives, whenever that is, though the address is stored nowhere.
func TestDigitalGoodsAreTaxedWhereTheirBuyerIs(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		market := b.sellAbroad()
		made := b.checkoutIn(market, "course", nil)
		if got := taxesOf(made); got != "Korea" || made.Text("checkout.totals.taxes.estimated") != "true" {
			t.Errorf("without an address the taxes are %q: %v", got, made.At("checkout.totals"))
		}
		for _, made := range []paymentbed.Answer{made, b.checkoutIn(market, "course", &paris)} {
			for _, to := range []struct {
				address.Address

				taxes, total string
			}{{paris, "France", "36000"}, {california, "California", "32175"}, {paris, "France", "36000"}} {
				got := b.sendTo(made, to.Address)
				if taxesOf(got) != to.taxes || got.Text("checkout.totals.total") != to.total || got.Text("checkout.shippingAddress.postalCode") != "" {
					t.Errorf("to %s: %v, %v", to.City, got.At("checkout.totals"), got.At("checkout.shippingAddress"))
				}
			}
		}
	})
}

// Policies that changed since count for another way alone.
func TestShippingStaysAsItWasWhereTheWayIsTheSame(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		made := b.Checkout("mug")
		policy := b.All(shipping.Schema)[0].ID()
		b.Change(shipping.Schema, policy, `{"baseFee":9000}`)
		seoul := *paymentbed.Home
		seoul.Province = "11"
		if got := b.sendTo(made, seoul); got.Text("checkout.totals.shipping") != "3000" {
			t.Errorf("a province that nobody asked for: %v", got.At("checkout.totals"))
		}
		b.Change(shipping.Schema, policy, `{"zones":[{"name":"Busan","countries":["KR"],"provinces":["26"],"extraFee":500}]}`)
		busan := seoul
		busan.Province = "26"
		if got := b.sendTo(made, busan); got.Text("checkout.totals.shipping") != "9500" {
			t.Errorf("a province with a fee of its own: %v", got.At("checkout.totals"))
		}
	})
}

var (
	california = address.Address{RecipientName: "Kim", PostalCode: "94016", Province: "California", City: "Daly City", Address1: "1 Main St"}
	oregon     = address.Address{RecipientName: "Kim", PostalCode: "97201", Province: "OR", City: "Portland", Address1: "1 Main St"}
	paris      = address.Address{RecipientName: "Kim", PostalCode: "75001", City: "Paris", Address1: "1 Rue", Country: "FR"}
)

// Rule taxes-5.
func TestASaleIsTaxedWhereItsAddressIs(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		market := b.sellAbroad()
		made := b.checkoutIn(market, "mug", &california)
		if got := taxesOf(made); got != "California" {
			t.Errorf("an address in the shop's country has the taxes %q", got)
		}
		if got := taxesOf(b.sendTo(made, oregon)); got != "" {
			t.Errorf("another province has the taxes %q", got)
		}
		if got := taxesOf(b.sendTo(made, california)); got != "California" {
			t.Errorf("back there are the taxes %q", got)
		}
	})
}
