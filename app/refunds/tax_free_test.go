package refunds_test

import (
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/ports"
)

// wantTaxFree asserts the tax-free parts of the payment of an order and of its refunds, in their transactions and at the
// bank, in the order in which they were made.
func (b *bed) wantTaxFree(when, orderID string, want ...int64) {
	b.T.Helper()
	var recorded []int64
	for _, kind := range []string{"payment", "refund"} {
		for _, r := range b.All(payment.Transactions) {
			if m, _ := r.Money("taxFreeAmount"); r.Text("order") == orderID && r.Text("type") == kind {
				recorded = append(recorded, m.Minor)
			}
		}
	}
	atBank := b.BankTaxFree(orderID)
	slices.Sort(recorded[1:])
	slices.Sort(atBank[1:])
	slices.Sort(want[1:])
	if !slices.Equal(recorded, want) || !slices.Equal(atBank, want) {
		b.T.Errorf("%s: recorded %v, at the bank %v, want %v", when, recorded, atBank, want)
	}
}

func TestPaymentAndItsRefundsHaveATaxFreePart(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.SellTaxFree("lamp", true)
		x := b.Checkout("lamp", "mug") // 50000 + 12000 + 3000 for shipping
		if x.Text("checkout.totals.taxFree") != "50000" || x.Text("checkout.totals.total") != "65000" {
			t.Errorf("%v", x)
		}
		session := b.Pay(x.Text("checkout.id"))
		if session.Text("paymentSession.taxFreeAmount") != "50000" {
			t.Errorf("%v", session)
		}
		id := b.Must(b.Confirm(session, b.Approve(session, "approve"))).Text("order.id")
		b.SellTaxFree("lamp", false) // what was sold stays as it was
		if o := b.Get(order.Schema, id); o["taxFreeAmount"] != paymentbed.KRW(50000) || o.Rows("lines")[0].Text("taxClass") != "exempt" {
			t.Errorf("%v", o)
		}
		b.wantTaxFree("paid", id, 50000)
		if _, err := b.Refund(b.Instance, id, "a part", 6500); err != nil {
			t.Fatal(err)
		}
		b.wantTaxFree("in proportion", id, 50000, 5000)
		b.refundInConsole(id, 1000)
		if err := b.refundWebhook(b.Instance, "evt_console", id); err != nil {
			t.Fatal(err)
		}
		b.wantTaxFree("refunded elsewhere", id, 50000, 5000, 769)
		b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		b.wantTaxFree("the last refund takes what is left", id, 50000, 5000, 769, 44231)
		b.WantSums("after all of it", 0, 0)
	})
}

func TestFailedRefundGivesItsTaxFreePartBack(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.SellTaxFree("lamp", true)
		id := b.PaidOrder("lamp", "mug")
		b.BankFaults(`{"asyncRefundNext":1}`)
		if _, err := b.Refund(b.Instance, id, "later", 64000); err != nil {
			t.Fatal(err)
		}
		b.FinishRefundsAtBank(id, "fail")
		if err := b.SettleByWebhook(id); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Refund(b.Instance, id, "again", 0); err != nil {
			t.Fatal(err)
		}
		b.wantTaxFree("after both", id, 50000, 49231, 50000)
		b.WantSums("after both", 0, 0)
	})
}

// A request whose answer was lost is repeated with the same bytes, whatever part the refund would have by now.
func TestRepeatedRefundHasTheSameTaxFreePart(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.SellTaxFree("lamp", true)
		id := b.PaidOrder("lamp", "mug")
		b.BankFaults(`{"dropResponseNext":1}`)
		if _, err := b.Refund(b.Instance, id, "k", 6500); err == nil {
			t.Error("the answer was not lost")
		}
		if _, err := b.Refund(b.Instance, id, "k", 6500); err != nil {
			t.Fatal(err)
		}
		b.wantTaxFree("refunded once", id, 50000, 5000)
	})
}

// Payments that no provider collected have the part in their record: those that the shop's server verified, and those that
// operators recorded.
func TestPaymentsWithoutAProviderRecordTheirTaxFreePart(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.SellTaxFree("mug", true)
		opened := b.CustomSession(b.Checkout("mug").Text("checkout.id"), "ps-1")
		if opened.Text("paymentSession.taxFreeAmount") != "12000" {
			t.Errorf("%v", opened)
		}
		custom := b.Must(b.ConfirmCustom(paymentbed.Captured("ps-1", "pay-1", "evt-1"))).Text("order.id")
		legacy := b.Must(b.Checkouts.Legacy(t.Context(), b.Server(paymentbed.Key(), "orders.checkout", ""),
			b.CheckoutInput(b.Cart(nil, "mug")))).Text("order.id")
		b.move(legacy, order.Paid)
		for name, id := range map[string]string{"custom": custom, "recorded by hand": legacy} {
			if _, err := b.Refund(b.Instance, id, "a part", 5000); err != nil {
				t.Fatal(name, err)
			}
			paid := map[string]int64{}
			for _, r := range b.All(payment.Transactions) {
				if m, _ := r.Money("taxFreeAmount"); r.Text("order") == id {
					paid[r.Text("type")] = m.Minor
				}
			}
			if paid["payment"] != 12000 || paid["refund"] != 4000 {
				t.Errorf("%s: %v", name, paid)
			}
		}
		b.WantSums("after both", 20000, 0)
	})
}

// Records of older versions say nothing of tax-free parts: their payments are refunded as ever.
func TestPaymentOfAnOlderVersionHasNoTaxFreePart(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.SellTaxFree("mug", true)
		id := b.PaidOrder("mug")
		for _, r := range b.All(payment.Transactions) {
			b.Rewrite(payment.Transactions, r.ID(), "taxFreeAmount", nil)
		}
		r, err := b.Refund(b.Instance, id, "k", 1000)
		if err != nil || r.TaxFree.Currency != "" || r.RemainingTaxFree.Currency != "" {
			t.Errorf("%+v %v", r, err)
		}
		if read, err := b.Store.Read(ports.ForTenant(b.Shop.ID)).Get(t.Context(), payment.Transactions, r.ID); err != nil ||
			read["taxFreeAmount"] != nil {
			t.Errorf("%v %v", read, err)
		}
	})
}

// Shipping that is taxed as the goods are has a part without tax; what the provider is told is the split of the payment and of its
// refunds, to the unit.
//
// Rules payments-68, payments-69, taxes-7.
func TestTheTaxFreePartHasThatOfShipping(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		market := b.sellTaxed(tax.Included)
		b.Change(catalog.Markets, market, `{"shippingTax":"proportional"}`)
		b.SellTaxFree("lamp", true)
		id := b.taxedOrder(market, "2 mug", "lamp") // 24000 and 50000, and 3000 for shipping: 2027 of that is for the lamp
		o := b.OrderOf(id)
		if free := o.Total.Minor - o.Taxes.Rates[0].Base.Minor - o.Taxes.Rates.Sum(); free != 52027 || o.TaxFree().Minor != free {
			t.Errorf("%v is tax-free of %+v, and the taxes leave %d", o.TaxFree(), o.Taxes, free)
		}
		b.wantTaxFree("paid", id, 52027)
		b.Must(b.cancelLines(b.Instance, "a mug", id, b.lineCancel(id, 1)))
		b.wantTaxFree("taxed goods", id, 52027, 0)
		b.Must(b.CancelOrder(b.Instance, paymentbed.Key(), id))
		b.wantTaxFree("the last refund takes what is left", id, 52027, 0, 52027)
		b.wantTaxesBack("the last refund takes what is left", id)
	})
}
