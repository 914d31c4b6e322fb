// Package portone takes payments at PortOne V2: on its hosted page, or by its browser SDK. Facts portone-1 to
// portone-18.
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

// The credentials of a connection, by name; its account key is the store id. Only the first is secret.
const (
	credAPISecret  = "apiSecret"
	credChannelKey = "channelKey" // standard sessions: the card channel
	credProfileKey = "profileKey" // hosted sessions: the checkout profile
	credCountry    = "country"    // hosted sessions that name none: where the buyers are, else Korea
)

// Provider is the adapter. The channel and the profile of a connection must be of its environment: PortOne says which it
// was with every payment, and a payment of the other environment is never taken for ours.
type Provider struct {
	base   string
	client *payment.Client
}

var _ ports.Provider = (*Provider)(nil)

// New makes the adapter of the provider at base; "" is PortOne itself.
func New(base string, client *payment.Client) *Provider {
	return &Provider{base: strings.TrimSuffix(cmp.Or(base, defaultBaseURL), "/"), client: client}
}

// storedCall is what the journal keeps of a call. PortOne names payments in its paths, so the path is frozen with the body.
type storedCall struct {
	Payment string          `json:"payment"`        // our payment id
	Path    string          `json:"path,omitempty"` // "": PortOne has no such call
	Body    json.RawMessage `json:"body,omitempty"` // sent as it stands here
}

// hostedSessionRequest, registration and cancellation are the requests as PortOne reads them. Amounts are minor
// units. Facts portone-8, portone-9, portone-15.
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

// pageTTL is how long a hosted page can be paid. It is shorter than PortOne remembers an idempotency key: while a page
// may be alive, the same prepare gives that page, never a second one.
const pageTTL = 2 * time.Hour

// BuildRequest makes the journaled bytes of "prepare", "close" (args "providerSessionId" of a hosted page) and "refund". There is
// no "confirm": a payment is captured as the buyer approves it.
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
		return encodeCall(req.PaymentID, "/payments/"+url.PathEscape(req.PaymentID)+"/cancel", cancelRequest{conn.AccountKey, amount, remaining, args["reason"]})
	}
	return nil, fault.ErrInternal.WithCause(fmt.Errorf("portone: operation %q", operation))
}

// requiredCredentials is the credential that tells PortOne who collects the money of each kind of session.
var requiredCredentials = map[string]string{"hosted_v2": credProfileKey, "standard_v2": credChannelKey}

// prepare opens a hosted page. For a browser action it tells PortOne the amount beforehand, which the browser could change.
// The hosted session is readable without authentication, so it holds nothing of the buyer. Facts portone-9,
// portone-10.
// Errors: domain.ErrNotConfigured where the account lacks what its kind of session is opened with.
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
