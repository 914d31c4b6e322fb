package collection_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
)

var at = time.Date(2026, 1, 31, 9, 0, 0, 5_000_000, time.UTC)

func sampleRecord() record {
	return record{
		"id": "b1", "tenant": "t", "environment": "live", "createdAt": at, "title": "Dune", "price": money.Of(1990, "USD"),
		"rating": dec("4.50"), "pages": int64(300), "sold": true, "releasedAt": at, "format": "paper", "moods": []string{"sad"},
		"author": "a1", "editors": []string{"a1", "a2"}, "cover": "m1", "words": []string{"x"},
		"chapters": []record{{"id": "c1", "title": "one", "translator": "a2"}},
		"shelf":    record{"row": int64(3), "sign": record{"keeper": "a1"}},
		"extra":    tree{"b": num("1.50"), "a": []any{nil, true, int64(7), 8, "x"}}, "stock": int64(9), "copies": int64(0),
	}.WithSequence(7)
}

const everything = `{"id":"b1","tenant":"t","environment":"live","createdAt":"2026-01-31T09:00:00.005Z","updatedAt":null,"title":"Dune","blurb":null,"body":null,"rating":4.5,"currency":null,` +
	`"price":19.9,"listPrice":null,"pages":300,"sold":true,"releasedAt":"2026-01-31T09:00:00.005Z","contact":null,"format":"paper","moods":["sad"],"author":"a1","editors":["a1","a2"],"cover":"m1","plates":[],"words":["x"],` +
	`"chapters":[{"id":"c1","title":"one","length":null,"translator":"a2"}],"notes":[],"shelf":{"row":3,"label":null,"sign":{"colour":null,"keeper":"a1"}},"extra":{"a":[null,true,7,8,"x"],"b":1.50},"homes":[],"site":null,"isbn":null,"copies":0`

func TestEveryDeclaredFieldIsShown(t *testing.T) {
	t.Parallel()
	if got := string(collection.AppendJSON(nil, books, sampleRecord(), collection.View{})); got != everything+"}" {
		t.Errorf("everyone:\n%s\nwant\n%s", got, everything+"}")
	}
	if got := string(collection.AppendJSON([]byte("x"), books, sampleRecord(), collection.View{Audience: collection.Staff})); got != "x"+
		strings.Replace(everything, `"title"`, `"revision":7,"title"`, 1)+`,"stock":9}` {
		t.Errorf("staff:\n%s", got)
	}
	if got := string(collection.AppendFields(nil, books, sampleRecord(), collection.View{}, []string{"title", "stock", "id"})); got !=
		`{"id":"b1","title":"Dune"}` {
		t.Errorf("some fields: %s", got)
	}
	if got := string(collection.AppendJSON(nil, authors, nil, collection.View{Audience: collection.Staff})); got !=
		`{"id":null,"tenant":null,"createdAt":null,"updatedAt":null,"revision":0,"name":null,"salary":null,"favourite":null}` {
		t.Errorf("nothing: %s", got)
	}
}

func TestHiddenFieldsAreShownToNobody(t *testing.T) {
	t.Parallel()
	r := record{"id": "a1", "secret": "s", "salary": money.Of(5, "USD")}
	if got := string(collection.AppendJSON(nil, authors, r, collection.View{})); got !=
		`{"id":"a1","tenant":null,"createdAt":null,"updatedAt":null,"name":null,"favourite":null}` {
		t.Errorf("got %s", got)
	}
}

