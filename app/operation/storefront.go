package operation

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/storefront"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// priceRange is the lowest and the highest of several amounts; null when there are none.
func priceRange(name, doc string) collection.Field {
	return collection.Field{Name: name, Kind: collection.Group, Doc: doc, Fields: []collection.Field{
		{Name: "min", Kind: collection.Money, Currency: "currency", Required: true, Doc: "The lowest amount."},
		{Name: "max", Kind: collection.Money, Currency: "currency", Required: true, Doc: "The highest amount."},
		{Name: "currency", Kind: collection.Text, Required: true, Doc: "ISO 4217 code."},
	}}
}

var (
	availableMember = collection.Field{
		Name: "available", Kind: collection.Boolean, Required: true, Doc: "Whether at least one unit can be bought.",
	}
	forSaleMember = collection.Field{
		Name: "availableForSale", Kind: collection.Boolean, Required: true, Doc: "The same as available.",
	}
	availableQuantityMember = collection.Field{
		Name: "availableQuantity", Kind: collection.Integer, VisibleTo: collection.Staff, OmitMissing: true,
		Doc: "Units that can be bought; null when they are not counted.",
	}
	resolvedPrice = collection.Field{
		Name: "resolvedPrice", Kind: collection.Group, Doc: "The price in the market; null when it has none there.",
		Fields: []collection.Field{
			{Name: "amount", Kind: collection.Money, Currency: "currency", Required: true, Doc: "Price of one unit."},
			{Name: "compareAtPrice", Kind: collection.Money, Currency: "currency", Doc: "Price before a reduction."},
			{Name: "currency", Kind: collection.Text, Required: true, Doc: "ISO 4217 code."},
			{Name: "marketId", Kind: collection.Text, Doc: "The market; null without one."},
			{
				Name: "source", Kind: collection.Select, Options: []string{string(catalog.PriceFixed), string(catalog.PriceComputed)},
				Required: true, Doc: "Whether the price is fixed, or computed from the base price.",
			},
		},
	}
)

// embeddedRelations are the relations that a storefront's product embeds as records; deleted records are left out.
func embeddedRelations(s *collection.Schema, names ...string) []collection.Field {
	out := make([]collection.Field, len(names))
	for i, name := range names {
		out[i], _ = s.Field(name)
		out[i].Required = out[i].Kind.Many()
	}
	return out
}

// storefrontFields are the members of a storefront's product besides its record; with or without
// availability.
func storefrontFields(available ...collection.Field) []collection.Field {
	return slices.Concat([]collection.Field{
		{Name: "handle", Kind: collection.Text, Required: true, Doc: "The same as slug."},
		{Name: "featuredImage", Kind: collection.Relation, RelationTo: "media", Doc: "The first image."},
	}, embeddedRelations(catalog.Products, "brand", "category", "categories", "tags", "images", "videos", "options"), available,
		[]collection.Field{
			priceRange("priceRange", "Prices of all variants."),
			priceRange("compareAtPriceRange", "Prices before reduction, of the reduced variants."),
		})
}

// variantFields are the members of a storefront's variants; with or without availability.
func variantFields(available ...collection.Field) collection.Field {
	return collection.Field{
		Name: "variants", Kind: collection.RelationMany, RelationTo: "product-variants", Required: true, Doc: "The variants, by position.",
		Fields: slices.Concat(
			[]collection.Field{resolvedPrice}, embeddedRelations(catalog.Variants, "images"), available, []collection.Field{
				{
					Name: "selectedOptions", Kind: collection.Array, Required: true, Doc: "Option values of the variant.",
					Fields: []collection.Field{
						{Name: "name", Kind: collection.Text, Required: true, Doc: "The option."},
						{Name: "value", Kind: collection.Text, Required: true, Doc: "The value."},
					},
				},
			}),
	}
}

var (
	reservedMember = collection.Field{
		Name: "reserved", Kind: collection.Integer, VisibleTo: collection.Staff, OmitMissing: true, Doc: "Units reserved by checkouts.",
	}
	listedFields  = append(storefrontFields(availableMember, forSaleMember), reservedMember, availableQuantityMember)
	detailFields  = append(slices.Clip(listedFields), variantFields(availableMember, forSaleMember, availableQuantityMember))
	catalogFields = append(storefrontFields(), variantFields())
)

var pricingMarketInput = collection.Field{
	Name: "market", Kind: collection.Text, Doc: "Id or code of the market; without one, prices are in the shop's currency.",
}

