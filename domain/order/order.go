package order

import (
	"cmp"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Source is where an order comes from.
type Source string

// The sources. Rule orders-15.
const (
	FromCheckout Source = "checkout"
	Manual       Source = "manual"
	FromAPI      Source = "api"
)

// Line is one bought line. Total = Subtotal − Discount.
type Line struct {
	sale.Line

	Fulfilled, Returned int64 // units

	// Units that were canceled before they were fulfilled, and what they came to: the sums over the order's LineCancels.
	Canceled       int64
	CanceledAmount money.Money // the zero Money for none

	// StockTaken reports whether the sale took the units from stock. If so, they are restocked when they are
	// canceled, or returned in a condition to be sold again. It is false for a variant whose stock was not
	// tracked at the time, even if it is now, and if the fact is unknown: stock that is too low can be
	// corrected by counting, while stock that is too high is oversold.
	StockTaken bool
}

// Order is an order with its lines, amounts and status.
type Order struct {
	ID                 string
	Tenant             tenant.ID
	Environment        tenant.Environment
	Number             string // yymmdd and six digits
	Status             Status
	Source             Source
	Customer           string // id; "" for guests
	Contact            sale.Contact
	Address            *address.Address
	Locale             string // language of the buyer; "": the shop's default one
	Currency           money.Currency
	Lines              []Line
	Codes              []checkout.Code
	Subtotal           money.Money
	Discount           money.Money
	Shipping           money.Money
	Total              money.Money
	Taxes              *sale.Taxes            // nil where none were computed
	Paid               money.Money            // zero until it is paid
	Refunded           money.Money            // refunds known to have succeeded
	Reversed           money.Money            // taken back by the provider without a refund, and not returned; without a currency for nothing
	Authorization      *Authorization         // money that is held for it and not captured; nil for none
	Hold               string                 // why nothing of it is shipped: one of HoldReasons; "" for nothing
	ShippingMethod     string                 // title of the shipping policy that an operator chose; "": none was chosen
	ReturnPolicy       *checkout.ReturnPolicy // nil on legacy orders
	Checkout           string
	Draft              string
	Notes              string
	Metadata           collection.JSONValue
	PlacedAt           time.Time
	DeliveredAt        time.Time // time of the first delivery; zero before
	StatusNote         string    // the operator's note on the last manual status change
	StatusBeforeReturn Status    // status before the first open return, else ""
	CancelKey          string    // identifies the operation that cancels or canceled it; else ""
	CancelReason       string
	CanceledBy         tenant.Actor // who began that operation; zero: the server itself
	LineCancels        []LineCancel // cancels of single lines, oldest first
	ImportHash         string       // of the imported record; "" for our own orders
	Assignment         team.Assignment
	FormerEmails       []string // of the buyer, which were corrected
}

// Totals are the sums of o.
func (o Order) Totals() sale.Totals {
	return sale.Totals{Subtotal: o.Subtotal, Discount: o.Discount, Shipping: &o.Shipping, Total: o.Total, Taxes: o.Taxes}
}

// ShippingCharged is what o charges for shipping, with the taxes that are added.
func (o Order) ShippingCharged() money.Money {
	return money.Of(o.Shipping.Minor+o.Taxes.ShippingAdded(), o.Shipping.Currency)
}

// TaxFree is the part of the total that is free of value added tax. Rule payments-68.
func (o Order) TaxFree() money.Money {
	return sale.TaxFreeAmount(o.Currency, o.Lines, o.Taxes, func(l *Line) *sale.Line { return &l.Line })
}

// DueTaxFree is the part of what o comes to that is free of value added tax.
func (o Order) DueTaxFree() money.Money {
	all := o.TaxFree()
	for _, l := range o.Lines {
		if l.TaxFree() && l.Canceled > 0 {
			all = all.Minus(l.CanceledAmount)
		}
	}
	return all.Minus(o.ExemptShippingIn(0, o.ShippingCharged().Minus(o.KeptShipping()).Minor))
}

// ExemptShippingIn is what is free of value added tax in part minor units of what o charges for shipping, after before of that was
// given back.
func (o Order) ExemptShippingIn(before, part int64) money.Money {
	if o.Taxes == nil {
		return money.Of(0, o.Currency)
	}
	return money.Of(tax.PortionOf(o.Taxes.ExemptShipping.Minor, o.ShippingCharged().Minor, before, part), o.Currency)
}

// DueTaxes are the taxes in what o comes to, of each rate.
func (o Order) DueTaxes() tax.Taxes {
	if o.Taxes == nil {
		return nil
	}
	left := o.Taxes.Rates
	for _, c := range o.LineCancels {
		if c.Done {
			left = left.Minus(c.Taxes)
		}
	}
	return left
}

// TaxesIn are the taxes in amount that is paid for o now: their part of what o comes to, and in what is more than that of what
// canceled lines came to.
func (o Order) TaxesIn(amount money.Money) tax.Taxes {
	if o.Taxes == nil {
		return nil
	}
	due, more := o.DueTaxes(), amount.Minor-o.Due().Minor
	if more <= 0 {
		return due.Share(o.Due().Minor, amount.Minor, nil)
	}
	return due.Plus(o.Taxes.Rates.Minus(due).Share(o.CanceledAmount().Minor, more, nil))
}

// TaxesAt is TaxesIn for what was paid at a moment, when not all cancels of lines had begun.
func (o Order) TaxesAt(amount money.Money, at time.Time) tax.Taxes {
	o.LineCancels = slices.DeleteFunc(slices.Clone(o.LineCancels), func(c LineCancel) bool { return c.At.After(at) })
	return o.TaxesIn(amount)
}

// TaxFreeIn is the part of amount that is free of value added tax, when amount is paid for o now: its part of what o comes to, and of
// what is more than that of what canceled lines came to, by largest remainder.
func (o Order) TaxFreeIn(amount money.Money) money.Money {
	due, free := o.Due().Minor, o.DueTaxFree().Minor
	part := money.Allocate(min(amount.Minor, due), []int64{free, due - free})[0]
	if more := amount.Minor - due; more > 0 {
		gone := o.TaxFree().Minor - free
		part += money.Allocate(min(more, o.CanceledAmount().Minor), []int64{gone, o.CanceledAmount().Minor - gone})[0]
	}
	return money.Of(part, o.Currency)
}

const (
	unpaid    = "unpaid"
	fulfilled = "fulfilled"
)

// importedPaymentStatuses are those that an imported order may have.
var importedPaymentStatuses = []string{unpaid, "paid", "partially_refunded", "refunded"}

var paymentStatuses = append(slices.Clip(importedPaymentStatuses), "reversed", "authorized", "partially_paid")

// PaymentStatus is derived from the authorized, paid, refunded and reversed amounts.
func (o Order) PaymentStatus() string {
	switch {
	case o.Authorization != nil:
		return "authorized"
	case o.Status == Pending || o.Status == Failed, o.Paid.IsZero() && !o.Due().IsZero():
		return unpaid
	case !o.Reversed.IsZero():
		return "reversed"
	case o.Refunded.IsZero() && o.Paid.Minor < o.Due().Minor:
		return "partially_paid"
	case o.Refunded.IsZero():
		return "paid"
	case o.Refunded.Minor < o.Paid.Minor:
		return "partially_refunded"
	}
	return "refunded"
}

// FulfillmentStatus is derived from the units fulfilled, of those that were not canceled.
func (o Order) FulfillmentStatus() string {
	var units, done int64
	for _, l := range o.Lines {
		units += l.Kept()
		done += l.Fulfilled
	}
	switch done {
	case 0:
		return "none"
	case units:
		return fulfilled
	}
	return "partial"
}

// The types and statuses of fulfillment orders. Rule fulfillment-16.
const (
	ShippingFulfillmentOrder = "shipping"
	ManualFulfillmentOrder   = "manual"

	FulfillmentOrderOpen       = "open"
	FulfillmentOrderInProgress = "in_progress"
	FulfillmentOrderClosed     = "closed"
	FulfillmentOrderCanceled   = "canceled"
)

// FromDraft returns o, just placed, as the order of a draft; o was placed under the id of the draft.
func (o Order) FromDraft() Order {
	o.Source, o.Draft, o.Checkout = Manual, o.Checkout, ""
	return o
}

// PaidFromDraft returns o, just placed by the payment of a draft's link, as the order of that draft.
func (o Order) PaidFromDraft(id string) Order {
	o.Source, o.Draft = Manual, id
	return o
}

// DiscountHolder is the id under which discount uses of o are counted, of its checkout or its draft; "" for
// none.
func (o Order) DiscountHolder() string { return cmp.Or(o.Checkout, o.Draft) }

// FulfillmentOrder is the work of one type that an order needs.
type FulfillmentOrder struct {
	ID          string
	Tenant      tenant.ID
	Environment tenant.Environment
	Order       string
	Type        string // ShippingFulfillmentOrder or ManualFulfillmentOrder
	Status      string // FulfillmentOrderOpen …
	Lines       []FulfillmentOrderLine

	CarrierBatch       string   // the batch in which it was exported to a carrier; "" for none
	ChangedSinceExport []string // what changed since then, of ExportChanges; nil for nothing
}

// FulfillmentOrderLine is a number of units of one order line.
type FulfillmentOrderLine struct {
	OrderLine      string
	Quantity, Done int64
}
