package background_test

import (
	"context"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
)

// looks runs Watch with given findings, one per look, and returns when the looks were made, since the first, and which
// of them a message called for. Then, if not nil, is called with the number of each look.
func looks(t *testing.T, pace background.Pace, told <-chan struct{}, then func(n int), found ...background.Look) (at []time.Duration, called []bool) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	began := time.Now()
	background.Watch(ctx, pace, told, func(_ context.Context, isCalled bool) background.Look {
		at, called = append(at, time.Since(began)), append(called, isCalled)
		n := len(at) - 1
		if then != nil {
			then(n)
		}
		if n == len(found)-1 {
			stop()
		}
		return found[n]
	})
	return at, called
}

func want[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestWatchLooksLessOftenWhileNothingIsFound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		none, busy := background.Look{}, background.Look{Busy: true}
		at, _ := looks(t, background.Pace{Rest: time.Second, Most: 5 * time.Second}, nil, nil, none, none, none, none, none, busy, none, none)
		want(t, "looked at", at, []time.Duration{
			0, 1 * time.Second, 3 * time.Second, 7 * time.Second, 12 * time.Second, 17 * time.Second, 18 * time.Second, 20 * time.Second,
		})
	})
}

func TestWatchLooksAgainAtOnceWhileThereIsMore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		more := background.Look{More: true}
		at, called := looks(t, background.Pace{Rest: time.Second, Most: time.Minute}, nil, nil, more, more, background.Look{}, background.Look{})
		want(t, "looked at", at, []time.Duration{0, 0, 0, time.Second})
		want(t, "called", called, []bool{true, true, true, false})
	})
}

func TestWatchLooksWhenTheNextIsDue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		at, _ := looks(t, background.Pace{Rest: 4 * time.Second, Most: time.Minute}, nil, nil, background.Look{Next: time.Second},
			background.Look{Next: time.Hour}, background.Look{})
		want(t, "looked at", at, []time.Duration{0, time.Second, 9 * time.Second})
	})
}

func TestWatchLooksWhenToldAndKeepsTheGap(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var signal background.Signal
		told := signal.Listen()
		pace := background.Pace{Gap: 50 * time.Millisecond, Rest: time.Second, Most: time.Minute}
		at, called := looks(t, pace, told, func(n int) {
			switch n {
			case 0: // told twice meanwhile, which is one message
				signal.Send()
				signal.Send()
			case 2:
				time.AfterFunc(300*time.Millisecond, signal.Send)
			}
		}, make([]background.Look, 5)...)
		ms := time.Millisecond
		want(t, "looked at", at, []time.Duration{0, 50 * ms, 1050 * ms, 1350 * ms, 2350 * ms})
		want(t, "called", called, []bool{true, true, false, true, false})
	})
}

func TestSignalReachesEveryListener(t *testing.T) {
	t.Parallel()
	var signal background.Signal
	signal.Send() // to nobody
	one, two := signal.Listen(), signal.Listen()
	signal.Send()
	<-one
	<-two
	select {
	case <-one:
		t.Error("one message was received twice")
	default:
	}
}
