package order_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	. "github.com/cartwright-dev/cartwright/domain/order"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/report"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// taxedSale is g with any prices and taxes, paid once it is captured.
func taxedSale(t *rapid.T, g OrderFulfillment) OrderFulfillment {
	g = snapshot(g)
	prices := rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, 100_000))
	rules := tax.Rules{
		Mode: rapid.SampledFrom([]tax.Mode{tax.Included, tax.Added}).Draw(t, "mode"), PerTotal: rapid.Bool().Draw(t, "per total"), Country: "KR",
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "rates") {
		rules.Rates = append(rules.Rates, tax.Rate{
			ID: string(rune('a' + i)), Country: "KR", Priority: int64(i) + 1, Shipping: rapid.Bool().Draw(t, "ships"),
			Classes: rapid.SampledFrom([][]tax.Class{{tax.Standard}, {tax.Reduced}, {tax.Standard, tax.Reduced}}).Draw(t, "classes"),
			Percent: money.DecimalFromE8(rapid.Int64Range(0, 40_00000000).Draw(t, "percent")),
		})
	}
	var lines []sale.Line
	subtotal, fee := krw(0), krw(prices.Draw(t, "fee"))
	for i := range g.Order.Lines {
		l := g.Order.Lines[i].Line
		l.UnitPrice = krw(prices.Draw(t, "price") + 1)
		l.Subtotal = krw(l.UnitPrice.Minor * l.Quantity)
		l.Total, l.TaxClass = l.Subtotal, tax.Class(rapid.SampledFrom(tax.Classes).Draw(t, "class"))
		lines, subtotal = append(lines, l), subtotal.Plus(l.Total)
	}
	lines, totals, err := sale.Retax(&rules, lines, sale.Totals{Subtotal: subtotal, Discount: krw(0), Shipping: &fee}, sale.Buyer{}, now)
	if err != nil {
		t.Fatal(err)
	}
	for i := range lines {
		g.Order.Lines[i].Line = lines[i]
	}
	g.Order.Subtotal, g.Order.Shipping, g.Order.Total, g.Order.Taxes = subtotal, fee, totals.Total, totals.Taxes
	g.Order.Discount, g.Order.Codes, g.Order.Paid, g.Order.Refunded = krw(0), nil, krw(0), krw(0)
	return g
}

// taxedLife is an order with its payment and what a tax report read of them, a movement a day.
type taxedLife struct {
	OrderFulfillment

	paid payment.RefundablePayment
	days []report.Taxes // of each day
}

func (x *taxedLife) book(taxes tax.Taxes, back bool) {
	day := report.Taxes{}
	day.Add(0, taxes, back)
	x.days = append(x.days, day)
}

// cancel cancels any units that may be canceled; what was paid for them is refunded, or not.
func (x *taxedLife) cancel(t *rapid.T) {
	l := rapid.SampledFrom(x.Order.Lines).Draw(t, "line")
	c, err := x.PlanLineCancel(LineCancelRequest{
		Key: fmt.Sprint("cancel ", len(x.Order.LineCancels)), Items: []Item{{OrderLine: l.ID, Quantity: rapid.Int64Range(1, 2).Draw(t, "units")}},
	}, money.HalfUp, later)
	if err != nil {
		return // nothing would be left, or it is canceled already
	}
	x.Order = x.Order.BeginLineCancel(c)
	amount := krw(min(x.Order.RefundFor(c).Minor, x.paid.RefundableAmount().Minor))
	if amount.Minor > 0 && !x.refund(t, amount, c.Taxes.Portion(c.Amount().Minor, 0, amount.Minor)) {
		x.Order = x.Order.StopLineCancel()
		return
	}
	if x.OrderFulfillment, err = x.FinishLineCancel(later); err != nil {
		t.Fatal(err)
	}
}

