package payment

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ReversalCause is why a provider took money of a payment back without a refund.
type ReversalCause string

// The causes.
const (
	CauseDeposit ReversalCause = "deposit_reversed" // the bank took back a deposit to a virtual account
	CauseDispute ReversalCause = "dispute"          // the buyer disputes the payment with the bank
)

var reversalCauses = []string{string(CauseDeposit), string(CauseDispute)}

// MoneyGone is money of a payment that its provider took back without a refund, as the provider reports it.
type MoneyGone struct {
	ProviderID string // the provider's name of it, such as the id of the dispute; "" if the state of the payment is all that shows it
	Amount     money.Money
	Cause      ReversalCause
	Returned   bool // the provider gave it back to the shop
}

// Reversal is recorded MoneyGone, stored as a transaction of type reversal. Rule payments-47.
type Reversal struct {
	MoneyGone

	ID          string
	Tenant      tenant.ID
	Environment tenant.Environment
	ReversalOf  string // the transaction of the payment
	Number      int64  // counts the reversals of the payment, from 1
	Order       string // "" while the payment belongs to none
	Checkout    string
	Session     string
	Provider    string
	PaymentID   string       // the provider's id of the payment
	Note        string       // of an operator
	Actor       tenant.Actor // the provider that reported it
	Taxes       tax.Taxes    // the taxes in Amount, in proportion; nil where the sale has none
}

// typeReversal is the type of a transaction that is a reversal, of which the others are the statuses.
const (
	typeReversal   = "reversal"
	statusReversed = "reversed"
	statusReturned = "returned"
)

// Record is r as a record of Transactions.
func (r Reversal) Record() collection.Record {
	status := statusReversed
	if r.Returned {
		status = statusReturned
	}
	out := collection.Record{
		"id": r.ID, "tenant": string(r.Tenant), "environment": string(r.Environment), "type": typeReversal, "status": status,
		"amount": r.Amount, "currency": string(r.Amount.Currency), "provider": r.Provider, "cause": string(r.Cause),
		"reversalOf": r.ReversalOf, "reversalNumber": r.Number,
		"actor": collection.ActorRecord(r.Actor), taxesBooked: true,
	}
	putTaxes(out, r.Taxes)
	for name, v := range map[string]string{
		"order": r.Order, "checkout": r.Checkout, "paymentSession": r.Session, "providerPaymentId": r.PaymentID,
		"providerReversalId": r.ProviderID, "note": r.Note,
	} {
		if v != "" {
			out[name] = v
		}
	}
	return out
}

// ReversalFrom reads what Reversal.Record wrote.
func ReversalFrom(r collection.Record) Reversal {
	out := Reversal{
		MoneyGone: MoneyGone{
			ProviderID: r.Text("providerReversalId"), Cause: ReversalCause(r.Text("cause")), Returned: r.Text("status") == statusReturned,
		},
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")),
		ReversalOf: r.Text("reversalOf"), Number: r.Int("reversalNumber"), Order: r.Text("order"), Checkout: r.Text("checkout"),
		Session: r.Text("paymentSession"), Provider: r.Text("provider"), PaymentID: r.Text("providerPaymentId"),
		Note: r.Text("note"), Actor: collection.ActorFrom(r.Group("actor")),
	}
	out.Amount, _ = r.Money("amount")
	out.Taxes = tax.TaxesFrom(r.Rows("taxes"))
	return out
}

// Reference names the ledger entry of r, which took money of a payment, or whose money was returned. of is the reference
// of the payment's own entry.
func (r Reversal) Reference(of string) string {
	moved := "taken-back:"
	if r.Returned {
		moved = "returned:"
	}
	return moved + strconv.FormatInt(r.Number, 10) + ":" + of
}

// ReversedAmount is how much of p its provider took back and did not return.
func (p RefundablePayment) ReversedAmount() money.Money {
	all := money.Of(0, p.Paid.Currency)
	for _, r := range p.Reversals {
		if !r.Returned {
			all = all.Plus(r.Amount)
		}
	}
	return all
}

// Presence says whether the money of a booked payment is there, as far as refunds did not give it back.
type Presence int

// The presences.
const (
	MoneyUnclear  Presence = iota // the answer of the provider does not say
	MoneyThere                    // the payment is paid
	MoneyNotThere                 // nothing is paid any more
)

// SeenMoney is where the money of a booked payment is, according to its provider.
type SeenMoney struct {
	Paid     Presence
	Refunded money.Money // by refunds that moved money or will
	Gone     []MoneyGone // that the provider lists
}

// CompareReversals compares what is recorded of p with what its provider reports: gone is money to be recorded as
// taken back, and back are the recorded reversals whose money the shop has again. Money of a payment that is no longer
// paid is gone as far as no refund and no reversal accounts for it. Recording both and comparing again gives neither.
func (p RefundablePayment) CompareReversals(seen SeenMoney) (gone []MoneyGone, back []Reversal) {
	left := p.Paid.Minus(seen.Refunded).Minus(p.ReversedAmount())
	for _, g := range seen.Gone {
		if g.Amount.Currency != p.Paid.Currency || g.Amount.Minor <= 0 || g.ProviderID == "" {
			continue
		}
		switch last, known := p.lastReversal(g.ProviderID); {
		case known && !last.Returned && g.Returned:
			back = append(back, last)
		case !g.Returned && (!known || last.Returned):
			gone, left = append(gone, g), left.Minus(g.Amount)
		}
	}
	last, known := p.lastReversal("")
	switch {
	case seen.Paid == MoneyThere && known && !last.Returned:
		back = append(back, last)
	case seen.Paid == MoneyNotThere && left.Minor > 0:
		gone = append(gone, MoneyGone{Amount: left, Cause: CauseDeposit})
	}
	return gone, back
}

