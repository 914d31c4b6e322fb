package access

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Session is a new login: the token and whom it is for, or what the login still has to prove.
type Session struct {
	Challenge *Challenge // of users with a second factor: there is no session yet, and nothing else is set; else nil

	Token     string
	ExpiresAt time.Time
	Schema    *collection.Schema // identity.Users or identity.Customers
	Record    collection.Record
}

// Login is an attempt to log in.
type Login struct {
	Principal       tenant.Principal // the client key of the page, or anonymous
	Email, Password string
	ClientIP        string // of the client
	UserAgent       string // of the client
	Tenant          string // X-Tenant-Id: the tenant a user wants to act in
}

func (in Login) device() device { return device{in.ClientIP, in.UserAgent} }

// wanted is the tenant that the login of a user names; "" for none.
func (in Login) wanted() tenant.ID {
	return cmp.Or(tenant.ID(in.Tenant), in.Principal.Tenant.ID)
}

// loginAttempt is a login whose password may be checked now; release unlocks the throttle key for the next one.
type loginAttempt struct {
	key, addressKey string
	shop            tenant.ID
	address         string
	release         func()
}

// beginLogin refuses an attempt without email and password, and one beyond the limit; it is counted as what. Errors:
// fault.ErrValidation, ErrCredentials, ErrTooManyLogins, fault.ErrUnavailable.
func (a *Service) beginLogin(ctx context.Context, in *Login, t tenant.ID, what string) (loginAttempt, error) {
	in.Email = strings.ToLower(strings.TrimSpace(in.Email))
	var missing []fault.Field
	if in.Email == "" {
		missing = append(missing, fault.Field{Field: "email", Message: "This field is required."})
	}
	if in.Password == "" {
		missing = append(missing, fault.Field{Field: "password", Message: "This field is required."})
	}
	if len(missing) > 0 {
		return loginAttempt{}, fault.ErrValidation.WithFields(missing...)
	}
	if len(in.Email) > collection.MaxEmail || len(in.Password) > 4*identity.MaxPassword {
		return loginAttempt{}, ErrCredentials
	}
	key := throttleKey(what, t, in.Email, in.ClientIP)
	leave, err := a.loginLocks.lock(ctx, key)
	if err != nil {
		return loginAttempt{}, err
	}
	try := loginAttempt{key, throttleKey("login-address", t, "", in.ClientIP), t, in.ClientIP, leave}
	if wait, limit := a.countAttempt(ctx, try.key, try.addressKey); wait > 0 {
		leave()
		return loginAttempt{}, ErrTooManyLogins.WithRetry(wait).WithData("limit", int64(limit))
	}
	return try, nil
}

// countAttempt counts an attempt under the key of its email and address, and under that of its address alone. It
// returns how long to wait if there were too many under one of them, and which limit that is.
func (a *Service) countAttempt(ctx context.Context, key, addressKey string) (wait time.Duration, limit int) {
	if wait = a.Attempts.Try(ctx, addressKey, addressLimit, a.Now()); wait > 0 {
		return wait, addressLimit
	}
	if wait = a.Attempts.Try(ctx, key, loginLimit, a.Now()); wait > 0 {
		a.Attempts.Undo(ctx, addressKey)
	}
	return wait, loginLimit
}

// undoAttempt takes back an attempt whose outcome was no wrong guess. Earlier ones stay counted.
func (a *Service) undoAttempt(ctx context.Context, try loginAttempt) {
	ctx = context.WithoutCancel(ctx)
	a.Attempts.Undo(ctx, try.key)
	a.Attempts.Undo(ctx, try.addressKey)
}

// What attempts are counted as.
const (
	countedLogin        = "login"
	countedForgot       = "forgot"
	countedVerification = "verify"
	naming              = "-named" // ends what attempts that name a tenant are counted as
)

// attemptsNaming is what an attempt of a user is counted as: those that name a tenant apart, whichever it is, so that a
// person who could not be found among many accounts of the address may still name theirs.
func attemptsNaming(t tenant.ID, what string) string {
	if t == "" {
		return what
	}
	return what + naming
}

// throttleKey is the key under which attempts are counted: a hash, so that its size does not depend on the email. Users
// have one account across tenants, so t is "" for them.
func throttleKey(what string, t tenant.ID, email, address string) string {
	hash := sha256.Sum256([]byte(strings.Join([]string{what, string(t), email, address}, "\x00")))
	return string(hash[:])
}

