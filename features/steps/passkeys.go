package steps

import (
	"context"
	"encoding/json"

	"github.com/descope/virtualwebauthn"
)

// passkeySteps give the admin a device with a passkey.
type passkeySteps struct {
	*client

	sessions *sessionSteps
	page     virtualwebauthn.RelyingParty // that the browser shows
	device   virtualwebauthn.Authenticator
	key      virtualwebauthn.Credential
	last     request // of a login
}

func newPasskeySteps(c *client, sessions *sessionSteps) *passkeySteps {
	return &passkeySteps{client: c, sessions: sessions, device: virtualwebauthn.NewAuthenticator(), key: wholeKey()}
}

// wholeKey is a key both of whose coordinates are written in full: virtualwebauthn leaves leading zeros out, which no server may
// accept.
func wholeKey() virtualwebauthn.Credential {
	const whole = 77 // bytes
	for {
		if key := virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2); len(key.Key.AttestationData()) == whole {
			return key
		}
	}
}

func (s *passkeySteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^a server with the address "([^"]*)"$`, s.startAt},
		{`^the admin adds a passkey$`, s.add},
		{`^the admin logs in with the passkey alone$`, s.logIn},
		{`^the admin logs in with the password and the passkey$`, s.prove},
		{`^the same answer of the device is sent again$`, func(ctx context.Context) error { return s.try(ctx, s.last) }},
		{`^the admin uses the passkey on a page of "([^"]*)"$`, func(ctx context.Context, host string) error {
			s.page.Origin = "https://" + host
			return s.logIn(ctx)
		}},
	}
}

// startAt continues the scenario on another server, in a shop there.
func (s *passkeySteps) startAt(ctx context.Context, host string) error {
	origin := "https://" + host
	url, shop, err := s.target.Serve(ctx, map[string]string{"CARTWRIGHT_PUBLIC_URL": origin})
	s.urls, s.shop = []string{url}, shop
	s.page = virtualwebauthn.RelyingParty{ID: host, Name: host, Origin: origin}
	return err
}

func (s *passkeySteps) add(ctx context.Context) error {
	if err := s.sessions.logIn(ctx); err != nil {
		return err
	}
	begun, err := s.must(ctx, request{"POST", "/api/users/passkeys/begin", nil, s.sessions.asAdmin()})
	if err != nil {
		return err
	}
	text, err := json.Marshal(begun.body["options"])
	if err != nil {
		return err
	}
	options, err := virtualwebauthn.ParseAttestationOptions(string(text))
	if err != nil {
		return err
	}
	s.device.Options.UserHandle = []byte(options.UserID)
	answer := virtualwebauthn.CreateAttestationResponse(s.page, s.device, s.key, *options)
	_, err = s.must(ctx, request{
		"POST", "/api/users/passkeys",
		object{"challenge": begun.body["challenge"], "credential": json.RawMessage(answer), "name": "phone"}, s.sessions.asAdmin(),
	})
	return err
}

// use is what the device answers to the options of an answer, which belong to a challenge.
func (s *passkeySteps) use(begun answer, challenge any) (object, error) {
	text, err := json.Marshal(begun.body["options"])
	if err != nil {
		return nil, err
	}
	options, err := virtualwebauthn.ParseAssertionOptions(string(text))
	if err != nil {
		return nil, err
	}
	s.key.Counter++
	credential := virtualwebauthn.CreateAssertionResponse(s.page, s.device, s.key, *options)
	return object{"challenge": challenge, "credential": json.RawMessage(credential)}, nil
}

func (s *passkeySteps) logIn(ctx context.Context) error {
	begun, err := s.must(ctx, request{"POST", "/api/users/login/passkey/begin", nil, nil})
	if err != nil {
		return err
	}
	body, err := s.use(begun, begun.body["challenge"])
	if err != nil {
		return err
	}
	s.last = request{"POST", "/api/users/login/passkey", body, nil}
	return s.try(ctx, s.last)
}

func (s *passkeySteps) prove(ctx context.Context) error {
	first, err := s.must(ctx, s.sessions.loginRequest(s.shop.AdminPassword))
	if err != nil {
		return err
	}
	asked, err := s.must(ctx, request{"POST", "/api/users/login/passkey-options", object{"challenge": first.body["challenge"]}, nil})
	if err != nil {
		return err
	}
	body, err := s.use(asked, first.body["challenge"])
	if err != nil {
		return err
	}
	if err := s.try(ctx, request{"POST", "/api/users/login/second-factor", body, nil}); err != nil {
		return err
	}
	return s.wantSuccess()
}
