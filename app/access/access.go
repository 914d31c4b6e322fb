package access

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The refusals of authentication.
var (
	ErrCredentials        = fault.New(fault.Unauthenticated, "credentials_invalid", "The email or the password is wrong.")
	ErrKeyUnknown         = fault.New(fault.Unauthenticated, "key_unknown", "This API key does not exist or was revoked.")
	ErrKeyMismatch        = fault.New(fault.Unauthenticated, "key_mismatch", "The credentials belong to different tenants.")
	ErrSecretKeyInBrowser = fault.New(fault.Forbidden, "secret_key_in_browser",
		"Secret keys must not be used in browsers: requests with an Origin header are rejected.")
	ErrCrossSite     = fault.New(fault.Forbidden, "cross_site_request", "Cookie-authenticated writes must come from the same site.")
	ErrNotMember     = fault.New(fault.Forbidden, "tenant_not_joined", "You are not a member of this tenant.")
	ErrTooManyLogins = fault.New(fault.Limited, "rate_limited", "Too many failed logins. Try again later.").WithRetry(loginWindow)
	ErrUnverified    = fault.New(fault.Forbidden, "email_not_verified", "Verify your email address first.")
)

const (
	loginLimit  = 5
	loginWindow = 15 * time.Minute
	// addressLimit is how many logins may fail from one address in loginWindow, whatever the emails, and how often it
	// may ask for email tokens. It is not lower because a storefront rendered on a server has a single address for all
	// its visitors.
	addressLimit = 300
	// serverTokenLifetime is the lifetime of a token issued for a secret key. Rule access-19.
	serverTokenLifetime = 15 * time.Minute
	// refreshGrace is how long a refreshed token's predecessor stays valid, for a second browser tab.
	// Rule access-4.
	refreshGrace = time.Minute
)

// Service authenticates callers and manages their sessions and API keys.
type Service struct {
	Store         ports.Store
	Keys          ports.APIKeys
	Accounts      ports.Accounts
	Revocations   ports.Revocations
	Logins        ports.Logins
	Tokens        ports.Tokens
	Passwords     ports.Passwords
	OneTimeCodes  ports.OneTimeCodes
	Passkeys      ports.Passkeys // nil: the server has no origin that could have any
	Vault         ports.Vault
	Attempts      ports.AttemptLimiter // failed attempts within 15 minutes
	TokenLifetime time.Duration        // of user and customer tokens
	PublicOrigin  string               // origin under which browsers reach this server, besides that of the request; may be ""
	RequireHTTPS  bool                 // the server's own pages are served over HTTPS only
	EmailTokens   EmailTokens
	EmailRequests ports.EmailRequestQueue
	Log           *slog.Logger // nil: errors that occur after the response was sent are not logged
	Now           func() time.Time
	NewID         func() string
	Background    *background.Runner // creates email tokens; may be nil

	loginLocks    keyedMutex
	logins        loginRoom
	pendingTokens pendingWork
	sightings     sightings
}

// Authenticate returns the principal of c. Of several credentials a secret key takes precedence, then a
// token, then the client key. A client key beside a stronger credential must belong to the same tenant. A
// cookie beside any key is ignored, since browsers send it without being asked to. No credential at all is an
// anonymous principal. Rules access-10, access-15, access-20. Errors: fault.ErrUnauthenticated,
// fault.ErrTokenExpired, fault.ErrForbidden, tenant.ErrSuspended and the refusals of this package.
func (a *Service) Authenticate(ctx context.Context, c Credentials) (tenant.Principal, error) {
	p, err := a.identify(ctx, c)
	if err == nil && p.Tenant.Suspended { // Rule access-50
		return tenant.Principal{}, suspended(p.Kind, c)
	}
	return p, err
}

// suspended is the refusal of a caller of a suspended tenant.
func suspended(kind tenant.Kind, c Credentials) error {
	if kind == tenant.User && c.Tenant == "" && c.ClientKey == "" {
		return tenant.ErrSuspended.WithMessage("%s To act in another one of yours, name it in the header X-Tenant-Id.", tenant.ErrSuspended.Message)
	}
	return tenant.ErrSuspended
}

