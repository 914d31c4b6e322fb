package operation

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/personaldata"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var customerParam = collection.Field{
	Name: "id", Alias: "customerId", Kind: collection.Relation, RelationTo: identity.Customers.Slug, Doc: "The customer.",
}

// PersonalData are the operations on all that a shop holds about customers. Rules access-53, access-54,
// access-60, access-63.
func PersonalData(s *personaldata.Service) []Operation {
	return []Operation{exportCustomer(s), mergeCustomers(s), showErasure(s), eraseCustomer(s), declineErasure(s), previewGuestErasure(s), eraseGuest(s)}
}

func exportCustomer(s *personaldata.Service) Operation {
	return Operation{
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
	}
}

func mergeCustomers(s *personaldata.Service) Operation {
	return Operation{
		Name: "customers.merge", GraphQL: "customerMerge", Summary: "Make two customers one",
		Doc: "Everything that leads to the customer from, in live and test, leads to the customer of the path: carts, checkouts, drafts, orders, returns and uses of discount codes. " +
			"It takes over the name, phone number, groups, addresses, notes and custom data that it has not, and keeps its email, password and consent. " +
			"The other customer is logged out and deleted. A merge that was interrupted goes on when it is repeated. It takes the permissions customers:update and customers:delete.",
		Mutates: true, Method: "POST", Path: "/customers/{id}/merge", Surfaces: Root, Slow: true, KeyPolicy: KeyOptional,
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, Params: []collection.Field{customerParam},
		Input: []collection.Field{{
			Name: "from", Kind: collection.Relation, RelationTo: identity.Customers.Slug, Required: true, Doc: "The customer who goes.",
		}, {
			Name: "preview", Kind: collection.Boolean,
			Doc: "Answer what it would do, and do nothing. Send the revision of the customer who stays along as expectedRevision afterwards.",
		}},
		Output: []collection.Field{
			{
				Name: "customer", Kind: collection.Relation, RelationTo: identity.Customers.Slug, Required: true,
				Doc: "The customer who stays; in a preview, as they would be.",
			},
			{Name: "changes", Kind: collection.Texts, Required: true, Doc: "Which of their fields became others, or would."},
			{Name: "moved", Kind: collection.Array, Required: true, Doc: "What was moved by this call, or would be.", Fields: []collection.Field{
				{Name: "collection", Kind: collection.Text, Required: true, Doc: "Slug of a collection."},
				{Name: "records", Kind: collection.Integer, Required: true, Doc: "How many of its records."},
			}},
		},
		Reasons: []*fault.Error{ports.ErrStale, identity.ErrErased},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			from, preview := in.Text("from"), in.Boolean("preview")
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.MergeCustomers(ctx, call, in.Param("id"), from, preview)
		},
	}
}

// heldFields are the answers of erasures about what is held.
var heldFields = []collection.Field{
	{Name: "customer", Kind: collection.Relation, RelationTo: identity.Customers.Slug, Required: true, Doc: "The customer."},
	heldField,
}

// heldField is what the answers of erasures say is held.
var heldField = collection.Field{
	Name: "collections", Kind: collection.Array, Required: true,
	Doc: "What is held about the person in live and test. All other fields stay as they are: numbers, lines, money, stock and taxes.",
	Fields: []collection.Field{
		{Name: "collection", Kind: collection.Text, Required: true, Doc: "Slug of a collection."},
		{Name: "records", Kind: collection.Integer, Required: true, Doc: "How many of its records are about the person."},
		{Name: "personal", Kind: collection.Integer, Required: true, Doc: "How many of these have something personal."},
		{Name: "underWay", Kind: collection.Integer, Required: true, Doc: "How many of these are under way, and stay as they are until that is over."},
		{Name: "fields", Kind: collection.Texts, Required: true, Doc: "The personal fields, which lose their values; inside groups and lists with dots."},
	},
}

// blockingField is what previews of erasures say is in the way.
var blockingField = collection.Field{
	Name: "blocking", Kind: collection.Array, Required: true, Doc: "What has to be over before the person can be erased: at most 100 records.",
	Fields: []collection.Field{
		{Name: "collection", Kind: collection.Text, Required: true, Doc: "Slug of a collection."},
		{Name: "record", Kind: collection.Text, Required: true, Doc: "Id of the record."},
	},
}

func showErasure(s *personaldata.Service) Operation {
	return Operation{
		Name: "customers.showErasure", GraphQL: "customerErasure", Summary: "Preview the erasure of a customer, or see how far it is",
		Doc: "What is held about the customer, what of it an erasure replaces, and what is in its way. While erasingSince of the customer is set the erasure goes on; " +
			"it is done when erasedAt is set. It takes the permissions customers:update and customers:delete.",
		Method: get, Path: "/customers/{id}/erasure", Surfaces: Root, Slow: true,
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, Params: []collection.Field{customerParam},
		Output: append(slices.Clone(heldFields), blockingField),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.Erasure(ctx, call, in.Param("id"))
		},
	}
}

func eraseCustomer(s *personaldata.Service) Operation {
	return Operation{
		Name: "customers.erase", GraphQL: "customerErase", Summary: "Erase what is personal about a customer",
		Doc: "The customer's own record loses its personal fields at once, and their logins end. Then the rest follows in the background: carts, checkouts, drafts, orders, payments, " +
			"returns, comments, the events of all these, the search index and stored answers. Orders, money, stock, taxes and reports stay as they are. It is refused while an order, " +
			"payment, refund, return or dispute of the customer is under way; an open checkout is waited for. It cannot be undone. The customer gets erasedAt when nothing is left, " +
			"two minutes later at the earliest. Repeated, it changes nothing unless something personal came since. " +
			"It takes the permissions customers:update and customers:delete.",
		Mutates: true, Method: "POST", Path: "/customers/{id}/erase", Surfaces: Root, Slow: true, KeyPolicy: KeyOptional,
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, Params: []collection.Field{customerParam},
		Input: []collection.Field{{
			Name: "reason", Kind: collection.Text, MaxLength: identity.MaxErasureReason,
			Doc: "Why. It is kept with the customer's record, so it should name nobody.",
		}},
		Output:  heldFields,
		Reasons: []*fault.Error{personaldata.ErrUnderWay, ports.ErrStale},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			reason := in.Text("reason")
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.EraseCustomer(ctx, call, in.Param("id"), reason)
		},
	}
}

func declineErasure(s *personaldata.Service) Operation {
	return Operation{
		Name: "customers.declineErasure", GraphQL: "customerErasureDecline", Summary: "Decline a customer's request to be erased",
		Doc: "The request is over, and the customer is told when it was declined, and why, as erasureDeclinedAt and erasureDeclineReason of their record. " +
			"They may ask again, and the shop may still erase them. It takes the permissions customers:update and customers:delete.",
		Mutates: true, Method: "POST", Path: "/customers/{id}/decline-erasure", Surfaces: Root, KeyPolicy: KeyOptional,
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, Params: []collection.Field{customerParam},
		Input: []collection.Field{{
			Name: "reason", Kind: collection.Text, Required: true, MaxLength: identity.MaxErasureReason,
			Doc: "Why, in words that the customer reads: such as the law that has the data kept, and how to complain.",
		}},
		Output:  []collection.Field{heldFields[0]},
		Reasons: []*fault.Error{identity.ErrErased, identity.ErrErasureNotRequested},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			reason := in.Text("reason")
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.DeclineErasure(ctx, call, in.Param("id"), reason)
		},
	}
}
