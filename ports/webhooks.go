package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
)

// DueEndpoint is an endpoint with deliveries that are due.
type DueEndpoint struct {
	Tenant   tenant.ID
	Endpoint string
	Since    time.Time // when the first of them became due
}

// ClaimedDelivery is a delivery that one worker holds until its lease runs out.
type ClaimedDelivery struct {
	webhook.Delivery

	Tenant tenant.ID
	Fence  int64 // compared when it is finished
}

// FinishedDelivery is what the end of a claim brought to light.
type FinishedDelivery struct {
	// FailingSince is since when the endpoint has answered nothing but failures: zero after a success.
	FailingSince time.Time
	// Lost: the claim ran out and the delivery is somebody else's, so that nothing was stored.
	Lost bool
}

// DeliveryLag is how far deliveries are behind, for metrics.
type DeliveryLag struct {
	Pending int64
	Oldest  time.Time // creation of the oldest pending delivery; zero when there is none
	Behind  int64     // events that no delivery was decided for yet
}

// Deliveries keeps what is to be delivered, of all tenants: rows of the collection webhook-deliveries, which is Silent, one
// per endpoint and event. They are decided from EventLog; the body of a delivery is that of the event with its Number.
//
// Operators (test, redeliver, replay) write such rows as records, by Records.Write, locked before they change: a row may
// become due again, with a new round, also while it is claimed. Such a claim still holds; its Finish keeps what the operator
// asked for since.
type Deliveries interface {
	// Tenants lists the tenants that have an enabled endpoint, with the number up to which deliveries were decided (0: none
	// yet; then begin after the lowest Since of the endpoints, likewise when that is higher).
	Tenants(ctx context.Context) (map[tenant.ID]int64, error)
	// FanOut stores deliveries and moves the tenant's cursor from one number to another in one transaction. A row that is
	// there stays as it is. Errors: ErrStale when the cursor is not at from any more.
	FanOut(ctx context.Context, t tenant.ID, from, to int64, deliveries []webhook.Delivery) error
	// Due lists endpoints with deliveries that are due at now, longest due first.
	Due(ctx context.Context, now time.Time, limit int) ([]DueEndpoint, error)
	// Claim takes due deliveries of an endpoint, oldest event first, with SKIP LOCKED: none while an earlier one of the same
	// record is pending, and none that another claim holds.
	Claim(ctx context.Context, t tenant.ID, endpoint string, now time.Time, lease time.Duration, limit int) ([]ClaimedDelivery, error)
	// ClaimTests is Claim of tests (Test) only: an operator waits for them.
	ClaimTests(ctx context.Context, t tenant.ID, endpoint string, now time.Time, lease time.Duration, limit int) ([]ClaimedDelivery, error)
	// Finish stores deliveries of any tenants after an attempt of each, in one transaction, and ends their claims. The answers
	// are in the same order. Pings (Test) count for nobody's health.
	Finish(ctx context.Context, all []ClaimedDelivery) ([]FinishedDelivery, error)
	// Release ends claims of deliveries that were not attempted: they are due as before.
	Release(ctx context.Context, all []ClaimedDelivery) error
	// Expire discards pending deliveries of events older than before, at most limit, and returns how many.
	Expire(ctx context.Context, before, now time.Time, limit int) (int, error)
	// Prune deletes finished deliveries that ended before a time, at most limit, and returns how many.
	Prune(ctx context.Context, before time.Time, limit int) (int, error)
	// Lag tells how far deliveries are behind.
	Lag(ctx context.Context) (DeliveryLag, error)
}

// WebhookRequest is one signed request.
type WebhookRequest struct {
	URL     string
	Headers map[string]string // webhook-id, webhook-timestamp, webhook-signature …, lower case
	Body    []byte
}

// WebhookAnswer is what came of it. There is no error: a failure is an outcome.
type WebhookAnswer struct {
	Status     int           // 0 when no answer came
	Response   string        // the first 1 KiB of the answer as valid UTF-8, or what went wrong in our own words
	RetryAfter time.Duration // of the header Retry-After; 0 when there is none
	Took       time.Duration
	Failure    webhook.Failure // why no answer came; "" when one did
	NotSent    bool            // this server had not the means to send it; Response says which for its operator, and it is no attempt
}

// WebhookSender sends. It never follows redirects, and dials no private address unless it is allowed to.
type WebhookSender interface {
	Send(ctx context.Context, r WebhookRequest) WebhookAnswer
}

// WebhookSigner makes the headers of Standard Webhooks v1.
type WebhookSigner interface {
	// Sign makes webhook-id, webhook-timestamp and webhook-signature, one signature for each secret (whsec_…), in order.
	Sign(id string, at time.Time, body []byte, secrets ...string) (map[string]string, error)
}
