package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// enclosureRows is ports.Enclosures inside a transaction.
type enclosureRows struct{ *txn }

// Enclose implements ports.Enclosures.
func (t enclosureRows) Enclose(ctx context.Context, e ports.Enclosure) error {
	if !t.covers(string(e.Tenant)) {
		return t.refuse(errForeign)
	}
	_, err := exec(ctx, t, "INSERT INTO enclosures (tenant, event, collection, sealed, expires_at) VALUES ($1, $2, $3, $4, $5)",
		string(e.Tenant), e.Event, e.Collection, e.Sealed, e.Expires)
	if err != nil {
		return fmt.Errorf("enclose: %w", err)
	}
	return nil
}

// Enclosed implements ports.Enclosures.
func (t enclosureRows) Enclosed(ctx context.Context, event string) (ports.Enclosure, error) {
	var a args
	var of string
	var expires moment
	e := ports.Enclosure{Event: event}
	found, err := queryRow(ctx, t, []any{&of, &e.Collection, &e.Sealed, &expires},
		"SELECT tenant, collection, sealed, expires_at FROM enclosures r WHERE "+t.fence(&a, "r")+" AND event = "+a.bind(event), a...)
	switch {
	case err != nil:
		return e, fmt.Errorf("find what was enclosed: %w", err)
	case !found:
		return e, ports.ErrAbsent
	}
	e.Tenant, e.Expires = tenant.ID(of), expires.Time
	return e, nil
}

// Discard implements ports.Enclosures.
func (t enclosureRows) Discard(ctx context.Context, event string) error {
	var a args
	_, err := exec(ctx, t, "DELETE FROM enclosures AS r WHERE "+t.fence(&a, "r")+" AND event = "+a.bind(event), a...)
	if err != nil {
		return fmt.Errorf("discard what was enclosed: %w", err)
	}
	return nil
}
