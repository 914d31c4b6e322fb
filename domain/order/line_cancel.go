package order

import (
	"math/big"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The refusals of canceling lines. Rule orders-22.
var (
	ErrWholeOrder = fault.New(fault.Unprocessable, "cancel_whole_order",
		"Nothing would be left of the order: cancel the order instead, which refunds and restocks all of it.")
	ErrTooManyLineCancels = fault.New(fault.Unprocessable, "line_cancels_exhausted",
		"Lines of this order were canceled a hundred times: cancel what is left of it instead.")
)

// maxLineCancels is how many cancels of lines an order remembers.
const maxLineCancels = 100

// LineCancel takes units off some lines of an order before they are fulfilled. It is in progress until the provider took
// its refund, and nothing else moves the order meanwhile.
type LineCancel struct {
	Key      string // names the request that began it
	Done     bool
	At       time.Time // when it began
	Actor    tenant.Actor
	Reason   string
	Lines    []CanceledUnits
	Shipping money.Money // what it takes off shipping
	Taxes    tax.Taxes   // the taxes in Amount; nil where the order has none
}

// CanceledUnits are the units of a line that a cancel takes off, and what they came to, with the taxes that are added.
type CanceledUnits struct {
	Item

	Amount money.Money
}

// Amount is what c takes off the order: lines and shipping.
func (c LineCancel) Amount() money.Money {
	all := c.Shipping
	for _, l := range c.Lines {
		all = all.Plus(l.Amount)
	}
	return all
}

// TaxFreePart is the part of amount, refunded for c, that is free of value added tax.
func (o Order) TaxFreePart(c LineCancel, amount money.Money) money.Money {
	taxFree := o.ExemptShippingIn(o.ShippingCharged().Minus(o.KeptShipping()).Minor, c.Shipping.Minor).Minor
	for _, l := range c.Lines {
		if i := o.lineIndex(l.OrderLine); i >= 0 && o.Lines[i].TaxFree() {
			taxFree += l.Amount.Minor
		}
	}
	return money.Of(money.Allocate(amount.Minor, []int64{taxFree, c.Amount().Minor - taxFree})[0], amount.Currency)
}

func (o Order) lineIndex(id string) int {
	return slices.IndexFunc(o.Lines, func(l Line) bool { return l.ID == id })
}

// sumCanceled adds up a part of each cancel of lines that is done, in the currency of zero.
func (o Order) sumCanceled(zero money.Money, part func(LineCancel) money.Money) money.Money {
	sum := money.Of(0, zero.Currency)
	for _, c := range o.LineCancels {
		if c.Done {
			sum = sum.Plus(part(c))
		}
	}
	return sum
}

// CanceledAmount is what cancels of lines took off the total of o.
func (o Order) CanceledAmount() money.Money { return o.sumCanceled(o.Total, LineCancel.Amount) }

// KeptShipping is what o still charges for shipping, with the taxes that are added.
func (o Order) KeptShipping() money.Money {
	return o.ShippingCharged().Minus(o.sumCanceled(o.Shipping, func(c LineCancel) money.Money { return c.Shipping }))
}

// Due is what o comes to: its total without what cancels of lines took off.
func (o Order) Due() money.Money { return o.Total.Minus(o.CanceledAmount()) }

// Kept is how many units of l were ordered and not canceled.
func (l Line) Kept() int64 { return l.Quantity - l.Canceled }

// LineCancelInProgress is the cancel of lines that waits for its refund; ok is false for none.
func (o Order) LineCancelInProgress() (c LineCancel, ok bool) {
	return o.findLineCancel(func(c LineCancel) bool { return !c.Done })
}

// LineCancelOf is the cancel of lines that the request named key began and that is done; ok is false for none.
func (o Order) LineCancelOf(key string) (c LineCancel, ok bool) {
	return o.findLineCancel(func(c LineCancel) bool { return c.Done && c.Key == key })
}

func (o Order) findLineCancel(which func(LineCancel) bool) (c LineCancel, ok bool) {
	if i := slices.IndexFunc(o.LineCancels, which); i >= 0 {
		return o.LineCancels[i], true
	}
	return c, false
}

func (o Order) cancelsLines() bool {
	_, busy := o.LineCancelInProgress()
	return busy
}

// RefundFor is what is given back of what was paid for o once c is done: its amount, as far as more was paid than o comes to
// then. It is 0 for an order that is not paid yet: that comes to less instead.
func (o Order) RefundFor(c LineCancel) money.Money {
	paidTooMuch := o.Paid.Minus(o.Due().Minus(c.Amount()))
	return money.Of(max(0, min(c.Amount().Minor, paidTooMuch.Minor)), o.Currency)
}

// BeginLineCancel returns o with c in progress.
func (o Order) BeginLineCancel(c LineCancel) Order {
	o.LineCancels = append(slices.Clip(o.LineCancels), c)
	return o
}

// StopLineCancel returns o without the cancel of lines in progress, after the provider refused its refund.
func (o Order) StopLineCancel() Order {
	o.LineCancels = slices.DeleteFunc(slices.Clone(o.LineCancels), func(c LineCancel) bool { return !c.Done })
	return o
}

// LineCancelRequest says which units are canceled, and why.
type LineCancelRequest struct {
	Key    string
	Actor  tenant.Actor
	Reason string
	Items  []Item
}

// PlanLineCancel is the cancel of the units that in names, at now; rounding is that of the shop. The amount of k more units of
// a line is round(line total with its taxes × (canceled + k) / quantity) − what was canceled of it before, as it is for returns, so that
// all units together come to the line's total however they are split. Once nothing that ships is left, shipping is taken
// off, too. Discounts stay as they were given. Rule orders-22.
//
// Units that were fulfilled, or are packed in a fulfillment, are not open. Errors: fault.ErrValidation, ErrTransition,
// cart.ErrLineNotFound, ErrUnitsExceeded, ErrWholeOrder, ErrTooManyLineCancels.
func (g OrderFulfillment) PlanLineCancel(in LineCancelRequest, rounding money.Rounding, now time.Time) (LineCancel, error) {
	o := g.Order
	c := LineCancel{
		Key: in.Key, At: collection.TruncateTime(now), Actor: in.Actor, Reason: in.Reason, Shipping: money.Of(0, o.Currency),
	}
	if err := CheckItems("lines", in.Items); err != nil {
		return c, err
	}
	if err := o.CheckTransition(Canceled); err != nil {
		return c, err
	}
	if len(o.LineCancels) >= maxLineCancels {
		return c, ErrTooManyLineCancels
	}
	for _, it := range in.Items {
		i := o.lineIndex(it.OrderLine)
		if i < 0 {
			return c, cart.ErrLineNotFound.WithMessage("The order has no such line.").WithData("orderLine", it.OrderLine)
		}
		if open := g.openUnits(o.Lines[i]); it.Quantity > open {
			return c, ErrUnitsExceeded.WithMessage("Fewer units are left to cancel: those that are packed or fulfilled are not.").
				WithData("orderLine", it.OrderLine).WithData("requested", it.Quantity).WithData("open", open)
		}
		c.Lines = append(c.Lines, CanceledUnits{it, o.Lines[i].cancelAmount(it.Quantity, rounding)})
	}
	after := o.withoutUnits(c)
	if after.nothingKept() {
		return c, ErrWholeOrder
	}
	if !after.ships() && o.ships() {
		c.Shipping = o.KeptShipping()
	}
	c.Taxes = o.taxesOf(c)
	if o.Authorization != nil && o.Due() == c.Amount() {
		return c, ErrWholeOrder.WithMessage("Nothing would be left to capture: cancel the order instead, which releases the payment.")
	}
	return c, nil
}

// withoutUnits is o with the units of c counted as canceled.
func (o Order) withoutUnits(c LineCancel) Order {
	o.Lines = slices.Clone(o.Lines)
	for _, units := range c.Lines {
		l := &o.Lines[o.lineIndex(units.OrderLine)]
		l.Canceled, l.CanceledAmount = l.Canceled+units.Quantity, money.Of(l.CanceledAmount.Minor+units.Amount.Minor, o.Currency)
	}
	return o
}

// openUnits are the units of l that are neither canceled, fulfilled nor packed.
func (g OrderFulfillment) openUnits(l Line) int64 {
	return max(0, l.Kept()-l.Fulfilled-g.pendingUnits(l.ID))
}

// cancelAmount is what n more units of l come to.
func (l Line) cancelAmount(n int64, rounding money.Rounding) money.Money {
	all := l.Charged()
	left := all.Minus(money.Of(l.CanceledAmount.Minor, all.Currency))
	worth, err := all.Scale(big.NewRat(l.Canceled+n, l.Quantity), rounding)
	if err != nil { // a part of an amount is never out of range
		return left
	}
	return money.Of(max(0, min(worth.Minor-l.CanceledAmount.Minor, left.Minor)), all.Currency)
}

// taxesOf are the taxes in what c takes off o, after the cancels before it: empty, not nil, for goods that have none.
func (o Order) taxesOf(c LineCancel) tax.Taxes {
	if o.Taxes == nil {
		return nil
	}
	all := tax.Taxes{}
	for _, units := range c.Lines {
		l := &o.Lines[o.lineIndex(units.OrderLine)]
		all = all.Plus(l.Taxes.Portion(l.Charged().Minor, l.CanceledAmount.Minor, units.Amount.Minor))
	}
	charged := o.ShippingCharged().Minor
	return all.Plus(o.Taxes.Shipping.Portion(charged, charged-o.KeptShipping().Minor, c.Shipping.Minor))
}

func (o Order) nothingKept() bool {
	return !slices.ContainsFunc(o.Lines, func(l Line) bool { return l.Kept() > 0 })
}

// ships reports whether any unit of o that was not canceled is delivered by a carrier.
func (o Order) ships() bool {
	return slices.ContainsFunc(o.Lines, func(l Line) bool { return l.RequiresShipping && l.Kept() > 0 })
}

// FinishLineCancel returns g after the cancel of lines in progress is done, at now: its units are not to be fulfilled any
// more, so that the order may be shipped or delivered with those that were. An order that waited for a payment and comes to
// nothing now is paid, and no payment that was lost holds it: nobody could pay it any more, and it would be canceled as unpaid.
// Errors: ErrTransition.
func (g OrderFulfillment) FinishLineCancel(now time.Time) (OrderFulfillment, error) {
	i := slices.IndexFunc(g.Order.LineCancels, func(c LineCancel) bool { return !c.Done })
	if i < 0 {
		return g, nil
	}
	next := g.clone()
	next.Order.LineCancels = slices.Clone(g.Order.LineCancels)
	next.Order.LineCancels[i].Done = true
	next.Order = next.Order.withoutUnits(next.Order.LineCancels[i])
	if next.Order.Due().IsZero() {
		next.Order = next.Order.endVoidedHold()
		if next.Order.Status == Pending || next.Order.Status == Failed {
			next.Order.Status = Paid
		}
	}
	for _, units := range next.Order.LineCancels[i].Lines {
		next.removeWork(units.Item)
	}
	return next.updateStatuses(now)
}

// removeWork takes units off the fulfillment order of their line.
func (g OrderFulfillment) removeWork(it Item) {
	for i := range g.FulfillmentOrders {
		for j := range g.FulfillmentOrders[i].Lines {
			if l := &g.FulfillmentOrders[i].Lines[j]; l.OrderLine == it.OrderLine {
				l.Quantity -= it.Quantity
				g.FulfillmentOrders[i] = g.FulfillmentOrders[i].MarkChanged(LinesChanged)
				return
			}
		}
	}
}

// StockOf returns the units per variant that c puts back into stock: those that the sale took from it.
func (o Order) StockOf(c LineCancel) []inventory.Demand {
	var units []inventory.Demand
	for _, l := range c.Lines {
		if i := o.lineIndex(l.OrderLine); i >= 0 && o.Lines[i].StockTaken {
			units = append(units, inventory.Demand{Variant: o.Lines[i].Variant, Quantity: l.Quantity})
		}
	}
	return inventory.Sum(units)
}
