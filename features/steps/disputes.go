package steps

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// disputeSteps has buyers dispute the payment of the current order at the sandbox's bank.
type disputeSteps struct {
	*client

	payments *paymentSteps
	orders   *orderSteps
}

func newDisputeSteps(c *client, payments *paymentSteps, orders *orderSteps) *disputeSteps {
	return &disputeSteps{client: c, payments: payments, orders: orders}
}

func (s *disputeSteps) definitions() []stepDefinition {
	bank := func(outcome string) func(context.Context) error {
		return func(ctx context.Context) error {
			body := object{"outcome": outcome, "reason": "never arrived"}
			_, err := s.must(ctx, request{"POST", "/sandbox/payments/" + s.payments.payment.orderID + "/dispute", body, nil})
			return err
		}
	}
	return []stepDefinition{
		{`^the buyer disputes the payment$`, bank("open")},
		{`^the bank asks about the payment$`, bank("inquiry")},
		{`^the bank decides for the shop$`, bank("won")},
		{`^the bank decides for the buyer$`, bank("lost")},
		{`^the dispute is soon "([^"]*)"$`, func(ctx context.Context, want string) error {
			return eventually(ctx, func(ctx context.Context) error {
				d, err := s.only(ctx)
				if err != nil {
					return err
				}
				return equal("the status of the dispute", d["status"], want)
			})
		}},
		{`^the shop has (\d+) days to answer it$`, s.wantDue},
		{`^the order is soon on hold because of "([^"]*)"$`, func(ctx context.Context, want string) error {
			return eventually(ctx, func(ctx context.Context) error { return s.orders.wantField(ctx, "hold", want) })
		}},
		{`^the order is not on hold$`, s.wantNoHold},
		{`^the payment's suggested action is "([^"]*)"$`, s.wantSuggestion},
		{`^the shop dismisses the problem of the payment$`, func(ctx context.Context) error {
			return s.try(ctx, request{"POST", serverAPI + "/payment-sessions/" + s.payments.payment.id + "/resolve", object{
				"action": "dismiss", "note": "The buyer took it back.",
			}, keyed(s.asServer())})
		}},
	}
}

// only is the shop's dispute; every scenario has a shop of its own.
func (s *disputeSteps) only(ctx context.Context) (object, error) {
	got, err := s.must(ctx, request{"GET", "/api/disputes?limit=100", nil, s.asServer()})
	all := list(got.body, "docs")
	if err == nil && len(all) != 1 {
		err = fmt.Errorf("there are %d disputes", len(all))
	}
	if err != nil {
		return nil, err
	}
	return all[0].(object), nil
}

func (s *disputeSteps) wantDue(ctx context.Context, days int) error {
	d, err := s.only(ctx)
	if err != nil {
		return err
	}
	due, err := time.Parse(time.RFC3339, text(d, "evidenceDue"))
	opened, err2 := time.Parse(time.RFC3339, text(d, "openedAt"))
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	return equal("the time to answer", due.Sub(opened).String(), (time.Duration(days) * 24 * time.Hour).String())
}

func (s *disputeSteps) wantNoHold(ctx context.Context) error {
	got, err := s.must(ctx, request{"GET", "/api/orders/" + s.orders.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	if hold := valueAt(got.body, "hold"); hold != nil {
		return fmt.Errorf("the order is on hold because of %v", hold)
	}
	return nil
}

func (s *disputeSteps) wantSuggestion(ctx context.Context, want string) error {
	got, err := s.must(ctx, request{"GET", "/api/payment-sessions/" + s.payments.payment.id, nil, s.asServer()})
	if err != nil {
		return err
	}
	return equal("the suggestion", valueAt(got.body, "suggestedAction"), want)
}
