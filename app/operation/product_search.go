package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/storefront"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// searchDoc describes how shoppers find products. Package productsearch has the details.
const searchDoc = "Finds published products that have all words of q, in any language of the shop: in their names, the names of their brand, " +
	"categories, tags and options, or their descriptions. The last word may be the beginning of one. Korean is found without regard to spaces, by " +
	"initial consonants (ㅇㅇㅍ), and when it was typed on the other layout of the keyboard; a word that stands nowhere is taken for what is " +
	"spelled almost like it, and corrections tells so. Best match first: the name has the words whole; has them in part; a brand, category, tag or " +
	"option is called so; the description has them. Among these what is in stock, then what is newer. Without q all products are found. " +
	"Facets tell how many of the products each value has, as if it were not asked for itself: so another one can be chosen. Changes are found " +
	"after about a second."

// facetFields are the members of a facet's groups.
func facetFields(more ...collection.Field) []collection.Field {
	return append([]collection.Field{
		{Name: "id", Kind: collection.Text, Required: true, Doc: "What the filter takes."},
		{Name: "name", Kind: collection.Text, Required: true, Doc: "Its name."},
		{Name: "count", Kind: collection.Integer, Required: true, Doc: "How many products have it."},
	}, more...)
}

var searchFacets = collection.Field{
	Name: "facets", Kind: collection.Group, OmitMissing: true, Doc: "By what the products can be narrowed, the values with the most products first, 100 at most.",
	Fields: []collection.Field{
		{Name: "brands", Kind: collection.Array, Required: true, Doc: "The brands.", Fields: facetFields()},
		{
			Name: "categories", Kind: collection.Array, Required: true, Doc: "The categories, each with the products of those below it.",
			Fields: facetFields(collection.Field{Name: "parent", Kind: collection.Text, OmitMissing: true, Doc: "Id of the category above it."}),
		},
		{Name: "tags", Kind: collection.Array, Required: true, Doc: "The tags.", Fields: facetFields()},
		{
			Name: "options", Kind: collection.Array, Required: true, Doc: "The options, such as size.", Fields: []collection.Field{
				{Name: "name", Kind: collection.Text, Required: true, Doc: "What the filter takes."},
				{Name: "label", Kind: collection.Text, Required: true, Doc: "What shoppers see."},
				{Name: "values", Kind: collection.Array, Required: true, Doc: "Its values.", Fields: []collection.Field{
					{Name: "value", Kind: collection.Text, Required: true, Doc: "What the filter takes."},
					{Name: "label", Kind: collection.Text, Required: true, Doc: "What shoppers see."},
					{Name: "count", Kind: collection.Integer, Required: true, Doc: "How many products have it."},
				}},
			},
		},
		priceRange("priceRange", "The lowest and the highest of the products' lowest prices."),
		{Name: "inStock", Kind: collection.Integer, Required: true, Doc: "How many products have units on hand."},
	},
}

var searchInput = []collection.Field{
	{Name: "q", Kind: collection.Text, MaxLength: productsearch.MaxQuery, Doc: "What to find."},
	pricingMarketInput,
	{Name: "brands", Kind: collection.Texts, Doc: "Ids of brands: products of any of them."},
	{Name: "categories", Kind: collection.Texts, Doc: "Ids of categories: products in any of them, or in one below."},
	{Name: "tags", Kind: collection.Texts, Doc: "Ids of tags: products with any of them."},
	{Name: "options", Kind: collection.Texts, Doc: "Values of options, as Color:Red: of one option any, of several each."},
	{Name: "minPrice", Kind: collection.Money, Doc: "Lowest price, in the currency of the market."},
	{Name: "maxPrice", Kind: collection.Money, Doc: "Highest price, in the currency of the market."},
	{Name: "inStock", Kind: collection.Boolean, Doc: "True: only products of which units are on hand."},
	{
		Name: "sort", Kind: collection.Select, Options: productsearch.Sorts,
		Doc: "Order of the products: best match first, newest first, or by price up or down.",
	},
	{Name: "page", Kind: collection.Integer, Doc: "Page number, from 1."},
	{Name: "limit", Kind: collection.Integer, Doc: "Products per page: 0 to 100, default 10."},
	{Name: "omitFacets", Kind: collection.Boolean, Doc: "True: the facets are left out."},
}

// searchOperation finds products for shoppers. Rules search-10 to search-16.
func searchOperation(b *storefront.Service) Operation {
	return Operation{
		Name: "products.search", GraphQL: "productSearch", Summary: "Search the published products for a storefront", Doc: searchDoc,
		Method: get, Path: "/products/search", Surfaces: Both, Translated: true,
		Input: searchInput,
		Output: append(listOutput(collection.Field{RelationTo: "products", Fields: listedFields, Doc: "The products of the page."}),
			collection.Field{
				Name: "corrections", Kind: collection.Array, Required: true, Doc: "The words that stand nowhere, and what they were taken for.",
				Fields: []collection.Field{
					{Name: "typed", Kind: collection.Text, Required: true, Doc: "The word as it was sent."},
					{Name: "taken", Kind: collection.Text, Required: true, Doc: "What was searched for instead."},
				},
			}, searchFacets),
		Reasons: []*fault.Error{tenant.ErrFeatureDisabled, catalog.ErrMarketNotFound, records.ErrAnswerTooLarge, productsearch.ErrQuery},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			q := storefront.SearchQuery{
				Text: in.TextOrNumber("q"), Market: in.Text("market"), Brands: in.Texts("brands"), Categories: in.Texts("categories"),
				Tags: in.Texts("tags"), Options: in.Texts("options"), MinPrice: in.Amount("minPrice"), MaxPrice: in.Amount("maxPrice"),
				InStock: in.Boolean("inStock"), Sort: productsearch.Sort(in.Choice("sort")), Page: in.Int("page", 1),
				Limit: in.Int("limit", collection.DefaultLimit), OmitFacets: in.Boolean("omitFacets"), ShowQuantities: call.Server,
			}
			if q.Sort == "" {
				q.Sort = productsearch.Relevance
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			body, err := b.Search(ctx, call.Principal, q)
			return idempotency.Response{Result: ports.ReceiptOK, Body: body}, err
		},
	}
}
