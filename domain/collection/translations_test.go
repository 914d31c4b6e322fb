package collection_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var signs = &collection.Schema{Slug: "signs", Singular: "Sign", Plural: "Signs", Fields: collection.WithTranslations(
	collection.Field{Name: "title", Kind: collection.Text, Required: true, Translatable: true},
	collection.Field{Name: "slug", Kind: collection.Text, Translatable: true},
	collection.Field{Name: "body", Kind: collection.RichText, Translatable: true},
	collection.Field{Name: "place", Kind: collection.Text},
	collection.Field{Name: "seo", Kind: collection.Group, Fields: []collection.Field{{Name: "title", Kind: collection.Text, Translatable: true}}},
	collection.Field{Name: "rows", Kind: collection.Array, Fields: []collection.Field{
		{Name: "id", Kind: collection.Text, ReadOnly: true}, {Name: "label", Kind: collection.Text, Required: true, Translatable: true},
		{Name: "size", Kind: collection.Integer},
	}},
)}

// languageWriter is the parser of a caller who writes in a language of a shop with three.
func languageWriter(in tenant.Content) collection.InputParser {
	n := 0
	return collection.InputParser{Schema: signs, Content: in, Locales: []string{"ko", "ja"}, NewID: func() string {
		n++
		return fmt.Sprint("r", n)
	}}
}

var everyLanguage = tenant.Content{All: true, Default: "en", Others: []string{"ko", "ja"}}

// write merges and completes.
func write(t *testing.T, in tenant.Content, before collection.Record, input map[string]any) collection.Record {
	t.Helper()
	after, err := languageWriter(in).Merge(before, input)
	if err != nil {
		t.Fatal(input, err)
	}
	collection.NewChange(signs, before, after, "e", time.Unix(0, 0))
	return after
}

func TestWhatIsWrittenInALanguageIsReadInIt(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	record := write(t, tenant.Content{}, nil, map[string]any{"title": "first", "rows": []any{map[string]any{"label": "one"}}})
	id := record.Rows("rows")[0].ID()
	told := map[string]map[string]any{"": {"title": "first", "seo": nil, "rows": "one"}, "ko": {}, "ja": {}}
	for i := range 500 {
		locale := []string{"", "ko", "ja"}[random.IntN(3)]
		field := []string{"title", "seo", "rows"}[random.IntN(3)]
		word := fmt.Sprint(locale, field, i)
		input := map[string]map[string]any{
			"title": {"title": word}, "seo": {"seo": map[string]any{"title": word}},
			"rows": {"rows": []any{map[string]any{"id": id, "label": word, "size": collection.JSONNumber("1")}}},
		}[field]
		record = write(t, tenant.Content{Locale: locale}, record, input)
		told[locale][field] = word
		for _, read := range []string{"", "ko", "ja"} {
			shown := signs.Localized(record, tenant.Content{Locale: read, Fallback: tenant.NoFallback})
			got := map[string]any{"title": shown["title"], "seo": shown.Group("seo")["title"], "rows": shown.Rows("rows")[0]["label"]}
			for name, v := range got {
				if v != told[read][name] {
					t.Fatalf("after %v in %q, %s in %q is %v, want %v", input, locale, name, read, v, told[read][name])
				}
			}
		}
	}
	every := signs.Localized(record, everyLanguage)
	again := write(t, everyLanguage, record, map[string]any{"title": every["title"]})
	if !reflect.DeepEqual(again[collection.TranslationsName], record[collection.TranslationsName]) {
		t.Error("every language that is sent back as it was read changes", again, record)
	}
}

