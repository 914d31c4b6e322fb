package payment

import (
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/ports"
)

// AttemptKey is the idempotency key of one attempt of a call. Providers give the answer to a key again for hours or days,
// also one that said "not now": under a single key that would be the call's last word. It is for what is safe to attempt
// anew whatever the key, since it can be done only once.
func AttemptKey(call ports.ProviderCall) string {
	if call.Attempt < 2 {
		return call.ProviderKey
	}
	return call.ProviderKey + "-" + strconv.Itoa(call.Attempt)
}

// refundKeyWindow is for how long attempts of a refund share a key: longer than any of them is under way.
const refundKeyWindow = 10 * time.Minute

// RefundKey is the idempotency key of an attempt of a refund. Money can go back in parts, so attempts that may be under way at
// the same time, of two operators or of a webhook, have one key, of which the provider does one; another key every ten
// minutes keeps its "not now" from being the last word. What is attempted under another key is looked for first, and names
// what was left of its payment.
func RefundKey(call ports.ProviderCall) string {
	call.Attempt = 1 + int(call.StartedAt.Sub(call.FirstAttemptAt)/refundKeyWindow)
	if call.FirstAttemptAt.IsZero() {
		call.Attempt = 1
	}
	return AttemptKey(call)
}
