package payment

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The refusals of refunds. Contract 1.1.
var (
	ErrExceedsPaid = fault.New(fault.Unprocessable, "refund_exceeds_paid", "More would go back than is left of what was paid.")
	ErrRefundBusy  = fault.New(fault.Conflict, "refund_in_progress", "Another refund of this payment is on its way. Try again.").Retry(retryBusy)
)

// RefundState is how far a refund is.
type RefundState string

// The states, in the order of what they know. A refused refund never began; one that failed was accepted before, and perhaps
// told to have succeeded.
const (
	RefundRequested RefundState = "requested" // in the books; whether the provider heard of it is not known
	RefundRefused   RefundState = "refused"
	RefundPending   RefundState = "pending" // accepted, done later
	RefundSucceeded RefundState = "succeeded"
	RefundFailed    RefundState = "failed"
)

var refundStates = []RefundState{RefundRequested, RefundRefused, RefundPending, RefundSucceeded, RefundFailed}

// Join adds a fact to s. It is monotone: facts may arrive late, twice and in any order, and the same facts give the same
// state. That the provider has a refund outweighs that it once refused it, and a late failure outweighs a success.
func (s RefundState) Join(seen RefundState) RefundState {
	return refundStates[max(slices.Index(refundStates, s), slices.Index(refundStates, seen))]
}

// Counts reports whether a refund takes its amount from what is left: also while nobody knows yet.
func (s RefundState) Counts() bool { return s != RefundRefused && s != RefundFailed }

// status is what operators see of s.
func (s RefundState) status() string {
	switch s {
	case RefundSucceeded:
		return "refunded"
	case RefundRefused, RefundFailed:
		return "failed"
	case RefundRequested, RefundPending:
	}
	return "pending"
}

// Refund is money on its way back. It is kept as a transaction of type refund.
type Refund struct {
	ID          string
	Tenant      tenant.ID
	Environment tenant.Environment
	State       RefundState
	Of          string      // the transaction of the payment it gives back
	Amount      money.Money // positive
	Remaining   money.Money // of the payment, before it
	Order       string
	Checkout    string
	Session     string // "" for money that came by no session
	Provider    string // "custom": nobody is asked, it is only written down
	PaymentID   string // the provider's id of the payment
	ProviderID  string // the provider's id of the refund; "" until it is known
	Key         string // names the operation that asked for it
	Cancels     bool   // it belongs to the cancel of its order
	Return      string // the return request that it pays out; "" for none
	Note        string // the reason, and what went wrong
}

// Record is r as its collection keeps it.
func (r Refund) Record() collection.Record {
	out := collection.Record{
		"id": r.ID, "tenant": string(r.Tenant), "environment": string(r.Environment), "type": "refund", "status": r.State.status(),
		"amount": r.Amount, "currency": string(r.Amount.Currency), "provider": r.Provider,
		"refundState": string(r.State), "refundOf": r.Of, "remaining": r.Remaining, "cancels": r.Cancels,
	}
	for name, v := range map[string]string{
		"order": r.Order, "checkout": r.Checkout, "paymentSession": r.Session, "providerPaymentId": r.PaymentID, "providerRefundId": r.ProviderID,
		"refundKey": r.Key, "note": r.Note, "returnRequest": r.Return,
	} {
		if v != "" {
			out[name] = v
		}
	}
	return out
}

// RefundFrom reads what Record wrote.
func RefundFrom(r collection.Record) Refund {
	out := Refund{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")),
		State: RefundState(r.Text("refundState")), Of: r.Text("refundOf"), Order: r.Text("order"), Checkout: r.Text("checkout"),
		Session: r.Text("paymentSession"), Provider: r.Text("provider"), PaymentID: r.Text("providerPaymentId"),
		ProviderID: r.Text("providerRefundId"), Key: r.Text("refundKey"), Cancels: r.Bool("cancels"), Note: r.Text("note"), Return: r.Text("returnRequest"),
	}
	out.Amount, _ = r.Money("amount")
	out.Remaining, _ = r.Money("remaining")
	return out
}

// Purse is one payment of an order and everything that was given back of it, or is about to be.
type Purse struct {
	ID        string // of the payment's transaction
	Paid      money.Money
	Session   string
	Provider  string
	PaymentID string // the provider's id of it
	Refunds   []Refund
}

// Purses sorts the transactions of one order, oldest first, into payments with their refunds.
func Purses(transactions []collection.Record) (all []Purse) {
	for _, r := range transactions {
		if r.Text("type") != "payment" || r.Text("status") != "paid" {
			continue
		}
		p := Purse{ID: r.ID(), Session: r.Text("paymentSession"), Provider: r.Text("provider"), PaymentID: r.Text("providerPaymentId")}
		p.Paid, _ = r.Money("amount")
		for _, other := range transactions {
			if other.Text("refundOf") == p.ID {
				p.Refunds = append(p.Refunds, RefundFrom(other))
			}
		}
		all = append(all, p)
	}
	return all
}

// Left is how much may still be given back: paid − refunded − pending, and never less than nothing, though more may be asked
// for than is there where others ask, too. A refund that failed takes nothing.
func (p Purse) Left() money.Money {
	left := p.Paid.Minus(p.sum(RefundState.Counts))
	return money.Of(max(left.Minor, 0), left.Currency)
}

// sum is what the refunds in some states come to.
func (p Purse) sum(which func(RefundState) bool) money.Money {
	all := money.Of(0, p.Paid.Currency)
	for _, r := range p.Refunds {
		if which(r.State) {
			all = all.Plus(r.Amount)
		}
	}
	return all
}

// Unanswered is the refund of which nobody knows whether the provider heard of it. There is at most one: what is left of a
// payment is only known when every refund before was answered.
func (p Purse) Unanswered() (Refund, bool) {
	i := slices.IndexFunc(p.Refunds, func(r Refund) bool { return r.State == RefundRequested })
	if i < 0 {
		return Refund{}, false
	}
	return p.Refunds[i], true
}

// Exceeds is ErrExceedsPaid that names what is left.
func Exceeds(left money.Money) error {
	if left.Minor <= 0 {
		return ErrExceedsPaid.With("left", left.Major()).Saying("Nothing is left of what was paid.")
	}
	return ErrExceedsPaid.With("left", left.Major()).Saying("More would go back than is left: %s %s of what was paid.", left.Major(), left.Currency)
}

// Begin is a new refund of amount, or of everything that is left when that is zero. Errors: ErrRefundBusy, ErrExceedsPaid.
func (p Purse) Begin(amount money.Money) (Refund, error) {
	if other, busy := p.Unanswered(); busy {
		return Refund{}, ErrRefundBusy.With("transactionId", other.ID)
	}
	left := p.Left()
	if amount.IsZero() {
		amount = left
	}
	if amount.Minor <= 0 || amount.Currency != left.Currency || amount.Minor > left.Minor {
		return Refund{}, Exceeds(left)
	}
	return Refund{
		State: RefundRequested, Of: p.ID, Amount: amount, Remaining: left, Session: p.Session, Provider: p.Provider, PaymentID: p.PaymentID,
	}, nil
}
