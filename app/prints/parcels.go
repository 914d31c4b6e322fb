package prints

import (
	"context"
	"io"
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/paper"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Kind is a kind of document of a parcel.
type Kind string

// The kinds.
const (
	PackingSlip Kind = "packingSlip"
	Label       Kind = "label"
)

// MaxParcels is how many parcels, or fulfillment orders, one file has at most of those that are named. A whole carrier batch is one
// file, too.
const MaxParcels = 100

// maxRecords is how many bytes the records of one file may have, as they are stored.
const maxRecords = 32 << 20

// Parcels says what to print of which parcels: exactly one of IDs, FulfillmentOrders and CarrierBatch.
type Parcels struct {
	Kind              Kind
	IDs               []string       // of fulfillments, in the order of the file
	FulfillmentOrders []string       // whose units are yet to be packed, in the order of the file
	CarrierBatch      string         // whose fulfillment orders are yet to be packed, in the order of its own file
	Language          paper.Language // "": the shop's
	Size              paper.Format   // of labels; "": paper.Label
}

// check refuses what cannot be printed. Errors: fault.ErrValidation.
func (w Parcels) check() error {
	field, named, what := "ids", w.IDs, "fulfillment"
	if len(w.FulfillmentOrders) > 0 {
		field, named, what = "fulfillmentOrders", w.FulfillmentOrders, "fulfillment order"
	}
	switch {
	case w.CarrierBatch != "" && len(w.IDs)+len(w.FulfillmentOrders) > 0, len(w.IDs) > 0 && len(w.FulfillmentOrders) > 0:
		return fault.Invalidf("ids", "Name ids, fulfillmentOrders or a carrierBatch, one of the three.")
	case w.Kind != Label && w.Size != "":
		return fault.Invalidf("size", "Only labels have a size.")
	case w.CarrierBatch != "":
		return nil
	case len(named) == 0:
		return fault.Invalidf("ids", "Name 1 to %d fulfillments or fulfillmentOrders, or a carrierBatch.", MaxParcels)
	case len(named) > MaxParcels:
		return fault.Invalidf(field, "Name 1 to %d %ss.", MaxParcels, what)
	}
	for i, id := range named {
		if slices.Contains(named[:i], id) {
			return fault.Invalidf(field+"."+strconv.Itoa(i), "This %s is named twice.", what)
		}
	}
	return nil
}

// reads are the collections that w is read from.
func (w Parcels) reads() []*collection.Schema {
	all := []*collection.Schema{order.Fulfillments, order.Schema}
	if len(w.FulfillmentOrders) > 0 {
		all = append(all, order.FulfillmentOrders)
	}
	if w.CarrierBatch != "" {
		all = append(all, order.FulfillmentOrders, order.CarrierBatches)
	}
	return all
}

// document is how a document of a parcel is made.
func (w Parcels) document() func(paper.Language, paper.Shop, order.Order, order.Fulfillment) paper.Document {
	switch {
	case w.Kind != Label:
		return paper.PackingSlip
	case len(w.IDs) > 0:
		return paper.ParcelLabel
	}
	return paper.AddressLabel
}

func (w Parcels) format() paper.Format {
	switch {
	case w.Kind != Label:
		return paper.A4
	case w.Size == "":
		return paper.Label
	}
	return w.Size
}

// PrintParcels writes the documents of parcels to to, one after the other. Those who may read orders and fulfillments may, and
// what else w names. Errors: those of access.Allowed, tenant.ErrFeatureDisabled, fault.ErrValidation, ports.ErrNotFound for what is
// named and p does not have, order.ErrNothingToPack, collection.ErrAnswerTooLarge, those of ports.Prints.
func (s *Service) PrintParcels(ctx context.Context, p tenant.Principal, w Parcels, to io.Writer) error {
	if err := access.RequireReading(p, w.reads()...); err != nil {
		return err
	}
	if err := w.check(); err != nil {
		return err
	}
	r := s.Store.Read(ports.ForPrincipal(p))
	shop, language, err := s.shop(ctx, r, p, w.Language)
	if err != nil {
		return err
	}
	var documents []paper.Document
	document, room := w.document(), collection.NewRoom(maxRecords)
	add := func(o order.Order, f order.Fulfillment) {
		documents = append(documents, document(language, shop, o, f))
	}
	if len(w.IDs) > 0 {
		err = findParcels(ctx, r, p, w.IDs, room, add)
	} else {
		err = findWork(ctx, r, p, w, room, add)
	}
	if err != nil {
		return err
	}
	return s.Printer.Print(ctx, to, documents[0].Title, w.format(), documents)
}

// findParcels calls add with each fulfillment of ids. Errors: as PrintParcels.
func findParcels(
	ctx context.Context, r ports.Reader, p tenant.Principal, ids []string, room *collection.Room, add func(order.Order, order.Fulfillment),
) error {
	parcels, err := getAll(ctx, r, p, order.Fulfillments, ids, room)
	if err != nil {
		return err
	}
	of := make([]string, len(parcels))
	for i, f := range parcels {
		of[i] = f.Text("order")
	}
	orders, err := getAll(ctx, r, p, order.Schema, of, room)
	if err != nil {
		return err
	}
	for i := range parcels {
		add(order.FromRecord(orders[i]), order.FulfillmentFrom(parcels[i]))
	}
	return nil
}

// ordersAtOnce is how many orders are in memory at once with their parcels, beside the documents made of the others.
const ordersAtOnce = 100

// findWork calls add with what is to be packed of each fulfillment order of w, as a parcel. Of a carrier batch, those of which
// nothing is to be packed are left out; named ones are refused. Errors: as PrintParcels.
func findWork(
	ctx context.Context, r ports.Reader, p tenant.Principal, w Parcels, room *collection.Room, add func(order.Order, order.Fulfillment),
) error {
	work, carrier, err := readWork(ctx, r, p, w, room)
	if err != nil {
		return err
	}
	nothing := true
	for some := range slices.Chunk(work, ordersAtOnce) {
		goods, err := fulfillments.ReadGoods(ctx, r, some, room)
		if err != nil {
			return err
		}
		for _, record := range some {
			g := goods[record.Text("order")]
			var items []order.Item
			if g != nil { // it is nil if the order was deleted meanwhile
				items = g.ToPack(record.ID())
			}
			switch {
			case len(items) > 0:
				nothing = false
				add(g.Order, order.Fulfillment{State: order.FulfillmentPending, Items: items, Tracking: order.Tracking{Carrier: carrier}})
			case w.CarrierBatch == "":
				return order.ErrNothingToPack.WithData("fulfillmentOrder", record.ID())
			}
		}
	}
	if nothing {
		return order.ErrNothingToPack.WithMessage("This batch has no units that can be packed now.").WithData("carrierBatch", w.CarrierBatch)
	}
	return nil
}

// readWork reads the fulfillment orders of w, in the order of the file, and the carrier that they are for; "" for none in
// particular. Errors: ports.ErrNotFound, collection.ErrAnswerTooLarge.
func readWork(
	ctx context.Context, r ports.Reader, p tenant.Principal, w Parcels, room *collection.Room,
) (work []collection.Record, carrier order.Carrier, err error) {
	if w.CarrierBatch == "" {
		work, err = getAll(ctx, r, p, order.FulfillmentOrders, w.FulfillmentOrders, room)
		return work, "", err
	}
	batch, work, err := fulfillments.ReadBatch(ctx, r, p.Environment, w.CarrierBatch)
	return work, order.CarrierBatchFrom(batch).Carrier, err
}
