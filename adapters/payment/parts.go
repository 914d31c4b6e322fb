package payment

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// IsPage reports whether a provider's address may be shown to a buyer: https, with a host and without credentials.
func IsPage(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil
}

// BasicHeader authorizes a request for JSON by a secret key that is the user name; the colon after it is not optional.
func BasicHeader(secretKey string) http.Header {
	r := http.Request{Header: http.Header{"Accept": {"application/json"}}}
	r.SetBasicAuth(secretKey, "")
	return r.Header
}

// StandardAction is the arguments of requestPayment of PortOne's SDK, which spells currencies its own way. Contract 8,
// Reference payments 1.2.
func StandardAction(conn ports.Connection, channelKey string, req ports.PaymentRequest) collection.Tree {
	return map[string]any{
		"type": "requestPayment", "version": "standard_v2", "storeId": conn.AccountKey, "channelKey": channelKey,
		"paymentId": req.PaymentID, "orderName": req.OrderName, "totalAmount": collection.Numeral(strconv.FormatInt(req.Amount.Minor, 10)),
		"currency": "CURRENCY_" + string(req.Amount.Currency), "payMethod": "CARD", "redirectUrl": req.SuccessURL,
		"customer": map[string]any{"fullName": req.CustomerName, "email": req.Email},
	}
}
