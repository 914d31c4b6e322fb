package bank

import (
	"cmp"
	"net/http"
	"time"
)

// captureManual is what a registration says of a payment that its buyer only authorizes.
const captureManual = "manual"

// authorizedFor is how long an authorized payment is held.
const authorizedFor = 7 * 24 * time.Hour

// The moves of an authorized payment. AUTHORIZED becomes PAID by a capture, of a part or all of it, and CANCELED when the
// shop voids it or its time is over.
var (
	errNotAuthorized = refuse(http.StatusConflict, "PAYMENT_NOT_AUTHORIZED", "The payment is not authorized.")
	errAuthorized    = refuse(http.StatusConflict, "PAYMENT_AUTHORIZED", "The payment is authorized: capture or void it.")
)

// authorize holds an amount for the shop.
func (p payment) authorize(amount int64, now time.Time) payment {
	p.Status, p.Held, p.HeldUntil = statusAuthorized, amount, now.Add(authorizedFor)
	return p
}

// captureRequest is the body of a capture call.
type captureRequest struct {
	OrderID string `json:"orderId"`
	Amount  int64  `json:"amount"`  // minor units, at most what is held; the rest is released
	TaxFree *int64 `json:"taxFree"` // the part of Amount without value added tax; nil: in proportion to what is held
}

// captured is p after the shop captured a part of what is held, or all of it. There is one capture.
func (p payment) captured(in captureRequest, now time.Time) (payment, error) {
	switch {
	case p.Status != statusAuthorized:
		return p, errNotAuthorized
	case in.Amount <= 0 || in.Amount > p.Held:
		return p, refuse(http.StatusBadRequest, "CAPTURE_EXCEEDS_AUTHORIZED", "At most %d can be captured.", p.Held)
	}
	part, err := p.capturedTaxFree(in.Amount, in.TaxFree)
	if err != nil {
		return p, err
	}
	p.TaxFree = part
	return p.capture(in.Amount, now), nil
}

// released is p after the shop voided it, or the bank released it. Repeating that changes nothing.
func (p payment) released() (payment, error) {
	switch {
	case p.Status == statusCanceled && p.Held > 0:
		return p, nil
	case p.Status != statusAuthorized:
		return p, errNotAuthorized
	}
	p.Status = statusCanceled
	return p, nil
}

// heldUntil is when the bank releases p at the latest; nil unless it is authorized.
func (p payment) heldUntil() *time.Time {
	if p.Status != statusAuthorized {
		return nil
	}
	return &p.HeldUntil
}

func (b *Server) capture(c call, tx *transaction) (payment, error) {
	var in captureRequest
	if err := decode(c.body, &in); err != nil {
		return payment{}, err
	}
	return b.changePayment(c, tx, in.OrderID, func(p payment) (payment, error) { return p.captured(in, b.now()) })
}

func (b *Server) void(c call, tx *transaction) (payment, error) {
	var in struct {
		OrderID string `json:"orderId"`
	}
	if err := decode(c.body, &in); err != nil {
		return payment{}, err
	}
	return b.changePayment(c, tx, in.OrderID, payment.released)
}

// authorizationRequest is the body of a script's call: somebody captures or releases the payment at the provider, without
// the shop's server.
type authorizationRequest struct {
	Outcome string `json:"outcome"` // "capture", "release"
	Amount  int64  `json:"amount"`  // minor units to capture; 0 is all
}

func (b *Server) authorizationByScript(r *http.Request) (any, error) {
	var in authorizationRequest
	if err := decodeScript(r, &in); err != nil {
		return nil, err
	}
	p, err := b.moveMoney(r.Context(), r.PathValue("id"), func(p payment, now time.Time) (_ payment, _ []webhook, err error) {
		switch in.Outcome {
		case "capture":
			p, err = p.captured(captureRequest{Amount: cmp.Or(in.Amount, p.Held)}, now)
			return p, p.webhooksOf(now, "Transaction.AuthorizationCaptured"), err
		case "release":
			p, err = p.released()
			return p, p.webhooksOf(now, "Transaction.AuthorizationReleased"), err
		}
		return p, nil, refuse(http.StatusBadRequest, "INVALID_REQUEST", "outcome is capture or release")
	})
	return moved{p.Status}, err
}
