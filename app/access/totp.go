package access

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The refusals of changes to one's own second factors.
var (
	ErrTOTPActive   = fault.New(fault.Conflict, "totp_active", "There is an authenticator app already: disable it first.")
	ErrTOTPNotFound = fault.New(fault.Conflict, "totp_not_enrolled", "There is no authenticator app: enroll one first.")
	ErrCodeWrong    = fault.NewInvalid("code", "code_wrong", "This code is wrong, or was used already.")
)

const (
	recoveryCodes = 10
	recoveryChars = 16 // of 5 bits each
)

// recoveryAlphabet has 32 characters that nobody takes for each other.
const recoveryAlphabet = "abcdefghijkmnpqrstuvwxyz23456789"

func totpLabel(account string) string { return "totp/" + account }

// SelfCare is a change that a user makes to their own second factors.
type SelfCare struct {
	Credentials Credentials
	Token       string // of the login
	Code        string // "" where it is not needed
}

// FactorState is what second factors a user has.
type FactorState struct {
	Required      bool // by the tenant that the user acts in
	Active        bool
	TOTP          bool
	Passkeys      int
	RecoveryCodes int // that were not used yet
}

// AuthenticateToEnroll is Authenticate for a user who has not got the second factor that the tenant requires, and may do
// nothing but add one.
func (a *Service) AuthenticateToEnroll(ctx context.Context, c Credentials) (tenant.Principal, error) {
	c.enrolling = true
	p, err := a.Authenticate(ctx, c)
	if err == nil && p.Kind != tenant.User {
		err = fault.ErrUnauthenticated
	}
	return p, err
}

// SecondFactorState is the state of p's second factors.
func (a *Service) SecondFactorState(ctx context.Context, p tenant.Principal, token string) (FactorState, error) {
	claims, err := a.readClaims(ctx, token)
	if err != nil {
		return FactorState{}, err
	}
	account, err := a.Accounts.ByID(ctx, claims.Subject)
	f := account.SecondFactors
	return FactorState{p.Tenant.RequireSecondFactor, f.Active(), f.TOTP != nil, len(f.Passkeys), len(f.RecoveryCodes)}, err
}

// EnrollTOTP makes a secret for an authenticator app, in place of one that was not confirmed. It is no factor before
// ConfirmTOTP. Errors: ErrTOTPActive, and those of ownAccount.
func (a *Service) EnrollTOTP(ctx context.Context, in SelfCare) (made ports.NewTOTP, err error) {
	claims, account, err := a.ownAccount(ctx, in, true)
	if err != nil {
		return made, err
	}
	shop, err := a.Store.Read(ports.ForTenant(claims.Tenant)).Get(ctx, identity.Tenants, string(claims.Tenant))
	if err != nil {
		return made, err
	}
	fresh, err := a.OneTimeCodes.New(shop.Text("name"), account.Email)
	if err != nil {
		return made, err
	}
	sealed, err := a.Vault.Seal(totpLabel(account.ID), []byte(fresh.Secret))
	if err != nil {
		return made, err
	}
	err = a.changeAccount(ctx, account.ID, func(_ context.Context, _ ports.Tx, account ports.Account) (ports.Account, error) {
		if account.SecondFactors.TOTP != nil {
			return account, ErrTOTPActive
		}
		account.SecondFactors.PendingTOTP = &ports.TOTP{Secret: sealed}
		return account, a.checkStillOwn(account, claims)
	})
	if err != nil {
		return made, err
	}
	return fresh, nil
}

// ConfirmTOTP makes the enrolled app a second factor, with a code of it. All other sessions end, and the one of the call goes
// on with the token of the answer. Codes are recovery codes if it is the first factor. Errors: ErrTOTPNotFound, ErrCodeWrong,
// ErrTooManyLogins, and those of ownAccount.
func (a *Service) ConfirmTOTP(ctx context.Context, in SelfCare) (session Session, codes []string, err error) {
	claims, account, err := a.ownAccount(ctx, in, false)
	if err != nil {
		return Session{}, nil, err
	}
	var hashes []string
	codes, hashes = newRecoveryCodes()
	err = a.tryFactor(ctx, account.ID, func(_ context.Context, _ ports.Tx, now ports.Account) (ports.Account, error) {
		account = now
		if err := a.checkStillOwn(account, claims); err != nil {
			return account, err
		}
		f := &account.SecondFactors
		if f.PendingTOTP == nil {
			return account, ErrTOTPNotFound
		}
		used, err := a.useCode(account.ID, *f.PendingTOTP, in.Code)
		if err != nil {
			return account, err
		}
		if f.Active() {
			hashes, codes = f.RecoveryCodes, nil
		}
		f.TOTP, f.PendingTOTP, f.RecoveryCodes = &used, nil, hashes
		return account, nil
	})
	if err != nil {
		return Session{}, nil, asCodeWrong(err)
	}
	session, err = a.continueSession(ctx, in, claims, account)
	return session, codes, err
}

