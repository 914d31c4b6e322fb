package access

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	// sightingInterval is how long a request of a login is not noted again by the same process. Rule access-41.
	sightingInterval = 5 * time.Minute
	sightingTimeout  = 10 * time.Second
	sightingTask     = "logins"
	maxSightings     = 20_000 // logins of which a process remembers when it noted a request
	// maxListedLogins is how many logins of a person are listed, the last seen first.
	maxListedLogins = 200
	maxUserAgent    = 512 // characters of a user agent that are kept
)

// device is where a login comes from.
type device struct{ address, userAgent string }

// sightings remembers when requests of logins were last noted, so that few requests write. The zero value is ready for
// use.
type sightings struct {
	once    sync.Once
	noted   *lru.Cache[string, time.Time]
	pending pendingWork
}

func (s *sightings) last() *lru.Cache[string, time.Time] {
	s.once.Do(func() { s.noted, _ = lru.New[string, time.Time](maxSightings) }) // fails on sizes below 1
	return s.noted
}

// begin reports whether a request of the login at now is to be noted; then, call pending.end.
func (s *sightings) begin(login string, now time.Time) bool {
	if at, known := s.last().Get(login); known && now.Sub(at) < sightingInterval || !s.pending.begin() {
		return false
	}
	s.last().Add(login, now)
	return true
}

// saveLogin stores a login with the expiry of its newest token.
func (a *Service) saveLogin(ctx context.Context, claims ports.TokenClaims, on device) error {
	now := a.Now()
	a.sightings.last().Add(claims.Login, now)
	return a.Logins.Save(ctx, a.loginOf(claims, on, now))
}

func (a *Service) loginOf(claims ports.TokenClaims, on device, now time.Time) ports.Login {
	began := claims.Began
	if began.IsZero() {
		began = claims.IssuedAt
	}
	return ports.Login{
		ID: claims.Login, Kind: claims.Kind, Subject: claims.Subject, Tenant: claims.Tenant, Version: claims.Version, HomeOnly: claims.HomeOnly,
		Began: began, Seen: now, Expires: claims.ExpiresAt, UserAgent: printable(on.userAgent), Address: on.address, LastAddress: on.address,
	}
}

// printable is a text of a client as it is kept and shown: without control characters, of bounded length.
func printable(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, strings.ToValidUTF8(text, ""))
	runes := []rune(text)
	return string(runes[:min(len(runes), maxUserAgent)])
}

// noteSighting remembers that a login was used, in the background and every few minutes at most. A failure costs nothing
// but the time that is shown.
func (a *Service) noteSighting(ctx context.Context, claims ports.TokenClaims, c Credentials) {
	now := a.Now()
	if claims.Login == "" || claims.Kind == tenant.SecretKey || !a.sightings.begin(claims.Login, now) {
		return
	}
	ctx = context.WithoutCancel(ctx)
	login := a.loginOf(claims, device{c.Address, c.UserAgent}, now)
	a.Background.Task(sightingTask).Start(func() {
		defer a.sightings.pending.end()
		ctx, cancel := context.WithTimeout(ctx, sightingTimeout)
		defer cancel()
		if err := a.Logins.Save(ctx, login); err != nil && a.Log != nil {
			a.Log.WarnContext(ctx, "the last use of a login was not noted", "error", err)
		}
	})
}

// OpenLogin is a login that still opens something.
type OpenLogin struct {
	ports.Login

	Current bool // that of the caller
}

// OpenLogins are the logins of p, the user or customer of the token, that still open something, the last seen first.
// Rule access-41. Errors: fault.ErrUnauthenticated, fault.ErrTokenExpired.
func (a *Service) OpenLogins(ctx context.Context, p tenant.Principal, token string) ([]OpenLogin, error) {
	claims, err := a.readClaims(ctx, token)
	if err != nil {
		return nil, err
	}
	all, err := a.openLogins(ctx, p, claims)
	open := make([]OpenLogin, 0, len(all))
	for _, l := range all {
		open = append(open, OpenLogin{l, l.ID == claims.Login})
	}
	return open, err
}

