package access

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The refusals of second factors. Rules access-44 to access-48.
var (
	ErrSecondFactorMissing = fault.New(fault.Forbidden, "second_factor_required",
		"This tenant requires a second factor: add one, or act in another tenant.")
	ErrSecondFactorWrong = fault.New(fault.Unauthenticated, "second_factor_invalid", "This code is wrong, or was used already.")
	ErrChallengeInvalid  = fault.New(fault.Unauthenticated, "challenge_invalid", "This login took too long, was finished already, or the password was changed. Log in again.")
	ErrFactorOfPerson    = fault.New(fault.Forbidden, "second_factor_of_person",
		"The second factors belong to the person in all tenants: log in with the person's own password to change them.")
	ErrFactorsNotYours = fault.New(fault.Forbidden, "account_of_several_tenants",
		"This account does not belong to your tenant alone: only platform admins reset its second factors.")
)

const (
	// challengeLifetime is how long a login may take from the password to the second factor.
	challengeLifetime = 5 * time.Minute
	maxChallenge      = 1024 // bytes
	countedFactor     = "second-factor"
	challengeLabel    = "login-challenge"
)

// The ways to prove a second factor.
const (
	MethodTOTP     = "totp"
	MethodRecovery = "recovery-code"
	MethodPasskey  = "passkey"
)

// Challenge is what a login with a right password still has to prove.
type Challenge struct {
	Token   string
	Expires time.Time
	Methods []string
}

// challengeClaims are sealed into a challenge: the session that the second factor opens.
type challengeClaims struct {
	Account  string    `json:"a"`
	Tenant   tenant.ID `json:"t"`
	Version  int64     `json:"v"`
	HomeOnly bool      `json:"h"`
	Expires  int64     `json:"e"` // seconds since 1970
	Nonce    []byte    `json:"n"` // what a passkey signs
}

// newChallenge seals what the password of a login opens, for whoever proves the second factor of the account.
func (a *Service) newChallenge(who loginCandidate) (*Challenge, error) {
	expires := a.Now().Add(challengeLifetime).Truncate(time.Second).UTC()
	plain, err := json.Marshal(challengeClaims{who.account.ID, who.member.Tenant, who.version, who.homeOnly, expires.Unix(), newNonce()})
	if err != nil {
		return nil, err
	}
	token, err := a.Vault.Seal(challengeLabel, plain)
	return &Challenge{token, expires, factorMethods(who.account.SecondFactors)}, err
}

// factorMethods are the ways in which the person can prove a second factor.
func factorMethods(f ports.SecondFactors) (methods []string) {
	if f.TOTP != nil {
		methods = append(methods, MethodTOTP)
	}
	if len(f.Passkeys) > 0 {
		methods = append(methods, MethodPasskey)
	}
	if len(f.RecoveryCodes) > 0 {
		methods = append(methods, MethodRecovery)
	}
	return methods
}

// readChallenge reads a challenge that has not expired. Errors: ErrChallengeInvalid.
func (a *Service) readChallenge(token string) (c challengeClaims, err error) {
	if len(token) > maxChallenge {
		return c, ErrChallengeInvalid
	}
	plain, err := a.Vault.Open(challengeLabel, token)
	if err == nil {
		err = json.Unmarshal(plain, &c)
	}
	if err != nil || !a.Now().Before(time.Unix(c.Expires, 0)) {
		return c, ErrChallengeInvalid.WithCause(err)
	}
	return c, nil
}

// candidate is the login that c was made for, if the account still has its password and is still a member. Errors:
// ErrChallengeInvalid.
func (c challengeClaims) candidate(account ports.Account) (loginCandidate, error) {
	i := MembershipIndex(account, c.Tenant)
	who := loginCandidate{account: account, proven: true, credential: credentialFor(account, ports.Membership{})}
	switch {
	case i >= 0 && c.HomeOnly:
		who.credential = credentialFor(account, account.Memberships[i])
	case i < 0 && (c.HomeOnly || !isPlatformAdmin(account)):
		return who, ErrChallengeInvalid
	}
	if who.homeOnly != c.HomeOnly || who.version != c.Version {
		return who, ErrChallengeInvalid
	}
	if who.member = (ports.Membership{Tenant: c.Tenant, Role: tenant.PlatformAdmin}); i >= 0 {
		who.member = account.Memberships[i]
	}
	return who, nil
}

