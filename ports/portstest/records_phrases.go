package portstest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// spoken are records whose values people get wrong: letters beyond ASCII, numbers as text, commas, wildcards, times.
func spoken() []stored {
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	return []stored{
		{countries, collection.Record{"id": "c1", "name": "Österreich"}},
		{makers, collection.Record{"id": "m1", "name": "Мастер", "country": "c1"}},
		{things, collection.Record{
			"id": "a", "title": "İstanbul", "price": money.Of(1999, "USD"), "soldAt": day, "fragile": true, "order": int64(1), "labels": []string{"a,b", "c"}, "maker": "m1",
			"rivals": []string{"m1", "gone"}, "lines": []collection.Record{{"name": "Große", "maker": "m1", "quantity": int64(2)}, {"name": "x", "quantity": int64(5)}}, "mail": "A.b@example.com",
		}},
		{things, collection.Record{"id": "b", "title": "ISTANBUL ﬁn", "price": money.Of(500, "USD"), "soldAt": day.Add(9 * time.Hour), "fragile": false, "order": int64(2), "labels": []string{"c"}}},
		{things, collection.Record{"id": "c", "title": "\u1100\u1161\u11a8", "order": int64(3)}}, // 각, taken apart
		{things, collection.Record{"id": "d"}},
		{things, collection.Record{"id": "e", "title": "10"}},
		{things, collection.Record{"id": "f", "title": "9"}},
		{things, collection.Record{"id": "g", "title": "100%"}},
		{things, collection.Record{"id": "h", "title": `1_0\0 мастер`}},
	}
}

type obj = map[string]any

// is is one condition on one field.
func is(field, op string, value any) obj { return obj{field: obj{op: value}} }

// phrase is a where and the ids it finds.
type phrase struct {
	where collection.Tree
	want  string
}

const everything = "a b c d e f g h"

