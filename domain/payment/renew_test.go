package payment_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

func TestRenewalsOfAReservationEnd(t *testing.T) {
	t.Parallel()
	begun := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	at := func(h int) time.Time { return begun.Add(time.Duration(h) * time.Hour) }
	for name, c := range map[string]struct {
		has, until, last, now, want int
		err                         error
	}{
		"a renewal":                     {1, 2, 25, 1, 2, nil},
		"one that would be shorter":     {3, 2, 25, 1, 3, nil},
		"one near the end":              {24, 26, 25, 24, 25, nil},
		"one after the end":             {25, 26, 25, 25, 25, checkout.ErrExpired},
		"one that had ended before":     {2, 10, 25, 9, 10, nil},
		"one that ended, after the end": {2, 30, 25, 29, 25, checkout.ErrExpired},
	} {
		s, err := payment.Session{ExpiresAt: at(c.has)}.Renew(at(c.until), at(c.last), at(c.now))
		if !errors.Is(err, c.err) || !s.ExpiresAt.Equal(at(c.want)) {
			t.Errorf("%s: %v %v", name, s.ExpiresAt, err)
		}
	}
}