// lastReversal is the newest reversal of p under a provider's name.
func (p RefundablePayment) lastReversal(providerID string) (last Reversal, known bool) {
	for _, r := range p.Reversals {
		if r.ProviderID == providerID && r.Number > last.Number {
			last, known = r, true
		}
	}
	return last, known
}

// BeginReversal returns the record of money of p that is gone. p must have all its reversals, which number this one.
func (p RefundablePayment) BeginReversal(g MoneyGone) Reversal {
	return Reversal{
		MoneyGone: g, ReversalOf: p.ID, Number: int64(len(p.Reversals)) + 1, Session: p.Session, Provider: p.Provider, PaymentID: p.PaymentID,
		Taxes: p.TaxesShare(g.Amount, nil),
	}
}

// MoneyState is what became of the money of a session whose order was placed.
type MoneyState struct {
	Reversed bool // its provider took money back, and has it still
	Disputed bool // a dispute of it is open
	Fresh    bool // one of these was not known before
	Shipped  bool // of the order: goods left the shop
	Canceled bool // the order is
	Left     bool // some money is left to refund
}

// Follow returns s, which has an order, after its provider took money back or returned it, or the buyer disputes it. Whoever
// dismissed that is asked again only about the next one.
func (s State) Follow(m MoneyState) State {
	switch {
	case (m.Disputed || m.Reversed && !m.Canceled) && !m.Fresh && s.Resolution == ResolutionDismissed:
		return s
	case m.Disputed:
		return s.BookedWithoutOrder(ReasonDisputed)
	case m.Reversed && m.Canceled:
		return State{Status: StatusCanceled, Observation: ObservedNothing, Reason: ReasonReversed, Resolution: ResolutionReversed}
	case m.Reversed && m.Shipped:
		return s.BookedWithoutOrder(ReasonReversedShipped)
	case m.Reversed:
		return s.BookedWithoutOrder(ReasonReversed)
	case m.Canceled && m.Left:
		return s.BookedWithoutOrder(ReasonLate)
	case m.Canceled:
		return State{Status: StatusCanceled, Observation: ObservedNothing, Reason: s.Reason, Resolution: ResolutionRefunded}
	}
	return State{Status: StatusSucceeded, Observation: ObservedNothing}
}

// MoneyIsGone reports whether s requires attention because its provider took the money of an order back, or may, or
// released it before it was captured.
func (s State) MoneyIsGone() bool {
	gone := []string{ReasonReversed, ReasonReversedShipped, ReasonDisputed, ReasonVoided, ReasonVoidedShipped}
	return s.Status == StatusRequiresAttention && slices.Contains(gone, s.Reason)
}

// FollowUnapplied returns s, whose money became no order, after its provider took all of it back or returned it.
func (s State) FollowUnapplied(reversed bool) State {
	switch {
	case reversed && s.Status == StatusRequiresAttention:
		return State{Status: StatusCanceled, Observation: ObservedNothing, Reason: s.Reason, Resolution: ResolutionReversed}
	case !reversed && s.Resolution == ResolutionReversed:
		return s.BookedWithoutOrder(cmp.Or(s.Reason, ReasonLate))
	}
	return s
}

// WatchLasts is how long a deposit is looked at on our own account after it was booked or taken back: banks take one
// back within minutes as a rule, and the provider's webhook tells of it at any time. Rule payments-47.
const WatchLasts = 7 * 24 * time.Hour

// Bounds of the time between two looks at a booked deposit.
const (
	shortestWatch = time.Minute
	longestWatch  = 12 * time.Hour
)

// NextWatch says when a deposit that was booked or taken back at since is to be looked at after a look at now: half of
// its age later. more is false when it is no longer watched.
func NextWatch(since, now time.Time) (at time.Time, more bool) {
	age := max(now.Sub(since), 0)
	at = now.Add(min(max(age/2, shortestWatch), longestWatch))
	return at, at.Sub(since) <= WatchLasts
}

// reversalsOf are the reversals of a payment among the transactions of its order or session.
func reversalsOf(payment string, transactions []collection.Record) (all []Reversal) {
	for _, r := range transactions {
		if r.Text("type") == typeReversal && r.Text("reversalOf") == payment {
			all = append(all, ReversalFrom(r))
		}
	}
	return all
}

// IsOpenReversal reports whether r, a record of Transactions, is money that its provider took back and has still.
func IsOpenReversal(r collection.Record) bool {
	return r.Text("type") == typeReversal && !ReversalFrom(r).Returned
}

// WithReversal is p with a reversal as it is now.
func (p RefundablePayment) WithReversal(r Reversal) RefundablePayment {
	p.Reversals = append(slices.DeleteFunc(slices.Clone(p.Reversals), func(other Reversal) bool { return other.ID == r.ID }), r)
	return p
}
