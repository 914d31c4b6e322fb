package operation

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/browsing"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
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
		{Name: "source", Kind: collection.Select, Options: []string{string(catalog.Fixed), string(catalog.Computed)}, Required: true, Doc: "Whether somebody fixed it, or it was computed from the base price."},
	}}
)

// embedded are relations of a record that stand in a storefront's product as records, those that are gone left out.
func embedded(s *collection.Schema, names ...string) []collection.Field {
	out := make([]collection.Field, len(names))
	for i, name := range names {
		out[i], _ = s.Field(name)
		out[i].Required = out[i].Kind.Many()
	}
	return out
}

// storefrontFields is what a product of the storefront has besides its record; with its availability or without.
func storefrontFields(available ...collection.Field) []collection.Field {
	return slices.Concat([]collection.Field{
		{Name: "handle", Kind: collection.Text, Required: true, Doc: "The slug under its storefront name."},
		{Name: "featuredImage", Kind: collection.Relation, To: "media", Doc: "The first image."},
	}, embedded(catalog.Products, "brand", "category", "categories", "tags", "images", "videos", "options"), available, []collection.Field{
		priceRange("priceRange", "Over all variants."),
		priceRange("compareAtPriceRange", "Over the variants that were reduced."),
	})
}

// variantFields is the variants of a product of the storefront; with their availability or without.
func variantFields(available ...collection.Field) collection.Field {
	return collection.Field{Name: "variants", Kind: collection.RelationMany, To: "product-variants", Required: true, Doc: "The variants, by position.", Fields: slices.Concat(
		[]collection.Field{resolvedPrice}, embedded(catalog.Variants, "images"), available, []collection.Field{
			{Name: "selectedOptions", Kind: collection.Array, Required: true, Doc: "Which option values make the variant.", Fields: []collection.Field{
				{Name: "name", Kind: collection.Text, Required: true, Doc: "The option."},
				{Name: "value", Kind: collection.Text, Required: true, Doc: "The value."},
			}},
		})}
}

var (
	reservedMember = collection.Field{Name: "reserved", Kind: collection.Integer, Read: collection.Staff, Sparse: true, Doc: "Units promised to checkouts."}
	listedFields   = append(storefrontFields(availableMember, forSaleMember), reservedMember, spareMember)
	detailFields   = append(slices.Clip(listedFields), variantFields(availableMember, forSaleMember, spareMember))
	catalogFields  = append(storefrontFields(), variantFields())
)

var pricedIn = collection.Field{Name: "market", Kind: collection.Text, Doc: "Id or code of the market; left out: prices in the shop's currency."}

// Catalog is the storefront reads of products. Contract 4.
func Catalog(b *browsing.Browsing) []Operation {
	return []Operation{
		detail(b, browsing.Wanted{}, Operation{
			Name: "products.detail", GraphQL: "productDetail", Path: "/products/detail", Summary: "Show a product as a storefront needs it",
			Doc: "With variants, prices in a market, options, images and availability. Name it by slug or by id. What cannot be shown is 404 with a reason: missing, unpublished or feature_disabled.",
		}, detailFields),
		detail(b, browsing.Wanted{Timeless: true}, Operation{
			Name: "products.detailCatalog", GraphQL: "productDetailCatalog", Path: "/products/detail-catalog", Summary: "Show a product without its availability",
			Doc: "As the detail, without anything that depends on stock, so that it stays the same while units are sold: made to be cached. The shop's server gets the same as a visitor.",
		}, catalogFields),
		listing(b), listingGroups(b), stockCheck(b),
	}
}

