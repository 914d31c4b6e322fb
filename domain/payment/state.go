package payment

import "slices"

// Status is the state of a payment session. Rule payments-37.
type Status string

// The statuses. Created: the provider does not have the session yet, or it is unknown whether it does. Failed
// and Expired are set when an operator releases a session after such an observation.
const (
	StatusCreated           Status = "created"
	StatusPending           Status = "pending"
	StatusProcessing        Status = "processing"
	StatusAuthorized        Status = "authorized" // its order is placed, and its provider holds the money until it is captured
	StatusSucceeded         Status = "succeeded"
	StatusFailed            Status = "failed"
	StatusCanceled          Status = "canceled"
	StatusExpired           Status = "expired"
	StatusRequiresAttention Status = "requires_attention"
)

var statuses = []string{"created", "pending", "processing", "authorized", "succeeded", "failed", "canceled", "expired", "requires_attention"}

// Observation is a problem that did not end the session: it keeps the slot for a retry of exactly the same
// action. Rule payments-3.
type Observation string

// The observations, weakest first.
const (
	ObservedNothing Observation = "none"
	ObservedAbsent  Observation = "absent"
	ObservedExpired Observation = "expired"
	ObservedFailed  Observation = "failed"
)

// observations are ordered from weakest to strongest.
var observations = []string{"none", "absent", "expired", "failed"}

// State is the part of a session that facts change.
type State struct {
	Status      Status
	Observation Observation
	SlotHeld    bool
	Reason      string // why it requires attention, else ""
	Resolution  Resolution
	// Released: the slot was freed though the provider may still collect money: an operator freed it, or
	// another payment of the cart became the order.
	Released bool
}

// Fact is one fact about the payment of a session: a state reported by its provider, or a conclusion of the
// server.
type Fact string

// The facts. FactAbsent to FactUnknown are answers of a provider; the others are conclusions of the server.
const (
	FactAbsent     Fact = "absent"
	FactOpen       Fact = "open"
	FactProcessing Fact = "processing"
	FactAuthorized Fact = "authorized" // as was asked for, and accepted: every detail matches
	FactPaid       Fact = "paid"       // and accepted: every detail matches
	FactFailed     Fact = "failed"
	FactExpired    Fact = "expired" // according to the provider or to the server's clock
	FactCanceled   Fact = "canceled"
	FactUnknown    Fact = "unknown"
	FactMismatch   Fact = "mismatch" // paid, but not as requested
)

// Reasons of sessions and checkouts that require attention.
const (
	ReasonMismatch = "payment_amount_mismatch"
	ReasonUnknown  = "provider_state_unknown"
	ReasonLate     = "payment_late"
	ReasonStock    = "out_of_stock"
	ReasonDiscount = "discount_usage_limit"
	// ReasonReversed: the provider took the money of an order back; ReasonReversedShipped: of one that left the shop.
	ReasonReversed        = "payment_reversed"
	ReasonReversedShipped = "payment_reversed_after_shipping"
	ReasonDisputed        = "payment_disputed" // whether or not money is gone for it
	// ReasonVoided: the provider released an authorized payment before it was captured; ReasonVoidedShipped: of an order
	// that left the shop.
	ReasonVoided            = "payment_voided"
	ReasonVoidedShipped     = "payment_voided_after_shipping"
	ReasonAuthorizationEnds = "payment_authorization_ends" // soon, without a capture
	ReasonCaptureRefused    = "payment_capture_refused"    // by the provider, which still holds the money
	// ReasonAuthorizationUnclear: the provider reports an authorized payment in a way that contradicts our records.
	ReasonAuthorizationUnclear = "payment_authorization_unclear"
)

// AttentionReasons are these reasons, as options of a field.
var AttentionReasons = []string{
	ReasonMismatch, ReasonUnknown, ReasonLate, ReasonStock, ReasonDiscount, ReasonReversed, ReasonReversedShipped, ReasonDisputed,
	ReasonVoided, ReasonVoidedShipped, ReasonAuthorizationEnds, ReasonCaptureRefused, ReasonAuthorizationUnclear,
}

// progress orders statuses; a session never moves to a lower one.
var progress = map[Status]int{
	StatusCreated: 0, StatusPending: 1, StatusProcessing: 2, StatusFailed: 3, StatusExpired: 3, StatusCanceled: 3,
	StatusRequiresAttention: 4, StatusAuthorized: 5, StatusSucceeded: 5,
}

