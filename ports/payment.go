package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The faults of provider calls. A refused request is final; an unreachable provider may have acted all the same.
var (
	ErrProviderUnavailable = fault.New(fault.Unavailable, "provider_unavailable", "The payment provider cannot be reached right now. Try again.").Retry(2 * time.Second)
	ErrProviderRejected    = fault.New(fault.ProviderFailed, "provider_rejected", "The payment provider refused the request.")
)

// Connection is a tenant's account at a provider, credentials opened.
type Connection struct {
	ID          string
	Tenant      tenant.ID
	Provider    string
	AccountKey  string
	Environment tenant.Environment
	Credentials map[string]string // by name, as the adapter documents; never logged
}

// PaymentRequest is what a provider is asked to collect. PaymentID is ours: 6–40 [A-Za-z0-9], unique, immutable.
type PaymentRequest struct {
	Session, PaymentID  string
	Amount              money.Money
	OrderName           string
	Method              string // hosted sessions: one of the 28
	SuccessURL, FailURL string // widget; hosted and standard use SuccessURL as their redirect
	CustomerName, Email string
	ExpiresAt           time.Time
}

// ProviderState is what a provider says of a payment, in our words. Reference payments: adapter contract 2.
type ProviderState string

// The states, roughly in order of progress.
const (
	ProviderAbsent     ProviderState = "absent" // never heard of it
	ProviderOpen       ProviderState = "open"
	ProviderProcessing ProviderState = "processing"
	ProviderPaid       ProviderState = "paid"
	ProviderFailed     ProviderState = "failed"
	ProviderExpired    ProviderState = "expired"
	ProviderCanceled   ProviderState = "canceled"
	ProviderUnknown    ProviderState = "unknown" // a word we do not know: a person must look
)

// ProviderPayment is a looked-up payment. Identity fields are the provider's own and must be compared with ours.
type ProviderPayment struct {
	State       ProviderState
	PaymentID   string // our payment id as the provider knows it
	ProviderID  string // the provider's own id of the payment
	Account     string
	Environment tenant.Environment
	Amount      money.Money
	Method      string
	ReceiptURL  string
}

// Provider talks to one payment provider. Every call has a timeout and a breaker per connection inside the adapter.
// Requests are built (pure) before they are journaled and sent as journaled, byte for byte.
type Provider interface {
	// Build makes the exact request bytes of an operation; args are the caller's facts: for "prepare" "kind" (widget,
	// hosted_v2, standard_v2), for "confirm" "paymentKey", for "close" none, for "refund" "amount" and "remaining" (minor
	// units) and "reason". Errors: fault.ErrInternal for anything an adapter does not know.
	Build(conn Connection, operation string, req PaymentRequest, args map[string]string) ([]byte, error)
	// Send performs a journaled call. Its answer is a hint; Lookup decides: "providerSessionId" and "checkoutUrl" (prepare),
	// "status", the provider's word. Errors: ErrProviderUnavailable, ErrProviderRejected with Data "providerCode".
	Send(ctx context.Context, conn Connection, call ProviderCall) (map[string]string, error)
	// Lookup asks for the state of our payment id. Errors: ErrProviderUnavailable, ErrProviderRejected (bad credentials).
	Lookup(ctx context.Context, conn Connection, paymentID string) (ProviderPayment, error)
	// Action is what the browser needs to pay; nothing secret. Kinds: widget, hosted_v2, standard_v2.
	Action(conn Connection, kind string, req PaymentRequest, prepared map[string]string) (collection.Tree, error)
}
