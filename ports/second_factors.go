package ports

import (
	"errors"
	"time"
)

// SecondFactors are what a person proves besides the password of an account. They belong to the person, whichever tenant
// they act in. Decision 55.
type SecondFactors struct {
	TOTP        *TOTP `json:",omitempty"` // nil: none
	PendingTOTP *TOTP `json:",omitempty"` // enrolled, and not confirmed by a code yet: no factor
	// RecoveryCodes are the SHA-256, in hexadecimal, of the codes that were not used yet.
	RecoveryCodes []string  `json:",omitempty"`
	Passkeys      []Passkey `json:",omitempty"` // oldest first
	// UsedChallenges are those of passkeys that were answered and have not expired: none is answered twice.
	UsedChallenges []UsedChallenge `json:",omitempty"`
}

// Active reports whether a login needs a second factor.
func (f SecondFactors) Active() bool { return f.TOTP != nil || len(f.Passkeys) > 0 }

// TOTP is a secret shared with an authenticator app (RFC 6238).
type TOTP struct {
	Secret   string // sealed by Vault
	LastStep int64  // time step of the last code that was accepted: no code of it or before is accepted again
}

// NewTOTP is a secret on its way to an authenticator app.
type NewTOTP struct {
	Secret  string // base32
	URL     string // otpauth, with the secret and the names
	Picture []byte // the URL as a QR code: PNG, square, 256 pixels and more
}

// OneTimeCodes makes and checks the codes of authenticator apps: six digits that change every 30 seconds.
type OneTimeCodes interface {
	// New makes a secret to be read by an app with the names of the server, of which a long one is shortened, and the person.
	New(issuer, person string) (NewTOTP, error)
	// Step returns the time step that a code belongs to, of those at now, just before and just after it; ok is false if it
	// is the code of none of them.
	Step(secret, code string, now time.Time) (step int64, ok bool)
}

// Passkey is a key pair of a person's device (WebAuthn), of which we know the public key. Decision 70.
type Passkey struct {
	ID             string    // ours
	Name           string    // that the person gave it
	Credential     []byte    // the device's id of it: 1 to 1023 bytes, and of one account only
	PublicKey      []byte    // COSE
	SignCount      uint32    // of its last use; stays 0 with devices that do not count
	BackupEligible bool      // it may be on several devices; never changes
	Transports     []string  `json:",omitempty"` // how browsers reach the device: usb, internal and others
	Created        time.Time // UTC
	LastUsed       time.Time // UTC; when it was added, before its first use
}

// UsedChallenge is a challenge that was answered.
type UsedChallenge struct {
	Hash    string // SHA-256 in hexadecimal
	Expires time.Time
}

// PasskeyOwner is the person for whom a passkey is made.
type PasskeyOwner struct {
	Account string // its id, which the device keeps and tells at a login
	Name    string // shown by the device
}

// The refusals of Passkeys. Their causes are for logs, and have no secrets.
var (
	ErrPasskeyMalformed = errors.New("this is not what a browser sends of a passkey")
	ErrPasskeyRefused   = errors.New("the passkey does not answer this challenge for this server and person")
)

// Passkeys makes and checks what browsers exchange with passkeys, for the one origin that the server has. Devices must verify
// the person, by a fingerprint or a PIN. A challenge is 32 random bytes, used once: the caller sees to that, and to sign counts
// that go backwards.
type Passkeys interface {
	// Creation is what a browser takes to make a passkey other than those that exist: JSON.
	Creation(challenge []byte, owner PasskeyOwner, existing []Passkey) ([]byte, error)
	// Created is the passkey of the JSON that the browser answers, without ID, Name and times. Errors: ErrPasskeyMalformed,
	// ErrPasskeyRefused.
	Created(challenge []byte, owner PasskeyOwner, answer []byte) (Passkey, error)
	// Request is what a browser takes to use one of these passkeys, or with none any that the person chooses: JSON.
	Request(challenge []byte, of []Passkey) ([]byte, error)
	// Account is the id of the account that the JSON of a used passkey names, "" if it names none. Nothing of it is proven.
	// Errors: ErrPasskeyMalformed.
	Account(answer []byte) (string, error)
	// Used is which of the account's passkeys the JSON that the browser answers proves, with the sign count of this use. An
	// answer that names another account is refused. Errors: ErrPasskeyMalformed, ErrPasskeyRefused.
	Used(challenge []byte, account string, of []Passkey, answer []byte) (Passkey, error)
}
