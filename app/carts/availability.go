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
	"github.com/cartwright-dev/cartwright/domain/pricing"
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

// Decorate returns carts with their availability, those that are no longer active as they are. It makes one lookup
// for each market among them.
func (a Availability) Decorate(ctx context.Context, p tenant.Principal, stored []collection.Record) ([]collection.Record, error) {
	type group struct {
		request offers.Request
		offers  map[string]pricing.Offer
	}
	groups := map[string]*group{}
	carts := make([]cart.Cart, len(stored))
	now := a.Now()
	for i, r := range stored {
		c, err := cart.FromRecord(r)
		if err != nil || c.StatusAt(now) != cart.Active || c.Tenant != p.Tenant.ID {
			continue
		}
		carts[i] = c
		of := groups[c.Market]
		if of == nil {
			of = &group{request: offers.Request{Tenant: p.Tenant, Environment: c.Environment, Market: c.Market}}
			groups[c.Market] = of
		}
		of.request.Variants = append(of.request.Variants, c.Variants()...)
	}
	for _, of := range groups {
		found, err := a.Offers.Lookup(ctx, of.request)
		if err != nil && !errors.Is(err, catalog.ErrMarketNotFound) { // nothing is for sale in a closed market
			return nil, err
		}
		of.offers = found.Offers
	}
	shown := slices.Clone(stored)
	for i, c := range carts {
		if of := groups[c.Market]; of != nil && len(c.Lines) > 0 {
			shown[i] = c.WithAvailability(shown[i], of.offers)
		}
	}
	return shown, nil
}
