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
)

// text prints a condition so that tests can compare it: title equals [Dune], (a & b), (a | b).
func text(c collection.Cond) string {
	var parts []string
	sep := " & "
	switch c := c.(type) {
	case nil:
		return ""
	case collection.And:
		for _, x := range c {
			parts = append(parts, text(x))
		}
	case collection.Or:
		sep = " | "
		for _, x := range c {
			parts = append(parts, text(x))
		}
	case collection.Comparison:
		var names []string
		for _, f := range c.Path {
			names = append(names, f.Name)
		}
		out := strings.Join(names, ".") + " " + string(c.Op)
		for _, v := range c.Values {
			out += " " + show(v)
		}
		return out
	}
	return "(" + strings.Join(parts, sep) + ")"
}

func show(v any) string {
	if at, ok := v.(time.Time); ok {
		return at.Format(collection.TimeFormat)
	}
	if v == nil {
		return "null"
	}
	if s, ok := v.(string); ok {
		return `"` + s + `"`
	}
	return string(collection.AppendJSONValue(nil, v))
}

func condition(field string, op string, v any) tree { return tree{field: tree{op: v}} }

func TestWhere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		where any
		want  string
	}{
		"nothing":                           {nil, ""},
		"an empty object matches all":       {tree{}, "()"},
		"equals":                            {condition("title", "equals", "Dune"), `title equals "Dune"`},
		"not equals":                        {condition("title", "not_equals", "Dune"), `title not_equals "Dune"`},
		"greater than":                      {condition("pages", "greater_than", num("5")), "pages greater_than 5"},
		"greater than or equal":             {condition("pages", "greater_than_equal", "5"), "pages greater_than_equal 5"},
		"less than":                         {condition("pages", "less_than", "5.0"), "pages less_than 5"},
		"less than or equal":                {condition("pages", "less_than_equal", "-5"), "pages less_than_equal -5"},
		"in a list":                         {condition("pages", "in", []any{num("1"), "2"}), "pages in 1 2"},
		"in comma-separated values":         {condition("title", "in", "a, b,c"), `title in "a" "b" "c"`},
		"in one number":                     {condition("pages", "in", num("1")), "pages in 1"},
		"in nothing":                        {condition("title", "in", ""), "title in"},
		"not in, with null":                 {condition("pages", "not_in", []any{nil, num("1")}), "pages not_in null 1"},
		"like has folded words":             {condition("title", "like", "  Big WORD "), `title like "big" "word"`},
		"like a number as text":             {condition("title", "like", num("5")), `title like "5"`},
		"contains is folded":                {condition("blurb", "contains", "X y"), `blurb contains "x y"`},
		"contains on a list is membership":  {condition("words", "contains", "X"), `words contains "X"`},
		"contains on relations":             {condition("editors", "contains", "A1"), `editors contains "A1"`},
		"contains on choices":               {condition("moods", "contains", "sad"), `moods contains "sad"`},
		"exists as text":                    {condition("title", "exists", "true"), "title exists true"},
		"exists not":                        {condition("shelf", "exists", false), "shelf exists false"},
		"exists not as text":                {condition("extra", "exists", "false"), "extra exists false"},
		"money in column form":              {condition("price", "equals", "19.99"), "price equals 199900"},
		"money of any precision up to four": {condition("price", "greater_than", num("0.0001")), "price greater_than 1"},
		"a number in column form":           {condition("rating", "equals", "4.5"), "rating equals 450000000"},
		"a boolean":                         {condition("sold", "equals", true), "sold equals true"},
		"a boolean as text":                 {condition("sold", "not_equals", "false"), "sold not_equals false"},
		"booleans in a list":                {condition("sold", "in", "true,false"), "sold in true false"},
		"booleans not in a list":            {condition("sold", "not_in", []any{true}), "sold not_in true"},
		"a date": {
			condition("releasedAt", "less_than", "2026-01-31"), "releasedAt less_than 2026-01-31T00:00:00.000Z",
		},
		"another spelling of a choice":         {condition("format", "equals", "ebook"), `format equals "e-book"`},
		"an undeclared option matches nothing": {condition("format", "equals", "stone"), `format equals "stone"`},
		"null":                                 {condition("pages", "equals", nil), "pages equals null"},
		"null as text":                         {condition("pages", "not_equals", "null"), "pages not_equals null"},
		"the word null in a text field":        {condition("title", "equals", "null"), `title equals "null"`},
		"null of a relation":                   {condition("author", "equals", "null"), "author equals null"},
		"a choice in a list":                   {condition("moods", "in", "sad"), `moods in "sad"`},
		"several operators are combined by and": {
			tree{"pages": tree{"less_than": "9", "greater_than": "1"}}, "(pages greater_than 1 & pages less_than 9)",
		},
		"several fields are combined by and": {
			tree{"title": tree{"equals": "a"}, "pages": tree{"equals": "1"}}, `(pages equals 1 & title equals "a")`,
		},
		"or": {
			tree{"or": []any{condition("title", "equals", "a"), condition("pages", "equals", "1")}}, `(title equals "a" | pages equals 1)`,
		},
		"OR as Payload writes it": {tree{"OR": []any{condition("title", "equals", "a")}}, `(title equals "a")`},
		"and inside or": {
			tree{"or": []any{tree{"AND": []any{condition("title", "equals", "a"), condition("pages", "equals", "1")}}, tree{}}},
			`((title equals "a" & pages equals 1) | ())`,
		},
		"or beside a field": {
			tree{"or": []any{condition("title", "equals", "a")}, "pages": tree{"equals": "1"}}, `((title equals "a") & pages equals 1)`,
		},
		"an empty or":                      {tree{"or": []any{}}, "()"},
		"a dotted path through a relation": {condition("author.name", "equals", "Jo"), `author.name equals "Jo"`},
		"a nested path through a relation": {tree{"author": tree{"name": tree{"equals": "Jo"}}}, `author.name equals "Jo"`},
		"a path through many relations":    {condition("editors.favourite.title", "equals", "a"), `editors.favourite.title equals "a"`},
		"a path into a group":              {condition("shelf.sign.colour", "equals", "red"), `shelf.sign.colour equals "red"`},
		"a nested path into a group": {
			tree{"shelf": tree{"sign.colour": tree{"equals": "red"}, "row": tree{"equals": "1"}}},
			`(shelf.row equals 1 & shelf.sign.colour equals "red")`,
		},
		"a path as GraphQL writes it": {condition("shelf__sign__colour", "equals", "red"), `shelf.sign.colour equals "red"`},
		"a path into an array and over a relation": {
			condition("chapters.translator.name", "like", "jo"), `chapters.translator.name like "jo"`,
		},
		"an operator beside a nested path": {
			tree{"author": tree{"equals": "a1", "name": tree{"equals": "Jo"}}}, `(author equals "a1" & author.name equals "Jo")`,
		},
		"the envelope":    {condition("createdAt", "greater_than", "2026-01-31"), "createdAt greater_than 2026-01-31T00:00:00.000Z"},
		"the id":          {condition("id", "in", "b1,b2"), `id in "b1" "b2"`},
		"the environment": {condition("environment", "equals", "test"), `environment equals "test"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := parser(collection.Everyone).Where(c.where)
			if err != nil || text(got) != c.want {
				t.Errorf("got %q, %v\nwant %q", text(got), err, c.want)
			}
		})
	}
}

func nested(levels int) any {
	var v any = condition("title", "equals", "a")
	for range levels {
		v = tree{"and": []any{v}}
	}
	return v
}

func terms(n int) any {
	var list []any
	for range n {
		list = append(list, condition("title", "equals", "a"))
	}
	return tree{"or": list}
}

// hops is a path that passes through n relations.
func hops(n int) string {
	steps := []string{}
	for i := range n {
		steps = append(steps, []string{"author", "favourite"}[i%2])
	}
	return strings.Join(append(steps, "createdAt"), ".")
}

// searches has a condition for each count of words.
func searches(words ...int) any {
	var list []any
	for _, n := range words {
		list = append(list, condition("title", "like", strings.Repeat("word ", n)))
	}
	return tree{"or": list}
}

func values(n int) []any { return slices.Repeat([]any{"a"}, n) }

func TestInvalidQueriesAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		where any
		says  string
	}{
		"no object":                          {"title", "object"},
		"a list":                             {[]any{}, "object"},
		"an unknown field":                   {condition("colour", "equals", "red"), "colour"},
		"an unknown field behind a relation": {condition("author.colour", "equals", "red"), "author.colour"},
		"a field below a plain one":          {condition("title.x", "equals", "red"), "title.x"},
		"an unknown operator":                {condition("title", "is", "a"), `"is" is not an operator`},
		"an unknown word below a group":      {condition("shelf", "is", "a"), "neither an operator nor a field"},
		"an unknown word below a relation":   {condition("author", "is", tree{"equals": "a"}), "author.is"},
		"no operator":                        {tree{"title": "Dune"}, "needs an operator"},
		"an empty operator":                  {tree{"title": tree{}}, "needs an operator"},
		"and without a list":                 {tree{"and": tree{}}, "and takes a list"},
		"or of something else":               {tree{"or": []any{"x"}}, "object"},
		"a word where a number is":           {condition("pages", "equals", "many"), "where[pages][equals]"},
		"a fraction where an integer is":     {condition("pages", "equals", "1.5"), "where[pages][equals]"},
		"too many digits":                    {condition("price", "equals", "0.00001"), "where[price][equals]"},
		"a word where a date is":             {condition("releasedAt", "equals", "soon"), "is no date"},
		"a word where a boolean is":          {condition("sold", "equals", "yes"), "true or false"},
		"a boolean where text is":            {condition("title", "equals", true), "true is no text"},
		"an object as value":                 {condition("title", "equals", tree{"a": "b"}), "single value"},
		"a list for equals":                  {condition("title", "equals", []any{"a"}), "single value"},
		"an object for in":                   {condition("title", "in", tree{}), "takes a list"},
		"a boolean for in":                   {condition("title", "in", true), "takes a list"},
		"an order of booleans":               {condition("sold", "greater_than", "true"), "cannot be used"},
		"more than null":                     {condition("pages", "greater_than", nil), "null"},
		"less than null as text":             {condition("pages", "less_than_equal", "null"), "null"},
		"exists of something else":           {condition("title", "exists", "yes"), "true or false"},
		"like on a number":                   {condition("pages", "like", "1"), "cannot be used"},
		"like on a relation":                 {condition("author", "like", "a"), "cannot be used"},
		"contains on a relation":             {condition("author", "contains", "a"), "cannot be used"},
		"like on a list":                     {condition("words", "like", "a"), "cannot be used"},
		"contains on an array":               {condition("chapters", "contains", "a"), "cannot be used"},
		"like a boolean":                     {condition("title", "like", true), "takes text"},
		"contains a list":                    {condition("title", "contains", []any{}), "takes text"},
		"equals on a group":                  {condition("shelf", "equals", "a"), "whether it exists"},
		"equals on an array":                 {condition("chapters", "equals", "a"), "whether it exists"},
		"equals on a tree":                   {condition("extra", "in", "a"), "whether it exists"},
		"equals on rich text":                {condition("body", "equals", "a"), "whether it exists"},
		"a hidden field":                     {condition("author.secret", "equals", "a"), "author.secret"},
		"a staff field":                      {condition("stock", "equals", "1"), "stock"},
		"a staff field behind a relation":    {tree{"editors": tree{"salary": tree{"equals": "1"}}}, "editors.salary"},
		"the hidden sequence":                {condition("_sequence", "equals", "1"), "_sequence"},
		"nine levels":                        {nested(8), "nests deeper than 8"},
		"sixty-one terms":                    {terms(61), "more than 60"},
		"five relations":                     {condition(hops(5), "equals", "a"), "more than 4 relations: " + hops(5)},
		"five relations, nested":             {tree{"author": condition("favourite.author.favourite.author.name", "like", "a")}, "more than 4"},
		"a path that goes on and on": {
			condition("shelf.sign.keeper.favourite.shelf.sign.keeper.favourite.shelf.sign.colour", "equals", "a"), "cannot be queried",
		},
		"like with 21 words":        {condition("title", "like", strings.Repeat("a ", 21)), "where[title][like]: takes at most 20 words"},
		"contains with 21 words":    {condition("title", "contains", strings.Repeat("a ", 21)), "at most 20 words"},
		"like with a long text":     {condition("title", "like", strings.Repeat("é", 1001)), "at most 1000 characters"},
		"contains with a long text": {condition("title", "contains", strings.Repeat("é", 1001)), "at most 1000 characters"},
		"sixty-one words":           {searches(20, 20, 20, 1), "more than 60 terms"},
		"groups without conditions": {tree{"or": slices.Repeat([]any{tree{}}, 61)}, "more than 60 terms"},
		"lists without conditions":  {tree{"or": slices.Repeat([]any{tree{"and": []any{}}}, 61)}, "more than 60 terms"},
		"5001 values": {
			tree{"or": []any{condition("title", "in", values(5000)), condition("pages", "not_in", []any{nil})}}, "more than 5000 values",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := parser(collection.Everyone).Where(c.where)
			if !errors.Is(err, collection.ErrQuery) || !strings.Contains(err.Error(), c.says) || got != nil {
				t.Errorf("got %q, %v; want it to say %q", text(got), err, c.says)
			}
		})
	}
}

func TestQueryLimitsAreInclusive(t *testing.T) {
	t.Parallel()
	for name, where := range map[string]any{
		"eight levels": nested(7), "sixty terms": terms(60), "sixty words": searches(20, 20, 20),
		"ten steps":       condition("shelf.sign.keeper.favourite.shelf.sign.keeper.favourite.shelf.row", "equals", "1"),
		"four relations":  condition("author.favourite.author.favourite.createdAt", "equals", "2026-01-31"),
		"twenty words":    condition("title", "contains", strings.Repeat("word ", 20)),
		"1000 characters": condition("title", "contains", strings.Repeat("é", 1000)),
		"5000 values":     tree{"title": tree{"in": values(2500), "not_in": values(2500)}},
	} {
		p := parser(collection.Everyone)
		for range 2 { // the count starts anew with each where
			if _, err := p.Where(where); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, err := parser(collection.Everyone).SortBy(strings.TrimPrefix(strings.Repeat(",title", 10), ",")); err != nil {
		t.Errorf("ten sort keys: %v", err)
	}
	_, err := parser(collection.Everyone).SortBy(strings.Repeat("title,", 5000) + "title")
	if !errors.Is(err, collection.ErrQuery) || !strings.Contains(err.Error(), "more than 10 fields") {
		t.Errorf("thousands of sort keys: %v", err)
	}
}

func TestStaffPathsPassThroughMoreRelations(t *testing.T) {
	t.Parallel()
	for n, want := range map[int][2]bool{4: {true, true}, 5: {false, true}, 6: {false, true}, 7: {false, false}} {
		for i, audience := range []collection.Audience{collection.Everyone, collection.Staff} {
			_, filtered := parser(audience).Where(condition(hops(n), "exists", true))
			_, sorted := parser(audience).SortBy(hops(n))
			if (filtered == nil) != want[i] || (sorted == nil) != want[i] {
				t.Errorf("%d relations for audience %d: %v, %v", n, audience, filtered, sorted)
			}
		}
	}
}

func TestStaffMayQueryStaffFields(t *testing.T) {
	t.Parallel()
	for _, where := range []any{condition("stock", "equals", "1"), condition("author.salary", "greater_than", "1")} {
		if _, err := parser(collection.Staff).Where(where); err != nil {
			t.Errorf("staff: %v", err)
		}
	}
	if _, err := parser(collection.Staff).Where(condition("author.secret", "equals", "1")); !errors.Is(err, collection.ErrQuery) {
		t.Errorf("a secret: %v", err)
	}
	_, err := parser(collection.Everyone).SortBy(strings.Repeat("name,", 11) + "name")
	if f := fault.From(err); !errors.Is(err, collection.ErrQuery) || f.InvalidFields()[0].Field != "sort" {
		t.Errorf("a long sort is refused as %+v", f)
	}
	if _, err := parser(collection.Everyone).SortBy("stock"); !errors.Is(err, collection.ErrQuery) {
		t.Errorf("sorting: %v", err)
	}
}

func TestSortBy(t *testing.T) {
	t.Parallel()
	for sort, want := range map[string]string{
		"": "-createdAt", "  ": "-createdAt", "title": "title", "-title": "-title",
		"title, -pages ,author.name": "title,-pages,author.name", "shelf.row": "shelf.row", "id": "id", "-updatedAt": "-updatedAt",
		"shelf__sign__colour": "shelf.sign.colour", "colour": "!", "words": "!", "editors.name": "!", "chapters.title": "!", "shelf": "!",
		"extra": "!", "body": "!", "title,": "!", "author.secret": "!", "-": "!", "moods": "!", "plates": "!",
	} {
		orders, err := parser(collection.Everyone).SortBy(sort)
		var parts []string
		for _, o := range orders {
			key := ""
			if o.Desc {
				key = "-"
			}
			parts = append(parts, key+strings.TrimSuffix(text(collection.Comparison{Path: o.Path}), " "))
		}
		got := strings.Join(parts, ",")
		if err != nil {
			got = "!"
		}
		if got != want || err != nil && !errors.Is(err, collection.ErrQuery) {
			t.Errorf("%q: got %q, %v, want %q", sort, got, err, want)
		}
	}
}

func TestParseTime(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"2026-01-31": "2026-01-31T00:00:00.000Z", "2026-01-31T09:00:00.123456Z": "2026-01-31T09:00:00.123Z",
		"2026-01-31T09:00:00+09:00": "2026-01-31T00:00:00.000Z", "0000-01-01": "0000-01-01T00:00:00.000Z",
		"9999-12-31": "9999-12-31T00:00:00.000Z", "": "", "now": "", "2026-13-01": "", "2026-01-31 09:00": "", "10000-01-01": "",
	} {
		got, ok := collection.ParseTime(in)
		if ok != (want != "") || ok && got.Format(collection.TimeFormat) != want {
			t.Errorf("%q: got %v, %v", in, got, ok)
		}
	}
}

func TestSchemaWhere(t *testing.T) {
	t.Parallel()
	c := books.Where("environment", collection.In, "live", "test")
	if text(c) != `environment in "live" "test"` || !reflect.DeepEqual(c.Path[0].Options, []string{"live", "test"}) {
		t.Errorf("got %s", text(c))
	}
	defer func() {
		if recover() == nil {
			t.Error("an unknown field must panic")
		}
	}()
	books.Where("colour", collection.Equals, "red")
}

// What is told once and never read again would tell by filters and order what it was.
func TestFieldsShownOnceAreNeitherFilteredNorSorted(t *testing.T) {
	t.Parallel()
	hooks := &collection.Schema{Slug: "hooks", Singular: "Hook", Plural: "Hooks", Fields: []collection.Field{
		{Name: "secret", Kind: collection.Text, ShownOnce: true}, {Name: "next", Kind: collection.Relation, RelationTo: "hooks"},
	}}
	r, err := collection.NewRegistry(hooks)
	if err != nil {
		t.Fatal(err)
	}
	p := &collection.QueryParser{Registry: r, Schema: hooks, Audience: collection.Staff, Fold: strings.ToLower}
	for _, path := range []string{"secret", "next.secret"} {
		if _, err := p.Where(condition(path, "exists", "true")); !errors.Is(err, collection.ErrQuery) {
			t.Errorf("filtered by %s: %v", path, err)
		}
		if _, err := p.SortBy("-" + path); !errors.Is(err, collection.ErrQuery) {
			t.Errorf("sorted by %s: %v", path, err)
		}
	}
}
