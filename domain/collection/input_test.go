package collection_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// problems are the invalid fields of an error.
func problems(err error) (fields []string) {
	if err == nil {
		return nil
	}
	if !errors.Is(err, fault.ErrValidation) {
		return []string{"not a validation fault"}
	}
	for _, f := range fault.From(err).Fields {
		fields = append(fields, f.Field)
		if f.Message == "" {
			fields = append(fields, "without a sentence")
		}
	}
	return fields
}

func TestEveryKindIsRead(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	many := func(n int) []any { return slices.Repeat([]any{"x"}, n) }
	nest := func(n int) any {
		var v any = "deep"
		for i := range n {
			if i%2 == 0 {
				v = []any{v}
			} else {
				v = tree{"in": v}
			}
		}
		return v
	}
	bad := errors.New("refused")
	for name, c := range map[string]struct {
		field string
		raw   any
		want  any // bad: refused
	}{
		"text":                            {"title", "Dune", "Dune"},
		"text of ten characters":          {"title", "하나둘셋넷다섯여섯일", "하나둘셋넷다섯여섯일"},
		"text of eleven characters":       {"title", "12345678901", bad},
		"text keeps its spaces":           {"title", " a ", " a "},
		"text with a zero byte":           {"title", "a\x00b", bad},
		"text that is not UTF-8":          {"title", "a\xff", bad},
		"a number is no text":             {"title", num("5"), bad},
		"text of the default length":      {"blurb", strings.Repeat("x", 40_000), strings.Repeat("x", 40_000)},
		"text above the default length":   {"blurb", strings.Repeat("x", 40_001), bad},
		"text in upper case":              {"currency", " krw ", "KRW"},
		"rich text is any JSON":           {"body", []any{tree{"a": num("1")}}, []any{tree{"a": num("1")}}},
		"a number":                        {"rating", num("4.50"), dec("4.5")},
		"the minimum number":              {"rating", num("0"), dec("0")},
		"the maximum number":              {"rating", num("5"), dec("5")},
		"a number below the minimum":      {"rating", num("-0.00000001"), bad},
		"a number above the maximum":      {"rating", num("5.00000001"), bad},
		"a number as text":                {"rating", "4.5", bad},
		"a number of nine digits":         {"rating", num("0.000000001"), bad},
		"money":                           {"price", num("19.99"), money.Of(1999, "USD")},
		"the minimum amount":              {"price", num("1"), money.Of(100, "USD")},
		"the maximum amount":              {"price", num("1000.00"), money.Of(100_000, "USD")},
		"an amount below the minimum":     {"price", num("0.99"), bad},
		"an amount above the maximum":     {"price", num("1000.01"), bad},
		"money with too many digits":      {"price", num("19.999"), bad},
		"money as text":                   {"price", "19.99", bad},
		"the largest possible amount":     {"listPrice", num("1000000000000"), money.Of(money.Max, "USD")},
		"an amount out of range":          {"listPrice", num("1000000000000.01"), bad},
		"an integer":                      {"pages", num("300"), int64(300)},
		"an integer with a zero fraction": {"pages", num("300.0"), int64(300)},
		"an integer in an exponent":       {"pages", num("3e2"), int64(300)},
		"a fraction is no integer":        {"pages", num("300.5"), bad},
		"an integer below the minimum":    {"pages", num("0"), bad},
		"an integer above the maximum":    {"pages", num("10000"), bad},
		"an integer as text":              {"pages", "300", bad},
		"a boolean":                       {"sold", true, true},
		"a boolean as text":               {"sold", "true", bad},
		"a boolean as number":             {"sold", num("1"), bad},
		"a date":                          {"releasedAt", "2026-01-31T18:00:00+09:00", at},
		"a date is cut to milliseconds":   {"releasedAt", "2026-01-31T09:00:00.0009Z", at},
		"a bare date is midnight":         {"releasedAt", "2026-01-31", at.Add(-9 * time.Hour)},
		"a day that does not exist":       {"releasedAt", "2026-02-30", bad},
		"a date as number":                {"releasedAt", num("20260131"), bad},
		"a date without a zone":           {"releasedAt", "2026-01-31T09:00:00", bad},
		"an email address":                {"contact", " Jo@Example.COM ", "jo@example.com"},
		"an invalid email address":        {"contact", "jo", bad},
		"a URL with path and query":       {"site", "HTTPS://films.example/a?b=c", "HTTPS://films.example/a?b=c"},
		"a page without a path":           {"site", "http://films.example:8080", "http://films.example:8080"},
		"an empty URL":                    {"site", "", ""},
		"a script is no page":             {"site", "javascript:alert(1)", bad},
		"a script that looks like a page": {"site", "javascript://films.example/%0aalert(1)", bad},
		"a script behind a control":       {"site", "java\tscript:alert(1)", bad},
		"data is no page":                 {"site", "data:text/html,<script>", bad},
		"a page without a host":           {"site", "https:///a", bad},
		"a page with a space":             {"site", "https://films.example/a b", bad},
		"a URL without a scheme":          {"site", "films.example/a", bad},
		"origins": {"homes", []any{"https://a.example", "http://localhost:3000", "capacitor://localhost", "https://a.example/"}, []string{
			"https://a.example", "http://localhost:3000", "capacitor://localhost", "https://a.example/",
		}},
		"a wildcard is no origin":           {"homes", []any{"*"}, bad},
		"wild hosts are no origin":          {"homes", []any{"https://*.example"}, bad},
		"an origin has no path":             {"homes", []any{"https://a.example/shop"}, bad},
		"an origin has no query":            {"homes", []any{"https://a.example?b"}, bad},
		"an origin has a scheme":            {"homes", []any{"a.example"}, bad},
		"an origin has no user":             {"homes", []any{"https://a@b.example"}, bad},
		"two origins in one text":           {"homes", []any{"https://a.example,https://b.example"}, bad},
		"an option":                         {"format", "e-book", "e-book"},
		"an alias of an option":             {"format", "ebook", "e-book"},
		"an unknown option":                 {"format", "Paper", bad},
		"choices":                           {"moods", []any{"sad", "glad"}, []string{"sad", "glad"}},
		"an unknown option in a list":       {"moods", []any{"sad", "mad"}, bad},
		"options must be a list":            {"moods", "sad", bad},
		"a relation":                        {"author", "a1", "a1"},
		"a relation sent back in full":      {"author", tree{"id": "a1", "name": "Jo"}, "a1"},
		"a relation in full without id":     {"author", tree{"name": "Jo"}, bad},
		"an empty relation":                 {"author", "", bad},
		"a relation as number":              {"author", num("1"), bad},
		"relations":                         {"editors", []any{"a1", tree{"id": "a2"}}, []string{"a1", "a2"}},
		"no relations":                      {"editors", []any{}, []string{}},
		"an upload":                         {"cover", "m1", "m1"},
		"uploads":                           {"plates", []any{"m1"}, []string{"m1"}},
		"words":                             {"words", []any{"x", ""}, []string{"x", ""}},
		"a list of a thousand":              {"words", many(1000), slices.Repeat([]string{"x"}, 1000)},
		"a list of a thousand and one":      {"words", many(1001), bad},
		"an object is no list":              {"words", tree{}, bad},
		"any JSON":                          {"extra", tree{"a": []any{nil, true, "x"}}, tree{"a": []any{nil, true, "x"}}},
		"JSON of twenty levels":             {"extra", nest(20), nest(20)},
		"JSON of twenty-one levels":         {"extra", nest(21), bad},
		"a group is an object":              {"shelf", []any{}, bad},
		"an array is a list":                {"chapters", tree{}, bad},
		"the items of an array are objects": {"chapters", []any{"x"}, bad},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			input := tree{"title": "T", c.field: c.raw}
			next, err := writer().Merge(nil, input)
			if c.want == bad { //nolint:errorlint // a mark, not an answer
				got := problems(err)
				if len(got) != 1 || got[0] != c.field && !strings.HasPrefix(got[0], c.field+".") {
					t.Fatalf("problems %v, value %v", got, next[c.field])
				}
				return
			}
			if err != nil || !reflect.DeepEqual(next[c.field], c.want) {
				t.Errorf("got %#v, %v", next[c.field], problems(err))
			}
		})
	}
}

