package steps

import (
	"bytes"
	"context"
	"fmt"
)

// apiKeySteps creates API keys, and calls with all kinds of keys.
type apiKeySteps struct {
	*client

	members *memberSteps

	id      string // of the key last created
	key     string
	rotated string // the key before it was rotated
}

func newAPIKeySteps(c *client, members *memberSteps) *apiKeySteps {
	return &apiKeySteps{client: c, members: members}
}

func (s *apiKeySteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the admin creates an API key for "([^"]*)"$`, s.create},
		{`^the admin lists the API keys$`, func(ctx context.Context) error { return s.call(ctx, "GET", "", nil) }},
		{`^the new API key is listed by its last characters only$`, s.wantLastCharacters},
		{`^the admin revokes the API key$`, func(ctx context.Context) error { return s.call(ctx, "POST", "/"+s.id+"/revoke", nil) }},
		{`^the admin rotates the API key$`, s.rotate},
		{`^a server with the new API key adds a brand$`, func(ctx context.Context) error { return s.try(ctx, s.brandRequest(s.key)) }},
		{`^a server with the new API key adds a webhook endpoint for "([^"]*)"$`, func(ctx context.Context, of string) error {
			return s.try(ctx, request{
				"POST", "/api/webhook-endpoints", object{"url": "https://erp.example/hook", "collections": []string{of}}, keyed(withSecretKey(s.key)),
			})
		}},
		{`^the old API key no longer works$`, s.wantRotatedUnknown},
		{`^a server tries to create an API key$`, func(ctx context.Context) error {
			return s.try(ctx, request{
				"POST", "/api/api-keys", object{"name": "Mine", "kind": "secret", "environment": "test"}, s.asServer(),
			})
		}},
		{`^a browser with the public key adds the brand "([^"]*)"$`, s.writeWithPublicKey},
		{`^a browser sends the secret key$`, s.sendSecretKeyFromBrowser},
		{`^a client without a key lists brands$`, func(ctx context.Context) error {
			return s.try(ctx, request{"GET", "/api/brands", nil, nil})
		}},
		{`^a client lists brands with an invented secret key$`, func(ctx context.Context) error {
			return s.try(ctx, request{"GET", "/api/brands", nil, withSecretKey("sk_test_0000000000000000000000000000000000000000000")})
		}},
		{`^a server lists brands with both keys of the shop$`, func(ctx context.Context) error {
			return s.try(ctx, request{"GET", "/api/brands", nil, with(s.asServer(), "X-Client-Key", s.shop.TestClientKey)})
		}},
		{`^a server lists brands with the public key of another shop$`, s.mixKeys},
	}
}

func (s *apiKeySteps) call(ctx context.Context, method, path string, body any) error {
	admin, err := s.members.adminOf(ctx, s.shop)
	if err != nil {
		return err
	}
	if method == "POST" {
		admin = keyed(admin)
	}
	return s.try(ctx, request{method, "/api/api-keys" + path, body, admin})
}

func (s *apiKeySteps) create(ctx context.Context, use string) error {
	scopes := map[string][]string{"reading": {"read"}, "writing": {"write"}, "reading and writing": {"read", "write"}}[use]
	if err := s.call(ctx, "POST", "", object{"name": "For the server", "kind": "secret", "environment": "test", "scopes": scopes}); err != nil {
		return err
	}
	s.key, s.id = text(s.got.body, "key"), text(s.got.body, "id")
	return s.wantSuccess()
}

func (s *apiKeySteps) rotate(ctx context.Context) error {
	if err := s.call(ctx, "POST", "/"+s.id+"/rotate", nil); err != nil {
		return err
	}
	s.rotated, s.key = s.key, text(s.got.body, "key")
	return s.wantSuccess()
}

func (s *apiKeySteps) brandRequest(key string) request {
	return request{"POST", "/api/brands", object{"name": "Nord"}, withSecretKey(key)}
}

func (s *apiKeySteps) wantRotatedUnknown(ctx context.Context) error {
	got, err := s.send(ctx, s.brandRequest(s.rotated))
	if err == nil && got.reason() != "key_unknown" {
		err = fmt.Errorf("it %s", got)
	}
	return err
}

func (s *apiKeySteps) wantLastCharacters() error {
	if bytes.Contains(s.got.raw, []byte(s.key)) {
		return fmt.Errorf("the key is shown again: it %s", s.got)
	}
	for _, key := range list(s.got.body, "docs") {
		if text(key, "id") == s.id {
			return equal("the last characters", valueAt(key, "last4"), s.key[len(s.key)-4:])
		}
	}
	return fmt.Errorf("it %s", s.got)
}

func (s *apiKeySteps) writeWithPublicKey(ctx context.Context, name string) error {
	return s.try(ctx, request{"POST", "/api/brands", object{"name": name}, s.asVisitor()})
}

func (s *apiKeySteps) sendSecretKeyFromBrowser(ctx context.Context) error {
	return s.try(ctx, request{"GET", "/api/brands", nil, with(s.asServer(), "Origin", "https://shop.example")})
}

func (s *apiKeySteps) mixKeys(ctx context.Context) error {
	other, err := s.target.Shop(ctx)
	if err != nil {
		return err
	}
	return s.try(ctx, request{"GET", "/api/brands", nil, with(s.asServer(), "X-Client-Key", other.TestClientKey)})
}