// DisableTOTP removes the authenticator app, with a code of it or a recovery code; recovery codes go with the last factor.
// Errors: ErrTOTPNotFound, ErrCodeWrong, ErrTooManyLogins, and those of ownAccount.
func (a *Service) DisableTOTP(ctx context.Context, in SelfCare) error {
	claims, account, err := a.ownAccount(ctx, in, true)
	if err != nil {
		return err
	}
	return asCodeWrong(a.tryFactor(ctx, account.ID, func(_ context.Context, _ ports.Tx, account ports.Account) (ports.Account, error) {
		if account.SecondFactors.TOTP == nil {
			return account, ErrTOTPNotFound
		}
		account, err := a.proveFactor(account, in.Code)
		if err != nil {
			return account, err
		}
		if err := a.checkStillOwn(account, claims); err != nil {
			return account, err
		}
		account.SecondFactors.TOTP = nil
		return withoutIdleFactors(account), nil
	}))
}

// RenewRecoveryCodes replaces the recovery codes. Errors: ErrTOTPNotFound without a second factor, and those of ownAccount.
func (a *Service) RenewRecoveryCodes(ctx context.Context, in SelfCare) (codes []string, err error) {
	claims, account, err := a.ownAccount(ctx, in, true)
	if err != nil {
		return nil, err
	}
	codes, hashes := newRecoveryCodes()
	err = a.changeAccount(ctx, account.ID, func(_ context.Context, _ ports.Tx, account ports.Account) (ports.Account, error) {
		if !account.SecondFactors.Active() {
			return account, ErrTOTPNotFound
		}
		account.SecondFactors.RecoveryCodes = hashes
		return account, a.checkStillOwn(account, claims)
	})
	if err != nil {
		return nil, err
	}
	return codes, nil
}

// asCodeWrong is the refusal of a code by somebody who is logged in and stays so.
func asCodeWrong(err error) error {
	if errors.Is(err, ErrSecondFactorWrong) {
		return ErrCodeWrong
	}
	return err
}

// ownAccount is the account of the login that a change comes from, which must be the person's: the password of one tenant
// does not change how the person logs in to others. With proven the session must have been proven lately: whoever finds an open
// screen must not lock its owner out. Errors: ErrFactorOfPerson, tenant.ErrReauthenticate, fault.ErrUnauthenticated.
func (a *Service) ownAccount(ctx context.Context, in SelfCare, proven bool) (ports.TokenClaims, ports.Account, error) {
	claims, err := a.readClaims(ctx, in.Token)
	if err != nil {
		return claims, ports.Account{}, err
	}
	account, err := a.Accounts.ByID(ctx, claims.Subject)
	if err == nil {
		err = a.checkStillOwn(account, claims)
	}
	if err == nil && proven {
		var stale bool
		if stale, err = a.isStale(ctx, claims); err == nil && stale {
			err = tenant.ErrReauthenticate
		}
	}
	return claims, account, err
}

// checkStillOwn checks that a login may change the account, as it is under its lock. Errors: ErrFactorOfPerson,
// fault.ErrUnauthenticated.
func (a *Service) checkStillOwn(account ports.Account, claims ports.TokenClaims) error {
	switch {
	case claims.HomeOnly && account.Home != claims.Tenant:
		return ErrFactorOfPerson
	case claims.HomeOnly != (account.Home != ""), claims.Version != account.TokenVersion:
		return errSessionsRevoked
	case account.SecondFactors.Active() && !claims.SecondFactor:
		return errSessionsRevoked
	}
	return nil
}

// continueSession is the session of a login that has proven a second factor now.
func (a *Service) continueSession(ctx context.Context, in SelfCare, claims ports.TokenClaims, account ports.Account) (Session, error) {
	member := ports.Membership{Tenant: claims.Tenant, Role: tenant.PlatformAdmin}
	if i := MembershipIndex(account, claims.Tenant); i >= 0 {
		member = account.Memberships[i]
	} else if !isPlatformAdmin(account) {
		return Session{}, errSessionsRevoked
	}
	person, err := a.userRecord(ctx, account, member)
	if err != nil {
		return Session{}, err
	}
	claims.Login, claims.SecondFactor = cmp.Or(claims.Login, claims.ID), true
	return a.newSession(ctx, claims, identity.Users, person, device{in.Credentials.Address, in.Credentials.UserAgent})
}

// newRecoveryCodes are codes as the person is shown them, once, and what is stored of them.
func newRecoveryCodes() (codes, hashes []string) {
	for range recoveryCodes {
		var raw [recoveryChars]byte
		_, _ = rand.Read(raw[:]) // never fails
		text, shown := make([]byte, 0, recoveryChars), make([]byte, 0, recoveryChars+3)
		for i, b := range raw {
			if i > 0 && i%4 == 0 {
				shown = append(shown, '-')
			}
			c := recoveryAlphabet[int(b)%len(recoveryAlphabet)]
			text, shown = append(text, c), append(shown, c)
		}
		codes, hashes = append(codes, string(shown)), append(hashes, recoveryHash(string(text)))
	}
	return codes, hashes
}
