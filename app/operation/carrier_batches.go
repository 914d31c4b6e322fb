package operation

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const carrierBatchPath = "/fulfillments/carrier-batches"

var (
	carrierBatchParam = collection.Field{
		Name: "id", Alias: "carrierBatchId", Kind: collection.Relation, RelationTo: order.CarrierBatches.Slug, Doc: "The batch.",
	}
	// releasedBatchParam is no id: what changes is the fulfillment orders in the batch, each of which says whether it may leave it.
	releasedBatchParam = collection.Field{
		Name: "batch", Alias: "carrierBatchId", Kind: collection.Relation, RelationTo: order.CarrierBatches.Slug, Doc: "The batch.",
	}
	carrierBatchMember = collection.Field{
		Name: "carrierBatch", Kind: collection.Relation, RelationTo: order.CarrierBatches.Slug, Required: true, Doc: "The batch as it is now.",
	}
)

// CarrierBatches are the operations of exports to carriers that are remembered. Rules fulfillment-17, fulfillment-18,
// fulfillment-19, fulfillment-20.
func CarrierBatches(c *fulfillments.CarrierFiles) []Operation {
	list := []Operation{createCarrierBatch(c), showCarrierBatch(c), releaseCarrierBatch(c), carrierBatchFile(c)}
	for i := range list {
		list[i].Surfaces, list[i].AllowedKinds = Root, operators
	}
	return list
}

func createCarrierBatch(c *fulfillments.CarrierFiles) Operation {
	return Operation{
		Name: "fulfillments.createCarrierBatch", GraphQL: "carrierBatchCreate", Summary: "Put open fulfillment orders into a batch for a carrier",
		Doc: "Takes the oldest fulfillment orders with open units that are in no batch, at most 1,000, or else exactly those of ids. " +
			"However many do this at once, a fulfillment order is in one batch at most. Download the file of the batch as often as needed. " +
			"For editors, admins, packers, and secret keys with write access.",
		Mutates: true, Method: "POST", Path: carrierBatchPath, KeyPolicy: KeyOptional, Slow: true,
		Input: []collection.Field{
			{Name: "carrier", Kind: collection.Text, Doc: "Carrier that the batch is for, by code or name."},
			{Name: "from", Kind: collection.Text, Doc: "Only orders placed on or after this UTC date, such as 2026-01-31."},
			{Name: "to", Kind: collection.Text, Doc: "Only orders placed on or before this UTC date."},
			{Name: "ids", Kind: collection.Texts, MaxItems: order.MaxCarrierBatch, Doc: "Ids of fulfillment orders: all of these or none."},
			{Name: "note", Kind: collection.Text, MaxLength: order.MaxBatchNote, Doc: "What you want to remember about the batch."},
		},
		Output: []collection.Field{
			carrierBatchMember,
			{
				Name: "more", Kind: collection.Boolean, Required: true, NonNull: true,
				Doc: "Whether there were more fulfillment orders than fit: make another batch.",
			},
		},
		Results: []ports.ReceiptResult{ports.ReceiptCreated},
		Reasons: []*fault.Error{tenant.ErrFeatureDisabled, order.ErrBatchEmpty, order.ErrInBatch, order.ErrNotOpen, ports.ErrClaimLost},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			carrier, from, to, note, ids := in.Text("carrier"), in.Text("from"), in.Text("to"), in.Text("note"), in.Texts("ids")
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			if err := c.MayBatch(call.Principal); err != nil {
				return idempotency.Response{}, err
			}
			x, err := fulfillments.ParseBatchRequest(carrier, from, to, note, ids)
			if err != nil {
				return idempotency.Response{}, err
			}
			return c.CreateBatch(ctx, call, x)
		},
	}
}

func showCarrierBatch(c *fulfillments.CarrierFiles) Operation {
	return Operation{
		Name: "fulfillments.carrierBatch", GraphQL: "carrierBatchProgress", Summary: "How far a batch is",
		Doc:    "Counts what is in the batch now; what was released is in it no more. Importing tracking numbers ships it.",
		Method: get, Path: carrierBatchPath + "/{id}", Params: []collection.Field{carrierBatchParam},
		Output: []collection.Field{
			carrierBatchMember,
			{
				Name: "progress", Kind: collection.Group, Required: true, Fields: fulfillments.BatchProgressFields,
				Doc: "The fulfillment orders in it, by how far they are.",
			},
		},
		Reasons: []*fault.Error{tenant.ErrFeatureDisabled}, Run: byID(c.ShowBatch),
	}
}

func releaseCarrierBatch(c *fulfillments.CarrierFiles) Operation {
	return Operation{
		Name: "fulfillments.putBackCarrierBatch", GraphQL: "carrierBatchRelease", Summary: "Take fulfillment orders out of a batch",
		Doc: "For a file that the carrier lost, or a parcel that was pulled: what is released is exported with the next batch. " +
			"Without ids, everything that was neither shipped nor canceled is released.",
		Mutates: true, Method: "POST", Path: carrierBatchPath + "/{batch}/release", KeyPolicy: KeyOptional, Slow: true,
		Params: []collection.Field{releasedBatchParam},
		Input: []collection.Field{
			{Name: "ids", Kind: collection.Texts, MaxItems: order.MaxCarrierBatch, Doc: "Ids of fulfillment orders in the batch: all of these or none."},
		},
		Output:  []collection.Field{carrierBatchMember},
		Reasons: []*fault.Error{tenant.ErrFeatureDisabled, order.ErrNotInBatch, order.ErrBatchDone, ports.ErrClaimLost},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			ids := in.Texts("ids")
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return c.ReleaseBatch(ctx, call, in.Param("batch"), ids)
		},
	}
}

// carrierBatchRows are the values of the input rows.
var carrierBatchRows = []string{"all", "open"}

func carrierBatchFile(c *fulfillments.CarrierFiles) Operation {
	formats := []string{string(ports.CSV), string(ports.XLSX)}
	return Operation{
		Name: "fulfillments.exportCarrierBatch", Summary: "Export a batch as a carrier file",
		Doc: "The rows of the batch with addresses and units as they are now, in the form of the carrier file, and two columns more that imports ignore: " +
			"state (open, in_progress, on_hold, closed or canceled) and changedSinceExport (address, lines). What has left has its tracking number, so that the file can be imported as it is. There is no GraphQL field, because GraphQL cannot return files.",
		Method: get, Path: carrierBatchPath + "/{id}/file", Slow: true, Produces: []string{ports.CSV.MediaType(), ports.XLSX.MediaType()},
		Params: []collection.Field{carrierBatchParam},
		Input: []collection.Field{
			{Name: "format", Kind: collection.Select, Options: formats, Doc: "Format of the file; defaults to csv."},
			{
				Name: "rows", Kind: collection.Select, Options: carrierBatchRows,
				Doc: "open leaves out what cannot be given to the carrier now: what has left, was canceled or is on hold. Defaults to all.",
			},
		},
		Reasons: []*fault.Error{ports.ErrSpreadsheetTooLarge, tenant.ErrFeatureDisabled},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			x := fulfillments.BatchFile{Batch: in.Param("id"), Format: ports.CSV, OnlyOpen: in.Choice("rows") == "open"}
			if format := in.Choice("format"); slices.Contains(formats, format) {
				x.Format = ports.SpreadsheetFormat(format)
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			in.Download.ContentType, in.Download.Filename = x.Format.MediaType(), x.Filename()
			return idempotency.Response{Result: ports.ReceiptOK}, c.ExportBatch(ctx, call.Principal, x, in.Download, nil)
		},
	}
}
