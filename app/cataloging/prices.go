package cataloging

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// checkPrices finds the prices of a variant among those that are there, by market.
func (p *plan) checkPrices(ctx context.Context, bad *problems, v *part, prices []map[string]any) error {
	there := p.was.prices[v.was.ID()]
	markets := map[string]bool{}
	for i, input := range prices {
		x := &part{path: v.path + partPath(pricesName, i), input: input}
		id := takeText(input, x.path, idName, bad)
		market := p.takeMarket(x, bad)
		if market == nil {
			continue
		}
		if markets[market.ID()] {
			bad.add(x.path+"market", "The variant has a price in this market already.")
		}
		markets[market.ID()] = true
		for _, r := range there {
			if r.Text("market") == market.ID() {
				x.was = r
			}
		}
		if id != "" && x.was.ID() != id {
			bad.add(x.path+idName, "The variant has no such price in this market.")
		}
		input["variant"] = v.was.ID()
		if v.was == nil {
			input["variant"] = p.id // any: the variant is not there yet
		}
		differing, err := p.check(ctx, bad, catalog.MarketPrices, x.path, x.was, input, "variant")
		if err != nil {
			return err
		}
		x.take(differing)
		v.prices = append(v.prices, x)
	}
	v.gone = slices.DeleteFunc(slices.Clone(there), func(r collection.Record) bool { return markets[r.Text("market")] })
	return nil
}

// takeMarket replaces the market of a price by its id, and sets its currency; nil: there is no such market.
func (p *plan) takeMarket(x *part, bad *problems) collection.Record {
	named, _ := x.input["market"].(string)
	at := slices.IndexFunc(p.markets, func(m collection.Record) bool { return m.ID() == named || m.Text("code") == named })
	if named == "" || at < 0 {
		bad.add(x.path+"market", "There is no such market.")
		return nil
	}
	market := p.markets[at]
	currency := market.Text("currency")
	if given := x.input["currency"]; given != nil && given != currency {
		bad.add(x.path+"currency", "The market's currency is "+currency+".")
	}
	x.input["market"], x.input["currency"] = market.ID(), currency
	return market
}

// writePrices writes the prices of a variant that is there by now.
func (p *plan) writePrices(ctx context.Context, v *part) error {
	for _, r := range v.gone {
		p.changed = true
		if err := p.records.Delete(ctx, p.tx, p.by, catalog.MarketPrices, r.ID()); err != nil {
			return located(v.path, err)
		}
	}
	for _, x := range v.prices {
		switch {
		case x.was == nil:
			p.changed, x.input["variant"] = true, v.was.ID()
			if _, err := p.records.Create(ctx, p.tx, p.by, catalog.MarketPrices, x.input); err != nil {
				return located(x.path, err)
			}
		case x.differs:
			if err := p.update(ctx, catalog.MarketPrices, x, x.input); err != nil {
				return err
			}
		}
	}
	return nil
}
