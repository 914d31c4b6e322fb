// Package repricing changes many prices by a percentage: those of products and variants, or their fixed prices in a market.
// What it would do is shown first, and what was shown can be done, and nothing else. Decision 69.
package repricing

import (
	"context"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/bulk"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/ports"
)

// MaxPrices is how many prices one request changes at most.
const MaxPrices = 1000

// Service changes prices. Rules catalog-31, catalog-32.
type Service struct {
	Store       ports.Store
	Records     *records.Service
	Bulk        *bulk.Service
	Idempotency *idempotency.Runner
	Now         func() time.Time
}

// Request is which prices to change, and how.
type Request struct {
	Where         collection.JSONValue // filter on products, as lists take it; nil: Products
	Products      []string             // their ids
	Market        string               // id or code: the fixed prices there; "": the prices of products and variants
	BasisPoints   int64
	RoundTo       collection.JSONNumber // in major units; "": the currency's smallest unit
	Below         collection.JSONNumber // in major units; "": nothing
	Mode          pricing.RoundingMode
	Preview       bool
	Expected      []Expected // what a preview showed: only these are changed
	LimitExpected bool       // whether Expected was given
}

// Expected is a price at the revision that a preview showed.
type Expected struct {
	ID       string
	Revision int64
}

// Adjust changes the prices, or answers what it would do: {preview, currency, updated, unchanged, refused, prices}. Errors:
// fault.ErrValidation, catalog.ErrMarketNotFound, collection.ErrQuery, those of records.Service.CheckAccess and of idempotency.
func (s *Service) Adjust(ctx context.Context, c idempotency.Call, r Request) (idempotency.Response, error) {
	for _, schema := range []*collection.Schema{catalog.Products, catalog.Variants, catalog.MarketPrices} {
		if err := s.Records.CheckAccess(c.Principal, schema, collection.Read, collection.Update); err != nil {
			return idempotency.Response{}, err
		}
	}
	if (r.Where == nil) == (len(r.Products) == 0) {
		return idempotency.Response{}, fault.Invalidf("where", "Name the products either by where or by products.")
	}
	if r.Preview {
		prices, currency, err := s.plan(ctx, c, r)
		if err != nil {
			return idempotency.Response{}, err
		}
		return idempotency.Response{Result: ports.ReceiptOK, Body: answer(c, currency, prices, true), RequestID: c.RequestID}, nil
	}
	work := func(ctx context.Context, _ *idempotency.Claim) (idempotency.Receipt, error) {
		prices, currency, err := s.do(ctx, c, r)
		now := s.Now()
		return c.Receipt(ports.ReceiptOK, answer(c, currency, prices, false), nil, now, now.Add(idempotency.Retention)), err
	}
	if c.Key == "" {
		done, _, err := s.Idempotency.RunOptional(ctx, c, work)
		return done, err
	}
	done, _, err := s.Idempotency.RunClaimed(ctx, c, work)
	return done, err
}

// plan finds the prices, and what they become.
func (s *Service) plan(ctx context.Context, c idempotency.Call, r Request) (prices []price, currency money.Currency, err error) {
	currency = c.Principal.Tenant.Currency
	var market *catalog.Market
	if r.Market != "" {
		if market, err = s.market(ctx, c, r.Market); err != nil {
			return nil, "", err
		}
		currency = market.Currency
	}
	how, err := adjustment(r, currency)
	if err != nil {
		return nil, "", err
	}
	if prices, err = s.find(ctx, c.Principal, r, market); err != nil {
		return nil, "", err
	}
	for i := range prices {
		if prices[i].to, err = how.Apply(prices[i].from); err != nil {
			prices[i].refusal = fault.From(err)
		}
	}
	if r.LimitExpected {
		if prices, err = expected(prices, r.Expected); err != nil {
			return nil, "", err
		}
	}
	for i := range prices { // once all refusals are known
		if refusal := prices[i].refusal; refusal != nil {
			prices[i].refusal = c.Language.Refusal(refusal)
		}
	}
	return prices, currency, nil
}

// adjustment reads the amounts of r in the currency of the prices. Errors: fault.ErrValidation.
func adjustment(r Request, currency money.Currency) (pricing.Adjustment, error) {
	a := pricing.Adjustment{BasisPoints: r.BasisPoints, Unit: 1, Mode: r.Mode}
	var bad []fault.Field
	for _, amount := range []struct {
		name string
		text collection.JSONNumber
		to   *int64
	}{{"roundTo", r.RoundTo, &a.Unit}, {"below", r.Below, &a.Below}} {
		if amount.text == "" {
			continue
		}
		m, err := money.Parse(string(amount.text), currency)
		if err != nil {
			bad = append(bad, fault.Field{Field: amount.name, Message: fault.From(err).Message})
			continue
		}
		*amount.to = m.Minor
	}
	if len(bad) > 0 {
		return a, fault.ErrValidation.WithFields(bad...)
	}
	return a, a.Check()
}

// market is the active market with this id or code. Errors: catalog.ErrMarketNotFound.
func (s *Service) market(ctx context.Context, c idempotency.Call, ref string) (*catalog.Market, error) {
	found, err := ports.FindAll(ctx, s.Store.Read(ports.ForPrincipal(c.Principal)), byID(catalog.Markets, nil))
	if err != nil {
		return nil, err
	}
	m, err := catalog.PickMarket(found, strings.TrimSpace(ref))
	return &m, err
}

// answer is the body of an answer with these prices.
func answer(c idempotency.Call, currency money.Currency, prices []price, preview bool) *reply.Body {
	counts := map[bulk.Status]int64{}
	rows := make(reply.List, len(prices))
	for i := range prices {
		counts[prices[i].status()]++
		rows[i] = prices[i].object()
	}
	return c.Body(
		reply.Member{Name: "preview", Value: preview}, reply.Member{Name: "currency", Value: string(currency)},
		reply.Member{Name: "updated", Value: counts[bulk.Updated]}, reply.Member{Name: "unchanged", Value: counts[bulk.Unchanged]},
		reply.Member{Name: "refused", Value: counts[bulk.Refused]}, reply.Member{Name: "prices", Value: rows},
	)
}
