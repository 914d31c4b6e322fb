package portone

import (
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// NextAction is what the browser needs: the URL of the hosted page, or the arguments of the SDK's
// requestPayment. Rules payments-10, payments-11.
func (p *Provider) NextAction(
	conn ports.Connection, kind string, req ports.PaymentRequest, prepared map[string]string,
) (collection.JSONValue, error) {
	switch kind {
	case "hosted_v2":
		return map[string]any{"checkoutUrl": prepared["checkoutUrl"]}, nil
	case "standard_v2":
		return payment.StandardAction(conn, conn.Credentials[credChannelKey], req), nil
	}
	return nil, fault.ErrInternal.WithCause(fmt.Errorf("portone: session kind %q", kind))
}
