package access

import (
	"crypto/rand"
	"math/big"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// keyLength is the number of base62 characters after the prefix of a key: 256 bits.
const keyLength = 43

// GenerateKey returns the text of a new API key, which is shown once. Rule access-17.
func GenerateKey(kind string, env tenant.Environment) string {
	return keyPrefix(collection.Record{"kind": kind, "environment": string(env)}) + RandomString(keyLength)
}

// KeyRecord is what is stored of a key: its hash and last four characters. The caller adds the envelope.
func KeyRecord(name, kind string, env tenant.Environment, text string) collection.Record {
	r := collection.Record{
		"name": name, "kind": kind, "environment": string(env), "hash": idempotency.HashToken(text), "last4": text[len(text)-4:],
	}
	if kind == identity.SecretKey {
		r["scopes"] = []string{identity.ScopeRead, identity.ScopeWrite}
	}
	return r
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// RandomString returns n base62 characters from a secure source.
func RandomString(n int) string {
	var b strings.Builder
	for range n {
		i, err := rand.Int(rand.Reader, big.NewInt(int64(len(base62))))
		if err != nil {
			panic(err) // crypto/rand never fails
		}
		b.WriteByte(base62[i.Int64()])
	}
	return b.String()
}
