package identity

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

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
