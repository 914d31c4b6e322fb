package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/searching"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// hitFields are the members of a record that was found.
var hitFields = []collection.Field{
	{Name: "id", Kind: collection.Text, Required: true, Doc: "Id of the record."},
	{Name: "title", Kind: collection.Text, Required: true, Doc: "Number of the order, or name; the id where there is none."},
	{Name: "subtitle", Kind: collection.Text, OmitMissing: true, Doc: "The buyer, the address or the handle; left out where there is none."},
	{Name: "status", Kind: collection.Text, OmitMissing: true, Doc: "Status of the record; left out where it has none."},
	{Name: "createdAt", Kind: collection.Date, Required: true, Doc: "When the record was created."},
}

// Search is the operation that finds records of all collections. Rule search-9.
func Search(s *searching.Service) []Operation {
	return []Operation{{
		Name: "search.all", GraphQL: "search", Summary: "Find records of all collections",
		Doc: "Orders, customers, products, draft orders and return requests, each by what its list takes as q: " + search.QueryDoc +
			" A collection that the caller may not read is not searched and has no group.",
		Method: get, Path: "/search", Surfaces: Root, AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey},
		Input: []collection.Field{
			{Name: "q", Kind: collection.Text, MaxLength: search.MaxQuery, Doc: "What to find; without a letter or digit it is refused."},
			{
				Name: "limit", Kind: collection.Integer, Min: collection.Bound(1), Max: collection.Bound(searching.MaxLimit),
				Doc: "Records of each collection: 1 to 20, default 5.",
			},
		},
		Output: []collection.Field{
			{Name: "groups", Kind: collection.Array, Required: true, Doc: "A group for each collection that was searched.", Fields: []collection.Field{
				{Name: "collection", Kind: collection.Text, Required: true, Doc: "Slug of the collection."},
				{Name: "docs", Kind: collection.Array, Required: true, Doc: "What was found, best match first, then newest.", Fields: hitFields},
				{Name: "more", Kind: collection.Boolean, Required: true, Doc: "Whether its list has more with the same q."},
			}},
		},
		Reasons: []*fault.Error{search.ErrQuery},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			text, limit := in.TextOrNumber("q"), in.Int("limit", searching.DefaultLimit)
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.All(ctx, call.Principal, text, limit)
		},
	}}
}
