package catalog

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// ErrMarketFilter says that a listing with a market's prices can neither be filtered nor sorted by the price in the
// tenant's currency. Spec 7.3 rule 7.
var ErrMarketFilter = fault.New(fault.Invalid, "market_filter_not_supported", "With a market, products cannot be filtered or sorted by price: that one is in the shop's own currency.")

// priceFields are the fields of products and variants that hold a price in the tenant's currency.
var priceFields = []string{"price", "compareAtPrice"}

// AsksForPrice reports whether a condition or an order of products is about a price, by whatever path and however deep.
// It looks at what was sent, before anything is made of it: paths that lead nowhere count too.
func AsksForPrice(where collection.Tree, sort string) bool {
	for key := range strings.SplitSeq(sort, ",") {
		if leadsToPrice(strings.TrimPrefix(strings.TrimSpace(key), "-")) {
			return true
		}
	}
	return mentionsPrice(where)
}

func mentionsPrice(tree collection.Tree) bool {
	switch tree := tree.(type) {
	case map[string]any:
		for key, below := range tree {
			if leadsToPrice(key) || mentionsPrice(below) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(tree, mentionsPrice)
	}
	return false
}

// leadsToPrice reports whether a price stands on a path: "price", or "options.product.price", also with two underscores.
func leadsToPrice(path string) bool {
	for step := range strings.SplitSeq(strings.ReplaceAll(path, "__", "."), ".") {
		if slices.Contains(priceFields, step) {
			return true
		}
	}
	return false
}
