package operation

import (
	"context"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/webhooks"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	endpointParam = collection.Field{
		Name: "id", Alias: "webhookEndpointId", Kind: collection.Relation, RelationTo: webhook.Endpoints.Slug, Doc: "The endpoint.",
	}
	deliveryParam = collection.Field{
		Name: "id", Alias: "webhookDeliveryId", Kind: collection.Relation, RelationTo: webhook.Deliveries.Slug, Doc: "The delivery.",
	}
	messageMember  = collection.Field{Name: "message", Kind: collection.Text, Required: true, Doc: "Human-readable message."}
	endpointMember = collection.Field{
		Name: "doc", Kind: collection.Relation, RelationTo: webhook.Endpoints.Slug, Required: true, Doc: "The endpoint.",
	}
	endpointSecretOutput = []collection.Field{
		messageMember, endpointMember,
		{
			Name: "secret", Kind: collection.Text, Required: true,
			Doc: "Secret that signs the deliveries, as in Standard Webhooks: shown only in this response and its replays for the same idempotency key.",
		},
	}
	deliveryOutput = []collection.Field{
		messageMember,
		{
			Name: "delivery", Kind: collection.Relation, RelationTo: webhook.Deliveries.Slug, Required: true,
			Doc: "The delivery as it is now; its result is stored shortly afterwards.",
		},
	}
)

// endpointInput is the input for a new endpoint.
func endpointInput() (input []collection.Field) {
	for _, f := range webhook.Endpoints.Fields {
		if !f.ReadOnly {
			input = append(input, f)
		}
	}
	return append(append(input, webhook.Endpoints.TenantNames()...), collection.Field{
		Name: "environment", Kind: collection.Select, Options: []string{string(tenant.Live), string(tenant.Test)},
		Doc: "Environment whose events it receives, besides those of shared records (default: the caller's). Only users may name the other one.",
	})
}

// Webhooks are the operations of admins and the shop's server on webhooks, besides reads and PATCH. Rules:
// features/webhooks/RULES.md.
func Webhooks(h *webhooks.Service) []Operation {
	list := []Operation{
		{
			Name: "webhookEndpoints.create", GraphQL: "webhookEndpointCreate", Summary: "Create a webhook endpoint",
			Doc:    "It receives events from now on. The plan limits the number of endpoints: free 1, basic 3, pro 5, enterprise unlimited.",
			Method: "POST", Path: "/webhook-endpoints", Guarded: true, Input: endpointInput(), RawInput: true, Output: endpointSecretOutput,
			Results: []ports.ReceiptResult{ports.ReceiptCreated}, Reasons: []*fault.Error{webhook.ErrEndpointLimit},
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				return h.Create(ctx, call, in.Raw())
			},
		},
		{
			Name: "webhookEndpoints.rotateSecret", GraphQL: "webhookEndpointRotateSecret",
			Summary: "Rotate the secret of a webhook endpoint", Doc: "For 24 hours deliveries are also signed with the old secret.",
			Method: "POST", Path: "/webhook-endpoints/{id}/rotate-secret", Guarded: true, Params: []collection.Field{endpointParam},
			Output: endpointSecretOutput, Run: byID(h.Rotate),
		},
		{
			Name: "webhookEndpoints.test", GraphQL: "webhookEndpointTest", Summary: "Send a test delivery",
			Doc:    "Sends a test delivery with the header webhook-test: true, even while the endpoint is disabled.",
			Method: "POST", Path: "/webhook-endpoints/{id}/test", Params: []collection.Field{endpointParam}, Output: deliveryOutput,
			Run: byID(h.Test),
		},
		{
			Name: "webhookEndpoints.delete", GraphQL: "webhookEndpointDelete", Summary: "Delete a webhook endpoint",
			Doc:    "Its pending deliveries are discarded.",
			Method: "DELETE", Path: "/webhook-endpoints/{id}", Params: []collection.Field{endpointParam},
			Output: []collection.Field{
				{Name: "id", Kind: collection.Text, Required: true, Doc: "Id of the endpoint."}, messageMember, endpointMember,
			},
			Run: byID(h.Delete),
		},
		{
			Name: "webhookDeliveries.redeliver", GraphQL: "webhookDeliveryRedeliver", Summary: "Redeliver a webhook delivery",
			Doc:    "Keeps the webhook-id and starts a new series of attempts; a pending delivery is attempted immediately.",
			Method: "POST", Path: "/webhook-deliveries/{id}/redeliver", Params: []collection.Field{deliveryParam}, Output: deliveryOutput,
			Reasons: []*fault.Error{webhook.ErrEndpointDisabled, webhook.ErrEventTrimmed, webhook.ErrEndpointDeleted},
			Run:     byID(h.Redeliver),
		},
		replayEndpoint(h),
	}
	for i := range list {
		list[i].Mutates, list[i].Surfaces, list[i].KeyPolicy, list[i].AllowedKinds = true, Root, KeyOptional,
			[]tenant.Kind{tenant.User, tenant.SecretKey}
	}
	return list
}

func replayEndpoint(h *webhooks.Service) Operation {
	return Operation{
		Name: "webhookEndpoints.replay", GraphQL: "webhookEndpointReplay", Summary: "Replay events to a webhook endpoint",
		Doc: "Every event between both bounds, inclusive, to which the endpoint subscribes, including events from before it was created or while it was disabled. Events delivered before are delivered again with the same webhook-id. " +
			"One call looks at " + strconv.Itoa(webhooks.MaxReplayEvents) + " events at most and returns where to continue.",
		Method: "POST", Path: "/webhook-endpoints/{id}/replay", Params: []collection.Field{endpointParam},
		Input: []collection.Field{
			{
				Name: "from", Kind: collection.Text, Required: true, MaxLength: maxBoundLength,
				Doc: "First event: a time such as 2026-01-31T09:00:00Z, or a sequence number.",
			},
			{
				Name: "to", Kind: collection.Text, MaxLength: maxBoundLength,
				Doc: "Last event, in the same form; defaults to the newest event.",
			},
		},
		Output: []collection.Field{
			messageMember,
			{Name: "deliveries", Kind: collection.Integer, Required: true, Doc: "Number of deliveries that the call started."},
			{
				Name: "nextSequence", Kind: collection.Integer,
				Doc: "Sequence number of the first event of the next call; null when nothing is left.",
			},
		},
		Reasons: []*fault.Error{webhook.ErrEndpointDisabled},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			from, to := in.TextOrNumber("from"), in.TextOrNumber("to")
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return h.Replay(ctx, call, in.Param("id"), from, to)
		},
	}
}

// maxBoundLength is the maximum length in characters of one bound of a replay.
const maxBoundLength = 40
