package idempotency

import (
	"crypto/rand"
	"math/big"

	"github.com/cartwright-dev/cartwright/ports"
)

// The prefixes of capability tokens. Rule idempotency-17.
const (
	CartTokenPrefix     = "ct_"
	CheckoutTokenPrefix = "co_"
)

// MintToken makes the capability token of a new record: derived under an idempotency key, so that a replay
// can say it again although nobody keeps it, else random. version is the secret's, 0 when random.
func (c Call) MintToken(v ports.Vault, prefix, record string) (token string, version int, err error) {
	if c.Key != "" {
		return c.derive(v, prefix, record, 0)
	}
	var sum [32]byte
	if _, err := rand.Read(sum[:]); err != nil {
		return "", 0, err
	}
	return prefix + Base62(sum), 0, nil
}

// RemintToken makes the token again that Mint derived for the record of receipt r.
func (c Call) RemintToken(v ports.Vault, prefix string, r ports.Receipt) (string, error) {
	token, _, err := c.derive(v, prefix, r.Record, r.TokenVersion)
	return token, err
}

func (c Call) derive(v ports.Vault, prefix, record string, version int) (string, int, error) {
	sum, used, err := v.Derive(version, string(c.Principal.Tenant.ID), c.Scope(), c.Operation, c.Key, record)
	return prefix + Base62(sum), used, err
}

const base62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// Base62 writes 256 bits as 43 characters.
func Base62(sum [32]byte) string {
	n := new(big.Int).SetBytes(sum[:])
	base, digit := big.NewInt(62), new(big.Int)
	var out [43]byte
	for i := len(out) - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		out[i] = base62Digits[digit.Int64()]
	}
	return string(out[:])
}
