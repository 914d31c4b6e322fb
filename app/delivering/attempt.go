package delivering

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/app/hooking"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// outcome is what a delivery says of its endpoint.
type outcome int

const (
	nothing outcome = iota
	succeeded
	failed
)

// withheld stands in the log of deliveries for the answer to what carried a token. Engineering 18.
const withheld = "What was answered is not kept: this delivery carried a token."

// make makes one delivery, or gives it up. An endpoint without a record is gone.
func (d *Delivering) make(ctx context.Context, c ports.ClaimedDelivery, to endpoint) (outcome, error) {
	now := d.Now()
	why := webhook.Reason("")
	switch {
	case to.record == nil:
		why = webhook.EndpointLost
	case !to.Enabled && !c.Test:
		why = webhook.EndpointOff
	case c.TooOld(now):
		why = webhook.TooOld
	case !c.Test && !to.Reads(c.Collection):
		why = webhook.OutOfReach
	}
	if why != "" {
		return nothing, d.discard(ctx, c, why)
	}
	body, private, err := d.body(ctx, c, to)
	if gone(err) {
		return nothing, d.discard(ctx, c, webhook.EventGone)
	}
	if err != nil {
		return nothing, err
	}
	var answer ports.WebhookAnswer
	if request, err := d.sign(c, to, body, now); err == nil {
		answer = d.Sender.Send(ctx, request)
	} else {
		answer = ports.WebhookAnswer{Failure: webhook.Unsigned, Response: "the secret of the endpoint cannot be opened: rotate it"}
	}
	if answer.NotSent || ctx.Err() != nil && answer.Status == 0 { // we gave up, not the endpoint: it is as it was
		return nothing, d.putBack(ctx, c, answer)
	}
	if private && answer.Response != "" && answer.Failure != webhook.Unsigned {
		answer.Response = withheld // it may repeat what it was told
	}
	attempt := webhook.Attempt{At: collection.Instant(now), Took: answer.Took, Status: answer.Status, Response: answer.Response, Failure: answer.Failure}
	c.Delivery = c.After(attempt, answer.RetryAfter, d.Jitter())
	ended := failed
	if attempt.Good() {
		ended = succeeded
		d.stats.succeeded.Add(1)
	} else {
		d.stats.failed.Add(1)
	}
	if c.Test {
		ended = nothing
	}
	return ended, d.finish(ctx, c, to)
}

// putBack gives a claim back that nothing came of.
func (d *Delivering) putBack(ctx context.Context, c ports.ClaimedDelivery, answer ports.WebhookAnswer) (err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.patience())
	defer cancel()
	if answer.NotSent {
		err = errors.New(answer.Response)
	}
	return errors.Join(err, d.Deliveries.Release(ctx, []ports.ClaimedDelivery{c}))
}

// sign makes the request of an attempt. Errors: a secret that cannot be opened, which is told once until it can be.
func (d *Delivering) sign(c ports.ClaimedDelivery, to endpoint, body []byte, now time.Time) (r ports.WebhookRequest, err error) {
	secrets, err := hooking.Secrets(d.Vault, to.Endpoint, now)
	var headers map[string]string
	if err == nil {
		headers, err = d.Signer.Sign(c.ID, now, body, secrets...)
	}
	if err != nil {
		if _, told := d.sealed.LoadOrStore(to.ID, true); !told {
			d.Log.Error("what is sent to a webhook endpoint cannot be signed; its deliveries fail until it is given a new secret", "endpoint", to.ID, "error", err.Error())
		}
		return r, err
	}
	d.sealed.Delete(to.ID)
	if c.RecordSequence > 0 {
		headers["webhook-sequence"] = strconv.FormatInt(c.RecordSequence, 10)
	}
	if c.Test {
		headers["webhook-test"] = "true"
	}
	return ports.WebhookRequest{URL: to.URL, Headers: headers, Body: body}, nil
}

// discard gives a delivery up without an attempt.
func (d *Delivering) discard(ctx context.Context, c ports.ClaimedDelivery, why webhook.Reason) error {
	c.Delivery = c.Discard(why, collection.Instant(d.Now()))
	ended, err := d.ends.store(ctx, d.Deliveries, c, d.patience())
	if err == nil && !ended.Lost {
		d.stats.discarded.Add(1)
	}
	return err
}

// finish stores a delivery after an attempt, also when the program is about to end. What was enclosed is forgotten with
// the last delivery, and an endpoint that asks for it, or deserves it, is switched off.
func (d *Delivering) finish(ctx context.Context, c ports.ClaimedDelivery, to endpoint) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.patience())
	defer cancel()
	ended, err := d.ends.store(ctx, d.Deliveries, c, d.patience())
	if err != nil || ended.Lost {
		return err
	}
	if c.Status == webhook.Succeeded {
		return d.forget(ctx, c, to)
	}
	failing := ended.FailingSince
	if changed := to.record.Time("updatedAt"); !failing.IsZero() && changed.After(failing) {
		failing = changed // an operator has mended something since: the time begins anew
	}
	switch {
	case c.Test:
		return nil
	case c.Reason == webhook.EndpointGone:
		return d.disable(ctx, c, webhook.GoneForGood)
	case webhook.FailsTooLong(failing, d.Now()):
		return d.disable(ctx, c, webhook.FailingTooLong)
	}
	return nil
}

func (d *Delivering) disable(ctx context.Context, c ports.ClaimedDelivery, why webhook.Why) error {
	done, err := d.Hooking.Disable(ctx, c.Tenant, c.Endpoint, why)
	if done {
		d.Log.Info("a webhook endpoint is switched off", "tenant", string(c.Tenant), "endpoint", c.Endpoint, "why", string(why))
	}
	return err
}
