package payment

import (
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/ports"
)

// AttemptKey is the idempotency key of one attempt of a call. Providers repeat their answer to a key for
// hours or days, even a temporary failure; under a single key that failure would be final. Use it only for
// calls that are safe to repeat under another key, since they take effect only once.
func AttemptKey(call ports.ProviderCall) string {
	if call.Attempt < 2 {
		return call.ProviderKey
	}
	return call.ProviderKey + "-" + strconv.Itoa(call.Attempt)
}

// refundKeyWindow is how long attempts of a refund share a key: longer than any attempt takes.
const refundKeyWindow = 10 * time.Minute

// RefundKey is the idempotency key of an attempt of a refund. A payment can be refunded in parts, so
// concurrent attempts of one refund share a key, and the provider executes one. The key changes every ten
// minutes, so that a temporary failure is not repeated forever. An attempt under another key first looks for
// the refund, and states the balance that it expects.
func RefundKey(call ports.ProviderCall) string {
	call.Attempt = 1 + int(call.StartedAt.Sub(call.FirstAttemptAt)/refundKeyWindow)
	if call.FirstAttemptAt.IsZero() {
		call.Attempt = 1
	}
	return AttemptKey(call)
}