// Accepted reports whether the payment of s became its order.
func (s State) Accepted() bool { return s.Status == StatusSucceeded || s.Status == StatusAuthorized }

// Booked reports whether money, or the authorization of it, has been recorded for s. No later fact changes such a session: only the first
// money counts, in whatever order webhook, redirect, poll and confirm arrive.
func (s State) Booked() bool {
	return s.Accepted() || s.Resolution != ResolutionNone || s.Status == StatusRequiresAttention && s.Reason != ReasonUnknown
}

// EndedWithoutOrder reports whether s ended without an order: canceled, released by an operator, or refunded.
func (s State) EndedWithoutOrder() bool { return progress[s.Status] == 3 }

// MayBePaid reports whether s may still bring money: it is not booked, and nothing proves that its provider
// closed it. While that holds of any session of a cart, the cart gets no new checkout. Rule payments-38.
func (s State) MayBePaid() bool { return !s.Booked() && (s.SlotHeld || s.Released) }

// Closed reports whether s ended without money and cannot be paid any more. A session whose provider reported
// an unknown state still requires attention after that.
func (s State) Closed() bool { return !s.Booked() && !s.SlotHeld && !s.Released }

// Terminal reports whether s can no longer be confirmed.
func (s State) Terminal() bool { return s.Booked() || s.EndedWithoutOrder() }

// Join adds a fact to s. It is monotone: facts may arrive late, repeatedly and in any order, and the same
// facts give the same state. A booked session never changes. Failed, absent and expired become observations,
// which keep the slot; success, and a cancellation confirmed by the provider, release it. Rules payments-3,
// payments-4, payments-7.
func Join(s State, seen Fact) State {
	if s.Booked() {
		return s
	}
	switch seen {
	case FactOpen:
		s.advance(StatusPending)
	case FactProcessing:
		s.advance(StatusProcessing)
	case FactAbsent:
		s.observe(ObservedAbsent)
	case FactExpired:
		s.observe(ObservedExpired)
	case FactFailed:
		s.observe(ObservedFailed)
	case FactCanceled:
		s.end(StatusCanceled)
	case FactPaid:
		s = State{Status: StatusSucceeded, Observation: ObservedNothing}
	case FactAuthorized:
		s = State{Status: StatusAuthorized, Observation: ObservedNothing}
	case FactMismatch:
		s.requireAttention(ReasonMismatch)
	default:
		if s.EndedWithoutOrder() && s.Reason == ReasonUnknown {
			return s // an operator released it
		}
		s.requireAttention(ReasonUnknown)
	}
	return s
}

func (s *State) advance(to Status) {
	if progress[to] > progress[s.Status] {
		s.Status = to
	}
}

func (s *State) observe(o Observation) {
	weaker, stronger := slices.Index(observations, string(s.Observation)), slices.Index(observations, string(o))
	s.Observation = Observation(observations[max(weaker, stronger)])
}

func (s *State) end(to Status) {
	s.advance(to)
	s.SlotHeld, s.Released = false, false
}

func (s *State) requireAttention(reason string) {
	s.advance(StatusRequiresAttention)
	s.Reason = reason
}

// BookedWithoutOrder returns s after accepted money that can no longer become the checkout's order: recorded,
// and requiring attention.
func (s State) BookedWithoutOrder(reason string) State {
	return State{Status: StatusRequiresAttention, Observation: ObservedNothing, Reason: reason}
}

// loseSlot frees the slot without proof that nobody can pay.
func (s *State) loseSlot() { s.SlotHeld, s.Released = false, s.MayBePaid() }

// Release returns s after its slot was freed without proof that nobody can pay: it ends as its last
// observation says, and may still be paid. A booked session keeps its status. A session with an unknown
// provider state keeps that reason, so the same answer does not require attention again.
func (s State) Release() State {
	s.loseSlot()
	if s.Booked() || s.EndedWithoutOrder() {
		return s
	}
	switch s.Observation {
	case ObservedFailed:
		s.Status = StatusFailed
	case ObservedExpired:
		s.Status = StatusExpired
	default:
		s.Status = StatusCanceled
	}
	return s
}
