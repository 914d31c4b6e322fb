package order_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	. "github.com/cartwright-dev/cartwright/domain/order"

	"github.com/cartwright-dev/cartwright/domain/collection"
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

// taxedLife is an order with its payment and the entries of taxes that a report reads, with the record of each transaction.
type taxedLife struct {
	OrderFulfillment

	paid    payment.RefundablePayment
	rows    map[string]collection.Record
	entries []tax.Entry
	prorata bool // each refund so far took its proportional part
}

// put records a transaction as it is by now, as package refunds does.
func (x *taxedLife) put(after collection.Record) {
	x.entries = append(x.entries, payment.TaxEntries(x.rows[after.ID()], after, later)...)
	x.rows[after.ID()] = after
}

// putRefund records a refund as it is by now.
func (x *taxedLife) putRefund(r payment.Refund, to payment.RefundState) {
	wasCounted := r.State.CountsAgainstPaid()
	if r.State == payment.RefundSucceeded {
		x.Order = x.Order.ReverseRefund(r.Amount)
	}
	if r.State = to; to == payment.RefundSucceeded {
		x.Order = x.Order.AddRefund(r.Amount)
	}
	x.paid = x.paid.WithRefund(r)
	x.put(r.Record())
	if wasCounted && !to.CountsAgainstPaid() {
		for _, other := range x.paid.RestoreTaxes() {
			x.paid = x.paid.WithRefund(other)
			x.put(other.Record())
		}
	}
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
	if x.paid.ID == "" || amount == c.Amount() {
		return
	}
	x.prorata = false
	x.paid = payment.KeepTaxes([]payment.RefundablePayment{x.paid}, x.Order.TaxesIn(x.paid.UnrefundedAmount()))[0]
	x.put(payment.RestateTaxes(x.rows[x.paid.ID], x.paid.Taxes))
}

// refund gives amount back, unless its provider refuses. One that was accepted may fail later.
func (x *taxedLife) refund(t *rapid.T, amount money.Money, asked tax.Taxes) (accepted bool) {
	r, err := x.paid.BeginRefund(amount, payment.RefundParts{Taxes: asked})
	if err != nil {
		t.Fatal(err)
	}
	x.prorata = x.prorata && asked == nil
	r.ID = fmt.Sprint("refund ", len(x.paid.Refunds))
	x.putRefund(r, payment.RefundRequested)
	became := rapid.SampledFrom([]payment.RefundState{payment.RefundSucceeded, payment.RefundPending, payment.RefundRefused}).Draw(t, "became")
	if became != payment.RefundSucceeded || x.mayMove(amount) {
		x.putRefund(r, became)
	} else {
		x.putRefund(r, payment.RefundRefused)
	}
	return x.rows[r.ID].Text("status") != "failed"
}

// mayMove reports whether the provider has so much of the payment still.
func (x *taxedLife) mayMove(amount money.Money) bool {
	for _, r := range x.paid.Refunds {
		if r.State == payment.RefundSucceeded {
			amount = amount.Plus(r.Amount)
		}
	}
	return amount.Minor <= x.paid.Paid.Minor
}

// console refunds an amount in the provider's console, which knows nothing of what is on its way to the bank.
func (x *taxedLife) console(t *rapid.T) {
	amount := krw(rapid.Int64Range(1, max(1, x.paid.Paid.Minor)).Draw(t, "console"))
	state := rapid.SampledFrom([]payment.RefundState{payment.RefundSucceeded, payment.RefundPending}).Draw(t, "there")
	if !x.mayMove(amount) {
		return
	}
	id := fmt.Sprint("refund ", len(x.paid.Refunds))
	r, ok, err := x.paid.AdoptRefund(payment.ProviderRefund{ProviderID: id, State: state, Amount: amount})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	r.ID = id
	x.putRefund(r, state)
}

// settle is what became of a refund at the bank: one that is pending succeeds or fails, one that succeeded fails.
func (x *taxedLife) settle(t *rapid.T, r payment.Refund) {
	to := payment.RefundFailed
	if r.State == payment.RefundPending && x.mayMove(r.Amount) && rapid.Bool().Draw(t, "arrives") {
		to = payment.RefundSucceeded
	}
	x.putRefund(r, to)
}

func (x *taxedLife) step(t *rapid.T) {
	left := x.paid.RefundableAmount().Minor
	what := rapid.SampledFrom([]string{"cancel", "goodwill", "console", "bank"}).Draw(t, "what")
	switch {
	case what == "cancel" && x.pending() < 0:
		x.cancel(t)
	case what == "goodwill" && left > 0:
		x.refund(t, krw(rapid.Int64Range(1, left).Draw(t, "amount")), nil)
	case what == "console":
		x.console(t)
	case what == "bank" && len(x.paid.Refunds) > 0:
		if r := rapid.SampledFrom(x.paid.Refunds).Draw(t, "settled"); r.State == payment.RefundPending || r.State == payment.RefundSucceeded {
			x.settle(t, r)
		}
	}
}

// pending is the place of a refund that is on its way to the bank, -1 without any.
func (x *taxedLife) pending() int {
	return slices.IndexFunc(x.paid.Refunds, func(r payment.Refund) bool { return r.State == payment.RefundPending })
}

