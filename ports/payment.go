package ports

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The faults of provider calls. ErrProviderRejected is final. After ErrProviderUnavailable the provider may
// still have acted.
var (
	ErrProviderUnavailable = fault.New(fault.Unavailable, "provider_unavailable",
		"The payment provider cannot be reached right now. Try again.").WithRetry(2 * time.Second)
	ErrProviderRejected = fault.New(fault.ProviderFailed, "provider_rejected", "The payment provider refused the request.")
	// ErrWebhookSignature: a webhook was not signed by one of the connection's secrets, or too long ago.
	ErrWebhookSignature = fault.New(fault.Unauthenticated, "webhook_signature_invalid", "The signature of the webhook is not valid.")
)

// ErrNotSent is the cause of an ErrProviderUnavailable when no request was sent, so that the provider
// certainly did not act.
var ErrNotSent = errors.New("the provider was not called")

// Connection is a tenant's account at a provider, with decrypted credentials.
type Connection struct {
	ID          string
	Tenant      tenant.ID
	Provider    string
	AccountKey  string
	Environment tenant.Environment
	Credentials map[string]string // by name, as the adapter documents; never logged
}

// ProviderState is the state of a payment at its provider, in our terms. Fact port-1.
type ProviderState string

// The states, roughly in order of progress.
const (
	ProviderAbsent     ProviderState = "absent" // unknown to the provider
	ProviderOpen       ProviderState = "open"
	ProviderProcessing ProviderState = "processing"
	ProviderAuthorized ProviderState = "authorized" // held for the shop, which may capture or void it
	ProviderPaid       ProviderState = "paid"
	ProviderFailed     ProviderState = "failed"
	ProviderExpired    ProviderState = "expired"
	ProviderCanceled   ProviderState = "canceled"
	ProviderUnknown    ProviderState = "unknown" // an unknown status: an operator must look
)

// ProviderPayment is a payment as its provider reports it. Its identity fields must be compared with ours.
type ProviderPayment struct {
	State       ProviderState
	PaymentID   string // our payment id, as stored at the provider
	ProviderID  string // the provider's own id of the payment
	AccountKey  string
	Environment tenant.Environment
	Amount      money.Money // that was paid, or is held; before that, what is to be paid
	Until       time.Time   // of an authorized payment: when the provider releases it at the latest; zero: it does not say
	Refunded    money.Money // refunds known to have succeeded; without a currency while nothing was paid
	// Refunds are all refunds of the payment that moved money or will, whether or not we requested them, each
	// with its own id. Failed ones may be included.
	Refunds []ProviderRefund
	// Gone is money of the payment that the provider took back without a refund and names, as that of a dispute. A
	// deposit that the bank took back has no entry: the state of the payment shows it, which is not paid any more.
	Gone []payment.MoneyGone
	// Disputes are all disputes of the payment, decided ones included.
	Disputes   []payment.SeenDispute
	Method     string
	ReceiptURL string
	// CashReceipt is the cash receipt that was issued with the payment; nil if none was, or the provider does not tell.
	CashReceipt *payment.CashReceipt
	Escrow      bool // the provider keeps the money until the goods are delivered
	// Instructions are what the buyer has to pay where, while the payment waits for a deposit; nil otherwise.
	Instructions *payment.Instructions
	Settled      payment.Settled // for what was captured, as the provider says
	// SettledLater says that the provider tells of what was captured, but has not yet.
	SettledLater bool
}

// RefundState is the state of a refund at its provider, in our terms.
type RefundState string

// The states.
const (
	RefundAbsent    RefundState = "absent"  // unknown to the provider
	RefundPending   RefundState = "pending" // accepted, not completed yet
	RefundSucceeded RefundState = "succeeded"
	RefundFailed    RefundState = "failed"
)

// RefundRef identifies a refund to its provider. An adapter finds it by what its provider stores: the
// refund's own id, the key of the call, or amount and order among the refunds of a payment. At most one
// refund of a payment is unanswered, so a refund that is none of the others is the one requested.
type RefundRef struct {
	PaymentRef

	Key             string      // provider key of the call that requested it
	ProviderID      string      // the provider's own id of the refund; "" while unknown
	Amount          money.Money // of the refund
	RemainingBefore money.Money // refundable amount of the payment before it
	OtherRefundIDs  []string    // the provider's ids of our other refunds of the payment
}

// ProviderRefund is a refund as its provider reports it. Its amount must be compared with ours.
type ProviderRefund struct {
	State      RefundState
	ProviderID string
	Amount     money.Money
	// TaxFree is the part of Amount without value added tax, VAT that tax in the rest; the zero Money where the provider does not tell.
	TaxFree, VAT money.Money
	Settled      payment.Settled // as the provider says
}

// PaymentRef identifies a payment to its provider. PaymentID is always set; the provider's own ids are ""
// while unknown. An adapter looks the payment up by any id that its provider knows, and compares.
type PaymentRef struct{ PaymentID, ProviderSessionID, ProviderPaymentID string }

// NoPayment is a payment that no provider has. Looking it up calls the provider, and finds ProviderAbsent. Its ids are made up, so
// that a provider may refuse the form of one: an adapter asks for those only that prove the credentials.
var NoPayment = PaymentRef{PaymentID: "NoSuchPayment", ProviderSessionID: "NoSuchSession"}

// ProviderWebhook is a webhook as it was received from a provider.
type ProviderWebhook struct {
	Header     map[string][]string // by canonical name, "Webhook-Signature"
	Body       []byte              // raw, since signatures are over bytes
	ReceivedAt time.Time           // when it arrived
}

// WebhookHint lists the payments that a webhook is about, to be looked up. It never contains their state.
type WebhookHint struct {
	EventID          string       // the same for every delivery of one event; unique within a connection; "" if the webhook is not signed
	Payments         []PaymentRef // each with at least one id; empty for events that are not about payments
	MayConcernBooked bool         // it may be about money that was refunded, taken back or disputed: booked payments are looked up too
}

// ProcessedWebhooks records which webhook events were handled. Providers choose the ids, so they are unique
// within a connection only.
type ProcessedWebhooks interface {
	// Seen reports whether an event was handled.
	Seen(ctx context.Context, t tenant.ID, connection, event string) (bool, error)
	// Mark records that an event was handled, until a time after which it is no longer delivered. Repeating
	// it has no effect.
	Mark(ctx context.Context, t tenant.ID, connection, event string, until time.Time) error
}
