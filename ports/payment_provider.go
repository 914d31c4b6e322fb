package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

// The operations of a provider, as logged calls and metrics name them.
const (
	OpPrepare = "prepare"
	OpConfirm = "confirm"
	OpClose   = "close"
	OpCapture = "capture"
	OpVoid    = "void"
	OpRefund  = "refund"
)

// ProviderRequest asks a provider for something that changes a payment: PrepareRequest, ConfirmRequest,
// CloseRequest, CaptureRequest, VoidRequest or RefundRequest.
//
//sumtype:decl
type ProviderRequest interface {
	// Operation names the request in the provider call log: OpPrepare and so on.
	Operation() string
	providerRequest()
}

// PaymentRequest is a payment to collect. PaymentID is ours: 6–40 [A-Za-z0-9], unique, immutable.
type PaymentRequest struct {
	Session, PaymentID  string
	Kind                payment.Kind // any but payment.Custom
	Amount              money.Money
	TaxFree             money.Money // the part of Amount without value added tax; the zero Money when there is none
	VAT                 money.Money // that tax in the rest, of payments with a TaxFree part; the zero Money where that is not known
	OrderName           string
	Method              string // hosted sessions: one of payment.Methods
	Country             string // hosted sessions: ISO 3166-1 alpha-2; "" if none was given
	SuccessURL, FailURL string // widget; hosted and standard use SuccessURL as their redirect
	Buyer               Buyer
	Digital             bool // nothing that is paid is delivered
	// CashReceipt is what the buyer asks for; the zero value: none. Only adapters whose description says so are told.
	CashReceipt payment.CashReceiptRequest
	// CaptureLater: the approval only authorizes the payment, where the method can; a CaptureRequest collects it. Only
	// adapters whose description says so are asked.
	CaptureLater bool
	// A hosted page that is opened at AskedAt shall be payable until ExpiresAt, which is within the provider's
	// payment.Limits; zero: the provider decides. Only PrepareRequest has them.
	AskedAt, ExpiresAt time.Time
}

// Buyer is who pays, as far as the shop knows them; any part may be "". Some gateways refuse a payment without.
type Buyer struct{ Name, Email, Phone string }

// PrepareRequest asks a provider to expect a payment.
type PrepareRequest struct{ PaymentRequest }

// ConfirmRequest captures a payment that the buyer approved in a widget, or authorizes it if it is to be captured later.
type ConfirmRequest struct {
	PaymentRequest

	PaymentKey string // the provider's name of the approval, as the buyer's browser brought it
}

// CloseRequest ends a payment that nobody has paid, so that nobody can pay it any more.
type CloseRequest struct{ PaymentRef }

// CaptureRequest collects an authorized payment, once: what is left of it is released.
type CaptureRequest struct {
	PaymentRef

	Authorized money.Money // as the provider reported it
	Amount     money.Money // to collect; positive, at most Authorized
	// TaxFree is the part of Amount without value added tax, and AuthorizedTaxFree that of Authorized: both are the zero
	// Money for a payment without such a part.
	TaxFree, AuthorizedTaxFree money.Money
}

// VoidRequest releases an authorized payment: nothing of it is collected any more.
type VoidRequest struct{ PaymentRef }

// RefundRequest gives money of a captured payment back to where it came from.
type RefundRequest struct {
	PaymentRef

	Captured  money.Money // by the payment, refunds not deducted; may differ from what was asked for
	Amount    money.Money // to refund, at most Remaining
	Remaining money.Money // of the payment before this refund
	// TaxFree is the part of Amount without value added tax, and RemainingTaxFree that of Remaining: both are the zero
	// Money for a payment without such a part, and amounts of 0 in its currency once all of that part went back.
	TaxFree, RemainingTaxFree money.Money
	VAT                       money.Money // the value added tax in the rest; the zero Money unless that of the payment was told
	Reason                    string      // shown in the provider's console; 1 to 200 characters
	// Account is where the money goes, of payments for which the adapter's description says so; else nil. The bytes of
	// a request with an account are kept encrypted.
	Account *payment.RefundAccount
	Method  string // of the payment, in the provider's words if it reported one
	Buyer   Buyer  // whom the provider asks where the money goes, or tells that it comes
}