func TestAddressesAreChecked(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 246) + "@ab.com"
	for address, want := range map[string]bool{
		"a@b.co": true, "a.b+c@d-e.example": true, "한글@예시.한국": true, long + "x"[:0]: true, "x" + long: true, "xx" + long: false,
		"": false, "a": false, "@b.co": false, "a@b": false, "a@b.c": false, "a@.co": false, "a@b..co": false, "a@-b.co": false,
		"a@b@c.co": false, "a b@c.co": false,
		"erased-1@erased.invalid": false, "ann@erased.invalid": false, "ann@not-erased.invalid": true,
		"a,b@c.co": false, "a@b.co>": false, "a@b.co\x7f": false, "a\x01@b.co": false, "a(x)@b.co": false, "a\"b@c.co": false,
	} {
		if collection.ValidEmail(address) != want {
			t.Errorf("%q: want %v", address, want)
		}
	}
}

func TestCreateFillsDefaults(t *testing.T) {
	t.Parallel()
	next, err := writer().Merge(nil, tree{"title": "T", "chapters": []any{tree{"title": "one"}}})
	if err != nil {
		t.Fatal(problems(err))
	}
	want := record{
		"title": "T", "sold": false, "format": "paper", "copies": int64(0),
		"shelf":    record{"row": int64(3), "sign": record{"colour": "red"}},
		"chapters": []record{{"id": "row1", "title": "one", "length": int64(1)}},
	}
	if !reflect.DeepEqual(next, want) {
		t.Errorf("got %v", next)
	}
}