// detail completes o, which shows one product.
func detail(b *browsing.Browsing, how browsing.Wanted, o Operation, fields []collection.Field) Operation {
	o.Method, o.At, o.Cached = get, Both, true
	o.Input = []collection.Field{
		{Name: "slug", Kind: collection.Text, Doc: "The product's slug."},
		{Name: "id", Kind: collection.Text, Doc: "The product's id."},
		pricedIn,
	}
	o.Output = []collection.Field{
		{Name: "found", Kind: collection.Boolean, Required: true, Doc: "Whether there is a product to show."},
		{Name: "product", Kind: collection.Relation, To: "products", Required: true, Sparse: true, Fields: fields, Doc: "The product."},
		{Name: "reason", Kind: collection.Select, Options: browsing.Reasons, Required: true, Sparse: true, Doc: "Why there is none."},
	}
	o.Results = []ports.Result{ports.OK, Absent}
	o.Reasons = []*fault.Error{catalog.ErrMarketNotFound, content.ErrTooMuch}
	o.Run = func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
		wanted := how
		wanted.Slug, wanted.ID, wanted.Market, wanted.Quantities = in.Text("slug"), in.Text("id"), in.Text("market"), call.Server
		if err := in.Done(); err != nil {
			return once.Answer{}, err
		}
		found, body, err := b.Detail(ctx, call.Principal, wanted)
		if err != nil || found {
			return once.Answer{Result: ports.OK, Body: body}, err
		}
		return once.Answer{Result: Absent, Body: body}, nil
	}
	return o
}

// listReasons is what any list may be refused with.
var listReasons = []*fault.Error{tenant.ErrFeatureDisabled, catalog.ErrMarketNotFound, content.ErrTooMuch}

func listing(b *browsing.Browsing) Operation {
	return Operation{
		Name: "products.listing", GraphQL: "productListing", Summary: "List the published products as a storefront needs them",
		Doc: "Each with its options, images, availability and the range of its prices in a market; variants are on the product's own page. " +
			"With a market, nothing can be filtered or sorted by price.",
		Method: get, Path: "/products/listing", At: Both, Cached: true,
		Input:   append([]collection.Field{pricedIn}, listInput(catalog.Products)...),
		Output:  listOf(collection.Field{To: "products", Fields: listedFields, Doc: "The products of the page."}),
		Reasons: append([]*fault.Error{catalog.ErrMarketFilter, collection.ErrQuery, ports.ErrSlow}, listReasons...),
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			q := browsing.Listed{Market: in.Text("market"), Where: in.Condition("where"), Sort: in.Text("sort"), Quantities: call.Server}
			q.Page, q.Limit = in.Count("page", 1), in.Count("limit", collection.DefaultLimit)
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			body, err := b.Listing(ctx, call.Principal, q)
			return once.Answer{Result: ports.OK, Body: body}, err
		},
	}
}

// listOf is the envelope of a list. Spec 2.2.
func listOf(docs collection.Field) []collection.Field {
	docs.Name, docs.Kind, docs.Required = "docs", collection.RelationMany, true
	return []collection.Field{
		docs,
		{Name: "totalDocs", Kind: collection.Integer, Required: true, Doc: "How many there are on all pages."},
		{Name: "limit", Kind: collection.Integer, Required: true, Doc: "How many a page holds."},
		{Name: "totalPages", Kind: collection.Integer, Required: true, Doc: "How many pages there are, at least one."},
		{Name: "page", Kind: collection.Integer, Required: true, Doc: "The number of this page, from 1."},
		{Name: "pagingCounter", Kind: collection.Integer, Required: true, Doc: "The number of the first record of this page, from 1."},
		{Name: "hasPrevPage", Kind: collection.Boolean, Required: true, Doc: "Whether there is a page before."},
		{Name: "hasNextPage", Kind: collection.Boolean, Required: true, Doc: "Whether there is a page after."},
		{Name: "prevPage", Kind: collection.Integer, Doc: "The number of the page before; null when there is none."},
		{Name: "nextPage", Kind: collection.Integer, Doc: "The number of the page after; null when there is none."},
	}
}

