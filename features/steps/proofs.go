package steps

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// proofSteps do what takes a session that was proven lately.
type proofSteps struct {
	*client

	sessions *sessionSteps
	members  *memberSteps
	orders   *orderSteps
}

func newProofSteps(c *client, sessions *sessionSteps, members *memberSteps, orders *orderSteps) *proofSteps {
	return &proofSteps{client: c, sessions: sessions, members: members, orders: orders}
}

func (s *proofSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the admin logged in (\d+) minutes ago$`, s.logInBefore},
		{`^the admin makes an API key in that session$`, func(ctx context.Context) error {
			return s.try(ctx, request{
				"POST", "/api/api-keys", object{"name": "Proof", "kind": "secret", "environment": "test"}, keyed(s.sessions.asAdmin()),
			})
		}},
		{`^the shop has no further API key$`, s.wantNoKey},
		{`^the admin proves the session with the password$`, func(ctx context.Context) error { return s.prove(ctx, s.shop.AdminPassword) }},
		{`^the admin proves the session with a wrong password$`, func(ctx context.Context) error { return s.prove(ctx, "not the password") }},
		{`^the shop asks for a proof before refunds above (\d+) KRW$`, s.limit},
		{`^the admin refunds (\d+) KRW of the order in that session$`, s.refund},
	}
}

// logInBefore logs in, and moves the server's clock.
func (s *proofSteps) logInBefore(ctx context.Context, minutes int) error {
	if s.target.Advance == nil {
		return errors.New("this server's clock cannot be moved; tag the scenario @clock")
	}
	err := s.sessions.logIn(ctx)
	s.target.Advance(time.Duration(minutes) * time.Minute)
	return err
}

func (s *proofSteps) prove(ctx context.Context, password string) error {
	return s.try(ctx, request{"POST", "/api/users/reauthenticate", object{"password": password}, s.sessions.asAdmin()})
}

func (s *proofSteps) wantNoKey(ctx context.Context) error {
	listed, err := s.must(ctx, request{"GET", "/api/api-keys?where[name][equals]=Proof", nil, s.asServer()})
	if err == nil && text(listed.body, "totalDocs") != "0" {
		err = fmt.Errorf("there is a new key: it %s", listed)
	}
	return err
}

func (s *proofSteps) limit(ctx context.Context, amount int) error {
	admin, err := s.members.adminOf(ctx, s.shop)
	if err != nil {
		return err
	}
	limits := []any{object{"amount": amount, "currency": "KRW"}}
	_, err = s.must(ctx, request{"PATCH", "/api/tenants/" + s.shop.TenantID, object{"settings": object{"proofAbove": limits}}, admin})
	return err
}

func (s *proofSteps) refund(ctx context.Context, amount string) error {
	won, err := strconv.Atoi(amount)
	if err != nil {
		return err
	}
	return s.try(ctx, request{"POST", "/api/orders/" + s.orders.id + "/refund", object{
		"amount": object{"amount": won, "currency": "KRW"}, "reason": "It came late",
	}, keyed(with(s.sessions.asAdmin(), "X-Environment", "test"))})
}
