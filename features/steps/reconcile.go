package steps

import (
	"context"
	"errors"
	"fmt"
	"net/url"
)

func (w *world) reconcileSteps() []definition {
	owner := func() map[string]string { return w.asOwner() }
	newKey := func() map[string]string { return map[string]string{"X-API-Key": w.newKey} }
	unknown := func(context.Context) (string, error) { return "PaymentOfSomebodyElse00001", nil }
	ours := func(ctx context.Context) (string, error) {
		got, err := w.readPayment(ctx)
		return text(got, "paymentId"), err
	}
	on := func(do func(context.Context, string, map[string]string) error, id func(context.Context) (string, error), as func() map[string]string) func(context.Context) error {
		return func(ctx context.Context) error {
			name, err := id(ctx)
			if err != nil {
				return err
			}
			return do(ctx, name, as())
		}
	}
	return []definition{
		{`^the shop looks for the provider's payment$`, on(w.findPayment, ours, owner)},
		{`^a server with the new key looks for the provider's payment$`, on(w.findPayment, ours, newKey)},
		{`^the shop looks for a payment that is not its own$`, on(w.findPayment, unknown, owner)},
		{`^the shop reconciles the provider's payment$`, on(w.reconcile, ours, owner)},
		{`^a server with the new key reconciles the provider's payment$`, on(w.reconcile, ours, newKey)},
		{`^the shop reconciles a payment that is not its own$`, on(w.reconcile, unknown, owner)},
		{`^a "([^"]*)" payment is found$`, w.wantPaymentFound},
		{`^no payment is found$`, w.wantNoPayment},
		{`^a person has to look at it$`, func() error { return equal("the need of a person", w.got.body["requiresAttention"], "true") }},
	}
}

// account is the shop's own account at the provider.
func (w *world) account(ctx context.Context) (string, error) {
	found, err := w.must(ctx, request{"GET", "/api/provider-connections?where[environment][equals]=test&where[provider][equals]=sandbox", nil, w.asOwner()})
	if err != nil {
		return "", err
	}
	key := text(found.body, "docs", 0, "accountKey")
	if key == "" {
		err = errors.New("the shop has no account at the provider")
	}
	return key, err
}

func (w *world) findPayment(ctx context.Context, id string, as map[string]string) error {
	account, err := w.account(ctx)
	if err != nil {
		return err
	}
	query := url.Values{"accountKey": {account}, "environment": {"test"}, "providerPaymentId": {id}}
	return w.try(ctx, request{"GET", server + "/payment-sessions/aggregator/find?" + query.Encode(), nil, as})
}

func (w *world) reconcile(ctx context.Context, id string, as map[string]string) error {
	account, err := w.account(ctx)
	if err != nil {
		return err
	}
	return w.try(ctx, reconciling(account, id, as))
}

func reconciling(account, id string, as map[string]string) request {
	return request{"POST", server + "/payment-sessions/aggregator/reconcile", object{
		"accountKey": account, "environment": "test", "providerPaymentId": id,
	}, keyed(as)}
}

func (w *world) wantPaymentFound(status string) error {
	if text(w.got.body, "found") != "true" || text(w.got.body, "paymentSession", "id") != w.payment.id {
		return fmt.Errorf("it %s", w.got)
	}
	return equal("the payment", dig(w.got.body, "paymentSession", "status"), status)
}

func (w *world) wantNoPayment() error {
	if text(w.got.body, "found") != "false" || w.got.body["paymentSession"] != nil {
		return fmt.Errorf("it %s", w.got)
	}
	return nil
}
