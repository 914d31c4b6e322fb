package paper_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/paper"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// minor reads an amount back.
func minor(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return -1
	}, text), 10, 64)
	if err != nil {
		t.Fatalf("%q is no amount", text)
	}
	return n
}

// anyOrder is an order of a few lines that may be reduced, canceled in part, paid and refunded.
func anyOrder(r *rand.Rand, currency money.Currency) order.Order {
	in := func(n int64) money.Money { return money.Of(n, currency) }
	o := order.Order{Number: "N", Status: order.Paid, Currency: currency, Shipping: in(r.Int64N(2) * r.Int64N(5_000))}
	o.Subtotal, o.Discount, o.Refunded = in(0), in(0), in(0)
	canceled := order.LineCancel{Done: true, Shipping: in(0)}
	for i := range 1 + r.IntN(8) {
		l := order.Line{Line: sale.Line{ID: strconv.Itoa(i), Title: "Thing", Quantity: 1 + r.Int64N(9), TaxClass: tax.Class(tax.Classes[r.IntN(4)])}}
		l.UnitPrice = in(r.Int64N(1_000_000))
		l.Subtotal = in(l.Quantity * l.UnitPrice.Minor)
		l.Discount = in(r.Int64N(2) * r.Int64N(l.Subtotal.Minor+1))
		l.Total = l.Subtotal.Minus(l.Discount)
		if l.Canceled = r.Int64N(2) * r.Int64N(l.Quantity+1); l.Canceled > 0 {
			l.CanceledAmount = in(l.Total.Minor * l.Canceled / l.Quantity)
			canceled.Lines = append(canceled.Lines, order.CanceledUnits{Item: order.Item{OrderLine: l.ID, Quantity: l.Canceled}, Amount: l.CanceledAmount})
		}
		o.Subtotal, o.Discount = o.Subtotal.Plus(l.Subtotal), o.Discount.Plus(l.Discount)
		o.Lines = append(o.Lines, l)
	}
	if len(canceled.Lines) > 0 {
		o.LineCancels = []order.LineCancel{canceled}
	}
	o.Total = o.Subtotal.Minus(o.Discount).Plus(o.Shipping)
	if kind := r.IntN(3); kind > 0 {
		vat := tax.Amount{Rate: "v", Name: "VAT", Percent: money.DecimalOf(10), Base: in(r.Int64N(9_000)), Amount: in(r.Int64N(900))}
		o.Taxes = &sale.Taxes{Amount: vat.Amount, Included: kind == 1, Rates: tax.Taxes{vat}}
		o.Total.Minor += o.Taxes.Added()
	}
	if r.IntN(4) > 0 {
		o.Paid = o.Total
		o.Refunded = in(r.Int64N(2) * r.Int64N(o.Total.Minor+1))
	}
	return o
}

func TestTotalsOfAnInvoiceAddUpToTheOrder(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		o := anyOrder(r, []money.Currency{"KRW", "EUR", "KWD"}[r.IntN(3)])
		for _, language := range []paper.Language{paper.English, paper.Korean} {
			checkInvoice(t, o, paper.Invoice(language, shop(), o), language)
		}
	}
}

func checkInvoice(t *testing.T, o order.Order, d paper.Document, language paper.Language) {
	t.Helper()
	var lines int64
	for i, row := range d.Rows {
		price, quantity, less := minor(t, row[1].Text), minor(t, row[2].Text), int64(0)
		if row[3].Text != "" {
			less = minor(t, row[3].Text)
		}
		if total := minor(t, row[4].Text); price*quantity+less != total || total != o.Lines[i].Total.Minor {
			t.Fatalf("line %d does not add up: %+v", i, row)
		}
		lines += minor(t, row[4].Text)
	}
	// each strong total is the sum of what stands above it since the last one, which it includes
	var sums []int64
	sum := int64(0)
	for _, total := range d.Totals {
		switch amount := minor(t, total.Amount); {
		case strings.Contains(total.Name, "VAT 10% ("):
			if amount != o.DueTaxes().Sum() {
				t.Fatalf("taxes: %+v", d.Totals)
			}
		case strings.Contains(total.Name, "free") || strings.Contains(total.Name, "면세"):
			if amount != o.DueTaxFree().Minor {
				t.Fatalf("tax-free part: %+v", d.Totals)
			}
		case total.Name == "Paid" || total.Name == "결제":
			sum = amount
		case total.Name == "To be paid" || total.Name == "결제할 금액":
			if amount != o.Due().Minor-o.Paid.Minor {
				t.Fatalf("what is to be paid: %+v", d.Totals)
			}
		case total.Strong:
			if amount != sum {
				t.Fatalf("%s: %d is not the sum %d: %+v", total.Name, amount, sum, d.Totals)
			}
			sums = append(sums, amount)
		default:
			sum += amount
		}
	}
	want := []int64{o.Total.Minor}
	if !o.CanceledAmount().IsZero() {
		want = append(want, o.Due().Minor)
	}
	if !o.Refunded.IsZero() {
		want = append(want, o.Paid.Minor-o.Refunded.Minor)
	}
	if lines+o.Shipping.Minor+o.Taxes.Added() != o.Total.Minor || len(sums) != len(want) {
		t.Fatalf("%s: lines come to %d, sums %v, want %v: %+v", language, lines, sums, want, d.Totals)
	}
	for i := range want {
		if sums[i] != want[i] {
			t.Fatalf("sums %v, want %v: %+v", sums, want, d.Totals)
		}
	}
}
