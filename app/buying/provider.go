package buying

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// The operations a provider performs.
const (
	opPrepare = "prepare"
	opConfirm = "confirm"
	opClose   = "close"
)

const tidyTime = 5 * time.Second

// request is what the provider is asked to collect for s. It has no expiry: the slot outlives the reservation, for a
// retry of exactly this action.
func request(s payment.Session) ports.PaymentRequest {
	return ports.PaymentRequest{
		Session: s.ID, PaymentID: s.PaymentID, Amount: s.Amount, OrderName: s.OrderName, Method: s.Method, Country: s.Country,
		SuccessURL: s.SuccessURL, FailURL: s.FailURL, CustomerName: s.CustomerName, Email: s.Email,
	}
}

// call is one journaled provider call. The journal knows it under its own name: a second confirm, with the key of a
// second approval, is another call with another provider key and other bytes.
type call struct {
	ports.ProviderCall

	operation string
}

// begin journals the next attempt of a call inside the transaction that decides on it.
func (b *Buying) begin(ctx context.Context, tx ports.Tx, a account, s payment.Session, operation, variant string, args map[string]string) (call, error) {
	bytes, err := a.provider.Build(a.Connection, operation, request(s), args)
	if err != nil {
		return call{}, err
	}
	name := operation
	if variant != "" {
		name += ":" + variant
	}
	c, err := tx.Journal.Begin(ctx, ports.ProviderCall{
		ID: b.NewID(), Tenant: s.Tenant, Session: s.ID, Operation: name, ProviderKey: b.NewID(), Request: bytes, StartedAt: b.Now(),
	})
	return call{c, operation}, err
}

// send performs a journaled call, outside of any transaction.
func (b *Buying) send(ctx context.Context, a account, c *call) (map[string]string, error) {
	sent := c.ProviderCall
	sent.Operation = c.operation
	said, err := a.provider.Send(ctx, a.Connection, sent)
	c.Outcome, c.FinishedAt = "ok", b.Now()
	if err != nil {
		c.Detail = detail(err)
	}
	switch {
	case err == nil:
	case errors.Is(err, ports.ErrProviderRejected):
		c.Outcome = "declined"
	case errors.Is(err, ports.ErrNotSent):
		c.Outcome = "unsent"
	default:
		c.Outcome = "unknown"
	}
	return said, err
}

const maxDetail = 500

// detail is what the journal keeps of a failure: the provider's code, else our words.
func detail(err error) string {
	if code, ok := fault.From(err).Data["providerCode"].(string); ok {
		return code
	}
	text := err.Error()
	return text[:min(len(text), maxDetail)]
}

// note records the outcome of a call by itself, best effort: the call stands in the journal already.
func (b *Buying) note(ctx context.Context, c call) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidyTime)
	defer cancel()
	err := b.atomically(ctx, c.Tenant, func(ctx context.Context, tx ports.Tx) error { return tx.Journal.Finish(ctx, c.ProviderCall) })
	if err != nil {
		b.log().WarnContext(ctx, "provider call not finished in the journal", "session", c.Session, "operation", c.operation, "error", err)
	}
}

// action is what the buyer's browser needs. Prepared is the provider's stored answer.
func action(a account, s payment.Session) (collection.Tree, error) {
	prepared := map[string]string{}
	said, _ := s.Prepared.(map[string]any)
	for name, value := range said {
		prepared[name], _ = value.(string)
	}
	return a.provider.Action(a.Connection, string(s.Kind), request(s), prepared)
}
