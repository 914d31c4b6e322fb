package portone

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// paymentResponse is the part of a PortOne payment that we use. Numbers stay text until they are parsed as
// minor units. Facts portone-13, portone-14.
type paymentResponse struct {
	Status  string `json:"status"`
	ID      string `json:"id"`
	StoreID string `json:"storeId"`
	Channel struct {
		Type string `json:"type"`
	} `json:"channel"`
	Amount struct {
		Total     json.Number `json:"total"`
		Cancelled json.Number `json:"cancelled"`
	} `json:"amount"`
	// Currency is KRW here and CURRENCY_KRW in the browser.
	Currency string `json:"currency"`
	Method   struct {
		virtualAccount

		Type     string `json:"type"`
		Provider string `json:"provider"`
	} `json:"method"`
	ReceiptURL    string                 `json:"receiptUrl"`
	CashReceipt   *cashReceipt           `json:"cashReceipt"`
	Escrow        json.RawMessage        `json:"escrow"` // there is one
	Cancellations []cancellationResponse `json:"cancellations"`
	Disputes      []disputeResponse      `json:"disputes"`
}

// cancellationResponse is a refund at PortOne.
type cancellationResponse struct {
	Status      string      `json:"status"`
	ID          string      `json:"id"`
	TotalAmount json.Number `json:"totalAmount"`
	TaxFree     json.Number `json:"taxFreeAmount"`
	VAT         json.Number `json:"vatAmount"`
}

// paymentIDPattern is the form of our payment ids. Others are not looked up, since they could change the
// path.
var paymentIDPattern = regexp.MustCompile(`^[A-Za-z0-9]{6,40}$`)

const statusAwaitingDeposit = "VIRTUAL_ACCOUNT_ISSUED"

// providerStates maps PortOne's states to ours. Lists spell the second one differently than single payments.
// A partly canceled payment is unknown and requires attention: it is neither fully paid nor fully refunded.
var providerStates = map[string]ports.ProviderState{
	"READY": ports.ProviderOpen, "PENDING": ports.ProviderProcessing, "PAY_PENDING": ports.ProviderProcessing,
	statusAwaitingDeposit: ports.ProviderProcessing, "PAID": ports.ProviderPaid, "FAILED": ports.ProviderFailed,
	"CANCELLED": ports.ProviderCanceled, "PARTIAL_CANCELLED": ports.ProviderUnknown,
}

func (s paymentResponse) providerState() ports.ProviderState {
	state, known := providerStates[s.Status]
	if !known {
		return ports.ProviderUnknown
	}
	return state
}

// Lookup looks the payment up and, while nothing is paid, its page. An expired page ends an unpaid
// payment; the buyer may have paid just before, so the payment is then looked up once more.
func (p *Provider) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	found, err := p.lookupPayment(ctx, conn, ref.PaymentID)
	if err != nil || ref.ProviderSessionID == "" || ref == ports.NoPayment || !awaitsBuyer(found.State) { // a page proves no credentials
		return found, err
	}
	page, err := p.pageState(ctx, conn, ref.ProviderSessionID)
	if err != nil {
		return ports.ProviderPayment{}, err
	}
	switch {
	case page == ports.ProviderExpired, page == ports.ProviderAbsent && found.State != ports.ProviderAbsent:
		if found, err = p.lookupPayment(ctx, conn, ref.PaymentID); err == nil && awaitsBuyer(found.State) {
			found.State = ports.ProviderExpired
		}
	case found.State == ports.ProviderAbsent:
		found.State = page
	}
	return found, err
}

// awaitsBuyer reports whether a payment in this state waits for its buyer.
func awaitsBuyer(s ports.ProviderState) bool {
	return s == ports.ProviderAbsent || s == ports.ProviderOpen || s == ports.ProviderFailed
}

