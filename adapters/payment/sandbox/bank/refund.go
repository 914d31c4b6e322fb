package bank

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"
)

// The states of a refund.
const (
	refundDone      = "DONE"
	refundRequested = "REQUESTED" // accepted; a script finishes it
	refundFailed    = "FAILED"    // also after it had succeeded
)

// refundRecord is one refund of a payment.
type refundRecord struct {
	ID     string `json:"id"`
	Key    string `json:"key"` // idempotency key of the call that requested it
	Amount int64  `json:"amount"`
	Reason string `json:"reason"`
	Status string `json:"status"`

	TaxFree int64 `json:"taxFree,omitempty"` // the part of Amount without value added tax
}

// refundRequest is the body of a cancel call. Remaining, when given, must be the current balance of the
// capture.
type refundRequest struct {
	OrderID   string `json:"orderId"`
	Amount    int64  `json:"amount"`
	Remaining *int64 `json:"remaining"`
	Reason    string `json:"reason"`

	TaxFree *int64         `json:"taxFree"`       // nil: in proportion to what is left
	Account *refundAccount `json:"refundAccount"` // a payment by virtual account needs it
}

// refundable is the balance that can still be refunded; requested refunds count until they fail.
func (p payment) refundable() int64 {
	left := p.Captured
	for _, r := range p.Refunds {
		if r.Status != refundFailed {
			left -= r.Amount
		}
	}
	return left
}

// refund is p with one more refund, which has the id and key of r.
func (p payment) refund(in refundRequest, r refundRecord) (payment, error) {
	left := p.refundable()
	switch {
	case !p.paid():
		return p, refuse(http.StatusConflict, "PAYMENT_NOT_PAID", "The payment is not paid.")
	case in.Reason == "":
		return p, refuse(http.StatusBadRequest, "INVALID_REQUEST", "reason: required")
	case in.Remaining != nil && *in.Remaining != left:
		return p, refuse(http.StatusConflict, "REMAINING_AMOUNT_CHANGED", "What is left of the payment is %d, not %d.", left, *in.Remaining)
	case in.Amount <= 0 || in.Amount > left:
		return p, refuse(http.StatusConflict, "REFUND_EXCEEDS_REMAINING", "At most %d can be refunded.", left)
	}
	taxFree, err := p.taxFreeShare(in.Amount, in.TaxFree)
	if err != nil {
		return p, err
	}
	r.Amount, r.TaxFree, r.Reason = in.Amount, taxFree, in.Reason
	p.Refunds = append(slices.Clip(p.Refunds), r)
	return p.withTotals(), nil
}

// withTotals sums up the refunds of p.
func (p payment) withTotals() payment {
	p.Refunded = 0
	for _, r := range p.Refunds {
		if r.Status == refundDone {
			p.Refunded += r.Amount
		}
	}
	switch p.Refunded {
	case 0:
		p.Status = statusPaid
	case p.Captured:
		p.Status = statusRefunded
	default:
		p.Status = statusPartial
	}
	return p
}

// finishRefunds is p after its bank finished or failed the requested refunds. Failed refunds stay failed.
func (p payment) finishRefunds(status string) (payment, error) {
	open := false
	list := append([]refundRecord(nil), p.Refunds...)
	for i, r := range list {
		if r.Status == refundRequested || r.Status == refundDone && status == refundFailed {
			list[i].Status, open = status, true
		}
	}
	if !open {
		return p, refuse(http.StatusConflict, "REFUND_NOT_OPEN", "There is no refund of this payment to decide about.")
	}
	p.Refunds = list
	return p.withTotals(), nil
}

// consoleRefund is p after a refund in the provider's console, of an amount or of everything left (0).
func (p payment) consoleRefund(amount int64) (payment, error) {
	if amount == 0 {
		amount = p.refundable()
	}
	return p.refund(refundRequest{Amount: amount, Reason: "Refunded in the console."},
		refundRecord{ID: randomID("ref_"), Status: refundDone})
}

func (b *Server) cancel(c call, tx *transaction) (payment, error) {
	var in refundRequest
	if err := decode(c.body, &in); err != nil {
		return payment{}, err
	}
	if err := in.Account.check(); err != nil {
		return payment{}, err
	}
	r := refundRecord{ID: randomID("ref_"), Key: c.Header.Get("Idempotency-Key"), Status: refundDone}
	return b.changePayment(c, tx, in.OrderID, func(p payment) (payment, error) {
		if p.Transfer != nil && in.Account == nil {
			return p, errNoRefundAccount
		}
		next, err := p.refund(in, r)
		if err != nil {
			return p, err
		}
		later, err := tx.useDelayedRefund(c.account)
		if later {
			r.Status = refundRequested
			return p.refund(in, r)
		}
		return next, err
	})
}

// settleRequest is what a script decides about the refunds of a payment: all unfinished ones succeed, or all
// fail, also those reported as done; or a new refund is made in the console, of an amount or of everything
// left.
type settleRequest struct {
	OrderID   string `json:"orderId"`
	SessionID string `json:"sessionId"`
	PaymentID string `json:"paymentId"`
	Outcome   string `json:"outcome"` // succeed, fail, console
	Amount    int64  `json:"amount"`  // console: minor units, 0 for all
}

const outcomeConsole = "console"

var settleOutcomes = map[string]string{"succeed": refundDone, "fail": refundFailed}

// settleRefunds plays the banks behind the provider, by a script.
func (b *Server) settleRefunds(r *http.Request) (any, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return nil, refuse(http.StatusBadRequest, "INVALID_REQUEST", "The body cannot be read.")
	}
	var in settleRequest
	if err := decode(body, &in); err != nil {
		return nil, err
	}
	status, known := settleOutcomes[in.Outcome]
	if !known && in.Outcome != outcomeConsole {
		return nil, refuse(http.StatusBadRequest, "INVALID_REQUEST", "outcome is succeed, fail or console")
	}
	p, err := b.change(r.Context(), in.OrderID+in.SessionID+in.PaymentID, func(tx *transaction, was payment, now time.Time) (payment, error) {
		var p payment
		var err error
		if known {
			p, err = was.finishRefunds(status)
		} else {
			p, err = was.consoleRefund(in.Amount)
		}
		if err != nil {
			return p, err
		}
		return p, errors.Join(tx.save(p), tx.planWebhooks(p, p.refundWebhooks(now)))
	})
	return map[string]int64{"refunded": p.Refunded}, err
}

// Asynchronous refunds are stored apart from the other faults, whose table has no column for them.
func (t *transaction) useDelayedRefund(account string) (bool, error) {
	n, err := t.exec(`UPDATE later_refunds SET next = next - 1 WHERE account = ?1 AND next > 0`, account)
	return n == 1, err
}

func (t *transaction) setDelayedRefunds(account string, next int64) error {
	_, err := t.exec(`INSERT INTO later_refunds (account, next) VALUES (?1, ?2) ON CONFLICT (account) DO UPDATE SET next = ?2`,
		account, next)
	return err
}

func (s *Store) delayedRefunds(ctx context.Context, account string) (next int64, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT next FROM later_refunds WHERE account = ?1`, account).Scan(&next)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return next, err
}