var errClientKeyRequired = fault.ErrUnauthenticated.WithMessage("This requires the shop's client key.")

// checkPassword compares the password, when it is the turn of its shop and address. The caller takes the attempt back of a
// correct one, and of one that was compared with nothing. Errors: ErrCredentials, fault.ErrUnavailable.
func (a *Service) checkPassword(ctx context.Context, plain, hash string, try loginAttempt) error {
	leave, err := a.logins.enter(ctx, try.shop, try.address)
	if err != nil {
		return err
	}
	defer leave()
	ok, err := a.Passwords.Matches(ctx, plain, hash)
	if err == nil && !ok {
		err = ErrCredentials
	}
	return err
}

// LoginCustomer opens a session of a customer of the client key's tenant. Errors: fault.ErrUnauthenticated
// without a client key, ErrUnverified, and as LoginUser.
func (a *Service) LoginCustomer(ctx context.Context, in Login) (Session, error) {
	t := in.Principal.Tenant.ID
	if t == "" {
		return Session{}, errClientKeyRequired
	}
	try, err := a.beginLogin(ctx, &in, t, countedLogin)
	if err != nil {
		return Session{}, err
	}
	defer try.release()
	person, err := a.customerByEmail(ctx, t, in.Email)
	if err != nil && !errors.Is(err, ports.ErrNotFound) {
		a.undoAttempt(ctx, try)
		return Session{}, err
	}
	err = a.checkPassword(ctx, in.Password, person.Text("password"), try)
	if !errors.Is(err, ErrCredentials) {
		a.undoAttempt(ctx, try)
	}
	if err != nil {
		return Session{}, err
	}
	a.Attempts.Reset(ctx, try.key) // a tenant has one customer of an address, with one password
	if !person.Bool("isVerified") {
		must, err := a.requiresVerification(ctx, t)
		if err != nil || must {
			return Session{}, cmp.Or[error](err, ErrUnverified)
		}
	}
	return a.newCustomerSession(ctx, person, in.device())
}

func (a *Service) newCustomerSession(ctx context.Context, person collection.Record, on device) (Session, error) {
	claims := ports.TokenClaims{
		Kind: tenant.Customer, Subject: person.ID(), Tenant: tenant.ID(person.Text("tenant")), Version: person.Int("tokenVersion"),
	}
	return a.newSession(ctx, claims, identity.Customers, person, on)
}

