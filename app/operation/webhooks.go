package operation

import (
	"context"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/hooking"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	endpointParam = collection.Field{Name: "id", Alias: "webhookEndpointId", Kind: collection.Relation, To: webhook.Endpoints.Slug, Doc: "The endpoint."}
	deliveryParam = collection.Field{Name: "id", Alias: "webhookDeliveryId", Kind: collection.Relation, To: webhook.Deliveries.Slug, Doc: "The delivery."}
	sentence      = collection.Field{Name: "message", Kind: collection.Text, Required: true, Doc: "A sentence for people."}
	endpointNow   = collection.Field{Name: "doc", Kind: collection.Relation, To: webhook.Endpoints.Slug, Required: true, Doc: "The endpoint."}
	endpointGiven = []collection.Field{
		sentence, endpointNow,
		{Name: "secret", Kind: collection.Text, Required: true, Doc: "What deliveries are signed with, by Standard Webhooks: shown now, and again under the same idempotency key only."},
	}
	deliveryDue = []collection.Field{
		sentence,
		{Name: "delivery", Kind: collection.Relation, To: webhook.Deliveries.Slug, Required: true, Doc: "The delivery as it is now; what came of it stands there a moment later."},
	}
)

// endpointInput is what a new endpoint is made of.
func endpointInput() (input []collection.Field) {
	for _, f := range webhook.Endpoints.Fields {
		if !f.Owned {
			input = append(input, f)
		}
	}
	return append(input, collection.Field{
		Name: "environment", Kind: collection.Select, Options: []string{string(tenant.Live), string(tenant.Test)},
		Doc: "Whose changes it hears of, besides those of what both share; the caller's own when missing. Only people may name the other one.",
	})
}

// Webhooks is what admins and the shop's server do with webhooks, besides reading and changing what is free. Contract 10.
func Webhooks(h *hooking.Hooking) []Operation {
	list := []Operation{
		{
			Name: "webhookEndpoints.create", GraphQL: "webhookEndpointCreate", Summary: "Make a webhook endpoint",
			Doc:    "It hears of what happens from now on. How many a shop may have depends on its plan: free 1, basic 3, pro 5, enterprise any number.",
			Method: "POST", Path: "/webhook-endpoints", Input: endpointInput(), Whole: true, Output: endpointGiven, Results: []ports.Result{ports.Created},
			Reasons: []*fault.Error{webhook.ErrLimit},
			Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
				return h.New(ctx, call, in.All())
			},
		},
		{
			Name: "webhookEndpoints.rotateSecret", GraphQL: "webhookEndpointRotateSecret", Summary: "Give a webhook endpoint a new secret",
			Doc:    "For 24 hours deliveries are signed with the one before, too.",
			Method: "POST", Path: "/webhook-endpoints/{id}/rotate-secret", Params: []collection.Field{endpointParam}, Output: endpointGiven,
			Run: onKey(h.Rotate),
		},
		{
			Name: "webhookEndpoints.test", GraphQL: "webhookEndpointTest", Summary: "Try a webhook endpoint",
			Doc:    "Sends it one delivery about nothing that happened, with the header webhook-test: true, also while it is off.",
			Method: "POST", Path: "/webhook-endpoints/{id}/test", Params: []collection.Field{endpointParam}, Output: deliveryDue,
			Run: onKey(h.Test),
		},
		{
			Name: "webhookEndpoints.delete", GraphQL: "webhookEndpointDelete", Summary: "Delete a webhook endpoint", Doc: "What was on its way to it is discarded.",
			Method: "DELETE", Path: "/webhook-endpoints/{id}", Params: []collection.Field{endpointParam},
			Output: []collection.Field{{Name: "id", Kind: collection.Text, Required: true, Doc: "Id of the endpoint."}, sentence, endpointNow},
			Run:    onKey(h.Delete),
		},
		{
			Name: "webhookDeliveries.redeliver", GraphQL: "webhookDeliveryRedeliver", Summary: "Deliver once more",
			Doc:    "Under the same webhook-id, with a whole round of attempts; one that is pending is tried at once.",
			Method: "POST", Path: "/webhook-deliveries/{id}/redeliver", Params: []collection.Field{deliveryParam}, Output: deliveryDue,
			Reasons: []*fault.Error{webhook.ErrDisabled, webhook.ErrGone, webhook.ErrOrphan}, Run: onKey(h.Redeliver),
		},
		replayEndpoint(h),
	}
	for i := range list {
		list[i].Changes, list[i].At, list[i].Key, list[i].Who = true, Root, KeyOptional, []tenant.Kind{tenant.User, tenant.SecretKey}
	}
	return list
}

func replayEndpoint(h *hooking.Hooking) Operation {
	return Operation{
		Name: "webhookEndpoints.replay", GraphQL: "webhookEndpointReplay", Summary: "Tell a webhook endpoint again what happened",
		Doc: "Every event from one end to the other, both included, that is of the sort the endpoint hears of: also what happened before it was made, or while it was off. What was delivered before is delivered again under the same webhook-id. " +
			"One call looks at " + strconv.Itoa(hooking.MaxReplay) + " events at most and says where to go on.",
		Method: "POST", Path: "/webhook-endpoints/{id}/replay", Params: []collection.Field{endpointParam},
		Input: []collection.Field{
			{Name: "from", Kind: collection.Text, Required: true, MaxLength: maxBound, Doc: "Where to begin: a time such as 2026-01-31T09:00:00Z, or the number of an event."},
			{Name: "to", Kind: collection.Text, MaxLength: maxBound, Doc: "Where to end, alike; the newest event when missing."},
		},
		Output: []collection.Field{
			sentence,
			{Name: "deliveries", Kind: collection.Integer, Required: true, Doc: "How many deliveries are on their way because of this."},
			{Name: "nextSequence", Kind: collection.Integer, Doc: "The number of the event to begin with in the next call; null when nothing is left."},
		},
		Reasons: []*fault.Error{webhook.ErrDisabled},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			from, to := in.Mark("from"), in.Mark("to")
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			return h.Replay(ctx, call, in.Param("id"), from, to)
		},
	}
}

// maxBound is how many characters one end of a replay has at most.
const maxBound = 40
