package operation

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/preview"
	"github.com/cartwright-dev/cartwright/app/returnrequests"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	returnParam = collection.Field{
		Name: "id", Alias: "returnRequestId", Kind: collection.Relation, RelationTo: returns.Schema.Slug, Doc: "The return request.",
	}
	updatedReturnMembers = []collection.Field{
		{
			Name: "returnRequest", Kind: collection.Relation, RelationTo: returns.Schema.Slug, Required: true,
			Doc: "The return request as it is now.",
		},
		updatedOrderMember,
	}
	previewedReturnMembers = append(slices.Clone(updatedReturnMembers), preview.OutputField)

	receivedReturnMembers = append(slices.Clone(updatedReturnMembers), collection.Field{
		Name: "receipt", Kind: collection.Group, Required: true, Fields: returns.AmountFields,
		Doc: "What the return comes to with what arrived, in the currency of the return request.",
	}, preview.OutputField)
	arrivalsInput = collection.Field{
		Name: "lines", Kind: collection.Array, Doc: "What arrived, each line of the return at most once; of lines that are not named everything did.",
		Fields: []collection.Field{
			{Name: "orderLine", Kind: collection.Text, Required: true, Doc: "Id of the order's line."},
			{
				Name: "quantity", Kind: collection.Integer, Min: collection.Bound(0),
				Doc: "Units that arrived, from 0 to those of the return; all of them when missing.",
			},
			{
				Name: "condition", Kind: collection.Select, Options: returns.Conditions,
				Doc: "How they arrived: as_new when missing; missing is for a line of which nothing did.",
			},
			{
				Name: "restock", Kind: collection.Boolean,
				Doc: "Whether they are put back into stock, if the sale took them from there; when missing, what is as_new as the return says, nothing else.",
			},
		},
	}

	returnInput = []collection.Field{
		{Name: "order", Kind: collection.Relation, RelationTo: order.Schema.Slug, Required: true, Doc: "The order."},
		{
			Name: "lines", Kind: collection.Array, Required: true, Doc: "The lines to return, each line of the order once.",
			Fields: []collection.Field{
				{Name: "orderLine", Kind: collection.Text, Required: true, Doc: "Id of the order's line."},
				{
					Name: "quantity", Kind: collection.Integer, Required: true, Min: collection.Bound(1),
					Doc: "Units, at most what remains of the line.",
				},
				{
					Name: "restockingFee", Kind: collection.Money, Min: collection.Bound(0),
					Doc: "Amount that the shop keeps of the line's refund, in major units; defaults to 0. Not for customers.",
				},
				{Name: "reason", Kind: collection.Textarea, MaxLength: returns.MaxNote, Doc: "Reason for the return."},
				{
					Name: "restock", Kind: collection.Boolean,
					Doc: "Whether to restock the units when they are received, if the sale took them from stock; defaults to true. Not for customers.",
				},
			},
		},
		{
			Name: "returnShippingFee", Kind: collection.Money, Min: collection.Bound(0),
			Doc: "Return shipping that the customer is charged, in major units; defaults to 0. Not for customers, who are charged what the order's return policy says.",
		},
		{
			Name: "initialShippingRefundAmount", Kind: collection.Money, Min: collection.Bound(0),
			Doc: "Outbound shipping to refund, in major units; defaults to 0. Not for customers, who get what the order's return policy suggests.",
		},
		{
			Name: "auditNote", Kind: collection.Textarea, MaxLength: returns.MaxNote,
			Doc: "Reason; required to refund shipping of an order without a return policy. Not for customers.",
		},
	}

	requestedReturnInput = append(slices.Clone(returnInput), refundAccountInput(
		"For the refund of a payment by virtual account, if its owner knows the account already."))

	remainingFields = []collection.Field{
		{Name: "orderLine", Kind: collection.Text, Required: true, Doc: "Id of the order's line."},
		{Name: "ordered", Kind: collection.Integer, Required: true, Doc: "Units ordered."},
		{
			Name: "returned", Kind: collection.Integer, Required: true,
			Doc: "Units of all return requests that are not rejected or canceled.",
		},
		{Name: "remaining", Kind: collection.Integer, Required: true, Doc: "Units that can still be returned."},
		{
			Name: "unitRefund", Kind: collection.Money, Currency: "currency", Required: true,
			Doc: "Refund of one more unit, before fees; 0 when none remains.",
		},
		{
			Name: "shippable", Kind: collection.Boolean, Required: true,
			Doc: "Whether the line requires shipping: only then is shipping refunded or charged.",
		},
	}
	returnableFields = []collection.Field{
		{Name: "currency", Kind: collection.Text, Required: true, Doc: "ISO 4217 code of all amounts."},
		{Name: "lines", Kind: collection.Array, Required: true, Fields: remainingFields, Doc: "Every line of the order."},
		{
			Name: "suggestedInitialShippingRefund", Kind: collection.Money, Currency: "currency", Required: true,
			Doc: "Outbound shipping that the order's return policy suggests to refund for all remaining units.",
		},
		{
			Name: "initialShippingRefundCap", Kind: collection.Money, Currency: "currency", Required: true,
			Doc: "The most outbound shipping that can still be refunded.",
		},
		{
			Name: "auditNoteRequired", Kind: collection.Boolean, Required: true,
			Doc: "Whether refunding shipping needs an audit note, because the order has no return policy.",
		},
	}
	returnPreviewFields = append([]collection.Field{
		{Name: "order", Kind: collection.Text, Required: true, Doc: "Id of the order."},
		{Name: "currency", Kind: collection.Text, Required: true, Doc: "ISO 4217 code of all amounts."},
	}, returns.AmountFields...)

	returnReasons = []*fault.Error{
		order.ErrNotReturnable, returns.ErrLineNotInOrder, returns.ErrQuantityExceeded, returns.ErrRestockingFee, returns.ErrRefundNegative,
		returns.ErrShippingNotApplicable, returns.ErrShippingCap, returns.ErrAuditNoteRequired, payment.ErrExceedsPaid,
	}
	returnCallers = []tenant.Kind{tenant.User, tenant.SecretKey, tenant.Customer}
)

