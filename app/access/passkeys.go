package access

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// The refusals of passkeys. Rules access-55, access-56.
var (
	ErrPasskeysOff = fault.New(fault.Conflict, "passkeys_unavailable",
		"Passkeys need a server with a public URL that has a domain name, and HTTPS.")
	ErrPasskeyMalformed = fault.NewInvalid("credential", "passkey_malformed", "This is not what a browser answers of a passkey.")
	ErrPasskeyRefused   = fault.NewInvalid("credential", "passkey_refused",
		"This passkey was not made for this server, this person and this challenge, or without a check of the person.")
	ErrPasskeyChallenge = fault.NewInvalid("challenge", "passkey_challenge_invalid", "This took too long, or was answered already: begin again.")
	ErrPasskeyTaken     = fault.New(fault.Conflict, "passkey_taken", "This passkey was added already.")
	ErrTooManyPasskeys  = fault.New(fault.Conflict, "too_many_passkeys", "An account has at most 20 passkeys: remove one first.")
	ErrPasskeyWrong     = fault.New(fault.Unauthenticated, "passkey_invalid",
		"This passkey is unknown here, or did not answer this challenge. Log in with the password.")
)

const (
	maxPasskeys = 20
	// MaxPasskeyName is the longest name of a passkey, in characters.
	MaxPasskeyName = 100
	// MaxPasskeyAnswer is what a browser may send of a passkey, in bytes.
	MaxPasskeyAnswer = 16 << 10
	// maxUsedChallenges is how many challenges of an account are answered in their lifetime at most.
	maxUsedChallenges = 64
	nonceLength       = 32

	passkeyCreation = "passkey-creation"
	passkeyLogin    = "passkey-login"
)

// passkeyChallenge is sealed between the two steps with a passkey.
type passkeyChallenge struct {
	Account string `json:"a,omitempty"` // that adds a passkey; "" of a login
	Version int64  `json:"v,omitempty"` // of the account
	Nonce   []byte `json:"n"`
	Expires int64  `json:"e"` // seconds since 1970
}

// newNonce is what a device signs.
func newNonce() []byte {
	nonce := make([]byte, nonceLength)
	_, _ = rand.Read(nonce) // never fails
	return nonce
}

// sealPasskey seals a new challenge under a label, for as long as one lives.
func (a *Service) sealPasskey(label string, c passkeyChallenge) (string, passkeyChallenge, error) {
	c.Nonce, c.Expires = newNonce(), a.Now().Add(challengeLifetime).Unix()
	plain, err := json.Marshal(c)
	if err != nil {
		return "", c, err
	}
	sealed, err := a.Vault.Seal(label, plain)
	return sealed, c, err
}

// openPasskey reads a challenge of a label; ok is false for one that is not, or that has expired.
func (a *Service) openPasskey(label, sealed string) (c passkeyChallenge, ok bool) {
	if len(sealed) > maxChallenge {
		return c, false
	}
	plain, err := a.Vault.Open(label, sealed)
	if err == nil {
		err = json.Unmarshal(plain, &c)
	}
	return c, err == nil && len(c.Nonce) == nonceLength && a.Now().Before(time.Unix(c.Expires, 0))
}

// answered is f after a challenge was answered, and whether it was for the first time.
func answered(f ports.SecondFactors, nonce []byte, expires, now time.Time) (ports.SecondFactors, bool) {
	hash := sha256.Sum256(nonce)
	used := ports.UsedChallenge{Hash: hex.EncodeToString(hash[:]), Expires: expires.UTC()}
	all := slices.DeleteFunc(slices.Clone(f.UsedChallenges), func(c ports.UsedChallenge) bool { return !now.Before(c.Expires) })
	if slices.ContainsFunc(all, func(c ports.UsedChallenge) bool { return c.Hash == used.Hash }) || len(all) >= maxUsedChallenges {
		return f, false
	}
	all = append(all, used)
	f.UsedChallenges = all
	return f, true
}

// withoutIdleFactors is the account after a factor was removed: recovery codes go with the last one. What was answered stays.
func withoutIdleFactors(account ports.Account) ports.Account {
	if !account.SecondFactors.Active() {
		account.SecondFactors = ports.SecondFactors{UsedChallenges: account.SecondFactors.UsedChallenges}
	}
	return account
}

// BeginPasskey is what a browser takes to make a passkey for the person, JSON, and the challenge to send with what it answers.
// Errors: ErrPasskeysOff, ErrTooManyPasskeys, and those of ownAccount.
func (a *Service) BeginPasskey(ctx context.Context, in SelfCare) (options []byte, challenge string, err error) {
	if a.Passkeys == nil {
		return nil, "", ErrPasskeysOff
	}
	_, account, err := a.ownAccount(ctx, in, true)
	if err != nil {
		return nil, "", err
	}
	existing := account.SecondFactors.Passkeys
	if len(existing) >= maxPasskeys {
		return nil, "", ErrTooManyPasskeys
	}
	challenge, c, err := a.sealPasskey(passkeyCreation, passkeyChallenge{Account: account.ID, Version: account.TokenVersion})
	if err != nil {
		return nil, "", err
	}
	options, err = a.Passkeys.Creation(c.Nonce, ports.PasskeyOwner{Account: account.ID, Name: account.Email}, existing)
	return options, challenge, err
}

// NewPasskey is what a browser answered to BeginPasskey.
type NewPasskey struct {
	SelfCare

	Challenge string
	Answer    []byte // JSON
	Name      string // 1 to MaxPasskeyName characters
}

