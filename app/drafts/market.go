package drafts

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// marketOf is the id of the market whose prices x has, "" where they are the tenant's own: the one that x names, or else the
// default one of the active markets in its currency, else the oldest. Rule drafts-8. Errors: draft.ErrMarketRequired,
// catalog.ErrMarketNotFound for a market that was named and is not active any more.
func marketOf(ctx context.Context, r ports.Reader, t tenant.Settings, x draft.Draft) (string, error) {
	switch {
	case x.Market != "":
		named, err := offers.Market(ctx, r, x.Market)
		return named.ID, err
	case x.Currency == t.Currency:
		return "", nil
	}
	return findMarket(ctx, r, x.Currency)
}

// findMarket is the id of the market that stands for a currency. Errors: draft.ErrMarketRequired.
func findMarket(ctx context.Context, r ports.Reader, currency money.Currency) (string, error) {
	s := catalog.Markets
	oldest := s.SortBy("createdAt")
	page, err := r.Find(ctx, collection.Query{
		Schema: s, Sort: oldest, Limit: collection.MaxLimit, Page: 1, SkipCount: true,
		Where: collection.And{
			s.Where("currency", collection.Equals, string(currency)), s.Where("status", collection.Equals, catalog.Active),
		},
	})
	if err != nil {
		return "", err
	}
	var best collection.Record
	for _, m := range page.Docs {
		if best == nil || m.Bool("isDefault") && !best.Bool("isDefault") {
			best = m
		}
	}
	if best == nil {
		return "", draft.ErrMarketRequired.WithData("currency", string(currency))
	}
	return best.ID(), nil
}

// nameMarket replaces a market's code by its id in the input of a draft, and adds the market's currency where the input has
// none. Errors: fault.ErrValidation for a market that is not active.
func nameMarket(ctx context.Context, r ports.Reader, input map[string]any) error {
	ref, named := input["market"].(string)
	if !named || ref == "" {
		return nil
	}
	m, err := offers.Market(ctx, r, ref)
	if errors.Is(err, catalog.ErrMarketNotFound) {
		return fault.Invalidf("market", "There is no such active market.")
	}
	if err != nil {
		return err
	}
	input["market"] = m.ID
	if _, given := input["currency"]; !given {
		input["currency"] = string(m.Currency)
	}
	return nil
}

// checkCurrency checks the currency of a draft that was edited, together with its market and its fee. A draft changes to a
// currency only while the shop has prices in it. Errors: fault.ErrValidation, draft.ErrMarketRequired.
func checkCurrency(ctx context.Context, r ports.Reader, t tenant.Settings, before, after collection.Record) error {
	x := draft.FromRecord(after)
	if err := draft.CheckCurrency(after); err != nil {
		return err
	}
	if before != nil && before.Text("currency") == string(x.Currency) && before.Text("market") == x.Market {
		return nil
	}
	if x.Market == "" {
		_, err := marketOf(ctx, r, t, x)
		return err
	}
	m, err := r.Get(ctx, catalog.Markets, x.Market)
	if err == nil && money.Currency(m.Text("currency")) != x.Currency {
		err = fault.Invalidf("currency", "The draft order's market is in %s: name another market with the currency, or null.", m.Text("currency"))
	}
	return err
}
