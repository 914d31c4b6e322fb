package payment_test

import (
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/payment"
)

func held(amount int64) []collection.Record {
	of := full()
	of.TaxFree = money.Money{}
	t := Transaction{ID: "t1", Order: "o1", Session: of, Amount: money.Of(amount, "KRW"), Authorized: true}
	return []collection.Record{{"id": "r1", "type": "refund"}, t.Record()}
}

func TestAuthorizedPaymentIsNoMoneyUntilItIsCaptured(t *testing.T) {
	t.Parallel()
	records := held(15000)
	p, ok := HeldPaymentOf(records)
	if !ok || !p.Held() || p.Authorized != money.Of(15000, "KRW") || !p.Captured.IsZero() || len(RefundablePayments(records)) > 0 {
		t.Fatalf("%+v", p)
	}
	now := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	if !p.MayCapture("k1") {
		t.Error("nothing captures it, and nothing may")
	}
	records[1] = p.BeginCapture("k1", now)
	p, _ = HeldPaymentOf(records)
	if !p.Held() || !p.MayCapture("k1") || p.MayCapture("k2") || p.CaptureAnswered(now.Add(AnswerGrace-1)) || !p.CaptureAnswered(now.Add(AnswerGrace)) {
		t.Errorf("%+v", p)
	}
	records[1] = p.DropCapture()
	if p, _ = HeldPaymentOf(records); !p.MayCapture("k2") {
		t.Error("a capture that came to nothing keeps the next one")
	}
	records[1] = p.End(money.Of(9000, "KRW"), money.Money{}, nil)
	paid := RefundablePayments(records)
	if p, _ = HeldPaymentOf(records); p.Held() || p.Captured != money.Of(9000, "KRW") || p.Authorized != money.Of(15000, "KRW") || len(paid) != 1 ||
		paid[0].Paid != money.Of(9000, "KRW") {
		t.Errorf("captured: %+v, %+v", p, paid)
	}
	released, _ := HeldPaymentOf(held(15000))
	released.Record = released.End(money.Money{}, money.Money{}, nil)
	if released.Held() || released.Record.Text("status") != "canceled" || len(RefundablePayments([]collection.Record{released.Record})) > 0 {
		t.Errorf("released: %+v", released)
	}
	atOnce := Transaction{ID: "t1", Session: full(), Amount: money.Of(15000, "KRW")}.Record()
	if _, ok := HeldPaymentOf([]collection.Record{atOnce}); ok {
		t.Error("a payment that was collected at once was not authorized before")
	}
}

// A capture has its share of the tax-free part: proportional, never more than of either part is held, all of both in the end.
func TestCaptureHasItsTaxFreePart(t *testing.T) {
	t.Parallel()
	of := full()
	of.TaxFree = money.Of(10000, "KRW")
	r := Transaction{ID: "t1", Session: of, Amount: money.Of(15000, "KRW"), Authorized: true}.Record()
	p, _ := HeldPaymentOf([]collection.Record{r})
	for amount, want := range map[int64]int64{15000: 10000, 9000: 6000, 1: 1, 2: 1, 14999: 9999} {
		if got := p.TaxFreeShare(money.Of(amount, "KRW"), nil); got != money.Of(want, "KRW") {
			t.Errorf("of %d, %v are tax-free", amount, got)
		}
	}
	for amount := range int64(15001) {
		share := p.TaxFreeShare(money.Of(amount, "KRW"), nil).Minor
		if share < 0 || share > min(amount, 10000) || amount-share > 5000 {
			t.Fatalf("of %d, %d are tax-free", amount, share)
		}
	}
	for due, want := range map[int64]int64{0: 4000, 4000: 4000, 6000: 6000, 9000: 9000, 9001: 9000} {
		got := p.TaxFreeShare(money.Of(9000, "KRW"), new(money.Of(due, "KRW")))
		if part, _ := p.End(money.Of(9000, "KRW"), got, nil).Money("taxFreeAmount"); got != money.Of(want, "KRW") || part != got {
			t.Errorf("%v of 9000 are tax-free where %d are due, and %v are recorded", got, due, part)
		}
	}
	taxed, _ := HeldPaymentOf(held(15000))
	if got := taxed.TaxFreeShare(money.Of(9000, "KRW"), nil); got != (money.Money{}) {
		t.Errorf("of a payment without a tax-free part: %v", got)
	}
}

