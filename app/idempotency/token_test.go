package idempotency_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/ports"
)

// vault derives with a secret per version; newest is version 2.
type vault struct{ ports.Vault }

func (vault) Derive(version int, parts ...string) (sum [32]byte, used int, err error) {
	if version == 0 {
		version = 2
	}
	h := hmac.New(sha256.New, []byte{byte(version)})
	h.Write([]byte(strings.Join(parts, "\x00")))
	return [32]byte(h.Sum(nil)), version, nil
}

func TestTokenMintedUnderKeyCanBeReminted(t *testing.T) {
	t.Parallel()
	c := idempotency.Call{Key: "ik_0123456789", Operation: "carts.create"}
	token, version, err := c.MintToken(vault{}, idempotency.CartTokenPrefix, "c1")
	if err != nil || version != 2 || !strings.HasPrefix(token, "ct_") || len(token) != 46 {
		t.Fatal(token, version, err)
	}
	again, err := c.RemintToken(vault{}, idempotency.CartTokenPrefix, ports.Receipt{Record: "c1", TokenVersion: 2})
	if err != nil || again != token {
		t.Error(again, err)
	}
	older, _ := c.RemintToken(vault{}, idempotency.CartTokenPrefix, ports.Receipt{Record: "c1", TokenVersion: 1})
	other, _, _ := c.MintToken(vault{}, idempotency.CartTokenPrefix, "c2")
	if older == token || other == token {
		t.Error("tokens of another secret or record are equal")
	}
}

func TestTokenWithoutKeyIsRandom(t *testing.T) {
	t.Parallel()
	a, version, _ := idempotency.Call{}.MintToken(vault{}, idempotency.CartTokenPrefix, "c1")
	b, _, _ := idempotency.Call{}.MintToken(vault{}, idempotency.CartTokenPrefix, "c1")
	if a == b || version != 0 || len(a) != 46 {
		t.Error(a, b, version)
	}
}
