package operation

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// CheckoutQuery is the list of checkouts as an operation of the shop's server, for clients that call
// operations only. It has the filters, envelope and access of the collection's list. Rule checkouts-10.
func CheckoutQuery(c *records.Service) []Operation {
	return []Operation{{
		Name: "checkouts.query", GraphQL: "checkoutQuery", Summary: "List checkouts",
		Doc:    "The list of the collection, with the same filters, sorting and pages. Newest first by default.",
		Method: get, Path: "/checkouts", Surfaces: Server,
		Input: slices.Concat(listInput(checkout.Schema), []collection.Field{
			{
				Name: "depth", Kind: collection.Integer, Min: collection.Bound(0), Max: collection.Bound(collection.MaxDepth),
				Doc: "Levels of relations to return as records instead of ids.",
			},
		}),
		Output:  listOutput(collection.Field{RelationTo: checkout.Schema.Slug, Doc: "The checkouts of the page."}),
		Reasons: []*fault.Error{collection.ErrQuery, records.ErrAnswerTooLarge, ports.ErrQueryTooSlow},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			q := records.Query{Where: in.Filter("where"), Sort: in.Text("sort"), Projection: records.Projection{Depth: in.Int("depth", 0)}}
			q.Page, q.Limit = in.Int("page", 1), in.Int("limit", collection.DefaultLimit)
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			body, err := c.List(ctx, call.Principal, checkout.Schema, q)
			return idempotency.Response{Result: ports.ReceiptOK, Body: body}, err
		},
	}}
}

// listInput is the input of a list of records of s.
func listInput(s *collection.Schema) []collection.Field {
	return []collection.Field{
		{Name: "page", Kind: collection.Integer, Doc: "Page number, from 1."},
		{Name: "limit", Kind: collection.Integer, Doc: "Records per page: 0 to 500, default 10. 0 only counts."},
		{
			Name: "sort", Kind: collection.Text,
			Doc: "Fields to sort by, separated by commas; a leading minus sorts in descending order. Newest first by default.",
		},
		{Name: "where", Kind: collection.JSON, RelationTo: s.Slug, Doc: "Conditions on the records."},
	}
}
