package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/drafts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	draftParam = collection.Field{
		Name: "id", Alias: "draftOrderId", Kind: collection.Relation, RelationTo: draft.Schema.Slug, Doc: "The draft order.",
	}
	updatedDraftMember = collection.Field{
		Name: "draftOrder", Kind: collection.Relation, RelationTo: draft.Schema.Slug, Required: true, Doc: "The draft order as it is now.",
	}
	operators = []tenant.Kind{tenant.User, tenant.SecretKey}
)

// Drafts are the operations on draft orders besides writing them. Rules: features/drafts/RULES.md.
func Drafts(d *drafts.Service) []Operation {
	return []Operation{calculateDraft(d), finalizeDraft(d), discardDraft(d)}
}

func calculateDraft(d *drafts.Service) Operation {
	return Operation{
		Name: "draftOrders.calculate", GraphQL: "draftOrderCalculate", Summary: "Calculate the totals of a draft order",
		Doc:    "Uses the catalog's current prices, and reports the lines that cannot be sold and whether the discount code applies. It changes nothing, and works for a draft in any state.",
		Method: "POST", Path: "/draft-orders/{id}/calculate", Surfaces: Root, AllowedKinds: operators,
		Params:  []collection.Field{draftParam},
		Input:   []collection.Field{{Name: "explain", Kind: collection.Boolean, Doc: "Whether to include how each amount was calculated."}},
		Output:  draft.PreviewFields,
		Reasons: []*fault.Error{tenant.ErrFeatureDisabled, draft.ErrMarketRequired, catalog.ErrMarketNotFound, shipping.ErrPostalCode, shipping.ErrUnavailable},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			explain := in.Boolean("explain")
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			p, err := d.Calculate(ctx, call.Principal, in.Param("id"), explain)
			if err != nil {
				return idempotency.Response{}, err
			}
			return respond(draft.PreviewFields, p.Record(), nil)
		},
	}
}

func finalizeDraft(d *drafts.Service) Operation {
	return Operation{
		Name: "draftOrders.finalize", GraphQL: "draftOrderFinalize", Summary: "Finalize a draft order",
		Doc: "Creates the order, takes the stock and counts the discount use in one transaction. An order that costs nothing is paid, any other is pending; no email is sent. " +
			"A rejected call leaves the draft unchanged; correct it and finalize it with a new idempotency key.",
		Mutates: true, Method: "POST", Path: "/draft-orders/{id}/finalize", Surfaces: Root, AllowedKinds: operators, KeyPolicy: KeyRequired,
		Params: []collection.Field{draftParam},
		Output: []collection.Field{
			{Name: "order", Kind: collection.Relation, RelationTo: "orders", Required: true, Doc: "The order that was created."},
			updatedDraftMember,
		},
		Results: []ports.ReceiptResult{ports.ReceiptCreated},
		Reasons: joinReasons(saleReasons, []*fault.Error{
			tenant.ErrFeatureDisabled, draft.ErrNotEditable, draft.ErrEmail, draft.ErrEmpty, draft.ErrMarketRequired,
			catalog.ErrMarketNotFound, catalog.ErrVariantNotPriced,
			checkout.ErrAddressRequired, shipping.ErrUnavailable, ports.ErrClaimLost,
		}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return d.Finalize(ctx, call, in.Param("id"))
		},
	}
}

func discardDraft(d *drafts.Service) Operation {
	return Operation{
		Name: "draftOrders.discard", GraphQL: "draftOrderDiscard", Summary: "Discard a draft order",
		Doc:     "A discarded draft stays readable and can neither be edited nor finalized.",
		Mutates: true, Method: "POST", Path: "/draft-orders/{id}/discard", Surfaces: Root, AllowedKinds: operators, KeyPolicy: KeyOptional,
		Params:  []collection.Field{draftParam},
		Output:  []collection.Field{updatedDraftMember},
		Reasons: []*fault.Error{tenant.ErrFeatureDisabled, draft.ErrNotEditable, ports.ErrClaimLost},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return d.Discard(ctx, call, in.Param("id"))
		},
	}
}
