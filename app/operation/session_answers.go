package operation

import (
	"context"
	"errors"
	"slices"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// keyPrincipal is the principal of the client key alone: logging in must work even if an invalid token is sent with it.
func (s sessions) keyPrincipal(ctx context.Context, in *Input) (tenant.Principal, error) {
	alone := in.Credentials
	alone.Bearer, alone.Cookie = "", ""
	return s.access.Authenticate(ctx, alone)
}

// token is the call's token of an account of this kind. Errors: fault.ErrUnauthenticated, and the reason why
// the credentials were not accepted.
func (s sessions) token(call idempotency.Call, in *Input) (string, error) {
	switch {
	case in.AuthError != nil:
		return "", in.AuthError
	case call.Principal.Kind != s.kind:
		return "", fault.ErrUnauthenticated
	case in.Credentials.Bearer != "":
		return in.Credentials.Bearer, nil
	}
	return in.Credentials.Cookie, nil
}

// tokenRequest is the request for a token by email.
func (s sessions) tokenRequest(ctx context.Context, call idempotency.Call, in *Input) (access.TokenRequest, error) {
	p, err := s.keyPrincipal(ctx, in)
	return access.TokenRequest{
		Principal: p, Tenant: in.Credentials.Tenant, Email: in.rawText("email"), ClientIP: call.Address,
	}, err
}

// audience is the audience to which the operations show an account: the account itself.
func (s sessions) audience() collection.Audience {
	if s.kind == tenant.Customer {
		return collection.Everyone
	}
	return collection.Staff
}

// account is the members declared by accountMembers.
func (s sessions) account(r collection.Record) []reply.Member {
	members := []reply.Member{{Name: s.member, Schema: s.schema, Record: r}}
	if s.kind == tenant.Customer {
		members = append(members, reply.Member{Name: "user", Schema: s.schema, Record: r})
	}
	return members
}

// respondSession answers with a new session. It sets the cookie of users, whose tokens browsers keep; the
// token of a customer is kept by the storefront. Records in the answer are visible as for the account that
// logged in.
func (s sessions) respondSession(
	ctx context.Context, in *Input, message string, session access.Session, more ...reply.Member,
) (idempotency.Response, error) {
	if session.Challenge != nil {
		return respondWith(s.audience(), nil, challengeOf(*session.Challenge)...)
	}
	if in.ShowAs != nil {
		renewed := in.Credentials
		renewed.APIKey, renewed.Bearer, renewed.Cookie = "", session.Token, ""
		p, err := s.access.Authenticate(ctx, renewed)
		if errors.Is(err, access.ErrSecondFactorMissing) {
			p, err = s.access.AuthenticateToEnroll(ctx, renewed)
		}
		if err != nil {
			return idempotency.Response{}, err
		}
		in.ShowAs(p)
	}
	in.setCookie(session.Token, session.ExpiresAt)
	members := []reply.Member{value("message", message), value("token", session.Token), value("exp", session.ExpiresAt.Unix())}
	return respondWith(s.audience(), nil, slices.Concat(members, more, s.account(session.Record))...)
}
