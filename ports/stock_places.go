package ports

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// StockPlaces are where the units of variants lie. The store keeps two things by itself, whoever writes: Stock.Set settles the
// places of its variant by what was on hand (see package inventory), and the places of a variant or a location that is deleted
// go with it, those of a location after the variants that lie there were settled.
type StockPlaces interface {
	// Of returns the places of a variant as they are stored. Whoever is to change them has locked its row of stock.
	Of(ctx context.Context, t tenant.ID, env tenant.Environment, variant string) (inventory.Places, error)
	// Put stores places instead of those that a variant has. Its row of stock is locked.
	Put(ctx context.Context, t tenant.ID, env tenant.Environment, variant string, places inventory.Places) error
}

// PlaceQuery is a page of the variants that lie at a location.
type PlaceQuery struct {
	Tenant      tenant.ID
	Environment tenant.Environment
	Location    string
	Page, Limit int // from 1, and from 0
}

// PlacedVariant is how many units of a variant lie at a location; from 1.
type PlacedVariant struct {
	Variant string
	Units   int64
}

// StockPlaceReader reads where units lie, outside of transactions and without a lock.
type StockPlaceReader interface {
	// Find returns the stock of a variant and its places as they are stored, both as of one moment; the zero level without stock.
	Find(ctx context.Context, t tenant.ID, env tenant.Environment, variant string) (StockLevel, inventory.Places, error)
	// FindAt returns the variants of which units lie at a location, by id, and how many there are on all pages.
	FindAt(ctx context.Context, q PlaceQuery) (page []PlacedVariant, total int64, err error)
}
