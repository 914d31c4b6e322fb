package access

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Session is a fresh login: the token and who it is for.
type Session struct {
	Token     string
	ExpiresAt time.Time
	Schema    *collection.Schema // identity.Users or identity.Customers
	Person    collection.Record
}

// Login is an attempt to log in.
type Login struct {
	Principal       tenant.Principal // the client key of the page, or anonymous
	Email, Password string
	Address         string // of the client
	Tenant          string // X-Tenant-Id: the tenant a user wants to act in
}

// attempt is a login that may be checked; leave lets the next one of the same key be.
type attempt struct {
	key   string
	leave func()
}

// begin refuses an attempt without both, and one too many. Errors: fault.ErrValidation, ErrCredentials, ErrTooManyLogins,
// fault.ErrUnavailable.
func (a *Access) begin(ctx context.Context, in *Login, t tenant.ID) (attempt, error) {
	in.Email = strings.ToLower(strings.TrimSpace(in.Email))
	var missing []fault.Field
	if in.Email == "" {
		missing = append(missing, fault.Field{Field: "email", Message: "This field is required."})
	}
	if in.Password == "" {
		missing = append(missing, fault.Field{Field: "password", Message: "This field is required."})
	}
	if len(missing) > 0 {
		return attempt{}, fault.ErrValidation.In(missing...)
	}
	if len(in.Email) > 254 || len(in.Password) > 4*identity.MaxPassword {
		return attempt{}, ErrCredentials
	}
	key := throttleKey("login", t, in.Email, in.Address)
	leave, err := a.turns.take(ctx, key)
	if err != nil {
		return attempt{}, err
	}
	if wait := a.Attempts.Try(ctx, key, loginLimit, a.Now()); wait > 0 {
		leave()
		return attempt{}, ErrTooManyLogins.Retry(wait).With("limit", int64(loginLimit))
	}
	return attempt{key, leave}, nil
}

// throttleKey is what attempts at something are counted under. Users are one person in every tenant, so theirs is "".
func throttleKey(what string, t tenant.ID, email, address string) string {
	return strings.Join([]string{what, string(t), email, address}, "\x00")
}

var errShopUnknown = fault.ErrUnauthenticated.Saying("This takes the client key of the shop.")

// LoginUser opens a session of a user. Errors: ErrCredentials for a wrong password and an unknown email alike,
// ErrTooManyLogins, ErrNotMember, fault.ErrValidation.
func (a *Access) LoginUser(ctx context.Context, in Login) (Session, error) {
	try, err := a.begin(ctx, &in, "")
	if err != nil {
		return Session{}, err
	}
	defer try.leave()
	account, err := a.Accounts.ByEmail(ctx, in.Email)
	if err != nil && !errors.Is(err, ports.ErrAbsent) {
		a.Attempts.TakeBack(context.WithoutCancel(ctx), try.key)
		return Session{}, err
	}
	if err := a.prove(ctx, in.Password, account.PasswordHash, try.key); err != nil {
		return Session{}, err
	}
	wanted := tenant.ID(in.Tenant)
	if wanted == "" {
		wanted = in.Principal.Tenant.ID
	}
	m, err := membership(account, wanted, "")
	if err != nil {
		return Session{}, err
	}
	return a.openUser(ctx, account, m)
}

func (a *Access) openUser(ctx context.Context, account ports.Account, m ports.Membership) (Session, error) {
	person, err := a.userRecord(ctx, account, m)
	if err != nil {
		return Session{}, err
	}
	return a.open(ports.TokenClaims{Kind: tenant.User, Subject: account.ID, Tenant: m.Tenant, Version: account.TokenVersion}, identity.Users, person)
}

// prove compares the password. The right one ends the count; one that could not be compared does not count.
func (a *Access) prove(ctx context.Context, plain, hash, throttle string) error {
	ok, err := a.Passwords.Matches(ctx, plain, hash)
	switch {
	case err != nil:
		a.Attempts.TakeBack(context.WithoutCancel(ctx), throttle)
		return err
	case !ok:
		return ErrCredentials
	}
	a.Attempts.Clear(ctx, throttle)
	return nil
}

