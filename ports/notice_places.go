package ports

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// NoticeLag is a shop with events that somebody may have to be told of.
type NoticeLag struct {
	Tenant tenant.ID
	Place  int64 // they were told of events up to this number; 0: nobody began
	Newest int64 // number of the shop's newest event
}

// NoticePlaces are how far events were told of in all shops: their teams by notifications, or anybody by mail. Suite: portstest.NoticePlaces.
type NoticePlaces interface {
	// Behind lists at most limit shops with events after their place, by id.
	Behind(ctx context.Context, limit int) ([]NoticeLag, error)
}

// NoticeMover moves a place in the transaction that tells of the events in between. Suite: portstest.NoticePlaces.
type NoticeMover interface {
	// Move moves the place of a shop, and holds it until the transaction ends. Errors: ErrStale when it is not at from.
	Move(ctx context.Context, id tenant.ID, from, to int64) error
}
