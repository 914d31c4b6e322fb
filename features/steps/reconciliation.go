package steps

import (
	"context"
	"errors"
	"fmt"
	"net/url"
)

// reconciliationSteps finds and settles payments by the provider's id.
type reconciliationSteps struct {
	*client

	apiKeys  *apiKeySteps
	members  *memberSteps
	payments *paymentSteps
}

func newReconciliationSteps(c *client, apiKeys *apiKeySteps, members *memberSteps, payments *paymentSteps) *reconciliationSteps {
	return &reconciliationSteps{client: c, apiKeys: apiKeys, members: members, payments: payments}
}

func (s *reconciliationSteps) definitions() []stepDefinition {
	server := s.asServer
	newKey := func() map[string]string { return withSecretKey(s.apiKeys.key) }
	unknown := func(context.Context) (string, error) { return "PaymentOfSomebodyElse00001", nil }
	ours := func(ctx context.Context) (string, error) {
		got, err := s.payments.read(ctx)
		return text(got, "paymentId"), err
	}
	type call = func(ctx context.Context, paymentID string, header map[string]string) error
	on := func(do call, id func(context.Context) (string, error), as func() map[string]string) func(context.Context) error {
		return func(ctx context.Context) error {
			paymentID, err := id(ctx)
			if err != nil {
				return err
			}
			return do(ctx, paymentID, as())
		}
	}
	return []stepDefinition{
		{`^the shop searches by the provider's payment id$`, on(s.find, ours, server)},
		{`^a server with the new API key searches by the provider's payment id$`, on(s.find, ours, newKey)},
		{`^the shop searches by the payment id of another shop$`, on(s.find, unknown, server)},
		{`^the shop reconciles the payment$`, on(s.reconcile, ours, server)},
		{`^a server with the new API key reconciles the payment$`, on(s.reconcile, ours, newKey)},
		{`^"([^"]*)" logs in and reconciles the payment$`, s.reconcileLoggedIn},
		{`^the shop reconciles the payment id of another shop$`, on(s.reconcile, unknown, server)},
		{`^a "([^"]*)" payment is found$`, s.wantFound},
		{`^no payment is found$`, s.wantNotFound},
		{`^the payment requires attention$`, func() error { return equal("requiring attention", s.got.body["requiresAttention"], "true") }},
	}
}

// accountKey is that of the shop's connection to the sandbox provider.
func (s *reconciliationSteps) accountKey(ctx context.Context) (string, error) {
	const query = "where[environment][equals]=test&where[provider][equals]=sandbox"
	found, err := s.must(ctx, request{"GET", "/api/provider-connections?" + query, nil, s.asServer()})
	if err != nil {
		return "", err
	}
	key := text(found.body, "docs", 0, "accountKey")
	if key == "" {
		err = errors.New("the shop has no connection")
	}
	return key, err
}

func (s *reconciliationSteps) find(ctx context.Context, id string, as map[string]string) error {
	account, err := s.accountKey(ctx)
	if err != nil {
		return err
	}
	query := url.Values{"accountKey": {account}, "environment": {"test"}, "providerPaymentId": {id}}
	return s.try(ctx, request{"GET", serverAPI + "/payment-sessions/aggregator/find?" + query.Encode(), nil, as})
}

func (s *reconciliationSteps) reconcile(ctx context.Context, id string, as map[string]string) error {
	account, err := s.accountKey(ctx)
	if err != nil {
		return err
	}
	return s.try(ctx, reconcileRequest(serverAPI, account, id, as))
}

func (s *reconciliationSteps) reconcileLoggedIn(ctx context.Context, name string) error {
	paid, err := s.payments.read(ctx)
	if err != nil {
		return err
	}
	account, err := s.accountKey(ctx)
	if err != nil {
		return err
	}
	member, err := s.members.logInToTest(ctx, name)
	if err != nil {
		return err
	}
	return s.try(ctx, reconcileRequest("/api", account, text(paid, "paymentId"), member))
}

func reconcileRequest(prefix, account, id string, as map[string]string) request {
	return request{"POST", prefix + "/payment-sessions/aggregator/reconcile", object{
		"accountKey": account, "environment": "test", "providerPaymentId": id,
	}, keyed(as)}
}

func (s *reconciliationSteps) wantFound(status string) error {
	if text(s.got.body, "found") != "true" || text(s.got.body, "paymentSession", "id") != s.payments.payment.id {
		return fmt.Errorf("it %s", s.got)
	}
	return equal("the payment", valueAt(s.got.body, "paymentSession", "status"), status)
}

func (s *reconciliationSteps) wantNotFound() error {
	if text(s.got.body, "found") != "false" || s.got.body["paymentSession"] != nil {
		return fmt.Errorf("it %s", s.got)
	}
	return nil
}