// userRecord is the user's record in the tenant they act in, with what the account knows about all tenants. A platform
// admin has no record in most tenants and shows the one they have.
func (a *Access) userRecord(ctx context.Context, account ports.Account, m ports.Membership) (collection.Record, error) {
	var found collection.Record
	for _, in := range append([]ports.Membership{m}, account.Memberships...) {
		r, err := a.Store.Read(ports.Of(in.Tenant)).Get(ctx, identity.Users, account.ID)
		if err == nil {
			found = r.Clone()
			break
		}
		if !errors.Is(err, ports.ErrAbsent) {
			return nil, err
		}
	}
	if found == nil {
		return nil, ErrCredentials
	}
	found["role"] = string(m.Role)
	showMemberships(found, account.Memberships)
	return found, nil
}

// LoginCustomer opens a session of a customer of the client key's tenant. Errors: fault.ErrUnauthenticated without a
// client key, and as LoginUser, ErrUnverified.
func (a *Access) LoginCustomer(ctx context.Context, in Login) (Session, error) {
	t := in.Principal.Tenant.ID
	if t == "" {
		return Session{}, errShopUnknown
	}
	try, err := a.begin(ctx, &in, t)
	if err != nil {
		return Session{}, err
	}
	defer try.leave()
	person, err := a.customerByEmail(ctx, t, in.Email)
	if err != nil && !errors.Is(err, ports.ErrAbsent) {
		a.Attempts.TakeBack(context.WithoutCancel(ctx), try.key)
		return Session{}, err
	}
	if err := a.prove(ctx, in.Password, person.Text("password"), try.key); err != nil {
		return Session{}, err
	}
	if !person.Bool("isVerified") {
		must, err := a.mustVerify(ctx, t)
		if err != nil || must {
			return Session{}, orElse(err, ErrUnverified)
		}
	}
	return a.openCustomer(person)
}

func (a *Access) openCustomer(person collection.Record) (Session, error) {
	claims := ports.TokenClaims{Kind: tenant.Customer, Subject: person.ID(), Tenant: tenant.ID(person.Text("tenant")), Version: person.Int("tokenVersion")}
	return a.open(claims, identity.Customers, person)
}

// customerByEmail finds a customer of t. Errors: ports.ErrAbsent.
func (a *Access) customerByEmail(ctx context.Context, t tenant.ID, email string) (collection.Record, error) {
	page, err := a.Store.Read(ports.Of(t)).Find(ctx, collection.Query{
		Schema: identity.Customers, Where: identity.Customers.Where("email", collection.Equals, email), Limit: 1, Page: 1,
	})
	if err == nil && len(page.Docs) == 0 {
		err = ports.ErrAbsent
	}
	if err != nil {
		return nil, err
	}
	return page.Docs[0], nil
}

