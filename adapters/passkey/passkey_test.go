package passkey_test

import (
	"errors"
	"testing"

	"github.com/descope/virtualwebauthn"

	"github.com/cartwright-dev/cartwright/adapters/passkey"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestPasskeys(t *testing.T) {
	passkeys, err := passkey.New(portstest.PasskeyOrigin)
	if err != nil {
		t.Fatal(err)
	}
	portstest.Passkeys(t, passkeys)
}

// Browsers know passkeys of domains, over HTTPS, and of the machine itself.
func TestOriginsOfPasskeys(t *testing.T) {
	for _, origin := range []string{
		"", "shop.example", "http://shop.example", "https://192.0.2.7", "http://192.0.2.7:8080", "https://[2001:db8::1]", "ftp://localhost", "://",
	} {
		if _, err := passkey.New(origin); !errors.Is(err, passkey.ErrOrigin) {
			t.Errorf("%q: %v", origin, err)
		}
	}
	for origin, page := range map[string]string{
		"https://shop.example": "https://shop.example", "https://Shop.Example:443": "https://shop.example",
		"https://bücher.example": "https://xn--bcher-kva.example",
		"http://localhost:8080":  "http://localhost:8080",
		"http://127.0.0.1:8080":  "http://localhost:8080", "http://[::1]:8080": "http://localhost:8080", "http://127.0.0.1": "http://localhost",
	} {
		passkeys, err := passkey.New(origin)
		if err != nil {
			t.Errorf("%q: %v", origin, err)
			continue
		}
		challenge := make([]byte, 32)
		text, err := passkeys.Creation(challenge, ports.PasskeyOwner{Account: "ann", Name: "Ann"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		options, err := virtualwebauthn.ParseAttestationOptions(string(text))
		if err != nil {
			t.Fatal(err)
		}
		answer := virtualwebauthn.CreateAttestationResponse(virtualwebauthn.RelyingParty{ID: options.RelyingPartyID, Origin: page},
			virtualwebauthn.NewAuthenticator(), portstest.NewPasskey(virtualwebauthn.KeyTypeEC2), *options)
		if _, err := passkeys.Created(challenge, ports.PasskeyOwner{Account: "ann"}, []byte(answer)); err != nil {
			t.Errorf("%q, with a page of %q: %v", origin, page, err)
		}
	}
}

// Whatever a browser sends is read or refused.
func FuzzAnswers(f *testing.F) {
	passkeys, err := passkey.New(portstest.PasskeyOrigin)
	if err != nil {
		f.Fatal(err)
	}
	challenge, party := make([]byte, 32), virtualwebauthn.RelyingParty{ID: "shop.example", Origin: portstest.PasskeyOrigin}
	device, key := virtualwebauthn.NewAuthenticator(), portstest.NewPasskey(virtualwebauthn.KeyTypeEC2)
	created := virtualwebauthn.CreateAttestationResponse(party, device, key, virtualwebauthn.AttestationOptions{Challenge: challenge})
	f.Add([]byte(created))
	f.Add([]byte(virtualwebauthn.CreateAssertionResponse(party, device, key, virtualwebauthn.AssertionOptions{Challenge: challenge})))
	mine, err := passkeys.Created(challenge, ports.PasskeyOwner{Account: "ann"}, []byte(created))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		_, created := passkeys.Created(challenge, ports.PasskeyOwner{Account: "ann"}, answer)
		_, used := passkeys.Used(challenge, "ann", []ports.Passkey{mine}, answer)
		_, account := passkeys.Account(answer)
		for _, err := range []error{created, used, account} {
			if err != nil && !errors.Is(err, ports.ErrPasskeyMalformed) && !errors.Is(err, ports.ErrPasskeyRefused) {
				t.Errorf("%q: %v", answer, err)
			}
		}
	})
}
