package delivering

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/hooking"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// body is what is sent, and whether something is enclosed that nobody else may see. Spec 6. Errors: ports.ErrAbsent: the
// event is not kept any more.
func (d *Delivering) body(ctx context.Context, c ports.ClaimedDelivery, to endpoint) (body []byte, private bool, err error) {
	if c.Test {
		return hooking.TestBody(to.record), false, nil
	}
	e, err := d.event(ctx, c.Tenant, c.Number, c.Event)
	if err != nil {
		return nil, false, err
	}
	members, err := d.enclosed(ctx, c, to)
	if err != nil {
		return nil, false, err
	}
	return bodyOf(e, members), len(members) > 0, nil
}

// bodyOf is the body of an event, with further members in its data.
func bodyOf(e ports.Event, members map[string]string) []byte {
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

// enclosed are the members that go with an event to an endpoint that is entrusted with them; nil for others, and when an
// operator asked for the delivery again. Engineering 18.
func (d *Delivering) enclosed(ctx context.Context, c ports.ClaimedDelivery, to endpoint) (members map[string]string, err error) {
	if c.Replayed || !to.Entrusted(c.Collection) || !access.Encloses(c.Collection) {
		return nil, nil
	}
	var found ports.Enclosure
	err = d.Store.Atomically(ctx, ports.Of(c.Tenant), func(ctx context.Context, tx ports.Tx) error {
		found, err = tx.Enclosures.Enclosed(ctx, c.Event)
		return err
	})
	switch {
	case gone(err):
		return nil, nil
	case err != nil:
		return nil, err
	case !d.Now().Before(found.Expires):
		return nil, nil
	}
	return access.Enclosed(d.Vault, found)
}

// forget discards what was enclosed with an event once nobody who is to have it waits for it any more.
func (d *Delivering) forget(ctx context.Context, c ports.ClaimedDelivery, to endpoint) error {
	if c.Replayed || !to.Entrusted(c.Collection) || !access.Encloses(c.Collection) {
		return nil
	}
	return d.Store.Atomically(ctx, ports.Of(c.Tenant), func(ctx context.Context, tx ports.Tx) error {
		s := webhook.Deliveries
		page, err := tx.Records.Find(ctx, collection.Query{Schema: s, Limit: 1, Page: 1, Uncounted: true, Where: collection.And{
			s.Where("event", collection.Equals, c.Event), s.Where("status", collection.Equals, string(webhook.Pending)),
		}})
		if err != nil || len(page.Docs) > 0 {
			return err
		}
		return tx.Enclosures.Discard(ctx, c.Event)
	})
}