// Catalog are the storefront's reads of products. Rules: features/catalog/RULES.md.
func Catalog(b *storefront.Service) []Operation {
	return []Operation{
		completeProductDetail(b, storefront.ProductQuery{}, Operation{
			Name: "products.detail", GraphQL: "productDetail", Path: "/products/detail", Summary: "Show a product for a storefront",
			Doc: "Includes variants, prices in a market, options, images and availability. Identify the product by slug or id. A product that cannot be shown is a 404 with a reason: missing, unpublished or feature_disabled.",
		}, detailFields),
		completeProductDetail(b, storefront.ProductQuery{OmitStock: true}, Operation{
			Name: "products.detailCatalog", GraphQL: "productDetailCatalog", Path: "/products/detail-catalog",
			Summary: "Show a product without its availability",
			Doc:     "The product detail without anything that depends on stock: it does not change when units are sold, so it can be cached. The shop's server gets the same response as a storefront.",
		}, catalogFields),
		listingOperation(b), searchOperation(b), listingGroups(b), stockCheck(b),
	}
}

// completeProductDetail completes o, which shows one product.
func completeProductDetail(b *storefront.Service, how storefront.ProductQuery, o Operation, fields []collection.Field) Operation {
	o.Method, o.Surfaces, o.Cacheable, o.Translated = get, Both, true, true
	o.Input = []collection.Field{
		{Name: "slug", Kind: collection.Text, Doc: "The product's slug."},
		{Name: "id", Kind: collection.Text, Doc: "The product's id."},
		pricingMarketInput,
	}
	o.Output = []collection.Field{
		{Name: "found", Kind: collection.Boolean, Required: true, Doc: "Whether there is a product to show."},
		{
			Name: "product", Kind: collection.Relation, RelationTo: "products", Required: true, OmitMissing: true, Fields: fields,
			Doc: "The product.",
		},
		{
			Name: "reason", Kind: collection.Select, Options: storefront.NotFoundReasons, Required: true, OmitMissing: true,
			Doc: "Why there is none.",
		},
	}
	o.Results = []ports.ReceiptResult{ports.ReceiptOK, NotFound}
	o.Reasons = []*fault.Error{catalog.ErrMarketNotFound, records.ErrAnswerTooLarge}
	o.Run = func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
		wanted := how
		wanted.Slug, wanted.ID, wanted.Market, wanted.ShowQuantities = in.Text("slug"), in.Text("id"), in.Text("market"), call.Server
		if err := in.Done(); err != nil {
			return idempotency.Response{}, err
		}
		found, body, err := b.ProductDetail(ctx, call.Principal, wanted)
		if err != nil || found {
			return idempotency.Response{Result: ports.ReceiptOK, Body: body}, err
		}
		return idempotency.Response{Result: NotFound, Body: body}, nil
	}
	return o
}

// listReasons are the refusals of any list.
var listReasons = []*fault.Error{tenant.ErrFeatureDisabled, catalog.ErrMarketNotFound, records.ErrAnswerTooLarge}

func listingOperation(b *storefront.Service) Operation {
	return Operation{
		Name: "products.listing", GraphQL: "productListing", Summary: "List the published products for a storefront",
		Doc: "Each with its options, images, availability and price range in a market; only the product detail has variants. " +
			"With a market, products cannot be filtered or sorted by price.",
		Method: get, Path: "/products/listing", Surfaces: Both, Cacheable: true, Translated: true,
		Input:   append([]collection.Field{pricingMarketInput}, listInput(catalog.Products)...),
		Output:  listOutput(collection.Field{RelationTo: "products", Fields: listedFields, Doc: "The products of the page."}),
		Reasons: append([]*fault.Error{catalog.ErrMarketPriceFilter, collection.ErrQuery, ports.ErrQueryTooSlow}, listReasons...),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			q := storefront.ListingQuery{
				Market: in.Text("market"), Where: in.Filter("where"), Sort: in.Text("sort"), ShowQuantities: call.Server,
			}
			q.Page, q.Limit = in.Int("page", 1), in.Int("limit", collection.DefaultLimit)
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			body, err := b.Listing(ctx, call.Principal, q)
			return idempotency.Response{Result: ports.ReceiptOK, Body: body}, err
		},
	}
}

// listOutput is the envelope of a list. Rule collections-2.
func listOutput(docs collection.Field) []collection.Field {
	docs.Name, docs.Kind, docs.Required = "docs", collection.RelationMany, true
	return []collection.Field{
		docs,
		{Name: "totalDocs", Kind: collection.Integer, Required: true, Doc: "Number of records on all pages."},
		{Name: "limit", Kind: collection.Integer, Required: true, Doc: "Records per page."},
		{Name: "totalPages", Kind: collection.Integer, Required: true, Doc: "Number of pages, at least 1."},
		{Name: "page", Kind: collection.Integer, Required: true, Doc: "Number of this page, from 1."},
		{Name: "pagingCounter", Kind: collection.Integer, Required: true, Doc: "Number of the first record of this page, from 1."},
		{Name: "hasPrevPage", Kind: collection.Boolean, Required: true, Doc: "Whether there is a previous page."},
		{Name: "hasNextPage", Kind: collection.Boolean, Required: true, Doc: "Whether there is a next page."},
		{Name: "prevPage", Kind: collection.Integer, Doc: "Number of the previous page; null when there is none."},
		{Name: "nextPage", Kind: collection.Integer, Doc: "Number of the next page; null when there is none."},
	}
}