// Returns are the operations of return requests. Rules: features/returns/RULES.md.
func Returns(r *returnrequests.Service) []Operation {
	return append([]Operation{returnableOperation(r), previewReturn(r), createReturn(r), refundReturn(r)}, returnSteps(r)...)
}

func returnableOperation(r *returnrequests.Service) Operation {
	return Operation{
		Name: "orders.returnable", GraphQL: "orderReturnable", Summary: "Show the returnable units of an order",
		Doc:    "Ordered, returned and remaining units of each line. For operators, the shop's server, and customers about their own orders.",
		Method: "GET", Path: "/orders/{id}/returnable", Surfaces: Root, AllowedKinds: returnCallers, Params: []collection.Field{orderParam},
		Output: returnableFields, Reasons: []*fault.Error{order.ErrNotReturnable},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			o, v, err := r.Returnable(ctx, call, in.Param("id"))
			return respond(returnableFields, overviewRecord(o, v), err)
		},
	}
}

func previewReturn(r *returnrequests.Service) Operation {
	return Operation{
		Name: "returnRequests.preview", GraphQL: "returnRequestPreview", Summary: "Preview the refund of a return",
		Doc:    "Changes nothing. Returns the units and amounts that such a return request would have, and the suggested shipping refund for exactly these lines.",
		Method: "POST", Path: "/return-requests/preview", Surfaces: Root, AllowedKinds: returnCallers, Input: returnInput,
		Output: returnPreviewFields, Reasons: returnReasons,
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			w, err := readReturn(in)
			if err != nil {
				return idempotency.Response{}, err
			}
			o, q, err := r.Preview(ctx, call, w)
			preview := q.Record()
			preview["order"], preview["currency"] = o.ID, string(o.Currency)
			return respond(returnPreviewFields, preview, err)
		},
	}
}

