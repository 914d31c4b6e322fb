package paper

import (
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// Invoice is the statement of an order for its buyer: what was bought, what it came to, what was canceled, paid and given back.
// All amounts are those that the order has. It shows nothing that buyers may not see.
func Invoice(l Language, s Shop, o order.Order) Document {
	w := l.words()
	d := Document{
		Language: l, Title: w.Invoice, Sender: s.Name, Logo: s.Logo, Mark: mark(w, o, invoiceMark(w, o)),
		Facts:   facts(Fact{w.OrderNumber, o.Number}, Fact{w.OrderDate, l.Date(o.PlacedAt, s.Zone)}),
		Parties: notes(s.seller(w), Block{w.Buyer, nonempty(o.Contact.Name, o.Contact.Email, o.Contact.Phone)}, deliveredTo(w, s, o)),
		Columns: []Column{{w.Item, 6, false}, {w.UnitPrice, 2, true}, {w.Quantity, 1, true}, {w.Discount, 2, true}, {w.Amount, 2.2, true}},
		Totals:  totals(l, o), Notes: []Block{{Lines: []string{w.Statement}}},
	}
	for _, line := range o.Lines {
		d.Rows = append(d.Rows, []Cell{
			{Text: line.Title, Small: details(l, line)}, {Text: l.Amount(line.UnitPrice)}, {Text: strconv.FormatInt(line.Quantity, 10)},
			{Text: reduction(l, line.Discount)}, {Text: l.Amount(line.Total)},
		})
	}
	return d
}

// deliveredTo is where the goods went; nothing for an order that does not ship.
func deliveredTo(w *words, s Shop, o order.Order) Block {
	if o.Address == nil {
		return Block{}
	}
	return Block{w.ShipTo, s.recipient(shipTo(o))}
}

// invoiceMark is what became of the order, or of its payment.
func invoiceMark(w *words, o order.Order) string {
	if status := o.PaymentStatus(); o.Status != order.Canceled || status == "refunded" || status == "partially_refunded" {
		return w.PaymentStatus[status]
	}
	return w.Canceled
}

// details are the small lines of an item: its options, number and choices, and units that are not the buyer's any more.
func details(l Language, line order.Line) []string {
	w := l.words()
	out := nonempty(strings.Join(nonempty(options(line), line.SKU), " · "))
	out = append(out, attributes(line)...)
	if line.Canceled > 0 {
		out = append(out, w.CanceledUnits+strconv.FormatInt(line.Canceled, 10)+" ("+reduction(l, line.CanceledAmount)+")")
	}
	if line.Returned > 0 {
		out = append(out, w.ReturnedUnits+strconv.FormatInt(line.Returned, 10))
	}
	return out
}

// reduction is an amount that is taken off; "" for nothing.
func reduction(l Language, m money.Money) string {
	if m.IsZero() {
		return ""
	}
	return l.Amount(money.Of(-m.Minor, m.Currency))
}

// totals are the sums of an order from its lines to what was paid. What it comes to is Subtotal − Discount + Shipping + added
// taxes − Canceled; the taxes in it are below, with what each is due on.
func totals(l Language, o order.Order) []Total {
	w := l.words()
	all := []Total{{w.Subtotal, l.Amount(o.Subtotal), false}}
	add := func(name string, m money.Money, strong bool) { all = append(all, Total{name, l.Amount(m), strong}) }
	less := func(name string, m money.Money) {
		if !m.IsZero() {
			all = append(all, Total{name, reduction(l, m), false})
		}
	}
	less(discountName(w, o), o.Discount)
	if !o.Shipping.IsZero() || ships(o) {
		add(w.Shipping, o.Shipping, false)
	}
	if o.Taxes.Added() > 0 {
		for _, t := range o.Taxes.Rates {
			add(taxName(t), t.Amount, false)
		}
	}
	add(w.Total, o.Total, true)
	if canceled := o.CanceledAmount(); !canceled.IsZero() {
		less(w.CanceledPart, canceled)
		add(w.AmountDue, o.Due(), true)
	}
	if free := o.DueTaxFree(); !free.IsZero() {
		add(w.TaxFree, free, false)
	}
	for _, t := range o.DueTaxes() {
		add(w.OfWhich+taxName(t)+bracketedBase(l, t), t.Amount, false)
	}
	paid := money.Of(o.Paid.Minor, o.Total.Currency) // without a currency before a payment
	if !paid.IsZero() {
		add(w.Paid, paid, false)
	}
	if !o.Refunded.IsZero() {
		less(w.Refunded, o.Refunded)
		add(w.Received, paid.Minus(o.Refunded), true)
	}
	if left := o.Due().Minus(paid); left.Minor > 0 && o.Refunded.IsZero() && o.Status != order.Canceled && o.Status != order.Failed {
		add(w.ToPay, left, true)
	}
	return all
}

// taxName names a tax, with its percentage if its rate is known: VAT 10%.
func taxName(t tax.Amount) string {
	if t.Rate == "" {
		return t.Name
	}
	return t.Name + " " + t.Percent.String() + "%"
}

// bracketedBase is what a tax is due on.
func bracketedBase(l Language, t tax.Amount) string { return " " + bracketed(l.Amount(t.Base)) }

// discountName names the discount with the codes that take part in it.
func discountName(w *words, o order.Order) string {
	codes := make([]string, len(o.Codes))
	for i, c := range o.Codes {
		codes[i] = c.Code
	}
	return strings.Join(nonempty(w.Discount, bracketed(strings.Join(codes, ", "))), " ")
}

func ships(o order.Order) bool {
	for _, l := range o.Lines {
		if l.RequiresShipping {
			return true
		}
	}
	return false
}
