package payment_test

import (
	"testing"

	. "github.com/cartwright-dev/cartwright/domain/payment"
)

// harmless are facts of a payment that is collected at once, and withAuthorization those of one that is captured later. The
// first money, or authorization of it, counts: what comes after is no fact of the session.
var (
	harmless          = []Fact{FactAbsent, FactOpen, FactProcessing, FactPaid, FactFailed, FactExpired, FactCanceled, FactUnknown}
	withAuthorization = []Fact{FactAbsent, FactOpen, FactProcessing, FactAuthorized, FactFailed, FactExpired, FactCanceled, FactUnknown}
)

func newState() State {
	return State{Status: StatusCreated, Observation: ObservedNothing, SlotHeld: true}
}

func join(s State, facts ...Fact) State {
	for _, f := range facts {
		s = Join(s, f)
	}
	return s
}

// permutations calls each with every order of facts.
func permutations(facts []Fact, k int, each func([]Fact)) {
	if k == len(facts) {
		each(facts)
		return
	}
	for i := k; i < len(facts); i++ {
		facts[k], facts[i] = facts[i], facts[k]
		permutations(facts, k+1, each)
		facts[k], facts[i] = facts[i], facts[k]
	}
}

func TestJoinIsOrderIndependent(t *testing.T) {
	t.Parallel()
	for mask := range 2 << len(harmless) {
		var facts []Fact
		all := harmless
		if mask >= 1<<len(harmless) {
			all = withAuthorization
		}
		for i, f := range all {
			if mask&(1<<i) != 0 {
				facts = append(facts, f)
			}
		}
		if len(facts) > 6 {
			continue // 8 facts have 40,320 permutations, which show no more than those of 6 facts
		}
		want := join(newState(), facts...)
		permutations(facts, 0, func(order []Fact) {
			if got := join(newState(), order...); got != want {
				t.Fatalf("%v gives %+v, another order %+v", order, got, want)
			}
			if got := join(newState(), append(order, order...)...); got != want {
				t.Fatalf("%v twice gives %+v, once %+v", order, got, want)
			}
		})
	}
}

func TestJoinIsMonotone(t *testing.T) {
	t.Parallel()
	order := map[Status]int{
		StatusCreated: 0, StatusPending: 1, StatusProcessing: 2, StatusCanceled: 3, StatusRequiresAttention: 4, StatusAuthorized: 5,
		StatusSucceeded: 5,
	}
	all := append([]Fact{FactMismatch, FactAuthorized}, harmless...)
	for _, a := range all {
		for _, b := range all {
			for _, c := range all {
				before := join(newState(), a, b)
				after := Join(before, c)
				if order[after.Status] < order[before.Status] {
					t.Errorf("%s after %s and %s went from %s back to %s", c, a, b, before.Status, after.Status)
				}
				if before.Booked() && after != before {
					t.Errorf("%s changed a booked session from %+v to %+v", c, before, after)
				}
				if !before.SlotHeld && after.SlotHeld {
					t.Errorf("%s took the slot back", c)
				}
			}
		}
	}
}

func TestFactsDecideState(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seen []Fact
		want State
	}{
		"an open payment is pending":       {[]Fact{FactOpen}, State{StatusPending, ObservedNothing, true, "", ResolutionNone, false}},
		"a decline keeps the slot":         {[]Fact{FactOpen, FactFailed}, State{StatusPending, ObservedFailed, true, "", ResolutionNone, false}},
		"an absent payment keeps the slot": {[]Fact{FactAbsent}, State{StatusCreated, ObservedAbsent, true, "", ResolutionNone, false}},
		"an expired payment keeps the slot": {
			[]Fact{FactOpen, FactExpired}, State{StatusPending, ObservedExpired, true, "", ResolutionNone, false},
		},
		"a decline outweighs expiry": {
			[]Fact{FactFailed, FactExpired, FactAbsent}, State{StatusCreated, ObservedFailed, true, "", ResolutionNone, false},
		},
		"money frees the slot": {[]Fact{FactOpen, FactPaid}, State{StatusSucceeded, ObservedNothing, false, "", ResolutionNone, false}},
		"money after a decline succeeds": {
			[]Fact{FactFailed, FactPaid}, State{StatusSucceeded, ObservedNothing, false, "", ResolutionNone, false},
		},
		"a confirmed close frees the slot": {
			[]Fact{FactOpen, FactCanceled}, State{StatusCanceled, ObservedNothing, false, "", ResolutionNone, false},
		},
		"money after a close is still money": {
			[]Fact{FactCanceled, FactPaid}, State{StatusSucceeded, ObservedNothing, false, "", ResolutionNone, false},
		},
		"a word we do not know asks for a person": {
			[]Fact{FactOpen, FactUnknown}, State{StatusRequiresAttention, ObservedNothing, true, ReasonUnknown, ResolutionNone, false},
		},
		"money settles a word we did not know": {
			[]Fact{FactUnknown, FactPaid}, State{StatusSucceeded, ObservedNothing, false, "", ResolutionNone, false},
		},
		"other money asks for a person": {
			[]Fact{FactOpen, FactMismatch}, State{StatusRequiresAttention, ObservedNothing, true, ReasonMismatch, ResolutionNone, false},
		},
		"nothing changes after other money": {[]Fact{FactMismatch, FactPaid, FactCanceled}, State{
			StatusRequiresAttention, ObservedNothing, true, ReasonMismatch, ResolutionNone, false,
		}},
		"a word outside the list is a word we don't know": {
			[]Fact{"refunding"}, State{StatusRequiresAttention, ObservedNothing, true, ReasonUnknown, ResolutionNone, false},
		},
	} {
		if got := join(newState(), c.seen...); got != c.want {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestReleaseEndsWithLastObservation(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seen []Fact
		want Status
	}{
		"declined":  {[]Fact{FactFailed}, StatusFailed},
		"expired":   {[]Fact{FactOpen, FactExpired}, StatusExpired},
		"absent":    {[]Fact{FactAbsent}, StatusCanceled},
		"open":      {[]Fact{FactOpen}, StatusCanceled},
		"paid":      {[]Fact{FactPaid}, StatusSucceeded},
		"mismatch":  {[]Fact{FactMismatch}, StatusRequiresAttention},
		"canceled":  {[]Fact{FactCanceled}, StatusCanceled},
		"not known": {[]Fact{FactUnknown}, StatusCanceled},
	} {
		got := join(newState(), c.seen...).Release()
		if got.Status != c.want || got.SlotHeld {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestReleasedSessionChangesOnlyWhenPaid(t *testing.T) {
	t.Parallel()
	ended := join(newState(), FactFailed).Release()
	if got := Join(ended, FactCanceled); got.Status != StatusFailed {
		t.Errorf("FactCanceled changed a session that had ended: %+v", got)
	}
	if got := Join(ended, FactPaid); got.Status != StatusSucceeded {
		t.Errorf("money was dropped: %+v", got)
	}
}

func TestTerminalStates(t *testing.T) {
	t.Parallel()
	for seen, want := range map[Fact]bool{
		FactOpen: false, FactAbsent: false, FactFailed: false, FactUnknown: false, FactPaid: true, FactMismatch: true, FactCanceled: true,
	} {
		if got := Join(newState(), seen).Terminal(); got != want {
			t.Errorf("%s: terminal %v", seen, got)
		}
	}
	if late := Join(newState(), FactOpen).BookedWithoutOrder(ReasonLate); !late.Booked() || late.SlotHeld {
		t.Errorf("late money was not booked: %+v", late)
	}
}