// Operation implements ProviderRequest.
func (PrepareRequest) Operation() string { return OpPrepare }

// Operation implements ProviderRequest.
func (ConfirmRequest) Operation() string { return OpConfirm }

// Operation implements ProviderRequest.
func (CloseRequest) Operation() string { return OpClose }

// Operation implements ProviderRequest.
func (CaptureRequest) Operation() string { return OpCapture }

// Operation implements ProviderRequest.
func (VoidRequest) Operation() string { return OpVoid }

// Operation implements ProviderRequest.
func (RefundRequest) Operation() string { return OpRefund }

func (PrepareRequest) providerRequest() {}
func (ConfirmRequest) providerRequest() {}
func (CloseRequest) providerRequest()   {}
func (CaptureRequest) providerRequest() {}
func (VoidRequest) providerRequest()    {}
func (RefundRequest) providerRequest()  {}

// Outcome is what a provider answered to a call. It is only a hint; Lookup and LookupRefund decide, but for Payment.
type Outcome struct {
	Status   string           // the provider's own word
	Prepared payment.Prepared // by a prepare
	// Closed, of a close: the payment can no longer be paid even if a look-up does not show it, or no money
	// could move without a confirm.
	Closed bool
	// Payment is, of a confirm, all that Lookup would say of the payment at this moment; nil: the answer says less. It is not
	// used of a repeated call, which a provider may answer with what it said the first time.
	Payment *ProviderPayment
}

// Provider calls one payment provider. Every call has a timeout, and a circuit breaker per connection inside
// the adapter. Requests are built (a pure function), logged, and sent exactly as logged. The recipe for writing one is
// in .github/CONTRIBUTING.md, and paymenttest.Provider checks it.
type Provider interface {
	// Describe is what the adapter can do, and what a connection needs. It never changes.
	Describe() payment.Provider
	// Build returns the exact bytes of a request; the same input gives the same bytes. The connection has
	// every credential that the kind needs. Errors: fault.ErrInternal for a request or kind that the provider
	// does not have, payment.ErrMethodDisabled.
	Build(conn Connection, r ProviderRequest) ([]byte, error)
	// Ready reports, without calling the provider, whether the circuit would currently admit a call. It is
	// advisory: Do may still fail. Errors: ErrProviderUnavailable caused by ErrNotSent.
	Ready(conn Connection) error
	// Do sends a logged call, whose Operation has no variant. Errors: ErrProviderUnavailable,
	// ErrProviderRejected with Data "providerCode".
	Do(ctx context.Context, conn Connection, call ProviderCall) (Outcome, error)
	// Lookup returns the state of a payment. A payment unknown to the provider is ProviderAbsent, and an
	// unknown status is ProviderUnknown; neither is an error. Errors: ErrProviderUnavailable,
	// ErrProviderRejected (bad credentials).
	Lookup(ctx context.Context, conn Connection, ref PaymentRef) (ProviderPayment, error)
	// LookupRefund returns the state of a refund. A refund unknown to the provider is RefundAbsent; an
	// unknown status is RefundPending, since money may have moved. Errors: ErrProviderUnavailable,
	// ErrProviderRejected (bad credentials).
	LookupRefund(ctx context.Context, conn Connection, ref RefundRef) (ProviderRefund, error)
	// Action returns what the browser needs to pay, without secrets. Errors: fault.ErrInternal for a kind
	// that the provider does not have.
	Action(conn Connection, r PaymentRequest, prepared payment.Prepared) (collection.JSONValue, error)
	// Hint parses a webhook; it is pure. If the provider signs webhooks, one of secrets (decrypted, newest
	// first) must have signed it. Errors: ErrWebhookSignature, fault.ErrMalformed.
	Hint(conn Connection, secrets []string, w ProviderWebhook) (WebhookHint, error)
}
