package access

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// errLoginEnded: the account's tokens were all ended since this one was issued.
var errLoginEnded = fault.ErrUnauthenticated.Saying("This login was ended with all others, or the password was changed. Log in again.")

// claims reads a token that has not ended. Errors: fault.ErrUnauthenticated, fault.ErrTokenExpired.
func (a *Access) claims(ctx context.Context, text string) (ports.TokenClaims, error) {
	now := a.Now()
	claims, err := a.Tokens.Read(text, now)
	if err != nil {
		return claims, err
	}
	ended, err := a.Revocations.Revoked(ctx, claims.ID, now)
	if err == nil && ended {
		err = fault.ErrUnauthenticated.Saying("This token has ended. Log in again.")
	}
	return claims, err
}

// Ends is when a token ends by itself. Errors: fault.ErrUnauthenticated, fault.ErrTokenExpired.
func (a *Access) Ends(ctx context.Context, text string) (time.Time, error) {
	claims, err := a.claims(ctx, text)
	return claims.ExpiresAt, err
}

func (a *Access) byToken(ctx context.Context, c Credentials, text string) (tenant.Principal, error) {
	claims, err := a.claims(ctx, text)
	if err != nil {
		return tenant.Principal{}, err
	}
	var p tenant.Principal
	switch kind := claims.Kind; {
	case kind != tenant.User && c.Bearer == "": // the cookie is for the people who run a shop; nothing sets it for others
		err = fault.ErrUnauthenticated
	case kind == tenant.User:
		p, err = a.user(ctx, c, claims)
	case kind == tenant.Customer:
		p, err = a.customer(ctx, c, claims)
	case kind == tenant.SecretKey:
		p, err = a.server(ctx, c, claims)
	default:
		err = fault.ErrUnauthenticated
	}
	if errors.Is(err, ports.ErrAbsent) { // whom the token names is gone
		err = fault.ErrUnauthenticated.Because(err)
	}
	return p, err
}

// user acts in the tenant of X-Tenant-Id, else of the client key, else of the login, else in the first one.
func (a *Access) user(ctx context.Context, c Credentials, claims ports.TokenClaims) (tenant.Principal, error) {
	account, err := a.Accounts.ByID(ctx, claims.Subject)
	if err == nil && account.TokenVersion != claims.Version {
		err = errLoginEnded
	}
	if err != nil {
		return tenant.Principal{}, err
	}
	wanted, page := tenant.ID(c.Tenant), ""
	if c.ClientKey != "" {
		key, err := a.clientKey(ctx, c.ClientKey)
		if err != nil {
			return tenant.Principal{}, err
		}
		if wanted != "" && wanted != key.Tenant.ID {
			return tenant.Principal{}, ErrKeyMismatch
		}
		wanted, page = key.Tenant.ID, key.ID
	}
	m, err := membership(account, wanted, claims.Tenant)
	if err != nil {
		return tenant.Principal{}, err
	}
	env, err := environment(c.Environment)
	if err != nil {
		return tenant.Principal{}, err
	}
	facts, err := a.Keys.Tenant(ctx, m.Tenant)
	if errors.Is(err, ports.ErrAbsent) { // a platform admin may name any tenant, also one that is not there
		return tenant.Principal{}, ErrNotMember
	}
	return tenant.Principal{Kind: tenant.User, Tenant: facts, Environment: env, ID: account.ID, ClientKeyID: page, Role: m.Role}, err
}

// membership picks the tenant to act in and the role there. Errors: ErrNotMember.
func membership(account ports.Account, wanted, login tenant.ID) (ports.Membership, error) {
	in := func(id tenant.ID) int {
		return slices.IndexFunc(account.Memberships, func(m ports.Membership) bool { return m.Tenant == id })
	}
	platform := slices.ContainsFunc(account.Memberships, func(m ports.Membership) bool { return m.Role == tenant.PlatformAdmin })
	switch {
	case wanted != "" && platform:
		return ports.Membership{Tenant: wanted, Role: tenant.PlatformAdmin}, nil
	case wanted != "" && in(wanted) >= 0:
		return account.Memberships[in(wanted)], nil
	case wanted != "" || len(account.Memberships) == 0:
		return ports.Membership{}, ErrNotMember
	case in(login) >= 0:
		return account.Memberships[in(login)], nil
	}
	return account.Memberships[0], nil
}

// environment reads X-Environment; a user acts in live unless the request says test. Errors: fault.ErrValidation.
func environment(header string) (tenant.Environment, error) {
	switch env := tenant.Environment(header); env {
	case "", tenant.Live:
		return tenant.Live, nil
	case tenant.Test:
		return env, nil
	}
	return "", fault.Invalidf("X-Environment", "X-Environment is live or test.")
}

// customer acts in the environment of the client key beside the token.
func (a *Access) customer(ctx context.Context, c Credentials, claims ports.TokenClaims) (tenant.Principal, error) {
	r, err := a.Store.Read(ports.Of(claims.Tenant)).Get(ctx, identity.Customers, claims.Subject)
	if err == nil && r.Int("tokenVersion") != claims.Version {
		err = errLoginEnded
	}
	if err != nil {
		return tenant.Principal{}, err
	}
	facts, err := a.Keys.Tenant(ctx, claims.Tenant)
	if err != nil {
		return tenant.Principal{}, err
	}
	p := tenant.Principal{Kind: tenant.Customer, Tenant: facts, Environment: tenant.Live, ID: r.ID()}
	key, err := a.beside(ctx, c, claims.Tenant)
	if err == nil && key != nil {
		p.Environment, p.ClientKeyID = key.Environment, key.ID
	}
	return p, err
}

// server is the secret key a server token was made from, as it is now; one that was revoked or rotated is unknown.
func (a *Access) server(ctx context.Context, c Credentials, claims ports.TokenClaims) (tenant.Principal, error) {
	if c.HasOrigin {
		return tenant.Principal{}, ErrSecretInSite
	}
	r, err := a.Store.Read(ports.Of(claims.Tenant)).Get(ctx, identity.APIKeys, claims.Subject)
	if err == nil && (!r.Time("revokedAt").IsZero() || r.Text("kind") != identity.SecretKey) {
		err = ErrKeyUnknown
	}
	if err != nil {
		return tenant.Principal{}, err
	}
	if version, err := keyVersion(r.Text("hash")); err != nil || version != claims.Version {
		return tenant.Principal{}, ErrKeyUnknown.Because(err)
	}
	if _, err := a.beside(ctx, c, claims.Tenant); err != nil {
		return tenant.Principal{}, err
	}
	facts, err := a.Keys.Tenant(ctx, claims.Tenant)
	return tenant.Principal{
		Kind: tenant.SecretKey, Tenant: facts, Environment: tenant.Environment(r.Text("environment")), ID: r.ID(),
		CanRead: hasScope(r, identity.ScopeRead), CanWrite: hasScope(r, identity.ScopeWrite),
	}, err
}

// hasScope: no scopes at all are both. Contract 2.
func hasScope(r collection.Record, scope string) bool {
	scopes := r.Texts("scopes")
	return len(scopes) == 0 || slices.Contains(scopes, scope)
}