// refund gives amount back, unless its provider refuses. One that was accepted may fail later.
func (x *taxedLife) refund(t *rapid.T, amount money.Money, asked tax.Taxes) (accepted bool) {
	r, err := x.paid.BeginRefund(amount, payment.RefundParts{Taxes: asked})
	if err != nil {
		t.Fatal(err)
	}
	r.ID = fmt.Sprint(len(x.paid.Refunds))
	r.State = rapid.SampledFrom([]payment.RefundState{
		payment.RefundSucceeded, payment.RefundSucceeded, payment.RefundFailed, payment.RefundRefused,
	}).Draw(t, "became")
	x.paid = x.paid.WithRefund(r)
	if r.State == payment.RefundSucceeded {
		x.book(r.Taxes, true)
		x.Order = x.Order.AddRefund(amount)
	}
	return r.State != payment.RefundRefused
}

// wantKept asserts that what the days report is what is left of the taxes in the payment, of each rate, however the days are grouped.
func (x *taxedLife) wantKept(t *rapid.T) {
	sums, cut := map[string][2]int64{}, rapid.IntRange(0, len(x.days)).Draw(t, "cut")
	for _, period := range [][]report.Taxes{x.days[:cut], x.days[cut:]} {
		for _, day := range period {
			for _, r := range day.Rows() {
				sums[r.Rate] = [2]int64{sums[r.Rate][0] + r.Base - r.RefundedBase, sums[r.Rate][1] + r.Tax - r.RefundedTax}
			}
		}
	}
	for _, left := range x.paid.TaxesLeft() {
		if got := sums[left.Rate]; got != [2]int64{left.Base.Minor, left.Amount.Minor} || left.Base.Minor < 0 || left.Amount.Minor < 0 {
			t.Fatalf("the days report %v of %s, and %+v is left", got, left.Rate, left)
		}
	}
}

// Whatever is canceled of an order before and after it is captured, refunded out of goodwill, refused and failed: the order keeps the
// taxes of what it comes to, the report has those of the money that was kept, and once everything is refunded, so are exactly the
// taxes of the payment, of each rate.
//
// Rules taxes-8, taxes-11.
func TestTaxesOfMoneyAreThoseOfItsPaymentsAndRefunds(t *testing.T) {
	t.Parallel()
	placed := newOrderFulfillment(t, lines)
	rapid.Check(t, func(t *rapid.T) {
		x := taxedLife{OrderFulfillment: taxedSale(t, placed)}
		held := Authorization{Amount: x.Order.Total}
		x.Order = x.Order.Authorize(held)
		for range rapid.IntRange(0, 3).Draw(t, "cancels before") {
			x.cancel(t)
		}
		due := x.Order.DueCaptureAmount().Minor
		amount := krw(rapid.OneOf(rapid.Just(due), rapid.Int64Range(min(1, due), due)).Draw(t, "captured"))
		taxes := x.Order.TaxesIn(amount)
		if amount.Minor == due && taxes.Sum() != x.Order.DueTaxes().Sum() {
			t.Fatalf("%v are in all of it, and %v are due", taxes, x.Order.DueTaxes())
		}
		x.Order = x.Order.AddCapture(amount)
		x.paid = payment.RefundablePayment{ID: "paid", Paid: amount, Taxes: taxes}
		x.book(taxes, false)
		for range rapid.IntRange(0, 6).Draw(t, "steps") {
			if left := x.paid.RefundableAmount().Minor; left > 0 && rapid.Bool().Draw(t, "goodwill") {
				x.refund(t, krw(rapid.Int64Range(1, left).Draw(t, "amount")), nil)
			} else {
				x.cancel(t)
			}
			x.wantKept(t)
		}
		sold := x.Order.DueTaxes()
		for _, c := range x.Order.LineCancels {
			sold = sold.Plus(c.Taxes)
		}
		if rates := x.Order.Taxes.Rates; !slices.EqualFunc(sold, rates, func(a, b tax.Amount) bool { return a == b }) {
			t.Fatalf("due and canceled are %+v of %+v", sold, rates)
		}
		for !x.paid.RefundableAmount().IsZero() {
			x.refund(t, x.paid.RefundableAmount(), nil)
		}
		var back tax.Taxes
		for _, r := range x.paid.Refunds {
			if r.State.CountsAgainstPaid() {
				back = back.Plus(r.Taxes)
			}
		}
		if amount.Minor > 0 && !reflect.DeepEqual(back, taxes) {
			t.Fatalf("%+v came back of %+v", back, taxes)
		}
	})
}