func TestAuthorizationIsFollowed(t *testing.T) {
	t.Parallel()
	approved := Join(newState(), FactAuthorized)
	ending := approved.FollowAuthorization(AuthorizationState{Placed: true, Ending: true})
	dismissed, _ := ending.Resolve(ResolutionDismissed)
	unplaced := approved.VoidWithoutOrder(ReasonStock)
	attention := approved.BookedWithoutOrder
	paid, voided := Join(newState(), FactPaid), State{Status: StatusCanceled, Observation: ObservedNothing, Resolution: ResolutionVoided}
	for name, c := range map[string]struct {
		was    State
		became AuthorizationState
		want   State
	}{
		"held":                        {approved, AuthorizationState{Placed: true}, approved},
		"it ends soon":                {approved, AuthorizationState{Placed: true, Ending: true}, attention(ReasonAuthorizationEnds)},
		"that is dismissed":           {dismissed, AuthorizationState{Placed: true, Ending: true}, dismissed},
		"a refusal after that":        {dismissed, AuthorizationState{Placed: true, Refused: true}, dismissed},
		"captured after that":         {dismissed, AuthorizationState{Placed: true, Captured: true}, paid},
		"nobody knows":                {approved, AuthorizationState{Placed: true, Unclear: true}, attention(ReasonAuthorizationUnclear)},
		"its capture is refused":      {approved, AuthorizationState{Placed: true, Refused: true}, attention(ReasonCaptureRefused)},
		"captured":                    {approved, AuthorizationState{Placed: true, Captured: true}, paid},
		"captured in time":            {ending, AuthorizationState{Placed: true, Captured: true}, paid},
		"captured after a cancel":     {voided, AuthorizationState{Placed: true, Captured: true, Canceled: true}, attention(ReasonLate)},
		"released":                    {approved, AuthorizationState{Placed: true, Released: true}, attention(ReasonVoided)},
		"released after shipping":     {ending, AuthorizationState{Placed: true, Released: true, Shipped: true}, attention(ReasonVoidedShipped)},
		"released for a cancel":       {approved, AuthorizationState{Placed: true, Released: true, Canceled: true}, voided},
		"without an order, held":      {unplaced, AuthorizationState{}, unplaced},
		"without an order, released":  {unplaced, AuthorizationState{Released: true}, unplaced},
		"without an order, collected": {unplaced, AuthorizationState{Captured: true}, attention(ReasonStock)},
	} {
		got := c.was.FollowAuthorization(c.became)
		if got != c.want || !got.Booked() {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		if again := got.FollowAuthorization(c.became); again != got {
			t.Errorf("%s, seen twice: %+v", name, again)
		}
	}
	if ending.Advice() != checkout.AdviceCapture || !ending.IsHeld() || ending.MoneyIsGone() {
		t.Errorf("%+v", ending)
	}
	gone := attention(ReasonVoided)
	if !gone.MoneyIsGone() || gone.Advice() != checkout.AdviceCancel || attention(ReasonVoidedShipped).Advice() != checkout.AdviceCollect {
		t.Errorf("%+v", gone)
	}
	for _, s := range []State{ending, gone, attention(ReasonCaptureRefused)} {
		for _, how := range []Resolution{ResolutionPlaced, ResolutionRefunded} {
			if _, err := s.Resolve(how); err == nil {
				t.Errorf("%s is resolved as %s", s.Reason, how)
			}
		}
		if _, err := s.Resolve(ResolutionDismissed); err != nil {
			t.Errorf("%s: %v", s.Reason, err)
		}
	}
}

func TestAuthorizationIsLookedAtWhenItEnds(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	until := now.Add(7 * 24 * time.Hour)
	looks, warned := 0, time.Time{}
	p := HeldPayment{Record: collection.Record{"createdAt": now}}
	for at := now; at.Before(until.Add(time.Hour)); looks++ {
		if p.Ends(until, at) && warned.IsZero() {
			warned = at
		}
		next := NextAuthorizationLook(until, at)
		if !next.After(at) {
			t.Fatalf("after %s comes %s", at, next)
		}
		if at.Before(until) && next.After(until) {
			t.Errorf("the look after %s misses the end", at)
		}
		at = next
	}
	if warning := until.Sub(warned); warning != 36*time.Hour || looks > 50 {
		t.Errorf("told %s before the end, after %d looks", warning, looks)
	}
	week := now.Add(7 * 24 * time.Hour)
	if p.Ends(time.Time{}, week.Add(-37*time.Hour)) || !p.Ends(time.Time{}, week.Add(-36*time.Hour)) {
		t.Error("an end that is not known is not after a week")
	}
	if NextAuthorizationLook(time.Time{}, now) != now.Add(6*time.Hour) {
		t.Error("an end that is not known")
	}
	for attempt, want := range map[int]time.Duration{
		1: 20 * time.Second, 2: 40 * time.Second, 5: 320 * time.Second, 11: 20480 * time.Second, 12: 6 * time.Hour, 99: 6 * time.Hour,
	} {
		if got := AnswerWait(attempt); got != want {
			t.Errorf("after attempt %d: %s", attempt, got)
		}
	}
	if at := NextAuthorizationTask(State{Resolution: ResolutionVoided}, until, now); at != now {
		t.Errorf("released from %s", at)
	}
}
