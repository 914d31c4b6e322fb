package portstest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/descope/virtualwebauthn"

	"github.com/cartwright-dev/cartwright/ports"
)

// PasskeyOrigin is that of the server in Passkeys.
const PasskeyOrigin = "https://shop.example:8443"

// passkeyParty is what a browser takes the server of PasskeyOrigin for.
var passkeyParty = virtualwebauthn.RelyingParty{ID: "shop.example", Name: "shop.example", Origin: PasskeyOrigin}

// Passkeys checks ports.Passkeys of a server at PasskeyOrigin.
func Passkeys(t *testing.T, passkeys ports.Passkeys) {
	for name, kind := range map[string]virtualwebauthn.KeyType{"elliptic curve": virtualwebauthn.KeyTypeEC2, "RSA": virtualwebauthn.KeyTypeRSA} {
		t.Run(name, func(t *testing.T) {
			d := newPasskeyDevice(t, passkeys, kind)
			d.createsOncePerServer()
			d.provesItself()
			d.provesNothingElse()
		})
	}
	t.Run("garbage", func(t *testing.T) { passkeyGarbage(t, passkeys) })
}

// NewPasskey is the key of a virtual device. virtualwebauthn writes coordinates without leading zeros, which is one in 128 keys that
// nobody may accept: those are left out.
func NewPasskey(kind virtualwebauthn.KeyType) virtualwebauthn.Credential {
	const whole = 77 // bytes of an elliptic key
	for {
		key := virtualwebauthn.NewCredential(kind)
		if kind != virtualwebauthn.KeyTypeEC2 || len(key.Key.AttestationData()) == whole {
			return key
		}
	}
}

// passkeyDevice is a device with a passkey of the account "ann".
type passkeyDevice struct {
	t         *testing.T
	passkeys  ports.Passkeys
	challenge []byte
	device    virtualwebauthn.Authenticator
	key       virtualwebauthn.Credential
	owner     ports.PasskeyOwner
	made      ports.Passkey
}

func newPasskeyDevice(t *testing.T, passkeys ports.Passkeys, kind virtualwebauthn.KeyType) *passkeyDevice {
	d := &passkeyDevice{
		t: t, passkeys: passkeys, challenge: []byte(strings.Repeat("c", 32)), key: NewPasskey(kind),
		owner: ports.PasskeyOwner{Account: "ann", Name: "ann@shop.example"},
	}
	d.device = virtualwebauthn.NewAuthenticatorWithOptions(virtualwebauthn.AuthenticatorOptions{UserHandle: []byte("ann"), BackupEligible: true})
	return d
}

// creation is what the device answers to a request to make a passkey.
func (d *passkeyDevice) creation(party virtualwebauthn.RelyingParty, device virtualwebauthn.Authenticator, challenge []byte) []byte {
	return []byte(virtualwebauthn.CreateAttestationResponse(party, device, d.key, virtualwebauthn.AttestationOptions{Challenge: challenge}))
}

// use is what the device answers to a request to prove itself.
func (d *passkeyDevice) use(party virtualwebauthn.RelyingParty, device virtualwebauthn.Authenticator, challenge []byte) []byte {
	return []byte(virtualwebauthn.CreateAssertionResponse(party, device, d.key, virtualwebauthn.AssertionOptions{Challenge: challenge}))
}

func (d *passkeyDevice) createsOncePerServer() {
	existing := []ports.Passkey{{Credential: []byte("other"), Transports: []string{"usb"}}}
	text, err := d.passkeys.Creation(d.challenge, d.owner, existing)
	if err != nil {
		d.t.Fatal(err)
	}
	options, err := virtualwebauthn.ParseAttestationOptions(string(text))
	if err != nil || options.RelyingPartyID != passkeyParty.ID || options.UserID != "ann" || options.UserName != d.owner.Name ||
		!slices.Equal(options.Challenge, d.challenge) || len(options.ExcludeCredentials) != 1 {
		d.t.Errorf("%s: %+v, %v", text, options, err)
	}
	var asked struct {
		Attestation string `json:"attestation"`
		Selection   struct {
			ResidentKey      string `json:"residentKey"`
			UserVerification string `json:"userVerification"`
		} `json:"authenticatorSelection"`
	}
	if err := json.Unmarshal(text, &asked); err != nil || asked.Attestation != "none" || asked.Selection.ResidentKey != "preferred" ||
		asked.Selection.UserVerification != "required" {
		d.t.Errorf("%s: %v", text, err)
	}
	d.key.Counter = 3
	if d.made, err = d.passkeys.Created(d.challenge, d.owner, d.creation(passkeyParty, d.device, d.challenge)); err != nil {
		d.t.Fatal(err)
	}
	if !slices.Equal(d.made.Credential, d.key.ID) || d.made.SignCount != 3 || !d.made.BackupEligible || len(d.made.PublicKey) == 0 {
		d.t.Errorf("made %+v", d.made)
	}
	for name, answer := range d.foreign(d.creation) {
		if _, err := d.passkeys.Created(d.challenge, d.owner, answer); !errors.Is(err, ports.ErrPasskeyRefused) {
			d.t.Errorf("a passkey made with %s: %v", name, err)
		}
	}
}