// SecondFactor is the second step of a login: what the first answered, and a code or a passkey of the person.
type SecondFactor struct {
	Challenge string
	Code      string // of the authenticator app, or a recovery code
	Passkey   []byte // in place of a code, what the browser answered to PasskeyOptions: JSON; else nil
	ClientIP  string // of the client
	UserAgent string // of the client
}

// LoginSecondFactor opens the session of a login that was asked for a second factor. Five wrong codes or passkeys in fifteen
// minutes end the attempts at the account, from whatever address: they are made by somebody with the password. Errors:
// ErrChallengeInvalid, ErrSecondFactorWrong, ErrTooManyLogins, and those of passkeys.
func (a *Service) LoginSecondFactor(ctx context.Context, in SecondFactor) (Session, error) {
	challenge, err := a.readChallenge(in.Challenge)
	if err != nil {
		return Session{}, err
	}
	var who loginCandidate
	err = a.tryFactor(ctx, challenge.Account, func(ctx context.Context, tx ports.Tx, account ports.Account) (ports.Account, error) {
		if who, err = challenge.candidate(account); err != nil {
			return account, err
		}
		if in.Passkey != nil {
			who.account, err = a.provePasskey(ctx, account, challenge.Nonce, time.Unix(challenge.Expires, 0), in.Passkey)
		} else {
			who.account, err = a.proveFactor(account, in.Code)
		}
		return who.account, err
	})
	if err != nil {
		return Session{}, err
	}
	return a.newUserSession(ctx, who, device{in.ClientIP, in.UserAgent})
}

// tryFactor counts an attempt at the second factors of an account, and changes the account in a transaction; a success ends
// the count. Errors: ErrChallengeInvalid for no account, ErrTooManyLogins, and those of change.
func (a *Service) tryFactor(
	ctx context.Context, id string, change func(context.Context, ports.Tx, ports.Account) (ports.Account, error),
) error {
	key := throttleKey(countedFactor, "", id, "")
	if wait := a.Attempts.Try(ctx, key, loginLimit, a.Now()); wait > 0 {
		return ErrTooManyLogins.WithMessage("Too many wrong codes. Try again later.").WithRetry(wait).WithData("limit", int64(loginLimit))
	}
	err := a.changeAccount(ctx, id, change)
	switch {
	case err == nil:
		a.Attempts.Reset(ctx, key)
	case !errors.Is(err, ErrSecondFactorWrong) && !errors.Is(err, ErrPasskeyWrong):
		a.Attempts.Undo(context.WithoutCancel(ctx), key) // no guess
	}
	return err
}

// changeAccount changes an account under its lock. Errors: ErrChallengeInvalid for no account, and those of change.
func (a *Service) changeAccount(
	ctx context.Context, id string, change func(context.Context, ports.Tx, ports.Account) (ports.Account, error),
) error {
	return a.Store.Atomically(ctx, ports.Scope{System: true}, func(ctx context.Context, tx ports.Tx) error {
		account, err := tx.Accounts.Lock(ctx, id)
		if errors.Is(err, ports.ErrNotFound) {
			return ErrChallengeInvalid
		}
		if err != nil {
			return err
		}
		if account, err = change(ctx, tx, account); err != nil {
			return err
		}
		return tx.Accounts.Save(ctx, account)
	})
}

