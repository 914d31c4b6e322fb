// Package toss takes payments with the widget of Toss Payments. The buyer approves in the browser, and no
// money moves before our confirm. Facts toss-1 to toss-12.
package toss

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// BaseURL is the API of Toss Payments.
const BaseURL = "https://api.tosspayments.com"

// Provider is the adapter. Connections need the credentials "clientKey", which browsers get, and "secretKey":
// the two keys of a widget, in the connection's environment. The account key is the MID.
type Provider struct {
	base   string
	client *payment.Client
}

var _ ports.Provider = (*Provider)(nil)

// New makes the adapter for Toss Payments at base, "" for BaseURL.
func New(base string, client *payment.Client) *Provider {
	return &Provider{base: strings.TrimSuffix(cmp.Or(base, BaseURL), "/") + "/v1/payments", client: client}
}

// orderRequest is how prepare and close name a payment. Nothing is registered with Toss before the buyer
// pays: prepare only checks our keys, and Cancel is what close sends for an account that waits for a deposit.
type orderRequest struct {
	OrderID string         `json:"orderId"`
	Cancel  *cancelRequest `json:"cancel,omitempty"`
}

type confirmRequest struct {
	PaymentKey string      `json:"paymentKey"`
	OrderID    string      `json:"orderId"`
	Amount     json.Number `json:"amount"`
}

// refundRequest is a cancellation and its payment, which Toss takes in the path.
type refundRequest struct {
	PaymentKey string          `json:"paymentKey"`
	Cancel     json.RawMessage `json:"cancel"`
}

type cancelRequest struct {
	Reason     string      `json:"cancelReason"`
	Amount     json.Number `json:"cancelAmount,omitempty"`
	Refundable json.Number `json:"refundableAmount,omitempty"` // the expected balance; Toss refuses if it differs
}

const closeReason = "The shopper canceled the payment."

// BuildRequest builds the request bytes of "prepare", "confirm", "close" and "refund".
func (p *Provider) BuildRequest(_ ports.Connection, operation string, req ports.PaymentRequest, args map[string]string) ([]byte, error) {
	switch {
	case operation == "prepare" && args["kind"] == "widget":
		return json.Marshal(orderRequest{OrderID: req.PaymentID})
	case operation == "confirm":
		return json.Marshal(confirmRequest{args["paymentKey"], req.PaymentID, majorUnits(req.Amount)})
	case operation == "close":
		return json.Marshal(orderRequest{req.PaymentID, &cancelRequest{Reason: closeReason}})
	case operation == "refund":
		return buildRefund(req, args)
	}
	return nil, fault.ErrInternal.WithCause(fmt.Errorf("toss: operation %q of kind %q", operation, args["kind"]))
}

func buildRefund(req ports.PaymentRequest, args map[string]string) ([]byte, error) {
	amount, err := strconv.ParseInt(args["amount"], 10, 64)
	remaining, err2 := strconv.ParseInt(args["remaining"], 10, 64)
	if args["providerPaymentId"] == "" {
		err = errors.Join(err, errors.New("no payment key"))
	}
	if err := errors.Join(err, err2); err != nil {
		return nil, fault.ErrInternal.WithCause(fmt.Errorf("toss: refund: %w", err))
	}
	body, err := json.Marshal(cancelRequest{
		args["reason"], majorUnits(money.Of(amount, req.Amount.Currency)), majorUnits(money.Of(remaining, req.Amount.Currency)),
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(refundRequest{args["providerPaymentId"], body})
}

// majorUnits formats an amount as Toss does: a number of major units.
func majorUnits(m money.Money) json.Number { return json.Number(m.Major()) }

// NextAction is what the browser needs. The customer key is as unguessable as the payment id, and contains a
// character that is neither letter nor digit, as Toss requires.
func (p *Provider) NextAction(
	conn ports.Connection, kind string, req ports.PaymentRequest, _ map[string]string,
) (collection.JSONValue, error) {
	if kind != "widget" {
		return nil, fault.ErrInternal.WithCause(fmt.Errorf("toss: session kind %q", kind))
	}
	return map[string]any{
		"type": "widget", "version": "widget_v1", "provider": conn.Provider, "clientKey": conn.Credentials["clientKey"],
		"customerKey": "buyer_" + req.PaymentID, "orderId": req.PaymentID, "orderName": req.OrderName,
		"amount":     map[string]any{"amount": collection.JSONNumber(req.Amount.Major()), "currency": string(req.Amount.Currency)},
		"successUrl": req.SuccessURL, "failUrl": req.FailURL,
	}, nil
}

var keyPattern = regexp.MustCompile(`^(test|live)_[A-Za-z0-9_-]{1,200}$`)

var environments = map[string]tenant.Environment{"test": tenant.Test, "live": tenant.Live}

// checkKeys refuses invalid keys. Toss does not report whether a payment is live; the keys determine it, so
// they must be those of the connection's environment.
func checkKeys(conn ports.Connection) error {
	for _, name := range []string{"clientKey", "secretKey"} {
		form := keyPattern.FindStringSubmatch(conn.Credentials[name])
		if form == nil {
			return reject("INVALID_API_KEY", fmt.Errorf("toss: the credential %s is no key", name))
		}
		if environments[form[1]] != conn.Environment {
			return reject("INVALID_API_KEY",
				fmt.Errorf("toss: the credential %s is a %s key of a %s connection", name, form[1], conn.Environment))
		}
	}
	return nil
}

func reject(code string, because error) error {
	return ports.ErrProviderRejected.WithData("providerCode", code).WithCause(because)
}
