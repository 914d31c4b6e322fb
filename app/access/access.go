package access

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The refusals of authentication.
var (
	ErrCredentials   = fault.New(fault.Unauthenticated, "credentials_invalid", "The email or the password is wrong.")
	ErrKeyUnknown    = fault.New(fault.Unauthenticated, "key_unknown", "This API key is unknown or was revoked.")
	ErrKeyMismatch   = fault.New(fault.Unauthenticated, "key_mismatch", "The credentials belong to different tenants.")
	ErrSecretInSite  = fault.New(fault.Forbidden, "secret_key_in_browser", "A secret key never belongs in a browser: requests with an Origin header are refused.")
	ErrCrossSite     = fault.New(fault.Forbidden, "cross_site_request", "A request that changes something with the cookie must come from the same site.")
	ErrNotMember     = fault.New(fault.Forbidden, "tenant_not_joined", "You are not a member of this tenant.")
	ErrTooManyLogins = fault.New(fault.Limited, "rate_limited", "Too many failed logins. Try again later.").Retry(loginWindow)
	ErrUnverified    = fault.New(fault.Forbidden, "email_not_verified", "Verify your email address first.")
)

const (
	loginLimit  = 5
	loginWindow = 15 * time.Minute
	// serverTokenLife is how long a token made from a secret key lives. Contract 2.
	serverTokenLife = 15 * time.Minute
	// grace is how much longer a refreshed token's predecessor lives, for a second tab. Engineering 20.
	grace = time.Minute
)

// Access authenticates callers and runs their sessions and keys.
type Access struct {
	Store       ports.Store
	Keys        ports.Keys
	Accounts    ports.Accounts
	Revocations ports.Revocations
	Tokens      ports.Tokens
	Passwords   ports.Passwords
	Attempts    ports.Attempts // over 15 minutes
	TokenLife   time.Duration  // of user and customer tokens
	PublicHost  string         // host[:port] browsers reach us by, besides the one a request names; may be ""
	Secure      bool           // pages of ours come over HTTPS only
	Letters     Letters
	Log         *slog.Logger // nil: what goes wrong behind an answer stays unsaid
	Now         func() time.Time
	NewID       func() string

	turns   turns
	errands atomic.Int64   // letters being written
	writing sync.WaitGroup // for them
}

// Authenticate finds the principal behind c. Of several credentials the secret key wins, then a token, then the client
// key; a client key beside a stronger credential must be of the same tenant, and a cookie beside any key is not looked
// at, since browsers send it unasked. Nothing at all is an anonymous principal. Contract 2, 13.
// Errors: fault.ErrUnauthenticated and its kin, fault.ErrTokenExpired, fault.ErrForbidden and its kin.
func (a *Access) Authenticate(ctx context.Context, c Credentials) (tenant.Principal, error) {
	switch {
	case c.APIKey != "":
		return a.bySecret(ctx, c)
	case c.Bearer != "":
		return a.byToken(ctx, c, c.Bearer)
	case c.ClientKey != "":
		key, err := a.clientKey(ctx, c.ClientKey)
		if err != nil {
			return tenant.Principal{}, err
		}
		return tenant.Principal{Kind: tenant.ClientKey, Tenant: key.Tenant, Environment: key.Environment, ID: key.ID}, nil
	case c.Cookie != "":
		if c.Changes && !a.sameSite(c) {
			return tenant.Principal{}, ErrCrossSite
		}
		return a.byToken(ctx, c, c.Cookie)
	}
	return tenant.Principal{Kind: tenant.Anonymous}, nil
}

func (a *Access) bySecret(ctx context.Context, c Credentials) (tenant.Principal, error) {
	if c.HasOrigin {
		return tenant.Principal{}, ErrSecretInSite
	}
	key, err := a.key(ctx, c.APIKey)
	if err == nil && !key.Secret {
		err = ErrKeyUnknown.Saying("X-API-Key takes a secret key; send a client key as X-Client-Key.")
	}
	if err == nil {
		_, err = a.beside(ctx, c, key.Tenant.ID)
	}
	if err != nil {
		return tenant.Principal{}, err
	}
	return tenant.Principal{
		Kind: tenant.SecretKey, Tenant: key.Tenant, Environment: key.Environment, ID: key.ID, CanRead: key.CanRead, CanWrite: key.CanWrite,
	}, nil
}

func (a *Access) key(ctx context.Context, text string) (ports.Key, error) {
	key, err := a.Keys.ByHash(ctx, sha256.Sum256([]byte(text)))
	if errors.Is(err, ports.ErrAbsent) {
		return key, ErrKeyUnknown
	}
	return key, err
}

func (a *Access) clientKey(ctx context.Context, text string) (ports.Key, error) {
	key, err := a.key(ctx, text)
	if err == nil && key.Secret {
		return ports.Key{}, ErrKeyUnknown.Saying("X-Client-Key takes a client key; a secret key is never sent there.")
	}
	return key, err
}

// beside checks the client key beside a stronger credential of tenant id; the key is nil when none was sent.
func (a *Access) beside(ctx context.Context, c Credentials, id tenant.ID) (*ports.Key, error) {
	if c.ClientKey == "" {
		return nil, nil
	}
	key, err := a.clientKey(ctx, c.ClientKey)
	if err == nil && key.Tenant.ID != id {
		err = ErrKeyMismatch
	}
	return &key, err
}

// sameSite reports whether the request comes from a page of ours. Without an Origin nobody can tell.
func (a *Access) sameSite(c Credentials) bool {
	u, err := url.Parse(c.Origin)
	if !c.HasOrigin || err != nil || u.Host == "" || a.Secure && u.Scheme != "https" {
		return false
	}
	return strings.EqualFold(u.Host, c.Host) || strings.EqualFold(u.Host, a.PublicHost)
}
