package webhook

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Status is what became of a delivery.
type Status string

// The states.
const (
	Pending   Status = "pending"
	Succeeded Status = "succeeded"
	Dead      Status = "dead"      // given up after attempts: the dead letters
	Discarded Status = "discarded" // given up without one
)

// Reason is why a delivery was given up.
type Reason string

// The reasons.
const (
	AttemptsUsedUp Reason = "attempts_used_up"
	EndpointGone   Reason = "endpoint_gone" // it answered 410
	TestFailed     Reason = "test_failed"
	EndpointOff    Reason = "endpoint_disabled"
	EndpointLost   Reason = "endpoint_deleted"
	TooOld         Reason = "too_old" // see Backlog
	EventGone      Reason = "event_gone"
	OutOfReach     Reason = "out_of_reach" // its audience may not read that any more
)

var reasons = []string{
	string(AttemptsUsedUp), string(EndpointGone), string(TestFailed), string(EndpointOff), string(EndpointLost), string(TooOld), string(EventGone),
	string(OutOfReach),
}

// Failure is why an attempt got no answer.
type Failure string

// The failures.
const (
	Timeout           Failure = "timeout"
	Unreachable       Failure = "unreachable"         // nobody listens there, or the connection broke
	UnknownHost       Failure = "unknown_host"        // the name leads nowhere
	Insecure          Failure = "tls"                 // the certificate is not good
	AddressNotAllowed Failure = "address_not_allowed" // private, loopback, link-local …
	NoSense           Failure = "invalid_response"    // it does not speak HTTP
	Unsigned          Failure = "secret"              // it was not sent: its endpoint's secret cannot be opened
)

var failures = []string{
	string(Timeout), string(Unreachable), string(UnknownHost), string(Insecure), string(AddressNotAllowed), string(NoSense), string(Unsigned),
}

// Attempt is one request that was made.
type Attempt struct {
	At       time.Time
	Took     time.Duration
	Status   int     // 0 when no answer came
	Response string  // the first 1 KiB of the answer, as valid UTF-8
	Failure  Failure // "" when an answer came
}

// KeptAttempts is how many attempts a delivery remembers: two rounds.
const KeptAttempts = 20

// Delivery is one event on its way to one endpoint.
type Delivery struct {
	ID             string // the webhook-id
	Endpoint       string
	Environment    tenant.Environment // of the endpoint
	Event          string
	Number         int64 // of the event in the log; 0 for a test
	Collection     string
	Operation      collection.Operation
	RecordID       string
	RecordSequence int64 // the webhook-sequence; 0 for a test
	OccurredAt     time.Time
	Status         Status
	Reason         Reason
	Tries          int // attempts of this round
	Attempts       []Attempt
	NextAttemptAt  time.Time // zero unless pending
	EndedAt        time.Time // zero while pending
	Test, Replayed bool
}

// Backlog is how old an event may become before its delivery is given up. Engineering 11.
const Backlog = 72 * time.Hour

// Record is what is stored: all but the tenant and the times of the envelope.
func (d Delivery) Record() collection.Record {
	r := collection.Record{
		"id": d.ID, "endpoint": d.Endpoint, "environment": string(d.Environment), "event": d.Event, "sequence": d.Number,
		"collection": d.Collection, "operation": string(d.Operation), "record": d.RecordID, "recordSequence": d.RecordSequence,
		"occurredAt": instant(d.OccurredAt), "status": string(d.Status), "reason": text(string(d.Reason)), "tries": int64(d.Tries),
		"nextAttemptAt": instant(d.NextAttemptAt), "endedAt": instant(d.EndedAt), "test": d.Test, "replayed": d.Replayed,
	}
	if d.Test {
		r["sequence"], r["recordSequence"] = nil, nil
	}
	rows := make([]collection.Record, len(d.Attempts))
	for i, a := range d.Attempts {
		rows[i] = collection.Record{
			"at": instant(a.At), "status": number(a.Status), "durationMs": a.Took.Milliseconds(), "response": a.Response, "failure": text(string(a.Failure)),
		}
		r["responseStatus"] = number(a.Status)
	}
	r["attempts"] = rows
	return r
}

// DeliveryFrom reads a record.
func DeliveryFrom(r collection.Record) Delivery {
	d := Delivery{
		ID: r.ID(), Endpoint: r.Text("endpoint"), Environment: tenant.Environment(r.Text("environment")), Event: r.Text("event"), Number: r.Int("sequence"),
		Collection: r.Text("collection"), Operation: collection.Operation(r.Text("operation")), RecordID: r.Text("record"), RecordSequence: r.Int("recordSequence"),
		OccurredAt: r.Time("occurredAt"), Status: Status(r.Text("status")), Reason: Reason(r.Text("reason")), Tries: int(r.Int("tries")),
		NextAttemptAt: r.Time("nextAttemptAt"), EndedAt: r.Time("endedAt"), Test: r.Bool("test"), Replayed: r.Bool("replayed"),
	}
	for _, row := range r.Rows("attempts") {
		d.Attempts = append(d.Attempts, Attempt{
			At: row.Time("at"), Took: time.Duration(row.Int("durationMs")) * time.Millisecond, Status: int(row.Int("status")),
			Response: row.Text("response"), Failure: Failure(row.Text("failure")),
		})
	}
	return d
}

func instant(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return collection.Instant(t)
}

func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func number(n int) any {
	if n == 0 {
		return nil
	}
	return int64(n)
}
