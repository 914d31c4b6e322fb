package payment

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// retryBusy is when to ask again for a refund that waits for another one.
const retryBusy = time.Second

// The refusals of payments. Contract 1.1.
var (
	ErrSlotHeld       = fault.New(fault.Conflict, "payment_slot_held", "Another payment of this checkout is still open.")
	ErrMismatch       = fault.New(fault.Conflict, ReasonMismatch, "The payment is not the one that was asked for.")
	ErrTerminal       = fault.New(fault.Conflict, "payment_session_terminal", "This payment session has ended.")
	ErrMethodDisabled = fault.New(fault.Unprocessable, "payment_method_not_enabled", "This payment method is not enabled.")
	ErrNotConfigured  = fault.New(fault.Unprocessable, "provider_not_configured", "The shop has no enabled payment provider for this.")
	ErrAttention      = fault.New(fault.Conflict, "requires_attention", "The money arrived, but a person has to look at this payment.")
	ErrNothingToPay   = fault.New(fault.Conflict, "payment_not_required", "There is nothing to pay: complete the checkout.")
	ErrSessionKnown   = fault.New(fault.Conflict, "provider_session_known", "This provider session belongs to another payment session.")
	ErrEventReused    = fault.New(fault.Conflict, "provider_event_reused", "This event of the provider told something else before.")
	ErrNotPaid        = fault.New(fault.Conflict, "payment_not_completed", "The provider has not completed this payment.")
	ErrConnectionUsed = fault.New(fault.Conflict, "connection_in_use", "Payments were made by this connection, so it stays. Disable it instead.")
	ErrNoAttention    = fault.New(fault.Conflict, "attention_not_required", "Nobody has to look at this payment any more.")
)
