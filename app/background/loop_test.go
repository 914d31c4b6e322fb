package background_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
)

// runLoop runs a loop with the errors of its looks, one each, and returns when they began, and what was logged. Each look finds
// more, which counts unless it fails.
func runLoop(t *testing.T, errs ...error) (at []time.Duration, logged string) {
	t.Helper()
	var log bytes.Buffer
	loop := background.Loop{
		Pace: background.Pace{Rest: time.Second, Most: time.Minute}, Log: slog.New(slog.NewTextHandler(&log, nil)), Failing: "broken", Again: "repaired",
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	began := time.Now()
	loop.Run(ctx, func(context.Context, bool) (background.Look, error) {
		at = append(at, time.Since(began))
		if len(at) == len(errs) {
			stop()
		}
		return background.Look{More: true}, errs[len(at)-1]
	})
	return at, log.String()
}

func TestLoopLogsAContinuingFailureOnceAndItsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		outage := errors.New("the database is away")
		_, logged := runLoop(t, nil, outage, outage, nil, nil, outage, nil)
		want(t, "broken", strings.Count(logged, `level=WARN msg=broken error="the database is away"`), 2)
		want(t, "repaired", strings.Count(logged, "level=INFO msg=repaired"), 2)
		want(t, "lines", strings.Count(logged, "\n"), 4)
	})
}

func TestFailedLookIsFollowedByAnotherAfterTheShortestPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		outage := errors.New("the database is away")
		at, _ := runLoop(t, nil, outage, outage, outage, nil, nil)
		want(t, "looked at", at, []time.Duration{0, 0, time.Second, 2 * time.Second, 3 * time.Second, 3 * time.Second})
	})
}

func TestEndOfALoopIsNoFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, logged := runLoop(t, nil, context.Canceled)
		want(t, "logged", logged, "")
	})
}
