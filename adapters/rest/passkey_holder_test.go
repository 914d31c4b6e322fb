package rest_test

import (
	"encoding/json"
	"fmt"

	"github.com/descope/virtualwebauthn"

	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// passkeyHolder is a user with a device that has one passkey.
type passkeyHolder struct {
	*staff

	id     string
	party  virtualwebauthn.RelyingParty
	device virtualwebauthn.Authenticator
	key    virtualwebauthn.Credential
}

// device is one that the user has got, without a passkey yet.
func (s *staff) device() *passkeyHolder {
	return &passkeyHolder{
		staff: s, party: virtualwebauthn.RelyingParty{ID: "shop.example", Name: "shop", Origin: passkeyOrigin},
		device: virtualwebauthn.NewAuthenticator(), key: portstest.NewPasskey(virtualwebauthn.KeyTypeEC2),
	}
}

// optionsOf are the options of an answer as a browser reads them.
func (s *staff) optionsOf(a answer) string {
	s.b.t.Helper()
	text, err := json.Marshal(a.body["options"])
	if err != nil || a.status != 200 {
		s.b.t.Fatal(a.status, a.raw, err)
	}
	return string(text)
}

// creation is what adds a passkey by this name, after its first step.
func (p *passkeyHolder) creation(name string) string {
	p.b.t.Helper()
	begun := p.do("POST", "/users/passkeys/begin", "{}")
	options, err := virtualwebauthn.ParseAttestationOptions(p.optionsOf(begun))
	if err != nil {
		p.b.t.Fatal(err)
	}
	p.device.Options.UserHandle = []byte(options.UserID)
	answer := virtualwebauthn.CreateAttestationResponse(p.party, p.device, p.key, *options)
	return fmt.Sprintf(`{"challenge":%q,"credential":%s,"name":%q}`, begun.body["challenge"], answer, name)
}

// addPasskey gives the user a device with a passkey.
func (s *staff) addPasskey(name string) *passkeyHolder {
	s.b.t.Helper()
	p := s.device()
	p.add(name)
	return p
}

func (p *passkeyHolder) add(name string) answer {
	p.b.t.Helper()
	a := p.must("POST", "/users/passkeys", p.creation(name))
	p.bearer = "Bearer " + fmt.Sprint(a.body["token"])
	made, _ := a.body["passkey"].(map[string]any)
	p.id = fmt.Sprint(made["id"])
	if list, _ := a.body["recoveryCodes"].([]any); len(list) > 0 {
		p.codes = nil
		for _, code := range list {
			p.codes = append(p.codes, fmt.Sprint(code))
		}
	}
	return a
}

// use is what the device answers to options, each time with a higher count.
func (p *passkeyHolder) use(options string) string {
	p.b.t.Helper()
	asked, err := virtualwebauthn.ParseAssertionOptions(options)
	if err != nil {
		p.b.t.Fatal(err)
	}
	p.key.Counter++
	return virtualwebauthn.CreateAssertionResponse(p.party, p.device, p.key, *asked)
}

// secondFactor is the body of the second step of a login, with the passkey.
func (p *passkeyHolder) secondFactor() string {
	p.b.t.Helper()
	challenge := p.challenge()
	options := p.optionsOf(p.b.request("POST", "/api/users/login/passkey-options", fmt.Sprintf(`{"challenge":%q}`, challenge)))
	return fmt.Sprintf(`{"challenge":%q,"credential":%s}`, challenge, p.use(options))
}

// login is the body of a login with the passkey alone.
func (p *passkeyHolder) login() string {
	p.b.t.Helper()
	begun := p.b.request("POST", "/api/users/login/passkey/begin", "")
	return fmt.Sprintf(`{"challenge":%q,"credential":%s}`, begun.body["challenge"], p.use(p.optionsOf(begun)))
}

const (
	secondStep  = "/api/users/login/second-factor"
	passkeyOnly = "/api/users/login/passkey"
)
