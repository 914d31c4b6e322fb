// Package sandbox takes payments at the sandbox provider, over HTTP like at any other provider. It shares no
// code with the provider in the folder below. Rule payments-34.
package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Name is the provider's name in connections.
const Name = "sandbox"

const credSecretKey = "secretKey"

// Provider is the adapter.
type Provider struct {
	base, webhookBase string
	client            *payment.Client
}

var _ ports.Provider = (*Provider)(nil)

// New makes the adapter for the provider at base, "http://127.0.0.1:4010". The provider sends webhooks to the
// API at notify, "http://127.0.0.1:8080/api"; "" disables them.
func New(base, notify string, client *payment.Client) *Provider {
	return &Provider{base: strings.TrimSuffix(base, "/"), webhookBase: strings.TrimSuffix(notify, "/"), client: client}
}

// webhookURL is where the provider sends webhooks about payments of a connection.
func (p *Provider) webhookURL(connection string) string {
	if p.webhookBase == "" {
		return ""
	}
	return p.webhookBase + "/providers/" + url.PathEscape(connection) + "/webhook"
}

// methodVirtualAccount is what the provider calls the method.
const methodVirtualAccount = "VIRTUAL_ACCOUNT"

// Describe implements ports.Provider.
func (p *Provider) Describe() domain.Provider {
	kinds := []domain.Kind{domain.Widget, domain.Hosted, domain.Standard}
	return domain.Provider{
		Name: Name, Title: "The sandbox", Account: "any name: 1 to 64 letters, digits, - and _", Kinds: kinds, Methods: domain.Methods,
		Credentials:   []domain.Credential{{Name: credSecretKey, Doc: "the account's secret, which the server fills in", Secret: true, For: kinds}},
		SignsWebhooks: true, CapturesLater: true, TaxFree: kinds, CashReceipts: []domain.Kind{domain.Standard},
		RefundAccounts: domain.RefundAccounts{Required: []string{methodVirtualAccount}},
	}
}

// paths are the provider's paths of each operation, below a payment.
var paths = map[string]string{
	ports.OpConfirm: "/confirm", ports.OpClose: "/close", ports.OpCapture: "/capture", ports.OpVoid: "/void", ports.OpRefund: "/cancel",
}

// Ready implements ports.Provider.
func (p *Provider) Ready(conn ports.Connection) error { return p.client.Ready(conn.ID) }

// Do implements ports.Provider.
func (p *Provider) Do(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	to := p.base + "/v1/payments"
	if suffix, ok := paths[call.Operation]; ok {
		var of orderReference
		if err := json.Unmarshal(call.Request, &of); err != nil {
			return ports.Outcome{}, fault.ErrInternal.WithCause(fmt.Errorf("sandbox: journaled request: %w", err))
		}
		to += "/" + url.PathEscape(of.OrderID) + suffix
	}
	header := authorization(conn)
	header.Set("Content-Type", "application/json")
	header.Set("Idempotency-Key", call.ProviderKey)
	answer, err := p.client.Do(ctx, payment.Request{
		Connection: conn.ID, Method: http.MethodPost, URL: to, Header: header, Body: call.Request,
	})
	if err != nil {
		return ports.Outcome{}, err
	}
	got, err := parseResponse(answer)
	if err != nil {
		return ports.Outcome{}, err
	}
	out := ports.Outcome{Status: got.Status, Prepared: domain.Prepared{SessionID: got.SessionID, CheckoutURL: got.URL}}
	if call.Operation == ports.OpConfirm {
		confirmed := got.toPayment()
		out.Payment = &confirmed
	}
	return out, nil
}

// paymentResponse is the part of a payment that we use.
type paymentResponse struct {
	ID         string            `json:"id"`
	SessionID  string            `json:"sessionId"`
	PaymentKey string            `json:"paymentKey"`
	Account    string            `json:"account"`
	Channel    string            `json:"channel"`
	Mode       string            `json:"mode"`
	Status     string            `json:"status"`
	Amount     int64             `json:"amount"`
	HeldUntil  time.Time         `json:"heldUntil"`
	Fee        *int64            `json:"fee"`
	Refunded   int64             `json:"refunded"`
	Currency   string            `json:"currency"`
	Method     string            `json:"method"`
	URL        string            `json:"url"`
	ReceiptURL string            `json:"receiptUrl"`
	Refunds    []refundResponse  `json:"refunds"`
	Transfer   *virtualAccount   `json:"virtualAccount"`
	Disputes   []disputeResponse `json:"disputes"`
}