func createReturn(r *returnrequests.Service) Operation {
	return Operation{
		Name: "returnRequests.create", GraphQL: "returnRequestCreate", Summary: "Request a return",
		Doc: "For an order that was delivered or confirmed, which becomes return_requested. Several requests can be open at the same time. " +
			"refundAmount = sum of lineRefund + initialShippingRefundAmount − sum of restockingFee − returnShippingFee; the server calculates it and does not accept it as input. " +
			"Customers request returns of their own orders, and send lines, quantities and reasons only.",
		Mutates: true, Method: "POST", Path: "/return-requests", Surfaces: Root, AllowedKinds: returnCallers, KeyPolicy: KeyRequired,
		Input: requestedReturnInput, Output: updatedReturnMembers, Results: []ports.ReceiptResult{ports.ReceiptCreated},
		Reasons: joinReasons(returnReasons, []*fault.Error{tenant.ErrFeatureDisabled, tenant.ErrReauthenticate, ports.ErrClaimLost}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			account := readRefundAccount(in)
			w, err := readReturn(in)
			if err != nil {
				return idempotency.Response{}, err
			}
			w.RefundAccount = account
			return r.Create(ctx, call, w)
		},
	}
}

func refundReturn(r *returnrequests.Service) Operation {
	return Operation{
		Name: "returnRequests.refund", GraphQL: "returnRequestRefund", BeyondQuota: true, Summary: "Refund a return",
		Doc: "Refunds refundAmount through the provider, or records it if the order was paid manually, elsewhere or by a custom session. If the provider refuses, the return stays unchanged and can be refunded again; if a refund in the provider's console left too little money, refundProblem says so. " +
			"With its last open return, the order becomes returned if every unit came back, otherwise it gets its previous status back. For admins, and secret keys with write access. " + correctionKey,
		Mutates: true, Method: "POST", Path: "/return-requests/{id}/refund", Surfaces: Root,
		Input: []collection.Field{
			refundAccountInput(onlyForRefunds + " Without it the one counts that the return was requested with."), outcomeInput("return request"),
		},
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, KeyPolicy: KeyOptional,
		Params: []collection.Field{returnParam}, Output: previewedReturnMembers,
		Reasons: joinReasons(providerReasons, []*fault.Error{
			idempotency.ErrKeyRequired, returns.ErrTransition, payment.ErrExceedsPaid, payment.ErrRefundInProgress, payment.ErrRefundAccountRequired,
			tenant.ErrReauthenticate,
		}),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			w := returnrequests.RefundInput{Account: readRefundAccount(in), Preview: in.Boolean("preview")}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return r.Refund(ctx, call, in.Param("id"), w)
		},
	}
}

