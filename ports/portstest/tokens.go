package portstest

import (
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// TokensFixture is one adapter with three sets of secrets.
type TokensFixture struct {
	Tokens  ports.Tokens // signs with some secret
	Rotated ports.Tokens // signs with a newer one and still knows that of Tokens
	Foreign ports.Tokens // shares no secret with the others
}

// Tokens checks ports.Tokens.
func Tokens(t *testing.T, f TokensFixture) {
	t.Run("claims are read as they were issued", f.testClaims)
	t.Run("a token ends at its expiry", f.testExpiry)
	t.Run("a token outlives the rotation of the secret", func(t *testing.T) {
		want := userClaims()
		if got, err := f.Rotated.Read(issueToken(t, f.Tokens, want), noon); err != nil || got != want {
			t.Errorf("got %+v, %v", got, err)
		}
		_, err := f.Tokens.Read(issueToken(t, f.Rotated, want), noon)
		expect(t, err, fault.ErrUnauthenticated)
	})
	t.Run("a token signed with another secret is refused", func(t *testing.T) {
		_, err := f.Tokens.Read(issueToken(t, f.Foreign, userClaims()), noon)
		expect(t, err, fault.ErrUnauthenticated)
	})
	t.Run("a changed token is refused as not ours, even when it has expired", f.testChanged)
	t.Run("text that is no token is refused", func(t *testing.T) {
		for _, text := range []string{"", ".", "..", "x", "a.b.c", "\x00\xff", " ", strings.Repeat("A", 1<<16), strings.Repeat(".", 1000)} {
			_, err := f.Tokens.Read(text, noon)
			expect(t, err, fault.ErrUnauthenticated)
		}
	})
}

// userClaims are the claims of a token of one hour.
func userClaims() ports.TokenClaims {
	return ports.TokenClaims{
		ID: "j1", Login: "l1", Kind: tenant.User, Subject: "u1", Tenant: ours, Version: 3, HomeOnly: true, IssuedAt: noon,
		ExpiresAt: noon.Add(time.Hour),
	}
}

func issueToken(t *testing.T, by ports.Tokens, c ports.TokenClaims) string {
	t.Helper()
	text, err := by.Issue(c)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (f TokensFixture) testClaims(t *testing.T) {
	for _, kind := range []tenant.Kind{tenant.User, tenant.Customer, tenant.SecretKey} {
		for _, version := range []int64{0, 1, 1 << 53} {
			want := userClaims()
			want.Kind, want.Version, want.Subject = kind, version, `제주 "1" <&>`
			if got, err := f.Tokens.Read(issueToken(t, f.Tokens, want), noon); err != nil || got != want {
				t.Errorf("got %+v, %v, want %+v", got, err, want)
			}
		}
	}
}

func (f TokensFixture) testExpiry(t *testing.T) {
	c := userClaims()
	text := issueToken(t, f.Tokens, c)
	for at, want := range map[time.Time]error{
		c.ExpiresAt.Add(-time.Second): nil, c.ExpiresAt: fault.ErrTokenExpired, c.ExpiresAt.AddDate(1, 0, 0): fault.ErrTokenExpired,
	} {
		_, err := f.Tokens.Read(text, at)
		expect(t, err, want)
	}
}

// testChanged replaces each character but the last, whose lowest bits base64 may not use.
func (f TokensFixture) testChanged(t *testing.T) {
	c := userClaims()
	text := issueToken(t, f.Tokens, c)
	for i := range len(text) - 1 {
		for _, at := range []time.Time{noon, c.ExpiresAt} {
			_, err := f.Tokens.Read(withChangedByte(text, i), at)
			expect(t, err, fault.ErrUnauthenticated)
		}
	}
	for _, cut := range []int{1, len(text) / 2, len(text) - 2} {
		_, err := f.Tokens.Read(text[:cut], noon)
		expect(t, err, fault.ErrUnauthenticated)
	}
}

// withChangedByte is text with another letter at place i.
func withChangedByte(text string, i int) string {
	letter := "A"
	if text[i] == 'A' {
		letter = "B"
	}
	return text[:i] + letter + text[i+1:]
}
