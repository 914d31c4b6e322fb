package operation

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var verificationMember = collection.Field{
	Name: "verificationRequired", Kind: collection.Boolean, Required: true, NonNull: true,
	Doc: "Whether the address must be verified before logging in.",
}

func (s sessions) register(registration records.Registration) Operation {
	own := customerFields()
	return Operation{
		Name:         "customers.register",
		GraphQLField: s.field("register", GraphQLField{Data: "RegisterCustomer", Input: own, Result: "Registered"}),
		Summary:      "Register a customer", Doc: "Registering does not log the customer in.", Path: s.path("register"),
		Credentials: CredentialsOptional, AllowedKinds: []tenant.Kind{tenant.ClientKey}, ChecksPassword: true, RawInput: true,
		Input: append([]collection.Field{loginEmailInput, passwordInput},
			withoutFields(own, loginEmailInput.Name, passwordInput.Name)...),
		Output:  []collection.Field{customerMember, verificationMember},
		Results: []ports.ReceiptResult{ports.ReceiptCreated}, Reasons: []*fault.Error{ports.ErrDuplicate, fault.ErrRateLimited},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			p, err := s.keyPrincipal(ctx, in)
			if err != nil {
				return idempotency.Response{}, err
			}
			input, err := collection.WithoutTenant(in.Raw(), string(p.Tenant.ID)) // of the key: the call's token may be an expired one
			if err != nil {
				return idempotency.Response{}, err
			}
			customer, mustVerify, err := registration.Register(ctx, p, call.Address, input)
			answer, err := respondWith(s.audience(), err, s.account(customer)[0], value(verificationMember.Name, mustVerify))
			answer.Result = ports.ReceiptCreated
			return answer, err
		},
	}
}

// customerFields are the fields that customers set when they register.
func customerFields() (own []collection.Field) {
	for _, f := range identity.Customers.Fields {
		if f.Name == loginEmailInput.Name || slices.Contains(records.CustomerOwnFields, f.Name) {
			own = append(own, f)
		}
	}
	return own
}

func withoutFields(fields []collection.Field, names ...string) []collection.Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f collection.Field) bool { return slices.Contains(names, f.Name) })
}

// verifiedMembers are the members of the answer: a message, and the customer if the address was verified.
func verifiedMembers() []collection.Field {
	verified := customerMember
	verified.OmitMissing = true
	return []collection.Field{messageMember, verified}
}

// verifyEmail redeems a token; with an email address instead it sends a new token.
func (s sessions) verifyEmail() Operation {
	return Operation{
		Name: "customers.verify-email", Summary: "Verify an email address, or request a new token",
		Doc: "Send the token from the email, or the email address alone to request another token.",
		GraphQLField: s.field("sendVerification", GraphQLField{
			Doc: "Send an email verification token.", Input: []collection.Field{loginEmailInput}, Answer: AnswersTrue,
		}),
		Path: s.path("verify-email"), Credentials: CredentialsOptional, AllowedKinds: []tenant.Kind{tenant.ClientKey},
		Input: []collection.Field{
			{Name: "token", Kind: collection.Text, Doc: "The token from the email."},
			{Name: "email", Kind: collection.Text, Doc: "The email address."},
		},
		RawInput: true, Output: verifiedMembers(), Reasons: append(slices.Clip(emailTokenReasons), access.ErrEmailToken),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			request, err := s.tokenRequest(ctx, call, in)
			if err != nil {
				return idempotency.Response{}, err
			}
			if token, given := in.Raw()["token"].(string); given {
				return s.redeem(ctx, request.Principal, token)
			}
			err = s.access.SendVerification(ctx, request)
			return respondWith(s.audience(), err, value("message", "If this address is not verified yet, a token will be sent to it."))
		},
	}
}

// verifyByPath takes the token from the path, as Payload's client sends it.
func (s sessions) verifyByPath() Operation {
	return Operation{
		Name: "customers.verify", Summary: "Verify an email address, as the Payload client does",
		GraphQLField: s.field("verifyEmail", GraphQLField{
			Doc: "Verify the email address with the token that was sent.", Answer: AnswersTrue,
		}),
		Path: s.path("verify/{token}"), NoBody: true, Credentials: CredentialsOptional, AllowedKinds: []tenant.Kind{tenant.ClientKey},
		Params: []collection.Field{{Name: "token", Alias: "token", Kind: collection.Text, Doc: "The token from the email."}},
		Output: verifiedMembers(), Reasons: append(slices.Clip(emailTokenReasons), access.ErrEmailToken),
		Run: func(ctx context.Context, _ idempotency.Call, in *Input) (idempotency.Response, error) {
			p, err := s.keyPrincipal(ctx, in)
			if err != nil {
				return idempotency.Response{}, err
			}
			return s.redeem(ctx, p, in.Param("token"))
		},
	}
}

// redeem verifies the address to which a token was sent.
func (s sessions) redeem(ctx context.Context, p tenant.Principal, token string) (idempotency.Response, error) {
	customer, err := s.access.VerifyEmail(ctx, p, token)
	return respondWith(s.audience(), err, value("message", "Email verified successfully."), s.account(customer)[0])
}