// virtualAccount is where the buyer pays.
type virtualAccount struct {
	Bank     string    `json:"bank"`
	BankCode string    `json:"bankCode"`
	Number   string    `json:"accountNumber"`
	Holder   string    `json:"holder"`
	DueAt    time.Time `json:"dueAt"`
}

// instructions are what the buyer has to do; nil unless the payment waits for a deposit.
func (r paymentResponse) instructions() *domain.Instructions {
	a := r.Transfer
	if r.Status != statusWaiting || a == nil || a.Number == "" {
		return nil
	}
	return &domain.Instructions{
		Bank: a.Bank, BankCode: a.BankCode, Account: a.Number, Holder: a.Holder, Amount: money.Of(r.Amount, money.Currency(r.Currency)),
		Due: a.DueAt,
	}
}

// refundResponse is a refund at the provider.
type refundResponse struct {
	ID     string `json:"id"`
	Key    string `json:"key"`
	Amount int64  `json:"amount"`
	Status string `json:"status"`

	TaxFree int64 `json:"taxFree"`
}

// parseResponse decodes an answer. Errors: ports.ErrProviderRejected for anything but success,
// ports.ErrProviderUnavailable for a success that cannot be decoded: the provider may have acted, with an
// unknown result.
func parseResponse(a payment.Response) (paymentResponse, error) {
	if !a.Success() {
		return paymentResponse{}, rejection(a)
	}
	var got paymentResponse
	if err := json.Unmarshal(a.Body, &got); err != nil {
		return paymentResponse{}, ports.ErrProviderUnavailable.WithCause(fmt.Errorf("sandbox: answer: %w", err))
	}
	if got.ID == "" {
		return paymentResponse{}, ports.ErrProviderUnavailable.WithCause(errors.New("sandbox: the answer has no payment"))
	}
	return got, nil
}

func rejection(a payment.Response) error {
	code := errorCode(a)
	return ports.ErrProviderRejected.WithData("providerCode", code).WithCause(fmt.Errorf("sandbox answered %d %s", a.Status, code))
}

func errorCode(a payment.Response) string {
	var said struct {
		Code string `json:"code"`
	}
	if json.Unmarshal(a.Body, &said) != nil || said.Code == "" {
		return "HTTP_" + strconv.Itoa(a.Status)
	}
	return said.Code
}

// statusWaiting is the state of a payment whose virtual account waits for its deposit.
const statusWaiting = "WAITING_FOR_DEPOSIT"

// providerStates maps the provider's states to ours. A refunded payment is unknown to settle and requires
// attention.
var providerStates = map[string]ports.ProviderState{
	"READY": ports.ProviderOpen, "IN_PROGRESS": ports.ProviderProcessing, "PAID": ports.ProviderPaid,
	"AUTHORIZED": ports.ProviderAuthorized,
	"FAILED":     ports.ProviderFailed, "EXPIRED": ports.ProviderExpired, "CANCELED": ports.ProviderCanceled,
	statusWaiting: ports.ProviderProcessing,
}

// Lookup looks a payment up by our id. The provider's own id is the payment key of a widget payment,
// and our payment id otherwise, as at the providers that the sandbox imitates (Facts portone-13, toss-5).
func (p *Provider) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	got, known, err := p.find(ctx, conn, ref.PaymentID)
	if err != nil {
		return ports.ProviderPayment{}, err
	}
	if !known {
		return ports.ProviderPayment{
			State: ports.ProviderAbsent, PaymentID: ref.PaymentID, AccountKey: conn.AccountKey, Environment: conn.Environment,
		}, nil
	}
	return got.toPayment(), nil
}

// toPayment converts a payment.
func (got paymentResponse) toPayment() ports.ProviderPayment {
	state, known := providerStates[got.Status]
	if !known {
		state = ports.ProviderUnknown
	}
	found := ports.ProviderPayment{
		State: state, PaymentID: got.ID, ProviderID: got.ID, AccountKey: got.Account, Environment: tenant.Live,
		Amount: money.Of(got.Amount, money.Currency(got.Currency)), Until: got.HeldUntil, Method: got.Method, ReceiptURL: got.ReceiptURL,
		Refunded: money.Of(got.Refunded, money.Currency(got.Currency)), Instructions: got.instructions(),
	}
	if got.Fee != nil {
		fee := money.Of(*got.Fee, found.Amount.Currency)
		found.Settled = domain.Settled{Net: found.Amount.Minus(fee), Fee: fee}
	}
	for _, r := range got.Refunds {
		found.Refunds = append(found.Refunds, r.toRefund(found.Amount.Currency))
	}
	for _, d := range got.Disputes {
		d.addTo(&found)
	}
	if got.Mode == "widget" {
		found.ProviderID = got.PaymentKey
	}
	if got.Channel == "TEST" {
		found.Environment = tenant.Test
	}
	return found
}

