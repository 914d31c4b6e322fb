package tax_test

import (
	"errors"
	"maps"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	. "github.com/cartwright-dev/cartwright/domain/tax"
)

// Rule taxes-2.
func TestRatesThatCannotBeMeantAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change collection.Record
		field  string
	}{
		"a country": {collection.Record{}, ""}, "codes": {collection.Record{"postalFrom": "90", "postalTo": "93999"}, ""},
		"one code": {collection.Record{"postalFrom": "90012"}, ""}, "no country": {collection.Record{"country": "K1"}, "country"},
		"no first code":   {collection.Record{"postalTo": "90"}, "postalFrom"},
		"backwards":       {collection.Record{"postalFrom": "91", "postalTo": "90"}, "postalTo"},
		"over before":     {collection.Record{"validFrom": now, "validTo": now}, "validTo"},
		"a time":          {collection.Record{"validFrom": now, "validTo": now.Add(1)}, ""},
		"without a start": {collection.Record{"validTo": now}, ""},
	} {
		r := collection.Record{"id": "r", "name": "VAT", "country": "US", "classes": []string{"standard"}}
		maps.Copy(r, c.change)
		err := CheckRate(r)
		if (err == nil) != (c.field == "") {
			t.Errorf("%s: %v", name, err)
		}
		if f, ok := errors.AsType[*fault.Error](err); ok && f.Fields[0].Field != c.field {
			t.Errorf("%s: %v", name, f.Fields)
		}
	}
}
