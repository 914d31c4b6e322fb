package payment

import (
	"strconv"

	"github.com/cartwright-dev/cartwright/ports"
)

// AttemptKey is the idempotency key of one attempt of a call. Providers give the answer to a key again for hours or days,
// also one that said "not now": under a single key that would be the call's last word. It is for what is safe to attempt
// anew whatever the key: what can be done only once, and refunds that name what is left of their payment, as long as an
// attempt before is looked for first.
func AttemptKey(call ports.ProviderCall) string {
	if call.Attempt < 2 {
		return call.ProviderKey
	}
	return call.ProviderKey + "-" + strconv.Itoa(call.Attempt)
}
