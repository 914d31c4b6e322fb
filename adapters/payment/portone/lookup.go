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

// statement is a payment as PortOne tells it; fields it may add are ignored. Numbers stay text until they are read as whole
// minor units. Reference payments 1.4.
type statement struct {
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
		Type     string `json:"type"`
		Provider string `json:"provider"`
	} `json:"method"`
	ReceiptURL    string      `json:"receiptUrl"`
	Cancellations []cancelled `json:"cancellations"`
}

// cancelled is money going back as PortOne tells it.
type cancelled struct {
	Status      string      `json:"status"`
	ID          string      `json:"id"`
	TotalAmount json.Number `json:"totalAmount"`
}

// idForm is how our payment ids look. Nothing else is asked for: it would be another path.
var idForm = regexp.MustCompile(`^[A-Za-z0-9]{6,40}$`)

// states puts PortOne's words into ours. Lists of payments spell the second one otherwise than payments do. Money that was
// given back in part is a person's business: neither all of it is there nor none.
var states = map[string]ports.ProviderState{
	"READY": ports.ProviderOpen, "PENDING": ports.ProviderProcessing, "PAY_PENDING": ports.ProviderProcessing,
	"VIRTUAL_ACCOUNT_ISSUED": ports.ProviderProcessing, "PAID": ports.ProviderPaid, "FAILED": ports.ProviderFailed,
	"CANCELLED": ports.ProviderCanceled, "PARTIAL_CANCELLED": ports.ProviderUnknown,
}

func (s statement) state() ports.ProviderState {
	state, known := states[s.Status]
	if !known {
		return ports.ProviderUnknown
	}
	return state
}

// Lookup asks for the payment, and while nothing is paid for the page it can be paid on. A page that is gone ends an unpaid
// payment; since the buyer may have paid as its last visitor, the payment is then asked for once more.
func (p *Provider) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	found, err := p.look(ctx, conn, ref.PaymentID)
	if err != nil || ref.ProviderSessionID == "" || !waits(found.State) {
		return found, err
	}
	page, err := p.page(ctx, conn, ref.ProviderSessionID)
	if err != nil {
		return ports.ProviderPayment{}, err
	}
	switch {
	case page == ports.ProviderExpired, page == ports.ProviderAbsent && found.State != ports.ProviderAbsent:
		if found, err = p.look(ctx, conn, ref.PaymentID); err == nil && waits(found.State) {
			found.State = ports.ProviderExpired
		}
	case found.State == ports.ProviderAbsent:
		found.State = page
	}
	return found, err
}

// waits reports whether a payment in a state waits for its buyer.
func waits(s ports.ProviderState) bool {
	return s == ports.ProviderAbsent || s == ports.ProviderOpen || s == ports.ProviderFailed
}

func (p *Provider) look(ctx context.Context, conn ports.Connection, paymentID string) (ports.ProviderPayment, error) {
	s, known, err := p.payment(ctx, conn, paymentID)
	if err != nil {
		return ports.ProviderPayment{}, err
	}
	if !known {
		return ports.ProviderPayment{State: ports.ProviderAbsent, PaymentID: paymentID, Account: conn.AccountKey, Environment: conn.Environment}, nil
	}
	found := ports.ProviderPayment{
		State: s.state(), PaymentID: s.ID, ProviderID: s.ID, Account: s.StoreID, Environment: s.environment(conn),
		Method: s.method(), ReceiptURL: webAddress(s.ReceiptURL),
	}
	total, whole := minor(s.Amount.Total)
	found.Amount = money.Of(total, money.Currency(s.Currency))
	back, _ := minor(s.Amount.Cancelled)
	found.Refunded = money.Of(back, found.Amount.Currency)
	for _, c := range s.Cancellations {
		if amount, whole := minor(c.TotalAmount); whole {
			found.Refunds = append(found.Refunds, c.told(money.Of(amount, found.Amount.Currency)))
		}
	}
	if found.State == ports.ProviderPaid && (!whole || !found.Amount.Currency.Valid()) {
		found.State = ports.ProviderUnknown
	}
	return found, nil
}

// payment is what PortOne knows of a payment of ours; known is false when it never heard of it.
func (p *Provider) payment(ctx context.Context, conn ports.Connection, paymentID string) (s statement, known bool, err error) {
	header, err := authorization(conn)
	if err != nil || !idForm.MatchString(paymentID) {
		return s, false, err
	}
	answer, err := p.ask(ctx, conn, "/payments/"+url.PathEscape(paymentID)+"?storeId="+url.QueryEscape(conn.AccountKey), header)
	switch {
	case err != nil:
		return s, false, err
	case answer.Status == http.StatusNotFound && refusalType(answer) == typeNoPayment:
		return s, false, nil
	case !answer.Success():
		return s, false, rejected(answer)
	}
	if err := json.Unmarshal(answer.Body, &s); err != nil {
		return s, false, unreadable(err)
	}
	if s.ID == "" {
		return s, false, unreadable(errors.New("it names no payment"))
	}
	return s, true, nil
}

// page is whether a hosted page can be paid on: open, expired or absent. PortOne tells that to anybody, so the secret stays
// here.
func (p *Provider) page(ctx context.Context, conn ports.Connection, sessionID string) (ports.ProviderState, error) {
	answer, err := p.ask(ctx, conn, "/payment-sessions/"+url.PathEscape(sessionID), http.Header{"Accept": {"application/json"}})
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

func (p *Provider) ask(ctx context.Context, conn ports.Connection, path string, header http.Header) (payment.Answer, error) {
	return p.client.Do(ctx, payment.Request{
		Connection: conn.ID, Method: http.MethodGet, URL: p.base + path, Header: header, Lookup: true, IsAnswer: ofTheBank,
	})
}

// environment is where the money moved. A payment that no channel took yet moved none anywhere.
func (s statement) environment(conn ports.Connection) tenant.Environment {
	switch s.Channel.Type {
	case "LIVE":
		return tenant.Live
	case "TEST":
		return tenant.Test
	}
	if waits(s.state()) {
		return conn.Environment
	}
	return ""
}

// method is the one used in PortOne's words: "KAKAOPAY", or "Card".
func (s statement) method() string {
	if s.Method.Provider != "" {
		return s.Method.Provider
	}
	return strings.TrimPrefix(s.Method.Type, "PaymentMethod")
}

// cancellable is what is left of a payment after everything that was cancelled, or is about to be.
func (s statement) cancellable() (left int64, ok bool) {
	left, ok = minor(s.Amount.Total)
	for _, c := range s.Cancellations {
		if c.Status == cancellationFails {
			continue
		}
		gone, whole := minor(c.TotalAmount)
		left, ok = left-gone, ok && whole
	}
	return left, ok
}

// minor reads whole minor units; anything else is no amount.
func minor(n json.Number) (int64, bool) {
	v, err := strconv.ParseInt(string(n), 10, 64)
	return v, err == nil && v >= 0
}

// webAddress is raw where a buyer may be shown it.
func webAddress(raw string) string {
	if !payment.IsPage(raw) {
		return ""
	}
	return raw
}
