package portone

import (
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Action is what the browser needs: the address of the hosted page, or the arguments of the SDK's requestPayment. Contract 8.
func (p *Provider) Action(conn ports.Connection, kind string, req ports.PaymentRequest, prepared map[string]string) (collection.Tree, error) {
	switch kind {
	case "hosted_v2":
		return map[string]any{"checkoutUrl": prepared["checkoutUrl"]}, nil
	case "standard_v2":
		return payment.StandardAction(conn, conn.Credentials[channelKey], req), nil
	}
	return nil, fault.ErrInternal.Because(fmt.Errorf("portone: session kind %q", kind))
}
