package bank

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

const (
	maxBody       = 64 << 10
	maxKey        = 300
	effectTimeout = 30 * time.Second // limit of a call whose caller has gone
)

// paymentView is a payment as shops see it.
type paymentView struct {
	ID         string            `json:"id"`
	SessionID  string            `json:"sessionId"`
	PaymentKey string            `json:"paymentKey,omitempty"`
	Account    string            `json:"account"`
	Channel    string            `json:"channel"` // always TEST: the sandbox has no real money
	Mode       string            `json:"mode"`
	Status     string            `json:"status"`
	Amount     int64             `json:"amount"` // minor units: requested, held while authorized, or captured once paid
	HeldUntil  *time.Time        `json:"heldUntil,omitempty"`
	Fee        *int64            `json:"fee,omitempty"` // minor units that are kept of what was captured
	Refunded   int64             `json:"refunded"`
	Refunds    []refundRecord    `json:"refunds,omitempty"`
	Currency   string            `json:"currency"`
	TaxFree    int64             `json:"taxFree,omitempty"`
	OrderName  string            `json:"orderName"`
	Method     string            `json:"method,omitempty"`
	URL        string            `json:"url"` // the payment page
	ReceiptURL string            `json:"receiptUrl,omitempty"`
	Transfer   *transferView     `json:"virtualAccount,omitempty"`
	Disputes   []dispute         `json:"disputes,omitempty"`
	Failure    *refusal          `json:"failure,omitempty"`
	CreatedAt  time.Time         `json:"createdAt"`
	PaidAt     *time.Time        `json:"paidAt,omitempty"`
	ExpiresAt  *time.Time        `json:"expiresAt,omitempty"`
	Webhooks   []json.RawMessage `json:"webhooks,omitempty"`
}

func (b *Server) paymentView(r *http.Request, p payment) paymentView {
	base := b.PublicURL
	if base == "" {
		base = "http://" + r.Host
	}
	s := paymentView{
		ID: p.ID, SessionID: p.Session, PaymentKey: p.PaymentKey, Account: p.Account, Channel: "TEST", Mode: p.Mode, Status: p.Status,
		Amount: p.Amount, Refunded: p.Refunded, Refunds: p.Refunds, Currency: p.Currency, TaxFree: p.TaxFree, OrderName: p.OrderName, Method: p.methodUsed(),
		Transfer: p.transferView(), Disputes: p.Disputes, URL: base + "/sandbox/pay/" + p.Session, CreatedAt: p.CreatedAt,
	}
	if p.paid() {
		s.Amount, s.PaidAt, s.ReceiptURL, s.Fee = p.Captured, &p.PaidAt, s.URL, new(fee(p.Captured))
	}
	if s.HeldUntil = p.heldUntil(); s.HeldUntil != nil {
		s.Amount = p.Held
	}
	if p.FailureCode != "" {
		s.Failure = &refusal{Code: p.FailureCode, Message: "The buyer's payment was declined."}
	}
	if !p.ExpiresAt.IsZero() {
		s.ExpiresAt = &p.ExpiresAt
	}
	return s
}

// feePercent is what the sandbox keeps of each payment. Refunds are free, and give no fee back.
const feePercent = 3

// fee is what is kept of a captured amount, rounded down.
func fee(captured int64) int64 { return captured/100*feePercent + captured%100*feePercent/100 }

// call is an authenticated request of a shop.
type call struct {
	*http.Request

	ctx         context.Context //nolint:containedctx // continues when the caller disconnects
	account     string
	body        []byte
	fingerprint string
}

// authenticated authenticates a call and applies the faults that its account ordered.
func (b *Server) authenticated(do func(call) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c, err := b.readCall(w, r)
		if err != nil {
			b.reply(w, nil, err)
			return
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), effectTimeout)
		defer cancel()
		c.ctx = ctx
		wait, met, err := b.Store.takeFault(ctx, c.account)
		if err != nil {
			b.reply(w, nil, err)
			return
		}
		b.pause(r.Context(), wait)
		switch met {
		case faultHang:
			b.pause(r.Context(), b.HangTime)
			fallthrough
		case faultFail:
			b.reply(w, nil, refuse(http.StatusInternalServerError, "PROVIDER_ERROR", "Injected provider failure."))
			return
		default: // no fault
		}
		answer, err := do(c)
		if met == faultDrop {
			panic(http.ErrAbortHandler) // net/http closes the connection and logs nothing
		}
		b.reply(w, answer, err)
	}
}

func (b *Server) readCall(w http.ResponseWriter, r *http.Request) (call, error) {
	account, err := b.authenticate(r)
	if err != nil {
		return call{}, err
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return call{}, refuse(http.StatusRequestEntityTooLarge, "INVALID_REQUEST",
			"The body cannot be read or has more than %d bytes.", maxBody)
	}
	sum := sha256.Sum256([]byte(r.Method + "\x00" + r.URL.Path + "\x00" + string(body)))
	return call{Request: r, account: account, body: body, fingerprint: hex.EncodeToString(sum[:])}, nil
}