// customerByEmail returns the customer of t with that email. Errors: ports.ErrNotFound.
func (a *Service) customerByEmail(ctx context.Context, t tenant.ID, email string) (collection.Record, error) {
	page, err := a.Store.Read(ports.ForTenant(t)).Find(ctx, collection.Query{
		Schema: identity.Customers, Where: identity.Customers.Where("email", collection.Equals, email), Limit: 1, Page: 1,
	})
	if err == nil && len(page.Docs) == 0 {
		err = ports.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return page.Docs[0], nil
}

// requiresVerification reports whether customers of t can log in only after verifying their address.
func (a *Service) requiresVerification(ctx context.Context, t tenant.ID) (bool, error) {
	r, err := a.Store.Read(ports.ForTenant(t)).Get(ctx, identity.Tenants, string(t))
	return r.Group("settings").Bool("requireEmailVerification"), err
}

// newSession is a session of a person, of a new login unless claims name one. Nobody has a login that is not listed.
func (a *Service) newSession(
	ctx context.Context, claims ports.TokenClaims, s *collection.Schema, person collection.Record, on device,
) (Session, error) {
	if claims.Login == "" {
		claims.Began = a.Now()
	}
	token, claims, err := a.signClaims(claims, a.TokenLifetime)
	if err == nil {
		err = a.saveLogin(ctx, claims, on)
	}
	return Session{Token: token, ExpiresAt: claims.ExpiresAt, Schema: s, Record: person}, err
}

// signClaims signs claims with a new id, valid from now. Without a login they begin one.
func (a *Service) signClaims(claims ports.TokenClaims, life time.Duration) (string, ports.TokenClaims, error) {
	claims.ID = a.NewID()
	claims.Login = cmp.Or(claims.Login, a.NewID())
	claims.IssuedAt = a.Now().UTC().Truncate(time.Second)
	claims.ExpiresAt = claims.IssuedAt.Add(life)
	token, err := a.Tokens.Issue(claims)
	return token, claims, err
}

// Me is the record of the user or customer p.
func (a *Service) Me(ctx context.Context, p tenant.Principal) (collection.Record, error) {
	if p.Kind == tenant.Customer {
		return a.Store.Read(ports.ForPrincipal(p)).Get(ctx, identity.Customers, p.ID)
	}
	account, err := a.Accounts.ByID(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	return a.userRecord(ctx, account, ports.Membership{Tenant: p.Tenant.ID, Role: p.Role})
}

// Refresh issues a new token in exchange for p's current one, which stays valid for one more minute. Errors:
// fault.ErrUnauthenticated.
func (a *Service) Refresh(ctx context.Context, p tenant.Principal, token string, c Credentials) (Session, error) {
	claims, err := a.readClaims(ctx, token)
	if err != nil {
		return Session{}, err
	}
	person, err := a.Me(ctx, p)
	if err != nil {
		return Session{}, err
	}
	if err := a.Revocations.Revoke(ctx, a.Now().Add(refreshGrace), claims.ExpiresAt, claims.ID); err != nil {
		return Session{}, err
	}
	schema := identity.Users
	if p.Kind == tenant.Customer {
		schema = identity.Customers
	}
	return a.newSession(ctx, claims, schema, person, device{c.Address, c.UserAgent})
}

// everSince begins a revocation that holds at once, on instances whose clocks lag behind this one's, too.
var everSince = time.Unix(0, 0).UTC()

// Logout ends the login of the token: the token, those refreshed from it and those it was refreshed from.
// Errors: fault.ErrUnauthenticated, fault.ErrTokenExpired.
func (a *Service) Logout(ctx context.Context, token string) error {
	claims, err := a.readClaims(ctx, token)
	if err != nil {
		return err
	}
	return a.Revocations.Revoke(ctx, everSince, a.longestLife(claims), cmp.Or(claims.Login, claims.ID))
}

// longestLife is when the last token of a login expires, also one that is refreshed at this moment.
func (a *Service) longestLife(claims ports.TokenClaims) time.Time {
	return a.Now().Add(max(a.TokenLifetime, claims.ExpiresAt.Sub(claims.IssuedAt)))
}

// LogoutAll ends every session of the user or customer p, including that of the token. Errors:
// fault.ErrUnauthenticated.
func (a *Service) LogoutAll(ctx context.Context, p tenant.Principal, token string) error {
	if p.Kind == tenant.User {
		claims, err := a.readClaims(ctx, token)
		if err != nil {
			return err
		}
		return a.Store.Atomically(ctx, ports.Scope{System: true}, func(ctx context.Context, tx ports.Tx) error {
			account, err := tx.Accounts.Lock(ctx, claims.Subject)
			if err != nil {
				return err
			}
			return tx.Accounts.Save(ctx, endSessions(account, claims))
		})
	}
	if p.Kind != tenant.Customer {
		return fault.ErrUnauthenticated
	}
	return a.endCustomerSessions(ctx, p, p.ID)
}

// IssueServerToken issues a short-lived token that acts as the secret key p. The request must present the key
// itself, so that a token cannot renew itself. Errors: fault.ErrForbidden without a secret key.
func (a *Service) IssueServerToken(p tenant.Principal, c Credentials) (string, time.Time, error) {
	if p.Kind != tenant.SecretKey || c.APIKey == "" {
		return "", time.Time{}, fault.ErrForbidden.WithMessage("Creating a server token requires a secret key.")
	}
	version, err := keyVersion(idempotency.HashToken(c.APIKey))
	if err != nil {
		return "", time.Time{}, err
	}
	token, claims, err := a.signClaims(ports.TokenClaims{Kind: tenant.SecretKey, Subject: p.ID, Tenant: p.Tenant.ID, Version: version},
		serverTokenLifetime)
	return token, claims.ExpiresAt, err
}

// keyVersion distinguishes the texts of a key by the first 48 bits of their hash: rotating a key invalidates
// the tokens made with its old text, which may have been leaked.
func keyVersion(hash string) (int64, error) {
	version, err := strconv.ParseInt(hash[:min(len(hash), 12)], 16, 64)
	if err != nil {
		return 0, fmt.Errorf("the hash of an API key: %w", err)
	}
	return version, nil
}
