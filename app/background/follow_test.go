package background_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// place is a place of a test, and what its step does.
type place struct {
	of    tenant.ID
	found background.Look
	err   error
}

// follow takes a step from each place.
func follow(t *testing.T, task *background.Task, places ...place) (taken []tenant.ID, found background.Look, err error) {
	t.Helper()
	whose := func(p place) tenant.ID { return p.of }
	found, err = background.Follow(t.Context(), task, places, whose, func(_ context.Context, p place) (background.Look, error) {
		taken = append(taken, p.of)
		return p.found, p.err
	})
	return taken, found, err
}

func TestFollowersFindWhatTheirStepsFind(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		places []place
		want   background.Look
	}{
		"nobody is behind": {nil, background.Look{}},
		"one has more":     {[]place{{found: background.Look{Busy: true, More: true}}, {}}, background.Look{Busy: true, More: true}},
		"the next is the earliest": {
			[]place{{}, {found: background.Look{Next: time.Hour}}, {found: background.Look{Next: time.Second}}, {}}, background.Look{Next: time.Second},
		},
		"another instance was faster": {
			[]place{{found: background.Look{More: true}, err: fmt.Errorf("move the place: %w", ports.ErrStale)}}, background.Look{Busy: true},
		},
	} {
		if _, found, err := follow(t, nil, c.places...); err != nil || found != c.want {
			t.Errorf("%s: %+v (%v), want %+v", name, found, err, c.want)
		}
	}
}

func TestTenantThatFailsKeepsNoOtherFromItsStep(t *testing.T) {
	t.Parallel()
	b, broken := newBench(), errors.New("a damaged event")
	places := []place{{of: "a"}, {of: "b", err: broken}, {of: "c", found: background.Look{Busy: true, More: true}}}
	taken, found, err := follow(t, b.Task("mail"), places...)
	if !errors.Is(err, broken) || found != places[2].found {
		t.Errorf("%+v, %v", found, err)
	}
	want(t, "steps", taken, []tenant.ID{"a", "b", "c"})
	taken, _, err = follow(t, b.Task("mail"), places...)
	want(t, "steps while it waits", taken, []tenant.ID{"a", "c"})
	want(t, "error", err, nil)
}