func (d *passkeyDevice) provesItself() {
	text, err := d.passkeys.Request(d.challenge, []ports.Passkey{d.made})
	if err != nil {
		d.t.Fatal(err)
	}
	options, err := virtualwebauthn.ParseAssertionOptions(string(text))
	if err != nil || options.RelyingPartyID != passkeyParty.ID || !slices.Equal(options.Challenge, d.challenge) ||
		!d.key.IsAllowedForAssertion(*options) {
		d.t.Errorf("%s: %v", text, err)
	}
	if text, err = d.passkeys.Request(d.challenge, nil); err != nil || strings.Contains(string(text), "allowCredentials") {
		d.t.Errorf("of any account: %s, %v", text, err)
	}
	others := []ports.Passkey{{ID: "p1", Credential: []byte("other"), PublicKey: d.made.PublicKey}, d.made}
	for _, count := range []uint32{4, 4, 2, 0} { // the caller compares
		d.key.Counter = count
		answer := d.use(passkeyParty, d.device, d.challenge)
		want := d.made
		want.SignCount = count
		if got, err := d.passkeys.Used(d.challenge, "ann", others, answer); err != nil || !reflect.DeepEqual(got, want) {
			d.t.Errorf("used %+v, %v", got, err)
		}
		if owner, err := d.passkeys.Account(answer); err != nil || owner != "ann" {
			d.t.Errorf("of %q, %v", owner, err)
		}
	}
}

func (d *passkeyDevice) provesNothingElse() {
	d.key.Counter = 9
	for name, answer := range d.foreign(d.use) {
		if _, err := d.passkeys.Used(d.challenge, "ann", []ports.Passkey{d.made}, answer); !errors.Is(err, ports.ErrPasskeyRefused) {
			d.t.Errorf("a passkey used with %s: %v", name, err)
		}
	}
	good := d.use(passkeyParty, d.device, d.challenge)
	stranger := d.made
	stranger.Credential = []byte("other")
	forged := d.made
	forged.PublicKey = newPasskeyDevice(d.t, d.passkeys, virtualwebauthn.KeyTypeEC2).key.Key.AttestationData()
	single := d.made
	single.BackupEligible = false
	for name, of := range map[string][]ports.Passkey{"none": nil, "another": {stranger}, "another key": {forged}, "a key that cannot be copied": {single}} {
		if _, err := d.passkeys.Used(d.challenge, "ann", of, good); !errors.Is(err, ports.ErrPasskeyRefused) {
			d.t.Errorf("the account has %s: %v", name, err)
		}
	}
	if _, err := d.passkeys.Used(d.challenge, "bob", []ports.Passkey{d.made}, good); !errors.Is(err, ports.ErrPasskeyRefused) {
		d.t.Errorf("of another account: %v", err)
	}
	d.device.Options.UserHandle = nil
	if owner, err := d.passkeys.Account(d.use(passkeyParty, d.device, d.challenge)); err != nil || owner != "" {
		d.t.Errorf("an answer that names no account: %q, %v", owner, err)
	}
}

// foreign are answers that differ from a good one in one respect.
func (d *passkeyDevice) foreign(answer func(virtualwebauthn.RelyingParty, virtualwebauthn.Authenticator, []byte) []byte) map[string][]byte {
	party := func(id, origin string) virtualwebauthn.RelyingParty {
		return virtualwebauthn.RelyingParty{ID: id, Name: id, Origin: origin}
	}
	unverified, absent := d.device, d.device
	unverified.Options.UserNotVerified, absent.Options.UserNotPresent = true, true
	return map[string][]byte{
		"another origin":          answer(party(passkeyParty.ID, "https://evil.example"), d.device, d.challenge),
		"another port":            answer(party(passkeyParty.ID, "https://shop.example"), d.device, d.challenge),
		"plain HTTP":              answer(party(passkeyParty.ID, "http://shop.example:8443"), d.device, d.challenge),
		"another relying party":   answer(party("evil.example", PasskeyOrigin), d.device, d.challenge),
		"another challenge":       answer(passkeyParty, d.device, []byte(strings.Repeat("d", 32))),
		"no check of the person":  answer(passkeyParty, unverified, d.challenge),
		"nobody touching the key": answer(passkeyParty, absent, d.challenge),
	}
}

func passkeyGarbage(t *testing.T, passkeys ports.Passkeys) {
	d := newPasskeyDevice(t, passkeys, virtualwebauthn.KeyTypeEC2)
	long := fmt.Sprintf(`{"id":%q,"rawId":%q,"type":"public-key","response":{}}`, strings.Repeat("A", 12_000), strings.Repeat("A", 12_000))
	for _, text := range []string{
		"", "null", "{}", "[]", `"text"`, "{", `{"id":1}`, `{"id":"AAAA","rawId":"AAAA","type":"public-key"}`, long, strings.Repeat("[", 16_000),
		`{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"oA","authenticatorData":"AA","signature":"AA"}}`,
		string(d.use(passkeyParty, d.device, d.challenge)) + "x",
	} {
		if _, err := passkeys.Created(d.challenge, d.owner, []byte(text)); !errors.Is(err, ports.ErrPasskeyMalformed) {
			t.Errorf("made of %.60q: %v", text, err)
		}
		if _, err := passkeys.Account([]byte(text)); !errors.Is(err, ports.ErrPasskeyMalformed) {
			t.Errorf("the account of %.60q: %v", text, err)
		}
		if _, err := passkeys.Used(d.challenge, "ann", nil, []byte(text)); !errors.Is(err, ports.ErrPasskeyMalformed) {
			t.Errorf("used %.60q: %v", text, err)
		}
	}
}
