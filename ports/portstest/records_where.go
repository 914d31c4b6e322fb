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

// whereRecords are records with values that are easy to get wrong: non-ASCII letters, numbers as text,
// commas, wildcards, times.
func whereRecords() []stored {
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	return []stored{
		{countries, collection.Record{"id": "c1", "name": "Österreich"}},
		{makers, collection.Record{"id": "m1", "name": "Мастер", "country": "c1"}},
		{things, collection.Record{
			"id": "a", "title": "İstanbul", "price": money.Of(1999, "USD"), "soldAt": day, "fragile": true, "order": int64(1),
			"labels": []string{"a,b", "c"}, "maker": "m1", "rivals": []string{"m1", "gone"},
			"lines": []collection.Record{{"name": "Große", "maker": "m1", "quantity": int64(2)}, {"name": "x", "quantity": int64(5)}},
			"mail":  "A.b@example.com",
		}},
		{things, collection.Record{
			"id": "b", "title": "ISTANBUL ﬁn", "price": money.Of(500, "USD"), "soldAt": day.Add(9 * time.Hour), "fragile": false,
			"order": int64(2), "labels": []string{"c"},
		}},
		{things, collection.Record{"id": "c", "title": "\u1100\u1161\u11a8", "order": int64(3)}}, // 각, decomposed
		{things, collection.Record{"id": "d"}},
		{things, collection.Record{"id": "e", "title": "10"}},
		{things, collection.Record{"id": "f", "title": "9"}},
		{things, collection.Record{"id": "g", "title": "100%"}},
		{things, collection.Record{"id": "h", "title": `1_0\0 мастер`}},
	}
}

type object = map[string]any

// fieldCondition is one condition on one field.
func fieldCondition(field, op string, value any) object { return object{field: object{op: value}} }

// whereCase is a filter and the ids that match it.
type whereCase struct {
	where collection.JSONValue
	want  string
}

const allIDs = "a b c d e f g h"