// idempotent runs a call once per idempotency key, and repeats its answer.
func (b *Server) idempotent(do func(call, *transaction) (payment, error)) func(call) (any, error) {
	return func(c call) (any, error) {
		key := c.Header.Get("Idempotency-Key")
		if key == "" || len(key) > maxKey {
			return nil, refuse(http.StatusBadRequest, "IDEMPOTENCY_KEY_REQUIRED", "Send an Idempotency-Key of 1 to %d characters.", maxKey)
		}
		return b.Store.answerOnce(c.ctx, c.account, key, c.fingerprint, func(tx *transaction) (any, error) {
			p, err := do(c, tx)
			return b.paymentView(c.Request, p), err
		})
	}
}

func (b *Server) register(c call, tx *transaction) (payment, error) {
	var in registerRequest
	if err := decode(c.body, &in); err != nil {
		return payment{}, err
	}
	now := b.now()
	p, err := in.newPayment(c.account, randomID("ses_"), now)
	if err != nil {
		return payment{}, err
	}
	added, err := tx.add(p)
	if err != nil || added {
		return p, err
	}
	if p, err = tx.lock(c.account, in.ID); err != nil {
		return payment{}, err
	}
	if !p.matches(in) {
		return payment{}, refuse(http.StatusConflict, "DUPLICATED_PAYMENT_ID", "The payment id is already used by another payment.")
	}
	return p.asOf(now), nil
}

func (b *Server) confirm(c call, tx *transaction) (payment, error) {
	var in confirmRequest
	if err := decode(c.body, &in); err != nil {
		return payment{}, err
	}
	p, err := tx.lock(c.account, c.PathValue("id"))
	if err != nil {
		return payment{}, err
	}
	now := b.now()
	p = p.asOf(now)
	if err := p.checkConfirm(in); err != nil || p.confirmed() {
		return p, err
	}
	captured := p.Amount
	if p.Transfer == nil { // an account takes the exact amount
		wrong, err := tx.useFault(c.account, "wrong_amount")
		if err != nil {
			return payment{}, err
		}
		if wrong {
			captured++
		}
	}
	p = p.complete(captured, now)
	return p, errors.Join(tx.save(p), tx.planWebhooks(p, p.plannedWebhooks(now)))
}

func (b *Server) closePayment(c call, tx *transaction) (payment, error) {
	var in struct {
		OrderID string `json:"orderId"`
	}
	if err := decode(c.body, &in); err != nil {
		return payment{}, err
	}
	return b.changePayment(c, tx, in.OrderID, payment.closed)
}

func (b *Server) changePayment(c call, tx *transaction, orderID string, how func(payment) (payment, error)) (payment, error) {
	p, err := tx.lock(c.account, c.PathValue("id"))
	if err != nil {
		return payment{}, err
	}
	if orderID != p.ID {
		return payment{}, refuse(http.StatusBadRequest, "INVALID_REQUEST", "orderId: must be the payment of the path")
	}
	if p, err = how(p.asOf(b.now())); err != nil {
		return payment{}, err
	}
	return p, tx.save(p)
}

func (b *Server) lookup(c call) (any, error) {
	p, err := b.Store.payment(c.ctx, c.account, c.PathValue("id"))
	if err != nil {
		return nil, err
	}
	s := b.paymentView(c.Request, p.asOf(b.now()))
	if s.Webhooks, err = b.Store.webhooks(c.ctx, p.Account, p.ID); err != nil || !p.paid() {
		return s, err
	}
	if f, err := b.Store.faults(c.ctx, c.account); err != nil || f.WrongAmountNext == 0 {
		return s, err
	}
	err = b.Store.transact(c.ctx, func(tx *transaction) error {
		wrong, err := tx.useFault(c.account, "wrong_amount")
		if wrong {
			s.Amount++
		}
		return err
	})
	return s, err
}

func (b *Server) now() time.Time { return b.Now().UTC().Truncate(time.Millisecond) }

// decode reads a JSON body strictly: an unknown field is an error of the caller.
func decode(body []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return refuse(http.StatusBadRequest, "INVALID_REQUEST", "Invalid request body: %v", err)
	}
	return nil
}

// reply writes an answer or an error; an internal error is logged.
func (b *Server) reply(w http.ResponseWriter, answer any, err error) {
	status := http.StatusOK
	var no *refusal
	switch {
	case errors.As(err, &no):
		status, answer = no.status, no
	case err != nil:
		b.Log.Error("sandbox bank", "error", err)
		status, answer = http.StatusInternalServerError, refuse(0, "INTERNAL", "Something went wrong at the provider.")
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer) //nolint:errchkjson // a caller who left needs no answer
}
