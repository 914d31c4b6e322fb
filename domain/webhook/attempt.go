package webhook

import (
	"slices"
	"time"
)

// schedule is how long after an attempt the next one is made. Contract 10.
var schedule = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute,
	time.Hour, 3 * time.Hour, 8 * time.Hour, 16 * time.Hour, 24 * time.Hour,
}

// Schedule is how long after a failed attempt the next one is made, attempt by attempt, before jitter.
func Schedule() []time.Duration { return slices.Clone(schedule) }

const (
	// spread is the part of a delay that jitter adds at most.
	spread = 0.2
	// patience is the longest that an endpoint may ask us to wait.
	patience = 24 * time.Hour
	// enduring is how long an endpoint may answer nothing but failures. Contract 10.
	enduring = 3 * 24 * time.Hour
)

// The statuses that mean something of their own.
const (
	statusGone        = 410
	statusTooMany     = 429
	statusUnavailable = 503
)

// Good reports whether an attempt succeeded.
func (a Attempt) Good() bool { return a.Status >= 200 && a.Status < 300 }

// Gone reports whether the endpoint wants to hear no more. Contract 10.
func (a Attempt) Gone() bool { return a.Status == statusGone }

// After is d after an attempt: over, or to be tried again. RetryAfter is what the endpoint asked for, 0 when it did not;
// jitter is a random number from 0 to below 1.
func (d Delivery) After(a Attempt, retryAfter time.Duration, jitter float64) Delivery {
	d.Attempts = append(slices.Clone(d.Attempts), a)
	if extra := len(d.Attempts) - KeptAttempts; extra > 0 {
		d.Attempts = d.Attempts[extra:]
	}
	d.Tries++
	end := a.At.Add(a.Took)
	switch {
	case a.Good():
		return d.ended(Succeeded, "", end)
	case a.Gone():
		return d.ended(Dead, EndpointGone, end)
	case d.Test:
		return d.ended(Dead, TestFailed, end)
	case d.Tries > len(schedule):
		return d.ended(Dead, AttemptsUsedUp, end)
	}
	wait := schedule[d.Tries-1]
	wait += time.Duration(float64(wait) * spread * jitter)
	if a.Status == statusTooMany || a.Status == statusUnavailable {
		wait = max(wait, min(retryAfter, patience))
	}
	d.NextAttemptAt = end.Add(wait)
	return d
}

// Discard is d given up at now without an attempt.
func (d Delivery) Discard(why Reason, now time.Time) Delivery { return d.ended(Discarded, why, now) }

// Postpone is d to be tried at a later time, without an attempt: its endpoint is left alone until then.
func (d Delivery) Postpone(until time.Time) Delivery {
	d.NextAttemptAt = until
	return d
}

// Again is d asked for once more by an operator: due at once, with all attempts before it. One that is pending stays in its
// round.
func (d Delivery) Again(now time.Time) Delivery {
	if d.Status != Pending {
		d.Status, d.Reason, d.Tries, d.EndedAt, d.Replayed = Pending, "", 0, time.Time{}, true
	}
	d.NextAttemptAt = now
	return d
}

func (d Delivery) ended(as Status, why Reason, at time.Time) Delivery {
	d.Status, d.Reason, d.EndedAt, d.NextAttemptAt = as, why, at, time.Time{}
	return d
}

// TooOld reports whether d is given up at now because of its age. One that an operator asked for again has its whole round.
func (d Delivery) TooOld(now time.Time) bool {
	return d.Status == Pending && !d.Replayed && now.Sub(d.OccurredAt) > Backlog
}

// FailsTooLong reports whether an endpoint that has answered nothing but failures since a time is switched off.
func FailsTooLong(since, now time.Time) bool { return !since.IsZero() && now.Sub(since) >= enduring }
