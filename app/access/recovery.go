package access

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	errandLimit = 64               // letters being written at a time
	errandTime  = 10 * time.Second // that one may take
)

// Asking is somebody who asks for a letter to an address.
type Asking struct {
	Principal tenant.Principal // customers: the client key of the page; users: anybody
	Email     string
	Address   string // of the client
}

// ForgotPassword has a token sent to the person with that address, by which they may set a new password. Nobody learns
// whether there is such a person: the answer is the same and comes before the letter is written. The token's hour begins
// with the request.
//
// A user gets one only through the tenant whose admins may set their password anyway: not when they belong to several,
// and never a platform admin; theirs is changed by the platform. Engineering 17.
// Errors: fault.ErrValidation without an address, ErrTooManyLogins, fault.ErrUnavailable.
func (a *Access) ForgotPassword(ctx context.Context, kind tenant.Kind, in Asking) error {
	asked := a.Now()
	if kind == tenant.User {
		return a.ask(ctx, "forgot", in, func(ctx context.Context, email string) (func(context.Context) error, error) {
			account, err := a.Accounts.ByEmail(ctx, email)
			if err != nil || !recoverable(account) {
				return nil, err
			}
			return func(ctx context.Context) error { return a.writeUser(ctx, account, asked) }, nil
		})
	}
	return a.askCustomer(ctx, "forgot", in, Reset, func(collection.Record) bool { return true })
}

// SendVerification has a token sent to the customer with that address, unless it is proven already. It answers as
// ForgotPassword does. Errors: as ForgotPassword.
func (a *Access) SendVerification(ctx context.Context, in Asking) error {
	return a.askCustomer(ctx, "verify", in, Verify, func(r collection.Record) bool { return !r.Bool("isVerified") })
}

func (a *Access) askCustomer(ctx context.Context, what string, in Asking, use Purpose, wants func(collection.Record) bool) error {
	t := in.Principal.Tenant.ID
	if t == "" {
		return errShopUnknown
	}
	asked := a.Now()
	return a.ask(ctx, what, in, func(ctx context.Context, email string) (func(context.Context) error, error) {
		r, err := a.customerByEmail(ctx, t, email)
		if err != nil || !wants(r) {
			return nil, err
		}
		return func(ctx context.Context) error { return a.writeCustomer(ctx, use, r, asked) }, nil
	})
}

// ask looks the person up and has the letter written behind the answer. find gives no work for nobody.
func (a *Access) ask(ctx context.Context, what string, in Asking, find func(ctx context.Context, email string) (func(context.Context) error, error)) error {
	email := strings.ToLower(strings.TrimSpace(in.Email))
	if email == "" {
		return fault.Invalidf("email", "This field is required.")
	}
	key := throttleKey(what, in.Principal.Tenant.ID, email, in.Address)
	if wait := a.Attempts.Try(ctx, key, loginLimit, a.Now()); wait > 0 {
		return ErrTooManyLogins.Saying("Too many requests for this address. Try again later.").Retry(wait).With("limit", int64(loginLimit))
	}
	if a.errands.Add(1) > errandLimit {
		a.errands.Add(-1)
		return fault.ErrUnavailable
	}
	work, err := find(ctx, email)
	if work == nil {
		a.errands.Add(-1)
		if errors.Is(err, ports.ErrAbsent) {
			err = nil
		}
		return err
	}
	a.writing.Go(func() {
		defer a.errands.Add(-1)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), errandTime)
		defer cancel()
		if err := work(ctx); err != nil && !errors.Is(err, ports.ErrAbsent) && a.Log != nil {
			a.Log.ErrorContext(ctx, "a token could not be made for its delivery", "about", what, "error", err)
		}
	})
	return nil
}

// Wait returns when every letter asked for is written.
func (a *Access) Wait() { a.writing.Wait() }

// recoverable: see ForgotPassword.
func recoverable(account ports.Account) bool {
	return len(account.Memberships) == 1 && !OfPlatform(account)
}

// writeCustomer makes the request an event of the customer's record, with the token enclosed.
func (a *Access) writeCustomer(ctx context.Context, use Purpose, found collection.Record, asked time.Time) error {
	var letter Letter
	err := a.Store.Atomically(ctx, ports.Of(tenant.ID(found.Text("tenant"))), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, identity.Customers, found.ID())
		if err != nil {
			return err
		}
		to := customerTo(use, before)
		to.asked = asked
		letter, err = a.writeTo(ctx, tx, before, to)
		return err
	})
	if err == nil {
		a.Letters.Told(letter)
	}
	return err
}

func (a *Access) writeUser(ctx context.Context, account ports.Account, asked time.Time) error {
	var letter Letter
	err := a.Store.Atomically(ctx, Members(account.Memberships[0].Tenant), func(ctx context.Context, tx ports.Tx) error {
		now, err := tx.Accounts.Lock(ctx, account.ID)
		if err == nil && !recoverable(now) {
			err = ports.ErrAbsent // since we looked
		}
		if err != nil {
			return err
		}
		before, err := tx.Records.Lock(ctx, identity.Users, account.ID)
		if err != nil {
			return err
		}
		to := userTo(now)
		to.asked = asked
		letter, err = a.writeTo(ctx, tx, before, to)
		return err
	})
	if err == nil {
		a.Letters.Told(letter)
	}
	return err
}

// writeTo stores the event of a request, which changes nothing that shows, and encloses the token.
func (a *Access) writeTo(ctx context.Context, tx ports.Tx, before collection.Record, to addressee) (Letter, error) {
	after := before.Clone()
	after["signals"] = before.Int("signals") + 1
	change := collection.NewChange(to.schema, before, after, a.NewID(), a.Now())
	if err := tx.Records.Write(ctx, change); err != nil {
		return Letter{}, err
	}
	return a.Letters.enclose(ctx, tx, change.EventID, to)
}

