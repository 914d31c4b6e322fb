package bank

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"time"
)

// The modes of a payment: how its buyer gets to the payment page and what captures it.
const (
	modeWidget   = "widget"   // approved by the buyer, captured by the shop's confirm call
	modeHosted   = "hosted"   // captured as soon as the buyer approves on our page
	modeStandard = "standard" // the same from a browser action, which cannot be closed before it has a virtual account
)

// The states of a payment.
const (
	statusReady      = "READY"
	statusInProgress = "IN_PROGRESS" // approved by the buyer, not captured yet
	statusAuthorized = "AUTHORIZED"  // held for the shop, which captures or voids it
	statusPaid       = "PAID"
	statusFailed     = "FAILED" // declined; the buyer may try again
	statusCanceled   = "CANCELED"
	statusExpired    = "EXPIRED"
	statusRefunded   = "REFUNDED"
	statusPartial    = "PARTIAL_REFUNDED"
	statusWaiting    = "WAITING_FOR_DEPOSIT" // its virtual account is open
)

// payment is one payment as it is stored. Amounts are minor units of Currency.
type payment struct {
	Account     string         `json:"account"`
	ID          string         `json:"id"`
	Session     string         `json:"sessionId"`
	Mode        string         `json:"mode"`
	Status      string         `json:"status"`
	Amount      int64          `json:"amount"`
	Currency    string         `json:"currency"`
	TaxFree     int64          `json:"taxFree,omitempty"` // the part of Amount without value added tax
	OrderName   string         `json:"orderName"`
	Method      string         `json:"method"` // the shop asked for
	Transfer    *transfer      `json:"transfer,omitempty"`
	SuccessURL  string         `json:"successUrl"`
	FailURL     string         `json:"failUrl"`
	WebhookURL  string         `json:"webhookUrl"`
	Webhooks    string         `json:"webhooks"`          // the delivery plan the buyer chose
	PaymentKey  string         `json:"paymentKey"`        // proof of the buyer's approval
	Capture     string         `json:"capture,omitempty"` // captureManual, or "" for at once
	Held        int64          `json:"held,omitempty"`    // that was authorized
	HeldUntil   time.Time      `json:"heldUntil"`
	Captured    int64          `json:"captured"`
	Refunded    int64          `json:"refunded"`
	Refunds     []refundRecord `json:"refunds,omitempty"`
	Disputes    []dispute      `json:"disputes,omitempty"`
	FailureCode string         `json:"failureCode"`
	CreatedAt   time.Time      `json:"createdAt"`
	ExpiresAt   time.Time      `json:"expiresAt"`
	PaidAt      time.Time      `json:"paidAt"`
}

// refusal is a 4xx answer: a code for programs and a message for people.
type refusal struct {
	status  int
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (r *refusal) Error() string { return r.Code + ": " + r.Message }

func refuse(status int, code, format string, args ...any) *refusal {
	return &refusal{status, code, fmt.Sprintf(format, args...)}
}

var (
	errUnknownPayment = refuse(http.StatusNotFound, "NOT_FOUND_PAYMENT", "There is no such payment.")
	errAlreadyPaid    = refuse(http.StatusConflict, "ALREADY_PROCESSED_PAYMENT", "The payment is already paid.")
	errNotOpen        = refuse(http.StatusConflict, "PAYMENT_NOT_OPEN", "The payment is closed or has expired.")
)

// registerRequest is the body of a register call.
type registerRequest struct {
	ID         string    `json:"id"`
	Amount     int64     `json:"amount"`
	Currency   string    `json:"currency"`
	TaxFree    int64     `json:"taxFree"`
	OrderName  string    `json:"orderName"`
	Method     string    `json:"method"`
	Mode       string    `json:"mode"`
	SuccessURL string    `json:"successUrl"`
	FailURL    string    `json:"failUrl"`
	WebhookURL string    `json:"webhookUrl"`
	Capture    string    `json:"capture"`
	ExpiresAt  time.Time `json:"expiresAt"`
}

var (
	paymentIDPattern = regexp.MustCompile(`^[A-Za-z0-9]{6,40}$`)
	currencyPattern  = regexp.MustCompile(`^[A-Z]{3}$`)
)

const maxAmount = 1_000_000_000_000

// newPayment checks a registration and makes the payment. It takes no customer data, so none can leak.
func (in registerRequest) newPayment(account, session string, now time.Time) (payment, error) {
	bad := func(field, message string) (payment, error) {
		return payment{}, refuse(http.StatusBadRequest, "INVALID_REQUEST", "%s: %s", field, message)
	}
	switch {
	case !paymentIDPattern.MatchString(in.ID):
		return bad("id", "6 to 40 letters and digits")
	case in.Amount <= 0 || in.Amount > maxAmount:
		return bad("amount", "a positive number of minor units")
	case in.TaxFree < 0 || in.TaxFree > in.Amount:
		return bad("taxFree", "a part of the amount")
	case !currencyPattern.MatchString(in.Currency):
		return bad("currency", "three capital letters")
	case in.OrderName == "" || len(in.OrderName) > 400:
		return bad("orderName", "1 to 400 bytes")
	case in.Mode != modeWidget && in.Mode != modeHosted && in.Mode != modeStandard:
		return bad("mode", "widget, hosted or standard")
	case in.Capture != "" && in.Capture != captureManual:
		return bad("capture", "manual, or nothing")
	case !isWebURL(in.SuccessURL):
		return bad("successUrl", "an http or https address")
	case in.FailURL != "" && !isWebURL(in.FailURL):
		return bad("failUrl", "an http or https address")
	case in.WebhookURL != "" && !isWebURL(in.WebhookURL):
		return bad("webhookUrl", "an http or https address")
	}
	return payment{
		Account: account, ID: in.ID, Session: session, Mode: in.Mode, Status: statusReady, Amount: in.Amount, Currency: in.Currency,
		OrderName: in.OrderName, Method: in.Method, SuccessURL: in.SuccessURL, FailURL: in.FailURL, WebhookURL: in.WebhookURL,
		Capture: in.Capture, Webhooks: planOnce, CreatedAt: now, ExpiresAt: in.ExpiresAt, TaxFree: in.TaxFree,
	}, nil
}

// isWebURL keeps javascript: URLs and the like, and URLs with credentials, out of our redirects.
func isWebURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil && len(s) <= 2048
}

