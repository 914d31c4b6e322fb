package mail

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

// OfOrder are the facts of an order as it was placed. Nothing that buyers may not see is in them: no notes, no reasons of the shop's
// people. "orderUrl" is left to callers, who know the pages of shops.
func OfOrder(o order.Order) Facts {
	f := Facts{
		"name": Greeted(o.Contact.Name), "orderNumber": o.Number, "orderDate": o.PlacedAt, "subtotal": o.Subtotal, "discount": o.Discount,
		"total": o.Total, "address": addressFact(o.Address), "paidAmount": o.Paid, "taxes": taxFacts(o.Taxes),
	}
	if o.Address != nil {
		f["shipping"] = o.Shipping
	}
	var rows []collection.Record
	for _, l := range o.Lines {
		rows = append(rows, row(&l.Line, l.Quantity, l.Total))
	}
	f["lines"] = rows
	return f
}

// OfCheckout are the facts of what becomes an order when it is paid.
func OfCheckout(c checkout.Checkout) Facts {
	f := Facts{
		"name": Greeted(c.Contact.Name), "orderNumber": c.OrderNumber, "subtotal": c.Totals.Subtotal, "discount": c.Totals.Discount,
		"total": c.Totals.Total, "address": addressFact(c.Address), "taxes": taxFacts(c.Totals.Taxes),
	}
	if c.Totals.Shipping != nil {
		f["shipping"] = *c.Totals.Shipping
	}
	var rows []collection.Record
	for i := range c.Lines {
		rows = append(rows, row(&c.Lines[i], c.Lines[i].Quantity, c.Lines[i].Total))
	}
	f["lines"] = rows
	return f
}

// Paying is f, which it changes, with how to pay.
func Paying(f Facts, i payment.Instructions) Facts {
	f["bank"], f["accountNumber"], f["accountHolder"], f["amountDue"] = i.Bank, i.Account, i.Holder, i.Amount
	if !i.Due.IsZero() {
		f["dueAt"] = i.Due
	}
	return f
}

// OfParcel are the facts of an order with the goods of one of its parcels, whose amounts do not matter there. all are its parcels: what
// is in none of those that left comes in another one.
func OfParcel(o order.Order, p order.Fulfillment, all []order.Fulfillment) Facts {
	f := OfOrder(o)
	var rows []collection.Record
	for _, it := range p.Items {
		if l := lineOf(o, it.OrderLine); l != nil {
			r := row(&l.Line, it.Quantity, money.Money{})
			delete(r, "amount")
			rows = append(rows, r)
		}
	}
	f["lines"], f["carrier"], f["trackingNumber"] = rows, string(p.Tracking.Carrier), p.Tracking.Number
	f["trackingUrl"] = trackingPage(p.Tracking)
	left := toShip(o)
	for _, one := range all {
		if one.ID == p.ID || one.State == order.FulfillmentShipped || one.State == order.FulfillmentDelivered {
			left -= units(one.Items)
		}
	}
	f["partial"] = left > 0
	return f
}

// OfCancel are the facts of a cancel of some lines, for which refunded was given back: the zero Money for nothing.
func OfCancel(o order.Order, c order.LineCancel, refunded money.Money) Facts {
	f := OfOrder(o)
	var rows []collection.Record
	for _, u := range c.Lines {
		if l := lineOf(o, u.OrderLine); l != nil {
			rows = append(rows, row(&l.Line, u.Quantity, u.Amount))
		}
	}
	f["lines"], f["partial"] = rows, true
	if !refunded.IsZero() {
		f["refundAmount"] = refunded
	}
	return f
}

// OfCanceled are the facts of an order that was canceled as a whole, with what was refunded of it.
func OfCanceled(o order.Order) Facts {
	f := OfOrder(o)
	f["refundAmount"] = o.Refunded
	return f
}

// OfReturn are the facts of a return request, whose goods go to the address to.
func OfReturn(o order.Order, r returns.Request, to *address.Address) Facts {
	f := OfOrder(o)
	var rows []collection.Record
	for _, returned := range r.Lines {
		if l := lineOf(o, returned.OrderLine); l != nil {
			rows = append(rows, row(&l.Line, returned.Quantity, returned.LineRefund))
		}
	}
	f["lines"], f["refundAmount"], f["reason"], f["returnAddress"] = rows, r.RefundAmount, r.StatusReason, addressFact(to)
	return f
}

// addressFact is a as a fact; nil for no address.
func addressFact(a *address.Address) any {
	if a == nil {
		return nil
	}
	return a.Record()
}

// taxFacts are taxes, rate by rate; none for nil.
func taxFacts(t *sale.Taxes) (rows []collection.Record) {
	if t == nil {
		return nil
	}
	for _, a := range t.Rates {
		rows = append(rows, collection.Record{"tax": a.Name, "percent": a.Percent.String(), "amount": a.Amount, "included": t.Included})
	}
	return rows
}

// row is a number of units of a line, which come to amount.
func row(l *sale.Line, quantity int64, amount money.Money) collection.Record {
	options := l.VariantTitle
	if strings.EqualFold(options, l.Title) {
		options = ""
	}
	return collection.Record{"title": l.Title, "options": options, "quantity": quantity, "amount": amount}
}

func lineOf(o order.Order, id string) *order.Line {
	for i := range o.Lines {
		if o.Lines[i].ID == id {
			return &o.Lines[i]
		}
	}
	return nil
}

func units(items []order.Item) (n int64) {
	for _, it := range items {
		n += it.Quantity
	}
	return n
}

// toShip is how many units of o a carrier delivers.
func toShip(o order.Order) (n int64) {
	for _, l := range o.Lines {
		if l.RequiresShipping {
			n += l.Kept()
		}
	}
	return n
}

// Greeted is a name as mails greet by it; "" where it could be read as an address. Whoever orders or signs up writes any name and any
// address, so a mail of the shop could have said their words with their link to a stranger.
func Greeted(name string) string {
	lower := strings.ToLower(name)
	for i, r := range lower {
		if r == '.' || r == '。' || r == '．' {
			if next, _ := utf8.DecodeRuneInString(lower[i+utf8.RuneLen(r):]); unicode.IsLetter(next) {
				return ""
			}
		}
	}
	if strings.Contains(lower, "://") || strings.Contains(lower, "www.") {
		return ""
	}
	return name
}
