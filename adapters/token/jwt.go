package token

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// issuer is the issuer and the audience of our tokens.
const issuer = "cartwright"

// Signer is ports.Tokens: JWT, HS256, the version of the secret in the header "kid".
type Signer struct{ secrets *Secrets }

var _ ports.Tokens = Signer{}

// NewSigner signs with the newest of secrets.
func NewSigner(secrets *Secrets) Signer { return Signer{secrets} }

// claims is the JWT form of ports.TokenClaims.
type claims struct {
	jwt.RegisteredClaims

	Kind    tenant.Kind `json:"kind"`
	Tenant  tenant.ID   `json:"tenant"`
	Version int64       `json:"ver"`

	Login    string `json:"login,omitempty"`
	HomeOnly bool   `json:"home,omitempty"`
	Second   bool   `json:"2fa,omitempty"`
	Began    int64  `json:"beg,omitempty"` // milliseconds since 1970
}

// Issue signs c with the newest secret; times are truncated to seconds.
func (s Signer) Issue(c ports.TokenClaims) (string, error) {
	key, version, err := s.secrets.key(0, "jwt")
	if err != nil {
		return "", err
	}
	var began int64
	if !c.Began.IsZero() {
		began = c.Began.UnixMilli()
	}
	t := jwt.NewWithClaims(jwt.SigningMethodHS256, claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: issuer, Audience: jwt.ClaimStrings{issuer}, Subject: c.Subject, ID: c.ID,
			IssuedAt: jwt.NewNumericDate(c.IssuedAt), ExpiresAt: jwt.NewNumericDate(c.ExpiresAt),
		},
		Kind: c.Kind, Tenant: c.Tenant, Version: c.Version, Login: c.Login, HomeOnly: c.HomeOnly, Began: began, Second: c.SecondFactor,
	})
	t.Header["kid"] = strconv.Itoa(version)
	return t.SignedString(key)
}

// maxToken is more bytes than a token of ours has.
const maxToken = 1 << 10

// Read checks signature, issuer, audience and expiry at now. Only a token with a valid signature is reported
// as expired.
func (s Signer) Read(text string, now time.Time) (ports.TokenClaims, error) {
	if len(text) > maxToken {
		return ports.TokenClaims{}, fault.ErrUnauthenticated
	}
	var c claims
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"HS256"}), jwt.WithExpirationRequired(), jwt.WithIssuer(issuer),
		jwt.WithAudience(issuer), jwt.WithTimeFunc(func() time.Time { return now }))
	_, err := parser.ParseWithClaims(text, &c, func(t *jwt.Token) (any, error) {
		kid, _ := t.Header["kid"].(string)
		version, err := strconv.Atoi(kid)
		if err != nil || version < 1 {
			return nil, fmt.Errorf("kid %q: %w", kid, errUnknownVersion)
		}
		key, _, err := s.secrets.key(version, "jwt")
		return key, err
	})
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return ports.TokenClaims{}, fault.ErrTokenExpired.WithCause(err)
	case err != nil || c.ID == "" || c.Subject == "":
		return ports.TokenClaims{}, fault.ErrUnauthenticated.WithCause(err)
	}
	var began time.Time
	if c.Began != 0 {
		began = time.UnixMilli(c.Began).UTC()
	}
	return ports.TokenClaims{
		ID: c.ID, Login: c.Login, Kind: c.Kind, Subject: c.Subject, Tenant: c.Tenant, Version: c.Version, HomeOnly: c.HomeOnly,
		Began: began, SecondFactor: c.Second, IssuedAt: c.IssuedAt.UTC(), ExpiresAt: c.ExpiresAt.UTC(),
	}, nil
}
