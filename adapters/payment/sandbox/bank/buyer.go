package bank

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"
)

var statusTexts = map[string][2]string{
	statusReady:      {"Confirm your payment", ""},
	statusFailed:     {"Confirm your payment", "The last attempt was declined. You can try again."},
	statusInProgress: {"Payment approved", "The shop is completing your order."},
	statusAuthorized: {"Payment approved", "The amount is reserved. The shop collects it when your order is on its way."},
	statusPaid:       {"Payment complete", "Thank you. You can return to the shop."},
	statusPartial:    {"Payment refunded in part", "A part of the amount was returned to you."},
	statusRefunded:   {"Payment refunded", "The amount was returned to you."},
	statusCanceled:   {"Payment closed", "The shop closed this payment. No money was taken."},
	statusExpired:    {"Payment expired", "The time for this payment is over. No money was taken."},
	statusWaiting:    {"Transfer the amount", "The shop completes your order when your transfer arrives."},
}

func (b *Server) view(p payment) pageView {
	v := pageView{
		OrderName: p.OrderName, Amount: displayAmount(p.Amount, p.Currency), Method: strings.ReplaceAll(p.methodUsed(), "_", " "),
		TaxFree: p.taxFreeViews(),
		Open:    p.Status == statusReady || p.Status == statusFailed, Title: statusTexts[p.Status][0], Note: statusTexts[p.Status][1],
	}
	if p.Status == statusWaiting {
		v.Account, v.Due = p.transferView(), p.Transfer.DueAt.UTC().Format("2 January 2006, 15:04 UTC")
	}
	switch {
	case p.confirmed() || p.Status == statusInProgress:
		v.ReturnURL = p.returnURL(outcomeApprove)
	case !v.Open:
		v.ReturnURL = p.returnURL(outcomeAbandon)
	}
	return v
}

func (b *Server) page(w http.ResponseWriter, r *http.Request) {
	p, err := b.Store.find(r.Context(), r.PathValue("id"))
	if err != nil {
		b.showError(w, err)
		return
	}
	b.show(w, http.StatusOK, b.view(p.asOf(b.now())))
}

// decide handles the page's buttons. A deposit leaves the buyer at their bank: this page.
func (b *Server) decide(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	outcome := r.PostFormValue("outcome")
	if outcome == "deposit" {
		p, err := b.moveMoney(r.Context(), r.PathValue("id"), payment.deposit)
		if err != nil {
			b.showError(w, err)
			return
		}
		b.show(w, http.StatusOK, b.view(p))
		return
	}
	p, err := b.recordOutcome(r.Context(), r.PathValue("id"), decision{Outcome: outcome, Plan: planOnce, DueIn: defaultDueIn})
	if err != nil {
		b.showError(w, err)
		return
	}
	http.Redirect(w, r, p.returnURL(outcome), http.StatusSeeOther) //nolint:gosec // the shop registered this URL
}

func (b *Server) showError(w http.ResponseWriter, err error) {
	v := pageView{Title: "Something went wrong", Note: "Please go back to the shop and try again."}
	status := http.StatusInternalServerError
	if no, ok := errors.AsType[*refusal](err); ok {
		status, v.Title, v.Note = no.status, "This payment cannot go on", no.Message
	} else {
		b.Log.Error("sandbox payment page", "error", err)
	}
	b.show(w, status, v)
}

func (b *Server) show(w http.ResponseWriter, status int, v pageView) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if _, err := io.WriteString(w, v.html()); err != nil { //nolint:gosec // every text of it is escaped
		b.Log.Warn("sandbox payment page", "error", err)
	}
}

// authorizeRequest is a scripted buyer's decision; exactly one of the first three names the payment.
type authorizeRequest struct {
	OrderID    string `json:"orderId"`   // of a widget action
	SessionID  string `json:"sessionId"` // of a hosted session
	PaymentID  string `json:"paymentId"` // of a standard action
	Outcome    string `json:"outcome"`
	Webhooks   string `json:"webhooks"`   // "" is once
	DueInHours int64  `json:"dueInHours"` // a virtual account: how long it takes money; 0 is three days
}

