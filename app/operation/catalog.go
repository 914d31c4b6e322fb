package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/browsing"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// priceRange is the least and the most of several amounts; null when there are none.
func priceRange(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Group, Doc: doc, Fields: []collection.Field{
		{Name: "min", Kind: collection.Money, Currency: "currency", Required: true, Doc: "The least."},
		{Name: "max", Kind: collection.Money, Currency: "currency", Required: true, Doc: "The most."},
		{Name: "currency", Kind: collection.Text, Required: true, Doc: "ISO 4217 code."},
	}}
}

var (
	availableMember = collection.Field{Name: "available", Kind: collection.Boolean, Required: true, Doc: "Whether at least one unit can be bought."}
	forSaleMember   = collection.Field{Name: "availableForSale", Kind: collection.Boolean, Required: true, Doc: "The same under its storefront name."}
	spareMember     = collection.Field{Name: "availableQuantity", Kind: collection.Integer, Read: collection.Staff, Sparse: true, Doc: "Units that can be bought; null when they are not counted."}
	resolvedPrice   = collection.Field{Name: "resolvedPrice", Kind: collection.Group, Doc: "The price in the market; null when it has none there.", Fields: []collection.Field{
		{Name: "amount", Kind: collection.Money, Currency: "currency", Required: true, Doc: "What one unit costs."},
		{Name: "compareAtPrice", Kind: collection.Money, Currency: "currency", Doc: "Before a reduction."},
		{Name: "currency", Kind: collection.Text, Required: true, Doc: "ISO 4217 code."},
		{Name: "marketId", Kind: collection.Text, Doc: "The market; null without one."},
		{Name: "source", Kind: collection.Text, Required: true, Doc: "fixed, or computed from the base price."},
	}}
)

// detailFields is what a product of the storefront has besides its record.
var detailFields = []collection.Field{
	{Name: "handle", Kind: collection.Text, Required: true, Doc: "The slug under its storefront name."},
	{Name: "featuredImage", Kind: collection.Relation, To: "media", Doc: "The first image."},
	availableMember, forSaleMember,
	priceRange("priceRange", "Over all variants."),
	priceRange("compareAtPriceRange", "Over the variants that were reduced."),
	{Name: "reserved", Kind: collection.Integer, Read: collection.Staff, Sparse: true, Doc: "Units promised to checkouts."},
	spareMember,
	{Name: "variants", Kind: collection.RelationMany, To: "product-variants", Required: true, Doc: "The variants, by position.", Fields: []collection.Field{
		resolvedPrice, availableMember, forSaleMember, spareMember,
		{Name: "selectedOptions", Kind: collection.Array, Required: true, Doc: "Which option values make the variant.", Fields: []collection.Field{
			{Name: "name", Kind: collection.Text, Required: true, Doc: "The option."},
			{Name: "value", Kind: collection.Text, Required: true, Doc: "The value."},
		}},
	}},
}

// Catalog is the storefront reads of products. Contract 4.
func Catalog(b *browsing.Browsing) []Operation {
	return []Operation{{
		Name: "products.detail", GraphQL: "productDetail", Summary: "Show a product as a storefront needs it",
		Doc:    "With variants, prices in a market, options, images and availability. Name it by slug or by id. What cannot be shown is 404 with a reason: missing, unpublished or feature_disabled.",
		Method: "GET", Path: "/products/detail", At: Both, Cached: true,
		Input: []collection.Field{
			{Name: "slug", Kind: collection.Text, Doc: "The product's slug."},
			{Name: "id", Kind: collection.Text, Doc: "The product's id."},
			{Name: "market", Kind: collection.Text, Doc: "Id or code of the market; left out: prices in the shop's currency."},
		},
		Output: []collection.Field{
			{Name: "found", Kind: collection.Boolean, Required: true, Doc: "Whether there is a product to show."},
			{Name: "product", Kind: collection.Relation, To: "products", Required: true, Sparse: true, Fields: detailFields, Doc: "The product."},
			{Name: "reason", Kind: collection.Text, Required: true, Sparse: true, Doc: "Why there is none."},
		},
		Results: []ports.Result{ports.OK, Absent},
		Reasons: []*fault.Error{catalog.ErrMarketNotFound},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			wanted := browsing.Wanted{Slug: in.Text("slug"), ID: in.Text("id"), Market: in.Text("market"), Quantities: call.Server}
			found, body, err := b.Detail(ctx, call.Principal, wanted)
			if err != nil || found {
				return once.Answer{Result: ports.OK, Body: body}, err
			}
			return once.Answer{Result: Absent, Body: body}, nil
		},
	}}
}
