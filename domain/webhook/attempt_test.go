package webhook_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	. "github.com/cartwright-dev/cartwright/domain/webhook"
)

func pending() Delivery {
	return Delivery{
		ID: "d", Endpoint: "e", Environment: tenant.Live, Event: "v", Sequence: 12, Collection: "orders", Operation: collection.Updated,
		RecordID: "o", RecordSequence: 3, OccurredAt: now, Status: Pending, NextAttemptAt: now,
	}
}

func attemptWithStatus(status int) Attempt {
	return Attempt{At: now, Duration: 40 * time.Millisecond, Status: status}
}

func TestStatusDecidesDeliveryOutcome(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]Status{
		200: Succeeded, 201: Succeeded, 202: Succeeded, 204: Succeeded, 299: Succeeded,
		301: Pending, 302: Pending, 307: Pending, 308: Pending, 400: Pending, 401: Pending, 404: Pending, 408: Pending, 429: Pending,
		500: Pending, 503: Pending, 410: Dead, 0: Pending, 100: Pending, 199: Pending,
	} {
		before := pending()
		got := before.AfterAttempt(attemptWithStatus(status), 0, 0)
		if got.Status != want || got.RoundAttempts != 1 || len(got.Attempts) != 1 {
			t.Errorf("%d: %+v", status, got)
		}
		if (got.Status == Pending) != got.EndedAt.IsZero() || (got.Status == Pending) == got.NextAttemptAt.IsZero() {
			t.Errorf("%d: ended %s, next %s", status, got.EndedAt, got.NextAttemptAt)
		}
		if !reflect.DeepEqual(before, pending()) {
			t.Errorf("%d: the delivery it was decided on changed", status)
		}
	}
	if got := pending().AfterAttempt(attemptWithStatus(410), 0, 0); got.Reason != EndpointGone || !attemptWithStatus(410).Gone() ||
		attemptWithStatus(404).Gone() {
		t.Errorf("gone: %+v", got)
	}
}

func TestRetriesFollowThePublishedSchedule(t *testing.T) {
	t.Parallel()
	want := []time.Duration{
		5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 3 * time.Hour, 8 * time.Hour, 16 * time.Hour,
		24 * time.Hour,
	}
	if !reflect.DeepEqual(Schedule(), want) {
		t.Fatalf("%v", Schedule())
	}
	for _, jitter := range []float64{0, 0.5, 0.999999} {
		d := pending()
		for i, delay := range want {
			d = d.AfterAttempt(attemptWithStatus(500), 0, jitter)
			waits := d.NextAttemptAt.Sub(now.Add(40 * time.Millisecond))
			if d.Status != Pending || waits < delay || waits > delay+delay/5 {
				t.Errorf("jitter %v, attempt %d: %s waits %s", jitter, i+1, d.Status, waits)
			}
		}
		if d = d.AfterAttempt(attemptWithStatus(500), 0, jitter); d.Status != Dead || d.Reason != AttemptsExhausted ||
			len(d.Attempts) != len(want)+1 {
			t.Errorf("the last: %+v", d)
		}
	}
}

// All attempts fit into MaxEventAge with any jitter.
func TestRetriesEndBeforeMaxEventAge(t *testing.T) {
	t.Parallel()
	var all time.Duration
	for _, delay := range Schedule() {
		all += delay + delay/5 + 15*time.Second
	}
	if all >= MaxEventAge {
		t.Errorf("a round takes %s", all)
	}
}

func TestRetryAfterDelaysNextAttempt(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status     int
		retryAfter time.Duration
		want       time.Duration
	}{
		"too many requests":      {429, time.Minute, time.Minute},
		"unavailable":            {503, time.Minute, time.Minute},
		"less than the schedule": {503, time.Second, 5 * time.Second},
		"more than a day":        {429, 365 * 24 * time.Hour, 24 * time.Hour},
		"with another status":    {500, time.Minute, 5 * time.Second},
		"a time in the past":     {503, -time.Minute, 5 * time.Second},
	} {
		got := pending().AfterAttempt(attemptWithStatus(tc.status), tc.retryAfter, 0)
		if waits := got.NextAttemptAt.Sub(now.Add(40 * time.Millisecond)); waits != tc.want {
			t.Errorf("%s: %s", name, waits)
		}
	}
}

