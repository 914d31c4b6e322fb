package repricing

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// byID finds the records of s that where matches, by id.
func byID(s *collection.Schema, where collection.Cond) collection.Query {
	return collection.Query{Schema: s, Where: where, Sort: s.SortBy("id")}
}

// find finds the prices of the selected products, each product's before those of its variants. Errors: fault.ErrValidation
// when there are too many, collection.ErrQuery.
func (s *Service) find(ctx context.Context, p tenant.Principal, r Request, market *catalog.Market) ([]price, error) {
	products, err := s.products(ctx, p, r)
	if err != nil || len(products) == 0 {
		return nil, err
	}
	ids := make([]any, len(products))
	for i, product := range products {
		ids[i] = product.ID()
	}
	read := s.Store.Read(ports.ForPrincipal(p))
	variants, err := ports.FindAll(ctx, read, byID(catalog.Variants, catalog.Variants.Where("product", collection.In, ids...)))
	if err != nil {
		return nil, err
	}
	var prices []price
	if market == nil {
		prices = basePrices(products, variants)
	} else if prices, err = marketPrices(ctx, read, variants, market); err != nil {
		return nil, err
	}
	if len(prices) > MaxPrices {
		return nil, fault.Invalidf("where", "The products have %d prices; at most %d can be changed at once. Select fewer products.", len(prices), MaxPrices)
	}
	return prices, nil
}

// products are the selected products, by id. One that is named and does not exist is left out.
func (s *Service) products(ctx context.Context, p tenant.Principal, r Request) (all []collection.Record, err error) {
	where := r.Where
	if where == nil {
		ids := make([]any, len(r.Products))
		for i, id := range r.Products {
			ids[i] = id
		}
		where = map[string]any{"id": map[string]any{"in": ids}}
	}
	for page := 1; ; page++ {
		found, err := s.Records.Find(ctx, p, catalog.Products, records.Query{
			Where: where, Sort: "id", Limit: collection.MaxLimit, Page: page,
		})
		if err != nil {
			return nil, err
		}
		if found.Total > MaxPrices {
			return nil, fault.Invalidf("where", "The filter matches %d products; at most %d prices can be changed at once.", found.Total, MaxPrices)
		}
		if all = append(all, found.Docs...); len(found.Docs) < collection.MaxLimit {
			return all, nil
		}
	}
}

// basePrices are the prices of products, and those of their variants that have their own.
func basePrices(products, variants []collection.Record) (prices []price) {
	of := map[string][]collection.Record{}
	for _, v := range variants {
		of[v.Text("product")] = append(of[v.Text("product")], v)
	}
	for _, product := range products {
		if from, ok := product.Money("price"); ok {
			prices = append(prices, price{
				schema: catalog.Products, record: product, product: product.ID(), label: product.Text("name"), from: from,
			})
		}
		for _, v := range catalog.SortByPosition(of[product.ID()]) {
			if from, ok := v.Money("price"); ok {
				prices = append(prices, ofVariant(catalog.Variants, v, v, from))
			}
		}
	}
	return prices
}

func ofVariant(s *collection.Schema, r, variant collection.Record, from money.Money) price {
	return price{
		schema: s, record: r, product: variant.Text("product"), variant: variant.ID(), label: variant.Text("title"), from: from,
	}
}

// marketPrices are the fixed prices of variants in a market.
func marketPrices(ctx context.Context, read ports.Reader, variants []collection.Record, market *catalog.Market) (prices []price, err error) {
	ids, of := make([]any, len(variants)), map[string]collection.Record{}
	for i, v := range variants {
		ids[i], of[v.ID()] = v.ID(), v
	}
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := ports.FindAll(ctx, read, byID(catalog.MarketPrices, collection.And{
		catalog.MarketPrices.Where("variant", collection.In, ids...), catalog.MarketPrices.Where("market", collection.Equals, market.ID),
	}))
	for _, r := range found {
		if from, ok := r.Money("amount"); ok {
			prices = append(prices, ofVariant(catalog.MarketPrices, r, of[r.Text("variant")], from))
		}
	}
	return prices, err
}

// expected are the prices that a preview showed, at the revisions that it showed: those that changed since are refused, and
// those that it did not show are left alone. Errors: fault.ErrValidation for one that is named twice.
func expected(prices []price, shown []Expected) (all []price, err error) {
	there := map[string]price{}
	for _, p := range prices {
		there[p.record.ID()] = p
	}
	seen := map[string]bool{}
	for _, e := range shown {
		if seen[e.ID] {
			return nil, fault.Invalidf("expected", "The price %s is named twice.", e.ID)
		}
		seen[e.ID] = true
		p, ok := there[e.ID]
		switch {
		case !ok:
			p = price{gone: e.ID, refusal: fault.ErrNotFound.WithMessage("The selected products have no such price any more.")}
		case p.record.Revision() != e.Revision:
			p.refusal = collection.ChangedMeanwhile(p.record.Revision())
		}
		all = append(all, p)
	}
	return all, nil
}
