package webhook

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Status is the state of a delivery.
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
	AttemptsExhausted Reason = "attempts_used_up"
	EndpointGone      Reason = "endpoint_gone" // the endpoint answered 410
	TestFailed        Reason = "test_failed"
	EndpointDisabled  Reason = "endpoint_disabled"
	EndpointDeleted   Reason = "endpoint_deleted"
	TooOld            Reason = "too_old" // see Delivery.TooOld
	EventTrimmed      Reason = "event_gone"
	NotReadable       Reason = "out_of_reach" // the endpoint's audience may no longer read the collection
)

var reasons = []string{
	string(AttemptsExhausted), string(EndpointGone), string(TestFailed), string(EndpointDisabled), string(EndpointDeleted), string(TooOld),
	string(EventTrimmed), string(NotReadable),
}

// Failure is why an attempt got no answer.
type Failure string

// The failures.
const (
	Timeout           Failure = "timeout"
	Unreachable       Failure = "unreachable"         // no connection, or it broke
	UnknownHost       Failure = "unknown_host"        // the name does not resolve
	TLSFailure        Failure = "tls"                 // the certificate is invalid
	AddressNotAllowed Failure = "address_not_allowed" // a private, loopback or link-local address, or another one that is not public
	InvalidResponse   Failure = "invalid_response"    // the server did not answer with HTTP
	SecretUnavailable Failure = "secret"              // not sent: the endpoint's secret cannot be decrypted
	InternalFailure   Failure = "internal"            // not sent: this server failed to make the request, several times
)

var failures = []string{
	string(Timeout), string(Unreachable), string(UnknownHost), string(TLSFailure), string(AddressNotAllowed), string(InvalidResponse),
	string(SecretUnavailable), string(InternalFailure),
}

// Attempt is one request that was made.
type Attempt struct {
	At       time.Time
	Duration time.Duration
	Status   int     // 0 when no answer came
	Response string  // the first 1 KiB of the answer, as valid UTF-8
	Failure  Failure // "" when an answer came
}

// MaxStoredAttempts is how many attempts of a delivery are stored: two rounds.
const MaxStoredAttempts = 20

// Delivery is one event for one endpoint.
type Delivery struct {
	ID             string // the webhook-id
	Endpoint       string
	Environment    tenant.Environment // of the endpoint
	Event          string
	Sequence       int64 // of the event in the log; 0 for a test
	Collection     string
	Operation      collection.Operation
	RecordID       string
	RecordSequence int64 // the webhook-sequence; 0 for a test
	OccurredAt     time.Time
	Status         Status
	Reason         Reason
	RoundAttempts  int // attempts in the current round
	Attempts       []Attempt
	NextAttemptAt  time.Time // zero unless pending
	EndedAt        time.Time // zero while pending
	Test, Replayed bool
}

// MaxEventAge is the age of an event at which its delivery is given up. Rule webhooks-16.
const MaxEventAge = 72 * time.Hour

// Record is d as a record of Deliveries, without the tenant and the timestamps of the record.
func (d Delivery) Record() collection.Record {
	r := collection.Record{
		"id": d.ID, "endpoint": d.Endpoint, "environment": string(d.Environment), "event": d.Event, "sequence": d.Sequence,
		"collection": d.Collection, "operation": string(d.Operation), "record": d.RecordID, "recordSequence": d.RecordSequence,
		"occurredAt": timeOrNull(d.OccurredAt), "status": string(d.Status), "reason": collection.TextOrNull(string(d.Reason)),
		"tries":         int64(d.RoundAttempts),
		"nextAttemptAt": timeOrNull(d.NextAttemptAt), "endedAt": timeOrNull(d.EndedAt), "test": d.Test, "replayed": d.Replayed,
	}
	if d.Test {
		r["sequence"], r["recordSequence"] = nil, nil
	}
	rows := make([]collection.Record, len(d.Attempts))
	for i, a := range d.Attempts {
		rows[i] = collection.Record{
			"at": timeOrNull(a.At), "status": numberOrNull(a.Status), "durationMs": a.Duration.Milliseconds(), "response": a.Response,
			"failure": collection.TextOrNull(string(a.Failure)),
		}
		r["responseStatus"] = numberOrNull(a.Status)
	}
	r["attempts"] = rows
	return r
}

// DeliveryFrom reads what Delivery.Record wrote.
func DeliveryFrom(r collection.Record) Delivery {
	d := Delivery{
		ID: r.ID(), Endpoint: r.Text("endpoint"), Environment: tenant.Environment(r.Text("environment")), Event: r.Text("event"),
		Sequence: r.Int("sequence"), Collection: r.Text("collection"), Operation: collection.Operation(r.Text("operation")),
		RecordID: r.Text("record"), RecordSequence: r.Int("recordSequence"), OccurredAt: r.Time("occurredAt"),
		Status: Status(r.Text("status")), Reason: Reason(r.Text("reason")), RoundAttempts: int(r.Int("tries")),
		NextAttemptAt: r.Time("nextAttemptAt"), EndedAt: r.Time("endedAt"), Test: r.Bool("test"), Replayed: r.Bool("replayed"),
	}
	for _, row := range r.Rows("attempts") {
		d.Attempts = append(d.Attempts, Attempt{
			At: row.Time("at"), Duration: time.Duration(row.Int("durationMs")) * time.Millisecond, Status: int(row.Int("status")),
			Response: row.Text("response"), Failure: Failure(row.Text("failure")),
		})
	}
	return d
}

func timeOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return collection.TruncateTime(t)
}

func numberOrNull(n int) any {
	if n == 0 {
		return nil
	}
	return int64(n)
}
