package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/bulk"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Bulk are the operations on many records at once. Rules collections-33, collections-34.
func Bulk(s *bulk.Service) []Operation { return []Operation{bulkUpdate(s)} }

var bulkInput = []collection.Field{
	{Name: "patches", Kind: collection.Array, Required: true, Doc: "What to change, 1 to 1,000 records, each once.", Fields: []collection.Field{
		{Name: "id", Kind: collection.Text, Required: true, Doc: "The record."},
		{Name: "data", Kind: collection.JSON, Required: true, Doc: "The fields to change, as the input of a single change."},
		{
			Name: collection.ExpectedRevision, Kind: collection.Integer, Min: collection.Bound(1),
			Doc: "The revision that the change is based on. Refused if it is not the present one.",
		},
	}},
	{Name: "atomic", Kind: collection.Boolean, Doc: "Change all records, or none."},
}

var bulkOutput = []collection.Field{
	{Name: "updated", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Records that were changed."},
	{Name: "unchanged", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Records that were as asked already."},
	{Name: "refused", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Records that were not changed."},
	{Name: "results", Kind: collection.Array, Required: true, Fields: bulk.ResultFields, Doc: "What became of each, in the order sent."},
}

func bulkUpdate(s *bulk.Service) Operation {
	return Operation{
		Name: "records.bulk", GraphQL: "bulkUpdate", Summary: "Change many records, each in its own way",
		Doc: "Changes up to 1,000 records of a collection, each by the rules of a single change of it, and answers what became of each, in the order sent. A record that is refused leaves the others alone, unless atomic is true. " +
			"What changes nothing is unchanged, and makes no event. With an idempotency key, a repeated call goes on where the first one ended and changes nothing twice. For those who may change records of the collection, except customers.",
		Mutates: true, Method: "POST", Path: "/{collection}/bulk", Surfaces: Root, Slow: true,
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, KeyPolicy: KeyOptional, Localized: true,
		Params: []collection.Field{{
			Name: "collection", Alias: "collection", Kind: collection.Text, Doc: "The collection, as in its address: product-variants.",
		}},
		Input: bulkInput, Output: bulkOutput,
		Reasons: []*fault.Error{fault.ErrNotFound, bulk.ErrRefused, tenant.ErrReauthenticate, records.ErrCommandOnly, collection.ErrRecordTooLarge},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			r := bulk.Request{Atomic: in.Boolean("atomic")}
			in.Objects("patches", func(in *Input) {
				r.Patches = append(r.Patches, bulk.Patch{
					ID: in.Text("id"), Data: in.JSONObject("data"), ExpectedRevision: in.PositiveInteger(collection.ExpectedRevision),
				})
			})
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.Update(ctx, call, in.Param("collection"), r)
		},
	}
}