// proveFactor is the account after a code of its authenticator app or a recovery code was used up. Errors:
// ErrSecondFactorWrong.
func (a *Service) proveFactor(account ports.Account, code string) (ports.Account, error) {
	code = strings.ToLower(strings.NewReplacer(" ", "", "-", "").Replace(code))
	if f := account.SecondFactors.TOTP; f != nil {
		used, err := a.useCode(account.ID, *f, code)
		if err == nil {
			account.SecondFactors.TOTP = &used
			return account, nil
		}
		if !errors.Is(err, ErrSecondFactorWrong) {
			return account, err
		}
	}
	i := slices.Index(account.SecondFactors.RecoveryCodes, recoveryHash(code))
	if i < 0 {
		return account, ErrSecondFactorWrong
	}
	account.SecondFactors.RecoveryCodes = slices.Delete(slices.Clone(account.SecondFactors.RecoveryCodes), i, i+1)
	return account, nil
}

// useCode is f after a code was used, which must be newer than the last. Errors: ErrSecondFactorWrong.
func (a *Service) useCode(account string, f ports.TOTP, code string) (ports.TOTP, error) {
	secret, err := a.Vault.Open(totpLabel(account), f.Secret)
	if err != nil {
		return f, err
	}
	step, ok := a.OneTimeCodes.Step(string(secret), code, a.Now())
	if !ok || step <= f.LastStep {
		return f, ErrSecondFactorWrong
	}
	f.LastStep = step
	return f, nil
}

// recoveryHash is what is stored of a recovery code, which is as long as a key.
func recoveryHash(code string) string {
	hash := sha256.Sum256([]byte(code))
	return hex.EncodeToString(hash[:])
}

// checkSecondFactor refuses a login of the account without the second factor that the account has, or that the tenant
// requires. Errors: fault.ErrUnauthenticated, ErrSecondFactorMissing.
func checkSecondFactor(account ports.Account, claims ports.TokenClaims, in tenant.Settings) error {
	switch active := account.SecondFactors.Active(); {
	case active && !claims.SecondFactor:
		return fault.ErrUnauthenticated.WithMessage("This account has a second factor now. Log in again.")
	case !active && in.RequireSecondFactor:
		return ErrSecondFactorMissing
	}
	return nil
}

// ResetSecondFactors removes the second factors of a user who lost them, and ends all sessions of the account. A tenant does
// so for accounts that belong to it alone, platform admins for all; nobody for themselves. Errors: fault.ErrForbidden,
// fault.ErrNotFound, ErrFactorsNotYours.
func (a *Service) ResetSecondFactors(ctx context.Context, call idempotency.Call, id string) error {
	p := call.Principal
	if _, err := Allowed(p, identity.Users, collection.Update); err != nil {
		return err
	}
	if p.Kind == tenant.User && p.ID == id {
		return fault.ErrForbidden.WithMessage("Disable your own second factor with the password and a code.")
	}
	return a.Store.Atomically(ctx, MembersScope(p.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		account, err := tx.Accounts.Lock(ctx, id)
		if err != nil {
			return err
		}
		if MembershipIndex(account, p.Tenant.ID) < 0 {
			return fault.ErrNotFound
		}
		if p.Role != tenant.PlatformAdmin && (len(account.Memberships) > 1 || isPlatformAdmin(account)) {
			return ErrFactorsNotYours
		}
		if err := a.writeUserEvent(ctx, tx, id); err != nil {
			return err
		}
		return tx.Accounts.Save(ctx, withoutFactors(account))
	})
}

// withoutFactors is the account without second factors and without sessions.
func withoutFactors(account ports.Account) ports.Account {
	account.SecondFactors = ports.SecondFactors{}
	return endSessions(account, ports.TokenClaims{})
}

// RemoveSecondFactors removes the second factors of a user and ends their sessions; t names the tenant if several users have
// the address. It is for operators of the installation. Errors: ports.ErrNotFound, ErrSeveralAccounts.
func (a *Service) RemoveSecondFactors(ctx context.Context, email string, t tenant.ID) error {
	return a.Store.Atomically(ctx, ports.Scope{System: true}, func(ctx context.Context, tx ports.Tx) error {
		all, err := tx.Accounts.LockByAddress(ctx, strings.ToLower(strings.TrimSpace(email)))
		if err != nil {
			return err
		}
		account, err := accountOfAddress(all, t)
		if err != nil {
			return err
		}
		return tx.Accounts.Save(ctx, withoutFactors(account))
	})
}