func TestStoredFormHasMinorUnitsAndNoNulls(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		record record
		want   string
	}{
		"minor units and the currency": {
			record{"id": "b", "price": money.Of(1990, "USD"), "stock": int64(9), "words": []string{}, "chapters": []record{}},
			`{"id":"b","price":1990,"shelf":{"sign":{}},"_currency":"USD"}`,
		},
		"no money, no currency": {record{"id": "b"}, `{"id":"b","shelf":{"sign":{}}}`},
		"money in an array": {
			record{"id": "b", "notes": []record{{}, {"fee": money.Of(5, "KWD")}}},
			`{"id":"b","notes":[{},{"fee":5}],"shelf":{"sign":{}},"_currency":"KWD"}`,
		},
		"relations stay ids": {record{"author": "a1", "shelf": record{"row": int64(1)}}, `{"author":"a1","shelf":{"row":1,"sign":{}}}`},
		"a false and a zero are values": {
			record{"sold": false, "copies": int64(0), "blurb": ""}, `{"blurb":"","sold":false,"shelf":{"sign":{}},"copies":0}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := collection.AppendStored(nil, books, c.record)
			var back, want any
			if json.Unmarshal(got, &back) != nil || json.Unmarshal([]byte(c.want), &want) != nil {
				t.Fatalf("got %s", got)
			}
			dropNulls(back)
			dropNulls(want)
			if !reflect.DeepEqual(back, want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	if got := string(collection.AppendStored(nil, authors, record{"secret": "s", "salary": money.Of(5, "USD")})); got !=
		`{"secret":"s","salary":5,"_currency":"USD"}` {
		t.Errorf("hidden fields must be stored: %s", got)
	}
	flat := &collection.Schema{
		Fields: []collection.Field{{Name: "x", Kind: collection.Group, Fields: []collection.Field{{Name: "m", Kind: collection.Money}}}},
	}
	if got := string(collection.AppendStored(nil, flat, record{"x": record{"m": money.Of(7, "JPY")}})); got != `{"x":{"m":7},"_currency":"JPY"}` {
		t.Errorf("money in a group: %s", got)
	}
}

// dropNulls removes empty groups, which a row may have or not.
func dropNulls(v any) {
	m, ok := v.(map[string]any)
	if !ok {
		return
	}
	for k, x := range m {
		dropNulls(x)
		if inner, ok := x.(map[string]any); ok && len(inner) == 0 {
			delete(m, k)
		}
	}
}

func TestRelationsAreEmbeddedUpToDepth(t *testing.T) {
	t.Parallel()
	known := map[string]record{"a1": {"id": "a1", "name": "Jo", "favourite": "b9"}, "b9": {"id": "b9", "title": "Deep", "author": "a1"}}
	find := func(slug, id string) (*collection.Schema, record, bool) {
		if id == "foreign" {
			return nil, nil, false
		}
		return registry().Get(slug), known[id], true
	}
	name := func(v collection.View, r record) string {
		return string(collection.AppendFields(nil, books, r, v, []string{"author", "editors"}))
	}
	r := record{"author": "a1", "editors": []string{"gone", "foreign"}}
	if got := name(collection.View{Resolve: find}, r); got != `{"author":"a1","editors":["gone","foreign"]}` {
		t.Errorf("depth 0: %s", got)
	}
	if got := name(collection.View{Depth: 3}, r); got != `{"author":"a1","editors":["gone","foreign"]}` {
		t.Errorf("without Resolve: %s", got)
	}
	author := `{"id":"a1","tenant":null,"createdAt":null,"updatedAt":null,"name":"Jo","favourite":`
	if got := name(collection.View{Depth: 1, Resolve: find}, r); got != `{"author":`+author+`"b9"},"editors":[null,"foreign"]}` {
		t.Errorf("depth 1: %s", got)
	}
	two := string(collection.AppendFields(nil, books, r, collection.View{Depth: 2, Resolve: find}, []string{"author"}))
	if !strings.Contains(two, `"favourite":{"id":"b9"`) || !strings.Contains(two, `"author":"a1"`) {
		t.Errorf("depth 2: %s", two)
	}
	gone := collection.View{IsDeleted: func(id string) bool { return id == "gone" }}
	if got := name(gone, r); got != `{"author":"a1","editors":[null,"foreign"]}` {
		t.Errorf("deleted: %s", got)
	}
	if got := string(collection.AppendStored(nil, books, record{"author": "gone"})); !slices.Contains([]string{
		`{"author":"gone"}`, `{"author":"gone","shelf":{"sign":{}}}`,
	}, got) {
		t.Errorf("a stored row must have the id: %s", got)
	}
}

// Every text is decoded as the same text from its JSON form, with invalid bytes as U+FFFD.
func TestAppendStringIsValidJSON(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": `""`, "a\"b\\c": `"a\"b\\c"`, "\n\r\t\x00\x1f": `"\n\r\t\u0000\u001f"`, "한글é": `"한글é"`, "a\xffb": "\"a\ufffdb\"",
		"\u2028": "\"\u2028\"",
	} {
		if got := string(collection.AppendString(nil, in)); got != want {
			t.Errorf("%q: got %s", in, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
		got := collection.AppendString([]byte("["), s)
		var back string
		if err := json.Unmarshal(got[1:], &back); err != nil || !utf8.Valid(got) {
			t.Fatalf("%q: %v", got, err)
		}
		if want := string([]rune(s)); back != want {
			t.Fatalf("%q became %q", want, back)
		}
	})
}

func TestNewChange(t *testing.T) {
	t.Parallel()
	now := at.Add(time.Hour + 999)
	stamped := at.Add(time.Hour)
	made := collection.NewChange(books, nil, record{"id": "b1", "environment": "test"}, "e1", now)
	if made.Operation != collection.Created ||
		made.After.Sequence() != 1 || made.Sequence() != 1 || !made.After.Time("createdAt").Equal(stamped) ||
		!made.After.Time("updatedAt").Equal(stamped) || made.ID() != "b1" || made.Environment() != "test" || made.EventID != "e1" ||
		!made.At.Equal(stamped) || made.ChangedFields() != nil || made.Schema != books {
		t.Errorf("create: %+v", made)
	}
	before := record{
		"id": "b1", "environment": "live", "createdAt": at, "updatedAt": at, "title": "Old", "pages": int64(1), "words": []string{"a"},
		"stock": int64(1),
	}.WithSequence(4)
	after := before.Clone()
	after["title"], after["words"], after["stock"], after["createdAt"], after["blurb"] = "New", []string{"a"}, int64(2), now, nil
	changed := collection.NewChange(books, before, after, "e2", now)
	if changed.Operation != collection.Updated || changed.After.Sequence() != 5 || changed.Sequence() != 5 ||
		!changed.After.Time("createdAt").Equal(at) || !slices.Equal(changed.ChangedFields(), []string{"title"}) ||
		changed.Environment() != "live" {
		t.Errorf("update: %+v, changed %v", changed, changed.ChangedFields())
	}
	changed.EventEnvironment, changed.ComputedField = "test", "stock"
	if !slices.Equal(changed.ChangedFields(), []string{"title", "stock"}) || changed.Environment() != "test" {
		t.Errorf("a change of a computed field, about one environment: %v", changed.ChangedFields())
	}
	if before.Sequence() != 4 || before.Text("title") != "Old" || !before.Time("updatedAt").Equal(at) {
		t.Errorf("the record before changed: %v", before)
	}
	gone := collection.NewChange(books, before, nil, "e3", now)
	if gone.Operation != collection.Deleted || gone.ID() != "b1" || gone.Sequence() != 5 || gone.Environment() != "live" ||
		gone.ChangedFields() != nil {
		t.Errorf("delete: %+v", gone)
	}
}

func TestRecords(t *testing.T) {
	t.Parallel()
	r := sampleRecord().WithSequence(7)
	price, priced := r.Money("price")
	rating, rated := r.Decimal("rating")
	if r.ID() != "b1" || r.Sequence() != 7 || r.Text("title") != "Dune" || r.Int("pages") != 300 || !r.Bool("sold") ||
		!r.Time("releasedAt").Equal(at) || !priced || price.Minor != 1990 || !rated || rating != dec("4.5") ||
		r.Group("shelf").Int("row") != 3 || len(r.Rows("chapters")) != 1 || r.Texts("words")[0] != "x" {
		t.Error("an accessor returned a wrong value")
	}
	var none record
	_, priced = none.Money("price")
	_, rated = none.Decimal("rating")
	if none.ID() != "" || none.Sequence() != 0 || none.Int("x") != 0 || none.Bool("x") || !none.Time("x").IsZero() || priced || rated ||
		none.Group("x") != nil || none.Rows("x") != nil || none.Texts("x") != nil || none.Clone() != nil {
		t.Error("an accessor of a missing field must return zero")
	}
	links := books.Links(r)
	want := []collection.Link{
		{Path: "author", Slug: "authors", ID: "a1"}, {Path: "editors.0", Slug: "authors", ID: "a1"},
		{Path: "editors.1", Slug: "authors", ID: "a2"}, {Path: "cover", Slug: "media", ID: "m1"},
		{Path: "chapters.0.translator", Slug: "authors", ID: "a2"}, {Path: "shelf.sign.keeper", Slug: "authors", ID: "a1"},
	}
	if !reflect.DeepEqual(links, want) {
		t.Errorf("links %v", links)
	}
}

func TestEqualValues(t *testing.T) {
	t.Parallel()
	seoul := time.FixedZone("KST", 9*3600)
	for name, c := range map[string]struct {
		a, b any
		want bool
	}{
		"null and an empty list": {nil, []string{}, true}, "null and no rows": {[]record{}, nil, true},
		"null and empty text": {nil, "", false}, "one instant": {at, at.In(seoul), true}, "two instants": {at, at.Add(1), false},
		"an instant and text": {at, "x", false}, "an instant and null": {at, nil, false},
		"equal lists": {[]string{"a"}, []string{"a"}, true}, "other lists": {[]string{"a"}, []string{"b"}, false},
		"zero is not null": {int64(0), nil, false}, "groups": {record{"a": int64(1)}, record{"a": int64(1)}, true},
		"a group that names its null": {record{"a": int64(1)}, record{"a": int64(1), "b": nil}, true},
		"rows, the other way round":   {[]record{{"b": nil, "c": []string{}}}, []record{{}}, true},
		"a group that has more":       {record{}, record{"a": int64(1)}, false},
		"a group that has less":       {record{"a": int64(1)}, record{}, false},
		"one that has another":        {record{"a": int64(1), "b": nil}, record{"b": int64(1)}, false},
	} {
		if collection.Equal(c.a, c.b) != c.want {
			t.Errorf("%s: want %v", name, c.want)
		}
	}
}

func TestTimeFormat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMilli(rapid.Int64Range(-1<<47, 1<<48).Draw(t, "milliseconds")).UTC()
		if got, want := string(collection.AppendValue(nil, at)), `"`+at.Format(collection.TimeFormat)+`"`; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
}

func TestMissingOptionalGroupIsNull(t *testing.T) {
	t.Parallel()
	inner := []collection.Field{{Name: "code", Kind: collection.Text}}
	fields := []collection.Field{
		{Name: "always", Kind: collection.Group, Fields: inner}, {Name: "some", Kind: collection.Group, OmitMissing: true, Fields: inner},
	}
	for want, r := range map[string]collection.Record{
		`{"always":{"code":null}}`:                      {},
		`{"always":{"code":null},"some":null}`:          {"some": nil},
		`{"always":{"code":null},"some":{"code":null}}`: {"some": collection.Record{}},
	} {
		if got := string(collection.AppendGroup(nil, fields, r, collection.View{})); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestEmbeddingEndsWhereTheTextIsLong(t *testing.T) {
	t.Parallel()
	find := func(slug, id string) (*collection.Schema, record, bool) {
		return registry().Get(slug), record{"id": id, "name": strings.Repeat("x", 1000)}, true
	}
	editors := []string{"a1", "a2", "a3", "a4", "a5"}
	text := string(collection.AppendFields(nil, books, record{"editors": editors},
		collection.View{Depth: 1, Resolve: find, Full: func(size int) bool { return size > 2000 }}, []string{"editors"}))
	if n := strings.Count(text, `"name":"xxx`); n != 2 || !strings.HasSuffix(text, `,"a3","a4","a5"]}`) {
		t.Errorf("%d of 5 are embedded within 2000 bytes: %s", n, text)
	}
}