func listingGroups(b *storefront.Service) Operation {
	return Operation{
		Name: "products.listingGroups", GraphQL: "productListingGroups", Summary: "Group the variants of products by their options",
		Doc: "For the swatches of a product list: each value of each option with its variants, their price range in a market, and whether one of them can be bought. " +
			"Unpublished products and values without variants are left out. Read-only.",
		Method: "POST", Path: "/products/listing-groups", Surfaces: Both, Translated: true,
		Input: []collection.Field{
			{Name: "productIds", Kind: collection.Texts, Required: true, Doc: "The products, at most 500."},
			pricingMarketInput,
		},
		Output: []collection.Field{
			{
				Name: "groups", Kind: collection.Array, Required: true, Doc: "One for each option, products in the requested order.",
				Fields: []collection.Field{
					{Name: "productId", Kind: collection.Text, Required: true, Doc: "The product."},
					{Name: "optionName", Kind: collection.Text, Required: true, Doc: "The option."},
					{Name: "items", Kind: collection.Array, Required: true, Doc: "Its values, in order.", Fields: []collection.Field{
						{Name: "optionValueId", Kind: collection.Text, Required: true, Doc: "The value."},
						{Name: "label", Kind: collection.Text, Required: true, Doc: "Label for shoppers."},
						{
							Name: "image", Kind: collection.Relation, RelationTo: "media",
							Doc: "Image of the first variant that has one, otherwise the product's first image.",
						},
						{Name: "variantIds", Kind: collection.Texts, Required: true, Doc: "The variants that have the value, by position."},
						priceRange("priceRange", "Prices of these variants."),
						{
							Name: "available", Kind: collection.Boolean, Required: true,
							Doc: "Whether at least one unit of one of them can be bought.",
						},
					}},
				},
			},
		},
		Reasons: listReasons,
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			products, market := in.Texts("productIds"), in.Text("market")
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			body, err := b.ListingGroups(ctx, call.Principal, products, market)
			return idempotency.Response{Result: ports.ReceiptOK, Body: body}, err
		},
	}
}

func stockCheck(b *storefront.Service) Operation {
	return Operation{
		Name: "products.stockCheck", GraphQL: "productStockCheck", Summary: "Check the stock of variants",
		Doc:    "A snapshot; nothing is reserved. Quantities of the same variant are added up and reported once. Read-only.",
		Method: "POST", Path: "/products/stock-check", Surfaces: Both,
		Input: []collection.Field{
			{Name: "items", Kind: collection.Array, Required: true, Doc: "The items to check, at most 200.", Fields: []collection.Field{
				{Name: "variantId", Kind: collection.Text, Required: true, Doc: "The variant."},
				{Name: "quantity", Kind: collection.Integer, Required: true, Doc: "How many units, from 1."},
			}},
		},
		Output: []collection.Field{
			{Name: "items", Kind: collection.Array, Required: true, Doc: "One for each variant, in the order of the request.", Fields: []collection.Field{
				{Name: "variantId", Kind: collection.Text, Required: true, Doc: "The variant."},
				{Name: "requested", Kind: collection.Integer, Required: true, Doc: "Total requested quantity."},
				{Name: "available", Kind: collection.Boolean, Required: true, Doc: "Whether this quantity can be bought now."},
				{
					Name: "reason", Kind: collection.Select, Options: fault.Reasons(catalog.ErrVariantUnavailable, inventory.ErrOutOfStock),
					Required: true, OmitMissing: true, Doc: "Why it cannot be bought.",
				},
				availableQuantityMember,
			}},
			{Name: "allAvailable", Kind: collection.Boolean, Required: true, Doc: "Whether everything can be bought."},
			{Name: "checkedAt", Kind: collection.Date, Required: true, Doc: "Time of the check."},
		},
		Reasons: []*fault.Error{tenant.ErrFeatureDisabled},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			var demands []inventory.Demand
			in.Objects("items", func(in *Input) {
				demands = append(demands, inventory.Demand{Variant: in.Text("variantId"), Quantity: in.PositiveInteger("quantity")})
			})
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			body, err := b.CheckStock(ctx, call.Principal, demands, call.Server)
			return idempotency.Response{Result: ports.ReceiptOK, Body: body}, err
		},
	}
}