func orElse(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// mustVerify reports whether customers of t log in only after verifying their address.
func (a *Access) mustVerify(ctx context.Context, t tenant.ID) (bool, error) {
	r, err := a.Store.Read(ports.Of(t)).Get(ctx, identity.Tenants, string(t))
	return r.Group("settings").Bool("requireEmailVerification"), err
}

func (a *Access) open(claims ports.TokenClaims, s *collection.Schema, person collection.Record) (Session, error) {
	token, claims, err := a.issue(claims, a.TokenLife)
	return Session{Token: token, ExpiresAt: claims.ExpiresAt, Schema: s, Person: person}, err
}

// issue signs claims with a new id, valid from now on.
func (a *Access) issue(claims ports.TokenClaims, life time.Duration) (string, ports.TokenClaims, error) {
	claims.ID, claims.IssuedAt = a.NewID(), a.Now().UTC().Truncate(time.Second)
	claims.ExpiresAt = claims.IssuedAt.Add(life)
	token, err := a.Tokens.Issue(claims)
	return token, claims, err
}

// Me is the record of the user or customer p.
func (a *Access) Me(ctx context.Context, p tenant.Principal) (collection.Record, error) {
	if p.Kind == tenant.Customer {
		return a.Store.Read(ports.For(p)).Get(ctx, identity.Customers, p.ID)
	}
	account, err := a.Accounts.ByID(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	return a.userRecord(ctx, account, ports.Membership{Tenant: p.Tenant.ID, Role: p.Role})
}

// Refresh gives a new token for the one p came with; that one lives a minute more. Errors: fault.ErrUnauthenticated.
func (a *Access) Refresh(ctx context.Context, p tenant.Principal, token string) (Session, error) {
	claims, err := a.claims(ctx, token)
	if err != nil {
		return Session{}, err
	}
	person, err := a.Me(ctx, p)
	if err != nil {
		return Session{}, err
	}
	if err := a.Revocations.Revoke(ctx, claims.ID, a.Now().Add(grace), claims.ExpiresAt); err != nil {
		return Session{}, err
	}
	schema := identity.Users
	if p.Kind == tenant.Customer {
		schema = identity.Customers
	}
	return a.open(claims, schema, person)
}

// Logout ends the token. Errors: fault.ErrUnauthenticated, fault.ErrTokenExpired.
func (a *Access) Logout(ctx context.Context, token string) error {
	claims, err := a.claims(ctx, token)
	if err != nil {
		return err
	}
	return a.Revocations.Revoke(ctx, claims.ID, a.Now(), claims.ExpiresAt)
}

// LogoutAll ends every session of the user or customer p, this one too. Errors: fault.ErrUnauthenticated.
func (a *Access) LogoutAll(ctx context.Context, p tenant.Principal) error {
	if p.Kind == tenant.User {
		return a.Store.Atomically(ctx, ports.Scope{System: true}, func(ctx context.Context, tx ports.Tx) error {
			account, err := tx.Accounts.Lock(ctx, p.ID)
			if err != nil {
				return err
			}
			account.TokenVersion++
			return tx.Accounts.Save(ctx, account)
		})
	}
	if p.Kind != tenant.Customer {
		return fault.ErrUnauthenticated
	}
	return a.Store.Atomically(ctx, ports.For(p), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, identity.Customers, p.ID)
		if err != nil {
			return err
		}
		after := before.Clone()
		after["tokenVersion"] = before.Int("tokenVersion") + 1
		return tx.Records.Write(ctx, collection.NewChange(identity.Customers, before, after, a.NewID(), a.Now()))
	})
}

// ServerToken makes a short-lived token that acts as the secret key p, which must be shown itself: a token never
// prolongs itself. Errors: fault.ErrForbidden for anyone else.
func (a *Access) ServerToken(p tenant.Principal, c Credentials) (string, time.Time, error) {
	if p.Kind != tenant.SecretKey || c.APIKey == "" {
		return "", time.Time{}, fault.ErrForbidden.Saying("A server token is made with a secret key.")
	}
	version, err := keyVersion(once.HashText(c.APIKey))
	if err != nil {
		return "", time.Time{}, err
	}
	token, claims, err := a.issue(ports.TokenClaims{Kind: tenant.SecretKey, Subject: p.ID, Tenant: p.Tenant.ID, Version: version}, serverTokenLife)
	return token, claims.ExpiresAt, err
}

// keyVersion tells the texts of a key apart, by the first 48 bits of their hash: rotating a key ends the tokens made with
// its old text, which may be why it was rotated.
func keyVersion(hash string) (int64, error) {
	version, err := strconv.ParseInt(hash[:min(len(hash), 12)], 16, 64)
	if err != nil {
		return 0, fmt.Errorf("the hash of an API key: %w", err)
	}
	return version, nil
}
