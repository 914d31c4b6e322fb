package webhooks

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Test schedules one test delivery to an endpoint, so that its owner can check reachability and signatures.
// It responds with {message, delivery}; the delivery shows its result a moment later. Errors:
// fault.ErrForbidden, ports.ErrNotFound, those of idempotency. Rule webhooks-12.
func (h *Service) Test(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	if _, err := access.Allowed(c.Principal, webhook.Endpoints, collection.Update); err != nil {
		return idempotency.Response{}, err
	}
	return h.runForDelivery(ctx, c, id, "Test delivery queued.", nil, func(ctx context.Context, tx ports.Tx) (collection.Record, error) {
		endpoint, err := ports.GetInEnvironment(ctx, tx.Records, webhook.Endpoints, c.Principal.Environment, id)
		if err != nil {
			return nil, err
		}
		now := collection.TruncateTime(h.Now())
		d := webhook.Delivery{
			ID: h.NewID(), Endpoint: id, Environment: c.Principal.Environment, Event: h.NewID(), Collection: webhook.Endpoints.Slug,
			Operation: collection.Updated, RecordID: id, OccurredAt: now, Status: webhook.Pending, NextAttemptAt: now, Test: true,
		}
		return h.writeDelivery(ctx, tx, tenant.ID(endpoint.Text("tenant")), nil, d)
	})
}

// TestDeliveryBody is the body of a test delivery: an update of the endpoint without changes.
func TestDeliveryBody(endpoint collection.Record) []byte {
	return reply.Object{
		{Name: "collection", Value: webhook.Endpoints.Slug}, {Name: "operation", Value: string(collection.Updated)},
		{Name: "data", Value: reply.Object{}},
		{Name: "doc", Schema: webhook.Endpoints, Record: endpoint}, {Name: "previousDoc", Schema: webhook.Endpoints, Record: endpoint},
	}.Append(nil, collection.Staff)
}

// Redeliver schedules a delivery again, under its id and with a full series of attempts; a pending one is
// retried at once. It responds with {message, delivery}. Errors: fault.ErrForbidden, ports.ErrNotFound,
// webhook.ErrEndpointDeleted, webhook.ErrEndpointDisabled, webhook.ErrEventTrimmed, those of idempotency.
func (h *Service) Redeliver(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	if err := authorizeRedelivery(c.Principal); err != nil {
		return idempotency.Response{}, err
	}
	look := func(ctx context.Context) error { return h.requireRetainedEvent(ctx, c, id) }
	return h.runForDelivery(ctx, c, id, "Delivery queued.", look, func(ctx context.Context, tx ports.Tx) (collection.Record, error) {
		before, err := lockInEnvironment(ctx, tx, c.Principal, webhook.Deliveries, id)
		if err != nil {
			return nil, err
		}
		d := webhook.DeliveryFrom(before)
		endpoint, err := tx.Records.Get(ctx, webhook.Endpoints, d.Endpoint)
		switch {
		case errors.Is(err, ports.ErrNotFound):
			return nil, webhook.ErrEndpointDeleted
		case err != nil:
			return nil, err
		case !d.Test && !endpoint.Bool("enabled"):
			return nil, webhook.ErrEndpointDisabled
		}
		return h.writeDelivery(ctx, tx, c.Principal.Tenant.ID, before, d.Redeliver(collection.TruncateTime(h.Now())))
	})
}

// requireRetainedEvent refuses a delivery whose event was trimmed from the log. Errors:
// webhook.ErrEventTrimmed.
func (h *Service) requireRetainedEvent(ctx context.Context, c idempotency.Call, id string) error {
	r, err := ports.GetInEnvironment(ctx, h.Store.Read(ports.ForPrincipal(c.Principal)), webhook.Deliveries, c.Principal.Environment, id)
	if err != nil || r.Bool("test") {
		return err
	}
	page, err := h.Log.Events(ctx, ports.EventQuery{Tenant: c.Principal.Tenant.ID, After: r.Int("sequence") - 1, Limit: 1})
	if err == nil && (len(page.Events) == 0 || page.Events[0].ID != r.Text("event")) {
		return webhook.ErrEventTrimmed
	}
	return err
}

// authorizeRedelivery admits those who manage endpoints: a redelivery changes no record of the tenant, but
// reading access is not enough for it.
func authorizeRedelivery(p tenant.Principal) error {
	_, err := access.Allowed(p, webhook.Endpoints, collection.Update)
	return err
}

// runForDelivery runs work once per idempotency key, if one was sent, and responds with {message, delivery}.
// look, if not nil, runs before the transaction.
func (h *Service) runForDelivery(
	ctx context.Context, c idempotency.Call, id, message string, look func(context.Context) error,
	work func(context.Context, ports.Tx) (collection.Record, error),
) (idempotency.Response, error) {
	var to string
	answer, _, err := h.Idempotency.RunOptional(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		if look != nil {
			if err := look(ctx); err != nil {
				return receipt, err
			}
		}
		err = h.Store.Atomically(ctx, ports.ForPrincipal(c.Principal), func(ctx context.Context, tx ports.Tx) error {
			delivery, err := work(ctx, tx)
			if err != nil {
				return err
			}
			receipt = c.Receipt(ports.ReceiptOK,
				reply.Of(collection.Staff, messageMembers(message, "delivery", webhook.Deliveries, delivery)...), nil, h.Now(),
				h.Now().Add(idempotency.Retention))
			receipt.Record, to = delivery.ID(), delivery.Text("endpoint")
			return claim.Save(ctx, tx, receipt)
		})
		return receipt, err
	}, id)
	if err == nil {
		h.wakeDeliverer(to)
	}
	return answer, err
}

// wakeDeliverer has an endpoint served at once; "" means no endpoint, since the response was replayed.
func (h *Service) wakeDeliverer(endpoint string) {
	if h.Wake != nil && endpoint != "" {
		h.Wake(endpoint)
	}
}

// writeDelivery stores d, replacing before if that is not nil.
func (h *Service) writeDelivery(
	ctx context.Context, tx ports.Tx, shop tenant.ID, before collection.Record, d webhook.Delivery,
) (collection.Record, error) {
	after := d.Record()
	after["tenant"] = string(shop)
	return after, tx.Records.Write(ctx, collection.NewChange(webhook.Deliveries, before, after, h.NewID(), h.Now()))
}
