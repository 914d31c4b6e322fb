package drafts

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Calculate prices a draft as it would be sold now, with the reasons why it cannot be. It changes nothing.
// Rule drafts-4. Errors: those of requireAccess, ports.ErrNotFound, draft.ErrMarketRequired, catalog.ErrMarketNotFound,
// shipping.ErrPostalCode, shipping.ErrUnavailable.
func (d *Service) Calculate(ctx context.Context, p tenant.Principal, id string, explain bool) (draft.Preview, error) {
	if err := requireAccess(p, collection.Read); err != nil {
		return draft.Preview{}, err
	}
	r := d.Store.Read(ports.ForPrincipal(p))
	record, err := r.Get(ctx, draft.Schema, id)
	if record, err = inEnvironment(p, record, err); err != nil {
		return draft.Preview{}, err
	}
	x := draft.FromRecord(record)
	var facts priced
	if x.DiscountCode == "" {
		facts, err = lookupPrices(ctx, r, p, x, nil, explain)
	} else { // reserved uses count too, and only a transaction sees them
		err = d.Store.Atomically(ctx, ports.ForPrincipal(p), func(ctx context.Context, tx ports.Tx) (err error) {
			facts, err = lookupPrices(ctx, tx.Records, p, x, tx.DiscountUses, explain)
			return err
		})
	}
	if err != nil {
		return draft.Preview{}, err
	}
	known := draft.Facts{
		Rounding: facts.Rounding, Market: facts.MarketID(), Offers: facts.Offers, Codes: facts.Codes, Policy: facts.Policy, Home: facts.Home,
		Taxes: facts.Taxes().Estimated(), TaxExempt: facts.taxExempt,
	}
	if x.Address != nil {
		known.To = facts.Destination(*x.Address, p.Tenant.Country)
	}
	return x.Preview(known, d.Now(), explain)
}

// priced is what a draft costs its buyer.
type priced struct {
	offers.Facts

	taxExempt bool
}

// lookupPrices finds what x costs. Errors: draft.ErrMarketRequired, catalog.ErrMarketNotFound.
func lookupPrices(
	ctx context.Context, r ports.Reader, p tenant.Principal, x draft.Draft, uses ports.DiscountUses, explain bool,
) (found priced, err error) {
	in, err := marketOf(ctx, r, p.Tenant, x)
	if err != nil {
		return found, err
	}
	if x.Buyer, err = resolveBuyer(ctx, r, x.Buyer); err != nil {
		return found, err
	}
	found.Facts, err = offers.Lookup(ctx, r, offers.Request{
		Tenant: p.Tenant, Environment: x.Environment, Market: in, Variants: x.Variants(), Codes: x.Codes(),
		Customer: x.Buyer.DiscountCustomer(), Shipping: true, Policy: x.Policy, Uses: uses, Explain: explain,
	})
	if err != nil {
		return found, err
	}
	found.taxExempt, err = found.TaxExempt(ctx, r, x.Buyer.Customer)
	return found, err
}
