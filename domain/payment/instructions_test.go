package payment

import (
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
)

var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

func waiting(expires time.Time) Session {
	return Session{State: State{Status: StatusProcessing, SlotHeld: true}, ExpiresAt: expires}
}

func TestGoodsAreKeptUntilTheDepositIsDue(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		due, expires, want time.Time
		released           bool
	}{
		"until it is due":                {due: noon.Add(48 * time.Hour), expires: noon.Add(time.Hour), want: noon.Add(48 * time.Hour)},
		"a week at most":                 {due: noon.Add(60 * 24 * time.Hour), expires: noon.Add(time.Hour), want: noon.Add(MaxDepositWait)},
		"a week if no time is named":     {expires: noon.Add(time.Hour), want: noon.Add(MaxDepositWait)},
		"never shorter than before":      {due: noon.Add(time.Minute), expires: noon.Add(time.Hour), want: noon.Add(time.Hour)},
		"not if the reservation is over": {due: noon.Add(48 * time.Hour), expires: noon, want: noon},
		"not without the slot":           {due: noon.Add(48 * time.Hour), expires: noon.Add(time.Hour), want: noon.Add(time.Hour), released: true},
	} {
		s := waiting(c.expires)
		s.SlotHeld = !c.released
		got, prolonged := s.Instruct(Instructions{Account: "1", Amount: money.Of(15000, "KRW"), Due: c.due}, noon)
		if !got.ExpiresAt.Equal(c.want) || prolonged != c.want.After(c.expires) || got.Instructions == nil || s.Instructions != nil {
			t.Errorf("%s: until %s, %v", name, got.ExpiresAt, prolonged)
		}
	}
}

func TestInstructionsAreTakenOnce(t *testing.T) {
	t.Parallel()
	i := Instructions{Account: "1", Amount: money.Of(15000, "KRW"), Due: noon.Add(time.Nanosecond)}
	s := waiting(noon.Add(time.Hour))
	if s.LacksInstructions(nil) || !s.LacksInstructions(&i) || s.AwaitsDeposit() {
		t.Error("those of a session without any are lacking")
	}
	s, _ = s.Instruct(i, noon)
	if s.LacksInstructions(&i) || !s.AwaitsDeposit() {
		t.Error("the same again are not")
	}
	i.Account = "2"
	if !s.LacksInstructions(&i) {
		t.Error("those of another account are lacking")
	}
	s.Status = StatusSucceeded
	if s.LacksInstructions(&i) || s.AwaitsDeposit() {
		t.Error("a paid session needs none")
	}
}
