package cartwright

import "crypto/rand"

// What a key consists of: base 62, after a prefix.
const (
	alphabet  = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	keyPrefix = "ik_"
	keyLength = 32
)

// The server takes idempotency keys of 16 to 255 visible characters.
const (
	minKey = 16
	maxKey = 255
)

// NewIdempotencyKey is a new random key for one logical operation: ik_ and 32 characters from a secure
// source, 190 bits. It is derived from nothing, as the server demands.
func NewIdempotencyKey() string {
	out := []byte(keyPrefix)
	random := make([]byte, 2*keyLength)
	for len(out) < len(keyPrefix)+keyLength {
		_, _ = rand.Read(random) // it never fails: without randomness the process ends
		for _, b := range random {
			// else the first letters came more often
			if limit := byte(len(alphabet) * 4); b < limit && len(out) < len(keyPrefix)+keyLength {
				out = append(out, alphabet[int(b)%len(alphabet)])
			}
		}
	}
	return string(out)
}

// isKey reports whether the server would take the key.
func isKey(key string) bool {
	if len(key) < minKey || len(key) > maxKey {
		return false
	}
	for _, b := range []byte(key) {
		if b < '!' || b > '~' {
			return false
		}
	}
	return true
}
