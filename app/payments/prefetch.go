package payments

import (
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// settlePrefetch is what applying an observation will read, so that it takes two round trips to the database:
// one to begin, lock and read, one to write and commit. Codes cost one more, because their uses are counted
// between the two; so do low-stock thresholds.
func settlePrefetch(s payment.Session, x checkout.Checkout, seen payment.Fact) *ports.Prefetch {
	a := &ports.Prefetch{
		Lock: []ports.Ref{{Schema: cart.Schema, ID: x.Cart}, {Schema: checkout.Schema, ID: x.ID}, {Schema: payment.Sessions, ID: s.ID}},
	}
	if s.Order != "" {
		a.Get = append(a.Get, ports.Ref{Schema: order.Schema, ID: s.Order})
	}
	if seen != payment.FactPaid && seen != payment.FactAuthorized {
		return a // no stock is taken: locking it would only make other buyers wait
	}
	a.LockBy = []ports.RefBy{{Schema: payment.Sessions, Field: checkouts.UnsettledField, Value: x.Cart}}
	a.Holder, a.Environment, a.DiscountUsesFirst = x.ID, x.Environment, len(x.Codes) > 0
	a.GetFirst = placement.DiscountRefs(x)
	products := map[string]bool{}
	for _, d := range x.Demands() {
		a.Variants = append(a.Variants, d.Variant)
		a.Get = append(a.Get, ports.Ref{Schema: catalog.Variants, ID: d.Variant})
	}
	for _, l := range x.Lines {
		products[l.Product] = true
	}
	for _, id := range slices.Sorted(maps.Keys(products)) {
		a.Get = append(a.Get, ports.Ref{Schema: catalog.Products, ID: id})
	}
	return a
}