// find gets a payment by our id; known is false when the provider does not know it.
func (p *Provider) find(ctx context.Context, conn ports.Connection, id string) (got paymentResponse, known bool, err error) {
	answer, err := p.client.Do(ctx, payment.Request{
		Connection: conn.ID, Method: http.MethodGet, URL: p.base + "/v1/payments/" + url.PathEscape(id), Header: authorization(conn),
		Lookup: true,
	})
	if err != nil {
		return paymentResponse{}, false, err
	}
	if answer.Status == http.StatusNotFound && errorCode(answer) == "NOT_FOUND_PAYMENT" {
		return paymentResponse{}, false, nil
	}
	got, err = parseResponse(answer)
	return got, err == nil, err
}

var refundStates = map[string]ports.RefundState{
	"DONE": ports.RefundSucceeded, "REQUESTED": ports.RefundPending, "FAILED": ports.RefundFailed,
}

// LookupRefund finds a refund by its id, or by the key of its call.
func (p *Provider) LookupRefund(ctx context.Context, conn ports.Connection, ref ports.RefundRef) (ports.ProviderRefund, error) {
	got, _, err := p.find(ctx, conn, ref.PaymentID)
	if err != nil {
		return ports.ProviderRefund{}, err
	}
	for _, r := range got.Refunds {
		if r.ID != ref.ProviderID && (ref.ProviderID != "" || r.Key != ref.Key) {
			continue
		}
		return r.toRefund(money.Currency(got.Currency)), nil
	}
	return ports.ProviderRefund{State: ports.RefundAbsent}, nil
}

// toRefund converts a refund.
func (r refundResponse) toRefund(c money.Currency) ports.ProviderRefund {
	state, known := refundStates[r.Status]
	if !known {
		state = ports.RefundPending
	}
	refund := ports.ProviderRefund{State: state, ProviderID: r.ID, Amount: money.Of(r.Amount, c), TaxFree: money.Of(r.TaxFree, c)}
	if state == ports.RefundSucceeded {
		refund.Settled = domain.Settled{Net: money.Of(-r.Amount, c), Fee: money.Of(0, c)}
	}
	return refund
}

func authorization(conn ports.Connection) http.Header {
	return payment.BasicAuthHeader(conn.Credentials[credSecretKey])
}

// Action is what the browser needs. Rule payments-1.
func (p *Provider) Action(conn ports.Connection, req ports.PaymentRequest, prepared domain.Prepared) (collection.JSONValue, error) {
	if err := payment.CheckTaxFree(req); err != nil {
		return nil, err
	}
	amount := map[string]any{"amount": collection.JSONNumber(req.Amount.Major()), "currency": string(req.Amount.Currency)}
	switch req.Kind {
	case domain.Widget:
		return map[string]any{
			"type": "widget", "version": "widget_v1", "provider": conn.Provider, "clientKey": "sandbox_ck_" + conn.AccountKey,
			"customerKey": "buyer_" + req.PaymentID, "orderId": req.PaymentID, "orderName": req.OrderName, "amount": amount,
			"successUrl": req.SuccessURL, "failUrl": req.FailURL,
		}, nil
	case domain.Hosted:
		return map[string]any{"checkoutUrl": prepared.CheckoutURL}, nil
	case domain.Standard:
		return payment.StandardAction(conn, "sandbox_channel_"+conn.AccountKey, req), nil
	case domain.Custom:
	}
	return nil, payment.ErrKind(req.Kind)
}

// Hint reads {id, type, data{paymentId}}, signed by the Standard Webhooks specification.
func (p *Provider) Hint(_ ports.Connection, secrets []string, n ports.ProviderWebhook) (ports.WebhookHint, error) {
	id, err := payment.VerifyStandardWebhook(secrets, n)
	if err != nil {
		return ports.WebhookHint{}, ports.ErrWebhookSignature.WithCause(err)
	}
	var event struct {
		Type string `json:"type"`
		Data struct {
			PaymentID string `json:"paymentId"`
		} `json:"data"`
	}
	if err := json.Unmarshal(n.Body, &event); err != nil {
		return ports.WebhookHint{}, fault.ErrMalformed.WithCause(err)
	}
	hint := ports.WebhookHint{EventID: id}
	for _, about := range []string{"Cancel", "Reversed", "Dispute", "Authorization"} {
		hint.MayConcernBooked = hint.MayConcernBooked || strings.Contains(event.Type, about)
	}
	if event.Data.PaymentID != "" {
		hint.Payments = []ports.PaymentRef{{PaymentID: event.Data.PaymentID}}
	}
	return hint, nil
}
