package order

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// MaxBatchNote is how many characters the note of a batch has at most.
const MaxBatchNote = 500

// CarrierBatches declares the exports to carriers that are remembered. Rule fulfillment-17.
var CarrierBatches = &collection.Schema{
	Slug: "carrier-batches", Singular: "CarrierBatch", Plural: "CarrierBatches",
	Doc: "Fulfillment orders that were exported to a carrier together. Each is in at most one batch, which its carrierBatch names.",
	Fields: []collection.Field{
		{Name: "number", Kind: collection.Integer, Indexed: true, NonNull: true, Doc: "Number of the batch, counted from 1 in each environment."},
		{
			Name: "carrier", Kind: collection.Select, Options: toStrings(Carriers), Indexed: true,
			Doc: "Carrier that it was made for; null for none in particular.",
		},
		{Name: "note", Kind: collection.Text, MaxLength: MaxBatchNote, Doc: "What whoever made it wrote beside it."},
		{Name: "count", Kind: collection.Integer, NonNull: true, Doc: "Fulfillment orders that were put into it."},
		{Name: "released", Kind: collection.Integer, NonNull: true, Doc: "How many of these were taken out again."},
		{Name: "createdBy", Kind: collection.Group, Fields: collection.ActorFields(true), Doc: "Who made it."},
	},
	UniqueSets:     [][]string{{"number"}},
	PerEnvironment: true, CommandOnly: true, NoDelete: true,
	Access: collection.Access{Viewer: read, Editor: read, Admin: read, SecretKey: read},
}

// Record is b as a record of CarrierBatches.
func (b CarrierBatch) Record() collection.Record {
	r := collection.Record{
		"id": b.ID, "tenant": string(b.Tenant), "environment": string(b.Environment), "number": b.Number, "count": b.Count,
		"released": b.Released, "createdBy": collection.ActorRecord(b.CreatedBy),
	}
	if b.Carrier != "" {
		r["carrier"] = string(b.Carrier)
	}
	if b.Note != "" {
		r["note"] = b.Note
	}
	return r
}

// CarrierBatchFrom reads what Record wrote.
func CarrierBatchFrom(r collection.Record) CarrierBatch {
	return CarrierBatch{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")), Number: r.Int("number"),
		Carrier: Carrier(r.Text("carrier")), Note: r.Text("note"), Count: r.Int("count"), Released: r.Int("released"),
		CreatedBy: collection.ActorFrom(r.Group("createdBy")),
	}
}
