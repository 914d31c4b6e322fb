package payment

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// IsSafePageURL reports whether a provider's page URL may be shown to a buyer: https, with a host and without
// credentials.
func IsSafePageURL(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil
}

// ErrKind is the error of a kind of session that a provider does not have.
func ErrKind(k payment.Kind) error {
	return fault.ErrInternal.WithCause(fmt.Errorf("the provider has no sessions of kind %q", k))
}

// ErrOperation is the error of a request that a provider does not have.
func ErrOperation(r ports.ProviderRequest) error {
	return fault.ErrInternal.WithCause(fmt.Errorf("the provider has no request %T", r))
}

// BasicAuthHeader authenticates JSON requests with a secret key as the user name; the trailing colon is
// required.
func BasicAuthHeader(secretKey string) http.Header {
	r := http.Request{Header: http.Header{"Accept": {"application/json"}}}
	r.SetBasicAuth(secretKey, "")
	return r.Header
}

// StandardAction is the arguments of requestPayment of PortOne's SDK, which prefixes currencies. Rule
// payments-11, Facts portone-6, portone-8, portone-32.
func StandardAction(conn ports.Connection, channelKey string, req ports.PaymentRequest) map[string]any {
	action := map[string]any{
		"type": "requestPayment", "version": "standard_v2", "storeId": conn.AccountKey, "channelKey": channelKey,
		"paymentId": req.PaymentID, "orderName": req.OrderName,
		"totalAmount": collection.JSONNumber(strconv.FormatInt(req.Amount.Minor, 10)),
		"currency":    "CURRENCY_" + string(req.Amount.Currency), "payMethod": "CARD", "redirectUrl": req.SuccessURL,
		"customer": map[string]any{ // Fact portone-21
			"fullName": req.Buyer.Name, "email": req.Buyer.Email, "phoneNumber": req.Buyer.Phone,
		},
	}
	if asked := req.CashReceipt; asked != (payment.CashReceiptRequest{}) {
		for _, method := range []string{"transfer", "virtualAccount"} {
			action[method] = map[string]any{
				"cashReceiptType": strings.ToUpper(string(asked.Type)), "customerIdentifier": asked.Number,
			}
		}
	}
	return action
}
