package access

import (
	"crypto/rand"
	"math/big"
	"strings"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// keyLength is how many base62 characters follow the prefix of a key: 256 bits.
const keyLength = 43

// MintKey makes the text of a new API key, to be shown once. Contract 2.
func MintKey(kind string, env tenant.Environment) string {
	return keyPrefix(collection.Record{"kind": kind, "environment": string(env)}) + RandomText(keyLength)
}

// KeyRecord is what is kept of a key: its hash and last four characters. The envelope is left to the caller.
func KeyRecord(name, kind string, env tenant.Environment, text string) collection.Record {
	r := collection.Record{
		"name": name, "kind": kind, "environment": string(env), "hash": once.HashText(text), "last4": text[len(text)-4:],
	}
	if kind == identity.SecretKey {
		r["scopes"] = []string{identity.ScopeRead, identity.ScopeWrite}
	}
	return r
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// RandomText is n base62 characters from a secure source.
func RandomText(n int) string {
	var b strings.Builder
	for range n {
		i, err := rand.Int(rand.Reader, big.NewInt(int64(len(base62))))
		if err != nil {
			panic(err) // the reader of crypto/rand never fails
		}
		b.WriteByte(base62[i.Int64()])
	}
	return b.String()
}