// AddPasskey makes a passkey a second factor, and a login of its own. With the first factor all other sessions end, and the one
// of the call goes on with the token of the answer; codes are recovery codes then. Errors: ErrPasskeysOff, ErrPasskeyChallenge,
// ErrPasskeyMalformed, ErrPasskeyRefused, ErrPasskeyTaken, ErrTooManyPasskeys, and those of ownAccount.
func (a *Service) AddPasskey(ctx context.Context, in NewPasskey) (session Session, made ports.Passkey, codes []string, err error) {
	if a.Passkeys == nil {
		return session, made, nil, ErrPasskeysOff
	}
	claims, account, err := a.ownAccount(ctx, in.SelfCare, false)
	if err != nil {
		return session, made, nil, err
	}
	c, ok := a.openPasskey(passkeyCreation, in.Challenge)
	if !ok || c.Account != account.ID {
		return session, made, nil, ErrPasskeyChallenge
	}
	if made, err = a.Passkeys.Created(c.Nonce, ports.PasskeyOwner{Account: account.ID, Name: account.Email}, in.Answer); err != nil {
		return session, made, nil, asPasskeyFault(err, ErrPasskeyRefused)
	}
	made.ID, made.Name, made.Created = a.NewID(), strings.TrimSpace(in.Name), a.Now().UTC()
	made.LastUsed = made.Created
	fresh, hashes := newRecoveryCodes()
	err = a.changeAccount(ctx, account.ID, func(_ context.Context, _ ports.Tx, now ports.Account) (ports.Account, error) {
		if account, err = a.withPasskey(now, claims, c, made); err != nil {
			return account, err
		}
		if codes = nil; !now.SecondFactors.Active() {
			codes, account.SecondFactors.RecoveryCodes = fresh, hashes
		}
		return account, nil
	})
	if errors.Is(err, ports.ErrDuplicate) {
		err = ErrPasskeyTaken
	}
	if err != nil {
		return session, made, nil, err
	}
	session, err = a.continueSession(ctx, in.SelfCare, claims, account)
	return session, made, codes, err
}

// withPasskey is the account, as it is under its lock, after the login of claims answered c with a new passkey.
func (a *Service) withPasskey(account ports.Account, claims ports.TokenClaims, c passkeyChallenge, made ports.Passkey) (ports.Account, error) {
	if err := a.checkStillOwn(account, claims); err != nil {
		return account, err
	}
	f, first := answered(account.SecondFactors, c.Nonce, time.Unix(c.Expires, 0), a.Now())
	switch {
	case !first || account.TokenVersion != c.Version:
		return account, ErrPasskeyChallenge
	case len(f.Passkeys) >= maxPasskeys:
		return account, ErrTooManyPasskeys
	case slices.ContainsFunc(f.Passkeys, func(k ports.Passkey) bool { return string(k.Credential) == string(made.Credential) }):
		return account, ErrPasskeyTaken
	}
	f.Passkeys = append(slices.Clone(f.Passkeys), made)
	account.SecondFactors = f
	return account, nil
}

// asPasskeyFault is the refusal of what a browser sent; refused is that of what is well formed.
func asPasskeyFault(err error, refused *fault.Error) error {
	switch {
	case errors.Is(err, ports.ErrPasskeyMalformed):
		return ErrPasskeyMalformed.WithCause(err)
	case errors.Is(err, ports.ErrPasskeyRefused):
		return refused.WithCause(err)
	}
	return err
}

// OwnPasskeys are the passkeys of the login of a token, the oldest first. Errors: those of ownAccount.
func (a *Service) OwnPasskeys(ctx context.Context, in SelfCare) ([]ports.Passkey, error) {
	_, account, err := a.ownAccount(ctx, in, false)
	return account.SecondFactors.Passkeys, err
}

// RenamePasskey gives a passkey another name. Errors: fault.ErrNotFound, and those of ownAccount.
func (a *Service) RenamePasskey(ctx context.Context, in SelfCare, id, name string) (renamed ports.Passkey, err error) {
	err = a.changePasskey(ctx, in, id, false, func(account ports.Account, i int) ports.Account {
		k := &account.SecondFactors.Passkeys[i]
		k.Name = strings.TrimSpace(name)
		renamed = *k
		return account
	})
	return renamed, err
}

// RemovePasskey removes a passkey; recovery codes go with the last second factor. Errors: fault.ErrNotFound, and those of
// ownAccount.
func (a *Service) RemovePasskey(ctx context.Context, in SelfCare, id string) error {
	return a.changePasskey(ctx, in, id, true, func(account ports.Account, i int) ports.Account {
		account.SecondFactors.Passkeys = slices.Delete(account.SecondFactors.Passkeys, i, i+1)
		return withoutIdleFactors(account)
	})
}

// changePasskey changes an account that has the passkey at index i of a copy of its list.
func (a *Service) changePasskey(
	ctx context.Context, in SelfCare, id string, proven bool, change func(_ ports.Account, i int) ports.Account,
) error {
	claims, account, err := a.ownAccount(ctx, in, proven)
	if err != nil {
		return err
	}
	return a.changeAccount(ctx, account.ID, func(_ context.Context, _ ports.Tx, account ports.Account) (ports.Account, error) {
		if err := a.checkStillOwn(account, claims); err != nil {
			return account, err
		}
		i := slices.IndexFunc(account.SecondFactors.Passkeys, func(k ports.Passkey) bool { return k.ID == id })
		if i < 0 {
			return account, fault.ErrNotFound
		}
		account.SecondFactors.Passkeys = slices.Clone(account.SecondFactors.Passkeys)
		return change(account, i), nil
	})
}