func TestRowsKeepTheirTexts(t *testing.T) {
	t.Parallel()
	record := write(t, tenant.Content{}, nil, map[string]any{"title": "a", "rows": []any{map[string]any{"label": "red"}, map[string]any{"label": "blue"}}})
	red, blue := record.Rows("rows")[0].ID(), record.Rows("rows")[1].ID()
	ko := tenant.Content{Locale: "ko"}
	record = write(t, ko, record, map[string]any{"rows": []any{
		map[string]any{"id": blue, "label": "파랑"}, map[string]any{"id": red}, map[string]any{"label": "초록"},
	}})
	labels := func(in tenant.Content) (out []any) {
		for _, row := range signs.Localized(record, in).Rows("rows") {
			out = append(out, row["label"])
		}
		return out
	}
	if got := labels(tenant.Content{}); !reflect.DeepEqual(got, []any{"blue", "red", "초록"}) {
		t.Error("in the default language", got)
	}
	if got := labels(ko); !reflect.DeepEqual(got, []any{"파랑", "red", "초록"}) {
		t.Error("in Korean", got)
	}
	record = write(t, tenant.Content{}, record, map[string]any{"rows": []any{map[string]any{"id": red, "label": "red"}}})
	if record[collection.TranslationsName] != nil {
		t.Error("texts of a row that is gone", record)
	}
}

func TestTranslatedInTellsWhatIsComplete(t *testing.T) {
	t.Parallel()
	record := write(t, tenant.Content{}, nil, map[string]any{
		"title": "a", "slug": "a", "translations": map[string]any{"ko": map[string]any{"title": "가", "slug": "Ga"}, "ja": map[string]any{"slug": "a"}},
	})
	if got := record.Texts(collection.TranslatedInName); !reflect.DeepEqual(got, []string{"ko"}) {
		t.Error("a handle is not needed, a title is", got)
	}
	if got := record.Texts(collection.TranslatedSlugsName); !reflect.DeepEqual(got, []string{"ja/a", "ko/ga"}) {
		t.Error(got)
	}
	record = write(t, tenant.Content{}, record, map[string]any{"seo": map[string]any{"title": "x"}})
	if got := record.Texts(collection.TranslatedInName); len(got) != 0 {
		t.Error("a new text is missing", got)
	}
	record = write(t, tenant.Content{}, record, map[string]any{"translations": map[string]any{"ko": nil, "ja": map[string]any{"slug": nil}}})
	if record[collection.TranslationsName] != nil || len(record.Texts(collection.TranslatedSlugsName)) != 0 {
		t.Error("all were taken away", record)
	}
}

func TestAGroupThatIsNotThereHasTexts(t *testing.T) {
	t.Parallel()
	ko := tenant.Content{Locale: "ko"}
	for name, older := range map[string]collection.Record{"missing": {"title": "a"}, "null": {"title": "a", "seo": nil}} {
		if shown := signs.Localized(older, everyLanguage); shown.Group("seo") != nil {
			t.Error(name, "without any text it stays away", shown)
		}
		record := write(t, tenant.Content{}, older, map[string]any{"translations": map[string]any{"ko": map[string]any{"seo.title": "검색"}}})
		if got := signs.Localized(record, ko).Group("seo")["title"]; got != "검색" {
			t.Error(name, "the text is lost", got, record)
		}
		if got := signs.Localized(record, tenant.Content{}).Group("seo")["title"]; got != nil {
			t.Error(name, "in the default language", got)
		}
	}
}

func TestANullGroupInALanguageIsOfThatLanguage(t *testing.T) {
	t.Parallel()
	record := write(t, tenant.Content{}, nil, map[string]any{
		"title": "a", "seo": map[string]any{"title": "search"}, "translations": map[string]any{"ko": map[string]any{"seo.title": "검색"}},
	})
	record = write(t, tenant.Content{Locale: "ko"}, record, map[string]any{"seo": nil})
	if record.Group("seo")["title"] != "search" || record[collection.TranslationsName] != nil {
		t.Error("the text of the default language stays, that of the other one is gone", record)
	}
}

func TestEveryLanguageIsTakenAwayAndAddedAtOnce(t *testing.T) {
	t.Parallel()
	record := write(t, tenant.Content{}, nil, map[string]any{
		"title": "a", "body": map[string]any{"text": "b"}, "seo": map[string]any{"title": "c"}, "translations": map[string]any{
			"ko": map[string]any{"body": map[string]any{"text": "나"}, "seo.title": "다"},
		},
	})
	record = write(t, everyLanguage, record, map[string]any{"body": nil, "seo": nil, "rows": []any{
		map[string]any{"label": map[string]any{"en": "red", "ko": "빨강"}},
	}})
	if record["body"] != nil || record.Group("seo") != nil {
		t.Error("null is null in the default language", record)
	}
	id := record.Rows("rows")[0].ID()
	want := map[string]any{"ko": map[string]any{"rows." + id + ".label": "빨강"}}
	if got := record[collection.TranslationsName]; !reflect.DeepEqual(got, want) || record.Rows("rows")[0]["label"] != "red" {
		t.Error(got, record)
	}
}