// NewPassword is an attempt to set a password by a mailed token.
type NewPassword struct {
	Principal       tenant.Principal // customers: the client key of the page
	Token, Password string
	Address         string // of the client
}

// ResetPassword sets the password of whom the token was mailed to, and logs them in. It ends all their sessions and every
// other token of theirs. A customer's address is proven by it. Errors: fault.ErrValidation, ErrLetterToken.
func (a *Access) ResetPassword(ctx context.Context, kind tenant.Kind, in NewPassword) (Session, error) {
	if in.Token == "" {
		return Session{}, fault.Invalidf("token", "This field is required.")
	}
	if err := identity.CheckPassword(in.Password, true, true); err != nil {
		return Session{}, err
	}
	if kind == tenant.User {
		return a.resetUser(ctx, in)
	}
	return a.resetCustomer(ctx, in)
}

func (a *Access) resetUser(ctx context.Context, in NewPassword) (Session, error) {
	id, _, _, err := Reset.parse(in.Token)
	if err != nil {
		return Session{}, err
	}
	account, err := a.Accounts.ByID(ctx, id)
	if err := a.provesUser(in.Token, account, err); err != nil { // before the costly part
		return Session{}, err
	}
	hash, err := a.Passwords.Hash(ctx, in.Password)
	if err != nil {
		return Session{}, err
	}
	err = a.Store.Atomically(ctx, Members(account.Memberships[0].Tenant), func(ctx context.Context, tx ports.Tx) error {
		found, err := tx.Accounts.Lock(ctx, id)
		if err := a.provesUser(in.Token, found, err); err != nil {
			return err
		}
		account = found
		return a.replacePassword(ctx, tx, account, hash)
	})
	if err != nil {
		return Session{}, err
	}
	account.TokenVersion++ // as it is stored
	a.Attempts.Clear(ctx, throttleKey("login", "", account.Email, in.Address))
	return a.openUser(ctx, account, account.Memberships[0])
}

// RenewPassword gives a user a new password, which is the answer, and ends their sessions: for whoever runs the
// installation. Errors: ports.ErrAbsent.
func (a *Access) RenewPassword(ctx context.Context, email string) (password string, err error) {
	password = RandomText(20)
	hash, err := a.Passwords.Hash(ctx, password)
	if err != nil {
		return "", err
	}
	err = a.Store.Atomically(ctx, ports.Scope{System: true}, func(ctx context.Context, tx ports.Tx) error {
		account, err := tx.Accounts.LockEmail(ctx, strings.ToLower(strings.TrimSpace(email)))
		if err != nil {
			return err
		}
		return a.replacePassword(ctx, tx, account, hash)
	})
	if err != nil {
		return "", err
	}
	return password, nil
}

// replacePassword stores a new password of a locked account, which ends its sessions, and tells its tenants.
func (a *Access) replacePassword(ctx context.Context, tx ports.Tx, account ports.Account, hash string) error {
	account.PasswordHash = hash
	account.TokenVersion++
	if err := tx.Accounts.Save(ctx, account); err != nil {
		return err
	}
	return Signal(ctx, tx, News{Person: account.ID, NewID: a.NewID, Now: a.Now()})
}

// provesUser reports whether token lets its bearer set the password of the account, if it was found. Errors: ErrLetterToken.
func (a *Access) provesUser(token string, account ports.Account, err error) error {
	switch {
	case errors.Is(err, ports.ErrAbsent), err == nil && !recoverable(account):
		return ErrLetterToken
	case err != nil:
		return err
	}
	return a.Letters.proves(token, userTo(account))
}

func (a *Access) resetCustomer(ctx context.Context, in NewPassword) (Session, error) {
	var hash string
	person, err := a.redeem(ctx, Reset, in.Principal, in.Token, func() (err error) {
		hash, err = a.Passwords.Hash(ctx, in.Password)
		return err
	}, func(r collection.Record) {
		r["password"], r["tokenVersion"], r["isVerified"] = hash, r.Int("tokenVersion")+1, true
	})
	if err != nil {
		return Session{}, err
	}
	a.Attempts.Clear(ctx, throttleKey("login", in.Principal.Tenant.ID, person.Text("email"), in.Address))
	return a.openCustomer(person)
}

// VerifyEmail notes that the customer to whom the token was mailed has the address. Errors: ErrLetterToken.
func (a *Access) VerifyEmail(ctx context.Context, p tenant.Principal, token string) (collection.Record, error) {
	return a.redeem(ctx, Verify, p, token, func() error { return nil }, func(r collection.Record) { r["isVerified"] = true })
}

// redeem changes the customer whom the token proves. prepare is done once it looks good, outside of the transaction.
func (a *Access) redeem(ctx context.Context, use Purpose, p tenant.Principal, token string, prepare func() error, change func(collection.Record)) (person collection.Record, err error) {
	t := p.Tenant.ID
	if t == "" {
		return nil, errShopUnknown
	}
	id, _, _, err := use.parse(token)
	if err != nil {
		return nil, err
	}
	proven := func(r collection.Record, err error) error {
		if errors.Is(err, ports.ErrAbsent) {
			return ErrLetterToken
		}
		if err != nil {
			return err
		}
		return a.Letters.proves(token, customerTo(use, r))
	}
	if err := proven(a.Store.Read(ports.Of(t)).Get(ctx, identity.Customers, id)); err != nil {
		return nil, err
	}
	if err := prepare(); err != nil {
		return nil, err
	}
	err = a.Store.Atomically(ctx, ports.Of(t), func(ctx context.Context, tx ports.Tx) error {
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
