package catalog_test

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

type record = collection.Record

func problems(err error) (fields []string) {
	if err == nil {
		return nil
	}
	for _, f := range fault.From(err).Fields {
		fields = append(fields, f.Field)
	}
	return fields
}

func TestSlugify(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Ocean Blue Shirt": "ocean-blue-shirt", "  --A & B!--  ": "a-b", "여름 신상": "여름-신상", "Café №5": "café-5", "???": "item", "": "item",
		"ÄPFEL": "äpfel", "a/b?c#d": "a-b-c-d", strings.Repeat("x", 150): strings.Repeat("x", 100),
		strings.Repeat("ab ", 50): strings.Repeat("ab-", 49) + "ab",
	} {
		if got := catalog.Slugify(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestUniqueSlugAppendsCounter(t *testing.T) {
	t.Parallel()
	taken := func(s string) bool { return s == "a" || s == "a-2" }
	if got := catalog.UniqueSlug("a", taken); got != "a-3" {
		t.Errorf("got %q", got)
	}
	if got := catalog.UniqueSlug("b", taken); got != "b" {
		t.Errorf("got %q", got)
	}
}

func TestSlugsAreURLSafe(t *testing.T) {
	t.Parallel()
	for slug, ok := range map[string]bool{
		"a-b": true, "여름": true, "": true, "a.b_c~": true, "a b": false, "a/b": false, "a?b": false, "a#b": false, "a%20": false,
		"a\\b": false, "a\tb": false, "a\x7f": false,
	} {
		if err := catalog.CheckSlug(record{"slug": slug}); (err == nil) != ok {
			t.Errorf("%q: %v", slug, err)
		}
	}
}

func TestSplitVariants(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		input    map[string]any
		variants int
		given    bool
		fields   []string
	}{
		"none":                   {map[string]any{"name": "x"}, 0, false, nil},
		"null is no list":        {map[string]any{"name": "x", "variants": nil}, 0, false, nil},
		"an empty list is given": {map[string]any{"name": "x", "variants": []any{}}, 0, true, nil},
		"a list of objects": {
			map[string]any{"name": "x", "variants": []any{map[string]any{"sku": "a"}, map[string]any{}}}, 2, true, nil,
		},
		"not a list":    {map[string]any{"name": "x", "variants": "a"}, 0, true, []string{"variants"}},
		"not an object": {map[string]any{"name": "x", "variants": []any{map[string]any{}, "a"}}, 0, true, []string{"variants.1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			size := len(c.input)
			product, variants, given, err := catalog.SplitVariants(c.input)
			if len(variants) != c.variants || given != c.given || !slices.Equal(problems(err), c.fields) || len(c.input) != size {
				t.Errorf("got %v %v %v", variants, given, err)
			}
			if err == nil && !reflect.DeepEqual(product, map[string]any{"name": "x"}) {
				t.Errorf("product %v", product)
			}
		})
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	taken := func(s string) bool { return s == "shirt" }
	before := record{"name": "Shirt"}
	if got := catalog.Complete(catalog.Products, before, taken); got.Text("slug") != "shirt-2" || before["slug"] != nil {
		t.Errorf("got %v from %v", got, before)
	}
	if got := catalog.Complete(catalog.Brands, record{"name": "Shirt", "slug": "own"}, taken); got.Text("slug") != "own" {
		t.Errorf("got %v", got)
	}
	if got := catalog.Complete(catalog.Markets, record{"name": "Japan"}, taken); got["slug"] != nil {
		t.Errorf("a market has no slug: %v", got)
	}
	values := []record{{"label": "Red"}, {"label": "red", "slug": "red"}, {"label": "RED"}}
	got := catalog.Complete(catalog.Options, record{"values": values}, nil).Rows("values")
	if got[0].Text("slug") != "red-2" || got[1].Text("slug") != "red" || got[2].Text("slug") != "red-3" || values[0]["slug"] != nil {
		t.Errorf("got %v", got)
	}
}

func TestReplaceableDefault(t *testing.T) {
	t.Parallel()
	fresh := func(change func(record)) []record {
		v := record{"id": "v", "isDefault": true}.WithSequence(1)
		if change != nil {
			change(v)
		}
		return []record{v}
	}
	for name, c := range map[string]struct {
		siblings []record
		gives    bool
	}{
		"an untouched default variant":  {fresh(nil), true},
		"an edited one stays":           {fresh(func(v record) { v.WithSequence(2) }), false},
		"one with stock stays":          {fresh(func(v record) { v["stock"] = int64(1) }), false},
		"one with reserved stock stays": {fresh(func(v record) { v["reserved"] = int64(1) }), false},
		"an explicit one stays":         {fresh(func(v record) { v["isDefault"] = false }), false},
		"no sibling":                    {nil, false},
		"a default one among explicit":  {append([]record{record{"id": "w"}.WithSequence(1)}, fresh(nil)...), true},
	} {
		if got := catalog.ReplaceableDefault(c.siblings); (got != nil) != c.gives {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestStockTarget(t *testing.T) {
	t.Parallel()
	lone := record{"id": "v", "isDefault": true}
	if v, err := catalog.StockTarget([]record{lone}); err != nil || v.ID() != "v" {
		t.Errorf("got %v, %v", v, err)
	}
	for name, variants := range map[string][]record{"none": nil, "an explicit one": {{"id": "w"}}, "two": {lone, {"id": "w"}}} {
		if _, err := catalog.StockTarget(variants); !slices.Equal(problems(err), []string{"stock"}) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// options are a size and a color, out of order.
var options = []record{
	{"id": "colour", "position": int64(1), "values": []record{{"id": "red", "label": "Red"}, {"id": "blue", "label": "Blue"}}},
	{"id": "size", "position": int64(0), "values": []record{{"id": "s", "label": "S"}, {"id": "l", "label": "L"}}},
}

func TestCompleteVariant(t *testing.T) {
	t.Parallel()
	old := record{"title": "S / Red", "optionValues": []string{"red", "s"}, "kind": "physical", "requiresShipping": true}
	with := func(r record, change record) record {
		r = r.Clone()
		maps.Copy(r, change)
		return r
	}
	for name, c := range map[string]struct {
		before, next record
		input        map[string]any
		title        string
		ships        bool
	}{
		"values make the title in the order of options": {nil, record{"optionValues": []string{"red", "s"}}, nil, "S / Red", true},
		"an own title is kept": {
			nil, record{"optionValues": []string{"red"}, "title": "Own"}, map[string]any{"title": "Own"}, "Own", true,
		},
		"no values make no title": {nil, record{}, nil, "", true},
		"the title follows the values": {
			old, with(old, record{"optionValues": []string{"blue", "l"}}), map[string]any{"optionValues": nil}, "L / Blue", true,
		},
		"a title in the input does not follow": {
			old, with(old, record{"optionValues": []string{"blue"}, "title": "S / Red"}), map[string]any{"title": "S / Red"}, "S / Red",
			true,
		},
		"an own title does not follow": {
			with(old, record{"title": "Own"}), with(old, record{"title": "Own", "optionValues": []string{"blue"}}), nil, "Own", true,
		},
		"a cleared title is made again": {
			with(old, record{"title": "Own"}), with(old, record{"title": nil}), map[string]any{"title": nil}, "S / Red", true,
		},
		"a digital variant does not ship": {nil, record{"kind": "digital"}, nil, "", false},
		"a service does not ship":         {nil, record{"kind": "service"}, nil, "", false},
		"unless its own flag says so": {
			nil, record{"kind": "digital", "requiresShipping": true}, map[string]any{"requiresShipping": true}, "", true,
		},
		"physical, but handed over in person": {
			nil, record{"kind": "physical", "requiresShipping": false}, map[string]any{"requiresShipping": false}, "", false,
		},
		"shipping follows the kind": {old, with(old, record{"kind": "digital"}), map[string]any{"kind": "digital"}, "S / Red", false},
		"a flag in the input does not follow": {
			old, with(old, record{"kind": "digital"}), map[string]any{"kind": "digital", "requiresShipping": true}, "S / Red", true,
		},
		"an own flag does not follow": {
			with(old, record{"requiresShipping": false}), with(old, record{"requiresShipping": false}), nil, "S / Red", false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			was := c.next.Clone()
			got := catalog.CompleteVariant(c.before, c.next, c.input, options)
			if got.Text("title") != c.title || got.Bool("requiresShipping") != c.ships || !reflect.DeepEqual(c.next, was) {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestCheckVariant(t *testing.T) {
	t.Parallel()
	siblings := []record{{"id": "a", "optionValues": []string{"s", "red"}}, {"id": "b"}}
	for name, c := range map[string]struct {
		next   record
		fields []string
	}{
		"a new combination":                          {record{"id": "n", "optionValues": []string{"l", "red"}}, nil},
		"the combination of a sibling, in any order": {record{"id": "n", "optionValues": []string{"red", "s"}}, []string{"optionValues"}},
		"its own combination":                        {record{"id": "a", "optionValues": []string{"red", "s"}}, nil},
		"no options, as a sibling":                   {record{"id": "n"}, nil},
		"an unknown value":                           {record{"id": "n", "optionValues": []string{"xl"}}, []string{"optionValues.0"}},
		"two values of one option":                   {record{"id": "n", "optionValues": []string{"s", "l"}}, []string{"optionValues.1"}},
		"the same value twice":                       {record{"id": "n", "optionValues": []string{"s", "s"}}, []string{"optionValues.1"}},
		"two unknown values are two problems": {
			record{"id": "n", "optionValues": []string{"x", "y"}}, []string{"optionValues.0", "optionValues.1"},
		},
	} {
		if err := catalog.CheckVariant(c.next, options, siblings); !slices.Equal(problems(err), c.fields) ||
			(err != nil) != (len(c.fields) > 0) {
			t.Errorf("%s: got %v", name, problems(err))
		}
	}
}

func TestSortByPositionThenID(t *testing.T) {
	t.Parallel()
	got := catalog.SortByPosition([]record{
		{"id": "c", "position": int64(1)}, {"id": "b"}, {"id": "d", "position": int64(-1 << 40)}, {"id": "a", "position": int64(1)},
	})
	var ids []string
	for _, r := range got {
		ids = append(ids, r.ID())
	}
	if !slices.Equal(ids, []string{"d", "b", "a", "c"}) {
		t.Errorf("got %v", ids)
	}
}

func TestCheckMarket(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		next   record
		fields []string
	}{
		"a foreign currency with a rate":      {record{"currency": "JPY", "exchangeRate": dec("0.1")}, nil},
		"a foreign currency without one":      {record{"currency": "JPY"}, []string{"exchangeRate"}},
		"a foreign currency with a rate of 0": {record{"currency": "JPY", "exchangeRate": dec("0")}, []string{"exchangeRate"}},
		"the tenant's currency needs no rate": {record{"currency": "KRW"}, nil},
		"an invalid currency":                 {record{"currency": "K1W"}, []string{"currency"}},
		"a step the currency can show":        {record{"currency": "KRW", "roundingIncrement": dec("100")}, nil},
		"a step the currency cannot show":     {record{"currency": "KRW", "roundingIncrement": dec("0.5")}, []string{"roundingIncrement"}},
		"taxes of no country":                 {record{"currency": "KRW", "taxes": "added"}, []string{"countries"}},
		"taxes of a country":                  {record{"currency": "KRW", "taxes": "included", "countries": []string{"KR"}}, nil},
		"no taxes need no country":            {record{"currency": "KRW", "taxes": "off"}, nil},
		"an increment of 0 is ignored":        {record{"currency": "KRW", "roundingIncrement": dec("0")}, nil},
	} {
		if err := catalog.CheckMarket(c.next, "KRW"); !slices.Equal(problems(err), c.fields) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestFixedPriceUsesMarketCurrency(t *testing.T) {
	t.Parallel()
	next := record{"amount": amount("5", "JPY")}
	got, err := catalog.CompleteMarketPrice(next, catalog.Market{Currency: "JPY"})
	if err != nil || got.Text("currency") != "JPY" || next["currency"] != nil {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := catalog.CompleteMarketPrice(record{"currency": "USD"}, catalog.Market{Currency: "JPY"}); !errors.Is(err, fault.ErrValidation) {
		t.Errorf("got %v", err)
	}
	if _, err := catalog.CompleteMarketPrice(record{"currency": "JPY"}, catalog.Market{Currency: "JPY"}); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestProductAccessors(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]bool{"published": true, "unlisted": true, "draft": false, "out-of-stock": false, "": false} {
		if catalog.Sellable(record{"status": status}) != want {
			t.Errorf("%q: want %v", status, want)
		}
	}
	if got := catalog.CategoriesOf(record{"category": "a", "categories": []string{"b", "a"}}); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("categories %v", got)
	}
	if got := catalog.CategoriesOf(record{"categories": []string{"b"}}); !slices.Equal(got, []string{"b"}) {
		t.Errorf("categories %v", got)
	}
	p, v := record{"images": []string{"p"}}, record{"images": []string{"v", "w"}}
	if catalog.ImageOf(p, v) != "v" || catalog.ImageOf(p, record{}) != "p" || catalog.ImageOf(record{}, nil) != "" {
		t.Error("want the variant's first image, or else the product's")
	}
	if !catalog.Tracked(record{}) || catalog.Tracked(record{"trackInventory": false}) || !catalog.Tracked(record{"trackInventory": true}) {
		t.Error("stock must be tracked by default")
	}
	if !catalog.RequiresShipping(record{}) || catalog.RequiresShipping(record{"kind": "event"}) ||
		catalog.RequiresShipping(record{"requiresShipping": false}) ||
		!catalog.RequiresShipping(record{"kind": "event", "requiresShipping": true}) {
		t.Error("physical variants must ship by default")
	}
	if d := catalog.NewDefaultVariant(record{"id": "p", "tenant": "t"}, "v"); d.ID() != "v" || d.Text("tenant") != "t" ||
		d.Text("product") != "p" || !d.Bool("isDefault") || !d.Bool("requiresShipping") || !catalog.Tracked(d) ||
		catalog.KindOf(d) != "physical" {
		t.Errorf("got %v", d)
	}
}
