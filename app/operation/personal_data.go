package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/personaldata"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var customerParam = collection.Field{
	Name: "id", Alias: "customerId", Kind: collection.Relation, RelationTo: identity.Customers.Slug, Doc: "The customer.",
}

// PersonalData is the operation that gives customers, or the shop, what it holds about them. Rule access-53.
func PersonalData(s *personaldata.Service) []Operation {
	return []Operation{{
		Name: "customers.export", Summary: "Export what the shop holds about a customer",
		Doc: "A JSON list of {collection, record}: the customer, then carts, checkouts, draft orders, orders, return requests, and for the shop payments and fulfillments, " +
			"of the environment of the call. Customers export themselves. Staff who may not read all of it get nothing. There is no GraphQL field, because GraphQL cannot return files.",
		Method: get, Path: "/customers/{id}/export", Surfaces: Root, Slow: true, Produces: []string{"application/json"},
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey, tenant.Customer},
		Params:       []collection.Field{customerParam},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			id := in.Param("id")
			in.Download.ContentType, in.Download.Filename = "application/json", personaldata.Filename(id)
			return idempotency.Response{Result: ports.ReceiptOK}, s.Export(ctx, call.Principal, id, in.Download)
		},
	}}
}
