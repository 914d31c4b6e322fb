package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/personaldata"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	guestEmailInput = collection.Field{
		Name: "email", Kind: collection.Text, Required: true, MaxLength: collection.MaxEmail, // Email takes none of erasures
		Doc: "The guest's address, as they bought with it. The address of an erasure that is done stands for the guest, too: for what came since.",
	}
	guestErasureField = collection.Field{
		Name: "erasure", Kind: collection.Relation, RelationTo: identity.GuestErasures.Slug,
		Doc: "The erasure with this address; null: there is none, since it did not begin, or is done and has an address of its own.",
	}
)

func previewGuestErasure(s *personaldata.Service) Operation {
	return Operation{
		Name: "guestErasures.preview", GraphQL: "guestErasurePreview", Summary: "Preview the erasure of a guest, or see how far it is",
		Doc: "Changes nothing. What is held, in the environment of the request, of somebody who bought with this email address without an account, what of it an erasure replaces, and what is in its way. " +
			"The address is in the body, so that it is in no log of addresses. It takes the permissions customers:update and customers:delete.",
		Method: "POST", Path: "/guest-erasures/preview", Surfaces: Root, Slow: true,
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, Input: []collection.Field{guestEmailInput},
		Output: []collection.Field{guestErasureField, heldField, blockingField, {
			Name: "customer", Kind: collection.Text,
			Doc: "Id of the customer with this address; null without one. Their account and what belongs to it is not counted and stays: it is erased with the customer.",
		}},
		Reasons: []*fault.Error{personaldata.ErrTooManyRecords},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			email := in.Text("email")
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.GuestErasure(ctx, call, email)
		},
	}
}

func eraseGuest(s *personaldata.Service) Operation {
	return Operation{
		Name: "guestErasures.begin", GraphQL: "guestErase", Summary: "Erase what is personal about a guest",
		Doc: "Of all orders, checkouts, drafts and carts of this email address in the environment that belong to no customer, and of their payments, returns, comments and parcels, what is personal is replaced " +
			"in the background, as when a customer is erased: in their events, the search index and stored answers, too. In the place of the address is then that of the erasure: " +
			"it still says what belongs together. It is refused while an order, payment, refund, return or dispute is under way; an open checkout is waited for. It cannot be undone. " +
			"The erasure gets erasedAt when nothing is left, two minutes later at the earliest. What is bought with the address after it began is not erased. " +
			"It takes the permissions customers:update and customers:delete.",
		Mutates: true, Method: "POST", Path: "/guest-erasures/begin", Surfaces: Root, Slow: true, KeyPolicy: KeyOptional,
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey},
		Input: []collection.Field{guestEmailInput, {
			Name: "reason", Kind: collection.Text, MaxLength: identity.MaxErasureReason, Doc: "Why. It is kept with the erasure, so it should name nobody.",
		}},
		Output: []collection.Field{{
			Name: "erasure", Kind: collection.Relation, RelationTo: identity.GuestErasures.Slug, Required: true,
			Doc: "The erasure. An answer that is repeated for its idempotency key has the address of the erasure in place of the guest's.",
		}, heldField},
		Reasons: []*fault.Error{personaldata.ErrUnderWay, personaldata.ErrTooManyRecords, ports.ErrStale},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			email, reason := in.Text("email"), in.Text("reason")
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.EraseGuest(ctx, call, email, reason)
		},
	}
}
