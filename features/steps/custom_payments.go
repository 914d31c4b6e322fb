package steps

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// customPaymentSteps opens and confirms payments at a provider that the shop has no connection to.
type customPaymentSteps struct {
	*client

	checkouts *checkoutSteps
	payments  *paymentSteps

	current customPayment
	first   customPayment // the one opened before the current one
}

func newCustomPaymentSteps(c *client, checkouts *checkoutSteps, payments *paymentSteps) *customPaymentSteps {
	return &customPaymentSteps{client: c, checkouts: checkouts, payments: payments}
}

func (s *customPaymentSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop opens a custom payment$`, func(ctx context.Context) error { return s.open(ctx, keyed(s.asServer())) }},
		{
			`^a browser tries to open a custom payment$`,
			func(ctx context.Context) error { return s.open(ctx, keyed(s.checkouts.asShopper())) },
		},
		{`^(?:an|another) open custom payment for (\d+) "([^"]*)"$`, s.create},
		{`^the shop reports(?: again)? that (\d+) ([A-Z]{3}) arrived$`, func(ctx context.Context, amount, currency string) error {
			return s.try(ctx, s.confirmRequest(s.current, amount, currency, s.asServer()))
		}},
		{`^a browser reports that (\d+) ([A-Z]{3}) arrived$`, func(ctx context.Context, amount, currency string) error {
			return s.try(ctx, s.confirmRequest(s.current, amount, currency, s.checkouts.asShopper()))
		}},
		{`^the shop reports (\d+) times at once that (\d+) ([A-Z]{3}) arrived$`, s.confirmConcurrently},
		{`^the shop reports the second payment with the payment id of the first$`, func(ctx context.Context) error {
			mixed := s.current
			mixed.payment = s.first.payment
			return s.try(ctx, s.confirmRequest(mixed, "18000", "KRW", s.asServer()))
		}},
		{`^the shop reports the second payment with the event id of the first$`, func(ctx context.Context) error {
			mixed := s.current
			mixed.event = s.first.event
			return s.try(ctx, s.confirmRequest(mixed, "18000", "KRW", s.asServer()))
		}},
		{`^the shop's server cancels the custom payment$`, func(ctx context.Context) error {
			return s.try(ctx, s.cancelRequest())
		}},
		{`^the shop looks the payment up by the provider's id$`, func(ctx context.Context) error {
			return s.try(ctx, request{
				"GET", serverAPI + "/payment-sessions/custom?providerPaymentId=" + s.current.payment, nil, s.asServer(),
			})
		}},
		{`^the answer holds the status "([^"]*)", (\d+) ([A-Z]{3}) and the order, and nothing else$`, s.wantStatusOnly},
	}
}

// customPayment is the ids that a provider without a connection gave to a payment.
type customPayment struct{ session, payment, event string }

func (s *customPaymentSteps) open(ctx context.Context, as map[string]string) error {
	s.first, s.current = s.current, customPayment{"session-" + rand.Text(), "payment-" + rand.Text(), "event-" + rand.Text()}
	err := s.try(ctx, s.openRequest(s.current, as))
	if err == nil && s.got.ok() {
		s.payments.use(payment{id: text(s.got.body, "paymentSession", "id")})
	}
	return err
}

func (s *customPaymentSteps) cancelRequest() request {
	return request{"POST", serverAPI + "/payment-sessions/" + s.payments.payment.id + "/cancel", object{}, keyed(s.asServer())}
}

// openRequest announces a payment that the shop opened at the provider.
func (s *customPaymentSteps) openRequest(at customPayment, as map[string]string) request {
	return request{"POST", serverAPI + "/payment-sessions/custom", object{
		"checkoutId": s.checkouts.checkout.id, "providerSessionId": at.session, "providerName": "Corner Bank",
	}, as}
}

func (s *customPaymentSteps) create(ctx context.Context, n int, name string) error {
	if err := s.checkouts.create(ctx, n, name, true); err != nil {
		return err
	}
	if err := s.open(ctx, keyed(s.asServer())); err != nil {
		return err
	}
	return s.wantSuccess()
}

// confirmRequest reports that a payment arrived.
func (s *customPaymentSteps) confirmRequest(at customPayment, amount, currency string, as map[string]string) request {
	return request{"POST", serverAPI + "/payment-sessions/custom/confirm", object{
		"providerSessionId": at.session, "providerPaymentId": at.payment, "eventId": at.event,
		"captured": object{"amount": json.Number(amount), "currency": currency},
	}, keyed(as)}
}

func (s *customPaymentSteps) confirmConcurrently(ctx context.Context, n int, amount, currency string) error {
	var all []request
	for range n {
		all = append(all, s.confirmRequest(s.current, amount, currency, s.asServer()))
	}
	return s.sendConcurrently(ctx, all)
}

func (s *customPaymentSteps) wantStatusOnly(status, amount, currency string) error {
	got := s.got.body
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, []string{"amount", "orderId", "status"}) || text(got, "orderId") == "" {
		return fmt.Errorf("it %s", s.got)
	}
	return errors.Join(
		equal("the status", got["status"], status),
		equal("the amount", valueAt(got, "amount", "amount"), amount),
		equal("the currency", valueAt(got, "amount", "currency"), currency),
	)
}
