package payment_test

import (
	"testing"

	. "github.com/cartwright-dev/cartwright/domain/payment"
)

var harmless = []Seen{Absent, Open, Processing, Paid, Failed, Expired, Canceled, Unknown}

func begun() State { return State{Status: StatusCreated, Observation: SeenNothing, SlotHeld: true} }

func join(s State, facts ...Seen) State {
	for _, f := range facts {
		s = Join(s, f)
	}
	return s
}

// permutations calls each with every order of facts.
func permutations(facts []Seen, k int, each func([]Seen)) {
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

func TestTheSameFactsGiveTheSameStateInAnyOrder(t *testing.T) {
	t.Parallel()
	for mask := range 1 << len(harmless) {
		var facts []Seen
		for i, f := range harmless {
			if mask&(1<<i) != 0 {
				facts = append(facts, f)
			}
		}
		if len(facts) > 6 {
			continue // 8 facts are 40 320 orders of what 6 facts say already
		}
		want := join(begun(), facts...)
		permutations(facts, 0, func(order []Seen) {
			if got := join(begun(), order...); got != want {
				t.Fatalf("%v gives %+v, another order %+v", order, got, want)
			}
			if got := join(begun(), append(order, order...)...); got != want {
				t.Fatalf("%v twice gives %+v, once %+v", order, got, want)
			}
		})
	}
}

func TestProgressIsNeverLost(t *testing.T) {
	t.Parallel()
	order := map[Status]int{StatusCreated: 0, StatusPending: 1, StatusProcessing: 2, StatusCanceled: 3, StatusAttention: 4, StatusSucceeded: 5}
	all := append([]Seen{Mismatch}, harmless...)
	for _, a := range all {
		for _, b := range all {
			for _, c := range all {
				before := join(begun(), a, b)
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

func TestWhatIsSeenDecidesTheState(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seen []Seen
		want State
	}{
		"an open payment is pending":                      {[]Seen{Open}, State{StatusPending, SeenNothing, true, "", Unresolved}},
		"a decline keeps the slot":                        {[]Seen{Open, Failed}, State{StatusPending, SeenFailed, true, "", Unresolved}},
		"a payment nobody heard of keeps the slot":        {[]Seen{Absent}, State{StatusCreated, SeenAbsent, true, "", Unresolved}},
		"an expired payment keeps the slot":               {[]Seen{Open, Expired}, State{StatusPending, SeenExpired, true, "", Unresolved}},
		"a decline outweighs expiry":                      {[]Seen{Failed, Expired, Absent}, State{StatusCreated, SeenFailed, true, "", Unresolved}},
		"money frees the slot":                            {[]Seen{Open, Paid}, State{StatusSucceeded, SeenNothing, false, "", Unresolved}},
		"money after a decline succeeds":                  {[]Seen{Failed, Paid}, State{StatusSucceeded, SeenNothing, false, "", Unresolved}},
		"a confirmed close frees the slot":                {[]Seen{Open, Canceled}, State{StatusCanceled, SeenNothing, false, "", Unresolved}},
		"money after a close is still money":              {[]Seen{Canceled, Paid}, State{StatusSucceeded, SeenNothing, false, "", Unresolved}},
		"a word we do not know asks for a person":         {[]Seen{Open, Unknown}, State{StatusAttention, SeenNothing, true, ReasonUnknown, Unresolved}},
		"money settles a word we did not know":            {[]Seen{Unknown, Paid}, State{StatusSucceeded, SeenNothing, false, "", Unresolved}},
		"other money asks for a person":                   {[]Seen{Open, Mismatch}, State{StatusAttention, SeenNothing, true, ReasonMismatch, Unresolved}},
		"nothing changes after other money":               {[]Seen{Mismatch, Paid, Canceled}, State{StatusAttention, SeenNothing, true, ReasonMismatch, Unresolved}},
		"a word outside the list is a word we don't know": {[]Seen{"refunding"}, State{StatusAttention, SeenNothing, true, ReasonUnknown, Unresolved}},
	} {
		if got := join(begun(), c.seen...); got != c.want {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestAReleasedSessionEndsAsItWasLastSeen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seen []Seen
		want Status
	}{
		"declined":  {[]Seen{Failed}, StatusFailed},
		"expired":   {[]Seen{Open, Expired}, StatusExpired},
		"absent":    {[]Seen{Absent}, StatusCanceled},
		"open":      {[]Seen{Open}, StatusCanceled},
		"paid":      {[]Seen{Paid}, StatusSucceeded},
		"mismatch":  {[]Seen{Mismatch}, StatusAttention},
		"canceled":  {[]Seen{Canceled}, StatusCanceled},
		"not known": {[]Seen{Unknown}, StatusCanceled},
	} {
		got := join(begun(), c.seen...).Release()
		if got.Status != c.want || got.SlotHeld {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestAReleasedSessionKeepsItsEndUntilMoneyComes(t *testing.T) {
	t.Parallel()
	ended := join(begun(), Failed).Release()
	if got := Join(ended, Canceled); got.Status != StatusFailed {
		t.Errorf("a close changed how it ended: %+v", got)
	}
	if got := Join(ended, Paid); got.Status != StatusSucceeded {
		t.Errorf("money was dropped: %+v", got)
	}
}

func TestOnlyAnEndedSessionIsTerminal(t *testing.T) {
	t.Parallel()
	for seen, want := range map[Seen]bool{Open: false, Absent: false, Failed: false, Unknown: false, Paid: true, Mismatch: true, Canceled: true} {
		if got := Join(begun(), seen).Terminal(); got != want {
			t.Errorf("%s: terminal %v", seen, got)
		}
	}
	if late := Join(begun(), Open).Late(ReasonLate); !late.Booked() || late.SlotHeld {
		t.Errorf("late money is not booked: %+v", late)
	}
}