// matches reports whether in requests the same payment as p.
func (p payment) matches(in registerRequest) bool {
	return p.Amount == in.Amount && p.Currency == in.Currency && p.OrderName == in.OrderName && p.Method == in.Method &&
		p.Mode == in.Mode && p.SuccessURL == in.SuccessURL && p.FailURL == in.FailURL && p.WebhookURL == in.WebhookURL && p.Capture == in.Capture &&
		p.TaxFree == in.TaxFree
}

// asOf is p at now: an unpaid one past its time has expired, which a virtual account and an authorized payment have of
// their own. Standard actions
// do not expire.
func (p payment) asOf(now time.Time) payment {
	switch p.Status {
	case statusReady, statusInProgress, statusFailed:
		if !p.ExpiresAt.IsZero() && p.Mode != modeStandard && !now.Before(p.ExpiresAt) {
			p.Status = statusExpired
		}
	case statusAuthorized:
		if !now.Before(p.HeldUntil) {
			p.Status = statusExpired
		}
	case statusWaiting:
		if !now.Before(p.Transfer.DueAt) {
			p.Status = statusExpired
		}
	}
	return p
}

// The outcomes a buyer can choose.
const (
	outcomeApprove  = "approve"
	outcomeTransfer = "virtual_account" // approve, and pay later to an account made for the payment
	outcomeDecline  = "decline"
	outcomeAbandon  = "abandon"
)

// decision is what a buyer chose.
type decision struct {
	Outcome string
	Plan    string        // of webhooks
	DueIn   time.Duration // a virtual account: how long it takes money
}

func (d decision) check() error {
	switch {
	case d.Outcome != outcomeApprove && d.Outcome != outcomeTransfer && d.Outcome != outcomeDecline && d.Outcome != outcomeAbandon:
		return refuse(http.StatusBadRequest, "INVALID_REQUEST", "outcome is approve, virtual_account, decline or abandon")
	case !knownPlan(d.Plan):
		return refuse(http.StatusBadRequest, "INVALID_REQUEST", "webhooks is once, twice, late, never or reversed")
	case d.DueIn < time.Hour || d.DueIn > maxDueIn:
		return refuse(http.StatusBadRequest, "INVALID_REQUEST", "dueInHours is 1 to %d", maxDueIn/time.Hour)
	}
	return nil
}

