// Package payment is what a payment session may become: its states, its hold on a checkout's one payment slot, and when
// a provider's payment is accepted as ours.
package payment

import "slices"

// Status is how far a payment session is. Contract 8.
type Status string

// The statuses. Created: the provider does not know of it yet, or we do not know whether it does. Failed and Expired are
// how a session ends when an operator releases it after such an observation.
const (
	StatusCreated    Status = "created"
	StatusPending    Status = "pending"
	StatusProcessing Status = "processing"
	StatusSucceeded  Status = "succeeded"
	StatusFailed     Status = "failed"
	StatusCanceled   Status = "canceled"
	StatusExpired    Status = "expired"
	StatusAttention  Status = "requires_attention"
)

var statuses = []string{"created", "pending", "processing", "succeeded", "failed", "canceled", "expired", "requires_attention"}

// Observation is what was seen going wrong without ending the session: it keeps the slot held for a retry of exactly the
// same action. Spec 4.6 rule 9.
type Observation string

// The observations, weakest first.
const (
	SeenNothing Observation = "none"
	SeenAbsent  Observation = "absent"
	SeenExpired Observation = "expired"
	SeenFailed  Observation = "failed"
)

// observations are in the order of their weight.
var observations = []string{"none", "absent", "expired", "failed"}

// State is what observations change about a session.
type State struct {
	Status      Status
	Observation Observation
	SlotHeld    bool
	Reason      string // why it requires attention, else ""
	Resolution  Resolution
}

// Seen is one fact learnt about a session's payment: a provider's state in our words, or one of ours.
type Seen string

// What can be seen. Absent to Unknown are a provider's answers; the others are ours.
const (
	Absent     Seen = "absent"
	Open       Seen = "open"
	Processing Seen = "processing"
	Paid       Seen = "paid" // and accepted: everything about it matches
	Failed     Seen = "failed"
	Expired    Seen = "expired" // by the provider, or by our own clock
	Canceled   Seen = "canceled"
	Unknown    Seen = "unknown"
	Mismatch   Seen = "mismatch" // paid, but not what we asked for
)

// Reasons of sessions and checkouts that require attention.
const (
	ReasonMismatch = "payment_amount_mismatch"
	ReasonUnknown  = "provider_state_unknown"
	ReasonLate     = "payment_late"
	ReasonStock    = "out_of_stock"
	ReasonDiscount = "discount_usage_limit"
)

// AttentionReasons are these reasons, as fields list them.
var AttentionReasons = []string{ReasonMismatch, ReasonUnknown, ReasonLate, ReasonStock, ReasonDiscount}

// rank orders statuses by progress; a session never moves to a lower one.
var rank = map[Status]int{
	StatusCreated: 0, StatusPending: 1, StatusProcessing: 2, StatusFailed: 3, StatusExpired: 3, StatusCanceled: 3,
	StatusAttention: 4, StatusSucceeded: 5,
}

// Booked reports whether money has been recorded for s. Nothing seen later changes such a session: only the first money
// counts, whatever order webhook, redirect, poll and confirm arrive in.
func (s State) Booked() bool {
	return s.Status == StatusSucceeded || s.Resolution != Unresolved || s.Status == StatusAttention && s.Reason != ReasonUnknown
}

// Over reports whether s ended without an order: canceled, released by an operator, or its money given back.
func (s State) Over() bool { return rank[s.Status] == 3 }

// Freed reports whether s gave its slot up without money. One whose provider once said what we do not know goes on asking
// for attention after that.
func (s State) Freed() bool { return !s.SlotHeld && !s.Booked() }

// Terminal reports whether s can neither be paid by confirm nor be canceled any more.
func (s State) Terminal() bool { return s.Booked() || s.Over() }

// Join adds a fact to s. It is monotone: facts may arrive late, twice and in any order, and the same facts give the same
// state; a booked session never changes. Failed, absent and expired are observations, which keep the slot; success and a
// close that the provider confirms free it. Contract 8, Reference payments 4.
func Join(s State, seen Seen) State {
	if s.Booked() {
		return s
	}
	switch seen {
	case Open:
		s.raise(StatusPending)
	case Processing:
		s.raise(StatusProcessing)
	case Absent:
		s.observe(SeenAbsent)
	case Expired:
		s.observe(SeenExpired)
	case Failed:
		s.observe(SeenFailed)
	case Canceled:
		s.end(StatusCanceled)
	case Paid:
		s = State{Status: StatusSucceeded, Observation: SeenNothing}
	case Mismatch:
		s.attend(ReasonMismatch)
	default:
		if s.Over() && s.Reason == ReasonUnknown {
			return s // a person looked at it
		}
		s.attend(ReasonUnknown)
	}
	return s
}

func (s *State) raise(to Status) {
	if rank[to] > rank[s.Status] {
		s.Status = to
	}
}

func (s *State) observe(o Observation) {
	weaker, stronger := slices.Index(observations, string(s.Observation)), slices.Index(observations, string(o))
	s.Observation = Observation(observations[max(weaker, stronger)])
}

func (s *State) end(to Status) {
	s.raise(to)
	s.SlotHeld = false
}

func (s *State) attend(reason string) {
	s.raise(StatusAttention)
	s.Reason = reason
}

// Late is s after accepted money that can no longer become the checkout's order: recorded, and for a person to resolve.
func (s State) Late(reason string) State {
	return State{Status: StatusAttention, Observation: SeenNothing, Reason: reason}
}

// Release is s after an operator freed its slot: it ends as what was last seen of it. A booked session keeps its status, and
// one whose provider said what we do not know remembers that: hearing it again is no news.
func (s State) Release() State {
	s.SlotHeld = false
	if s.Booked() || s.Over() {
		return s
	}
	switch s.Observation {
	case SeenFailed:
		s.Status = StatusFailed
	case SeenExpired:
		s.Status = StatusExpired
	default:
		s.Status = StatusCanceled
	}
	return s
}
