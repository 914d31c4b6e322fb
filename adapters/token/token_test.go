package token_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

var (
	now = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	// first is version 1 of a server's secret, second its version 2, others version 1 of another server.
	first  = bytes.Repeat([]byte{1}, 32)
	second = bytes.Repeat([]byte{2}, 32)
	others = bytes.Repeat([]byte{9}, 32)
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
	signer := func(versions map[int][]byte) token.Signer { return token.NewSigner(secrets(t, versions)) }
	portstest.Tokens(t, portstest.TokensFixture{
		Tokens: signer(map[int][]byte{1: first}), Rotated: signer(map[int][]byte{1: first, 2: second}),
		Foreign: signer(map[int][]byte{1: others}),
	})
}

// A JWT names its algorithm in its header; a token with algorithm "none" is refused.
func TestUnsignedTokensAreRefused(t *testing.T) {
	s := token.NewSigner(secrets(t, map[int][]byte{1: first}))
	text, err := s.Issue(ports.TokenClaims{
		ID: "j1", Kind: tenant.User, Subject: "u1", Tenant: "t1", IssuedAt: now, ExpiresAt: now.Add(time.Hour),
	})
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(text, ".")
	body, _, _ := strings.Cut(rest, ".")
	if _, err := s.Read("eyJhbGciOiJub25lIn0."+body+".", now); !errors.Is(err, fault.ErrUnauthenticated) {
		t.Error(err)
	}
}

func TestVault(t *testing.T) {
	vault := func(versions map[int][]byte) token.Vault { return token.NewVault(secrets(t, versions)) }
	portstest.Vault(t, portstest.VaultFixture{
		Vault: vault(map[int][]byte{1: first}), Rotated: vault(map[int][]byte{1: first, 2: second}),
		Foreign: vault(map[int][]byte{1: others}),
	})
}

func TestOneTimeCodes(t *testing.T) { portstest.OneTimeCodes(t, token.TOTP{}) }

func TestPasswords(t *testing.T) { portstest.Passwords(t, token.NewPasswords(token.RecommendedCost)) }

func TestPasswordsAreHashedWithArgon2id(t *testing.T) {
	if hash, err := token.NewPasswords(token.MinimumCost).Hash(t.Context(), "x"); err != nil || !strings.HasPrefix(hash, "$argon2id$") {
		t.Error(hash, err)
	}
}

func TestAttempts(t *testing.T) { portstest.AttemptLimiter(t, token.NewAttemptLimiter(15*time.Minute)) }

// What the limiter remembers does not grow with the length of keys, and there is a bound to how many it remembers: the
// one that was tried longest ago makes room.
func TestAttemptsRememberHashesOfKeys(t *testing.T) { // not parallel: it measures the heap
	limiter, now := token.NewAttemptLimiter(time.Hour), time.Unix(1_800_000_000, 0)
	before := heapSize()
	for i := range 50 {
		limiter.Try(t.Context(), strings.Repeat(fmt.Sprint(i%10), 1<<20)+fmt.Sprint(i), 5, now)
	}
	if grown := heapSize() - before; grown > 1<<20 {
		t.Errorf("50 keys of 1 MiB take %d bytes", grown)
	}
	limiter = token.NewAttemptLimiter(time.Hour)
	for range 5 {
		limiter.Try(t.Context(), "first", 5, now)
		limiter.Try(t.Context(), "second", 5, now)
	}
	for i := range 99_998 {
		limiter.Try(t.Context(), fmt.Sprint(i), 5, now)
	}
	if limiter.Try(t.Context(), "first", 5, now) == 0 {
		t.Error("a key was forgotten below the bound")
	}
	limiter.Try(t.Context(), "one more", 5, now)
	if limiter.Try(t.Context(), "second", 5, now) != 0 || limiter.Try(t.Context(), "first", 5, now) == 0 {
		t.Error("the key that was tried longest ago did not make room")
	}
}

// heapSize is the size of the heap in bytes.
func heapSize() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestShortSecretsAreRefused(t *testing.T) {
	for name, v := range map[string]map[int][]byte{"none": nil, "short": {1: []byte("short")}, "version 0": {0: first}} {
		if _, err := token.NewSecrets(v); err == nil {
			t.Error(name)
		}
	}
}
