package graphql

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

func TestDocumentLimits(t *testing.T) {
	deep := func(n int) string {
		return `{ Thing(id: "1")` + strings.Repeat("{ self ", n-2) + "{ name }" + strings.Repeat("}", n-1)
	}
	aliased := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `a%d: Thing(id: "1") { name } `, i)
		}
		return "{" + b.String() + "}"
	}
	h := newHarness(t)
	for name, c := range map[string]struct{ allowed, refused, message string }{
		"depth":   {deep(12), deep(13), "13 levels deep; 12 are allowed"},
		"aliases": {aliased(100), aliased(101), "101 aliases; 100 are allowed"},
		"complexity": {
			`{ Things(limit: 500) { docs { name size self { name size self { name size } } parts { name } } } }`,
			`{ Things(limit: 500) { docs { parts { parts { name } } } } }`, "complexity",
		},
		"tokens": {"{" + strings.Repeat("__typename ", 14_998) + "}", "{" + strings.Repeat("__typename ", 14_999) + "}", "15000 tokens"},
		"nesting": {
			"{ Thing(id: \"1\") { parts(like: \"a\") { name } } }", "{ a(b: " + strings.Repeat("[", 70) + strings.Repeat("]", 70) + ") }",
			"64 brackets",
		},
		"directives": {
			"{" + strings.Repeat("__typename @skip(if: false) ", 100) + "}",
			"{" + strings.Repeat("__typename @skip(if: false) ", 101) + "}", "100 directives",
		},
		"operations": {"query A { __typename }" + strings.Repeat(" ", 50), manyOperations(51), "51 operations; 50 are allowed"},
		"long names": {"{ __typename }", "{ " + strings.Repeat("n", 129) + " }", "longer than 128"},
		"types": {
			`{ __type(name: "Thing") { fields { type { fields { name } } } } }`,
			`{ __schema { types { fields { type { fields { name } } } } } }`, "nests lists of types",
		},
		"cycles": {
			`{ Thing(id: "1") { ...A } } fragment A on Thing { name }`,
			`{ Thing(id: "1") { ...A } } fragment A on Thing { self { ...B } } fragment B on Thing { ...A }`, "contains itself",
		},
		"unused cycles": {`{ __typename }`, `{ __typename } fragment A on Thing { self { ...A } }`, "contains itself"},
		"expansion":     {`{ __typename }`, fragmentBomb(30, 2), "complexity"},
		"fields":        {`{ __typename }`, manyFields(), "fragments expanded"},
	} {
		if out, _ := h.execute(c.allowed, nil); len(out.Errors) > 0 {
			t.Errorf("%s: refused %v", name, out.Errors[0].Message)
		}
		out := h.refusal(c.refused, "graphql_limit")
		if len(out.Errors) != 1 || !strings.Contains(out.Errors[0].Message, c.message) {
			t.Errorf("%s: %v", name, out.Errors)
		}
	}
}

func manyOperations(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "query Q%d { __typename } ", i)
	}
	return b.String()
}

// manyFields returns operations that are small each, and too large together with their fragment expanded.
func manyFields() string {
	text := "fragment F on Query { " + strings.Repeat("__typename ", 500) + "}"
	for i := range 50 {
		text += fmt.Sprintf(" query Q%d { ...F }", i)
	}
	return text
}

// fragmentBomb returns a document of nested levels, each of which spreads all wide fragments of the next.
func fragmentBomb(levels, wide int) string {
	var b strings.Builder
	spread := func(level int) {
		for j := range wide {
			fmt.Fprintf(&b, "...F%d_%d ", level, j)
		}
	}
	b.WriteString(`{ Thing(id: "1") { `)
	spread(0)
	b.WriteString("} } ")
	for i := range levels {
		for j := range wide {
			fmt.Fprintf(&b, "fragment F%d_%d on Thing { ", i, j)
			if i+1 < levels {
				spread(i + 1)
			} else {
				b.WriteString("name ")
			}
			b.WriteString("} ")
		}
	}
	return b.String()
}

// A fragment is weighed once, however often it is spread.
func TestCostVisitsEverySelectionOnce(t *testing.T) {
	schema := testSchema(t)
	for _, levels := range []int{10, 30, 200} {
		text, err := scan(fragmentBomb(levels, 2))
		if err != nil {
			t.Fatal(err)
		}
		d := parsed(t, text)
		m := &costMeter{schema: &schema, fragments: d.fragments}
		w, err := m.weigh(d.operations[0].def, nil)
		if err != nil || w.cost < 1<<levels && w.cost < costCap {
			t.Errorf("%d levels weigh %d, %v", levels, w.cost, err)
		}
		if selections := 1 + 2 + 2*(2*(levels-1)+1); m.visits != selections {
			t.Errorf("%d levels: %d visits of %d selections", levels, m.visits, selections)
		}
	}
}

