package ports

import "time"

// SecondFactors are what a person proves besides the password of an account. They belong to the person, whichever tenant
// they act in. Decision 55.
type SecondFactors struct {
	TOTP        *TOTP `json:",omitempty"` // nil: none
	PendingTOTP *TOTP `json:",omitempty"` // enrolled, and not confirmed by a code yet: no factor
	// RecoveryCodes are the SHA-256, in hexadecimal, of the codes that were not used yet.
	RecoveryCodes []string `json:",omitempty"`
}

// Active reports whether a login needs a second factor.
func (f SecondFactors) Active() bool { return f.TOTP != nil }

// TOTP is a secret shared with an authenticator app (RFC 6238).
type TOTP struct {
	Secret   string // sealed by Vault
	LastStep int64  // time step of the last code that was accepted: no code of it or before is accepted again
}

// OneTimeCodes makes and checks the codes of authenticator apps: six digits that change every 30 seconds.
type OneTimeCodes interface {
	// New makes a secret, and the otpauth URL by which apps read it with the names of the server and the person.
	New(issuer, person string) (secret, url string, err error)
	// Step returns the time step that a code belongs to, of those at now, just before and just after it; ok is false if it
	// is the code of none of them.
	Step(secret, code string, now time.Time) (step int64, ok bool)
}