// decision is what in says about the payment.
func (in authorizeRequest) decision() decision {
	hours := min(in.DueInHours, int64(maxDueIn/time.Hour)+1) // no overflow: check refuses it
	return decision{Outcome: in.Outcome, Plan: cmp.Or(in.Webhooks, planOnce), DueIn: cmp.Or(time.Duration(hours)*time.Hour, defaultDueIn)}
}

func (b *Server) authorize(r *http.Request) (any, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "INVALID_REQUEST", "The body cannot be read.")
	}
	var in authorizeRequest
	if err := decode(body, &in); err != nil {
		return nil, err
	}
	handle := in.OrderID + in.SessionID + in.PaymentID
	if handle == "" || handle != in.OrderID && handle != in.SessionID && handle != in.PaymentID {
		return nil, refuse(http.StatusBadRequest, "INVALID_REQUEST", "Name the payment by one of orderId, sessionId and paymentId.")
	}
	p, err := b.recordOutcome(r.Context(), handle, in.decision())
	if err != nil {
		return nil, err
	}
	answer := struct {
		PaymentKey  string `json:"paymentKey,omitempty"`
		RedirectURL string `json:"redirectUrl,omitempty"`
	}{RedirectURL: p.returnURL(in.Outcome)}
	if approves(in.Outcome) && p.Mode == modeWidget {
		answer.PaymentKey = p.PaymentKey
	}
	return answer, nil
}

// recordOutcome records the buyer's decision about the payment with a session or payment id.
func (b *Server) recordOutcome(ctx context.Context, handle string, d decision) (payment, error) {
	if err := d.check(); err != nil {
		return payment{}, err
	}
	return b.change(ctx, handle, func(tx *transaction, was payment, now time.Time) (payment, error) {
		p, err := was.decide(d, randomID("sbx_"), now)
		if err != nil || p.Status == was.Status {
			return p, err
		}
		if err := tx.save(p); err != nil || p.Status == statusInProgress {
			return p, err
		}
		return p, tx.planWebhooks(p, p.plannedWebhooks(now))
	})
}

// change runs fn on the payment with a session or payment id, locked and as of now.
func (b *Server) change(
	ctx context.Context, handle string, fn func(*transaction, payment, time.Time) (payment, error),
) (p payment, err error) {
	found, err := b.Store.find(ctx, handle)
	if err != nil {
		return payment{}, err
	}
	err = b.Store.transact(ctx, func(tx *transaction) error {
		was, err := tx.lock(found.Account, found.ID)
		if err != nil {
			return err
		}
		now := b.now()
		p, err = fn(tx, was.asOf(now), now)
		return err
	})
	return p, err
}

// public serves calls without authentication.
func (b *Server) public(do func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer, err := do(r)
		b.reply(w, answer, err)
	}
}

// controlCall serves calls with the account's secret; faults do not apply to them.
func (b *Server) controlCall(do func(call) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c, err := b.readCall(w, r)
		if err != nil {
			b.reply(w, nil, err)
			return
		}
		c.ctx = r.Context()
		answer, err := do(c)
		b.reply(w, answer, err)
	}
}

func (b *Server) readFaults(c call) (any, error) {
	f, err := b.Store.faults(c.ctx, c.account)
	if err != nil {
		return nil, err
	}
	f.AsyncRefundNext, err = b.Store.delayedRefunds(c.ctx, c.account)
	return f, err
}

func (b *Server) writeFaults(c call) (any, error) {
	var f faults
	if err := decode(c.body, &f); err != nil {
		return nil, err
	}
	if err := f.validate(); err != nil {
		return nil, err
	}
	return f, b.Store.setFaults(c.ctx, c.account, f)
}

func (b *Server) clearFaults(c call) (any, error) {
	return faults{}, b.Store.setFaults(c.ctx, c.account, faults{})
}
