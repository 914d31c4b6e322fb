package payment

import (
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The refusals of refunds. Rule api-14.
var (
	ErrExceedsPaid      = fault.New(fault.Unprocessable, "refund_exceeds_paid", "The refund exceeds what is left of the payment.")
	ErrRefundInProgress = fault.New(fault.Conflict, "refund_in_progress", "Another refund of this payment is in progress. Try again.").
				WithRetry(refundRetryAfter)
)

// RefundState is the progress of a refund.
type RefundState string

// The states, from the least to the most known. A refused refund was never accepted by the provider; a failed
// one was accepted before, and may even have been reported as succeeded.
const (
	RefundRequested RefundState = "requested" // recorded; whether the provider received the request is unknown
	RefundRefused   RefundState = "refused"
	RefundPending   RefundState = "pending" // accepted, not completed yet
	RefundSucceeded RefundState = "succeeded"
	RefundFailed    RefundState = "failed"
)

var refundStates = []RefundState{RefundRequested, RefundRefused, RefundPending, RefundSucceeded, RefundFailed}

// Join adds a fact to s. It is monotone: facts may arrive late, repeatedly and in any order, and the same
// facts give the same state. A report that the provider has the refund overrides an earlier refusal, and a
// late failure overrides a success.
func (s RefundState) Join(seen RefundState) RefundState {
	return refundStates[max(slices.Index(refundStates, s), slices.Index(refundStates, seen))]
}

// CountsAgainstPaid reports whether the amount of a refund in this state reduces the refundable amount, which
// it also does while its outcome is unknown.
func (s RefundState) CountsAgainstPaid() bool { return s != RefundRefused && s != RefundFailed }

// status is the status of the transaction that operators see.
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

// Refund is a refund of a payment, stored as a transaction of type refund.
type Refund struct {
	ID              string
	Tenant          tenant.ID
	Environment     tenant.Environment
	State           RefundState
	RefundOf        string      // the transaction of the payment that is refunded
	Amount          money.Money // positive
	RemainingBefore money.Money // unrefunded amount of the payment before this refund
	Order           string
	Checkout        string
	Session         string       // "" for a payment without a session
	Provider        string       // "custom": recorded only, no provider is called
	PaymentID       string       // the provider's id of the payment
	ProviderID      string       // the provider's id of the refund; "" until it is known
	Key             string       // identifies the operation that requested it
	CancelsOrder    bool         // it is part of canceling its order
	ReturnRequest   string       // the return request that it refunds; "" for none
	Note            string       // the reason, and what went wrong if it failed
	Actor           tenant.Actor // who asked for it, or the provider that reported it

	// TaxFree is the part of Amount without value added tax, RemainingTaxFree that of RemainingBefore: both the zero Money
	// for a payment without such a part.
	TaxFree, RemainingTaxFree money.Money
	VAT                       money.Money // in Amount, as the provider was told it, or tells it; the zero Money where it is not
	Taxes                     tax.Taxes   // the taxes in Amount; nil where the sale has none
}

// Record is r as a record of Transactions.
func (r Refund) Record() collection.Record {
	out := collection.Record{
		"id": r.ID, "tenant": string(r.Tenant), "environment": string(r.Environment), "type": "refund", "status": r.State.status(),
		"amount": r.Amount, "currency": string(r.Amount.Currency), "provider": r.Provider,
		"refundState": string(r.State), "refundOf": r.RefundOf, "remaining": r.RemainingBefore, "cancels": r.CancelsOrder,
		"actor": collection.ActorRecord(r.Actor), taxesBooked: true,
	}
	if r.RemainingTaxFree.Currency != "" {
		out["taxFreeAmount"], out["remainingTaxFree"] = r.TaxFree, r.RemainingTaxFree
	}
	if r.VAT.Currency != "" {
		out["vatAmount"] = r.VAT
	}
	putTaxes(out, r.Taxes)
	for name, v := range map[string]string{
		"order": r.Order, "checkout": r.Checkout, "paymentSession": r.Session, "providerPaymentId": r.PaymentID,
		"providerRefundId": r.ProviderID, "refundKey": r.Key, "note": r.Note, "returnRequest": r.ReturnRequest,
	} {
		if v != "" {
			out[name] = v
		}
	}
	return out
}

// RefundFrom reads what Refund.Record wrote.
func RefundFrom(r collection.Record) Refund {
	out := Refund{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")),
		State: RefundState(r.Text("refundState")), RefundOf: r.Text("refundOf"), Order: r.Text("order"), Checkout: r.Text("checkout"),
		Session: r.Text("paymentSession"), Provider: r.Text("provider"), PaymentID: r.Text("providerPaymentId"),
		ProviderID: r.Text("providerRefundId"), Key: r.Text("refundKey"), CancelsOrder: r.Bool("cancels"), Note: r.Text("note"),
		ReturnRequest: r.Text("returnRequest"), Actor: collection.ActorFrom(r.Group("actor")),
	}
	out.Amount, _ = r.Money("amount")
	out.RemainingBefore, _ = r.Money("remaining")
	out.TaxFree, _ = r.Money("taxFreeAmount")
	out.RemainingTaxFree, _ = r.Money("remainingTaxFree")
	out.VAT, _ = r.Money("vatAmount")
	out.Taxes = tax.TaxesFrom(r.Rows("taxes"))
	return out
}

// RefundablePayment is one payment of an order with all its refunds and reversals.
type RefundablePayment struct {
	ID        string    // of the payment's transaction
	At        time.Time // when its money came, as far as its record says
	Paid      money.Money
	TaxFree   money.Money // the part of Paid without value added tax; the zero Money for none
	Taxes     tax.Taxes   // the taxes in Paid; nil for none
	Session   string
	Provider  string
	PaymentID string // the provider's id of it
	Refunds   []Refund
	Reversals []Reversal
}

// RefundablePayments groups the transactions of one order, oldest first, into payments with their refunds.
func RefundablePayments(transactions []collection.Record) (all []RefundablePayment) {
	for _, r := range transactions {
		if r.Text("type") != typePayment || r.Text("status") != statusPaid {
			continue
		}
		p := RefundablePayment{
			ID: r.ID(), At: PaidAt(r), Session: r.Text("paymentSession"), Provider: r.Text("provider"), PaymentID: r.Text("providerPaymentId"),
		}
		p.Paid, _ = r.Money("amount")
		p.TaxFree, _ = r.Money("taxFreeAmount")
		p.Taxes = tax.TaxesFrom(r.Rows("taxes"))
		for _, other := range transactions {
			if other.Text("refundOf") == p.ID {
				p.Refunds = append(p.Refunds, RefundFrom(other))
			}
		}
		p.Reversals = reversalsOf(p.ID, transactions)
		all = append(all, p)
	}
	return all
}

// RefundableAmount is how much can still be refunded: paid − refunded − pending − taken back by the provider. It is
// never negative, even if refunds made elsewhere overlap with ours. A failed refund does not count.
func (p RefundablePayment) RefundableAmount() money.Money {
	left := p.UnrefundedAmount().Minus(p.ReversedAmount())
	return money.Of(max(left.Minor, 0), left.Currency)
}

// UnrefundedAmount is paid − refunded − pending, what providers compare a refund with. It is never negative.
func (p RefundablePayment) UnrefundedAmount() money.Money {
	left := p.Paid.Minus(p.sumRefunds(RefundState.CountsAgainstPaid))
	return money.Of(max(left.Minor, 0), left.Currency)
}

// sumRefunds adds up the refunds in the selected states.
func (p RefundablePayment) sumRefunds(which func(RefundState) bool) money.Money {
	all := money.Of(0, p.Paid.Currency)
	for _, r := range p.Refunds {
		if which(r.State) {
			all = all.Plus(r.Amount)
		}
	}
	return all
}

// WithRefund is p with a refund as it is now.
func (p RefundablePayment) WithRefund(r Refund) RefundablePayment {
	p.Refunds = append(slices.DeleteFunc(slices.Clone(p.Refunds), func(other Refund) bool { return other.ID == r.ID }), r)
	return p
}

// UnansweredRefund returns the refund whose request got no answer. There is at most one, because the
// refundable amount is unknown until it is resolved.
func (p RefundablePayment) UnansweredRefund() (Refund, bool) {
	i := slices.IndexFunc(p.Refunds, func(r Refund) bool { return r.State == RefundRequested })
	if i < 0 {
		return Refund{}, false
	}
	return p.Refunds[i], true
}

// ExceedsPaid is ErrExceedsPaid with the amount that is left.
func ExceedsPaid(left money.Money) error {
	if left.Minor <= 0 {
		return ErrExceedsPaid.WithData("left", collection.JSONNumber(left.Major())).WithMessage("The payment is fully refunded.")
	}
	return ErrExceedsPaid.WithData("left", collection.JSONNumber(left.Major())).
		WithMessage("The refund exceeds what is left of the payment: %s %s.", left.Major(), left.Currency)
}

// BeginRefund returns a new refund of amount; zero means the whole refundable amount. It has the parts of it that are
// asked for, as far as that is possible: see TaxFreeShare and TaxesShare. Errors: ErrRefundInProgress, ErrExceedsPaid.
func (p RefundablePayment) BeginRefund(amount money.Money, asked RefundParts) (Refund, error) {
	if other, busy := p.UnansweredRefund(); busy {
		return Refund{}, ErrRefundInProgress.WithData("transactionId", other.ID)
	}
	left := p.RefundableAmount()
	if amount.IsZero() {
		amount = left
	}
	if amount.Minor <= 0 || amount.Currency != left.Currency || amount.Minor > left.Minor {
		return Refund{}, ExceedsPaid(left)
	}
	return Refund{
		State: RefundRequested, RefundOf: p.ID, Amount: amount, RemainingBefore: p.UnrefundedAmount(), Session: p.Session, Provider: p.Provider,
		PaymentID: p.PaymentID, TaxFree: p.TaxFreeShare(amount, asked.TaxFree), RemainingTaxFree: p.TaxFreeLeft(),
		Taxes: p.TaxesShare(amount, asked.Taxes),
	}, nil
}
