package stripe_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/ports"
)

// The page can be paid until the reservation ends, as far as Stripe takes it.
func TestPageLivesAsLongAsAskedFor(t *testing.T) {
	t.Parallel()
	s := open(t)
	limits := s.provider.Describe().Limits
	for name, reservation := range map[string]time.Duration{"an hour": time.Hour, "a minute": time.Minute, "two days": 48 * time.Hour} {
		r := hosted
		r.AskedAt = s.Clock()
		r.ExpiresAt = limits.PageEnd(r.AskedAt.Add(reservation), r.AskedAt)
		got, err := s.send("key-"+name, 1, r)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if page := s.Sessions[len(s.Sessions)-1]; !got.Prepared.PageEnd.Equal(r.ExpiresAt) || !page.Expires.Equal(r.ExpiresAt) {
			t.Errorf("%s: asked for %v, got %v, Stripe has %v", name, r.ExpiresAt, got.Prepared.PageEnd, page.Expires)
		}
	}
	for name, ahead := range map[string]time.Duration{"too short": 29 * time.Minute, "too long": 25 * time.Hour} {
		r := hosted
		r.ExpiresAt = s.Clock().Add(ahead)
		if _, err := s.send("key-"+name, 1, r); !errors.Is(err, ports.ErrProviderRejected) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
