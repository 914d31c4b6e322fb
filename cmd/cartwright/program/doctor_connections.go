package program

import (
	"context"
	"fmt"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/app/connections"
)

// shownConnections is how many problems of connections doctor names.
const shownConnections = 5

// checkConnections warns of enabled connections to payment providers that lack what their provider needs.
func (k *core) checkConnections(ctx context.Context, found *findings) {
	sandboxURL := k.config.SandboxURL
	if k.config.Mode != Production {
		sandboxURL = "http://127.0.0.1" // of the built-in one, which is not called
	}
	opener := connections.Opener{
		Vault: k.vault, Providers: k.providers(payment.NewClient(k.config.providerLimits(), nil), sandboxURL, ""),
	}
	problems, err := opener.Problems(ctx, k.store)
	if err != nil || len(problems) == 0 {
		found.record("payments", err, "enabled connections have what their providers need")
		return
	}
	text := strings.Join(problems[:min(len(problems), shownConnections)], "; ") + "."
	if more := len(problems) - shownConnections; more > 0 {
		text += fmt.Sprintf(" And %d more.", more)
	}
	found.warn("payments", text)
}
