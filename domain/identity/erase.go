package identity

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// ErrErased refuses what would make data about a customer who was erased, or is being erased. Rule access-61.
var ErrErased = fault.New(fault.Conflict, "customer_erased", "This customer was erased: nothing new is kept about them.")

// IsErased reports whether a customer was erased, or is being erased.
func IsErased(customer collection.Record) bool {
	return !customer.Time("erasingSince").IsZero() || !customer.Time("erasedAt").IsZero()
}

// BeginErasure is a customer from whom everything personal was taken, at now, because by (an id) wanted it: they can log in no more, nobody writes to them,
// and what else is held about them is being erased. Of one who was erased before it keeps when.
func BeginErasure(customer collection.Record, by, reason string, now time.Time) collection.Record {
	out, _ := Customers.Redact(customer)
	out = out.Clone()
	out["tokenVersion"], out["signals"] = customer.Int("tokenVersion")+1, customer.Int("signals")+1
	out["isVerified"], out["marketingConsent"] = false, false
	delete(out, "consentedAt")
	delete(out, "erasureRequestedAt")
	forgetDecline(out)
	out["erasingSince"] = collection.TruncateTime(now)
	out["erasedBy"], out["erasureReason"] = collection.TextOrNull(by), collection.TextOrNull(reason)
	return out
}

// EndErasure is a customer about whom nothing personal is held any more.
func EndErasure(customer collection.Record, now time.Time) collection.Record {
	out, _ := Customers.Redact(customer)
	out = out.Clone()
	delete(out, "erasingSince")
	out["erasedAt"] = collection.TruncateTime(now)
	return out
}
