package sale_test

import (
	"reflect"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/sale"
)

// An imported order may have null attributes, which differ from empty ones.
func TestEmptyAttributesAreNotNull(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		attributes map[string]string
		stored     any
	}{
		"none":  {nil, nil},
		"empty": {map[string]string{}, map[string]any{}},
		"one":   {map[string]string{"gift": "yes"}, map[string]any{"gift": "yes"}},
	} {
		r := Line{Attributes: c.attributes}.Record()
		if !reflect.DeepEqual(r["attributes"], c.stored) {
			t.Errorf("%s: stored as %#v", name, r["attributes"])
		}
		if got := LineFrom(r).Attributes; !reflect.DeepEqual(got, c.attributes) {
			t.Errorf("%s: read as %#v", name, got)
		}
	}
}

func TestTotalsWriteShippingOnlyWhenSomethingShips(t *testing.T) {
	t.Parallel()
	fee := money.Of(3000, "KRW")
	for name, c := range map[string]struct {
		totals  Totals
		ships   bool
		member  bool
		written any
	}{
		"nothing ships":      {Totals{Shipping: &fee}, false, false, nil},
		"the fee is unknown": {Totals{}, true, true, nil},
		"the fee is known":   {Totals{Shipping: &fee}, true, true, fee},
	} {
		got, member := c.totals.Record(c.ships, money.Money{})["shipping"]
		if member != c.member || got != c.written {
			t.Errorf("%s: %v %v", name, member, got)
		}
	}
}

// Adapting the shared fields for one schema does not change those of the others.
func TestAdaptedFieldsAreCopies(t *testing.T) {
	t.Parallel()
	before := make(Fields, len(LineFields))
	copy(before, LineFields)
	own := LineFields.NonNull("attributes").Described(Docs{"title": "Own words."}).Without("sku").And(collection.Field{Name: "own"})
	if !reflect.DeepEqual(LineFields, before) {
		t.Error("the shared fields changed")
	}
	byName := map[string]collection.Field{}
	for _, f := range own {
		byName[f.Name] = f
	}
	_, hasSKU := byName["sku"]
	if len(own) != len(before) || hasSKU || !byName["attributes"].NonNull || byName["title"].Doc != "Own words." ||
		own[len(own)-1].Name != "own" {
		t.Errorf("%+v", own)
	}
}

func TestAdaptingAnUndeclaredFieldPanics(t *testing.T) {
	t.Parallel()
	for name, adapt := range map[string]func(){
		"Described": func() { LineFields.Described(Docs{"tittle": "x"}) },
		"NonNull":   func() { LineFields.NonNull("tittle") },
		"Without":   func() { LineFields.Without("tittle") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s accepted a name that is not declared", name)
				}
			}()
			adapt()
		}()
	}
}
