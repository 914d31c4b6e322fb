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
		ReasonStock: checkout.AdvisePlace, ReasonDiscount: checkout.AdviseRefund, ReasonLate: checkout.AdviseRefund, ReasonMismatch: checkout.AdviseCompare,
		ReasonUnknown: checkout.AdviseLook,
	} {
		s := Session{ID: "s1", State: begun().Late(reason)}
		if got := s.Case(); got != (checkout.Case{Reason: reason, Advice: want, Session: "s1"}) {
			t.Errorf("%s: %+v", reason, got)
		}
		if s.Status = StatusSucceeded; s.Advice() != "" {
			t.Errorf("%s: advice for what is well", reason)
		}
	}
}

func TestHowAPaymentIsResolved(t *testing.T) {
	t.Parallel()
	late, other, unknown := begun().Late(ReasonLate), join(begun(), Mismatch), join(begun(), Open, Unknown)
	for name, c := range map[string]struct {
		given State
		how   Resolution
		want  State
		err   error
	}{
		"late money is placed":                    {late, Placed, State{StatusSucceeded, SeenNothing, false, "", Placed}, nil},
		"late money is given back":                {late, Refunded, State{StatusCanceled, SeenNothing, false, ReasonLate, Refunded}, nil},
		"late money is dealt with elsewhere":      {late, Dismissed, State{StatusCanceled, SeenNothing, false, ReasonLate, Dismissed}, nil},
		"other money is given back":               {other, Refunded, State{StatusCanceled, SeenNothing, false, ReasonMismatch, Refunded}, nil},
		"other money is not placed":               {other, Placed, other, ErrMismatch},
		"what nobody knows is let go":             {unknown, Dismissed, State{StatusCanceled, SeenNothing, false, ReasonUnknown, Unresolved}, nil},
		"what nobody knows is not placed":         {unknown, Placed, unknown, ErrNotPaid},
		"what nobody knows is not given back":     {unknown, Refunded, unknown, ErrNotPaid},
		"an open payment needs nobody":            {begun(), Dismissed, begun(), ErrNoAttention},
		"a payment that is well needs nobody":     {join(begun(), Paid), Refunded, join(begun(), Paid), ErrNoAttention},
		"a payment that was placed needs nobody":  {State{StatusSucceeded, SeenNothing, false, "", Placed}, Refunded, State{StatusSucceeded, SeenNothing, false, "", Placed}, ErrNoAttention},
		"what was given back is not placed after": {State{StatusCanceled, SeenNothing, false, "", Refunded}, Placed, State{StatusCanceled, SeenNothing, false, "", Refunded}, ErrNoAttention},
	} {
		got, err := c.given.Resolve(c.how)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// Whatever is seen of a payment that was resolved, its money is not booked again; of one that was let go, it is.
func TestResolvedMoneyIsNeverBookedAgain(t *testing.T) {
	t.Parallel()
	for _, how := range []Resolution{Placed, Refunded, Dismissed} {
		s, err := begun().Late(ReasonLate).Resolve(how)
		for _, seen := range []Seen{Absent, Open, Processing, Paid, Failed, Expired, Canceled, Unknown, Mismatch} {
			if err != nil || !s.Booked() || !s.Terminal() || Join(s, seen) != s {
				t.Errorf("%s, then %s: %+v, %v", how, seen, Join(s, seen), err)
			}
		}
	}
	s, _ := join(begun(), Unknown).Resolve(Dismissed)
	if got := Join(s, Paid); got.Status != StatusSucceeded {
		t.Errorf("money that came after all is %+v", got)
	}
	if got := Join(s, Unknown); got != s {
		t.Errorf("what a person let go is asked about again: %+v", got)
	}
}
