package access

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ErrPasswordWrong refuses the password of somebody who is logged in, and stays so.
var ErrPasswordWrong = fault.NewInvalid("password", "password_wrong", "The password is wrong.")

const (
	// MethodPassword is the way to prove a session that everybody has.
	MethodPassword = "password"

	passkeyProof = "passkey-proof"
)

// Proof is how somebody who is logged in proves again who they are: by one of Password, Code and Passkey.
type Proof struct {
	Credentials Credentials
	Token       string // of the login
	Password    string // that which opened the login, or would have
	Code        string // of the authenticator app, or a recovery code
	Challenge   string // with Passkey, what BeginProof answered
	Passkey     []byte // what the browser answered to it: JSON
}

// isStale reports whether a login began, and was proven, longer ago than tenant.ProofLasts.
func (a *Service) isStale(ctx context.Context, claims ports.TokenClaims) (bool, error) {
	since := a.Now().Add(-tenant.ProofLasts)
	if !claims.Began.Before(since) {
		return false, nil
	}
	proven, err := a.Logins.Proven(ctx, claims.Login)
	return proven.Before(since), err
}

// BeginProof is how the person of a login can prove who they are, and for a passkey what a browser takes, JSON, with the challenge
// to send with what it answers; options are nil without passkeys. Errors: fault.ErrUnauthenticated.
func (a *Service) BeginProof(ctx context.Context, token string) (methods []string, options []byte, challenge string, err error) {
	_, account, err := a.loginAccount(ctx, token)
	if err != nil {
		return nil, nil, "", err
	}
	methods = append([]string{MethodPassword}, factorMethods(account.SecondFactors)...)
	if a.Passkeys == nil || len(account.SecondFactors.Passkeys) == 0 {
		return methods, nil, "", nil
	}
	challenge, c, err := a.sealPasskey(passkeyProof, passkeyChallenge{Account: account.ID, Version: account.TokenVersion})
	if err != nil {
		return nil, nil, "", err
	}
	options, err = a.Passkeys.Request(c.Nonce, account.SecondFactors.Passkeys)
	return methods, options, challenge, err
}

// Prove makes the session of a login proven for tenant.ProofLasts, and answers until when. Passwords are limited as those of logins,
// codes and passkeys as those of the second step of a login. Errors: ErrPasswordWrong, ErrCodeWrong, ErrPasskeysOff,
// ErrPasskeyMalformed, ErrPasskeyRefused, ErrPasskeyChallenge, ErrTooManyLogins, fault.ErrUnauthenticated, fault.ErrUnavailable.
func (a *Service) Prove(ctx context.Context, in Proof) (until time.Time, err error) {
	claims, account, err := a.loginAccount(ctx, in.Token)
	if err != nil {
		return until, err
	}
	if in.Password != "" {
		err = a.checkOwnPassword(ctx, in, claims, account)
	} else {
		err = a.proveByFactor(ctx, in, claims, account)
	}
	if err != nil {
		return until, err
	}
	now := a.Now()
	if err = a.Logins.Prove(ctx, claims.Login, now); errors.Is(err, ports.ErrNotFound) {
		err = fault.ErrUnauthenticated.WithMessage("This login is not known any more. Log in again.")
	}
	return now.Add(tenant.ProofLasts), err
}

// loginAccount is the account of a login that is still open. Errors: fault.ErrUnauthenticated.
func (a *Service) loginAccount(ctx context.Context, token string) (claims ports.TokenClaims, account ports.Account, err error) {
	if claims, err = a.readClaims(ctx, token); err != nil {
		return claims, account, err
	}
	if account, err = a.Accounts.ByID(ctx, claims.Subject); errors.Is(err, ports.ErrNotFound) {
		return claims, account, fault.ErrUnauthenticated
	}
	if err == nil {
		_, err = passwordOf(account, claims)
	}
	return claims, account, err
}

// opener is the password of the account that opens logins such as this one.
func opener(account ports.Account, claims ports.TokenClaims) credential {
	if i := MembershipIndex(account, claims.Tenant); claims.HomeOnly && i >= 0 {
		return credentialFor(account, account.Memberships[i])
	}
	return credentialFor(account, ports.Membership{})
}

// passwordOf is the password by which the account opened a login. Errors: errSessionsRevoked when it is another one by now.
func passwordOf(account ports.Account, claims ports.TokenClaims) (credential, error) {
	password := opener(account, claims)
	if password.homeOnly != claims.HomeOnly || password.version != claims.Version {
		return password, errSessionsRevoked
	}
	return password, nil
}

// proveByFactor uses a code or a passkey of the account up.
func (a *Service) proveByFactor(ctx context.Context, in Proof, claims ports.TokenClaims, account ports.Account) error {
	var c passkeyChallenge
	if in.Passkey != nil {
		var ok bool
		if c, ok = a.openPasskey(passkeyProof, in.Challenge); !ok || c.Account != account.ID || c.Version != account.TokenVersion {
			return ErrPasskeyChallenge
		}
	}
	err := a.tryFactor(ctx, account.ID, func(ctx context.Context, _ ports.Tx, account ports.Account) (ports.Account, error) {
		if _, err := passwordOf(account, claims); err != nil {
			return account, err
		}
		if in.Passkey != nil {
			return a.provePasskey(ctx, account, c.Nonce, time.Unix(c.Expires, 0), in.Passkey)
		}
		return a.proveFactor(account, in.Code)
	})
	switch { // the session goes on, so it is no 401
	case errors.Is(err, ErrPasskeyWrong):
		return ErrPasskeyRefused
	case errors.Is(err, ErrChallengeInvalid):
		return ErrPasskeyChallenge
	}
	return asCodeWrong(err)
}

// checkOwnPassword compares the password of somebody who is logged in, with the limits of logins. Errors: ErrPasswordWrong,
// ErrTooManyLogins, fault.ErrUnavailable.
func (a *Service) checkOwnPassword(ctx context.Context, in Proof, claims ports.TokenClaims, account ports.Account) error {
	password, err := passwordOf(account, claims)
	if err != nil {
		return err
	}
	try := loginAttempt{
		key: throttleKey(countedFactor+"-password", "", account.ID, in.Credentials.Address), shop: claims.Tenant, address: in.Credentials.Address,
		addressKey: throttleKey("login-address", "", "", in.Credentials.Address),
	}
	if wait, limit := a.countAttempt(ctx, try.key, try.addressKey); wait > 0 {
		return ErrTooManyLogins.WithRetry(wait).WithData("limit", int64(limit))
	}
	err = a.checkPassword(ctx, in.Password, password.hash, try)
	if !errors.Is(err, ErrCredentials) {
		a.undoAttempt(ctx, try)
	}
	if err == nil {
		a.Attempts.Reset(ctx, try.key)
	}
	return passwordAgainError(err)
}
