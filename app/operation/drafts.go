package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/drafting"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	draftParam   = collection.Field{Name: "id", Alias: "draftOrderId", Kind: collection.Relation, To: draft.Schema.Slug, Doc: "The draft order."}
	draftChanged = collection.Field{Name: "draftOrder", Kind: collection.Relation, To: draft.Schema.Slug, Required: true, Doc: "The draft order as it is now."}
	operators    = []tenant.Kind{tenant.User, tenant.SecretKey}
)

// Drafts is what is done with draft orders besides writing them. Spec 4.4, Contract 9.
func Drafts(d *drafting.Drafting) []Operation {
	return []Operation{calculateDraft(d), finalizeDraft(d), discardDraft(d)}
}

func calculateDraft(d *drafting.Drafting) Operation {
	return Operation{
		Name: "draftOrders.calculate", GraphQL: "draftOrderCalculate", Summary: "Tell what a draft order comes to",
		Doc:    "At the catalog's prices of now, with the lines that could not be sold and what becomes of the discount code. It changes nothing, and answers for a draft in any state.",
		Method: "POST", Path: "/draft-orders/{id}/calculate", At: Root, Who: operators,
		Params:  []collection.Field{draftParam},
		Input:   []collection.Field{{Name: "explain", Kind: collection.Boolean, Doc: "Whether to tell how each number came about."}},
		Output:  draft.PreviewFields,
		Reasons: []*fault.Error{tenant.ErrFeatureDisabled, draft.ErrMarketRequired, shipping.ErrPostalCode, shipping.ErrUnavailable},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			explain := in.Boolean("explain")
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			p, err := d.Calculate(ctx, call.Principal, in.Param("id"), explain)
			if err != nil {
				return once.Answer{}, err
			}
			return answer(draft.PreviewFields, p.Record(), nil)
		},
	}
}

func finalizeDraft(d *drafting.Drafting) Operation {
	return Operation{
		Name: "draftOrders.finalize", GraphQL: "draftOrderFinalize", Summary: "Make a draft order real",
		Doc: "Makes its order, takes the goods and counts the use of its code, all at once. An order that costs nothing is paid, any other is pending: nothing is sent to anybody. " +
			"What is refused leaves the draft as it was; correct it and finalize it under a new key.",
		Changes: true, Method: "POST", Path: "/draft-orders/{id}/finalize", At: Root, Who: operators, Key: KeyRequired,
		Params: []collection.Field{draftParam},
		Output: []collection.Field{
			{Name: "order", Kind: collection.Relation, To: "orders", Required: true, Doc: "The order that was made."},
			draftChanged,
		},
		Results: []ports.Result{ports.Created},
		Reasons: reasons(saleReasons, []*fault.Error{
			tenant.ErrFeatureDisabled, draft.ErrNotEditable, draft.ErrEmail, draft.ErrEmpty, draft.ErrMarketRequired, checkout.ErrAddressRequired,
			shipping.ErrUnavailable, ports.ErrFenced,
		}),
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return d.Finalize(ctx, call, in.Param("id"))
		},
	}
}

func discardDraft(d *drafting.Drafting) Operation {
	return Operation{
		Name: "draftOrders.discard", GraphQL: "draftOrderDiscard", Summary: "Give a draft order up",
		Doc:     "A discarded draft stays readable and can neither be edited nor finalized.",
		Changes: true, Method: "POST", Path: "/draft-orders/{id}/discard", At: Root, Who: operators, Key: KeyOptional,
		Params:  []collection.Field{draftParam},
		Output:  []collection.Field{draftChanged},
		Reasons: []*fault.Error{tenant.ErrFeatureDisabled, draft.ErrNotEditable, ports.ErrFenced},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return d.Discard(ctx, call, in.Param("id"))
		},
	}
}
