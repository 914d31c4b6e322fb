package catalog_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/domain/catalog"
)

func TestWhatAsksForAPrice(t *testing.T) {
	t.Parallel()
	type o = map[string]any
	equals := o{"equals": "1"}
	for name, c := range map[string]struct {
		where any
		sort  string
		want  bool
	}{
		"nothing":                           {nil, "", false},
		"another field":                     {o{"name": equals}, "name,-createdAt", false},
		"a word that begins with it":        {o{"priceless": equals}, "priced", false},
		"a value that says so":              {o{"name": o{"equals": "price"}}, "", false},
		"a list of values that say so":      {o{"name": o{"in": []any{"price", "x"}}}, "", false},
		"a filter":                          {o{"price": equals}, "", true},
		"the former price":                  {o{"compareAtPrice": equals}, "", true},
		"one of two filters":                {o{"name": equals, "price": equals}, "", true},
		"in a list of and":                  {o{"and": []any{o{"name": equals}, o{"price": equals}}}, "", true},
		"in a list of or, the other way":    {o{"OR": []any{o{"AND": []any{o{"price": equals}}}}}, "", true},
		"by a relation":                     {o{"options.product.price": equals}, "", true},
		"by a relation, nested":             {o{"options": o{"product": o{"price": equals}}}, "", true},
		"by a relation, with underscores":   {o{"options__product__price": equals}, "", true},
		"a path that leads nowhere":         {o{"variants.price": equals}, "", true},
		"an order":                          {nil, "price", true},
		"an order from the top":             {nil, "-price", true},
		"the last key of an order":          {nil, "name, -price", true},
		"an order by a relation":            {nil, "brand.price", true},
		"an order by a relation backwards":  {nil, "-options__product__price", true},
		"a condition that is none is as is": {"price", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := catalog.AsksForPrice(c.where, c.sort); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