func TestWhatStandsInForTextsOfRowsIsNotWritten(t *testing.T) {
	t.Parallel()
	record := write(t, tenant.Content{}, nil, map[string]any{"title": "a", "rows": []any{map[string]any{"label": "red"}, map[string]any{"label": "blue"}}})
	red, blue := record.Rows("rows")[0].ID(), record.Rows("rows")[1].ID()
	record = write(t, tenant.Content{Locale: "ja"}, record, map[string]any{"rows": []any{
		map[string]any{"id": red, "label": "赤"}, map[string]any{"id": blue, "label": "blue"},
	}})
	record = write(t, tenant.Content{Locale: "ko", Fallback: "ja"}, record, map[string]any{"rows": []any{
		map[string]any{"id": red, "label": "赤"}, map[string]any{"id": blue, "label": "파랑"},
	}})
	want := map[string]any{"ja": map[string]any{"rows." + red + ".label": "赤"}, "ko": map[string]any{"rows." + blue + ".label": "파랑"}}
	if got := record[collection.TranslationsName]; !reflect.DeepEqual(got, want) {
		t.Error(got)
	}
	record = write(t, tenant.Content{}, record, map[string]any{"rows": []any{
		map[string]any{"id": red, "label": "crimson"}, map[string]any{"id": blue, "label": "navy"},
	}})
	if got := signs.Localized(record, tenant.Content{Locale: "ja"}).Rows("rows")[1]["label"]; got != "navy" {
		t.Error("a later text of the default language still stands in", got)
	}
}

// A condition in a language is about what a reader in that language sees.
func TestConditionsAreAboutTheTextsThatAreRead(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(6, 1))
	pick := func(words ...any) any { return words[random.IntN(len(words))] }
	text := func() any { return pick("a", "b", "Ä", "", nil) }
	parse := func(in tenant.Content, where map[string]any) collection.Cond {
		p := collection.QueryParser{Schema: signs, Audience: collection.Staff, Fold: strings.ToLower, Content: in}
		cond, err := p.Where(where)
		if err != nil {
			t.Fatal(where, err)
		}
		return cond
	}
	found := 0
	for range 2000 {
		r := collection.Record{
			"id": "s", "title": text(), "seo": collection.Record{"title": text()},
			"rows": []collection.Record{{"id": "r1", "label": text()}, {"id": "r2", "label": text()}}[:random.IntN(3)],
			"translations": map[string]any{
				"ko": map[string]any{"title": text(), "seo.title": text(), "rows.r1.label": text(), "rows.r2.label": text()},
				"ja": map[string]any{"rows.r2.label": text()},
			},
		}
		in := tenant.Content{Locale: pick("ko", "ja").(string), Fallback: pick("", tenant.NoFallback, "ja").(string)}
		test := pick(map[string]any{"equals": text()}, map[string]any{"not_equals": text()}, map[string]any{"in": []any{text(), text()}},
			map[string]any{"not_in": []any{text()}}, map[string]any{"exists": pick(true, false)}, map[string]any{"less_than": pick("a", "b", "")},
			map[string]any{"greater_than_equal": pick("a", "b", "")}, map[string]any{"like": pick("a", "ä", "")}, map[string]any{"contains": pick("B", "ä")})
		where := map[string]any{pick("rows.label", "rows.label", "seo.title", "title").(string): test}
		got := collection.Matches(r, parse(in, where), strings.ToLower)
		if want := collection.Matches(signs.Localized(r, in), parse(tenant.Content{}, where), strings.ToLower); got != want {
			t.Fatalf("%v in %+v: %v, want %v: %v", where, in, got, want, r)
		}
		if got {
			found++
		}
	}
	if found < 500 || found > 1500 {
		t.Error("most conditions say the same of all", found)
	}
}
