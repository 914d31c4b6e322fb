package productsearch

import (
	"cmp"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Sort is the order of what is found.
type Sort string

// The orders. Those by price leave out what has no price in the market.
const (
	Relevance Sort = "relevance" // by level, in stock first, then newest
	Newest    Sort = "newest"
	PriceUp   Sort = "price"
	PriceDown Sort = "-price"
)

// Sorts are all of them.
var Sorts = []string{string(Relevance), string(Newest), string(PriceUp), string(PriceDown)}

// MaxReached is how many products a query can be paged through.
const MaxReached = 10_000

// Filter is what products have to be besides what a query asks for: of each list one, of all that are given each.
type Filter struct {
	Brands, Categories, Tags []string // ids; a category has the products of those below it
	Options                  []Option // of one name one value
	Price                    *PriceRange
	InStock                  bool
}

// PriceRange are prices in minor units of the currency of the market, both ends included.
type PriceRange struct{ Low, High int64 }

// Request is what an engine is asked for.
type Request struct {
	Tenant      tenant.ID
	Environment tenant.Environment // whose stock counts
	Locale      string             // in which the names of facets are told; "": the default one
	Query       Query
	Filter      Filter
	Sort        Sort
	Market      string // id; "": the shop's own prices
	Scale       Scale  // of that market
	Offset      int
	Limit       int
	Facets      bool // whether they are counted
}

// MaxValues is how many values of one facet are told: those with the most products.
const MaxValues = 100

// Count is a value of a facet, and how many of the products that were found have it.
type Count struct {
	ID     string // of an option its key
	Name   string // in the language of the request, of an option as Option.Key; "": it has none
	Parent string // id of the parent of a category
	Count  int64
}

// Facets are what the products that were found can be narrowed by. Each is counted as if the filter did not have it itself, so that
// another value of it can be chosen; counts are exact. Values that none has are left out.
type Facets struct {
	Brands, Categories, Tags []Count // most products first, then by id
	Options                  []Count // by key
	Price                    *PriceRange
	InStock                  int64
}

// Found is what an engine answers.
type Found struct {
	IDs         []string // of the page
	Total       int64
	Facets      Facets
	Corrections []Correction
}

// Largest are the counts of the most products, at most MaxValues, from the largest on.
func Largest(all []Count) []Count {
	all = slices.DeleteFunc(all, func(c Count) bool { return c.Count == 0 })
	if len(all) > MaxValues { // most of many are put in no order
		counts := make([]int64, len(all))
		for i, c := range all {
			counts[i] = c.Count
		}
		slices.Sort(counts)
		least := counts[len(counts)-MaxValues]
		all = slices.DeleteFunc(all, func(c Count) bool { return c.Count < least })
	}
	slices.SortFunc(all, func(a, b Count) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID)) })
	return all[:min(len(all), MaxValues)]
}
