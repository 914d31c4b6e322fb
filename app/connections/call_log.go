package connections

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// cleanupTimeout is how long writing an outcome may take when the caller is gone already.
const cleanupTimeout = 5 * time.Second

// CallLog writes the provider call log.
type CallLog struct {
	Store ports.Store
	Vault ports.Vault // seals requests with confidential texts
	Now   func() time.Time
	NewID func() string
	Log   *slog.Logger
}

// Call is one logged provider call. Its name in the log tells apart calls of one operation that are not
// retries of each other: a second confirm with the key of another approval has another provider key and other
// bytes.
type Call struct {
	ports.ProviderCall

	operation string   // what the provider performs; the log's name is this and the variant
	hidden    []string // texts that no error of the call may repeat; in every form in which they are sent
}

// PaymentRequest is what the provider is asked to collect for s, without the end of its page.
func PaymentRequest(s payment.Session) ports.PaymentRequest {
	return ports.PaymentRequest{
		Session: s.ID, PaymentID: s.PaymentID, Kind: s.Kind, Amount: s.Amount, TaxFree: s.TaxFree, VAT: s.VAT,
		OrderName: s.OrderName, Method: s.Method, Country: s.Country,
		SuccessURL: s.SuccessURL, FailURL: s.FailURL, Buyer: ports.Buyer{Name: s.CustomerName, Email: s.Email, Phone: s.Phone},
		Digital: s.Digital, CashReceipt: s.CashReceipt, CaptureLater: s.Capture.Later(),
	}
}

// PrepareRequest asks for the payment of s at now, with a page that ends with the reservation as far as the provider can.
func PrepareRequest(a Opened, s payment.Session, now time.Time) ports.PrepareRequest {
	r := PaymentRequest(s)
	if s.Kind == payment.Hosted {
		r.AskedAt, r.ExpiresAt = now, a.Description.Limits.PageEnd(s.ExpiresAt, now)
	}
	return ports.PrepareRequest{PaymentRequest: r}
}

// Begin logs the next attempt of a call about s inside the transaction that decides on it. The first attempt of
// an operation and variant freezes the bytes that are sent; those with the account of a buyer are stored sealed.
func (l CallLog) Begin(
	ctx context.Context, tx ports.Tx, a Opened, s payment.Session, variant string, r ports.ProviderRequest,
) (Call, error) {
	bytes, err := a.Adapter.Build(a.Connection, r)
	if err != nil {
		return Call{}, err
	}
	name := callName(variant, r)
	if bytes, err = l.loggedRequest(s, name, r, bytes); err != nil {
		return Call{}, err
	}
	logged, err := tx.ProviderCalls.Begin(ctx, ports.ProviderCall{
		ID: l.NewID(), Tenant: s.Tenant, Session: s.ID, Operation: name, ProviderKey: l.NewID(), Request: bytes, StartedAt: l.Now(),
	})
	if err != nil {
		return Call{}, err
	}
	return l.openRequest(logged, r.Operation())
}

// Send performs a logged call, outside of any transaction, and fills in its outcome. Errors:
// ports.ErrProviderRejected for a definite refusal, ports.ErrNotSent, ports.ErrProviderUnavailable when the
// outcome is unknown.
func (l CallLog) Send(ctx context.Context, a Opened, c *Call) (ports.Outcome, error) {
	sent := c.ProviderCall
	sent.Operation = c.operation
	result, err := hiding(a.Adapter, c.hidden).Do(ctx, a.Connection, sent)
	c.Outcome, c.FinishedAt = "ok", l.Now()
	if err != nil {
		c.Detail = FailureDetail(err)
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
	return result, err
}

// Finish stores the outcome of a call by itself, best effort: without it the log still has the call, with an
// unknown outcome.
func (l CallLog) Finish(ctx context.Context, c Call) {
	scope := ports.ForTenant(c.Tenant)
	scope.Prefetch = &ports.Prefetch{} // it reads nothing
	err := AfterCall(ctx, l.Store, scope,
		func(ctx context.Context, tx ports.Tx) error { return tx.ProviderCalls.Finish(ctx, c.ProviderCall) })
	if err != nil {
		l.Log.WarnContext(ctx, "provider call outcome could not be recorded", "session", c.Session, "operation", c.operation, "error", err)
	}
}

// Declined reports whether the provider definitely refused.
func (c Call) Declined() bool { return c.Outcome == "declined" }

// Fail records that the call's outcome is not known because of err.
func (c *Call) Fail(err error) { c.Outcome, c.Detail = "unknown", FailureDetail(err) }

// AfterCall runs fn in one transaction for what a provider call left to write, also when the caller has gone away.
func AfterCall(ctx context.Context, store ports.Store, scope ports.Scope, fn func(ctx context.Context, tx ports.Tx) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
	defer cancel()
	return store.Atomically(ctx, scope, fn)
}

// CallRef is how the log names the calls of r about a session; see Begin for variant.
func CallRef(session, variant string, r ports.ProviderRequest) ports.CallRef {
	return ports.CallRef{Session: session, Operation: callName(variant, r)}
}

func callName(variant string, r ports.ProviderRequest) string {
	if variant == "" {
		return r.Operation()
	}
	return r.Operation() + ":" + variant
}

const maxDetailLength = 500

// FailureDetail is what the log keeps about a failure: the provider's code, else the error's text.
func FailureDetail(err error) string {
	if code, ok := fault.From(err).Data["providerCode"].(string); ok {
		return code
	}
	text := err.Error()
	return text[:min(len(text), maxDetailLength)]
}
