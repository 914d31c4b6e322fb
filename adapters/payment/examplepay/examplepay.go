// Package examplepay takes payments at ExamplePay, a payment provider that does not exist. It is the template of an
// adapter: copy the folder, replace what FACTS.md says of ExamplePay by what your provider publishes, and follow
// adapters/payment/GUIDE.md of Cartwright. The numbers in comments are those of FACTS.md.
//
// An adapter translates, and decides nothing: whether money fits, which order it pays and what is refunded is
// decided by Cartwright from what Lookup and LookupRefund report.
package examplepay

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/collection"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// DefaultURL is where ExamplePay is, fact 1.
const DefaultURL = "https://api.examplepay.example/v1"

// credSecretKey is the name of the only credential of a connection.
const credSecretKey = "secretKey"

// methods are ExamplePay's payment methods by those that shops enable. FACTS.md, 3.
var methods = map[string]string{"CARD_KR": "card", "CARD_INTERNATIONAL": "card", "KAKAO_PAY": "wallet"}

// Provider is the adapter. It has no state of its own: several servers may call one provider.
type Provider struct {
	base   string
	client *payment.Client
}

var _ ports.Provider = (*Provider)(nil)

// New makes the adapter for ExamplePay at base, "" for DefaultURL. Without a client it can only be described.
func New(base string, client *payment.Client) *Provider {
	if base == "" {
		base = DefaultURL
	}
	return &Provider{base: strings.TrimSuffix(base, "/"), client: client}
}

// Describe says what shops can do with ExamplePay. The schema of connections, the checks of their credentials, the
// documentation and the doctor are made from it.
func (p *Provider) Describe() domain.Provider {
	kinds := []domain.Kind{domain.Hosted} // a page of the provider; the other kinds are explained in the guide
	return domain.Provider{
		Name: "examplepay", Title: "ExamplePay", Account: "shop id", Kinds: kinds,
		Methods: []string{"CARD_KR", "CARD_INTERNATIONAL", "KAKAO_PAY"},
		Credentials: []domain.Credential{
			{Name: credSecretKey, Doc: "secret key of the shop, in ExamplePay's console under API keys", Secret: true, For: kinds},
		},
		SignsWebhooks: true,                         // fact 12
		Limits:        domain.Limits{OrderName: 80}, // fact 3: longer names are cut before they arrive here
	}
}

// createRequest is the body of a request for a payment page. FACTS.md, 3.
type createRequest struct {
	Reference  string     `json:"reference"`
	Amount     int64      `json:"amount"`
	Currency   string     `json:"currency"`
	Title      string     `json:"title"`
	Method     string     `json:"method"`
	ReturnURL  string     `json:"returnUrl"`
	BuyerEmail string     `json:"buyerEmail,omitempty"`
	ExpiresAt  *time.Time `json:"expiresAt,omitempty"`
}

// journaled is what is written down of a close or a refund: the payment, which becomes part of the path, and the
// body that is sent. Do gets these bytes back, maybe in another process after a crash, and nothing else.
type journaled struct {
	Reference string          `json:"reference"`
	Body      json.RawMessage `json:"body"`
}

// refundRequest is the body of a refund. FACTS.md, 8: balance makes it a compare-and-set, so that two refunds that do not
// know of each other are never both made.
type refundRequest struct {
	Amount  int64  `json:"amount"`
	Balance int64  `json:"balance"`
	Reason  string `json:"reason"`
}

// Build makes the bytes of a request. They are stored before they are sent, so they must depend on nothing but the
// arguments: no clock, no random number, no counter.
func (p *Provider) Build(_ ports.Connection, r ports.ProviderRequest) ([]byte, error) {
	switch r := r.(type) {
	case ports.PrepareRequest:
		return buildCreate(r.PaymentRequest)
	case ports.CloseRequest:
		return json.Marshal(journaled{r.PaymentID, json.RawMessage("{}")})
	case ports.RefundRequest:
		body, err := json.Marshal(refundRequest{r.Amount.Minor, r.Remaining.Minor, r.Reason})
		if err != nil {
			return nil, err
		}
		return json.Marshal(journaled{r.PaymentID, body})
	case ports.ConfirmRequest: // only widgets are confirmed: the buyer pays on ExamplePay's page
	case ports.CaptureRequest, ports.VoidRequest: // the buyer's approval captures
	}
	return nil, payment.ErrOperation(r)
}

func buildCreate(req ports.PaymentRequest) ([]byte, error) {
	if req.Kind != domain.Hosted {
		return nil, payment.ErrKind(req.Kind)
	}
	method, known := methods[req.Method]
	if !known {
		return nil, domain.ErrMethodDisabled
	}
	body := createRequest{
		// Amounts are minor units, as ExamplePay's. Where a provider counts otherwise, convert here and in Lookup, and
		// refuse what does not come out whole.
		Reference: req.PaymentID, Amount: req.Amount.Minor, Currency: string(req.Amount.Currency),
		Title: req.OrderName, Method: method, ReturnURL: req.SuccessURL, BuyerEmail: req.Buyer.Email,
	}
	if !req.ExpiresAt.IsZero() {
		at := req.ExpiresAt.UTC()
		body.ExpiresAt = &at
	}
	return json.Marshal(body)
}

// Action is what the buyer's browser needs: for a hosted page its address, and nothing else. No secret belongs here.
func (p *Provider) Action(_ ports.Connection, req ports.PaymentRequest, prepared domain.Prepared) (collection.JSONValue, error) {
	if req.Kind != domain.Hosted {
		return nil, payment.ErrKind(req.Kind)
	}
	return map[string]any{"checkoutUrl": prepared.CheckoutURL}, nil
}

// Ready reports, without a call, whether one would be made now.
func (p *Provider) Ready(conn ports.Connection) error { return p.client.Ready(conn.ID) }
