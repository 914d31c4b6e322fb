package token

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/ports"
)

// Vault is ports.Vault: AES-256-GCM with the label as additional data, and HMAC-SHA256.
type Vault struct{ secrets *Secrets }

var _ ports.Vault = Vault{}

// NewVault seals with the newest of secrets.
func NewVault(secrets *Secrets) Vault { return Vault{secrets} }

var errNotSealed = errors.New("not a sealed value of this server")

// Seal encrypts plain with the newest secret: "v1:" and base64 of nonce and ciphertext.
func (v Vault) Seal(label string, plain []byte) (string, error) {
	aead, version, err := v.aead(0)
	if err != nil {
		return "", err
	}
	nonce := make([]byte, aead.NonceSize())
	if _, err := rand.Read(nonce); err != nil {
		return "", err
	}
	sealed := aead.Seal(nonce, nonce, plain, []byte(label))
	return "v" + strconv.Itoa(version) + ":" + base64.RawStdEncoding.EncodeToString(sealed), nil
}

// Open decrypts a value that was sealed with the same label. It errors on anything else.
func (v Vault) Open(label, sealed string) ([]byte, error) {
	version, _ := v.Version(sealed)
	if version == 0 {
		return nil, errNotSealed
	}
	_, body, _ := strings.Cut(sealed, ":")
	aead, _, err := v.aead(version)
	if err != nil {
		return nil, err
	}
	raw, err := base64.RawStdEncoding.DecodeString(body)
	if err != nil || len(raw) < aead.NonceSize() {
		return nil, errNotSealed
	}
	plain, err := aead.Open(nil, raw[:aead.NonceSize()], raw[aead.NonceSize():], []byte(label))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNotSealed, err)
	}
	return plain, nil
}

// Version is the version of the secret that sealed a value, without opening it.
func (v Vault) Version(sealed string) (version int, newest bool) {
	head, _, ok := strings.Cut(strings.TrimPrefix(sealed, "v"), ":")
	version, err := strconv.Atoi(head)
	if !ok || err != nil || version < 1 {
		return 0, false
	}
	return version, version == v.secrets.newest
}

func (v Vault) aead(version int) (cipher.AEAD, int, error) {
	key, used, err := v.secrets.key(version, "seal")
	if err != nil {
		return nil, 0, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, 0, err
	}
	aead, err := cipher.NewGCM(block)
	return aead, used, err
}

// Derive is HMAC-SHA256 over the length-prefixed parts, so that different lists of parts never collide.
func (v Vault) Derive(version int, parts ...string) (sum [32]byte, used int, err error) {
	key, used, err := v.secrets.key(version, "derive")
	if err != nil {
		return sum, 0, err
	}
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		mac.Write(n[:])
		mac.Write([]byte(part))
	}
	return [32]byte(mac.Sum(nil)), used, nil
}
