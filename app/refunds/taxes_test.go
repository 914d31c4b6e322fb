package refunds_test

import (
	"reflect"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// sellTaxed opens a market with taxes and two layers of rates, of 7 % and 2.25 %, and returns its id.
func (b *bed) sellTaxed(mode tax.Mode) (market string) {
	b.T.Helper()
	b.Create(tax.Schema, `{"name":"State","country":"KR","classes":["standard"],"percent":7}`)
	b.Create(tax.Schema, `{"name":"City","country":"KR","classes":["standard","reduced"],"percent":2.25,"priority":2}`)
	b.Create(tax.Schema, `{"name":"Old","country":"KR","classes":["standard"],"percent":50,"priority":3,"active":false}`)
	return b.Create(catalog.Markets, `{"name":"Korea","code":"kr","currency":"KRW","countries":["KR"],"taxes":"`+string(mode)+`"}`)
}

// taxedOrder is a paid order of names in a market.
func (b *bed) taxedOrder(market string, names ...string) (id string) {
	b.T.Helper()
	of := b.Cart(nil, names...)
	b.Rewrite(cart.Schema, of, "market", market)
	session := b.Pay(b.CheckoutOf(of).Text("checkout.id"))
	return b.Must(b.Confirm(session, b.Approve(session, "approve"))).Text("order.id")
}

// wantTaxesBack asserts that the refunds of an order contain its taxes, of each rate.
func (b *bed) wantTaxesBack(when, id string) {
	b.T.Helper()
	var back tax.Taxes
	for _, r := range b.RefundsOf(id) {
		if payment.RefundFrom(r).State.CountsAgainstPaid() {
			back = back.Plus(payment.RefundFrom(r).Taxes)
		}
	}
	if want := b.OrderOf(id).Taxes.Rates; len(want) != 2 || !reflect.DeepEqual(back, want) {
		b.T.Errorf("%s: %+v came back of %+v", when, back, want)
	}
}

// Rule taxes-8.
func TestRefundsGiveBackTheTaxesOfTheOrder(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		market := b.sellTaxed(tax.Included)
		id := b.taxedOrder(market, "3 mug", "lamp")
		if o := b.OrderOf(id); o.Total.Minor != 3*12000+50000+3000 || o.Taxes.Amount.Minor != o.Taxes.Rates.Sum() || !o.Taxes.Included {
			t.Fatalf("%+v", o)
		}
		b.Must(b.cancelLines(b.Instance, "one mug", id, b.lineCancel(id, 1)))
		if _, err := b.Refund(b.Instance, id, "an amount", 7_001); err != nil {
			t.Fatal(err)
		}
		b.refundInConsole(id, 999)
		if err := b.refundWebhook(b.Instance, "evt_console", id); err != nil {
			t.Fatal(err)
		}
		b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		b.wantTaxesBack("in parts", id)
		b.WantSums("after all of it", 0, 0)
	})
}

// Rules taxes-3, taxes-8.
func TestAddedTaxesArePaidAndComeBack(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		market := b.sellTaxed(tax.Added)
		id := b.taxedOrder(market, "3 mug", "lamp")
		o := b.OrderOf(id)
		// 86000 and 3000 for shipping: 7 % are 2520 + 3500 + 210, 2.25 % are 810 + 1125 + 67.5.
		if o.Taxes.Amount.Minor != 6230+2003 || o.Total.Minor != 89000+8233 || o.Paid != o.Total || o.Taxes.Shipping.Sum() != 278 {
			t.Fatalf("%v of %+v", o.Total, o.Taxes)
		}
		b.Must(b.cancelLines(b.Instance, "two mugs", id, b.lineCancel(id, 2)))
		if got := b.OrderOf(id).LineCancels[0]; got.Amount().Minor != 26220 || got.Taxes.Sum() != 2220 {
			t.Errorf("two of three mugs with their taxes: %+v", got)
		}
		b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		b.wantTaxesBack("after a cancel", id)
		b.WantSums("after all of it", 0, 0)
	})
}

// Rule taxes-8.
func TestExemptGoodsGiveBackNoTaxes(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		market := b.sellTaxed(tax.Included)
		b.SellTaxFree("lamp", true)
		id := b.taxedOrder(market, "mug", "lamp")
		b.Must(b.cancelLines(b.Instance, "the lamp", id, b.lineCancel(id, 0, 1)))
		due := b.OrderOf(id)
		if !reflect.DeepEqual(due.DueTaxes(), due.Taxes.Rates) {
			t.Errorf("the mug is due with %+v of %+v", due.DueTaxes(), due.Taxes.Rates)
		}
		for _, a := range payment.RefundFrom(b.RefundsOf(id)[0]).Taxes {
			if a.Amount.Minor != 0 || a.Base.Minor != 0 {
				t.Errorf("the lamp gives back %+v", a)
			}
		}
		b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		b.wantTaxesBack("with the mug", id)
	})
}

// A buyer who pays no taxes, goods that have none, and a rate that changes later.
//
// Rules taxes-6, taxes-10.
func TestOrdersKeepTheTaxesTheyWereSoldWith(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		market := b.sellTaxed(tax.Added)
		b.SellTaxFree("lamp", true)
		id := b.taxedOrder(market, "mug", "lamp")
		for _, r := range b.All(tax.Schema) {
			b.Change(tax.Schema, r.ID(), `{"percent":99}`)
		}
		o := b.Get(order.Schema, id)
		lamp, mug := o.Rows("lines")[1].Group("taxes"), o.Rows("lines")[0].Group("taxes")
		if amount, _ := lamp.Money("amount"); !amount.IsZero() || len(lamp.Rows("rates")) > 0 {
			t.Errorf("the lamp: %v", lamp)
		}
		if amount, _ := mug.Money("amount"); amount.Minor != 840+270 || mug.Bool("included") {
			t.Errorf("the mug: %v", mug)
		}
		if next := b.OrderOf(b.taxedOrder(market, "mug")); next.Taxes.Amount.Minor != 2*(11880+2970) {
			t.Errorf("the next order: %+v", next.Taxes)
		}
	})
}
