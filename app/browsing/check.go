package browsing

import (
	"context"
	"strconv"

	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// maxChecked is how many items one stock check takes. Contract 4.
const maxChecked = 200

// StockCheck answers {items, allAvailable, checkedAt}: whether each variant can be had in the quantity that all demands
// for it add up to, as of now. quantities tells how many there are, to staff alone. Errors: tenant.ErrFeatureDisabled,
// fault.ErrForbidden, fault.ErrValidation.
func (b *Browsing) StockCheck(ctx context.Context, p tenant.Principal, demands []inventory.Demand, quantities bool) ([]byte, error) {
	if err := open(p); err != nil {
		return nil, err
	}
	if len(demands) > maxChecked {
		return nil, fault.Invalidf("items", "At most %d items can be checked at once.", maxChecked)
	}
	wanted := map[string]int64{}
	var order []string
	for _, d := range demands {
		if wanted[d.Variant] == 0 {
			order = append(order, d.Variant)
		}
		wanted[d.Variant] += d.Quantity
	}
	at := b.Content.Now()
	facts, err := quoting.Lookup(ctx, b.Store.Read(ports.For(p)), quoting.Request{Tenant: p.Tenant, Environment: p.Environment, Variants: order})
	if err != nil {
		return nil, err
	}
	body, all := []byte(`{"items":[`), true
	for i, id := range order {
		if i > 0 {
			body = append(body, ',')
		}
		offer, known := facts.Offers[id]
		reason := refusal(offer, wanted[id])
		all = all && reason == nil
		body = appendChecked(body, inventory.Demand{Variant: id, Quantity: wanted[id]}, reason)
		if quantities && p.Staff() {
			body = appendLeft(append(body, `,"availableQuantity":`...), offer.Stock, known)
		}
		body = append(body, '}')
	}
	body = strconv.AppendBool(append(body, `],"allAvailable":`...), all)
	return append(collection.AppendValue(append(body, `,"checkedAt":`...), collection.Instant(at)), '}'), nil
}

// refusal is why so many units cannot be had, nil when they can.
func refusal(o pricing.Offer, quantity int64) *fault.Error {
	switch {
	case !o.Sellable:
		return catalog.ErrVariantUnavailable
	case !o.Stock.Spares(quantity):
		return inventory.ErrOutOfStock
	}
	return nil
}

// appendChecked writes the answer for one variant, unclosed.
func appendChecked(dst []byte, d inventory.Demand, reason *fault.Error) []byte {
	dst = collection.AppendString(append(dst, `{"variantId":`...), d.Variant)
	dst = strconv.AppendInt(append(dst, `,"requested":`...), d.Quantity, 10)
	dst = strconv.AppendBool(append(dst, `,"available":`...), reason == nil)
	if reason != nil {
		dst = collection.AppendString(append(dst, `,"reason":`...), reason.Reason)
	}
	return dst
}

// appendLeft writes how many units can be bought: null where they are not counted, none of what is not known.
func appendLeft(dst []byte, l inventory.Level, known bool) []byte {
	if known && !l.Tracked {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, max(0, l.Free()), 10)
}
