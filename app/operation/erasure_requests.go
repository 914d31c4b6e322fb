package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// requestErasure records that customers want to be erased. Rule access-66.
func (s sessions) requestErasure() Operation {
	return Operation{
		Name: s.name("requestErasure"), GraphQL: "customerErasureRequest", Summary: "Ask to be erased",
		Doc: "Records with the customer, as erasureRequestedAt, that they want the shop to erase what it holds about them. The shop decides when, and cannot before their orders are over. " +
			"Until it begins they can take it back. Repeated, it changes nothing.",
		Path: s.path("request-erasure"), Credentials: CredentialsInspected, AllowedKinds: []tenant.Kind{s.kind}, ChecksPassword: true,
		Input: []collection.Field{{
			Name: "password", Kind: collection.Text, Required: true, Doc: "The customer's password, whatever the age of the session.",
		}},
		Output: []collection.Field{customerMember}, Reasons: []*fault.Error{access.ErrPasswordWrong, access.ErrTooManyLogins, identity.ErrErased},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			asked := access.Login{Principal: call.Principal, Password: in.Text("password"), ClientIP: call.Address}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			if _, err := s.token(call, in); err != nil {
				return idempotency.Response{}, err
			}
			customer, err := s.access.RequestErasure(ctx, asked)
			return respondWith(s.audience(), err, s.account(customer)[0])
		},
	}
}

// withdrawErasure takes that back.
func (s sessions) withdrawErasure() Operation {
	return Operation{
		Name: s.name("withdrawErasure"), GraphQL: "customerErasureWithdraw", Summary: "No longer ask to be erased",
		Doc:  "Until the shop has begun with it.",
		Path: s.path("withdraw-erasure"), NoBody: true, Credentials: CredentialsInspected, AllowedKinds: []tenant.Kind{s.kind},
		Output: []collection.Field{customerMember}, Reasons: []*fault.Error{identity.ErrErased},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if _, err := s.token(call, in); err != nil {
				return idempotency.Response{}, err
			}
			customer, err := s.access.WithdrawErasure(ctx, call.Principal)
			return respondWith(s.audience(), err, s.account(customer)[0])
		},
	}
}
