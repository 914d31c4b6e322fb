package access

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// TokenRequest asks to send a token to an email address.
type TokenRequest struct {
	Principal tenant.Principal // customers: the client key of the page; users: any
	Tenant    string           // X-Tenant-Id: of the page of users
	Email     string
	ClientIP  string // of the client
}

// Wanted is the tenant that the request of a user names; "" for none.
func (in TokenRequest) Wanted() tenant.ID {
	return cmp.Or(tenant.ID(in.Tenant), in.Principal.Tenant.ID)
}

// ForgotPassword emails a password reset token. The response is the same whether or not the account exists: the request
// is stored, and the account looked up after it was answered. The token's lifetime begins with the request.
//
// A user gets a token from the tenant whose page asked, or from each of theirs. It opens the tenant that sent
// it and no other, since the readers of that tenant's deliveries see it. For a platform admin no tenant
// vouches: the installation's operator sets the password or passes a token on. Decision 37. Errors:
// fault.ErrValidation without an address, ErrTooManyLogins, fault.ErrUnavailable.
func (a *Service) ForgotPassword(ctx context.Context, kind tenant.Kind, in TokenRequest) error {
	if kind != tenant.User {
		return a.requestCustomerToken(ctx, countedForgot, in, PurposeReset)
	}
	wanted := in.Wanted()
	return a.requestToken(ctx, attempts{"", attemptsNaming(wanted, countedForgot)}, in, ports.EmailRequest{
		Collection: identity.Users.Slug, Purpose: string(PurposeReset), Tenant: wanted,
	})
}

// SendVerification emails a verification token to the customer with that address, unless it is verified
// already. The response does not reveal whether the customer exists, as with ForgotPassword. Errors: as
// ForgotPassword.
func (a *Service) SendVerification(ctx context.Context, in TokenRequest) error {
	return a.requestCustomerToken(ctx, countedVerification, in, PurposeVerify)
}

func (a *Service) requestCustomerToken(ctx context.Context, what string, in TokenRequest, use Purpose) error {
	t := in.Principal.Tenant.ID
	if t == "" {
		return errClientKeyRequired
	}
	return a.requestToken(ctx, attempts{t, what}, in, ports.EmailRequest{Collection: identity.Customers.Slug, Purpose: string(use), Tenant: t})
}

// attempts is what requests are counted as: of a tenant's customers, or of users.
type attempts struct {
	tenant tenant.ID
	what   string
}

// requestToken accepts a request for in.Email, which r has not, counted as of.
func (a *Service) requestToken(ctx context.Context, of attempts, in TokenRequest, r ports.EmailRequest) error {
	r.Email = strings.ToLower(strings.TrimSpace(in.Email))
	if r.Email == "" {
		return fault.Invalidf("email", "This field is required.")
	}
	if len(r.Email) > collection.MaxEmail {
		return fault.Invalidf("email", "An email address has at most %d bytes.", collection.MaxEmail)
	}
	wait, limit := a.countAttempt(ctx, throttleKey(of.what, of.tenant, r.Email, in.ClientIP),
		throttleKey(r.Purpose+"-address", of.tenant, "", in.ClientIP))
	if wait > 0 {
		return ErrTooManyLogins.WithMessage("Too many requests for this address. Try again later.").WithRetry(wait).
			WithData("limit", int64(limit))
	}
	return a.acceptRequest(ctx, r)
}

// attachToken stores the event of a request, which has no visible change, and seals the token into it.
func (a *Service) attachToken(ctx context.Context, tx ports.Tx, before collection.Record, to recipient) (EmailToken, error) {
	after := before.Clone()
	after["signals"] = before.Int("signals") + 1
	change := collection.NewChange(to.schema, before, after, a.NewID(), a.Now())
	if err := tx.Records.Write(ctx, change); err != nil {
		return EmailToken{}, err
	}
	return a.EmailTokens.attach(ctx, tx, change.EventID, to)
}

// PasswordReset is an attempt to set a password with an emailed token.
type PasswordReset struct {
	Principal       tenant.Principal // customers: the client key of the page
	Token, Password string
	ClientIP        string // of the client
	UserAgent       string // of the client
}

func (in PasswordReset) device() device { return device{in.ClientIP, in.UserAgent} }

// ResetPassword sets the password of the token's recipient and logs them in. It ends all their sessions and
// invalidates their other reset tokens. It also verifies a customer's address. Errors: fault.ErrValidation,
// ErrEmailToken.
func (a *Service) ResetPassword(ctx context.Context, kind tenant.Kind, in PasswordReset) (Session, error) {
	if in.Token == "" {
		return Session{}, fault.Invalidf("token", "This field is required.")
	}
	if err := identity.CheckPasswordGiven(in.Password, true, true); err != nil {
		return Session{}, err
	}
	if kind == tenant.User {
		return a.resetUser(ctx, in)
	}
	return a.resetCustomer(ctx, in)
}

func (a *Service) resetCustomer(ctx context.Context, in PasswordReset) (Session, error) {
	var hash string
	person, err := a.redeemCustomerToken(ctx, PurposeReset, in.Principal, in.Token, func(r collection.Record) (err error) {
		hash, err = a.hashNewPassword(ctx, in.Password, r.Text("email"), in.Principal.Tenant.ID)
		return err
	}, func(r collection.Record) {
		r["password"], r["tokenVersion"], r["isVerified"] = hash, r.Int("tokenVersion")+1, true
	})
	if err != nil {
		return Session{}, err
	}
	a.Attempts.Reset(ctx, throttleKey(countedLogin, in.Principal.Tenant.ID, person.Text("email"), in.ClientIP))
	return a.newCustomerSession(ctx, person, in.device())
}

// VerifyEmail marks the address of the token's recipient as verified. Errors: ErrEmailToken.
func (a *Service) VerifyEmail(ctx context.Context, p tenant.Principal, token string) (collection.Record, error) {
	return a.redeemCustomerToken(ctx, PurposeVerify, p, token, func(collection.Record) error { return nil },
		func(r collection.Record) { r["isVerified"] = true })
}

// redeemCustomerToken changes the customer the token was issued for. prepare runs after a first verification,
// outside of the transaction, on the customer as they are then.
func (a *Service) redeemCustomerToken(
	ctx context.Context, use Purpose, p tenant.Principal, token string, prepare func(collection.Record) error, change func(collection.Record),
) (person collection.Record, err error) {
	t := p.Tenant.ID
	if t == "" {
		return nil, errClientKeyRequired
	}
	id, _, _, err := use.parse(token)
	if err != nil {
		return nil, err
	}
	proven := func(r collection.Record, err error) error {
		if errors.Is(err, ports.ErrNotFound) {
			return ErrEmailToken
		}
		if err != nil {
			return err
		}
		return a.EmailTokens.verify(token, customerRecipient(use, r))
	}
	found, err := a.Store.Read(ports.ForTenant(t)).Get(ctx, identity.Customers, id)
	if err := proven(found, err); err != nil {
		return nil, err
	}
	if err := prepare(found); err != nil {
		return nil, err
	}
	err = a.Store.Atomically(ctx, ports.ForTenant(t), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, identity.Customers, id)
		if err := proven(before, err); err != nil {
			return err
		}
		person = before.Clone()
		change(person)
		return tx.Records.Write(ctx, collection.NewChange(identity.Customers, before, person, a.NewID(), a.Now()))
	})
	return person, err
}