func TestCreateMakesNoGroupThatIsLeftOutWhereMissing(t *testing.T) {
	t.Parallel()
	inner := []collection.Field{{Name: "code", Kind: collection.Text}, {Name: "units", Kind: collection.Integer, NonNull: true}}
	s := &collection.Schema{Slug: "boxes", Singular: "Box", Plural: "Boxes", Fields: []collection.Field{
		{Name: "always", Kind: collection.Group, Fields: inner}, {Name: "some", Kind: collection.Group, OmitMissing: true, Fields: inner},
		{Name: "nullable", Kind: collection.Group, OmitMissing: true, Fields: inner[:1]},
	}}
	next, err := collection.InputParser{Schema: s}.Merge(nil, tree{})
	if want := (record{"always": record{}}); err != nil || !reflect.DeepEqual(next, want) {
		t.Errorf("%v, %v", next, err)
	}
}

func TestValueOverridesDefault(t *testing.T) {
	t.Parallel()
	next, err := writer().Merge(nil, tree{"title": "T", "sold": true, "format": nil, "shelf": tree{"row": num("9"), "sign": nil}})
	if err != nil {
		t.Fatal(problems(err))
	}
	if !next.Bool("sold") || next["format"] != nil || next.Group("shelf").Int("row") != 9 ||
		next.Group("shelf")["sign"] != nil && len(next.Group("shelf").Group("sign")) > 0 {
		t.Errorf("got %v", next)
	}
}

func TestAnUpdateMergesIntoTheRecord(t *testing.T) {
	t.Parallel()
	before := record{
		"id": "b1", "title": "Old", "blurb": "stays", "words": []string{"a", "b"}, "sold": true, "isbn": "1",
		"shelf":    record{"row": int64(1), "label": "stays", "sign": record{"colour": "blue"}},
		"chapters": []record{{"id": "c1", "title": "one", "length": int64(5)}, {"id": "c2", "title": "two"}},
	}
	frozen := collection.AppendStored(nil, books, before)
	next, err := writer().Merge(before, tree{
		"title": "New", "words": []any{"c"}, "shelf": tree{"row": num("2"), "sign": tree{"keeper": "a1"}},
		"chapters": []any{tree{"id": "c2", "title": "zwei"}, tree{"title": "new"}},
	})
	if err != nil {
		t.Fatal(problems(err))
	}
	if next.Text("title") != "New" || next.Text("blurb") != "stays" || !next.Bool("sold") ||
		!slices.Equal(next.Texts("words"), []string{"c"}) || next.Text("format") != "" {
		t.Errorf("got %v", next)
	}
	if shelf := next.Group("shelf"); !reflect.DeepEqual(shelf, record{
		"row": int64(2), "label": "stays", "sign": record{"colour": "blue", "keeper": "a1"},
	}) {
		t.Errorf("groups merge field by field: %v", shelf)
	}
	rows := next.Rows("chapters")
	if len(rows) != 2 || rows[0].ID() != "c2" || rows[1].ID() != "row1" || rows[0].Text("title") != "zwei" {
		t.Errorf("rows keep their ids, new ones get one: %v", rows)
	}
	if after := collection.AppendStored(nil, books, before); string(after) != string(frozen) {
		t.Errorf("the record before changed: %s", after)
	}
}

