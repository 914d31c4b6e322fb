package token_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

var (
	now   = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	first = bytes.Repeat([]byte{1}, 32)
)

func secrets(t *testing.T, versions map[int][]byte) *token.Secrets {
	t.Helper()
	s, err := token.NewSecrets(versions)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTokens(t *testing.T) {
	old := token.NewSigner(secrets(t, map[int][]byte{1: first}))
	rotated := token.NewSigner(secrets(t, map[int][]byte{1: first, 2: bytes.Repeat([]byte{2}, 32)}))
	stranger := token.NewSigner(secrets(t, map[int][]byte{1: bytes.Repeat([]byte{9}, 32)}))
	claims := ports.TokenClaims{ID: "j1", Kind: tenant.User, Subject: "u1", Tenant: "t1", Version: 3, IssuedAt: now, ExpiresAt: now.Add(time.Hour)}
	text, err := old.Issue(claims)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := rotated.Read(text, now.Add(59*time.Minute)); err != nil || got != claims {
		t.Errorf("a token outlives the rotation of the secret: %+v, %v", got, err)
	}
	head, rest, _ := strings.Cut(text, ".")
	body, _, _ := strings.Cut(rest, ".")
	forged, _ := stranger.Issue(claims)
	for name, c := range map[string]struct {
		text string
		at   time.Time
		want error
	}{
		"expired":              {text, now.Add(time.Hour), fault.ErrTokenExpired},
		"another signature":    {forged, now, fault.ErrUnauthenticated},
		"expired and tampered": {head + "." + body + ".AAAA", now.Add(time.Hour), fault.ErrUnauthenticated},
		"unsigned":             {"eyJhbGciOiJub25lIn0." + body + ".", now, fault.ErrUnauthenticated},
		"nonsense":             {"x", now, fault.ErrUnauthenticated},
		"empty":                {"", now, fault.ErrUnauthenticated},
	} {
		if _, err := old.Read(c.text, c.at); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestVaultOpensOnlyWhatItSealed(t *testing.T) {
	v1 := token.NewVault(secrets(t, map[int][]byte{1: first}))
	v2 := token.NewVault(secrets(t, map[int][]byte{1: first, 2: bytes.Repeat([]byte{2}, 32)}))
	sealed, err := v1.Seal("connection/1", []byte("key"))
	if err != nil || strings.Contains(sealed, "key") {
		t.Fatal(sealed, err)
	}
	if plain, err := v2.Open("connection/1", sealed); err != nil || string(plain) != "key" {
		t.Errorf("an older version stays readable: %q, %v", plain, err)
	}
	for name, c := range map[string][2]string{
		"another label": {"connection/2", sealed}, "a changed byte": {"connection/1", sealed[:len(sealed)-2] + "xy"},
		"no version": {"connection/1", sealed[3:]}, "an unknown version": {"connection/1", "v7" + sealed[2:]}, "nothing": {"", ""},
	} {
		if plain, err := v1.Open(c[0], c[1]); err == nil {
			t.Errorf("%s opened: %q", name, plain)
		}
	}
}

func TestDerivedBytesDependOnEveryPartAndVersion(t *testing.T) {
	v := token.NewVault(secrets(t, map[int][]byte{1: first, 2: bytes.Repeat([]byte{2}, 32)}))
	seen := map[[32]byte]string{}
	for name, c := range map[string]struct {
		version int
		parts   []string
	}{"two parts": {2, []string{"ab", "c"}}, "cut elsewhere": {2, []string{"a", "bc"}}, "one part": {2, []string{"abc"}}, "older secret": {1, []string{"ab", "c"}}} {
		sum, used, err := v.Derive(c.version, c.parts...)
		if err != nil || used != c.version {
			t.Fatal(name, used, err)
		}
		if other, twice := seen[sum]; twice {
			t.Errorf("%s equals %s", name, other)
		}
		seen[sum] = name
	}
	newest, used, _ := v.Derive(0, "ab", "c")
	again, _, _ := v.Derive(2, "ab", "c")
	if newest != again || used != 2 {
		t.Error("version 0 is not the newest")
	}
}

func TestPasswords(t *testing.T) {
	p := token.NewPasswords(token.Advised)
	hash, err := p.Hash(t.Context(), "correct horse")
	if err != nil || !strings.HasPrefix(hash, "$argon2id$") {
		t.Fatal(hash, err)
	}
	for plain, want := range map[string]bool{"correct horse": true, "wrong": false} {
		if ok, err := p.Matches(t.Context(), plain, hash); ok != want || err != nil {
			t.Error(plain, ok, err)
		}
	}
	if ok, err := p.Matches(t.Context(), "nobody", ""); ok || err != nil {
		t.Error("no account must match", err)
	}
}

// A burst waits in a line that ends: who finds it full, or whose time runs out in it, is told to come back.
func TestTooManyPasswordsAtOnce(t *testing.T) {
	p := token.NewPasswords(token.Advised)
	ctx, cancel := context.WithCancel(t.Context())
	var refused, done atomic.Int64
	var wg sync.WaitGroup
	for range 300 {
		wg.Go(func() {
			switch _, err := p.Matches(ctx, "x", ""); {
			case errors.Is(err, fault.ErrUnavailable):
				if refused.Add(1) >= 150 {
					cancel()
				}
			case err == nil:
				done.Add(1)
			case !errors.Is(err, context.Canceled):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	cancel()
	if refused.Load() < 150 || done.Load() == 0 {
		t.Errorf("%d were refused, %d done", refused.Load(), done.Load())
	}
}

func TestAttempts(t *testing.T) { portstest.Attempts(t, token.NewAttempts(15*time.Minute)) }

func TestShortSecretsAreRefused(t *testing.T) {
	for name, v := range map[string]map[int][]byte{"none": nil, "short": {1: []byte("short")}, "version 0": {0: first}} {
		if _, err := token.NewSecrets(v); err == nil {
			t.Error(name)
		}
	}
}
