package webhook

import (
	"slices"
	"time"
)

// schedule is the delay after each failed attempt of a round, in order. Rule webhooks-4.
var schedule = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute,
	time.Hour, 3 * time.Hour, 8 * time.Hour, 16 * time.Hour, 24 * time.Hour,
}

// Schedule returns the delay after each failed attempt of a round, in order, before jitter.
func Schedule() []time.Duration { return slices.Clone(schedule) }

const (
	// maxJitter is the largest fraction of a delay that jitter adds.
	maxJitter = 0.2
	// maxRetryAfter limits the delay that an endpoint may request.
	maxRetryAfter = 24 * time.Hour
	// maxFailingTime is how long an endpoint may answer with nothing but failures. Rule webhooks-6.
	maxFailingTime = 3 * 24 * time.Hour
)

// The HTTP statuses with a meaning of their own.
const (
	statusGone        = 410
	statusTooMany     = 429
	statusUnavailable = 503
)

// Succeeded reports whether an attempt succeeded.
func (a Attempt) Succeeded() bool { return a.Status >= 200 && a.Status < 300 }

// Gone reports whether the endpoint asked for no more deliveries. Rule webhooks-6.
func (a Attempt) Gone() bool { return a.Status == statusGone }

// AfterAttempt returns d after an attempt: finished, or with the next attempt scheduled. retryAfter is the
// delay that the endpoint requested, 0 if none; jitter is a random number from 0 to below 1.
func (d Delivery) AfterAttempt(a Attempt, retryAfter time.Duration, jitter float64) Delivery {
	d.Attempts = append(slices.Clone(d.Attempts), a)
	if extra := len(d.Attempts) - MaxStoredAttempts; extra > 0 {
		d.Attempts = d.Attempts[extra:]
	}
	d.RoundAttempts++
	end := a.At.Add(a.Duration)
	switch {
	case a.Succeeded():
		return d.end(Succeeded, "", end)
	case a.Gone():
		return d.end(Dead, EndpointGone, end)
	case d.Test:
		return d.end(Dead, TestFailed, end)
	case d.RoundAttempts > len(schedule):
		return d.end(Dead, AttemptsExhausted, end)
	}
	wait := schedule[d.RoundAttempts-1]
	wait += time.Duration(float64(wait) * maxJitter * jitter)
	if a.Status == statusTooMany || a.Status == statusUnavailable {
		wait = max(wait, min(retryAfter, maxRetryAfter))
	}
	d.NextAttemptAt = end.Add(wait)
	return d
}

// Discard returns d given up at now without an attempt.
func (d Delivery) Discard(why Reason, now time.Time) Delivery { return d.end(Discarded, why, now) }

// Postpone returns d rescheduled without an attempt, because nothing is sent to its endpoint until then.
func (d Delivery) Postpone(until time.Time) Delivery {
	d.NextAttemptAt = until
	return d
}

// Redeliver returns d as an operator requested it again: due at once in a new round, with its earlier
// attempts. A pending delivery stays in its round.
func (d Delivery) Redeliver(now time.Time) Delivery {
	if d.Status != Pending {
		d.Status, d.Reason, d.RoundAttempts, d.EndedAt, d.Replayed = Pending, "", 0, time.Time{}, true
	}
	d.NextAttemptAt = now
	return d
}

func (d Delivery) end(as Status, why Reason, at time.Time) Delivery {
	d.Status, d.Reason, d.EndedAt, d.NextAttemptAt = as, why, at, time.Time{}
	return d
}

// TooOld reports whether d is given up at now because of its age. A delivery that an operator requested again
// gets its whole round.
func (d Delivery) TooOld(now time.Time) bool {
	return d.Status == Pending && !d.Replayed && now.Sub(d.OccurredAt) > MaxEventAge
}

// ShouldDisable reports whether an endpoint that has had nothing but failures since a time is disabled.
func ShouldDisable(since, now time.Time) bool {
	return !since.IsZero() && now.Sub(since) >= maxFailingTime
}
