package repricing

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/bulk"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// do changes the prices. Under a key it stores what each becomes before the first is changed: a repetition that reckoned
// anew, from prices that are changed already, would change them twice.
func (s *Service) do(ctx context.Context, c idempotency.Call, r Request) ([]price, money.Currency, error) {
	prices, currency, err := s.plan(ctx, c, r)
	if err != nil {
		return nil, "", err
	}
	if c.Key != "" {
		if prices, err = s.keepPlan(ctx, c, prices, currency); err != nil {
			return nil, "", err
		}
	}
	for _, schema := range []*collection.Schema{catalog.Products, catalog.Variants, catalog.MarketPrices} {
		if err := s.apply(ctx, c, schema, prices); err != nil {
			return nil, "", err
		}
	}
	return prices, currency, nil
}

// apply changes the prices in records of a collection.
func (s *Service) apply(ctx context.Context, c idempotency.Call, schema *collection.Schema, prices []price) error {
	var at []int
	var patches []bulk.Patch
	for i := range prices {
		p := &prices[i]
		if p.schema != schema || p.status() != bulk.Updated {
			continue
		}
		at = append(at, i)
		patches = append(patches, bulk.Patch{
			ID: p.record.ID(), ExpectedRevision: p.record.Revision(),
			Data: map[string]any{p.member(): collection.JSONNumber(p.to.Major())},
		})
	}
	if len(patches) == 0 {
		return nil
	}
	results, err := s.Bulk.Apply(ctx, c, schema, patches)
	for n := range results {
		prices[at[n]].result = &results[n]
	}
	return err
}

// keepPlan stores what is to be changed under the key of the call, or gives what an earlier request with it stored.
func (s *Service) keepPlan(ctx context.Context, c idempotency.Call, prices []price, currency money.Currency) ([]price, error) {
	c.Operation += "/plan"
	stored, err := s.Store.Read(ports.ForPrincipal(c.Principal)).Receipt(ctx, c.ReceiptKey())
	if err == nil {
		return s.storedPlan(c, stored, currency)
	}
	if !errors.Is(err, ports.ErrNotFound) {
		return nil, err
	}
	now := s.Now()
	receipt := c.Receipt(ports.ReceiptOK, reply.FromText(encodePlan(prices)), nil, now, now.Add(idempotency.Retention))
	err = s.Store.Atomically(ctx, ports.ForPrincipal(c.Principal), func(ctx context.Context, tx ports.Tx) error {
		return tx.Receipts.Save(ctx, receipt.Receipt, 0)
	})
	if errors.Is(err, ports.ErrReceiptExists) {
		err = idempotency.ErrInProgress // another request took over
	}
	return prices, err
}
