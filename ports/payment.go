package ports

import (
	"context"
	"errors"
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
	// ErrWebhookSignature is the fault of a webhook that was not signed by one of the connection's secrets, or too long ago.
	ErrWebhookSignature = fault.New(fault.Unauthenticated, "webhook_signature_invalid", "The signature of the webhook is not valid.")
)

// ErrNotSent is what ErrProviderUnavailable is because of when nothing was asked of the provider: it did nothing, for sure.
var ErrNotSent = errors.New("the provider was not asked")

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
	Country             string // hosted sessions: ISO 3166-1 alpha-2, "" if none was asked for
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
	Refunded    money.Money // what is known to have gone back; of no currency while nothing was paid
	// Refunds are all refunds that took something of it or are about to, whoever asked for them, each with its own id; failed
	// ones may stand among them.
	Refunds    []ProviderRefund
	Method     string
	ReceiptURL string
}

// RefundState is what a provider says of a refund, in our words.
type RefundState string

// The states.
const (
	RefundAbsent    RefundState = "absent"  // never heard of it
	RefundPending   RefundState = "pending" // accepted, done later
	RefundSucceeded RefundState = "succeeded"
	RefundFailed    RefundState = "failed"
)

// RefundRef names a refund to its provider. An adapter finds it by what its provider keeps of it: the refund's own id, the
// key of the call, or amount and order among the refunds of a payment. At most one refund of a payment is unanswered, so
// that one which is nobody else's is the one that was asked for.
type RefundRef struct {
	PaymentRef

	Key        string      // provider key of the call that asked for it
	ProviderID string      // the provider's own id of the refund, "" until it told
	Amount     money.Money // of the refund
	Remaining  money.Money // what was left of the payment before it
	Others     []string    // the provider's ids of our other refunds of the payment
}

// ProviderRefund is a looked-up refund. Its amount is the provider's own and must be compared with ours.
type ProviderRefund struct {
	State      RefundState
	ProviderID string
	Amount     money.Money
}

// PaymentRef names a payment to its provider; PaymentID is always ours. The provider's own names are "" until it told
// them; an adapter looks up by whichever its provider knows, and compares.
type PaymentRef struct{ PaymentID, ProviderSessionID, ProviderPaymentID string }

// Notice is a provider's webhook as it arrived.
type Notice struct {
	Header map[string][]string // by canonical name, "Webhook-Signature"
	Body   []byte              // raw: signatures are over bytes
	At     time.Time           // when it arrived
}

// Hint is what a webhook is good for: which payments to look up. It never says what became of them.
type Hint struct {
	EventID  string       // the same for every delivery of one event; unique within a connection; "" where nobody signed it
	Payments []PaymentRef // each with at least one name; none for events that are about no payment
	Refunds  bool         // it may tell of money that went back, so that payments that are in the books are worth a look, too
}

// Provider talks to one payment provider. Every call has a timeout and a breaker per connection inside the adapter.
// Requests are built (pure) before they are journaled and sent as journaled, byte for byte.
type Provider interface {
	// Build makes the exact request bytes of an operation; args are the caller's facts: for "prepare" "kind" (widget,
	// hosted_v2, standard_v2), for "confirm" "paymentKey", for "refund" "amount" and "remaining" (minor units) and "reason";
	// for "close" and "refund" also "providerSessionId" and "providerPaymentId" as far as they are known. The same input
	// gives the same bytes. Errors: fault.ErrInternal for anything an adapter does not know.
	Build(conn Connection, operation string, req PaymentRequest, args map[string]string) ([]byte, error)
	// Ready tells, without asking the provider, whether a call of the connection would be made at the moment. It costs
	// nothing and promises nothing: Send has the last word. Errors: ErrProviderUnavailable because of ErrNotSent.
	Ready(conn Connection) error
	// Send performs a journaled call. Its answer is a hint; Lookup decides: "providerSessionId" and "checkoutUrl" (prepare),
	// "status", the provider's word, and of close "closed": "true" when nobody can pay any more though a look-up may not
	// say so, or when no money could move without a confirm. Errors: ErrProviderUnavailable, ErrProviderRejected with Data "providerCode".
	Send(ctx context.Context, conn Connection, call ProviderCall) (map[string]string, error)
	// Lookup asks for the state of a payment. One that the provider does not know is ProviderAbsent, and a word that we do
	// not know ProviderUnknown; neither is an error. Errors: ErrProviderUnavailable, ErrProviderRejected (bad credentials).
	Lookup(ctx context.Context, conn Connection, ref PaymentRef) (ProviderPayment, error)
	// LookupRefund asks for the state of a refund. One that the provider does not know is RefundAbsent; a word that we do not
	// know is RefundPending, for it may have gone back. Errors: ErrProviderUnavailable, ErrProviderRejected (bad credentials).
	LookupRefund(ctx context.Context, conn Connection, ref RefundRef) (ProviderRefund, error)
	// Action is what the browser needs to pay; nothing secret. Kinds: widget, hosted_v2, standard_v2.
	Action(conn Connection, kind string, req PaymentRequest, prepared map[string]string) (collection.Tree, error)
	// Hint reads a webhook; it is pure. Where the provider signs, one of secrets (opened, newest first) must have signed it.
	// Errors: ErrWebhookSignature, fault.ErrMalformed.
	Hint(conn Connection, secrets []string, n Notice) (Hint, error)
}

// Heard remembers which events of webhooks were acted on. A provider names its events, so that their ids are unique within
// a connection only.
type Heard interface {
	// Has reports whether an event was acted on.
	Has(ctx context.Context, t tenant.ID, connection, event string) (bool, error)
	// Keep notes that it was, until a time by which nobody delivers it any more. Noting it again changes nothing.
	Keep(ctx context.Context, t tenant.ID, connection, event string, until time.Time) error
}
