package payment

import (
	"testing"
	"time"
)

func TestPageEndsWithTheReservation(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	bounded := Limits{MinPageLife: 31 * time.Minute, MaxPageLife: 2 * time.Hour}
	for name, c := range map[string]struct {
		limits      Limits
		reservation time.Duration
		want        time.Duration
	}{
		"the reservation's":          {bounded, time.Hour, time.Hour},
		"not shorter than it can":    {bounded, time.Minute, 31 * time.Minute},
		"not longer than it can":     {bounded, 24 * time.Hour, 2 * time.Hour},
		"a reservation that is over": {bounded, -time.Hour, 31 * time.Minute},
	} {
		if got := c.limits.PageEnd(now.Add(c.reservation), now); got.Sub(now) != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := (Limits{}).PageEnd(now.Add(time.Hour), now); !got.IsZero() {
		t.Errorf("a provider that decides by itself: %v", got)
	}
}

func TestPagesAndReservationsEndApart(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		kind           Kind
		page           time.Duration // 0: it has no known end
		reservation    time.Duration
		over, outlives bool
	}{
		"both last":                  {Hosted, time.Minute, time.Minute, false, false},
		"the reservation ended":      {Hosted, time.Minute, 0, false, true},
		"both ended":                 {Hosted, -time.Minute, -time.Minute, true, false},
		"the page ended":             {Hosted, -time.Minute, time.Minute, true, false},
		"no known end":               {Hosted, 0, -time.Minute, false, false},
		"a widget is no hosted page": {Widget, -time.Minute, -time.Minute, false, false},
	} {
		s := Session{Action: Action{Kind: c.kind}, ExpiresAt: now.Add(c.reservation), Prepared: &Prepared{SessionID: "ps"}}
		if c.page != 0 {
			s.Prepared.PageEnd = now.Add(c.page)
		}
		if s.PageOver(now) != c.over || s.PageOutlivesReservation(now) != c.outlives {
			t.Errorf("%s: over %v, outlives %v", name, s.PageOver(now), s.PageOutlivesReservation(now))
		}
	}
	if s := (Session{Action: Action{Kind: Hosted}}); s.PageOver(now) || s.PageOutlivesReservation(now) {
		t.Error("a session that was never prepared has a page")
	}
}
