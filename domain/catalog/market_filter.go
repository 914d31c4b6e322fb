package catalog

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// ErrMarketPriceFilter says that a list with the prices of a market cannot be filtered or sorted by the price in the
// tenant's currency. Rule catalog-6.
var ErrMarketPriceFilter = fault.NewInvalid("where", "market_filter_not_supported",
	"With a market, products cannot be filtered or sorted by price: that one is in the shop's own currency.")

// priceFields are the price fields of products and variants in the tenant's currency.
var priceFields = []string{"price", "compareAtPrice"}

// UsesPrice reports whether a filter or sort order of products uses a price, by any path and at any depth. It
// looks at the raw input, so it also finds paths that do not exist.
func UsesPrice(where collection.JSONValue, sort string) bool {
	for key := range strings.SplitSeq(sort, ",") {
		if pathUsesPrice(strings.TrimPrefix(strings.TrimSpace(key), "-")) {
			return true
		}
	}
	return usesPrice(where)
}

func usesPrice(tree collection.JSONValue) bool {
	switch tree := tree.(type) {
	case map[string]any:
		for key, below := range tree {
			if pathUsesPrice(key) || usesPrice(below) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(tree, usesPrice)
	}
	return false
}

// pathUsesPrice reports whether a path contains a price field: "price", "options.product.price", or the same
// with double underscores.
func pathUsesPrice(path string) bool {
	for step := range strings.SplitSeq(strings.ReplaceAll(path, "__", "."), ".") {
		if slices.Contains(priceFields, step) {
			return true
		}
	}
	return false
}