// wantKept asserts that a report of all entries has the taxes of the payment and of the refunds that succeeded, of each rate, however
// it is divided, and that what is left of them is in proportion to the money that is where no refund asked for anything else.
func (x *taxedLife) wantKept(t *rapid.T) {
	sums, cut := map[string][4]int64{}, rapid.IntRange(0, len(x.entries)).Draw(t, "cut")
	for _, period := range [][]tax.Entry{x.entries[:cut], x.entries[cut:]} {
		var all report.Taxes
		for _, e := range period {
			all.Add(0, e)
		}
		for _, r := range all.Rows() {
			was := sums[r.Rate]
			sums[r.Rate] = [4]int64{was[0] + r.Base, was[1] + r.Tax, was[2] + r.RefundedBase, was[3] + r.RefundedTax}
		}
	}
	want := map[string][4]int64{}
	for _, a := range x.paid.Taxes {
		want[a.Rate] = [4]int64{a.Base.Minor, a.Amount.Minor}
	}
	for _, r := range x.paid.Refunds {
		if r.State == payment.RefundSucceeded {
			for _, a := range r.Taxes {
				was := want[a.Rate]
				want[a.Rate] = [4]int64{was[0], was[1], was[2] + a.Base.Minor, was[3] + a.Amount.Minor}
			}
		}
	}
	for _, all := range []map[string][4]int64{sums, want} {
		maps.DeleteFunc(all, func(_ string, r [4]int64) bool { return r == [4]int64{} })
	}
	if !maps.Equal(sums, want) {
		t.Fatalf("the report has %v, want %v", sums, want)
	}
	x.wantProrata(t)
}

func (x *taxedLife) wantProrata(t *rapid.T) {
	left, slack := x.paid.UnrefundedAmount().Minor, int64(len(x.paid.Refunds)+1)*x.paid.Paid.Minor
	for i, a := range x.paid.TaxesLeft() {
		if a.Base.Minor < 0 || a.Amount.Minor < 0 {
			t.Fatalf("%+v is left", a)
		}
		if off := a.Amount.Minor*x.paid.Paid.Minor - x.paid.Taxes[i].Amount.Minor*left; x.prorata && max(off, -off) > slack {
			t.Fatalf("of %d paid %d is left, with %+v of %+v", x.paid.Paid.Minor, left, a, x.paid.Taxes[i])
		}
	}
}

// Whatever is canceled of an order before and after it is captured, refunded out of goodwill or in the console of its provider at the same
// time, refused and failed however late: the order keeps the taxes of what it comes to, the report has those of the money that was kept,
// and once everything is refunded, so are exactly the taxes of the payment, of each rate.
//
// Rules taxes-8, taxes-11.
func TestTaxesOfMoneyAreThoseOfItsPaymentsAndRefunds(t *testing.T) {
	t.Parallel()
	placed := newOrderFulfillment(t, lines)
	rapid.Check(t, func(t *rapid.T) {
		x := taxedLife{OrderFulfillment: taxedSale(t, placed), rows: map[string]collection.Record{}, prorata: true}
		x.Order = x.Order.Authorize(Authorization{Amount: x.Order.Total})
		for range rapid.IntRange(0, 3).Draw(t, "cancels before") {
			x.cancel(t)
		}
		x.capture(t)
		for range rapid.IntRange(0, 8).Draw(t, "steps") {
			x.step(t)
			x.wantKept(t)
		}
		sold := x.Order.DueTaxes()
		for _, c := range x.Order.LineCancels {
			sold = sold.Plus(c.Taxes)
		}
		if rates := x.Order.Taxes.Rates; !slices.EqualFunc(sold, rates, func(a, b tax.Amount) bool { return a == b }) {
			t.Fatalf("due and canceled are %+v of %+v", sold, rates)
		}
		x.refundAll(t)
	})
}

// capture collects what the order comes to, or a part of it.
func (x *taxedLife) capture(t *rapid.T) {
	due := x.Order.DueCaptureAmount().Minor
	amount := krw(rapid.OneOf(rapid.Just(due), rapid.Int64Range(min(1, due), due)).Draw(t, "captured"))
	taxes := x.Order.TaxesIn(amount)
	if amount.Minor == due && taxes.Sum() != x.Order.DueTaxes().Sum() {
		t.Fatalf("%v are in all of it, and %v are due", taxes, x.Order.DueTaxes())
	}
	x.Order = x.Order.AddCapture(amount)
	x.paid = payment.RefundablePayment{ID: "paid", Paid: amount, Taxes: taxes}
	x.put(payment.WithTaxes(collection.Record{"id": "paid", "type": "payment", "status": "paid", "taxesBooked": true}, taxes))
}

// refundAll refunds what is left, once it is known what became of the refunds so far.
func (x *taxedLife) refundAll(t *rapid.T) {
	for i := x.pending(); i >= 0; i = x.pending() {
		x.settle(t, x.paid.Refunds[i])
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
	if x.paid.Paid.Minor > 0 && back.Since(x.paid.Taxes) != nil {
		t.Fatalf("%+v came back of %+v", back, x.paid.Taxes)
	}
}
