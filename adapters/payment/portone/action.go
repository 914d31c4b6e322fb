package portone

import (
	"fmt"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Action is what the browser needs: the address of the hosted page, or the arguments of the SDK's requestPayment, which
// spells currencies its own way. Contract 8, Reference payments 1.2.
func (p *Provider) Action(conn ports.Connection, kind string, req ports.PaymentRequest, prepared map[string]string) (collection.Tree, error) {
	switch kind {
	case "hosted_v2":
		return map[string]any{"checkoutUrl": prepared["checkoutUrl"]}, nil
	case "standard_v2":
		return map[string]any{
			"type": "requestPayment", "version": "standard_v2", "storeId": conn.AccountKey, "channelKey": conn.Credentials[channelKey],
			"paymentId": req.PaymentID, "orderName": req.OrderName, "totalAmount": collection.Numeral(strconv.FormatInt(req.Amount.Minor, 10)),
			"currency": "CURRENCY_" + string(req.Amount.Currency), "payMethod": "CARD", "redirectUrl": req.SuccessURL,
			"customer": map[string]any{"fullName": req.CustomerName, "email": req.Email},
		}, nil
	}
	return nil, fault.ErrInternal.Because(fmt.Errorf("portone: session kind %q", kind))
}
