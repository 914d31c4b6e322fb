package draft

import (
	"slices"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

// CheckEditable refuses changes of a draft that is finalized or discarded, or waits for its payment. Rules drafts-1, drafts-13.
// Errors: ErrNotEditable, ErrAwaitsPayment.
func CheckEditable(r collection.Record) error {
	switch s := Status(r.Text("status")); s {
	case Open:
		return nil
	case Awaiting:
		return ErrAwaitsPayment
	case Finalized, Discarded:
	}
	return ErrNotEditable.WithData("status", r.Text("status"))
}

// Link is the payment link of a draft: a checkout of its lines, which the buyer opens by a token.
type Link struct {
	Checkout     string // id; "": the draft has no link
	ExpiresAt    time.Time
	TokenVersion int // of the secret that the token is derived with
}

// LinkOf is the payment link that the buyer of r has, the zero Link if there is none.
func LinkOf(r collection.Record) Link {
	if r.Text("status") != string(Awaiting) {
		return Link{}
	}
	l := r.Group("paymentLink")
	return Link{l.Text("checkout"), l.Time("expiresAt"), int(l.Int("tokenVersion"))}
}

// Offer returns r waiting for the payment of these totals by l. Errors: those of CheckEditable.
func Offer(r collection.Record, l Link, t sale.Totals, taxFree money.Money) (collection.Record, error) {
	if err := CheckEditable(r); err != nil {
		return nil, err
	}
	next := r.Clone()
	next["status"] = string(Awaiting)
	next["totals"] = t.Record(true, taxFree)
	next["paymentLink"] = collection.Record{"checkout": l.Checkout, "expiresAt": l.ExpiresAt, "tokenVersion": int64(l.TokenVersion)}
	return next, nil
}

// TakeBack returns r editable again, after its payment link was revoked. Errors: ErrNoPaymentLink.
func TakeBack(r collection.Record) (collection.Record, error) {
	if LinkOf(r).Checkout == "" {
		return nil, ErrNoPaymentLink
	}
	next := r.Clone()
	next["status"], next["paymentLink"], next["totals"] = string(Open), nil, nil
	return next, nil
}

// priceFields are the names under which clients try to set the price of a line. Prices come from the catalog, or stand in the terms of
// a line, with a reason. Rule drafts-8.
var priceFields = []string{
	"amount", "compareAtPrice", "customPrice", "discount", "discountAmount", "discountPercent", "discountPercentage", "price",
	"subtotal", "total",
	"totalPrice", "unitPrice",
}

// RejectPrices refuses lines with a price or discount outside of their terms. input is what a client sent. Errors:
// fault.ErrValidation.
func RejectPrices(input map[string]any) error {
	rows, _ := input["lines"].([]any)
	var bad []fault.Field
	for i, row := range rows {
		line, _ := row.(map[string]any)
		for _, name := range priceFields {
			if _, given := line[name]; given {
				bad = append(bad, fault.Field{
					Field:   "lines." + strconv.Itoa(i) + "." + name,
					Message: "The catalog prices the lines of a draft order. A price or discount of a line's own belongs into its terms, with the reason.",
				})
			}
		}
	}
	if len(bad) > 0 {
		return fault.ErrValidation.WithFields(bad...)
	}
	return nil
}

// CheckEdit checks the limits of a draft after an edit. Errors: fault.ErrValidation.
func CheckEdit(next collection.Record) error {
	if len(next.Rows("lines")) > MaxLines {
		return fault.Invalidf("lines", "A draft order has at most %d lines.", MaxLines)
	}
	return nil
}

// CheckCurrency refuses what is no currency, and a fee that was set in another one. Errors: fault.ErrValidation.
func CheckCurrency(next collection.Record) error {
	c := money.Currency(next.Text("currency"))
	switch fee, given := next.Money("shippingFee"); {
	case c == "":
		return fault.Invalidf("currency", "This field is required.")
	case !c.Valid():
		return fault.Invalidf("currency", "Enter a valid ISO 4217 currency code.")
	case given && fee.Currency != c:
		return fault.Invalidf("shippingFee", "The fee was set in %s: with another currency it has to be given again, or null.", fee.Currency)
	}
	return nil
}

// Finalize returns r after its order was placed, with its totals and the tax-free part of them. Errors: those of CheckEditable.
func Finalize(r collection.Record, order string, t sale.Totals, taxFree money.Money) (collection.Record, error) {
	if err := CheckEditable(r); err != nil {
		return nil, err
	}
	return finalized(r, order, t, taxFree), nil
}

// Sell is Finalize for a draft whose order was placed by the payment of its link.
func Sell(r collection.Record, order string, t sale.Totals, taxFree money.Money) collection.Record {
	return finalized(r, order, t, taxFree)
}

func finalized(r collection.Record, order string, t sale.Totals, taxFree money.Money) collection.Record {
	next := r.Clone()
	next["status"], next["order"] = string(Finalized), order
	next["totals"] = t.Record(true, taxFree)
	return next
}

// Discard returns r discarded. Errors: ErrNotEditable.
func Discard(r collection.Record) (collection.Record, error) {
	if err := CheckEditable(r); err != nil {
		return nil, err
	}
	next := r.Clone()
	next["status"] = string(Discarded)
	return next, nil
}

// line returns the first line of a variant.
func (d Draft) line(variant string) sale.Line {
	if i := slices.IndexFunc(d.Lines, func(l sale.Line) bool { return l.Variant == variant }); i >= 0 {
		return d.Lines[i]
	}
	return sale.Line{}
}
