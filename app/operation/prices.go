package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/repricing"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Prices are the operations on many prices. Rules catalog-31, catalog-32.
func Prices(s *repricing.Service) []Operation { return []Operation{adjustPrices(s)} }

var adjustInput = []collection.Field{
	{Name: "where", Kind: collection.JSON, RelationTo: catalog.Products.Slug, Doc: "Filter of the products, as lists take it. Either this or products."},
	{Name: "products", Kind: collection.Texts, Doc: "Ids of the products. Either this or where."},
	{Name: "market", Kind: collection.Text, Doc: "Id or code of a market: its fixed prices are changed, and no others."},
	{
		Name: "basisPoints", Kind: collection.Integer, Required: true, Min: collection.Bound(pricing.MinBasisPoints),
		Max: collection.Bound(pricing.MaxBasisPoints), Doc: "Hundredths of a percent: 1000 raises prices by 10 %, -500 lowers them by 5 %.",
	},
	{Name: "roundTo", Kind: collection.Money, Doc: "New prices are multiples of this amount; the currency's smallest unit when missing."},
	{Name: "below", Kind: collection.Money, Doc: "New prices are this amount below such a multiple: 100 below 1,000 makes 900, 1,900, 2,900."},
	{Name: "rounding", Kind: collection.Select, Options: pricing.RoundingModes, Doc: "To which multiple; the nearest when missing, of two the higher."},
	{Name: "preview", Kind: collection.Boolean, Doc: "Answer what it would do, and change nothing."},
	{Name: "expected", Kind: collection.Array, Doc: "What a preview showed. Only these prices are changed.", Fields: []collection.Field{
		{Name: "id", Kind: collection.Text, Required: true, Doc: "Id of the record with the price."},
		{Name: collection.RevisionName, Kind: collection.Integer, Required: true, Min: collection.Bound(1), Doc: "Its revision."},
	}},
}

var adjustOutput = []collection.Field{
	{Name: "preview", Kind: collection.Boolean, Required: true, NonNull: true, Doc: "Whether nothing was changed."},
	{Name: "currency", Kind: collection.Text, Required: true, Doc: "Currency of the prices."},
	{Name: "updated", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Prices that were changed, or would be."},
	{Name: "unchanged", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Prices that stay as they are."},
	{Name: "refused", Kind: collection.Integer, Required: true, NonNull: true, Doc: "Prices that were not changed."},
	{Name: "prices", Kind: collection.Array, Required: true, Fields: repricing.PriceFields, Doc: "Each price: of products before those of their variants."},
}

func adjustPrices(s *repricing.Service) Operation {
	return Operation{
		Name: "products.adjustPrices", GraphQL: "productAdjustPrices", Summary: "Change prices by a percentage",
		Doc: "Changes the prices of products and those that their variants have of their own, or with a market their fixed prices there, by a percentage, and rounds each once. " +
			"With preview it answers what it would do, and changes nothing; send the ids and revisions of what was shown back as expected, to do just that: a price that changed meanwhile is refused, and the others are changed. " +
			"At most 1,000 prices. With an idempotency key, a repeated call goes on where the first one ended, and changes no price twice. For those who may write products, variants and their prices.",
		Mutates: true, Method: "POST", Path: "/products/prices/adjust", Surfaces: Root, Slow: true,
		AllowedKinds: []tenant.Kind{tenant.User, tenant.SecretKey}, KeyPolicy: KeyOptional, Localized: true,
		Input: adjustInput, Output: adjustOutput,
		Reasons: []*fault.Error{catalog.ErrMarketNotFound, collection.ErrQuery, money.ErrTooManyDigits, money.ErrOutOfRange},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			r := readAdjustment(in)
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			return s.Adjust(ctx, call, r)
		},
	}
}

func readAdjustment(in *Input) repricing.Request {
	r := repricing.Request{
		Where: in.Filter("where"), Products: in.Texts("products"), Market: in.Text("market"), RoundTo: in.Amount("roundTo"),
		Below: in.Amount("below"), Mode: pricing.RoundingMode(in.Choice("rounding")), Preview: in.Boolean("preview"),
	}
	if n := in.Integer("basisPoints"); n != nil {
		r.BasisPoints = *n
	}
	r.LimitExpected = in.Objects("expected", func(in *Input) {
		r.Expected = append(r.Expected, repricing.Expected{ID: in.Text("id"), Revision: in.PositiveInteger(collection.RevisionName)})
	})
	return r
}
