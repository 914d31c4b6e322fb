package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// latePaymentSteps resolves payments that arrived too late to become an order.
type latePaymentSteps struct {
	*client

	checkouts *checkoutSteps
	payments  *paymentSteps
	custom    *customPaymentSteps

	id string // of the late payment session
}

func newLatePaymentSteps(c *client, checkouts *checkoutSteps, payments *paymentSteps, custom *customPaymentSteps) *latePaymentSteps {
	return &latePaymentSteps{client: c, checkouts: checkouts, payments: payments, custom: custom}
}

func (s *latePaymentSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop releases the payment slot$`, s.releaseSlot},
		{`^the shopper opens a payment for the first checkout$`, func(ctx context.Context) error {
			s.checkouts.useFirst()
			return s.payments.open(ctx)
		}},
		{`^the list of "([^"]*)" checkouts holds (\d+)$`, s.wantCheckouts},
		{`^the list of "([^"]*)" checkouts soon holds (\d+)$`, func(ctx context.Context, status string, n int) error {
			return eventually(ctx, func(ctx context.Context) error { return s.wantCheckouts(ctx, status, n) })
		}},
		{`^the suggested action is "([^"]*)"$`, s.wantSuggestion},
		{`^a late payment of (\d+) ([A-Z]{3}) for a checkout that was replaced$`, s.create},
		{`^the first shopper's payment arrives$`, func(ctx context.Context) error {
			return s.try(ctx, s.custom.confirmRequest(s.custom.current, "33000", "KRW", s.asServer()))
		}},
		{`^the shop (places the order of|refunds|dismisses) the late payment$`, func(ctx context.Context, what string) error {
			if err := s.try(ctx, s.resolveRequest(what, s.asServer())); err != nil || !s.got.ok() || text(s.got.body, "order", "id") == "" {
				return err
			}
			s.checkouts.useFirst()
			return nil
		}},
		{`^the cart is ordered with another payment$`, s.orderWithOtherPayment},
		{`^the shop refunds the late payment (\d+) times at once$`, s.refundConcurrently},
		{`^a browser tries to place the order of the late payment$`, func(ctx context.Context) error {
			return s.try(ctx, s.resolveRequest("places the order of", s.checkouts.asShopper()))
		}},
		{`^the ledger shows one refund of (\d+) ([A-Z]{3})$`, s.wantRefunded},
	}
}

func (s *latePaymentSteps) releaseSlot(ctx context.Context) error {
	_, err := s.must(ctx, request{"POST", serverAPI + "/payment-sessions/" + s.payments.payment.id + "/release", object{
		"note": "The shopper called.",
	}, keyed(s.asServer())})
	return err
}

// checkoutsWithStatus lists the shop's checkouts with a status.
func (s *latePaymentSteps) checkoutsWithStatus(ctx context.Context, status string) ([]any, error) {
	got, err := s.must(ctx, request{"GET", serverAPI + "/checkouts?where[status][equals]=" + status, nil, s.asServer()})
	return list(got.body, "docs"), err
}

func (s *latePaymentSteps) wantCheckouts(ctx context.Context, status string, n int) error {
	docs, err := s.checkoutsWithStatus(ctx, status)
	if err == nil && len(docs) != n {
		err = fmt.Errorf("it holds %d: %v", len(docs), docs)
	}
	return err
}

func (s *latePaymentSteps) wantSuggestion(ctx context.Context, want string) error {
	docs, err := s.checkoutsWithStatus(ctx, "requires_attention")
	switch {
	case err != nil:
		return err
	case len(docs) == 0:
		return errors.New("the list is empty")
	case text(docs[0], "reason") == "" || idOf(valueAt(docs[0], "attentionSession")) == "":
		return fmt.Errorf("the list does not show the reason: %v", docs[0])
	}
	return equal("the suggestion", valueAt(docs[0], "suggestedAction"), want)
}

// create makes a payment arrive for a checkout whose cart has been checked out again, because the shop said that
// the provider had closed the payment.
func (s *latePaymentSteps) create(ctx context.Context, amount, currency string) error {
	if err := s.custom.create(ctx, 1, "shirt"); err != nil {
		return err
	}
	if _, err := s.must(ctx, s.custom.cancelRequest()); err != nil {
		return err
	}
	s.id = s.payments.payment.id
	if err := s.checkouts.checkOut(ctx, true); err != nil {
		return err
	}
	return s.try(ctx, s.custom.confirmRequest(s.custom.current, amount, currency, s.asServer()))
}

func (s *latePaymentSteps) orderWithOtherPayment(ctx context.Context) error {
	if err := s.payments.open(ctx); err != nil {
		return err
	}
	if err := s.payments.decide(ctx, "approve"); err != nil {
		return err
	}
	_, err := s.must(ctx, s.payments.confirmRequest())
	return err
}

func (s *latePaymentSteps) resolveRequest(what string, as map[string]string) request {
	action := map[string]string{
		"places the order of": "place", "refunds": "refund", "dismisses": "dismiss",
	}[what]
	return request{"POST", serverAPI + "/payment-sessions/" + s.id + "/resolve", object{
		"action": action, "note": "Called the shopper.",
	}, keyed(as)}
}

func (s *latePaymentSteps) refundConcurrently(ctx context.Context, n int) error {
	var all []request
	for range n {
		all = append(all, s.resolveRequest("refunds", s.asServer()))
	}
	return s.sendConcurrently(ctx, all)
}

func (s *latePaymentSteps) wantRefunded(ctx context.Context, amount, currency string) error {
	got, err := s.must(ctx, request{"GET", "/api/transactions?where[type][equals]=refund", nil, s.asServer()})
	if err != nil {
		return err
	}
	docs := list(got.body, "docs")
	if len(docs) != 1 {
		return fmt.Errorf("the ledger shows %d refunds", len(docs))
	}
	n, _ := valueAt(docs[0], "amount").(json.Number)
	if n.String() != amount || text(docs[0], "currency") != currency || text(docs[0], "status") != "refunded" {
		return fmt.Errorf("the ledger shows %v", docs[0])
	}
	return nil
}
