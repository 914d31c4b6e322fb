package operation

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	keyParam = collection.Field{
		Name: "id", Alias: "apiKeyId", Kind: collection.Relation, RelationTo: identity.APIKeys.Slug, Doc: "The key.",
	}
	revokeOutput = []collection.Field{
		{Name: "id", Kind: collection.Text, Required: true, Doc: "Id of the key."},
		{Name: "message", Kind: collection.Text, Required: true, Doc: "Human-readable message."},
		{Name: "doc", Kind: collection.Relation, RelationTo: identity.APIKeys.Slug, Required: true, Doc: "The key."},
	}
	keyOutput = append(slices.Clip(revokeOutput), collection.Field{
		Name: "key", Kind: collection.Text, Required: true,
		Doc: "The key itself: shown only in this response and its replays for the same idempotency key.",
	})
)

// keyInput is the input for a new key: the fields that callers may write, and the tenant.
func keyInput() (input []collection.Field) {
	for _, f := range identity.APIKeys.Fields {
		if !f.ReadOnly {
			input = append(input, f)
		}
	}
	return append(input, identity.APIKeys.TenantNames()...)
}

// Keys are the operations of API keys, for admins of a tenant. Rules access-17, access-18.
func Keys(a *access.Service) []Operation {
	list := []Operation{
		{
			Name: "apiKeys.create", GraphQL: "apiKeyCreate", Summary: "Create an API key",
			Method: "POST", Path: "/api-keys", Guarded: true, Input: keyInput(), RawInput: true, Output: keyOutput,
			Results: []ports.ReceiptResult{ports.ReceiptCreated},
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				return a.CreateKey(ctx, call, in.Raw())
			},
		},
		{
			Name: "apiKeys.rotate", GraphQL: "apiKeyRotate", Summary: "Rotate an API key", Doc: "The old key stops working.",
			Method: "POST", Path: "/api-keys/{id}/rotate", Guarded: true, Output: keyOutput, Reasons: []*fault.Error{access.ErrKeyRevoked},
			Run: byID(a.RotateKey),
		},
		{
			Name: "apiKeys.revoke", GraphQL: "apiKeyRevoke", Summary: "Revoke an API key",
			Method: "POST", Path: "/api-keys/{id}/revoke", Output: revokeOutput, Run: byID(a.RevokeKey),
		},
		{
			Name: "apiKeys.delete", Summary: "Revoke an API key", Doc: "The record is kept.",
			Method: "DELETE", Path: "/api-keys/{id}", Output: revokeOutput, Run: byID(a.RevokeKey),
		},
	}
	for i := range list {
		list[i].Mutates, list[i].Surfaces, list[i].KeyPolicy, list[i].AllowedKinds = true, Root, KeyOptional, []tenant.Kind{tenant.User}
		if list[i].Path != "/api-keys" {
			list[i].Params = []collection.Field{keyParam}
		}
	}
	return list
}
