package reports

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Setup tells which steps of setting a shop up are done. Rule shop-8.
type Setup struct {
	Product, Payment, Shipping, Taxes, Storefront bool
}

// setup is what is done of setting up p's shop, for users who may change its settings; nil when all is, and where the shop does not
// want to be told.
func (s *Service) setup(ctx context.Context, p tenant.Principal) (*Setup, error) {
	if _, err := access.Allowed(p, identity.Tenants, collection.Update); err != nil || p.Kind != tenant.User {
		return nil, nil //nolint:nilerr,nilnil // they have nothing to be told
	}
	r := s.Store.Read(ports.ForTenant(p.Tenant.ID))
	shop, err := r.Get(ctx, identity.Tenants, string(p.Tenant.ID))
	if err != nil || shop.Group("settings").Bool("setupDismissed") {
		return nil, err
	}
	done, err := stepsDone(ctx, r, p.Environment)
	done.Storefront = shop.Group("settings").Text("storefrontUrl") != ""
	if err != nil || done == (Setup{true, true, true, true, true}) {
		return nil, err
	}
	return &done, nil
}

// stepsDone tells of the steps that are records. Shipping is done when the policy that a shop begins with was changed, or is not the
// only one.
func stepsDone(ctx context.Context, r ports.Reader, env tenant.Environment) (done Setup, err error) {
	first := func(s *collection.Schema, where ...collection.Cond) (found []collection.Record) {
		if err != nil {
			return nil
		}
		var page collection.Page
		page, err = r.Find(ctx, collection.Query{Schema: s, Where: collection.And(where), Limit: 2, Page: 1, SkipCount: true})
		return page.Docs
	}
	done.Product = len(first(catalog.Products)) > 0
	done.Payment = len(first(payment.Connections,
		payment.Connections.Where("environment", collection.Equals, string(env)),
		payment.Connections.Where("enabled", collection.Equals, true))) > 0
	done.Taxes = len(first(tax.Schema)) > 0
	policies := first(shipping.Schema)
	done.Shipping = len(policies) > 1 || len(policies) == 1 && policies[0].Time("updatedAt").After(policies[0].Time("createdAt"))
	return done, err
}
