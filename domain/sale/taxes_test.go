package sale_test

import (
	"testing"

	. "github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

func TestPlaceOfAnAddress(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		to   *Address
		home string
		want tax.Place
	}{
		"none":                  {nil, "US", tax.Place{}},
		"without a country":     {&Address{PostalCode: "94016"}, "US", tax.Place{Country: "US", PostalCode: "94016"}},
		"a shop without one":    {&Address{PostalCode: "06000"}, "", tax.Place{PostalCode: "06000"}},
		"a province by name":    {&Address{Province: "California"}, "US", tax.Place{Country: "US", Province: "CA"}},
		"a province with US in": {&Address{Country: "us", Province: "US-CA"}, "KR", tax.Place{Country: "US", Province: "CA"}},
	} {
		if got := PlaceOf(c.to, c.home); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
