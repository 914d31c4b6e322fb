package portone

import (
	"strconv"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/collection"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Action is what the browser needs: the URL of the hosted page, or the arguments of the SDK's
// requestPayment. Rules payments-10, payments-11.
func (p *Provider) Action(conn ports.Connection, req ports.PaymentRequest, prepared domain.Prepared) (collection.JSONValue, error) {
	if err := payment.CheckTaxFree(req); err != nil {
		return nil, err
	}
	switch req.Kind {
	case domain.Hosted:
		return map[string]any{"checkoutUrl": prepared.CheckoutURL}, nil
	case domain.Standard:
		act := payment.StandardAction(conn, conn.Credentials[credChannelKey], req)
		act["productType"] = "PRODUCT_TYPE_REAL" // Fact portone-27
		if req.Digital {
			act["productType"] = "PRODUCT_TYPE_DIGITAL"
		}
		if taxFree, vat := paymentTax(req); taxFree > 0 { // Fact portone-29
			act["taxFreeAmount"], act["vatAmount"] = jsonWon(taxFree), jsonWon(vat)
		}
		return act, nil
	case domain.Widget, domain.Custom:
	}
	return nil, payment.ErrKind(req.Kind)
}

func jsonWon(n int64) collection.JSONNumber { return collection.JSONNumber(strconv.FormatInt(n, 10)) }
