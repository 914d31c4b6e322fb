package payments_test

import (
	"context"
	"encoding/json"
	"sync/atomic"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func hosted(checkoutID string) payments.SessionInput {
	return payments.SessionInput{
		Checkout: checkoutID, Action: payment.Action{Kind: payment.Hosted, Method: "CARD_KR", SuccessURL: "https://shop.example/back"},
	}
}

func standard(checkoutID string) payments.SessionInput {
	return payments.SessionInput{Checkout: checkoutID, Action: payment.Action{
		Kind: payment.Standard, Channel: payment.ChannelCard, SuccessURL: "https://shop.example/back",
	}}
}

const opening = "paymentSessions.createAggregator"

// open opens an aggregator session as the shop's server.
func (b *bed) open(in payments.SessionInput) paymentbed.Answer {
	b.T.Helper()
	return b.Must(b.Payments.Aggregator.Open(b.T.Context(), b.Server(paymentbed.Key(), opening, ""), in))
}

// decide is the buyer's decision on the provider's page, or in a standard action.
func (b *bed) decide(opened paymentbed.Answer, outcome string) {
	b.T.Helper()
	named := map[string]string{"outcome": outcome, "webhooks": "never", "sessionId": opened.Text("paymentSession.providerSessionId")}
	if id := opened.Text("action.paymentId"); id != "" {
		delete(named, "sessionId")
		named["paymentId"] = id
	}
	body, _ := json.Marshal(named)
	b.PostToBank("/sandbox/authorize", body)
}

// retrieve looks a session up.
func (b *bed) retrieve(c idempotency.Call, opened paymentbed.Answer) paymentbed.Answer {
	b.T.Helper()
	answer, err := b.Payments.Aggregator.Retrieve(b.T.Context(), c, opened.Text("paymentSession.id"))
	if err != nil {
		b.T.Fatal(err)
	}
	return b.Read(answer.Bytes())
}

// countedCalls is a store that counts the entries of the provider call log.
type countedCalls struct {
	ports.Store

	begun atomic.Int64
}

type countingProviderCalls struct {
	ports.ProviderCalls

	begun *atomic.Int64
}

func (j countingProviderCalls) Begin(ctx context.Context, c ports.ProviderCall) (ports.ProviderCall, error) {
	j.begun.Add(1)
	return j.ProviderCalls.Begin(ctx, c)
}

func (j *countedCalls) Atomically(ctx context.Context, scope ports.Scope, fn func(context.Context, ports.Tx) error) error {
	return j.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		tx.ProviderCalls = countingProviderCalls{tx.ProviderCalls, &j.begun}
		return fn(ctx, tx)
	})
}
