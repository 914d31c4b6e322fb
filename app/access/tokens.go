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

// errSessionsRevoked: all tokens of the account issued up to some moment were revoked, this one among them.
var errSessionsRevoked = fault.ErrUnauthenticated.WithMessage("All sessions were ended or the password was changed. Log in again.")

// readClaims reads a token that is neither expired nor revoked. Errors: fault.ErrUnauthenticated,
// fault.ErrTokenExpired.
func (a *Service) readClaims(ctx context.Context, text string) (ports.TokenClaims, error) {
	now := a.Now()
	claims, err := a.Tokens.Read(text, now)
	if err != nil {
		return claims, err
	}
	ended, err := a.Revocations.Revoked(ctx, now, claims.ID, claims.Login)
	if err == nil && ended {
		err = fault.ErrUnauthenticated.WithMessage("This token was revoked. Log in again.")
	}
	return claims, err
}

// TokenExpiry is when a token expires. Errors: fault.ErrUnauthenticated, fault.ErrTokenExpired.
func (a *Service) TokenExpiry(ctx context.Context, text string) (time.Time, error) {
	claims, err := a.readClaims(ctx, text)
	return claims.ExpiresAt, err
}

func (a *Service) authenticateToken(ctx context.Context, c Credentials, text string) (tenant.Principal, error) {
	claims, err := a.readClaims(ctx, text)
	if err != nil {
		return tenant.Principal{}, err
	}
	var p tenant.Principal
	switch kind := claims.Kind; {
	case kind != tenant.User && c.Bearer == "": // the cookie is for users; nothing sets it for other principals
		err = fault.ErrUnauthenticated
	case kind == tenant.User:
		p, err = a.userPrincipal(ctx, c, claims)
	case kind == tenant.Customer:
		p, err = a.customerPrincipal(ctx, c, claims)
	case kind == tenant.SecretKey:
		p, err = a.serverPrincipal(ctx, c, claims)
	default:
		err = fault.ErrUnauthenticated
	}
	if errors.Is(err, ports.ErrNotFound) { // the subject of the token was deleted
		err = fault.ErrUnauthenticated.WithCause(err)
	}
	if err == nil {
		a.noteSighting(ctx, claims, c)
	}
	return p, err
}

// userPrincipal acts in the tenant of X-Tenant-Id, else of the client key, else of the login, else in the
// first membership.
func (a *Service) userPrincipal(ctx context.Context, c Credentials, claims ports.TokenClaims) (tenant.Principal, error) {
	account, err := a.Accounts.ByID(ctx, claims.Subject)
	if err != nil {
		return tenant.Principal{}, err
	}
	wanted, page := tenant.ID(c.Tenant), ""
	if c.ClientKey != "" {
		key, err := a.findClientKey(ctx, c.ClientKey)
		if err != nil {
			return tenant.Principal{}, err
		}
		if wanted != "" && wanted != key.Tenant.ID {
			return tenant.Principal{}, ErrKeyMismatch
		}
		wanted, page = key.Tenant.ID, key.ID
	}
	own := account
	account, m, err := a.openMembership(ctx, account, claims, wanted)
	if err != nil {
		return tenant.Principal{}, err
	}
	env, err := parseEnvironment(c.Environment)
	if err != nil {
		return tenant.Principal{}, err
	}
	facts, err := a.Keys.Tenant(ctx, m.Tenant)
	if errors.Is(err, ports.ErrNotFound) { // a platform admin may name any tenant, also one that does not exist
		return tenant.Principal{}, ErrNotMember
	}
	if err == nil && !c.enrolling {
		err = checkSecondFactor(own, claims, facts)
	}
	if err != nil {
		return tenant.Principal{}, err
	}
	role := roleFor(m, claims.HomeOnly)
	permissions, err := a.rolePermissions(ctx, m.Tenant, role)
	if err != nil {
		return tenant.Principal{}, err
	}
	p := tenant.Principal{
		Kind: tenant.User, Tenant: facts, Environment: env, ID: account.ID, ClientKeyID: page, Role: role, Permissions: permissions,
	}
	if c.UnsafeMethod {
		p.Stale, err = a.isStale(ctx, claims)
	}
	return p, err
}

// openMembership is the membership that a token of the account acts in, and the account that has it. Errors:
// ErrNotMember, fault.ErrUnauthenticated when the password was changed.
func (a *Service) openMembership(
	ctx context.Context, account ports.Account, claims ports.TokenClaims, wanted tenant.ID,
) (ports.Account, ports.Membership, error) {
	if !claims.HomeOnly {
		if account.Home != "" || account.TokenVersion != claims.Version {
			return account, ports.Membership{}, errSessionsRevoked
		}
		m, err := pickMembership(withoutEnded(account, claims, wanted), wanted, claims.Tenant)
		if err == nil {
			err = checkNotEnded(m, claims)
		}
		return account, m, err
	}
	i := MembershipIndex(account, claims.Tenant)
	if i < 0 {
		return account, ports.Membership{}, ErrNotMember
	}
	if password := credentialFor(account, account.Memberships[i]); !password.homeOnly || password.version != claims.Version {
		return account, ports.Membership{}, errSessionsRevoked
	}
	if wanted == "" || wanted == claims.Tenant {
		return account, account.Memberships[i], checkNotEnded(account.Memberships[i], claims)
	}
	account, m, err := a.acceptedMembership(ctx, account, claims.Login, wanted)
	if err == nil {
		err = checkNotEnded(m, claims)
	}
	return account, m, err
}

