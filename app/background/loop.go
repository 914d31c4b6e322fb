package background

import (
	"context"
	"log/slog"
)

// Loop is a Watch whose looks may fail: a failure that continues is logged once, and so is its end.
type Loop struct {
	Pace Pace
	Told <-chan struct{} // receives when there may be work, see Signal.Listen; nil: work is found by looking
	Log  *slog.Logger
	// Failing is logged with the error when a look fails, and Again when one succeeds after that.
	Failing, Again string
}

// Run calls look as Watch does, until ctx ends. A look that failed is followed by another one after the shortest pause,
// whatever it found. The error of one that the end of ctx interrupted is not logged.
func (l Loop) Run(ctx context.Context, look func(ctx context.Context, called bool) (Look, error)) {
	failing := false
	Watch(ctx, l.Pace, l.Told, func(ctx context.Context, called bool) Look {
		found, err := look(ctx, called)
		switch {
		case err == nil && failing:
			l.Log.Info(l.Again)
			failing = false
		case err != nil && ctx.Err() == nil && !failing:
			l.Log.Warn(l.Failing, "error", err.Error())
			failing = true
		}
		if err != nil {
			return Look{Busy: true}
		}
		return found
	})
}
