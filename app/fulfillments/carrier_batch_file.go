package fulfillments

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/carrier"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// BatchFile selects the contents of the file of a batch.
type BatchFile struct {
	Batch    string // id
	Format   ports.SpreadsheetFormat
	OnlyOpen bool // leave out what cannot be given to the carrier any more, or not now
}

// The further columns of the file of a batch, which imports ignore.
const (
	stateColumn   = "state"
	changedColumn = "changedSinceExport"
)

// What a row of the file of a batch tells beside the statuses of fulfillment orders.
const heldState = "on_hold"

// ExportBatch writes the rows of a batch to a file: what is in it, with addresses and units as they are now, whatever became of
// it. What has left has its tracking number, so that importing the file again changes nothing. Errors: those of Export and of
// access.Allowed, ports.ErrNotFound.
func (c *CarrierFiles) ExportBatch(ctx context.Context, p tenant.Principal, x BatchFile, to io.Writer, progress func(rows int)) error {
	if err := requireBatchAccess(p); err != nil {
		return err
	}
	record, work, err := c.readBatch(ctx, p, x.Batch)
	if err != nil {
		return err
	}
	return c.writeFile(to, x.Format, append(carrierHeader(), stateColumn, changedColumn), func(row func([]string) error) error {
		rows := 0
		for page := range slices.Chunk(work, collection.MaxLimit) {
			goods, err := ReadGoods(ctx, c.Store.Read(ports.ForPrincipal(p)), page, nil)
			if err != nil {
				return err
			}
			for _, w := range page {
				parcel := carrier.Parcel{
					FulfillmentOrder: w.ID(), Tracking: order.Tracking{Carrier: order.CarrierBatchFrom(record).Carrier}, Home: p.Tenant.Country,
				}
				if cells := batchRow(goods[w.Text("order")], parcel, x.OnlyOpen); cells != nil {
					if err := row(cells); err != nil {
						return err
					}
					rows++
				}
			}
			if progress != nil {
				progress(rows)
			}
		}
		return nil
	})
}

// batchRow is the row of a parcel in the file of its batch, with what is in it and, once it left, its tracking number; nil if it is left out.
func batchRow(g *OrderGoods, parcel carrier.Parcel, onlyOpen bool) []string {
	if g == nil {
		return nil // deleted with its order
	}
	id := parcel.FulfillmentOrder
	i := slices.IndexFunc(g.FulfillmentOrders, func(w order.FulfillmentOrder) bool { return w.ID == id })
	if i < 0 {
		return nil
	}
	w, items, state := g.FulfillmentOrders[i], g.ToShip(id), ""
	switch {
	case len(items) > 0:
		state = w.Status
	case onlyOpen:
		return nil
	case w.Status != order.FulfillmentOrderCanceled && len(g.OpenItems(id)) > 0:
		items, state = g.OpenItems(id), heldState
	default:
		items, state = linesOf(w), w.Status
		if t, sent := lastTracking(g.OrderFulfillment, id); sent {
			parcel.Tracking = t
		}
	}
	parcel.Items, parcel.Quantity = parcelContents(g.Order, items)
	return append(carrier.Row(g.Order, parcel), state, strings.Join(w.ChangedSinceExport, " "))
}

// linesOf are all units of a fulfillment order.
func linesOf(w order.FulfillmentOrder) (items []order.Item) {
	for _, l := range w.Lines {
		if l.Quantity > 0 && w.Status != order.FulfillmentOrderCanceled {
			items = append(items, order.Item{OrderLine: l.OrderLine, Quantity: l.Quantity})
		}
	}
	return items
}

// lastTracking is the tracking of the last parcel of a fulfillment order; ok is false for none.
func lastTracking(g order.OrderFulfillment, id string) (t order.Tracking, ok bool) {
	for _, f := range slices.Backward(g.Fulfillments) {
		if f.FulfillmentOrder == id && f.State != order.FulfillmentCanceled && f.Tracking.Number != "" {
			return f.Tracking, true
		}
	}
	return t, false
}

// Filename is the name of the file of a batch.
func (x BatchFile) Filename() string { return "carrier-batch-" + x.Batch + "." + string(x.Format) }