func TestNullClears(t *testing.T) {
	t.Parallel()
	before := record{"id": "b1", "title": "T", "blurb": "x", "words": []string{"a"}, "shelf": record{"label": "x"}, "author": "a1"}
	next, err := writer().Merge(before, tree{"blurb": nil, "words": nil, "shelf": nil, "author": nil})
	if err != nil || next["blurb"] != nil || next["words"] != nil || next["author"] != nil || len(next.Group("shelf")) != 0 {
		t.Errorf("got %v, %v", next, problems(err))
	}
}

func TestEveryProblemIsReportedAtOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		input tree
		want  []string
	}{
		"unknown, missing and wrong": {tree{"colour": "red", "pages": "x"}, []string{"colour", "title", "pages"}},
		"unknown inside a group": {
			tree{"title": "T", "shelf": tree{"depth": num("1"), "sign": tree{"size": "x"}}}, []string{"shelf.depth", "shelf.sign.size"},
		},
		"unknown and missing inside an array": {
			tree{"title": "T", "chapters": []any{tree{"title": "a"}, tree{"pages": num("1")}}},
			[]string{"chapters.1.pages", "chapters.1.title"},
		},
		"required is more than empty text":      {tree{"title": ""}, []string{"title"}},
		"required is more than spaces":          {tree{"title": " \t"}, []string{"title"}},
		"required is more than null":            {tree{"title": nil}, []string{"title"}},
		"a wrong required value is one problem": {tree{"title": num("1")}, []string{"title"}},
		"each wrong item of a list":             {tree{"title": "T", "words": []any{"a", num("1"), true}}, []string{"words.1", "words.2"}},
		"an id of a row that is not there": {
			tree{"title": "T", "chapters": []any{tree{"id": "outsider", "title": "x"}}}, []string{"chapters.0.id"},
		},
		"the hidden sequence is no field": {tree{"title": "T", "_sequence": num("1")}, []string{"_sequence"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			next, err := writer().Merge(nil, c.input)
			if got := problems(err); !slices.Equal(got, c.want) || next != nil {
				t.Errorf("got %v and %v", got, next)
			}
		})
	}
}

func TestFieldAlias(t *testing.T) {
	t.Parallel()
	input := tree{"name": "Dune"}
	next, err := writer().Merge(nil, input)
	if err != nil || next.Text("title") != "Dune" || len(input) != 1 || input["name"] != "Dune" {
		t.Errorf("got %v, %v; input %v", next, problems(err), input)
	}
	if next, err = writer().Merge(nil, tree{"name": "Dune", "title": "Dune"}); err != nil || next.Text("title") != "Dune" {
		t.Errorf("both may say the same: %v, %v", next, problems(err))
	}
	if _, err = writer().Merge(nil, tree{"name": "Dune", "title": "Emma"}); !slices.Equal(problems(err), []string{"name"}) {
		t.Errorf("one of them would be dropped: %v", problems(err))
	}
}

func TestMoneyIsInItsOwnCurrency(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before record
		input  tree
		want   money.Money
	}{
		"the tenant's without one": {nil, tree{"listPrice": num("1.5")}, money.Of(150, "USD")},
		"the one beside it":        {nil, tree{"listPrice": num("1.5"), "currency": "kwd"}, money.Of(1500, "KWD")},
		"the one the record has":   {record{"id": "b", "currency": "KWD"}, tree{"listPrice": num("1.5")}, money.Of(1500, "KWD")},
		"the new one before the old one": {
			record{"id": "b", "currency": "KWD"}, tree{"listPrice": num("1.5"), "currency": "EUR"}, money.Of(150, "EUR"),
		},
		"the old one when the new is none": {
			record{"id": "b", "currency": "KWD"}, tree{"listPrice": num("1.5"), "currency": "x"}, money.Of(1500, "KWD"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.input["title"] = "T"
			next, err := writer().Merge(c.before, c.input)
			if got, _ := next.Money("listPrice"); err != nil || got != c.want {
				t.Errorf("got %v, %v", got, problems(err))
			}
		})
	}
}
