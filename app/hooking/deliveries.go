package hooking

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Test has an endpoint told of nothing that happened, once, so that its owner sees whether it is reached and understands
// signatures. It answers {message, delivery}; what came of it stands there a moment later. Errors: fault.ErrForbidden,
// ports.ErrAbsent, those of idempotency. Contract 13 Events.
func (h *Hooking) Test(ctx context.Context, c once.Call, id string) (once.Answer, error) {
	if _, err := access.Allowed(c.Principal, webhook.Endpoints, collection.Update); err != nil {
		return once.Answer{}, err
	}
	return h.due(ctx, c, id, "The test is on its way.", nil, func(ctx context.Context, tx ports.Tx) (collection.Record, error) {
		endpoint, err := visible(ctx, tx.Records, c.Principal, webhook.Endpoints, id)
		if err != nil {
			return nil, err
		}
		now := collection.Instant(h.Now())
		d := webhook.Delivery{
			ID: h.NewID(), Endpoint: id, Environment: c.Principal.Environment, Event: h.NewID(), Collection: webhook.Endpoints.Slug, Operation: collection.Updated,
			RecordID: id, OccurredAt: now, Status: webhook.Pending, NextAttemptAt: now, Test: true,
		}
		return h.put(ctx, tx, tenant.ID(endpoint.Text("tenant")), nil, d)
	})
}

// TestBody is what a test tells: an update of the endpoint that changed nothing.
func TestBody(endpoint collection.Record) []byte {
	b := collection.AppendString([]byte(`{"collection":`), webhook.Endpoints.Slug)
	b = append(b, `,"operation":"update","data":{},"doc":`...)
	view := collection.View{Audience: collection.Staff}
	b = collection.AppendJSON(b, webhook.Endpoints, endpoint, view)
	b = collection.AppendJSON(append(b, `,"previousDoc":`...), webhook.Endpoints, endpoint, view)
	return append(b, '}')
}

// Redeliver has a delivery made once more, under its id, with a whole round of attempts; one that is pending is tried at
// once. It answers {message, delivery}. Errors: fault.ErrForbidden, ports.ErrAbsent, webhook.ErrOrphan, webhook.ErrDisabled,
// webhook.ErrGone, those of idempotency.
func (h *Hooking) Redeliver(ctx context.Context, c once.Call, id string) (once.Answer, error) {
	if err := mayRepeat(c.Principal); err != nil {
		return once.Answer{}, err
	}
	look := func(ctx context.Context) error { return h.kept(ctx, c, id) }
	return h.due(ctx, c, id, "The delivery is on its way.", look, func(ctx context.Context, tx ports.Tx) (collection.Record, error) {
		before, err := lock(ctx, tx, c.Principal, webhook.Deliveries, id)
		if err != nil {
			return nil, err
		}
		d := webhook.DeliveryFrom(before)
		endpoint, err := tx.Records.Get(ctx, webhook.Endpoints, d.Endpoint)
		switch {
		case absent(err):
			return nil, webhook.ErrOrphan
		case err != nil:
			return nil, err
		case !d.Test && !endpoint.Bool("enabled"):
			return nil, webhook.ErrDisabled
		}
		return h.put(ctx, tx, c.Principal.Tenant.ID, before, d.Again(collection.Instant(h.Now())))
	})
}

// kept refuses a delivery of which the event is not in the log any more. Errors: webhook.ErrGone.
func (h *Hooking) kept(ctx context.Context, c once.Call, id string) error {
	r, err := visible(ctx, h.Store.Read(ports.For(c.Principal)), c.Principal, webhook.Deliveries, id)
	if err != nil || r.Bool("test") {
		return err
	}
	page, err := h.Log.Events(ctx, ports.EventQuery{Tenant: c.Principal.Tenant.ID, After: r.Int("sequence") - 1, Limit: 1})
	if err == nil && (len(page.Events) == 0 || page.Events[0].ID != r.Text("event")) {
		return webhook.ErrGone
	}
	return err
}

// mayRepeat admits who manages endpoints: having something told again changes no record of the shop, but is no reading.
func mayRepeat(p tenant.Principal) error {
	_, err := access.Allowed(p, webhook.Endpoints, collection.Update)
	return err
}

// due does work once per idempotency key, if there is one, and answers {message, delivery}. Look, if there is one, comes
// before the transaction.
func (h *Hooking) due(
	ctx context.Context, c once.Call, id, message string, look func(context.Context) error, work func(context.Context, ports.Tx) (collection.Record, error),
) (once.Answer, error) {
	var to string
	answer, _, err := h.Once.RunOptional(ctx, c, func(ctx context.Context, claim *once.Claim) (receipt ports.Receipt, err error) {
		if look != nil {
			if err := look(ctx); err != nil {
				return receipt, err
			}
		}
		err = h.Store.Atomically(ctx, ports.For(c.Principal), func(ctx context.Context, tx ports.Tx) error {
			delivery, err := work(ctx, tx)
			if err != nil {
				return err
			}
			receipt = c.Receipt(ports.OK, body(message, "delivery", webhook.Deliveries, delivery), nil, h.Now(), h.Now().Add(receiptLife))
			receipt.Record, to = delivery.ID(), delivery.Text("endpoint")
			return claim.Keep(ctx, tx, receipt)
		})
		return receipt, err
	}, id)
	if err == nil {
		h.wake(to)
	}
	return answer, err
}

// wake has an endpoint served at once; "" is none: what was asked for was done before.
func (h *Hooking) wake(endpoint string) {
	if h.Wake != nil && endpoint != "" {
		h.Wake(endpoint)
	}
}

// put stores d of a shop, in the place of before where it was there.
func (h *Hooking) put(ctx context.Context, tx ports.Tx, shop tenant.ID, before collection.Record, d webhook.Delivery) (collection.Record, error) {
	after := d.Record()
	after["tenant"] = string(shop)
	return after, tx.Records.Write(ctx, collection.NewChange(webhook.Deliveries, before, after, h.NewID(), h.Now()))
}

// visible reads a record of p's environment. Errors: ports.ErrAbsent.
func visible(ctx context.Context, r ports.Reader, p tenant.Principal, s *collection.Schema, id string) (collection.Record, error) {
	found, err := r.Get(ctx, s, id)
	if err == nil && found.Text("environment") != string(p.Environment) {
		return nil, ports.ErrAbsent
	}
	return found, err
}
