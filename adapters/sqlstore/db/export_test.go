package db

import "time"

// PingBudget reports, poll by poll, when the time for the answer to a ping that was sent at a moment is over.
func PingBudget(sent time.Time) (over func(now time.Time) bool) {
	return (&pollBudget{pingLimit, sent}).exhausted
}

// PingLook is the time between two polls for the answer to a ping.
const PingLook = pollInterval

// NewBuilder is a builder without a hook.
func NewBuilder(postgres bool, models ...any) *Builder { return newBuilder(postgres, nil, models) }