// returnSteps are the status changes of a return.
func returnSteps(r *returnrequests.Service) []Operation {
	why := []collection.Field{
		{Name: "reason", Kind: collection.Textarea, MaxLength: returns.MaxNote, Doc: "Reason; shown to the customer."},
	}
	list := []Operation{
		{
			Name: "returnRequests.approve", GraphQL: "returnRequestApprove", Summary: "Approve a return",
			Doc:  "The order becomes return_processing. For editors, admins, and secret keys with write access.",
			Path: "/return-requests/{id}/approve", Run: byID(r.Approve),
		},
		{
			Name: "returnRequests.receive", GraphQL: "returnRequestReceive", Summary: "Mark a return as received",
			Doc: "Its units count as returned, and those to be restocked are added to stock. Lines say what arrived where that is not everything: then less is refunded, and what is missing can be returned again. " +
				"For editors, admins, and secret keys with write access.",
			Path: "/return-requests/{id}/receive", Input: append([]collection.Field{arrivalsInput}, outcomeInput("return request")), Run: receiveReturn(r),
			Output: receivedReturnMembers,
		},
		{
			Name: "returnRequests.reject", GraphQL: "returnRequestReject", Summary: "Reject a return that was not received",
			Doc:  "Its units and amounts can be returned again. With its last open return, the order gets its previous status back. For editors, admins, and secret keys with write access.",
			Path: "/return-requests/{id}/reject", Input: why, Run: returnByIDWithReason(r.Reject),
		},
		{
			Name: "returnRequests.cancel", GraphQL: "returnRequestCancel", BeyondQuota: true, Summary: "Cancel a return that was not received",
			Doc:  "Has the same effect as rejecting it. Customers may cancel their own.",
			Path: "/return-requests/{id}/cancel", Input: why, AllowedKinds: returnCallers, Run: returnByIDWithReason(r.Cancel),
		},
	}
	for i := range list {
		o := &list[i]
		o.Mutates, o.Method, o.Surfaces, o.KeyPolicy, o.Params = true, "POST", Root, KeyOptional, []collection.Field{returnParam}
		if o.Output == nil {
			o.Output = updatedReturnMembers
		}
		o.Reasons = []*fault.Error{returns.ErrTransition, payment.ErrRefundInProgress, tenant.ErrFeatureDisabled, ports.ErrClaimLost}
		if o.AllowedKinds == nil {
			o.AllowedKinds = []tenant.Kind{tenant.User, tenant.SecretKey}
		}
	}
	return list
}

func returnByIDWithReason(
	do func(_ context.Context, _ idempotency.Call, id, why string) (idempotency.Response, error),
) func(context.Context, idempotency.Call, *Input) (idempotency.Response, error) {
	return func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
		why := in.Text("reason")
		if err := in.Done(); err != nil {
			return idempotency.Response{}, err
		}
		return do(ctx, call, in.Param("id"), why)
	}
}

func receiveReturn(r *returnrequests.Service) func(context.Context, idempotency.Call, *Input) (idempotency.Response, error) {
	return func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
		w := returnrequests.Receipt{Preview: in.Boolean("preview")}
		in.Objects("lines", func(in *Input) {
			a := returns.Arrival{
				OrderLine: in.Text("orderLine"), Quantity: in.Integer("quantity"), Condition: returns.Condition(in.Choice("condition")),
			}
			if restock := in.Boolean("restock"); in.Given("restock") {
				a.Restock = &restock
			}
			w.Lines = append(w.Lines, a)
		})
		if err := in.Done(); err != nil {
			return idempotency.Response{}, err
		}
		return r.Receive(ctx, call, in.Param("id"), w)
	}
}

func readReturn(in *Input) (returnrequests.Input, error) {
	w := returnrequests.Input{
		Order: in.Text("order"), ReturnShippingFee: in.Amount("returnShippingFee"),
		InitialShippingRefund: in.Amount("initialShippingRefundAmount"), AuditNote: in.Text("auditNote"),
	}
	in.Objects("lines", func(in *Input) {
		l := returnrequests.LineInput{
			OrderLine: in.Text("orderLine"), Quantity: in.PositiveInteger("quantity"), RestockingFee: in.Amount("restockingFee"),
			Reason: in.Text("reason"),
		}
		if restock := in.Boolean("restock"); in.Given("restock") {
			l.Restock = &restock
		}
		w.Lines = append(w.Lines, l)
	})
	return w, in.Done()
}

func overviewRecord(o order.Order, v returns.Overview) collection.Record {
	lines := make([]collection.Record, len(v.Lines))
	for i, l := range v.Lines {
		lines[i] = collection.Record{
			"orderLine": l.OrderLine, "ordered": l.Ordered, "returned": l.Returned, "remaining": l.Remaining, "unitRefund": l.UnitRefund,
			"shippable": l.Shippable,
		}
	}
	return collection.Record{
		"currency": string(o.Currency), "lines": lines, "suggestedInitialShippingRefund": v.SuggestedShippingRefund,
		"initialShippingRefundCap": v.ShippingRefundCap, "auditNoteRequired": v.AuditNoteRequired,
	}
}