// identify is Authenticate for tenants in any status.
func (a *Service) identify(ctx context.Context, c Credentials) (tenant.Principal, error) {
	switch {
	case c.APIKey != "":
		return a.authenticateSecretKey(ctx, c)
	case c.Bearer != "":
		return a.authenticateToken(ctx, c, c.Bearer)
	case c.ClientKey != "":
		key, err := a.findClientKey(ctx, c.ClientKey)
		if err != nil {
			return tenant.Principal{}, err
		}
		return tenant.Principal{Kind: tenant.ClientKey, Tenant: key.Tenant, Environment: key.Environment, ID: key.ID}, nil
	case c.Cookie != "":
		if c.UnsafeMethod && !a.IsSameSite(c) {
			return tenant.Principal{}, ErrCrossSite
		}
		return a.authenticateToken(ctx, c, c.Cookie)
	}
	return tenant.Principal{Kind: tenant.Anonymous}, nil
}

// Reauthenticate authenticates c again for a caller who was authenticated as before, since a stream outlives
// the check made when it was opened. Errors: those of Authenticate, fault.ErrUnauthenticated when the
// caller's permissions have changed.
func (a *Service) Reauthenticate(ctx context.Context, c Credentials, before tenant.Principal) error {
	p, err := a.Authenticate(ctx, c)
	if err != nil {
		return err
	}
	if p.Kind != before.Kind || p.ID != before.ID || p.Role != before.Role || p.CanRead != before.CanRead ||
		p.Tenant.ID != before.Tenant.ID || !slices.Equal(p.Permissions, before.Permissions) {
		return fault.ErrUnauthenticated.WithMessage("You may read something else now.")
	}
	return nil
}

func (a *Service) authenticateSecretKey(ctx context.Context, c Credentials) (tenant.Principal, error) {
	if c.HasOrigin {
		return tenant.Principal{}, ErrSecretKeyInBrowser
	}
	key, err := a.findKey(ctx, c.APIKey)
	if err == nil && !key.Secret {
		err = ErrKeyUnknown.WithMessage("X-API-Key takes a secret key; send a client key as X-Client-Key.")
	}
	if err == nil {
		_, err = a.checkClientKey(ctx, c, key.Tenant.ID)
	}
	if err != nil {
		return tenant.Principal{}, err
	}
	return tenant.Principal{
		Kind: tenant.SecretKey, Tenant: key.Tenant, Environment: key.Environment, ID: key.ID, CanRead: key.CanRead, CanWrite: key.CanWrite,
	}, nil
}

func (a *Service) findKey(ctx context.Context, text string) (ports.APIKey, error) {
	key, err := a.Keys.ByHash(ctx, sha256.Sum256([]byte(text)))
	if errors.Is(err, ports.ErrNotFound) {
		return key, ErrKeyUnknown
	}
	return key, err
}

func (a *Service) findClientKey(ctx context.Context, text string) (ports.APIKey, error) {
	key, err := a.findKey(ctx, text)
	if err == nil && key.Secret {
		return ports.APIKey{}, ErrKeyUnknown.WithMessage("X-Client-Key takes a client key; do not send a secret key there.")
	}
	return key, err
}

// checkClientKey checks that the client key beside a stronger credential belongs to tenant id; the key is nil
// if none was sent.
func (a *Service) checkClientKey(ctx context.Context, c Credentials, id tenant.ID) (*ports.APIKey, error) {
	if c.ClientKey == "" {
		return nil, nil
	}
	key, err := a.findClientKey(ctx, c.ClientKey)
	if err == nil && key.Tenant.ID != id {
		err = ErrKeyMismatch
	}
	return &key, err
}

// IsSameSite reports whether the request comes from one of our own pages: of the same scheme, host and port. A
// page over HTTP may have been written by anyone on the way. Without an Origin header that is unknown, so false.
func (a *Service) IsSameSite(c Credentials) bool {
	if !c.HasOrigin || c.Host == "" {
		return false
	}
	scheme := c.Scheme
	if a.RequireHTTPS { // a proxy in front of the server may have ended TLS
		scheme = "https"
	}
	return sameOrigin(c.Origin, scheme+"://"+c.Host) || a.PublicOrigin != "" && sameOrigin(c.Origin, a.PublicOrigin)
}

// sameOrigin reports whether two origins are the same; ports that the scheme implies may be left out.
func sameOrigin(one, other string) bool {
	a, err := url.Parse(one)
	b, otherErr := url.Parse(other)
	return err == nil && otherErr == nil && a.Host != "" && strings.EqualFold(a.Scheme, b.Scheme) &&
		strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	return map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
}