func listingGroups(b *browsing.Browsing) Operation {
	return Operation{
		Name: "products.listingGroups", GraphQL: "productListingGroups", Summary: "Group the variants of products by their options",
		Doc: "For the swatches of a listing: each value of each option with the variants that have it, what they cost in a market, and whether one of them can be bought. " +
			"Products that are not published are left out, and so are values without variants. It reads only.",
		Method: "POST", Path: "/products/listing-groups", At: Both,
		Input: []collection.Field{
			{Name: "productIds", Kind: collection.Texts, Required: true, Doc: "The products, at most 500."},
			pricedIn,
		},
		Output: []collection.Field{
			{Name: "groups", Kind: collection.Array, Required: true, Doc: "One for each option, products in the order asked for.", Fields: []collection.Field{
				{Name: "productId", Kind: collection.Text, Required: true, Doc: "The product."},
				{Name: "optionName", Kind: collection.Text, Required: true, Doc: "The option."},
				{Name: "items", Kind: collection.Array, Required: true, Doc: "Its values, in order.", Fields: []collection.Field{
					{Name: "optionValueId", Kind: collection.Text, Required: true, Doc: "The value."},
					{Name: "label", Kind: collection.Text, Required: true, Doc: "What shoppers see."},
					{Name: "image", Kind: collection.Relation, To: "media", Doc: "Of the first variant with one of its own, else the product's first."},
					{Name: "variantIds", Kind: collection.Texts, Required: true, Doc: "The variants that have the value, by position."},
					priceRange("priceRange", "Over these variants."),
					{Name: "available", Kind: collection.Boolean, Required: true, Doc: "Whether at least one unit of one of them can be bought."},
				}},
			}},
		},
		Reasons: listReasons,
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			products, market := in.Texts("productIds"), in.Text("market")
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			body, err := b.ListingGroups(ctx, call.Principal, products, market)
			return once.Answer{Result: ports.OK, Body: body}, err
		},
	}
}

func stockCheck(b *browsing.Browsing) Operation {
	return Operation{
		Name: "products.stockCheck", GraphQL: "productStockCheck", Summary: "Ask whether variants are in stock",
		Doc:    "As of this moment; nothing is held. What is wanted of one variant adds up, and each is answered once. It reads only.",
		Method: "POST", Path: "/products/stock-check", At: Both,
		Input: []collection.Field{
			{Name: "items", Kind: collection.Array, Required: true, Doc: "What is wanted, at most 200 items.", Fields: []collection.Field{
				{Name: "variantId", Kind: collection.Text, Required: true, Doc: "The variant."},
				{Name: "quantity", Kind: collection.Integer, Required: true, Doc: "How many units, from 1."},
			}},
		},
		Output: []collection.Field{
			{Name: "items", Kind: collection.Array, Required: true, Doc: "One for each variant, in the order they were named.", Fields: []collection.Field{
				{Name: "variantId", Kind: collection.Text, Required: true, Doc: "The variant."},
				{Name: "requested", Kind: collection.Integer, Required: true, Doc: "All that is wanted of it."},
				{Name: "available", Kind: collection.Boolean, Required: true, Doc: "Whether that can be bought now."},
				{Name: "reason", Kind: collection.Select, Options: fault.Reasons(catalog.ErrVariantUnavailable, inventory.ErrOutOfStock), Required: true, Sparse: true, Doc: "Why not."},
				spareMember,
			}},
			{Name: "allAvailable", Kind: collection.Boolean, Required: true, Doc: "Whether everything can be bought."},
			{Name: "checkedAt", Kind: collection.Date, Required: true, Doc: "When this was true."},
		},
		Reasons: []*fault.Error{tenant.ErrFeatureDisabled},
		Run: func(ctx context.Context, call once.Call, in *Input) (once.Answer, error) {
			var demands []inventory.Demand
			in.Objects("items", func(in *Input) {
				demands = append(demands, inventory.Demand{Variant: in.Text("variantId"), Quantity: in.Positive("quantity")})
			})
			if err := in.Done(); err != nil {
				return once.Answer{}, err
			}
			body, err := b.StockCheck(ctx, call.Principal, demands, call.Server)
			return once.Answer{Result: ports.OK, Body: body}, err
		},
	}
}
