// Package toss takes payments with the widget of Toss Payments. The buyer approves in the browser, and no
// money moves before our confirm. Facts toss-1 to toss-25.
//
// The tax-free part of a payment is an argument of the widget's requestPayment and of nothing else: a confirm that has it is
// taken without it. So it is in the action, which the shop's page has to pass on, and in refunds. Facts toss-23, toss-24.
package toss

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// BaseURL is the API of Toss Payments.
const BaseURL = "https://api.tosspayments.com"

// The credentials of a connection: the two keys of a widget, in the connection's environment.
const (
	credClientKey = "clientKey" // browsers get it
	credSecretKey = "secretKey"
)

// Provider is the adapter.
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

// refundRequest is a cancellation, its payment, which Toss takes in the path, and the balance that the payment must
// have before. Toss would compare it too (refundableAmount), but has deprecated that. Fact toss-6.
type refundRequest struct {
	PaymentKey string          `json:"paymentKey"`
	Remaining  json.Number     `json:"remaining"`
	Cancel     json.RawMessage `json:"cancel"` // a cancelRequest, sent unchanged
}

type cancelRequest struct {
	Reason   string      `json:"cancelReason"`
	Amount   json.Number `json:"cancelAmount,omitempty"`
	TaxFree  json.Number `json:"taxFreeAmount,omitempty"` // of the amount; "" for 0. Fact toss-24
	Currency string      `json:"currency,omitempty"`      // of foreign payments: without it Toss refuses to cancel a part. Fact toss-13
	// RefundAccount is where the money of a virtual account goes. Fact toss-19.
	RefundAccount *refundAccount `json:"refundReceiveAccount,omitempty"`
}

const won money.Currency = "KRW"

const closeReason = "The shopper canceled the payment."

// Describe implements ports.Provider.
func (p *Provider) Describe() domain.Provider {
	widget := []domain.Kind{domain.Widget}
	return domain.Provider{
		Name: "toss", Title: "Toss Payments", Account: "the MID", Kinds: widget, Limits: domain.Limits{OrderName: 100, RefundReason: 200},
		Credentials: []domain.Credential{
			{Name: credClientKey, Doc: "client key of the widget", For: widget, Prefixes: []string{"test_gck_", "live_gck_"}},
			{Name: credSecretKey, Doc: "secret key of the widget", Secret: true, For: widget, Prefixes: []string{"test_gsk_", "live_gsk_"}},
		},
		RefundAccounts: domain.RefundAccounts{Required: []string{methodVirtualAccount}}, TaxFree: widget,
	}
}

// Build implements ports.Provider.
func (p *Provider) Build(_ ports.Connection, r ports.ProviderRequest) ([]byte, error) {
	switch r := r.(type) {
	case ports.PrepareRequest:
		if err := checkPayment(r.PaymentRequest); err != nil {
			return nil, err
		}
		return json.Marshal(orderRequest{OrderID: r.PaymentID})
	case ports.ConfirmRequest:
		if err := payment.CheckTaxFree(r.PaymentRequest); err != nil {
			return nil, err
		}
		return json.Marshal(confirmRequest{r.PaymentKey, r.PaymentID, majorUnits(r.Amount)})
	case ports.CloseRequest:
		return json.Marshal(orderRequest{r.PaymentID, &cancelRequest{Reason: closeReason}})
	case ports.RefundRequest:
		return buildRefund(r)
	case ports.CaptureRequest, ports.VoidRequest: // a confirm captures
	}
	return nil, payment.ErrOperation(r)
}

// checkPayment refuses a session that Toss does not have, and a tax-free part that is none.
func checkPayment(r ports.PaymentRequest) error {
	if r.Kind != domain.Widget {
		return payment.ErrKind(r.Kind)
	}
	return payment.CheckTaxFree(r)
}

func buildRefund(r ports.RefundRequest) ([]byte, error) {
	if r.ProviderPaymentID == "" {
		return nil, fault.ErrInternal.WithCause(errors.New("toss: a refund without a payment key"))
	}
	if err := payment.CheckRefundTaxFree(r); err != nil {
		return nil, err
	}
	cancel := cancelRequest{Reason: r.Reason, Amount: majorUnits(r.Amount)}
	if !r.TaxFree.IsZero() {
		cancel.TaxFree = majorUnits(r.TaxFree)
	}
	if r.Amount.Currency != won {
		cancel.Currency = string(r.Amount.Currency)
	}
	if a := r.Account; a != nil {
		cancel.RefundAccount = &refundAccount{a.Bank, a.Account, a.Holder}
	}
	body, err := json.Marshal(cancel)
	if err != nil {
		return nil, err
	}
	return json.Marshal(refundRequest{r.ProviderPaymentID, majorUnits(r.Remaining), body})
}

// majorUnits formats an amount as Toss does: a number of major units.
func majorUnits(m money.Money) json.Number { return json.Number(m.Major()) }

// Action is what the browser needs. The customer key is as unguessable as the payment id, and contains a
// character that is neither letter nor digit, as Toss requires.
func (p *Provider) Action(conn ports.Connection, req ports.PaymentRequest, _ domain.Prepared) (collection.JSONValue, error) {
	if err := checkPayment(req); err != nil {
		return nil, err
	}
	action := map[string]any{
		"type": "widget", "version": "widget_v1", "provider": conn.Provider, "clientKey": conn.Credentials[credClientKey],
		"customerKey": "buyer_" + req.PaymentID, "orderId": req.PaymentID, "orderName": req.OrderName,
		"amount":     map[string]any{"amount": collection.JSONNumber(req.Amount.Major()), "currency": string(req.Amount.Currency)},
		"setAmount":  map[string]any{"value": collection.JSONNumber(req.Amount.Major()), "currency": string(req.Amount.Currency)}, // Fact toss-20
		"successUrl": req.SuccessURL, "failUrl": req.FailURL,
	}
	if !req.TaxFree.IsZero() {
		action["taxFreeAmount"] = collection.JSONNumber(req.TaxFree.Major()) // Fact toss-23
	}
	return action, nil
}

var keyPattern = regexp.MustCompile(`^(test|live)_[A-Za-z0-9_-]{1,200}$`)

var environments = map[string]tenant.Environment{"test": tenant.Test, "live": tenant.Live}

// checkKeys refuses invalid keys. Toss does not report whether a payment is live; the keys determine it, so
// they must be those of the connection's environment.
func checkKeys(conn ports.Connection) error {
	for _, name := range []string{credClientKey, credSecretKey} {
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
