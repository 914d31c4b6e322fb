// Package portone takes payments at PortOne V2: on its hosted page, or with its browser SDK. Facts portone-1
// to portone-18.
package portone

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/fault"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

const defaultBaseURL = "https://api.portone.io"

// The credentials of a connection; its account key is the store id. Only the first is secret.
const (
	credAPISecret  = "apiSecret"
	credChannelKey = "channelKey" // standard sessions: the card channel
	credProfileKey = "profileKey" // hosted sessions: the checkout profile
	credCountry    = "country"    // default country of hosted sessions; "" is Korea
)

// Provider is the adapter. The channel and the profile of a connection must be of its environment: PortOne
// reports the environment with every payment, and a payment of the other one is never accepted.
type Provider struct {
	base   string
	client *payment.Client
}

var _ ports.Provider = (*Provider)(nil)

// New makes the adapter for PortOne at base, "" for the real one.
func New(base string, client *payment.Client) *Provider {
	return &Provider{base: strings.TrimSuffix(cmp.Or(base, defaultBaseURL), "/"), client: client}
}

// storedCall is the logged request of a call. PortOne names payments in its paths, so the path is stored with
// the body.
type storedCall struct {
	Payment string          `json:"payment"`        // our payment id
	Path    string          `json:"path,omitempty"` // "": no call is made
	Body    json.RawMessage `json:"body,omitempty"` // sent unchanged
}

// hostedSessionRequest, preRegisterRequest and cancelRequest are PortOne's requests. Amounts are minor units.
// Facts portone-8, portone-9, portone-15.
type hostedSessionRequest struct {
	StoreID       string `json:"storeId"`
	PaymentID     string `json:"paymentId"`
	ProfileKey    string `json:"profileKey"`
	Country       string `json:"country"`
	Currency      string `json:"currency"`
	TotalAmount   int64  `json:"totalAmount"`
	OrderName     string `json:"orderName"`
	PaymentMethod string `json:"paymentMethod,omitempty"`
	RedirectURL   string `json:"redirectUrl,omitempty"`
	TTLSeconds    int64  `json:"ttlSeconds"`
}

type preRegisterRequest struct {
	StoreID     string `json:"storeId"`
	TotalAmount int64  `json:"totalAmount"`
	Currency    string `json:"currency"`
}

type cancelRequest struct {
	StoreID                  string `json:"storeId"`
	Amount                   int64  `json:"amount"`
	CurrentCancellableAmount int64  `json:"currentCancellableAmount"`
	Reason                   string `json:"reason"`
}

// pageTTL is how long a hosted page can be paid. It is shorter than the lifetime of PortOne's idempotency
// keys: while a page may be open, repeating the prepare returns that page, never a second one.
const pageTTL = 2 * time.Hour

// BuildRequest builds the logged request of "prepare", "close" (args "providerSessionId" of a hosted page)
// and "refund". There is no "confirm": a payment is captured when the buyer approves it.
func (p *Provider) BuildRequest(conn ports.Connection, operation string, req ports.PaymentRequest, args map[string]string) ([]byte, error) {
	switch operation {
	case "prepare":
		return prepare(conn, req, args["kind"])
	case "close":
		x := storedCall{Payment: req.PaymentID}
		if id := args["providerSessionId"]; id != "" {
			x.Path = "/payment-sessions/" + url.PathEscape(id) + "/close"
		}
		return json.Marshal(x)
	case "refund":
		amount, err := strconv.ParseInt(args["amount"], 10, 64)
		remaining, err2 := strconv.ParseInt(args["remaining"], 10, 64)
		if err := errors.Join(err, err2); err != nil {
			return nil, fault.ErrInternal.WithCause(fmt.Errorf("portone: refund: %w", err))
		}
		return encodeCall(req.PaymentID, "/payments/"+url.PathEscape(req.PaymentID)+"/cancel",
			cancelRequest{conn.AccountKey, amount, remaining, args["reason"]})
	}
	return nil, fault.ErrInternal.WithCause(fmt.Errorf("portone: operation %q", operation))
}

// requiredCredentials is the credential that each kind of session needs.
var requiredCredentials = map[string]string{"hosted_v2": credProfileKey, "standard_v2": credChannelKey}

// prepare opens a hosted page. For a browser action it registers the amount with PortOne, since the browser
// could change it. A hosted session can be read without authentication, so it has no data of the buyer. Facts
// portone-9, portone-10. Errors: domain.ErrNotConfigured when the connection lacks the credential for its
// kind of session.
func prepare(conn ports.Connection, req ports.PaymentRequest, kind string) ([]byte, error) {
	if need, ok := requiredCredentials[kind]; ok && conn.Credentials[need] == "" {
		return nil, domain.ErrNotConfigured.WithCause(fmt.Errorf("portone: the connection has no %s", need))
	}
	switch kind {
	case "hosted_v2":
		return encodeCall(req.PaymentID, "/payment-sessions", hostedSessionRequest{
			StoreID: conn.AccountKey, PaymentID: req.PaymentID, ProfileKey: conn.Credentials[credProfileKey], Country: countryOf(conn, req),
			Currency: string(req.Amount.Currency), TotalAmount: req.Amount.Minor, OrderName: req.OrderName,
			PaymentMethod: req.Method, RedirectURL: req.SuccessURL, TTLSeconds: int64(pageTTL / time.Second),
		})
	case "standard_v2":
		return encodeCall(req.PaymentID, "/payments/"+url.PathEscape(req.PaymentID)+"/pre-register", preRegisterRequest{
			StoreID: conn.AccountKey, TotalAmount: req.Amount.Minor, Currency: string(req.Amount.Currency),
		})
	}
	return nil, fault.ErrInternal.WithCause(fmt.Errorf("portone: session kind %q", kind))
}

func countryOf(conn ports.Connection, req ports.PaymentRequest) string {
	for _, c := range []string{req.Country, conn.Credentials[credCountry]} {
		if c != "" {
			return c
		}
	}
	return "KR"
}

func encodeCall(payment, path string, body any) ([]byte, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return json.Marshal(storedCall{payment, path, raw})
}
