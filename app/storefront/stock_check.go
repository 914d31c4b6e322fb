package storefront

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// maxStockCheckItems is the maximum number of items of one stock check. Rule catalog-9.
const maxStockCheckItems = 200

// CheckStock responds with {items, allAvailable, checkedAt}: whether each variant is available now in the
// total quantity of all demands for it. With quantities it includes the units in stock, for staff only.
// Errors: tenant.ErrFeatureDisabled, fault.ErrForbidden, fault.ErrValidation.
func (b *Service) CheckStock(ctx context.Context, p tenant.Principal, demands []inventory.Demand, quantities bool) (*reply.Body, error) {
	if err := requireCommerce(p); err != nil {
		return nil, err
	}
	if len(demands) > maxStockCheckItems {
		return nil, fault.Invalidf("items", "At most %d items can be checked at once.", maxStockCheckItems)
	}
	wanted := map[string]int64{}
	var order []string
	for _, d := range demands {
		if wanted[d.Variant] == 0 {
			order = append(order, d.Variant)
		}
		wanted[d.Variant] += d.Quantity
	}
	at := b.Records.Now()
	facts, err := offers.Lookup(ctx, b.Store.Read(ports.ForPrincipal(p)),
		offers.Request{Tenant: p.Tenant, Environment: p.Environment, Variants: order})
	if err != nil {
		return nil, err
	}
	items, all := make(reply.List, len(order)), true
	for i, id := range order {
		offer, known := facts.Offers[id]
		reason := stockRefusal(offer, wanted[id])
		all = all && reason == nil
		item := reply.Object{
			{Name: "variantId", Value: id}, {Name: "requested", Value: wanted[id]}, {Name: "available", Value: reason == nil},
		}
		if reason != nil {
			item = append(item, reply.Member{Name: "reason", Value: reason.Reason})
		}
		if quantities && p.IsStaff() {
			item = append(item, availableQuantity(offer.Stock, known))
		}
		items[i] = item
	}
	return reply.Of(collection.Everyone,
		reply.Member{Name: "items", Value: items},
		reply.Member{Name: "allAvailable", Value: all},
		reply.Member{Name: "checkedAt", Value: collection.TruncateTime(at)}), nil
}

// stockRefusal is why a quantity is not available, nil if it is.
func stockRefusal(o pricing.Offer, quantity int64) *fault.Error {
	switch {
	case !o.Sellable:
		return catalog.ErrVariantUnavailable
	case !o.Stock.AvailableCovers(quantity):
		return inventory.ErrOutOfStock
	}
	return nil
}
