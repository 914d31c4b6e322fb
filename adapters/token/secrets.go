// Package token issues and verifies what proves identity: signed tokens, password hashes, sealed secrets,
// derived capabilities. All keys derive from one versioned server secret; old versions remain valid for
// reading.
package token

import (
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
)

// Secrets is the versioned server secret.
type Secrets struct {
	versions map[int][]byte
	newest   int
}

// NewSecrets takes the secrets by version, from 1; the highest is used for new values. It errors when there
// is none or one is shorter than 32 bytes.
func NewSecrets(versions map[int][]byte) (*Secrets, error) {
	s := &Secrets{versions: map[int][]byte{}}
	for v, secret := range versions {
		if v < 1 || len(secret) < 32 {
			return nil, fmt.Errorf("server secret version %d: versions start at 1 and secrets have at least 32 bytes", v)
		}
		s.versions[v] = append([]byte(nil), secret...)
		s.newest = max(s.newest, v)
	}
	if s.newest == 0 {
		return nil, errors.New("no server secret is configured")
	}
	return s, nil
}

var errUnknownVersion = errors.New("this version of the server secret is not configured")

// key is the 256-bit key for one purpose; version 0 is the newest.
func (s *Secrets) key(version int, purpose string) (key []byte, used int, err error) {
	if version == 0 {
		version = s.newest
	}
	secret, ok := s.versions[version]
	if !ok {
		return nil, 0, fmt.Errorf("version %d: %w", version, errUnknownVersion)
	}
	key, err = hkdf.Key(sha256.New, secret, nil, "cartwright "+purpose, 32)
	return key, version, err
}
