package operation

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	keyParam   = collection.Field{Name: "id", Alias: "apiKeyId", Kind: collection.Relation, To: identity.APIKeys.Slug, Doc: "The key."}
	revokeDone = []collection.Field{
		{Name: "id", Kind: collection.Text, Required: true, Doc: "Id of the key."},
		{Name: "message", Kind: collection.Text, Required: true, Doc: "A sentence for people."},
		{Name: "doc", Kind: collection.Relation, To: identity.APIKeys.Slug, Required: true, Doc: "The key."},
	}
	keyDone = append(slices.Clip(revokeDone), collection.Field{
		Name: "key", Kind: collection.Text, Required: true, Doc: "The text of the key: shown now, and again under the same idempotency key only.",
	})
)

// keyInput is what a new key is made of.
func keyInput() (input []collection.Field) {
	for _, f := range identity.APIKeys.Fields {
		if !f.Owned {
			input = append(input, f)
		}
	}
	return input
}

// Keys is the operations of API keys, for admins of a tenant. Contract 2.
func Keys(a *access.Access) []Operation {
	list := []Operation{
		{
			Name: "apiKeys.create", GraphQL: "apiKeyCreate", Summary: "Make an API key",
			Method: "POST", Path: "/api-keys", Input: keyInput(), Whole: true, Output: keyDone, Results: []ports.Result{ports.Created},
			Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
				return a.NewKey(ctx, call, in.All())
			},
		},
		{
			Name: "apiKeys.rotate", GraphQL: "apiKeyRotate", Summary: "Give an API key a new text", Doc: "The old one is unknown from then on.",
			Method: "POST", Path: "/api-keys/{id}/rotate", Output: keyDone, Reasons: []*fault.Error{access.ErrKeyRevoked},
			Run: onKey(a.RotateKey),
		},
		{
			Name: "apiKeys.revoke", GraphQL: "apiKeyRevoke", Summary: "Revoke an API key",
			Method: "POST", Path: "/api-keys/{id}/revoke", Output: revokeDone, Run: onKey(a.RevokeKey),
		},
		{
			Name: "apiKeys.delete", Summary: "Revoke an API key", Doc: "The record stays.",
			Method: "DELETE", Path: "/api-keys/{id}", Output: revokeDone, Run: onKey(a.RevokeKey),
		},
	}
	for i := range list {
		list[i].Changes, list[i].At, list[i].Key, list[i].Who = true, Root, KeyOptional, []tenant.Kind{tenant.User}
		if list[i].Path != "/api-keys" {
			list[i].Params = []collection.Field{keyParam}
		}
	}
	return list
}

// onKey runs an operation that takes nothing but the id in its path.
func onKey(do func(context.Context, once.Call, string) (once.Answer, error)) func(context.Context, once.Call, *Input) (once.Answer, error) {
	return func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
		if err := in.Done(); err != nil {
			return once.Answer{}, err
		}
		return do(ctx, call, in.Param("id"))
	}
}