func (p *Provider) lookupPayment(ctx context.Context, conn ports.Connection, paymentID string) (ports.ProviderPayment, error) {
	s, known, err := p.payment(ctx, conn, paymentID)
	if err != nil {
		return ports.ProviderPayment{}, err
	}
	if !known {
		return ports.ProviderPayment{
			State: ports.ProviderAbsent, PaymentID: paymentID, AccountKey: conn.AccountKey, Environment: conn.Environment,
		}, nil
	}
	found := ports.ProviderPayment{
		State: s.providerState(), PaymentID: s.ID, ProviderID: s.ID, AccountKey: s.StoreID, Environment: s.environment(conn),
		Method: s.methodName(), ReceiptURL: safeURL(s.ReceiptURL),
		CashReceipt: s.CashReceipt.toPort(), Escrow: len(s.Escrow) > 0 && string(s.Escrow) != "null",
	}
	total, whole := parseMinorUnits(s.Amount.Total)
	found.Amount = money.Of(total, money.Currency(s.Currency))
	if s.Status == statusAwaitingDeposit && whole {
		found.Instructions = s.Method.instructions(found.Amount)
	}
	back, _ := parseMinorUnits(s.Amount.Cancelled)
	found.Refunded = money.Of(back, found.Amount.Currency)
	for _, c := range s.Cancellations {
		if amount, whole := parseMinorUnits(c.TotalAmount); whole {
			found.Refunds = append(found.Refunds, c.toRefund(money.Of(amount, found.Amount.Currency)))
		}
	}
	for _, d := range s.Disputes {
		found.Disputes = append(found.Disputes, d.toDispute())
	}
	if found.State == ports.ProviderPaid && (!whole || !found.Amount.Currency.Valid()) {
		found.State = ports.ProviderUnknown
	}
	return found, nil
}

// payment looks a payment up; known is false when PortOne does not know it.
func (p *Provider) payment(ctx context.Context, conn ports.Connection, paymentID string) (s paymentResponse, known bool, err error) {
	header, err := authorization(conn)
	if err != nil || !paymentIDPattern.MatchString(paymentID) {
		return s, false, err
	}
	answer, err := p.get(ctx, conn, "/payments/"+url.PathEscape(paymentID)+"?storeId="+url.QueryEscape(conn.AccountKey), header)
	switch {
	case err != nil:
		return s, false, err
	case answer.Status == http.StatusNotFound && refusalType(answer) == typeNoPayment:
		return s, false, nil
	case !answer.Success():
		return s, false, rejected(answer)
	}
	if err := json.Unmarshal(answer.Body, &s); err != nil {
		return s, false, unreadableResponse(err)
	}
	if s.ID == "" {
		return s, false, unreadableResponse(errors.New("it has no payment"))
	}
	return s, true, nil
}

// pageState is the state of a hosted page: open, expired or absent. The endpoint is public, so no secret is
// sent.
func (p *Provider) pageState(ctx context.Context, conn ports.Connection, sessionID string) (ports.ProviderState, error) {
	answer, err := p.get(ctx, conn, "/payment-sessions/"+url.PathEscape(sessionID), http.Header{"Accept": {"application/json"}})
	switch {
	case err != nil:
		return "", err
	case pageUnknown(answer):
		return ports.ProviderAbsent, nil
	case pageGone(answer):
		return ports.ProviderExpired, nil
	case !answer.Success():
		return "", rejected(answer)
	}
	return ports.ProviderOpen, nil
}

func (p *Provider) get(ctx context.Context, conn ports.Connection, path string, header http.Header) (payment.Response, error) {
	return p.client.Do(ctx, payment.Request{
		Connection: conn.ID, Method: http.MethodGet, URL: p.base + path, Header: header, Lookup: true, AcceptsServerError: isBankError,
	})
}

// environment is where the money moved; that of the connection for a payment without a channel that awaits
// its buyer.
func (s paymentResponse) environment(conn ports.Connection) tenant.Environment {
	switch s.Channel.Type {
	case "LIVE":
		return tenant.Live
	case "TEST":
		return tenant.Test
	}
	if awaitsBuyer(s.providerState()) {
		return conn.Environment
	}
	return ""
}

// methodName is the payment method in PortOne's terms: "KAKAOPAY", or "Card".
func (s paymentResponse) methodName() string {
	if s.Method.Provider != "" {
		return s.Method.Provider
	}
	return strings.TrimPrefix(s.Method.Type, "PaymentMethod")
}

// cancellable is the balance after all cancellations, requested ones included.
func (s paymentResponse) cancellable() (left int64, ok bool) {
	left, ok = parseMinorUnits(s.Amount.Total)
	for _, c := range s.Cancellations {
		if c.Status == statusFailed {
			continue
		}
		gone, whole := parseMinorUnits(c.TotalAmount)
		left, ok = left-gone, ok && whole
	}
	return left, ok
}

// parseMinorUnits parses whole minor units; ok is false for anything else.
func parseMinorUnits(n json.Number) (int64, bool) {
	v, err := strconv.ParseInt(string(n), 10, 64)
	return v, err == nil && v >= 0
}

// safeURL is raw if it may be shown to a buyer, else "".
func safeURL(raw string) string {
	if !payment.IsSafePageURL(raw) {
		return ""
	}
	return raw
}
