package payment_test

import (
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	. "github.com/cartwright-dev/cartwright/domain/payment"
)

func TestEveryReasonHasItsAdvice(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]checkout.Advice{
		ReasonStock: checkout.AdvicePlace, ReasonDiscount: checkout.AdviceRefund, ReasonLate: checkout.AdviceRefund,
		ReasonMismatch: checkout.AdviceCompare, ReasonUnknown: checkout.AdviceLook,
	} {
		s := Session{ID: "s1", State: newState().BookedWithoutOrder(reason)}
		if got := s.AttentionCase(); got != (checkout.AttentionCase{Reason: reason, Advice: want, PaymentSession: "s1"}) {
			t.Errorf("%s: %+v", reason, got)
		}
		if s.Status = StatusSucceeded; s.Advice() != "" {
			t.Errorf("%s: advice for what is well", reason)
		}
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	late, other, unknown := newState().BookedWithoutOrder(ReasonLate), join(newState(), FactMismatch), join(newState(),
		FactOpen, FactUnknown)
	for name, c := range map[string]struct {
		given State
		how   Resolution
		want  State
		err   error
	}{
		"late money is placed": {late, ResolutionPlaced, State{StatusSucceeded, ObservedNothing, false, "", ResolutionPlaced, false}, nil},
		"late money is given back": {
			late, ResolutionRefunded, State{StatusCanceled, ObservedNothing, false, ReasonLate, ResolutionRefunded, false}, nil,
		},
		"late money is dealt with elsewhere": {
			late, ResolutionDismissed, State{StatusCanceled, ObservedNothing, false, ReasonLate, ResolutionDismissed, false}, nil,
		},
		"other money is given back": {
			other, ResolutionRefunded, State{StatusCanceled, ObservedNothing, false, ReasonMismatch, ResolutionRefunded, false}, nil,
		},
		"other money is not placed": {other, ResolutionPlaced, other, ErrPaymentMismatch},
		"an unknown state is released": {
			unknown, ResolutionDismissed, State{StatusCanceled, ObservedNothing, false, ReasonUnknown, ResolutionNone, true}, nil,
		},
		"an unknown state is not placed":      {unknown, ResolutionPlaced, unknown, ErrNotPaid},
		"an unknown state is not refunded":    {unknown, ResolutionRefunded, unknown, ErrNotPaid},
		"an open payment needs no resolution": {newState(), ResolutionDismissed, newState(), ErrAttentionNotRequired},
		"a succeeded payment needs no resolution": {
			join(newState(), FactPaid), ResolutionRefunded, join(newState(), FactPaid), ErrAttentionNotRequired,
		},
		"a placed payment needs no resolution": {
			State{StatusSucceeded, ObservedNothing, false, "", ResolutionPlaced, false}, ResolutionRefunded,
			State{StatusSucceeded, ObservedNothing, false, "", ResolutionPlaced, false}, ErrAttentionNotRequired,
		},
		"what was given back is not placed after": {
			State{StatusCanceled, ObservedNothing, false, "", ResolutionRefunded, false}, ResolutionPlaced,
			State{StatusCanceled, ObservedNothing, false, "", ResolutionRefunded, false}, ErrAttentionNotRequired,
		},
	} {
		got, err := c.given.Resolve(c.how)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// After a booked session was resolved, no fact books its money again; after one without money was released,
// money is still booked.
func TestResolvedPaymentIsNeverBookedAgain(t *testing.T) {
	t.Parallel()
	for _, how := range []Resolution{ResolutionPlaced, ResolutionRefunded, ResolutionDismissed} {
		s, err := newState().BookedWithoutOrder(ReasonLate).Resolve(how)
		for _, seen := range []Fact{
			FactAbsent, FactOpen, FactProcessing, FactPaid, FactFailed, FactExpired, FactCanceled, FactUnknown, FactMismatch,
		} {
			if err != nil || !s.Booked() || !s.Terminal() || Join(s, seen) != s {
				t.Errorf("%s, then %s: %+v, %v", how, seen, Join(s, seen), err)
			}
		}
	}
	s, _ := join(newState(), FactUnknown).Resolve(ResolutionDismissed)
	if got := Join(s, FactPaid); got.Status != StatusSucceeded {
		t.Errorf("late money: %+v", got)
	}
	if got := Join(s, FactUnknown); got != s {
		t.Errorf("a released session requires attention again: %+v", got)
	}
}
