package payment

import (
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// typePayment is the type of a transaction that is a payment.
const typePayment = "payment"

// The statuses of a payment among Transactions. One that was authorized is paid once it was captured, with the captured
// amount, and canceled once its provider released it. Rule payments-63.
const (
	statusAuthorized = "authorized"
	statusPaid       = "paid"
	statusVoided     = "canceled"
)

// HeldPayment is an authorized payment among Transactions.
type HeldPayment struct {
	Record     collection.Record // as it is stored
	Authorized money.Money       // that the provider holds, or held
	Captured   money.Money       // of it; the zero Money unless it was
	TaxFree    money.Money       // the part without value added tax of what is held; the zero Money for none
	// CaptureKey names the request that captures it, or did, and CaptureBegun is when it was last sent; zero for none.
	CaptureKey   string
	CaptureBegun time.Time
}

// HeldPaymentOf is the payment among the transactions of one session or order that was authorized before it was captured;
// ok is false if there is none.
func HeldPaymentOf(transactions []collection.Record) (p HeldPayment, ok bool) {
	i := slices.IndexFunc(transactions, func(r collection.Record) bool {
		_, authorized := r.Money("authorizedAmount")
		return r.Text("type") == typePayment && authorized
	})
	if i < 0 {
		return p, false
	}
	p = HeldPayment{
		Record: transactions[i], CaptureKey: transactions[i].Text("captureKey"), CaptureBegun: transactions[i].Time("captureBegunAt"),
	}
	p.Authorized, _ = p.Record.Money("authorizedAmount")
	p.TaxFree, _ = p.Record.Money("taxFreeAmount")
	if p.Record.Text("status") == statusPaid {
		p.Captured, _ = p.Record.Money("amount")
	}
	return p, true
}

// Held reports whether the provider holds the money, as far as is recorded.
func (p HeldPayment) Held() bool { return p.Record.Text("status") == statusAuthorized }

// AnswerGrace is how long a refund or a capture is left to the caller who requested it: longer than any call to a provider
// takes.
const AnswerGrace = 20 * time.Second

// AnswerWait is how long the outcome of a call waits to be looked up by the poller after the nth attempt of it: longer each
// time, up to the time between two looks at an authorized payment.
func AnswerWait(attempt int) time.Duration {
	return min(AnswerGrace<<min(max(attempt-1, 0), 16), authorizationLook)
}

// MayCapture reports whether the request named key may capture p: it is not known of another one what came of it.
func (p HeldPayment) MayCapture(key string) bool { return p.CaptureKey == "" || p.CaptureKey == key }

// CaptureAnswered reports whether at now no call of the request that captures p can be on its way any more, so that a look-up
// shows what came of it.
func (p HeldPayment) CaptureAnswered(now time.Time) bool {
	return !now.Before(p.CaptureBegun.Add(AnswerGrace))
}

// TaxFreeShare is the tax-free part of a capture of amount: due, which is that of the goods it is for, or where that is nil in
// proportion to both parts of what is held, by largest remainder. Neither it nor the rest of amount is more than is held of that
// part. It is the zero Money for a payment without a tax-free part. Rule payments-69.
func (p HeldPayment) TaxFreeShare(amount money.Money, due *money.Money) money.Money {
	if p.TaxFree.IsZero() {
		return money.Money{}
	}
	taxed, amountHeld := p.Authorized.Minor-p.TaxFree.Minor, min(amount.Minor, p.Authorized.Minor)
	part := money.Allocate(amountHeld, []int64{p.TaxFree.Minor, taxed})[0]
	if due != nil {
		part = min(max(due.Minor, amountHeld-taxed), amountHeld, p.TaxFree.Minor)
	}
	return money.Of(part, amount.Currency)
}

// BeginCapture is p's record when the request named key captures it at now.
func (p HeldPayment) BeginCapture(key string, now time.Time) collection.Record {
	r := p.Record.Clone()
	r["captureKey"], r["captureBegunAt"] = key, collection.TruncateTime(now)
	return r
}

// DropCapture is p's record after the request that captures it came to nothing, so that another one may.
func (p HeldPayment) DropCapture() collection.Record {
	r := p.Record.Clone()
	delete(r, "captureKey")
	delete(r, "captureBegunAt")
	return r
}

// End is p's record after amount of it, with this tax-free part, see TaxFreeShare, and these taxes in it, was captured, or with a zero
// amount after its provider released all of it.
func (p HeldPayment) End(amount, taxFree money.Money, taxes tax.Taxes) collection.Record {
	r := p.Record.Clone()
	if r["status"] = statusVoided; !amount.IsZero() {
		r["status"], r["amount"] = statusPaid, amount
		if !p.TaxFree.IsZero() {
			r["taxFreeAmount"] = taxFree
		}
		putTaxes(r, taxes)
	}
	r[taxesBooked] = true
	return r
}

// AuthorizationState is what became of the authorized payment of a session.
type AuthorizationState struct {
	Captured, Released bool // neither: it is held
	Ending             bool // held, and its provider releases it soon
	Refused            bool // held, and its provider refused to capture it just now
	Unclear            bool // the provider's answer does not say that it is held, nor what else became of it
	Placed             bool // it has an order
	Shipped, Canceled  bool // of the order
}

// FollowAuthorization returns s, whose payment was authorized, after what became of that. Whoever dismissed a
// problem of one that is held is not told again.
func (s State) FollowAuthorization(a AuthorizationState) State {
	held := !a.Captured && !a.Released
	switch {
	case a.Captured && (!a.Placed || a.Canceled): // nobody asked for it
		return s.BookedWithoutOrder(lateUnless(s.Reason))
	case a.Captured:
		return State{Status: StatusSucceeded, Observation: ObservedNothing}
	case a.Released && (!a.Placed || a.Canceled):
		return s.voided()
	case a.Released && a.Shipped:
		return s.BookedWithoutOrder(ReasonVoidedShipped)
	case a.Released:
		return s.BookedWithoutOrder(ReasonVoided)
	case s.Resolution == ResolutionDismissed || !a.Placed:
	case held && a.Unclear:
		return s.BookedWithoutOrder(ReasonAuthorizationUnclear)
	case held && a.Refused:
		return s.BookedWithoutOrder(ReasonCaptureRefused)
	case held && a.Ending && s.Status == StatusAuthorized:
		return s.BookedWithoutOrder(ReasonAuthorizationEnds)
	}
	return s
}

// lateUnless is the reason of money that came although nobody wants it any more, unless one is known.
func lateUnless(reason string) string {
	if reason == "" || slices.Contains(heldReasons, reason) {
		return ReasonLate
	}
	return reason
}

// voided returns s, whose payment is given back without having been collected.
func (s State) voided() State {
	return State{Status: StatusCanceled, Observation: ObservedNothing, Reason: s.Reason, Resolution: ResolutionVoided}
}

// VoidWithoutOrder returns s, authorized just now, whose payment cannot become its order: it is released.
func (s State) VoidWithoutOrder(reason string) State {
	s.Reason = reason
	return s.voided()
}

// heldReasons are why a session requires attention while its provider still holds the money for its order.
var heldReasons = []string{ReasonAuthorizationEnds, ReasonCaptureRefused, ReasonAuthorizationUnclear}

// IsHeld reports whether the provider of s holds the money for its order, as far as is recorded, whether or not that
// requires attention.
func (s State) IsHeld() bool {
	return s.Status == StatusAuthorized || s.Status == StatusRequiresAttention && slices.Contains(heldReasons, s.Reason)
}

// Bounds of the time between two looks at an authorized payment, and how long before its end the shop is told.
const (
	authorizationLook    = 6 * time.Hour
	authorizationLookEnd = 10 * time.Minute
	authorizationWarning = 36 * time.Hour
	authorizationUsual   = 7 * 24 * time.Hour // how long providers that do not say hold a payment
)

// Ends reports whether p, which its provider releases at until, ends soon. Where until is zero, the provider does not say,
// and a week from its approval is assumed.
func (p HeldPayment) Ends(until, now time.Time) bool {
	if until.IsZero() {
		until = p.Record.Time("createdAt").Add(authorizationUsual)
	}
	return until.Sub(now) <= authorizationWarning
}

// NextAuthorizationTask says when the work on the payment of s begins, which was authorized just now: at once if it is to
// be released.
func NextAuthorizationTask(s State, until, now time.Time) time.Time {
	if s.Resolution == ResolutionVoided {
		return now
	}
	return NextAuthorizationLook(until, now)
}

// NextAuthorizationLook says when an authorized payment is to be looked up after a look at now: four times a day, when its
// end comes near, and every ten minutes from then on.
func NextAuthorizationLook(until, now time.Time) time.Time {
	next := now.Add(authorizationLook)
	if until.IsZero() {
		return next
	}
	for _, mark := range []time.Time{until.Add(-authorizationWarning), until} {
		if now.Before(mark) && mark.Before(next) {
			return mark
		}
	}
	if !now.Before(until) {
		return now.Add(authorizationLookEnd)
	}
	return next
}