func TestTestDeliveryIsNotRetried(t *testing.T) {
	t.Parallel()
	d := pending()
	d.Test = true
	if got := d.AfterAttempt(attemptWithStatus(500), 0, 0); got.Status != Dead || got.Reason != TestFailed {
		t.Errorf("%+v", got)
	}
	if got := d.AfterAttempt(attemptWithStatus(204), 0, 0); got.Status != Succeeded || got.Reason != "" {
		t.Errorf("%+v", got)
	}
}

func TestRedeliverStartsNewRound(t *testing.T) {
	t.Parallel()
	dead := pending()
	for dead.Status == Pending {
		dead = dead.AfterAttempt(attemptWithStatus(500), 0, 0)
	}
	later := now.Add(time.Hour)
	again := dead.Redeliver(later)
	if again.Status != Pending || again.ID != dead.ID || again.RoundAttempts != 0 || !again.Replayed || again.Reason != "" ||
		!again.EndedAt.IsZero() || !again.NextAttemptAt.Equal(later) || len(again.Attempts) != len(dead.Attempts) {
		t.Errorf("%+v", again)
	}
	retrying := pending().AfterAttempt(attemptWithStatus(500), 0, 0)
	if got := retrying.Redeliver(later); got.RoundAttempts != 1 || got.Replayed || !got.NextAttemptAt.Equal(later) {
		t.Errorf("a pending delivery: %+v", got)
	}
	for range 3 {
		for again.Status == Pending {
			again = again.AfterAttempt(attemptWithStatus(500), 0, 0)
		}
		again = again.Redeliver(later)
	}
	if len(again.Attempts) != MaxStoredAttempts {
		t.Errorf("%d attempts are stored", len(again.Attempts))
	}
}

func TestOldDeliveryIsTooOld(t *testing.T) {
	t.Parallel()
	d := pending()
	if d.TooOld(now.Add(MaxEventAge)) || !d.TooOld(now.Add(MaxEventAge+1)) {
		t.Error("not too old after three days")
	}
	replayed := pending().Discard(EndpointDisabled, now).Redeliver(now)
	if replayed.TooOld(now.Add(30 * 24 * time.Hour)) {
		t.Error("a requested delivery was given up because of its age")
	}
	if got := d.Discard(TooOld, now); got.Status != Discarded || got.Reason != TooOld || !got.EndedAt.Equal(now) ||
		!got.NextAttemptAt.IsZero() || got.TooOld(now.Add(2*MaxEventAge)) {
		t.Errorf("%+v", got)
	}
	if got := d.Postpone(now.Add(time.Minute)); got.RoundAttempts != 0 || len(got.Attempts) != 0 ||
		!got.NextAttemptAt.Equal(now.Add(time.Minute)) || got.Status != Pending {
		t.Errorf("%+v", got)
	}
}

func TestEndpointIsDisabledAfterThreeDaysOfFailures(t *testing.T) {
	t.Parallel()
	if ShouldDisable(time.Time{}, now) || ShouldDisable(now.Add(-3*24*time.Hour+1), now) || !ShouldDisable(now.Add(-3*24*time.Hour), now) {
		t.Error("not disabled after three days of failures")
	}
}

func TestDeliveryRecordRoundTrip(t *testing.T) {
	t.Parallel()
	d := pending().AfterAttempt(Attempt{At: now, Duration: time.Second, Status: 500, Response: "no"}, 0, 0.5)
	d = d.AfterAttempt(Attempt{At: now, Duration: 2 * time.Second, Failure: Timeout}, 0, 0.5)
	d.NextAttemptAt = collection.TruncateTime(d.NextAttemptAt)
	for _, want := range []Delivery{d, d.Discard(TooOld, now), d.Redeliver(now), pending()} {
		r := want.Record()
		if got := DeliveryFrom(r); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v\nwas %+v", got, want)
		}
		for name := range r {
			if _, ok := Deliveries.Field(name); !ok {
				t.Errorf("%s is no field", name)
			}
		}
	}
	if r := d.Record(); r["responseStatus"] != nil || len(r.Rows("attempts")) != 2 {
		t.Errorf("the last attempt had no answer: %v", r)
	}
	test := pending()
	test.Test, test.Sequence, test.RecordSequence = true, 0, 0
	if r := test.Record(); r["sequence"] != nil || r["recordSequence"] != nil {
		t.Errorf("a test delivery has an event: %v", r)
	}
}
