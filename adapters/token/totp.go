package token

import (
	"bytes"
	"crypto/subtle"
	"errors"
	"image/png"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/qr"
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
func (TOTP) New(issuer, person string) (made ports.NewTOTP, err error) {
	issuer = shortened(strings.ReplaceAll(issuer, ":", " ")) // a colon separates the names in the URL
	key, err := totp.Generate(totp.GenerateOpts{Issuer: issuer, AccountName: person, Period: totpPeriod, SecretSize: 20})
	if err != nil {
		return made, err
	}
	picture, err := qrCode(key.URL())
	return ports.NewTOTP{Secret: key.Secret(), URL: key.URL(), Picture: picture}, err
}

// maxIssuer is how many bytes of the issuer are told. The URL has it twice, in three characters for each byte, beside an address of 254
// bytes; a QR code has room for 2,953 characters, and is hard to read long before.
const maxIssuer = 96

// shortened is a name of at most maxIssuer bytes, of whole characters.
func shortened(name string) string {
	if len(name) <= maxIssuer {
		return name
	}
	end := maxIssuer - len("…")
	for end > 0 && !utf8.RuneStart(name[end]) {
		end--
	}
	return strings.TrimSpace(name[:end]) + "…"
}

// errTooLong is without the text, which has a secret in it: errors are logged.
var errTooLong = errors.New("the text is too long for a QR code")

// The edges of a QR code in pixels: of one of its squares, and of the light border around it, which readers need.
const (
	qrSquare = 6
	qrBorder = 4 * qrSquare
)

// qrCode is a text as a QR code, PNG. It is read from a screen, which needs no more than the lowest correction.
func qrCode(text string) ([]byte, error) {
	code, err := qr.Encode(text, qr.L, qr.Auto)
	if err != nil {
		return nil, errTooLong
	}
	edge := code.Bounds().Dx()*qrSquare + 2*qrBorder
	picture, err := barcode.Scale(code, edge, edge)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = png.Encode(&b, picture)
	return b.Bytes(), err
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
