package stored_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// A condition means the same over GraphQL as over REST, in each of its notations.
func TestWhereMatchesREST(t *testing.T) {
	t.Parallel()
	s := onSQLite(t, gadgets)
	s.stocked(6)
	acme := s.store(catalog.Brands, tree{"name": "Acme"})
	for i, name := range []string{"a", "b", "c"} {
		s.store(gadgets, tree{
			"name": name, "state": "a-b", "size": tree{"width": num(i), "unit": "square-inch", "maker": acme},
			"parts":   []any{tree{"label": name, "from": acme}},
			"colours": []any{"deep-blue"}, "made": fmt.Sprintf("2026-01-0%dT00:00:00Z", i+1), "price": num(i), "currency": "USD",
		})
	}
	for where, want := range map[string]string{
		`{name: {in: ["a", "b"]}}`:                                                                "a b",
		`{or: [{name: {equals: "a"}}, {size__width: {greater_than: 1}}]}`:                         "a c",
		`{OR: [{name: {equals: "a"}}, {name: {equals: "c"}}], AND: [{name: {not_equals: "a"}}]}`:  "c",
		`{and: [{or: [{name: {equals: "a"}}]}], or: [{name: {exists: true}}]}`:                    "a",
		`{state: {equals: a_b}, size__unit: {in: [square_inch]}, colours: {contains: deep_blue}}`: "a b c",
		`{state: {not_in: [a_b]}}`:                                                                "",
		`{made: {greater_than_equal: "2026-01-02", less_than: "2026-01-03T00:00:00Z"}}`:           "b",
		`{parts__label: {like: "C"}}`:                                                             "c",
		`{parts__from: {equals: "` + acme +
			`"}, name: {equals: "a"}}`: "a",
		`{parts__from: {where: {name: {like: "acm"}}}, name: {not_equals: "a"}}`:                                                               "b c",
		`{size__maker: {where: {or: [{name: {equals: "Acme"}}, {slug: {equals: "x"}}], image: {exists: false}}}, or: [{name: {equals: "b"}}]}`: "b",
		`{size__maker: {exists: true, where: {name: {contains: "ACM"}}}}`:                                                                      "a b c",
		`{parent: {equals: null}}`:                                     "a b c",
		`{parent: {where: {parent: {where: {name: {exists: true}}}}}}`: "",
		`{price: {greater_than: 0.99}}`:                                "b c",
		`{}`:                                                           "a b c",
	} {
		got := s.data(`{ Gadgets(where: `+where+`, sort: "name", limit: 100) { docs { name } } }`, nil)
		var names []string
		for _, d := range decoded(t, []byte(got))["Gadgets"].(tree)["docs"].([]any) {
			names = append(names, d.(tree)["name"].(string))
		}
		if strings.Join(names, " ") != want {
			t.Errorf("%s finds %v, want %s", where, names, want)
		}
	}
	got := s.data(
		`query($w: Gadget_where, $n: String!, $since: String, $least: Int, $s: [Gadget_state]) {
			a: countGadgets(where: $w) { totalDocs }
			b: countGadgets(where: {name: {equals: $n}, made: {greater_than: $since}, price: {greater_than_equal: $least}, state: {in: $s}}) { totalDocs } }`,
		tree{"w": tree{"name": tree{"equals": "a"}}, "n": "b", "since": "2026-01-01", "least": num(1), "s": []any{"a_b"}})
	if got != `{"a":{"totalDocs":1},"b":{"totalDocs":1}}` {
		t.Error(got)
	}
}

// Conditions that REST refuses are refused with the same message; those that do not fit the schema fail validation.
func TestInvalidWhereIsRejectedAsInREST(t *testing.T) {
	t.Parallel()
	s := onSQLite(t, gadgets)
	nested := func(levels int) (string, tree) {
		text, rest := `{name: {exists: true}}`, tree{"name": tree{"exists": true}}
		for range levels {
			text, rest = `{and: [`+text+`]}`, tree{"and": []any{rest}}
		}
		return text, rest
	}
	deepText, deepTree := nested(9)
	allowedText, _ := nested(7)
	s.data(`{ Gadgets(where: `+allowedText+`) { totalDocs } }`, nil)
	for text, rest := range map[string]tree{
		deepText:                        deepTree,
		`{made: {equals: "soon"}}`:      {"made": tree{"equals": "soon"}},
		`{price: {equals: 1.23456}}`:    {"price": tree{"equals": collection.JSONNumber("1.23456")}},
		`{price: {greater_than: null}}`: {"price": tree{"greater_than": nil}},
		`{name: null}`:                  {"name": nil},
		`{parent: {equals: {a: 1}}}`:    {"parent": tree{"equals": tree{"a": num(1)}}},
		`{or: null}`:                    {"or": nil},
	} {
		out := s.execute(`{ Gadgets(where: `+text+`) { totalDocs } }`, nil)
		_, err := s.content.Find(t.Context(), s.by, gadgets, records.Query{Where: rest, Limit: 1, Page: 1})
		if err == nil || len(out.Errors) != 1 ||
			out.Errors[0].Message != fault.From(err).Message && out.Errors[0].Extensions["reason"] != "graphql_validation" {
			t.Errorf("%s: %s, rest %v", text, out.raw, err)
		}
	}
	for _, where := range []string{
		`{nothing: {equals: 1}}`, `{name: {near: 1}}`, `{state: {equals: nothing}}`, `{state: {equals: "a-b"}}`, `{secret: {equals: "x"}}`,
		`{name: "a"}`, `{shown: {like: "x"}}`,
	} {
		s.refused(`{ Gadgets(where: `+where+`) { totalDocs } }`, "BAD_USER_INPUT graphql_validation")
	}
	s.refused(`{ Gadgets(limit: 501) { totalDocs } }`, "BAD_USER_INPUT validation_failed")
	s.refused(`{ Gadgets(sort: "nothing") { totalDocs } }`, "BAD_USER_INPUT query_invalid")
}
