package catalog_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/catalog"
)

func TestPriceFiltersAndSortsAreDetected(t *testing.T) {
	t.Parallel()
	type o = map[string]any
	equals := o{"equals": "1"}
	for name, c := range map[string]struct {
		where any
		sort  string
		want  bool
	}{
		"nothing":                               {nil, "", false},
		"another field":                         {o{"name": equals}, "name,-createdAt", false},
		"a name with this prefix":               {o{"priceless": equals}, "priced", false},
		"a value":                               {o{"name": o{"equals": "price"}}, "", false},
		"a list of values":                      {o{"name": o{"in": []any{"price", "x"}}}, "", false},
		"a filter":                              {o{"price": equals}, "", true},
		"the compare-at price":                  {o{"compareAtPrice": equals}, "", true},
		"one of two filters":                    {o{"name": equals, "price": equals}, "", true},
		"in a list of and":                      {o{"and": []any{o{"name": equals}, o{"price": equals}}}, "", true},
		"in a list of or, in upper case":        {o{"OR": []any{o{"AND": []any{o{"price": equals}}}}}, "", true},
		"by a relation":                         {o{"options.product.price": equals}, "", true},
		"by a relation, nested":                 {o{"options": o{"product": o{"price": equals}}}, "", true},
		"by a relation, with underscores":       {o{"options__product__price": equals}, "", true},
		"a path that does not exist":            {o{"variants.price": equals}, "", true},
		"a sort order":                          {nil, "price", true},
		"a descending sort order":               {nil, "-price", true},
		"the last key of a sort order":          {nil, "name, -price", true},
		"a sort order by a relation":            {nil, "brand.price", true},
		"a descending sort order by a relation": {nil, "-options__product__price", true},
		"a condition that is not an object":     {"price", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := catalog.UsesPrice(c.where, c.sort); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