func TestLimitsCountVariables(t *testing.T) {
	h := newHarness(t)
	const query = `query($n: Int = 5) { Things(limit: $n) { docs { parts { parts { name } } } } }`
	for n, refused := range map[any]bool{
		nil: false, collection.JSONNumber("20"): false, collection.JSONNumber("500"): true, collection.JSONNumber("9000"): true,
	} {
		out, raw := h.execute(query, map[string]any{"n": n})
		if (len(out.Errors) > 0) != refused || refused && out.Errors[0].Extensions["reason"] != "graphql_limit" {
			t.Errorf("limit %v: %.300s", n, raw.Body)
		}
	}
}

// The introspection query of tools is allowed, but not four times in one document.
func TestIntrospectionCounts(t *testing.T) {
	h := newHarness(t)
	text, err := os.ReadFile("testdata/introspection.graphql") // as GraphiQL sends it
	if err != nil {
		t.Fatal(err)
	}
	if out, raw := h.execute(string(text), nil); len(out.Errors) > 0 || !strings.Contains(string(out.Data), `"Things"`) {
		t.Errorf("%.500s", raw.Body)
	}
	_, fragments, _ := strings.Cut(string(text), "fragment FullType")
	fourfold := "{ a: __schema { ...S } b: __schema { ...S } c: __schema { ...S } d: __schema { ...S } } fragment S on __Schema { types { ...FullType } } fragment FullType" + fragments
	h.refusal(fourfold, "graphql_limit")
}

// Documents designed to make validation slow are refused or answered with little work. The limits above and
// maxErrors bound it; without them this test would not end.
func TestHostileDocumentsAreBounded(t *testing.T) {
	h := newHarness(t)
	fragments := func(each string) string { // chained, each spread beside its successor
		var b strings.Builder
		b.WriteString(`{ Thing(id: "1") { ...F0 } } `)
		for i := range 900 {
			fmt.Fprintf(&b, "fragment F%d on Thing { %s ...F%d } ", i, each, i+1)
		}
		return b.String() + "fragment F900 on Thing { name }"
	}
	for name, document := range map[string]string{
		"one field, thousands of times":  `{ Thing(id: "1") {` + strings.Repeat(" name", 14_000) + "} }",
		"one object, thousands of times": `{ Thing(id: "1") {` + strings.Repeat(" self { name }", 3_600) + "} }",
		"a chain of fragments":           fragments("name"),
		"a chain with objects":           fragments("self { name }"),
		"unknown fields":                 "{" + strings.Repeat(" unknown", 14_000) + "}",
		"unknown types":                  "query(" + strings.Repeat("$a: Unknown ", 3_700) + ") { __typename }",
		"undefined variables":            `{ Thing(id: "1") {` + strings.Repeat(" parts(like: $a) { name }", 1_100) + "} }",
		"one long line with a mistake":   "{ " + strings.Repeat(" ", 900_000) + " ) }",
		"one long text with a mistake":   `{ Thing(id: "` + strings.Repeat("a", 900_000) + `\q") { name } }`,
		"one long text":                  `{ Thing(id: "` + strings.Repeat("a", 900_000) + `") { size } }`,
		"one long text of a wrong type":  `{ Things(limit: "` + strings.Repeat("a", 900_000) + `") { totalDocs } }`,
		"one long comment":               "#" + strings.Repeat("é", 400_000) + "\n{ __typename }",
		"a wide bomb without a field":    fragmentBomb(7, 100),
		"as many operations as variables": strings.Repeat("query($a: Int) { ...F } ", 40) +
			"fragment F on Query { Things(limit: $a) { totalDocs } }",
		"equal arguments, again and again": `{ Thing(id: "1") {` +
			strings.Repeat(` parts(like: "`+strings.Repeat("x", 900)+`") { name }`, 1_000) + "} }",
	} {
		out, raw := h.execute(document, nil)
		if len(out.Errors) > maxErrors || len(raw.Body) > 1_000_000 {
			t.Errorf("%s: %d errors in %d bytes", name, len(out.Errors), len(raw.Body))
		}
		for _, e := range out.Errors {
			if e.Extensions["code"] != "BAD_USER_INPUT" {
				t.Errorf("%s: %v %s", name, e.Extensions, e.Message)
			}
		}
	}
}
