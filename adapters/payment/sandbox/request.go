package sandbox

import (
	"encoding/json"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// registerRequest, confirmRequest, orderReference and refundRequest are the provider's requests.
type registerRequest struct {
	ID         string     `json:"id"`
	Amount     int64      `json:"amount"`
	Currency   string     `json:"currency"`
	TaxFree    int64      `json:"taxFree,omitempty"` // the part of amount without value added tax
	OrderName  string     `json:"orderName"`
	Method     string     `json:"method,omitempty"`
	Mode       string     `json:"mode"`
	SuccessURL string     `json:"successUrl"`
	FailURL    string     `json:"failUrl,omitempty"`
	WebhookURL string     `json:"webhookUrl,omitempty"`
	Capture    string     `json:"capture,omitempty"`
	ExpiresAt  *time.Time `json:"expiresAt,omitempty"`
}

type confirmRequest struct {
	PaymentKey string `json:"paymentKey"`
	OrderID    string `json:"orderId"`
	Amount     int64  `json:"amount"`
	Currency   string `json:"currency"`
}

type captureRequest struct {
	OrderID string `json:"orderId"`
	Amount  int64  `json:"amount"`
	TaxFree *int64 `json:"taxFree,omitempty"` // the part of amount without value added tax; nil of a payment without
}

type orderReference struct {
	OrderID string `json:"orderId"`
}

type refundRequest struct {
	OrderID   string `json:"orderId"`
	Amount    int64  `json:"amount"`
	Remaining int64  `json:"remaining"`
	Reason    string `json:"reason"`

	TaxFree *int64         `json:"taxFree,omitempty"`       // the part of amount without value added tax; nil of a payment without
	Account *refundAccount `json:"refundAccount,omitempty"` // of the buyer, for a payment by virtual account
}

type refundAccount struct {
	Bank   string `json:"bank"`
	Number string `json:"accountNumber"`
	Holder string `json:"holder"`
}

var modes = map[domain.Kind]string{domain.Widget: "widget", domain.Hosted: "hosted", domain.Standard: "standard"}

// Build implements ports.Provider.
func (p *Provider) Build(conn ports.Connection, r ports.ProviderRequest) ([]byte, error) {
	switch r := r.(type) {
	case ports.PrepareRequest:
		return p.buildRegister(conn, r.PaymentRequest)
	case ports.ConfirmRequest:
		if err := payment.CheckTaxFree(r.PaymentRequest); err != nil {
			return nil, err
		}
		return json.Marshal(confirmRequest{r.PaymentKey, r.PaymentID, r.Amount.Minor, string(r.Amount.Currency)})
	case ports.CloseRequest:
		return json.Marshal(orderReference{r.PaymentID})
	case ports.CaptureRequest:
		return buildCapture(r)
	case ports.VoidRequest:
		return json.Marshal(orderReference{r.PaymentID})
	case ports.RefundRequest:
		return buildRefund(r)
	}
	return nil, payment.ErrOperation(r)
}

func buildCapture(r ports.CaptureRequest) ([]byte, error) {
	if err := payment.CheckCaptureTaxFree(r); err != nil {
		return nil, err
	}
	capture := captureRequest{OrderID: r.PaymentID, Amount: r.Amount.Minor}
	if (r.AuthorizedTaxFree != money.Money{}) {
		capture.TaxFree = &r.TaxFree.Minor
	}
	return json.Marshal(capture)
}

func buildRefund(r ports.RefundRequest) ([]byte, error) {
	if err := payment.CheckRefundTaxFree(r); err != nil {
		return nil, err
	}
	refund := refundRequest{OrderID: r.PaymentID, Amount: r.Amount.Minor, Remaining: r.Remaining.Minor, Reason: r.Reason}
	if payment.HasTaxFreePart(r) {
		refund.TaxFree = &r.TaxFree.Minor
	}
	if a := r.Account; a != nil {
		refund.Account = &refundAccount{a.Bank, a.Account, a.Holder}
	}
	return json.Marshal(refund)
}

func (p *Provider) buildRegister(conn ports.Connection, req ports.PaymentRequest) ([]byte, error) {
	mode, ok := modes[req.Kind]
	if !ok {
		return nil, payment.ErrKind(req.Kind)
	}
	if err := payment.CheckTaxFree(req); err != nil {
		return nil, err
	}
	r := registerRequest{
		ID: req.PaymentID, Amount: req.Amount.Minor, Currency: string(req.Amount.Currency), TaxFree: req.TaxFree.Minor, OrderName: req.OrderName,
		Method: req.Method, Mode: mode, SuccessURL: req.SuccessURL, FailURL: req.FailURL,
		WebhookURL: p.webhookURL(conn.ID),
	}
	if req.CaptureLater {
		r.Capture = "manual"
	}
	if !req.ExpiresAt.IsZero() {
		at := req.ExpiresAt.UTC()
		r.ExpiresAt = &at
	}
	return json.Marshal(r)
}