func whereCases() []whereCase {
	return []whereCase{
		{fieldCondition("title", "contains", "istanbul"), "b"}, {fieldCondition("title", "contains", "İSTANBUL"), "a"},
		{fieldCondition("title", "like", "FIN istanbul"), "b"}, {fieldCondition("title", "contains", "각"), "c"},
		{fieldCondition("title", "equals", "각"), ""}, {fieldCondition("title", "contains", "МАСТЕР"), "h"},
		{fieldCondition("title", "contains", "%"), "g"}, {fieldCondition("title", "contains", "_"), "h"},
		{fieldCondition("title", "like", `\`), "h"}, {fieldCondition("title", "contains", "0%0"), ""},
		{fieldCondition("title", "greater_than", "10"), "a b c f g h"}, {fieldCondition("title", "less_than", "9"), "e g h"},
		{fieldCondition("title", "equals", "9"), "f"}, {fieldCondition("title", "equals", collection.JSONNumber("9")), "f"},
		{fieldCondition("title", "in", []any{}), ""}, {fieldCondition("title", "not_in", []any{}), allIDs},
		{fieldCondition("title", "in", []any{nil, "9"}), "d f"}, {fieldCondition("title", "not_in", []any{nil, "9"}), "a b c e g h"},
		{fieldCondition("title", "not_in", []any{"9"}), "a b c d e g h"}, {fieldCondition("title", "not_equals", "9"), "a b c d e g h"},
		{fieldCondition("title", "equals", nil), "d"}, {fieldCondition("title", "not_equals", nil), "a b c e f g h"},
		{fieldCondition("title", "exists", "false"), "d"}, {fieldCondition("title", "exists", true), "a b c e f g h"},
		{fieldCondition("labels", "in", []any{"a,b"}), "a"}, {fieldCondition("labels", "in", "a,b"), ""},
		{fieldCondition("labels", "contains", "c"), "a b"}, {fieldCondition("labels", "contains", "C"), ""},
		{fieldCondition("labels", "equals", "a,b"), "a"}, {fieldCondition("labels", "not_in", []any{"c"}), "c d e f g h"},
		{fieldCondition("labels", "exists", false), "c d e f g h"}, {fieldCondition("soldAt", "equals", "2026-03-01"), "a"},
		{fieldCondition("soldAt", "equals", "2026-03-01T18:00:00+09:00"), "b"},
		{fieldCondition("soldAt", "greater_than", "2026-03-01"), "b"},
		{fieldCondition("soldAt", "less_than_equal", "2026-03-01T09:00:00Z"), "a b"}, {fieldCondition("fragile", "equals", "true"), "a"},
		{fieldCondition("fragile", "equals", false), "b"}, {fieldCondition("fragile", "not_equals", "true"), "b c d e f g h"},
		{fieldCondition("fragile", "in", "true,false"), "a b"}, {fieldCondition("price", "equals", "19.990"), "a"},
		{fieldCondition("price", "in", "19.99,5"), "a b"}, {fieldCondition("price", "less_than", collection.JSONNumber("19.99")), "b"},
		{fieldCondition("price", "not_equals", "null"), "a b"}, {fieldCondition("order", "in", "1, 3"), "a c"},
		{fieldCondition("order", "greater_than_equal", "2.0"), "b c"}, {fieldCondition("mail", "contains", "a.B@"), "a"},
		{fieldCondition("mail", "equals", "a.b@example.com"), ""}, {fieldCondition("lines.name", "contains", "GROSSE"), "a"},
		{object{"lines": fieldCondition("quantity", "equals", "5")}, "a"},
		{fieldCondition("lines.maker.country.name", "like", "ÖSTERREICH"), "a"}, {fieldCondition("lines.maker", "equals", "m1"), "a"},
		{fieldCondition("maker.name", "contains", "МАСТ"), "a"}, {fieldCondition("maker.country.name", "equals", "Österreich"), "a"},
		{fieldCondition("maker.country.name", "not_equals", "Österreich"), "b c d e f g h"},
		{fieldCondition("maker__country__name", "exists", true), "a"}, {fieldCondition("rivals", "contains", "gone"), "a"},
		{fieldCondition("rivals.name", "equals", "Мастер"), "a"}, {fieldCondition("rivals", "in", []any{"m1", "m2"}), "a"},
		{object{}, allIDs}, {object{"and": []any{}}, allIDs}, {object{"or": []any{}}, ""}, {object{"or": []any{object{}}}, allIDs},
		{object{"OR": []any{
			object{"AND": []any{fieldCondition("title", "exists", "false"), fieldCondition("order", "exists", false)}},
			fieldCondition("order", "equals", "2"),
		}}, "b d"},
		{object{"title": object{"exists": true, "not_equals": "10"}, "order": object{"exists": "true"}, "or": []any{
			fieldCondition("fragile", "equals", true), fieldCondition("order", "equals", "3"),
		}}, "a c"},
		{nested(7, fieldCondition("title", "equals", "9")), "f"}, {wide(60), "a b c e f g h"},
	}
}

func nested(levels int, inner object) object {
	for range levels {
		inner = object{"and": []any{inner}}
	}
	return inner
}

func wide(terms int) object {
	all := make([]any, terms)
	for i := range all {
		all[i] = fieldCondition("title", "exists", true)
	}
	return object{"or": all}
}

// whereConditions runs each query twice, since the second result may be cached, and once inside a
// transaction.
func whereConditions(t *testing.T, s recordStore) {
	for _, d := range whereRecords() {
		s.create(t, ours, d.schema, d.record)
		s.create(t, theirs, d.schema, d.record.Clone())
	}
	parser := &collection.QueryParser{Registry: ScratchRegistry(), Schema: things, Fold: s.fold}
	for _, p := range whereCases() {
		cond, err := parser.Where(p.where)
		if err != nil {
			t.Errorf("%v: %v", p.where, err)
			continue
		}
		q, want := collection.Query{Schema: things, Where: cond, Limit: 500, Page: 1}, strings.Fields(p.want)
		check := func(r ports.Reader) {
			page, err := r.Find(t.Context(), q)
			counted, countErr := r.Find(t.Context(), collection.Query{Schema: things, Where: cond, Page: 1})
			if got := ids(page); err != nil || countErr != nil || !slices.Equal(got, want) || page.TotalDocs != int64(len(want)) ||
				counted.TotalDocs != page.TotalDocs {
				t.Errorf("%v finds %v (%d, counted %d), want %v; %v, %v",
					p.where, got, page.TotalDocs, counted.TotalDocs, want, err, countErr)
			}
		}
		check(s.Read(ports.ForTenant(ours)))
		check(s.Read(ports.ForTenant(ours)))
		if err := s.Atomically(t.Context(), ports.ForTenant(ours), func(_ context.Context, tx ports.Tx) error {
			check(tx.Records)
			return nil
		}); err != nil {
			t.Error(err)
		}
	}
	for _, tree := range []collection.JSONValue{
		nested(8, fieldCondition("title", "equals", "9")), wide(61), fieldCondition("soldAt", "equals", "yesterday"),
		fieldCondition("fragile", "greater_than", true), fieldCondition("order", "equals", "1.5"), fieldCondition("price", "like", "1"),
		fieldCondition("title", "greater_than", nil), fieldCondition("hash", "exists", true),
	} {
		if _, err := parser.Where(tree); !errors.Is(err, collection.ErrQuery) {
			t.Errorf("%v: %v", tree, err)
		}
	}
}