func sentences() []phrase {
	return []phrase{
		{is("title", "contains", "istanbul"), "b"}, {is("title", "contains", "İSTANBUL"), "a"}, {is("title", "like", "FIN istanbul"), "b"},
		{is("title", "contains", "각"), "c"}, {is("title", "equals", "각"), ""}, {is("title", "contains", "МАСТЕР"), "h"},
		{is("title", "contains", "%"), "g"}, {is("title", "contains", "_"), "h"}, {is("title", "like", `\`), "h"}, {is("title", "contains", "0%0"), ""},
		{is("title", "greater_than", "10"), "a b c f g h"}, {is("title", "less_than", "9"), "e g h"}, {is("title", "equals", "9"), "f"}, {is("title", "equals", collection.Numeral("9")), "f"},
		{is("title", "in", []any{}), ""}, {is("title", "not_in", []any{}), everything}, {is("title", "in", []any{nil, "9"}), "d f"}, {is("title", "not_in", []any{nil, "9"}), "a b c e g h"},
		{is("title", "not_in", []any{"9"}), "a b c d e g h"}, {is("title", "not_equals", "9"), "a b c d e g h"}, {is("title", "equals", nil), "d"}, {is("title", "not_equals", nil), "a b c e f g h"},
		{is("title", "exists", "false"), "d"}, {is("title", "exists", true), "a b c e f g h"},
		{is("labels", "in", []any{"a,b"}), "a"}, {is("labels", "in", "a,b"), ""}, {is("labels", "contains", "c"), "a b"}, {is("labels", "contains", "C"), ""}, {is("labels", "equals", "a,b"), "a"},
		{is("labels", "not_in", []any{"c"}), "c d e f g h"}, {is("labels", "exists", false), "c d e f g h"},
		{is("soldAt", "equals", "2026-03-01"), "a"}, {is("soldAt", "equals", "2026-03-01T18:00:00+09:00"), "b"}, {is("soldAt", "greater_than", "2026-03-01"), "b"}, {is("soldAt", "less_than_equal", "2026-03-01T09:00:00Z"), "a b"},
		{is("fragile", "equals", "true"), "a"}, {is("fragile", "equals", false), "b"}, {is("fragile", "not_equals", "true"), "b c d e f g h"}, {is("fragile", "in", "true,false"), "a b"},
		{is("price", "equals", "19.990"), "a"}, {is("price", "in", "19.99,5"), "a b"}, {is("price", "less_than", collection.Numeral("19.99")), "b"}, {is("price", "not_equals", "null"), "a b"},
		{is("order", "in", "1, 3"), "a c"}, {is("order", "greater_than_equal", "2.0"), "b c"}, {is("mail", "contains", "a.B@"), "a"}, {is("mail", "equals", "a.b@example.com"), ""},
		{is("lines.name", "contains", "GROSSE"), "a"}, {obj{"lines": is("quantity", "equals", "5")}, "a"}, {is("lines.maker.country.name", "like", "ÖSTERREICH"), "a"}, {is("lines.maker", "equals", "m1"), "a"},
		{is("maker.name", "contains", "МАСТ"), "a"}, {is("maker.country.name", "equals", "Österreich"), "a"}, {is("maker.country.name", "not_equals", "Österreich"), "b c d e f g h"},
		{is("maker__country__name", "exists", true), "a"}, {is("rivals", "contains", "gone"), "a"}, {is("rivals.name", "equals", "Мастер"), "a"}, {is("rivals", "in", []any{"m1", "m2"}), "a"},
		{obj{}, everything}, {obj{"and": []any{}}, everything}, {obj{"or": []any{}}, ""}, {obj{"or": []any{obj{}}}, everything},
		{obj{"OR": []any{obj{"AND": []any{is("title", "exists", "false"), is("order", "exists", false)}}, is("order", "equals", "2")}}, "b d"},
		{obj{"title": obj{"exists": true, "not_equals": "10"}, "order": obj{"exists": "true"}, "or": []any{is("fragile", "equals", true), is("order", "equals", "3")}}, "a c"},
		{nested(7, is("title", "equals", "9")), "f"}, {wide(60), "a b c e f g h"},
	}
}

func nested(levels int, inner obj) obj {
	for range levels {
		inner = obj{"and": []any{inner}}
	}
	return inner
}

func wide(terms int) obj {
	all := make([]any, terms)
	for i := range all {
		all[i] = is("title", "exists", true)
	}
	return obj{"or": all}
}

// phrases asks twice, since the second answer may be remembered, and once inside of a transaction.
func phrases(t *testing.T, s archive) {
	for _, d := range spoken() {
		s.create(t, ours, d.schema, d.record)
		s.create(t, theirs, d.schema, d.record.Clone())
	}
	parser := &collection.Parser{Registry: ScratchRegistry(), Schema: things, Fold: s.fold}
	for _, p := range sentences() {
		cond, err := parser.Where(p.where)
		if err != nil {
			t.Errorf("%v: %v", p.where, err)
			continue
		}
		q, want := collection.Query{Schema: things, Where: cond, Limit: 500, Page: 1}, strings.Fields(p.want)
		check := func(r ports.Reader) {
			page, err := r.Find(t.Context(), q)
			counted, countErr := r.Find(t.Context(), collection.Query{Schema: things, Where: cond, Page: 1})
			if got := ids(page); err != nil || countErr != nil || !slices.Equal(got, want) || page.TotalDocs != int64(len(want)) || counted.TotalDocs != page.TotalDocs {
				t.Errorf("%v finds %v (%d, counted %d), want %v; %v, %v", p.where, got, page.TotalDocs, counted.TotalDocs, want, err, countErr)
			}
		}
		check(s.Read(ports.Of(ours)))
		check(s.Read(ports.Of(ours)))
		if err := s.Atomically(t.Context(), ports.Of(ours), func(_ context.Context, tx ports.Tx) error { check(tx.Records); return nil }); err != nil {
			t.Error(err)
		}
	}
	for _, tree := range []collection.Tree{nested(8, is("title", "equals", "9")), wide(61), is("soldAt", "equals", "yesterday"), is("fragile", "greater_than", true), is("order", "equals", "1.5"), is("price", "like", "1"), is("title", "greater_than", nil), is("hash", "exists", true)} {
		if _, err := parser.Where(tree); !errors.Is(err, collection.ErrQuery) {
			t.Errorf("%v: %v", tree, err)
		}
	}
}