// decide applies the buyer's decision: p is as of now, key is a fresh payment key.
func (p payment) decide(d decision, key string, now time.Time) (payment, error) {
	switch {
	case d.Outcome == outcomeAbandon:
		return p, nil
	case p.Status == statusCanceled || p.Status == statusExpired:
		return p, errNotOpen
	case d.Outcome == outcomeDecline && p.Status != statusReady && p.Status != statusFailed:
		return p, errAlreadyPaid
	case d.Outcome == outcomeDecline:
		p.Status, p.FailureCode, p.Webhooks = statusFailed, "PAY_DECLINED", d.Plan
		return p, nil
	case p.Status != statusReady && p.Status != statusFailed:
		return p, nil // approved before: the same answer again
	}
	p.Status, p.FailureCode, p.PaymentKey, p.Webhooks = statusInProgress, "", key, d.Plan
	if d.Outcome == outcomeTransfer {
		p.Transfer = &transfer{DueIn: d.DueIn}
	}
	if p.Mode != modeWidget {
		return p.complete(p.Amount, now), nil
	}
	return p, nil
}

// complete ends an approved payment on the side of the buyer: it is captured or authorized, or gets its virtual account.
func (p payment) complete(amount int64, now time.Time) payment {
	switch {
	case p.Transfer != nil:
		return p.issueAccount(now)
	case p.Capture == captureManual:
		return p.authorize(amount, now)
	}
	return p.capture(amount, now)
}

func (p payment) capture(amount int64, now time.Time) payment {
	p.Status, p.Captured, p.PaidAt = statusPaid, amount, now
	return p
}

// paid reports whether money was captured, even if it was refunded later.
func (p payment) paid() bool {
	return p.Status == statusPaid || p.Status == statusPartial || p.Status == statusRefunded
}

// confirmRequest is the body of a confirm call.
type confirmRequest struct {
	PaymentKey string `json:"paymentKey"`
	OrderID    string `json:"orderId"`
	Amount     int64  `json:"amount"`
	Currency   string `json:"currency"`
}

// confirmed reports whether a confirmation of p was executed already.
func (p payment) confirmed() bool {
	return p.paid() || p.Status == statusWaiting || p.Status == statusAuthorized
}

// checkConfirm checks a confirmation of p as of now. A payment that is confirmed already passes and is the answer.
func (p payment) checkConfirm(in confirmRequest) error {
	switch {
	case in.OrderID != p.ID || p.PaymentKey != "" && in.PaymentKey != p.PaymentKey:
		return refuse(http.StatusBadRequest, "PAYMENT_KEY_MISMATCH", "The key does not belong to this payment.")
	case in.Amount != p.Amount || in.Currency != p.Currency:
		return refuse(http.StatusBadRequest, "AMOUNT_MISMATCH", "The amount differs from the one the buyer approved.")
	case p.confirmed():
		return nil
	case p.Status == statusCanceled || p.Status == statusExpired:
		return errNotOpen
	case p.Status != statusInProgress:
		return refuse(http.StatusConflict, "PAYMENT_NOT_APPROVED", "The buyer has not approved the payment.")
	}
	return nil
}

// closed closes an unpaid payment. Closing is idempotent.
func (p payment) closed() (payment, error) {
	switch {
	case p.Status == statusCanceled:
		return p, nil
	case p.paid():
		return p, errAlreadyPaid
	case p.Status == statusAuthorized:
		return p, errAuthorized
	case p.Mode == modeStandard && p.Status != statusWaiting:
		return p, refuse(http.StatusConflict, "NOT_CLOSABLE", "A browser action cannot be withdrawn.")
	}
	p.Status = statusCanceled
	return p, nil
}

func approves(outcome string) bool { return outcome == outcomeApprove || outcome == outcomeTransfer }

// returnURL is where the buyer's browser is sent after outcome. It proves nothing to the shop.
func (p payment) returnURL(outcome string) string {
	to, query := p.SuccessURL, url.Values{}
	query.Set("orderId", p.ID)
	switch {
	case approves(outcome) && p.Mode == modeWidget:
		query.Set("paymentKey", p.PaymentKey)
		query.Set("amount", majorUnits(p.Amount, p.Currency))
	case outcome == outcomeDecline:
		query.Set("code", "PAY_DECLINED")
		query.Set("message", "The payment was declined.")
	case outcome == outcomeAbandon:
		query.Set("code", "PAY_PROCESS_CANCELED")
		query.Set("message", "The buyer left the payment page.")
	}
	if p.Mode != modeWidget {
		query.Del("orderId")
		query.Set("paymentId", p.ID)
	}
	if !approves(outcome) && p.FailURL != "" {
		to = p.FailURL
	}
	u, err := url.Parse(to)
	if err != nil {
		return to // checked at registration
	}
	kept := u.Query()
	for k := range query {
		kept.Set(k, query.Get(k))
	}
	u.RawQuery = kept.Encode()
	return u.String()
}
