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
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
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
	return []Operation{calculateDraft(d), finalizeDraft(d), discardDraft(d), linkDraft(d), revokeDraftLink(d)}
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
			tenant.ErrFeatureDisabled, draft.ErrNotEditable, draft.ErrAwaitsPayment, draft.ErrEmail, draft.ErrEmpty, draft.ErrMarketRequired,
			catalog.ErrMarketNotFound, catalog.ErrVariantNotPriced,
			checkout.ErrAddressRequired, shipping.ErrUnavailable, tax.ErrUnavailable, ports.ErrClaimLost,
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
		Reasons: []*fault.Error{tenant.ErrFeatureDisabled, draft.ErrNotEditable, draft.ErrAwaitsPayment, ports.ErrClaimLost},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return d.Discard(ctx, call, in.Param("id"))
		},
	}
}

func linkDraft(d *drafts.Service) Operation {
	return Operation{
		Name: "draftOrders.link", GraphQL: "draftOrderPaymentLink", Summary: "Make the payment link of a draft order",
		Doc: "Freezes the draft at the prices of now into a checkout, which the buyer pays on the shop's storefront with the token: a storefront takes the token from the address that it was sent to, and pays the checkout as any other. " +
			"The order is placed when it is paid, with the draft as its source; until then nothing is reserved but while the buyer pays. The draft cannot be edited, finalized or discarded meanwhile. " +
			"A draft that has a link answers the same one again, until it expires: then a new one takes its place.",
		Mutates: true, Method: "POST", Path: "/draft-orders/{id}/payment-link", Surfaces: Root, AllowedKinds: operators, KeyPolicy: KeyOptional,
		Params: []collection.Field{draftParam},
		Input: []collection.Field{{
			Name: "days", Kind: collection.Integer, Min: collection.Bound(1), Max: collection.Bound(drafts.MaxLinkDays),
			Doc: "For how many days it can be paid, 1 to 30; 7 when missing.",
		}},
		Output: []collection.Field{
			updatedDraftMember,
			{Name: "checkout", Kind: collection.Relation, RelationTo: checkout.Schema.Slug, Required: true, Doc: "The checkout that the buyer pays."},
			{Name: "checkoutToken", Kind: collection.Text, Required: true, Doc: "The token of the checkout: whoever has it may pay."},
		},
		Results: []ports.ReceiptResult{ports.ReceiptCreated, ports.ReceiptOK},
		Reasons: joinReasons(saleReasons, []*fault.Error{
			tenant.ErrFeatureDisabled, draft.ErrNotEditable, draft.ErrEmail, draft.ErrEmpty, draft.ErrMarketRequired,
			catalog.ErrMarketNotFound, catalog.ErrVariantNotPriced, checkout.ErrAddressRequired, shipping.ErrUnavailable,
			tax.ErrUnavailable, payment.ErrNothingToPay,
			payment.ErrSlotHeld, ports.ErrProviderUnavailable, ports.ErrClaimLost,
		}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			days := in.Int("days", drafts.DefaultLinkDays)
			if days < 1 || days > drafts.MaxLinkDays {
				in.Problem("days", "This field takes a whole number from 1 to 30.")
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return d.PaymentLink(ctx, call, in.Param("id"), days)
		},
	}
}

func revokeDraftLink(d *drafts.Service) Operation {
	return Operation{
		Name: "draftOrders.unlink", GraphQL: "draftOrderPaymentLinkRevoke", Summary: "Revoke the payment link of a draft order",
		Doc:     "The draft can be edited again. While the buyer is paying it is refused: cancel their payment session first, or wait until it has ended.",
		Mutates: true, Method: "POST", Path: "/draft-orders/{id}/payment-link/revoke", Surfaces: Root, AllowedKinds: operators, KeyPolicy: KeyOptional,
		Params: []collection.Field{draftParam},
		Output: []collection.Field{updatedDraftMember},
		Reasons: []*fault.Error{
			tenant.ErrFeatureDisabled, draft.ErrNoPaymentLink, payment.ErrSlotHeld, payment.ErrRequiresAttention, ports.ErrProviderUnavailable,
			ports.ErrClaimLost,
		},
		Run: byID(d.RevokePaymentLink),
	}
}
