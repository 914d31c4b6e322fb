package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
)

// DueEndpoint is an endpoint with due deliveries.
type DueEndpoint struct {
	Tenant   tenant.ID
	Endpoint string
	Since    time.Time // when the first of them became due
}

// ClaimedDelivery is a delivery that one worker has claimed until its lease ends.
type ClaimedDelivery struct {
	webhook.Delivery

	Tenant tenant.ID
	Fence  int64 // checked when it is finished
}

// FinishedDelivery is the result of finishing a claim.
type FinishedDelivery struct {
	// FailingSince is since when the endpoint has had nothing but failures; zero after a success.
	FailingSince time.Time
	// Lost: the claim had ended and another worker has the delivery, so nothing was stored.
	Lost bool
}

// DeliveryLag is how far deliveries are behind, for metrics.
type DeliveryLag struct {
	Pending      int64
	Oldest       time.Time // creation of the oldest pending delivery; zero when there is none
	EventsBehind int64     // events for which no deliveries were created yet
}

// Deliveries stores the deliveries of all tenants: rows of the collection webhook-deliveries, which has
// NoEvents, one per endpoint and event. They are created from EventLog; the body of a delivery is that of the
// event with its Sequence.
//
// Operators (test, redeliver, replay) write such rows as records, by Records.Write, after locking them: a row
// may become due again in a new round even while it is claimed. The claim remains valid; its Finish keeps
// what the operator requested in the meantime.
type Deliveries interface {
	// Cursors lists the tenants with an enabled endpoint, with the number up to which deliveries were
	// created. If that is 0 or below the lowest SinceSequence of the endpoints, begin after that.
	Cursors(ctx context.Context) (map[tenant.ID]int64, error)
	// FanOut stores deliveries and moves the tenant's cursor in one transaction. An existing row stays as it
	// is. Errors: ErrStale when the cursor is no longer at from.
	FanOut(ctx context.Context, t tenant.ID, from, to int64, deliveries []webhook.Delivery) error
	// Due lists endpoints with deliveries that are due at now, those due longest first. Next is when the first of the
	// other endpoints with pending deliveries is due, zero if there is none.
	Due(ctx context.Context, now time.Time, limit int) (due []DueEndpoint, next time.Time, err error)
	// Claim claims due deliveries of an endpoint, oldest event first, with SKIP LOCKED. It leaves out a
	// delivery while an earlier one of the same record is pending, and those with another claim.
	Claim(ctx context.Context, t tenant.ID, endpoint string, now time.Time, lease time.Duration, limit int) ([]ClaimedDelivery, error)
	// ClaimTests is Claim for test deliveries only, for which an operator waits.
	ClaimTests(ctx context.Context, t tenant.ID, endpoint string, now time.Time, lease time.Duration, limit int) ([]ClaimedDelivery, error)
	// Finish stores deliveries of any tenants after an attempt of each, and ends their claims, in one
	// transaction. The results are in the same order. Test deliveries do not count toward endpoint health.
	Finish(ctx context.Context, all []ClaimedDelivery) ([]FinishedDelivery, error)
	// Release ends the claims of deliveries that were not attempted: they are due as before.
	Release(ctx context.Context, all []ClaimedDelivery) error
	// Expire discards pending deliveries of events older than before, at most limit, and returns how many.
	Expire(ctx context.Context, before, now time.Time, limit int) (int, error)
	// Prune deletes finished deliveries that ended before a time, at most limit, and returns how many.
	Prune(ctx context.Context, before time.Time, limit int) (int, error)
	// Lag returns how far deliveries are behind.
	Lag(ctx context.Context) (DeliveryLag, error)
}

// WebhookRequest is one signed request.
type WebhookRequest struct {
	URL     string
	Headers map[string]string // webhook-id, webhook-timestamp, webhook-signature …, lower case
	Body    []byte
	// MaxAnswer is how many bytes of an answer's body are kept for whoever reads it; 0: it is only excerpted.
	MaxAnswer int64
}

// WebhookResponse is the outcome of a request. Failures are outcomes, not errors.
type WebhookResponse struct {
	Status     int           // 0 when no answer came
	Excerpt    string        // the first 1 KiB of the answer as valid UTF-8, or a description of the failure
	Answer     []byte        // the whole body, where MaxAnswer admits it and it came completely; else nil
	RetryAfter time.Duration // of the header Retry-After; 0 when there is none
	Duration   time.Duration
	Failure    webhook.Failure // why there was no answer; "" when there was one
	Undialed   bool            // no connection was made, so that the endpoint has nothing of it
	NotSent    bool            // this server could not send it; Excerpt explains why to its operator. It does not count as an attempt
}

// WebhookSender sends requests. It follows no redirects, and connects to no private address unless allowed
// to.
type WebhookSender interface {
	Send(ctx context.Context, r WebhookRequest) WebhookResponse
}

// WebhookSigner creates the headers of Standard Webhooks v1.
type WebhookSigner interface {
	// Sign returns webhook-id, webhook-timestamp and webhook-signature, with one signature for each secret
	// (whsec_…), in order.
	Sign(id string, at time.Time, body []byte, secrets ...string) (map[string]string, error)
}
