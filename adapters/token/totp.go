package token

import (
	"crypto/subtle"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"github.com/cartwright-dev/cartwright/ports"
)

// totpPeriod is how long a code is shown, in seconds; totpSkew is by how many periods the clock of a phone may differ.
const (
	totpPeriod = 30
	totpSkew   = 1
)

// TOTP is ports.OneTimeCodes: HMAC-SHA1, six digits, as all authenticator apps know it.
type TOTP struct{}

var _ ports.OneTimeCodes = TOTP{}

// New makes a secret of 160 bits.
func (TOTP) New(issuer, person string) (secret, url string, err error) {
	issuer = strings.ReplaceAll(issuer, ":", " ") // which separates the names in the URL
	key, err := totp.Generate(totp.GenerateOpts{Issuer: issuer, AccountName: person, Period: totpPeriod, SecretSize: 20})
	if err != nil {
		return "", "", err
	}
	return key.Secret(), key.URL(), nil
}

// Step compares in constant time with the codes of each step.
func (TOTP) Step(secret, code string, now time.Time) (step int64, ok bool) {
	for skew := int64(-totpSkew); skew <= totpSkew; skew++ {
		at := now.Add(time.Duration(skew*totpPeriod) * time.Second)
		want, err := totp.GenerateCodeCustom(secret, at, totp.ValidateOpts{
			Period: totpPeriod, Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1,
		})
		if err == nil && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			step, ok = at.Unix()/totpPeriod, true
		}
	}
	return step, ok
}