// openLogins are the logins of the person of p that a login with claims may see: that of a password which counts in one
// tenant alone sees those of its own kind, since somebody else may have set that password.
func (a *Service) openLogins(ctx context.Context, p tenant.Principal, claims ports.TokenClaims) ([]ports.Login, error) {
	all, err := a.Logins.Of(ctx, p.Kind, claims.Subject, a.Now(), maxListedLogins)
	if err != nil {
		return nil, err
	}
	if p.Kind == tenant.Customer {
		person, err := a.Store.Read(ports.ForPrincipal(p)).Get(ctx, identity.Customers, p.ID)
		return slices.DeleteFunc(all, func(l ports.Login) bool { return l.Version != person.Int("tokenVersion") }), err
	}
	account, err := a.Accounts.ByID(ctx, claims.Subject)
	return slices.DeleteFunc(all, func(l ports.Login) bool {
		foreign := claims.HomeOnly && (!l.HomeOnly || l.Tenant != claims.Tenant)
		return foreign || !opensAnything(account, l)
	}), err
}

// opensAnything reports whether a login of the account acts in any tenant.
func opensAnything(account ports.Account, l ports.Login) bool {
	claims := ports.TokenClaims{Began: l.Began}
	if !l.HomeOnly {
		return account.Home == "" && account.TokenVersion == l.Version && slices.ContainsFunc(account.Memberships, func(m ports.Membership) bool {
			return opens(account, m) && checkNotEnded(m, claims) == nil
		})
	}
	i := MembershipIndex(account, l.Tenant)
	if i < 0 {
		return false
	}
	password := credentialFor(account, account.Memberships[i])
	return password.homeOnly && password.version == l.Version && checkNotEnded(account.Memberships[i], claims) == nil
}

// EndLogin ends one of the logins that OpenLogins lists. Errors: fault.ErrNotFound for any other one, and those of
// OpenLogins.
func (a *Service) EndLogin(ctx context.Context, p tenant.Principal, token, id string) error {
	claims, err := a.readClaims(ctx, token)
	if err != nil {
		return err
	}
	all, err := a.openLogins(ctx, p, claims)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(all, func(l ports.Login) bool { return l.ID == id }) {
		return fault.ErrNotFound
	}
	return a.Revocations.Revoke(ctx, everSince, a.longestLife(claims), id)
}

// EndOtherLogins ends every login that OpenLogins lists, and those beyond its length, but that of the token. It returns how
// many. Errors: those of OpenLogins.
func (a *Service) EndOtherLogins(ctx context.Context, p tenant.Principal, token string) (ended int, err error) {
	claims, err := a.readClaims(ctx, token)
	if err != nil {
		return 0, err
	}
	for {
		all, err := a.openLogins(ctx, p, claims)
		if err != nil {
			return ended, err
		}
		var others []string
		for _, l := range all {
			if l.ID != cmp.Or(claims.Login, claims.ID) {
				others = append(others, l.ID)
			}
		}
		if len(others) == 0 {
			return ended, nil
		}
		if err := a.Revocations.Revoke(ctx, everSince, a.longestLife(claims), others...); err != nil {
			return ended, err
		}
		ended += len(others)
	}
}

// EndSessionsOf ends the sessions of a user or customer in the tenant of the caller, who may change such records; logins of
// the user that open other tenants, too, act there alone from now on. Errors: fault.ErrForbidden, fault.ErrNotFound.
func (a *Service) EndSessionsOf(ctx context.Context, s *collection.Schema, call idempotency.Call, id string) error {
	p := call.Principal
	if _, err := Allowed(p, s, collection.Update); err != nil {
		return err
	}
	if s == identity.Customers {
		return a.endCustomerSessions(ctx, p, id)
	}
	return a.Store.Atomically(ctx, MembersScope(p.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		account, err := tx.Accounts.Lock(ctx, id)
		if err != nil {
			return err
		}
		i := MembershipIndex(account, p.Tenant.ID)
		switch {
		case i < 0:
			return fault.ErrNotFound
		case account.Memberships[i].Role == tenant.PlatformAdmin && p.Role != tenant.PlatformAdmin:
			return fault.ErrForbidden.WithMessage("Only platform admins end the sessions of a platform admin.")
		}
		account.Memberships = slices.Clone(account.Memberships)
		account.Memberships[i].SessionsEnded, account.Memberships[i].Login = a.Now().UTC(), ""
		if err := a.writeUserEvent(ctx, tx, id); err != nil {
			return err
		}
		return tx.Accounts.Save(ctx, account)
	})
}

// endCustomerSessions ends every session of a customer.
func (a *Service) endCustomerSessions(ctx context.Context, p tenant.Principal, id string) error {
	return a.Store.Atomically(ctx, ports.ForPrincipal(p), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, identity.Customers, id)
		if err != nil {
			return err
		}
		after := before.Clone()
		after["tokenVersion"] = before.Int("tokenVersion") + 1
		return tx.Records.Write(ctx, collection.NewChange(identity.Customers, before, after, a.NewID(), a.Now()))
	})
}
