package deliveries

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/webhooks"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// buildBody is the request body, and whether it carries a token. Rule webhooks-1. Errors: ports.ErrNotFound:
// the event has been trimmed.
func (d *Dispatcher) buildBody(ctx context.Context, c ports.ClaimedDelivery, to endpoint) (body []byte, private bool, err error) {
	if c.Test {
		return webhooks.TestDeliveryBody(to.record), false, nil
	}
	e, err := d.loadEvent(ctx, c.Tenant, c.Sequence, c.Event)
	if err != nil {
		return nil, false, err
	}
	members, err := d.openSealedToken(ctx, c, to)
	if err != nil {
		return nil, false, err
	}
	return eventBody(e, members), len(members) > 0, nil
}

// eventBody is the body for an event, with members added to its data.
func eventBody(e ports.Event, members map[string]string) []byte {
	b := append(make([]byte, 0, 128+len(e.Body)), `{"collection":`...)
	b = collection.AppendString(b, e.Collection)
	b = collection.AppendString(append(b, `,"operation":`...), string(e.Operation))
	rest, _ := bytes.CutPrefix(e.Body, []byte(`{`))
	b = append(b, ',')
	if data, ok := bytes.CutPrefix(rest, []byte(`"data":{`)); ok && len(members) > 0 {
		b = append(b, `"data":{`...)
		for _, name := range slices.Sorted(maps.Keys(members)) {
			b = collection.AppendString(append(collection.AppendString(b, name), ':'), members[name])
			b = append(b, ',')
		}
		if bytes.HasPrefix(data, []byte(`}`)) {
			b = b[:len(b)-1]
		}
		rest = data
	}
	return append(b, rest...)
}

// openSealedToken returns the members that an event's sealed token adds for an endpoint entitled to them; nil
// for other endpoints, and when an operator requested the redelivery. Rule access-9.
func (d *Dispatcher) openSealedToken(ctx context.Context, c ports.ClaimedDelivery, to endpoint) (members map[string]string, err error) {
	if c.Replayed || !to.ReceivesTokens(c.Collection) || !access.CarriesToken(c.Collection) {
		return nil, nil
	}
	var found ports.SealedToken
	err = d.Store.Atomically(ctx, ports.ForTenant(c.Tenant), func(ctx context.Context, tx ports.Tx) error {
		found, err = tx.SealedTokens.ForEvent(ctx, c.Event)
		return err
	})
	switch {
	case errors.Is(err, ports.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	case !d.Now().Before(found.Expires):
		return nil, nil
	}
	return access.OpenSealedToken(d.Vault, found)
}

// discardToken deletes an event's sealed token once no delivery entitled to it is pending.
func (d *Dispatcher) discardToken(ctx context.Context, c ports.ClaimedDelivery, to endpoint) error {
	if c.Replayed || !to.ReceivesTokens(c.Collection) || !access.CarriesToken(c.Collection) {
		return nil
	}
	return d.Store.Atomically(ctx, ports.ForTenant(c.Tenant), func(ctx context.Context, tx ports.Tx) error {
		s := webhook.Deliveries
		page, err := tx.Records.Find(ctx, collection.Query{Schema: s, Limit: 1, Page: 1, SkipCount: true, Where: collection.And{
			s.Where("event", collection.Equals, c.Event), s.Where("status", collection.Equals, string(webhook.Pending)),
		}})
		if err != nil || len(page.Docs) > 0 {
			return err
		}
		return tx.SealedTokens.Delete(ctx, c.Event)
	})
}