// checkNotEnded refuses a login that the tenant of m has ended there.
func checkNotEnded(m ports.Membership, claims ports.TokenClaims) error {
	if !m.SessionsEnded.IsZero() && !claims.Began.After(m.SessionsEnded) {
		return errSessionsRevoked
	}
	return nil
}

// withoutEnded is the account without the memberships in which the login was ended, for a caller who wants none of them in
// particular.
func withoutEnded(account ports.Account, claims ports.TokenClaims, wanted tenant.ID) ports.Account {
	if wanted == "" {
		open := slices.DeleteFunc(slices.Clone(account.Memberships), func(m ports.Membership) bool { return checkNotEnded(m, claims) != nil })
		if len(open) > 0 {
			account.Memberships = open
		}
	}
	return account
}

// acceptedMembership is the membership in tenant t that a login accepted, although its password counts in
// another tenant. Errors: ErrNotMember.
func (a *Service) acceptedMembership(
	ctx context.Context, account ports.Account, login string, t tenant.ID,
) (ports.Account, ports.Membership, error) {
	all, err := a.Accounts.ByAddress(ctx, account.Email)
	if err != nil {
		return account, ports.Membership{}, err
	}
	if there, ok := MemberOf(all, t); ok {
		if m := there.Memberships[MembershipIndex(there, t)]; m.Login != "" && m.Login == login {
			return there, m, nil
		}
	}
	return account, ports.Membership{}, ErrNotMember
}

// pickMembership returns the tenant to act in and the role there, of those that the account's own password
// opens. Errors: ErrNotMember.
func pickMembership(account ports.Account, wanted, login tenant.ID) (ports.Membership, error) {
	open := slices.DeleteFunc(slices.Clone(account.Memberships), func(m ports.Membership) bool { return !opens(account, m) })
	in := func(id tenant.ID) int {
		return slices.IndexFunc(open, func(m ports.Membership) bool { return m.Tenant == id })
	}
	switch {
	case wanted != "" && isPlatformAdmin(account):
		return ports.Membership{Tenant: wanted, Role: tenant.PlatformAdmin}, nil
	case wanted != "" && in(wanted) >= 0:
		return open[in(wanted)], nil
	case wanted != "" || len(open) == 0:
		return ports.Membership{}, ErrNotMember
	case in(login) >= 0:
		return open[in(login)], nil
	}
	return open[0], nil
}

// parseEnvironment reads X-Environment; a user acts in live unless the header says test. Errors:
// fault.ErrValidation.
func parseEnvironment(header string) (tenant.Environment, error) {
	switch env := tenant.Environment(header); env {
	case "", tenant.Live:
		return tenant.Live, nil
	case tenant.Test:
		return env, nil
	}
	return "", fault.Invalidf("X-Environment", "X-Environment must be live or test.")
}

// customerPrincipal acts in the environment of the client key beside the token.
func (a *Service) customerPrincipal(ctx context.Context, c Credentials, claims ports.TokenClaims) (tenant.Principal, error) {
	r, err := a.Store.Read(ports.ForTenant(claims.Tenant)).Get(ctx, identity.Customers, claims.Subject)
	if err == nil && r.Int("tokenVersion") != claims.Version {
		err = errSessionsRevoked
	}
	if err != nil {
		return tenant.Principal{}, err
	}
	facts, err := a.Keys.Tenant(ctx, claims.Tenant)
	if err != nil {
		return tenant.Principal{}, err
	}
	p := tenant.Principal{Kind: tenant.Customer, Tenant: facts, Environment: tenant.Live, ID: r.ID()}
	key, err := a.checkClientKey(ctx, c, claims.Tenant)
	if err == nil && key != nil {
		p.Environment, p.ClientKeyID = key.Environment, key.ID
	}
	return p, err
}

// serverPrincipal is the principal of the secret key a server token was made from, in the key's current
// state; a revoked or rotated key is refused as unknown.
func (a *Service) serverPrincipal(ctx context.Context, c Credentials, claims ports.TokenClaims) (tenant.Principal, error) {
	if c.HasOrigin {
		return tenant.Principal{}, ErrSecretKeyInBrowser
	}
	r, err := a.Store.Read(ports.ForTenant(claims.Tenant)).Get(ctx, identity.APIKeys, claims.Subject)
	if err == nil && (!r.Time("revokedAt").IsZero() || r.Text("kind") != identity.SecretKey) {
		err = ErrKeyUnknown
	}
	if err != nil {
		return tenant.Principal{}, err
	}
	if version, err := keyVersion(r.Text("hash")); err != nil || version != claims.Version {
		return tenant.Principal{}, ErrKeyUnknown.WithCause(err)
	}
	if _, err := a.checkClientKey(ctx, c, claims.Tenant); err != nil {
		return tenant.Principal{}, err
	}
	p := secretKey(r)
	p.Tenant, err = a.Keys.Tenant(ctx, claims.Tenant)
	return p, err
}

// secretKey is the principal of the record of a secret key, but for its tenant.
func secretKey(r collection.Record) tenant.Principal {
	return tenant.Principal{
		Kind: tenant.SecretKey, Environment: tenant.Environment(r.Text("environment")), ID: r.ID(),
		CanRead: hasScope(r, identity.ScopeRead), CanWrite: hasScope(r, identity.ScopeWrite),
	}
}

// hasScope reports whether the key has the scope; a key without any scopes has both. Rule access-17.
func hasScope(r collection.Record, scope string) bool {
	scopes := r.Texts("scopes")
	return len(scopes) == 0 || slices.Contains(scopes, scope)
}
