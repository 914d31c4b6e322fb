package identity

import (
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// ErrErasureNotRequested refuses to decline what a customer does not ask for, or no longer.
var ErrErasureNotRequested = fault.New(fault.Conflict, "erasure_not_requested", "This customer does not ask to be erased.")

// RequestErasure is a customer who asked, at now, to be erased. One who asked before has asked since then. Errors: ErrErased. Rule
// access-66.
func RequestErasure(customer collection.Record, now time.Time) (collection.Record, error) {
	switch {
	case IsErased(customer):
		return nil, ErrErased
	case !customer.Time("erasureRequestedAt").IsZero():
		return customer, nil
	}
	out := customer.Clone()
	out["erasureRequestedAt"] = collection.TruncateTime(now)
	forgetDecline(out)
	return out, nil
}

// WithdrawErasure is a customer who no longer asks to be erased. Errors: ErrErased where that is too late.
func WithdrawErasure(customer collection.Record) (collection.Record, error) {
	switch {
	case IsErased(customer):
		return nil, ErrErased
	case customer.Time("erasureRequestedAt").IsZero():
		return customer, nil
	}
	out := customer.Clone()
	delete(out, "erasureRequestedAt")
	return out, nil
}

// DeclineErasure is a customer whose request to be erased was declined at now: they are told the reason, and may ask
// again. Errors: ErrErased, ErrErasureNotRequested, fault.ErrValidation for reason. Rule access-70.
func DeclineErasure(customer collection.Record, reason string, now time.Time) (collection.Record, error) {
	reason = strings.TrimSpace(reason)
	switch {
	case IsErased(customer):
		return nil, ErrErased
	case reason == "":
		return nil, fault.Invalidf("reason", "Say why: the customer is told.")
	case customer.Time("erasureRequestedAt").IsZero():
		return nil, ErrErasureNotRequested
	}
	out := customer.Clone()
	delete(out, "erasureRequestedAt")
	out["erasureDeclinedAt"], out["erasureDeclineReason"] = collection.TruncateTime(now), reason
	return out, nil
}

// forgetDecline takes what was declined before out of a customer.
func forgetDecline(customer collection.Record) {
	delete(customer, "erasureDeclinedAt")
	delete(customer, "erasureDeclineReason")
}
