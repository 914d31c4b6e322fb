package idempotency

import (
	"errors"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// storable are the refusals that are stored and replayed: they depend on nothing but the request and the state that
// it found. Any other refusal is of this execution only, and the key runs again: that is always right, while a stored
// refusal that was none, of money that was captured for instance, cannot be put right by its caller. A refusal that
// is declared anew is on no list, and not stored. Rules idempotency-11, idempotency-20.
var storable = setOf(
	// of the request
	"admissions_mismatch", "carrier_unknown", "customer_email_invalid", "discount_context_required", "expected_revision_required",
	"not_found", "number_malformed", "number_out_of_range", "number_too_precise", "postal_code_invalid", "quantity_limit", "refund_negative",
	"tracking_number_invalid", "validation_failed",
	// of carts and what is in them
	"cart_customer_mismatch", "cart_empty", "cart_line_limit", "cart_market_mismatch", "cart_not_active", "cart_revision_conflict",
	"line_not_found", "market_not_found", "out_of_stock", "variant_unavailable",
	// of discount codes and shipping
	"discount_customer_limit", "discount_expired", "discount_inactive", "discount_min_order", "discount_not_applicable",
	"discount_not_combinable", "discount_not_found", "discount_not_started", "discount_usage_limit", "shipping_address_required",
	"shipping_unavailable",
	// of checkouts and payments before any money is asked for
	"attention_not_required", "checkout_expired", "checkout_not_open", "payment_amount_mismatch", "payment_link_expired", "payment_method_not_enabled",
	"payment_not_required", "payment_required", "payment_session_terminal", "payment_slot_held", "provider_event_reused",
	"provider_not_configured", "provider_session_known",
	// of orders, drafts, fulfillment and returns
	"audit_note_required", "draft_empty", "draft_market_required", "draft_not_editable", "fulfillment_quantity_exceeded",
	"fulfillment_transition_invalid", "line_not_shippable", "line_requires_shipping", "order_number_taken", "order_transition_invalid",
	"refund_exceeds_paid", "restocking_fee_exceeds_line", "return_not_eligible", "return_quantity_exceeded",
	"return_shipping_not_applicable", "return_transition_invalid", "shipping_refund_exceeds_cap",
	// of other records
	"connection_in_use", "last_admin", "value_not_unique", "webhook_endpoint_deleted", "webhook_endpoint_disabled", "webhook_endpoint_limit",
)

func setOf(reasons ...string) map[string]bool {
	set := make(map[string]bool, len(reasons))
	for _, r := range reasons {
		set[r] = true
	}
	return set
}

// StorableReasons are the reasons of the refusals that may be stored, sorted.
func StorableReasons() []string { return slices.Sorted(maps.Keys(storable)) }

// IsStorable reports whether replaying a refusal is correct: it is on the list, and not said to be worth a retry.
// Rule idempotency-11.
func IsStorable(f *fault.Error) bool { return storable[f.Reason] && !f.Retryable }

// notStored is an error that no receipt keeps.
type notStored struct{ error }

// Unwrap returns the error itself.
func (e notStored) Unwrap() error { return e.error }

// NotStored is err as the outcome of one execution only: whatever it is, the key runs again. It is for work that may
// have captured money, of which no refusal is the last word. nil stays nil.
func NotStored(err error) error {
	if err == nil {
		return nil
	}
	return notStored{err}
}

// storableRefusal is the refusal in err that a receipt keeps. ok is false where there is none.
func storableRefusal(err error) (f *fault.Error, ok bool) {
	if _, never := errors.AsType[notStored](err); never {
		return nil, false
	}
	f, ok = errors.AsType[*fault.Error](err)
	return f, ok && IsStorable(f)
}
