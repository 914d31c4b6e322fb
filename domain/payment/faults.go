package payment

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// refundRetryAfter is the suggested delay before a refund that waits for another one is retried.
const refundRetryAfter = time.Second

// The refusals of payments. Rule api-14.
var (
	ErrSlotHeld        = fault.New(fault.Conflict, "payment_slot_held", "Another payment of this cart may still be made.")
	ErrPaymentMismatch = fault.New(fault.Conflict, ReasonMismatch, "The payment does not match the requested one.")
	ErrSessionTerminal = fault.New(fault.Conflict, "payment_session_terminal", "This payment session has ended.")
	ErrMethodDisabled  = fault.New(fault.Unprocessable, "payment_method_not_enabled", "This payment method is not enabled.")
	// ErrCashReceiptUnsupported: a buyer would wait in vain for the receipt that they asked for.
	ErrCashReceiptUnsupported = fault.New(fault.Unprocessable, "cash_receipt_unsupported",
		"The payment provider cannot be told of a cash receipt here: leave it out. Where it issues cash receipts, its own page asks for them.")
	ErrNotConfigured       = fault.New(fault.Unprocessable, "provider_not_configured", "The shop has no enabled payment provider for this.")
	ErrRequiresAttention   = fault.New(fault.Conflict, "requires_attention", "The payment was captured but requires attention.")
	ErrVoided              = fault.New(fault.Conflict, "payment_voided", "The payment was authorized but cannot become an order: nothing is collected.")
	ErrNothingToPay        = fault.New(fault.Conflict, "payment_not_required", "There is nothing to pay: complete the checkout instead.")
	ErrProviderSessionUsed = fault.New(fault.Conflict, "provider_session_known",
		"This provider session belongs to another payment session.")
	ErrEventReused     = fault.New(fault.Conflict, "provider_event_reused", "This provider event was used before with different contents.")
	ErrNotPaid         = fault.New(fault.Conflict, "payment_not_completed", "The provider has not completed this payment.")
	ErrConnectionInUse = fault.New(fault.Conflict, "connection_in_use",
		"This connection has payments and cannot be deleted. Disable it instead.")
	ErrAttentionNotRequired = fault.New(fault.Conflict, "attention_not_required", "This payment no longer requires attention.")
)
