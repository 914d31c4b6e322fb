package deliveries

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/webhooks"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// attemptOutcome is what an attempt shows about its endpoint.
type attemptOutcome int

const (
	outcomeNone attemptOutcome = iota
	outcomeSucceeded
	outcomeFailed
)

// redactedAnswer replaces the stored response to a delivery that carried a token. Rule webhooks-15.
const redactedAnswer = "The response is not stored because this delivery contained a token."

// deliver makes one attempt, or discards the delivery. A zero endpoint was deleted.
func (d *Dispatcher) deliver(ctx context.Context, c ports.ClaimedDelivery, to endpoint) (attemptOutcome, error) {
	now := d.Now()
	why := webhook.Reason("")
	switch {
	case to.record == nil:
		why = webhook.EndpointDeleted
	case !to.Enabled && !c.Test:
		why = webhook.EndpointDisabled
	case c.TooOld(now):
		why = webhook.TooOld
	case !c.Test && !to.CanRead(c.Collection):
		why = webhook.NotReadable
	}
	if why != "" {
		return outcomeNone, d.discard(ctx, c, why)
	}
	body, private, err := d.buildBody(ctx, c, to)
	if errors.Is(err, ports.ErrNotFound) {
		return outcomeNone, d.discard(ctx, c, webhook.EventTrimmed)
	}
	if err != nil {
		return outcomeNone, err
	}
	var answer ports.WebhookResponse
	if request, err := d.signRequest(c, to, body, now); err == nil {
		answer = d.Sender.Send(ctx, request)
	} else {
		answer = ports.WebhookResponse{Failure: webhook.SecretUnavailable, Excerpt: "the endpoint's secret cannot be decrypted: rotate it"}
	}
	if answer.NotSent || ctx.Err() != nil && answer.Status == 0 { // we gave up, not the endpoint: no conclusion about it
		return outcomeNone, d.releaseClaim(ctx, c, answer)
	}
	if private && answer.Excerpt != "" && answer.Failure != webhook.SecretUnavailable {
		answer.Excerpt = redactedAnswer // the response may echo the token
	}
	attempt := webhook.Attempt{
		At: collection.TruncateTime(now), Duration: answer.Duration, Status: answer.Status, Response: answer.Excerpt,
		Failure: answer.Failure,
	}
	c.Delivery = c.AfterAttempt(attempt, answer.RetryAfter, d.Jitter())
	ended := outcomeFailed
	if attempt.Succeeded() {
		ended = outcomeSucceeded
		d.stats.succeeded.Add(1)
	} else {
		d.stats.failed.Add(1)
	}
	if c.Test {
		ended = outcomeNone
	}
	return ended, d.finish(ctx, c, to)
}

// recordInternalFailure counts a failed attempt for which no request was made, since this server fails to make it.
func (d *Dispatcher) recordInternalFailure(ctx context.Context, c ports.ClaimedDelivery, to endpoint) error {
	attempt := webhook.Attempt{At: collection.TruncateTime(d.Now()), Failure: webhook.InternalFailure}
	c.Delivery = c.AfterAttempt(attempt, 0, d.Jitter())
	d.stats.failed.Add(1)
	err := d.finish(ctx, c, to)
	if err == nil && c.Status != webhook.Pending {
		d.task().deliveries.Forget(ctx, background.Item{Tenant: c.Tenant, ID: c.ID})
	}
	return err
}

// releaseClaim releases a claim without an attempt.
func (d *Dispatcher) releaseClaim(ctx context.Context, c ports.ClaimedDelivery, answer ports.WebhookResponse) (err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.writeTimeout())
	defer cancel()
	if answer.NotSent {
		err = errors.New(answer.Excerpt)
	}
	return errors.Join(err, d.Deliveries.Release(ctx, []ports.ClaimedDelivery{c}))
}

// signRequest makes the signed request of an attempt. Errors: a secret that cannot be decrypted, which is
// logged once until it can be again.
func (d *Dispatcher) signRequest(c ports.ClaimedDelivery, to endpoint, body []byte, now time.Time) (r ports.WebhookRequest, err error) {
	secrets, err := webhooks.SigningSecrets(d.Vault, to.Endpoint, now)
	var headers map[string]string
	if err == nil {
		headers, err = d.Signer.Sign(c.ID, now, body, secrets...)
	}
	if err != nil {
		if _, told := d.unsignable.LoadOrStore(to.ID, true); !told {
			d.Log.Error("webhook signing failed; deliveries fail until the endpoint's secret is rotated",
				"endpoint", to.ID, "error", err.Error())
		}
		return r, err
	}
	d.unsignable.Delete(to.ID)
	if c.RecordSequence > 0 {
		headers["webhook-sequence"] = strconv.FormatInt(c.RecordSequence, 10)
	}
	if c.Test {
		headers["webhook-test"] = "true"
	}
	return ports.WebhookRequest{URL: to.URL, Headers: headers, Body: body}, nil
}

// discard ends a delivery without an attempt.
func (d *Dispatcher) discard(ctx context.Context, c ports.ClaimedDelivery, why webhook.Reason) error {
	c.Delivery = c.Discard(why, collection.TruncateTime(d.Now()))
	ended, err := d.finisher.finish(ctx, d.Deliveries, c, d.writeTimeout())
	if err == nil && !ended.Lost {
		d.stats.discarded.Add(1)
	}
	return err
}

// finish stores a delivery after an attempt, even during shutdown. The sealed token is deleted with the last
// delivery of its event, and an endpoint that responds 410 or has been failing for too long is disabled.
func (d *Dispatcher) finish(ctx context.Context, c ports.ClaimedDelivery, to endpoint) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.writeTimeout())
	defer cancel()
	ended, err := d.finisher.finish(ctx, d.Deliveries, c, d.writeTimeout())
	if err != nil || ended.Lost {
		return err
	}
	if c.Status == webhook.Succeeded {
		return d.discardToken(ctx, c, to)
	}
	failing := ended.FailingSince
	if changed := to.record.Time("updatedAt"); !failing.IsZero() && changed.After(failing) {
		failing = changed // re-enabled or changed since: the failure period begins anew
	}
	switch {
	case c.Test:
		return nil
	case c.Reason == webhook.EndpointGone:
		return d.disableEndpoint(ctx, c, webhook.DisabledGone)
	case webhook.ShouldDisable(failing, d.Now()):
		return d.disableEndpoint(ctx, c, webhook.DisabledFailing)
	}
	return nil
}

func (d *Dispatcher) disableEndpoint(ctx context.Context, c ports.ClaimedDelivery, why webhook.DisabledReason) error {
	done, err := d.Endpoints.Disable(ctx, c.Tenant, c.Endpoint, why)
	if done {
		d.Log.Info("webhook endpoint disabled", "tenant", string(c.Tenant), "endpoint", c.Endpoint, "why", string(why))
	}
	return err
}
