package background

import (
	"context"
	"time"
)

// Pace is how often a loop looks for work.
type Pace struct {
	Gap  time.Duration // between the starts of two looks, at least, also when the loop is told of work
	Rest time.Duration // the pause after a look that found work; each look that finds none doubles the next pause
	Most time.Duration // the longest pause: how late work is found that nobody told of. At least Rest
}

// Look is what a look for work found.
type Look struct {
	More bool          // there is more to do: look again at once
	Busy bool          // something was found, or could not be asked for: the pauses begin with the shortest one again
	Next time.Duration // until the next known work is due; 0 or less: none is known
}

// Watch calls look until ctx ends: first, whenever told receives, when the next known work is due, and otherwise after
// growing pauses. Called is whether the look follows a message: otherwise a cheap question comes first where there is
// one. Told may be nil.
func Watch(ctx context.Context, pace Pace, told <-chan struct{}, look func(ctx context.Context, called bool) Look) {
	w := watch{told: told, pace: pace, pause: pace.Rest, gap: time.NewTimer(pace.Gap)}
	defer w.gap.Stop()
	for called := true; ctx.Err() == nil; called = w.wait(ctx) {
		w.gap.Reset(pace.Gap)
		found := look(ctx, called)
		for found.More && ctx.Err() == nil {
			found = look(ctx, true)
			found.Busy = true
		}
		w.found = found
	}
}

// watch is the state of one Watch.
type watch struct {
	told  <-chan struct{}
	pace  Pace
	pause time.Duration // the next one that follows nothing
	gap   *time.Timer   // since the last look began
	found Look          // by it
}

// wait waits until the next look, and reports whether it is told to make it.
func (w *watch) wait(ctx context.Context) (called bool) {
	if w.found.Busy {
		w.pause = w.pace.Rest
	}
	pause := w.pause
	if w.found.Next > 0 {
		pause = min(pause, w.found.Next)
	}
	w.pause = min(2*w.pause, w.pace.Most) //nolint:mnd // twice as long
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return false
	case <-w.told:
	}
	w.pause = w.pace.Rest
	select {
	case <-ctx.Done():
	case <-w.gap.C:
	}
	return true
}
