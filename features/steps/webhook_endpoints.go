package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
)

// webhookEndpointSteps manages webhook endpoints.
type webhookEndpointSteps struct {
	*client

	id        string // of the endpoint last created
	secret    string
	newSecret string // after a rotation
}

func newWebhookEndpointSteps(c *client) *webhookEndpointSteps {
	return &webhookEndpointSteps{client: c}
}

func (s *webhookEndpointSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the endpoint is disabled because "([^"]*)"$`, s.wantDisabled},
		{`^the shop adds a webhook endpoint for "([^"]*)"$`, func(ctx context.Context, of string) error {
			return s.create(ctx, object{"url": "https://erp.example/hook", "collections": []any{of}})
		}},
		{`^the shop adds (\d+) webhook endpoints?$`, s.createMany},
		{`^the shop adds (\d+) webhook endpoints at once$`, s.createConcurrently},
		{`^the shop adds a webhook endpoint with a password in its address$`, func(ctx context.Context) error {
			return s.create(ctx, object{"url": "https://erp:password@erp.example/hook"})
		}},
		{`^the shop adds a webhook endpoint for live orders with its test key$`, func(ctx context.Context) error {
			return s.create(ctx, object{"url": "https://erp.example/hook", "collections": []any{"orders"}, "environment": "live"})
		}},
		{`^the answer shows a signing secret$`, s.wantSecret},
		{`^the secret is shown nowhere else$`, s.wantSecretHidden},
		{`^the shop has (\d+) webhook endpoints?$`, s.wantCount},
		{`^the shop rotates the endpoint's secret$`, s.rotateSecret},
		{`^the answer shows a new secret and until when the old one is valid$`, s.wantRotated},
		{`^the endpoint belongs to the environment "([^"]*)"$`, func(environment string) error {
			return equal("the environment", valueAt(s.got.body, "doc", "environment"), environment)
		}},
		{`^the environment "live" lists no webhook endpoint$`, s.wantNoneInLive},
		{`^the shop sends a test message to the endpoint$`, func(ctx context.Context) error { return s.call(ctx, "POST", "/test", nil) }},
		{`^the delivery log shows (\d+) messages? to the endpoint(, marked as a test)?$`, s.wantDeliveries},
		{`^the shop replays all events to the endpoint$`, func(ctx context.Context) error {
			return s.call(ctx, "POST", "/replay", object{"from": "2020-01-01T00:00:00Z"})
		}},
		{`^the shop disables the endpoint$`, func(ctx context.Context) error { return s.call(ctx, "PATCH", "", object{"enabled": false}) }},
		{`^the shop deletes the endpoint$`, func(ctx context.Context) error { return s.call(ctx, "DELETE", "", nil) }},
	}
}

const endpointsPath = "/api/webhook-endpoints"

func (s *webhookEndpointSteps) wantDisabled(ctx context.Context, why string) error {
	return eventually(ctx, func(ctx context.Context) error {
		got, err := s.must(ctx, request{"GET", endpointsPath + "/" + s.id, nil, s.asServer()})
		if err != nil {
			return err
		}
		if text(got.body, "enabled") != "false" || text(got.body, "disabledReason") != why || text(got.body, "disabledAt") == "" {
			return fmt.Errorf("it %s", got)
		}
		return nil
	})
}

// create adds an endpoint. It receives what happens from then on, so that the log has to show first what
// happened before.
func (s *webhookEndpointSteps) create(ctx context.Context, body object) error {
	if err := s.waitForEvents(ctx, "brands"); err != nil {
		return err
	}
	if err := s.try(ctx, request{"POST", endpointsPath, body, keyed(s.asServer())}); err != nil {
		return err
	}
	s.id, s.secret = text(s.got.body, "doc", "id"), text(s.got.body, "secret")
	return nil
}

func (s *webhookEndpointSteps) createMany(ctx context.Context, n int) error {
	for range n {
		if err := s.create(ctx, object{"url": "https://erp.example/hook"}); err != nil {
			return err
		}
		if err := s.wantSuccess(); err != nil {
			return err
		}
	}
	return nil
}

func (s *webhookEndpointSteps) createConcurrently(ctx context.Context, n int) error {
	var all []request
	for range n {
		all = append(all, request{"POST", endpointsPath, object{"url": "https://erp.example/hook"}, keyed(s.asServer())})
	}
	return s.sendConcurrently(ctx, all)
}

// call calls an operation of the endpoint last created.
func (s *webhookEndpointSteps) call(ctx context.Context, method, what string, body any) error {
	return s.try(ctx, request{method, endpointsPath + "/" + s.id + what, body, keyed(s.asServer())})
}

func (s *webhookEndpointSteps) rotateSecret(ctx context.Context) error {
	err := s.call(ctx, "POST", "/rotate-secret", nil)
	s.newSecret = text(s.got.body, "secret")
	return err
}

func (s *webhookEndpointSteps) wantSecret() error {
	if !strings.HasPrefix(s.secret, "whsec_") || text(s.got.body, "doc", "secret") != s.secret {
		return fmt.Errorf("it %s", s.got)
	}
	return nil
}

// wantSecretHidden reads everything that shows the endpoint: its record, the event log, GraphQL.
func (s *webhookEndpointSteps) wantSecretHidden(ctx context.Context) error {
	if err := s.waitForEvents(ctx, "webhook-endpoints"); err != nil {
		return err
	}
	for _, r := range []request{
		{"GET", endpointsPath, nil, s.asServer()},
		{"GET", endpointsPath + "/" + s.id, nil, s.asServer()},
		{"GET", "/api/events?collection=webhook-endpoints", nil, s.asServer()},
		{"POST", "/api/graphql", object{"query": "{ WebhookEndpoints { docs { id secret } } }"}, s.asServer()},
	} {
		got, err := s.must(ctx, r)
		if err != nil {
			return err
		}
		if bytes.Contains(got.raw, []byte("whsec_")) || !bytes.Contains(got.raw, []byte(s.id)) {
			return fmt.Errorf("%s %s", r.path, got)
		}
	}
	return nil
}

func (s *webhookEndpointSteps) wantCount(ctx context.Context, want string) error {
	got, err := s.must(ctx, request{"GET", endpointsPath + "/count", nil, s.asServer()})
	if err != nil {
		return err
	}
	return equal("the number of endpoints", got.body["totalDocs"], want)
}

func (s *webhookEndpointSteps) wantRotated() error {
	if !strings.HasPrefix(s.newSecret, "whsec_") || s.newSecret == s.secret {
		return fmt.Errorf("it %s", s.got)
	}
	if text(s.got.body, "doc", "previousSecretUntil") == "" {
		return errors.New("the answer does not say until when the old secret is valid")
	}
	return nil
}

func (s *webhookEndpointSteps) wantNoneInLive(ctx context.Context) error {
	got, err := s.must(ctx, request{"GET", endpointsPath, nil, withSecretKey(s.shop.SecretKey)})
	if err != nil {
		return err
	}
	return equal("the number of live endpoints", got.body["totalDocs"], "0")
}

// wantDeliveries counts the entries of the delivery log about the endpoint.
func (s *webhookEndpointSteps) wantDeliveries(ctx context.Context, want, test string) error {
	got, err := s.must(ctx, request{"GET", "/api/webhook-deliveries?where[endpoint][equals]=" + s.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	if err := equal("the number of messages", got.body["totalDocs"], want); err != nil {
		return err
	}
	for _, message := range list(got.body, "docs") {
		if marked := text(message, "test") == "true"; marked != (test != "") {
			return fmt.Errorf("it %s", got)
		}
	}
	return nil
}
