package access

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// countedPasskey is what logins with a passkey alone are counted as: by account and address of the client, like passwords, so that
// nobody who knows an account can lock its owner out.
const countedPasskey = "passkey"

// PasskeyOptions is what a browser takes to prove the second factor of a login, JSON. Errors: ErrPasskeysOff, and
// ErrChallengeInvalid also for an account without passkeys.
func (a *Service) PasskeyOptions(ctx context.Context, challenge string) ([]byte, error) {
	if a.Passkeys == nil {
		return nil, ErrPasskeysOff
	}
	c, err := a.readChallenge(challenge)
	if err != nil {
		return nil, err
	}
	account, err := a.Accounts.ByID(ctx, c.Account)
	if errors.Is(err, ports.ErrNotFound) {
		return nil, ErrChallengeInvalid
	}
	if err == nil {
		_, err = c.candidate(account)
	}
	if err != nil {
		return nil, err
	}
	if len(account.SecondFactors.Passkeys) == 0 || len(c.Nonce) != nonceLength {
		return nil, ErrChallengeInvalid
	}
	return a.Passkeys.Request(c.Nonce, account.SecondFactors.Passkeys)
}

// provePasskey is the account after one of its passkeys answered a challenge, which no passkey answers again. Errors:
// ErrPasskeysOff, ErrPasskeyMalformed, ErrPasskeyWrong, ErrChallengeInvalid.
func (a *Service) provePasskey(ctx context.Context, account ports.Account, nonce []byte, expires time.Time, answer []byte) (ports.Account, error) {
	switch {
	case a.Passkeys == nil:
		return account, ErrPasskeysOff
	case len(nonce) != nonceLength:
		return account, ErrChallengeInvalid
	}
	used, err := a.Passkeys.Used(nonce, account.ID, account.SecondFactors.Passkeys, answer)
	if err != nil {
		return account, asPasskeyFault(err, ErrPasskeyWrong)
	}
	f, first := answered(account.SecondFactors, nonce, expires, a.Now())
	if !first {
		return account, ErrChallengeInvalid
	}
	i := slices.IndexFunc(f.Passkeys, func(k ports.Passkey) bool { return k.ID == used.ID })
	if i < 0 {
		return account, ErrPasskeyWrong
	}
	if before := f.Passkeys[i].SignCount; used.SignCount <= before && (used.SignCount != 0 || before != 0) {
		if a.Log != nil {
			a.Log.WarnContext(ctx, "a passkey was refused whose sign count went backwards: it may have been copied",
				"account", account.ID, "passkey", used.ID, "before", before, "now", used.SignCount)
		}
		return account, ErrPasskeyWrong
	}
	used.LastUsed = a.Now().UTC()
	f.Passkeys = slices.Clone(f.Passkeys)
	f.Passkeys[i] = used
	account.SecondFactors = f
	return account, nil
}

// BeginPasskeyLogin is what a browser takes to log a person in with any passkey, JSON, and the challenge to send with what it
// answers. It is the same whoever asks. Errors: ErrPasskeysOff.
func (a *Service) BeginPasskeyLogin() (options []byte, challenge string, err error) {
	if a.Passkeys == nil {
		return nil, "", ErrPasskeysOff
	}
	challenge, c, err := a.sealPasskey(passkeyLogin, passkeyChallenge{})
	if err != nil {
		return nil, "", err
	}
	options, err = a.Passkeys.Request(c.Nonce, nil)
	return options, challenge, err
}

// PasskeyLogin is a login with a passkey alone: what BeginPasskeyLogin and then the browser answered. Of Login counts all but
// email and password.
type PasskeyLogin struct {
	Login

	Challenge string
	Answer    []byte // JSON
}

// LoginPasskey opens a session of a user with a passkey, which proves both factors. It opens what the person's own password
// opens, or in an account that is bound to a tenant, this tenant. Errors: ErrPasskeysOff, ErrChallengeInvalid,
// ErrPasskeyMalformed, ErrPasskeyWrong, ErrTooManyLogins, ErrNotMember, tenant.ErrSuspended.
func (a *Service) LoginPasskey(ctx context.Context, in PasskeyLogin) (Session, error) {
	if a.Passkeys == nil {
		return Session{}, ErrPasskeysOff
	}
	c, ok := a.openPasskey(passkeyLogin, in.Challenge)
	if !ok {
		return Session{}, ErrChallengeInvalid
	}
	id, err := a.Passkeys.Account(in.Answer)
	if err != nil {
		return Session{}, asPasskeyFault(err, ErrPasskeyWrong)
	}
	try := loginAttempt{key: throttleKey(countedPasskey, "", id, in.ClientIP), addressKey: throttleKey("login-address", "", "", in.ClientIP)}
	if wait, limit := a.countAttempt(ctx, try.key, try.addressKey); wait > 0 {
		return Session{}, ErrTooManyLogins.WithRetry(wait).WithData("limit", int64(limit))
	}
	who, err := a.usePasskey(ctx, id, c, in)
	if !errors.Is(err, ErrPasskeyWrong) {
		a.undoAttempt(ctx, try)
	}
	if err != nil {
		return Session{}, err
	}
	a.Attempts.Reset(ctx, try.key)
	if who, err = a.avoidSuspended(ctx, who, in.wanted()); err != nil {
		return Session{}, err
	}
	return a.newUserSession(ctx, who, in.device())
}

// usePasskey is whom an answer to c logs in. Only an answer that is right locks the account. Errors: those of LoginPasskey.
func (a *Service) usePasskey(ctx context.Context, id string, c passkeyChallenge, in PasskeyLogin) (who loginCandidate, err error) {
	account, err := a.Accounts.ByID(ctx, id)
	if errors.Is(err, ports.ErrNotFound) {
		return who, ErrPasskeyWrong
	}
	use := func(ctx context.Context, account ports.Account) (ports.Account, error) {
		if account, err = a.provePasskey(ctx, account, c.Nonce, time.Unix(c.Expires, 0), in.Answer); err != nil {
			return account, err
		}
		who, err = passkeyCandidate(account, in.wanted())
		return account, err
	}
	if err == nil {
		_, err = use(ctx, account)
	}
	if err != nil {
		return who, err
	}
	err = a.changeAccount(ctx, id, func(ctx context.Context, _ ports.Tx, account ports.Account) (ports.Account, error) {
		return use(ctx, account)
	})
	return who, err
}

// passkeyCandidate is the login that a passkey of the account opens, in the wanted tenant; "" wants any. Errors: ErrNotMember,
// ErrPasskeyWrong.
func passkeyCandidate(account ports.Account, wanted tenant.ID) (loginCandidate, error) {
	who := loginCandidate{account: account, proven: true, credential: credentialFor(account, ports.Membership{})}
	if who.hash == "" {
		return who, ErrPasskeyWrong // nobody has proven to be the person yet
	}
	if account.Home == "" {
		m, err := pickMembership(account, wanted, "")
		who.member = m
		return who, err
	}
	i := MembershipIndex(account, account.Home)
	if i < 0 || wanted != "" && wanted != account.Home {
		return who, ErrNotMember
	}
	who.member = account.Memberships[i]
	return who, nil
}
