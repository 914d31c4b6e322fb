package storefront

import (
	"context"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/offers"
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
func (b *Service) CheckStock(ctx context.Context, p tenant.Principal, demands []inventory.Demand, quantities bool) ([]byte, error) {
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
	facts, err := offers.Lookup(ctx, b.Store.Read(ports.ForPrincipal(p)), offers.Request{Tenant: p.Tenant, Environment: p.Environment, Variants: order})
	if err != nil {
		return nil, err
	}
	body, all := []byte(`{"items":[`), true
	for i, id := range order {
		if i > 0 {
			body = append(body, ',')
		}
		offer, known := facts.Offers[id]
		reason := stockRefusal(offer, wanted[id])
		all = all && reason == nil
		body = appendCheckResult(body, inventory.Demand{Variant: id, Quantity: wanted[id]}, reason)
		if quantities && p.IsStaff() {
			body = appendAvailableQuantity(append(body, `,"availableQuantity":`...), offer.Stock, known)
		}
		body = append(body, '}')
	}
	body = strconv.AppendBool(append(body, `],"allAvailable":`...), all)
	return append(collection.AppendValue(append(body, `,"checkedAt":`...), collection.TruncateTime(at)), '}'), nil
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

// appendCheckResult appends the result of one variant, without the closing brace.
func appendCheckResult(dst []byte, d inventory.Demand, reason *fault.Error) []byte {
	dst = collection.AppendString(append(dst, `{"variantId":`...), d.Variant)
	dst = strconv.AppendInt(append(dst, `,"requested":`...), d.Quantity, 10)
	dst = strconv.AppendBool(append(dst, `,"available":`...), reason == nil)
	if reason != nil {
		dst = collection.AppendString(append(dst, `,"reason":`...), reason.Reason)
	}
	return dst
}

// appendAvailableQuantity appends how many units can be bought: null if inventory is not tracked, nothing if
// it is not known.
func appendAvailableQuantity(dst []byte, l inventory.Level, known bool) []byte {
	if known && !l.Tracked {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, max(0, l.Available()), 10)
}
