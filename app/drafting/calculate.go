package drafting

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/quoting"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Calculate adds a draft up as it would be sold now, with what stands in the way of it. It changes nothing. Spec 3.1 rule 4.
// Errors: those of admit, ports.ErrAbsent, draft.ErrMarketRequired, shipping.ErrPostalCode, shipping.ErrUnavailable.
func (d *Drafting) Calculate(ctx context.Context, p tenant.Principal, id string, explain bool) (draft.Preview, error) {
	if err := admit(p, collection.Read); err != nil {
		return draft.Preview{}, err
	}
	r := d.Store.Read(ports.For(p))
	record, err := r.Get(ctx, draft.Schema, id)
	if record, err = here(p, record, err); err != nil {
		return draft.Preview{}, err
	}
	x := draft.FromRecord(record)
	var facts quoting.Facts
	if x.Code == "" {
		facts, err = lookup(ctx, r, p, x, nil, explain)
	} else { // promised uses count too, and only a transaction sees them
		err = d.Store.Atomically(ctx, ports.For(p), func(ctx context.Context, tx ports.Tx) (err error) {
			facts, err = lookup(ctx, tx.Records, p, x, tx.Uses, explain)
			return err
		})
	}
	if err != nil {
		return draft.Preview{}, err
	}
	return x.Preview(draft.Facts{
		Rounding: facts.Rounding, Market: facts.MarketID(), Offers: facts.Offers, Codes: facts.Codes, Policy: facts.Policy,
	}, d.Now(), explain)
}

// lookup finds what x costs. Errors: draft.ErrMarketRequired.
func lookup(ctx context.Context, r ports.Reader, p tenant.Principal, x draft.Draft, uses ports.Uses, explain bool) (quoting.Facts, error) {
	in, err := market(ctx, r, p.Tenant)
	if err != nil {
		return quoting.Facts{}, err
	}
	if x.Buyer, err = buyer(ctx, r, x.Buyer); err != nil {
		return quoting.Facts{}, err
	}
	return quoting.Lookup(ctx, r, quoting.Request{
		Tenant: p.Tenant, Environment: x.Environment, Market: in, Variants: x.Variants(), Codes: x.Codes(), Customer: x.Buyer.Counted(),
		Shipping: true, Uses: uses, Explain: explain,
	})
}
