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

// goodsPrefetch is what a transaction locks and reads that reserves or takes the goods of a checkout, after its cart and the
// checkout itself. That takes two round trips to the database: one to begin, lock and read, one to write and commit. Codes
// cost one more, because their uses are counted between the two; so do low-stock thresholds.
func goodsPrefetch(x checkout.Checkout) *ports.Prefetch {
	a := &ports.Prefetch{
		Lock:   []ports.Ref{{Schema: cart.Schema, ID: x.Cart}, {Schema: checkout.Schema, ID: x.ID}},
		Holder: x.ID, Environment: x.Environment, DiscountUsesFirst: len(x.Codes) > 0, GetFirst: placement.DiscountRefs(x),
	}
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

// settlePrefetch is what applying an observation will read.
func settlePrefetch(s payment.Session, x checkout.Checkout, seen payment.Fact) *ports.Prefetch {
	a := &ports.Prefetch{Lock: []ports.Ref{{Schema: cart.Schema, ID: x.Cart}, {Schema: checkout.Schema, ID: x.ID}}}
	if seen == payment.FactPaid || seen == payment.FactAuthorized {
		a = goodsPrefetch(x)
		a.LockBy = []ports.RefBy{{Schema: payment.Sessions, Field: checkouts.UnsettledField, Value: x.Cart}}
	} // else no stock is taken: locking it would only make other buyers wait
	a.Lock = append(a.Lock, ports.Ref{Schema: payment.Sessions, ID: s.ID})
	if s.Order != "" {
		a.Get = append(a.Get, ports.Ref{Schema: order.Schema, ID: s.Order})
	}
	return a
}

// sessionScope is the scope of a transaction that locks a session, and nothing else.
func sessionScope(s payment.Session) ports.Scope {
	scope := ports.ForTenant(s.Tenant)
	scope.Prefetch = &ports.Prefetch{Lock: []ports.Ref{{Schema: payment.Sessions, ID: s.ID}}}
	return scope
}
