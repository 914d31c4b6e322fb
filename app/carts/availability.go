package carts

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Availability shows stored carts with their lines available or not as of now: the catalog and the stock change
// after a cart did. The amounts stay those of the cart's last change. Rule carts-30.
type Availability struct {
	Offers OfferLookup
	Now    func() time.Time
}

// Hooks are those of the collection of carts.
func (a Availability) Hooks() records.Hooks { return records.Hooks{Decorate: a.Decorate} }

// Decorate returns carts with their availability, and records that it cannot read as they are.
func (a Availability) Decorate(ctx context.Context, p tenant.Principal, stored []collection.Record) ([]collection.Record, error) {
	carts := make([]cart.Cart, len(stored))
	for i, r := range stored {
		if c, err := cart.FromRecord(r); err == nil {
			carts[i] = c
		}
	}
	return a.show(ctx, p, stored, carts)
}

// show returns the stored carts with their availability, those that are no longer active as they are. It makes one
// lookup for each market among them.
func (a Availability) show(
	ctx context.Context, p tenant.Principal, stored []collection.Record, carts []cart.Cart,
) ([]collection.Record, error) {
	shown := slices.Clone(stored)
	for market, wanted := range a.active(p, carts) {
		found, err := a.Offers.Lookup(ctx, offers.Request{
			Tenant: p.Tenant, Environment: p.Environment, Market: market, Variants: wanted.variants,
		})
		if err != nil && !errors.Is(err, catalog.ErrMarketNotFound) { // nothing is for sale in a closed market
			return nil, err
		}
		for _, i := range wanted.carts {
			shown[i] = carts[i].WithAvailability(shown[i], found.Offers)
		}
	}
	return shown, nil
}

// inMarket is what is looked up in one market.
type inMarket struct {
	carts    []int
	variants []string
}

// active are the carts of p's tenant and environment that can still be bought, by market.
func (a Availability) active(p tenant.Principal, carts []cart.Cart) map[string]inMarket {
	now := a.Now()
	markets := map[string]inMarket{}
	for i, c := range carts {
		if c.StatusAt(now) != cart.Active || c.Tenant != p.Tenant.ID || c.Environment != p.Environment || len(c.Lines) == 0 {
			continue
		}
		m := markets[c.Market]
		m.carts, m.variants = append(m.carts, i), append(m.variants, c.Variants()...)
		markets[c.Market] = m
	}
	return markets
}
