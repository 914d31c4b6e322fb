package order

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// MaxCarrierBatch is how many fulfillment orders a batch has at most: it is decided in one transaction, which other writers
// wait for.
const MaxCarrierBatch = 1_000

// The refusals of batches. Rules fulfillment-17, fulfillment-19.
var (
	ErrBatchEmpty = fault.New(fault.Conflict, "carrier_batch_empty",
		"Nothing is left to export: every open fulfillment order that matches is in a batch.")
	ErrInBatch    = fault.New(fault.Conflict, "carrier_batch_taken", "This fulfillment order is in a batch. Release it from that one first.")
	ErrNotOpen    = fault.New(fault.Conflict, "carrier_batch_nothing_open", "This fulfillment order has no units that can be shipped now.")
	ErrNotInBatch = fault.New(fault.Conflict, "carrier_batch_not_member", "This fulfillment order is not in the batch.")
	ErrBatchDone  = fault.New(fault.Conflict, "carrier_batch_item_done",
		"This fulfillment order was shipped or canceled: there is nothing to export again.")
)

// What of a fulfillment order changed after it was exported. Rule fulfillment-20.
const (
	AddressChanged = "address"
	LinesChanged   = "lines"
)

// ExportChanges lists both.
var ExportChanges = []string{AddressChanged, LinesChanged}

// CarrierBatch is one export to a carrier that is remembered: each fulfillment order names the batch that it is in.
type CarrierBatch struct {
	ID          string
	Tenant      tenant.ID
	Environment tenant.Environment
	Number      int64   // counts from 1 in each environment of a shop
	Carrier     Carrier // for whom it was made; "" for nobody in particular
	Note        string
	Count       int64        // fulfillment orders that were put into it
	Released    int64        // of these, how many were taken out again
	CreatedBy   tenant.Actor // who made it
}

// ToShip are the units of a fulfillment order that can be given to a carrier now, by line: open ones that ship, of an order
// that is paid or preparing, not on hold and not being canceled. It is empty if there are none.
func (g OrderFulfillment) ToShip(work string) []Item {
	if g.Order.Hold != "" {
		return nil
	}
	return g.ToPack(work)
}

// ToPack are the units of a fulfillment order that are yet to be packed, by line: those of ToShip, and those that wait because
// their order is on hold. It is empty if there are none, and for an unknown fulfillment order.
func (g OrderFulfillment) ToPack(work string) []Item {
	w, o := g.fulfillmentOrder(work), g.Order
	if w == nil || w.Type != ShippingFulfillmentOrder || o.Canceling() || !slices.Contains(ExportedStatuses, o.Status) {
		return nil
	}
	return slices.DeleteFunc(g.OpenItems(work), func(it Item) bool {
		i := o.lineIndex(it.OrderLine)
		return i < 0 || !o.Lines[i].RequiresShipping
	})
}

// ExportedStatuses are the statuses of orders whose open units are exported.
var ExportedStatuses = []Status{Authorized, Paid, Preparing}

// AddToBatch puts a fulfillment order with units to ship into a batch. Errors: fault.ErrNotFound, ErrInBatch, ErrNotOpen.
func (g OrderFulfillment) AddToBatch(work, batch string) (OrderFulfillment, error) {
	switch w := g.fulfillmentOrder(work); {
	case w == nil:
		return g, fault.ErrNotFound
	case w.CarrierBatch != "":
		return g, ErrInBatch.WithData("fulfillmentOrder", work).WithData("carrierBatch", w.CarrierBatch)
	case len(g.ToShip(work)) == 0:
		return g, ErrNotOpen.WithData("fulfillmentOrder", work)
	}
	g = g.clone()
	g.fulfillmentOrder(work).CarrierBatch = batch
	return g, nil
}

// ReleaseFromBatch takes a fulfillment order out of a batch, as long as it is neither shipped nor canceled, so that it is
// exported again. Errors: ErrNotInBatch, ErrBatchDone.
func (g OrderFulfillment) ReleaseFromBatch(work, batch string) (OrderFulfillment, error) {
	switch w := g.fulfillmentOrder(work); {
	case w == nil || w.CarrierBatch != batch:
		return g, ErrNotInBatch.WithData("fulfillmentOrder", work)
	case w.isDone():
		return g, ErrBatchDone.WithData("fulfillmentOrder", work)
	}
	g = g.clone()
	w := g.fulfillmentOrder(work)
	w.CarrierBatch, w.ChangedSinceExport = "", nil
	return g, nil
}

func (f FulfillmentOrder) isDone() bool {
	return f.Status == FulfillmentOrderClosed || f.Status == FulfillmentOrderCanceled
}

// MarkChanged is f after something of it changed, one of ExportChanges: whoever packs is told if f is in a batch and not done.
func (f FulfillmentOrder) MarkChanged(what string) FulfillmentOrder {
	if f.CarrierBatch != "" && !f.isDone() && !slices.Contains(f.ChangedSinceExport, what) {
		f.ChangedSinceExport = append(slices.Clip(f.ChangedSinceExport), what)
		slices.Sort(f.ChangedSinceExport)
	}
	return f
}

// BatchProgress is how far the fulfillment orders of a batch are. Each is in exactly one of Open, InProgress, Shipped and
// Canceled, and with those that were released they are all that the batch ever had.
type BatchProgress struct {
	Open, InProgress, Shipped, Canceled int64
	Changed                             int64 // of those open or in progress: what was exported is not how it is now
}

// ProgressOf counts the fulfillment orders of a batch by how far they are.
func ProgressOf(work []FulfillmentOrder) (p BatchProgress) {
	for _, w := range work {
		switch w.Status {
		case FulfillmentOrderClosed:
			p.Shipped++
		case FulfillmentOrderCanceled:
			p.Canceled++
		case FulfillmentOrderInProgress:
			p.InProgress++
		default:
			p.Open++
		}
		if !w.isDone() && len(w.ChangedSinceExport) > 0 {
			p.Changed++
		}
	}
	return p
}
