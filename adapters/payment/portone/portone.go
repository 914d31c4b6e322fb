// Package portone takes payments at PortOne V2: on its hosted page, or with its browser SDK. Facts portone-1
// to portone-32.
//
// # Tax-free amounts
//
// A payment in won that has a part without value added tax names it: to pre-register, which fixes it with the total, in the
// action of the SDK, and in each cancel, also as 0 where taxed goods are refunded. Facts portone-29, portone-30.
//
//   - Its VAT is named in the action, as the shop computed it or else an eleventh of the rest, and in each cancel its part of what
//     the cancels before left of that, ours and those of the console, so that the parts add up to the VAT of the payment. How
//     PortOne rounds is not published, so whoever names it once has to name it always. Payments of older versions, which do not
//     say their VAT, name an eleventh of what is left before a cancel less that of what is left after it.
//   - A hosted page takes neither: the payment is wholly taxed there, with a VAT that PortOne computed. Its cancels name
//     neither as well. A tax-free part would be refused, since the payment has none, and a VAT of our own might differ by a
//     won from what is left of PortOne's.
//   - Payments without a tax-free part, and those in other currencies, name neither: some gateways take both from shops with
//     a contract for it only, and may charge another amount from others. Fact portone-31.
package portone

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

const defaultBaseURL = "https://api.portone.io"

// The credentials of a connection.
const (
	credAPISecret  = "apiSecret"
	credChannelKey = "channelKey"
	credProfileKey = "profileKey"
	credCountry    = "country"
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
	TaxFree     int64  `json:"taxFreeAmount,omitempty"`
	Currency    string `json:"currency"`
}

type cancelRequest struct {
	taxParts

	StoreID                  string `json:"storeId"`
	Amount                   int64  `json:"amount"`
	CurrentCancellableAmount int64  `json:"currentCancellableAmount"`
	Reason                   string `json:"reason"`

	Account *refundAccount `json:"refundAccount,omitempty"`
	Email   string         `json:"refundEmail,omitempty"`
}

// pageTTL is how long a hosted page can be paid at most. It is shorter than the lifetime of PortOne's idempotency
// keys: while a page may be open, repeating the prepare returns that page, never a second one.
const (
	pageTTL     = 2 * time.Hour
	minPageLife = time.Minute
)

// ttl is how many seconds the page of a request can be paid.
func ttl(req ports.PaymentRequest) int64 {
	if req.ExpiresAt.IsZero() {
		return int64(pageTTL / time.Second)
	}
	return int64(req.ExpiresAt.Sub(req.AskedAt) / time.Second)
}

// Describe implements ports.Provider.
func (p *Provider) Describe() domain.Provider {
	return domain.Provider{
		Name: "portone", Title: "PortOne", Account: "the store id", Kinds: []domain.Kind{domain.Hosted, domain.Standard},
		Methods: domain.Methods, SignsWebhooks: true, Limits: domain.Limits{MinPageLife: minPageLife, MaxPageLife: pageTTL},
		Credentials: []domain.Credential{
			{Name: credAPISecret, Doc: "V2 API secret", Secret: true, For: []domain.Kind{domain.Hosted, domain.Standard}},
			{Name: credChannelKey, Doc: "key of the card channel", For: []domain.Kind{domain.Standard}},
			{Name: credProfileKey, Doc: "key of the checkout profile", For: []domain.Kind{domain.Hosted}},
			{Name: credCountry, Doc: "country of hosted pages that name none, ISO 3166-1 alpha-2; KR if missing"},
		},
		RefundAccounts: domain.RefundAccounts{
			Required: []string{methodVirtualAccount}, Accepted: []string{methodMobile}, Banks: bankCodes,
		},
		TaxFree: []domain.Kind{domain.Standard}, CashReceipts: []domain.Kind{domain.Standard}, VATCountry: "KR", VATPercent: 10,
	}
}

// Build implements ports.Provider. There is no confirm: a payment is captured when the buyer approves it.
func (p *Provider) Build(conn ports.Connection, r ports.ProviderRequest) ([]byte, error) {
	switch r := r.(type) {
	case ports.PrepareRequest:
		return prepare(conn, r.PaymentRequest)
	case ports.CloseRequest:
		x := storedCall{Payment: r.PaymentID}
		if r.ProviderSessionID != "" {
			x.Path = "/payment-sessions/" + url.PathEscape(r.ProviderSessionID) + "/close"
		}
		return json.Marshal(x)
	case ports.RefundRequest:
		if err := payment.CheckRefundTaxFree(r); err != nil {
			return nil, err
		}
		return encodeCall(r.PaymentID, "/payments/"+url.PathEscape(r.PaymentID)+"/cancel", newCancelRequest(conn, r))
	case ports.ConfirmRequest, ports.CaptureRequest, ports.VoidRequest:
	}
	return nil, payment.ErrOperation(r)
}

// prepare opens a hosted page. For a browser action it registers the amount with PortOne, since the browser
// could change it. A hosted session can be read without authentication, and what it says of the buyer with it, so it says
// nothing: the page asks the buyer itself. Facts portone-9, portone-10, portone-27.
func prepare(conn ports.Connection, req ports.PaymentRequest) ([]byte, error) {
	if err := payment.CheckTaxFree(req); err != nil {
		return nil, err
	}
	switch req.Kind {
	case domain.Hosted:
		return encodeCall(req.PaymentID, "/payment-sessions", hostedSessionRequest{
			StoreID: conn.AccountKey, PaymentID: req.PaymentID, ProfileKey: conn.Credentials[credProfileKey], Country: countryOf(conn, req),
			Currency: string(req.Amount.Currency), TotalAmount: req.Amount.Minor, OrderName: req.OrderName,
			PaymentMethod: req.Method, RedirectURL: req.SuccessURL, TTLSeconds: ttl(req),
		})
	case domain.Standard:
		taxFree, _ := paymentTax(req)
		return encodeCall(req.PaymentID, "/payments/"+url.PathEscape(req.PaymentID)+"/pre-register", preRegisterRequest{
			StoreID: conn.AccountKey, TotalAmount: req.Amount.Minor, TaxFree: taxFree, Currency: string(req.Amount.Currency),
		})
	case domain.Widget, domain.Custom:
	}
	return nil, payment.ErrKind(req.Kind)
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
