package graphql

import (
	"errors"
	"strings"
	"testing"

	"github.com/graphql-go/graphql/language/ast"
	"github.com/graphql-go/graphql/language/visitor"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// FuzzRead parses any text as a document: it is accepted, or refused as invalid; scanning its canonical form
// again adds no tokens; and weighing visits each of its selections at most twice, however often fragments
// repeat them.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		shopQuery, fragmentBomb(4, 3), "# 한글\n{ Thing(id: \"\\u{1F600}\") { a: name } }",
		`mutation($n: String = null) { rename(name: null) { name } }`,
		"{ Thing(id: \"\"\"\n  a\n   b\"\"\") { ...F } } fragment F on Thing { self { ...F } }",
		"query($a: [Int!]! = [1, -2.5e+3]) { __typename @skip(if: true) }", "{ __schema { types { name } } }", "{ a",
		"\ufeff{ a(b: {c: [null, $d]}) }", "\"\"\"\\\"\"\"\"\"\"", "{ \"\\ud800\" }",
	} {
		f.Add(seed)
	}
	schema := testSchema(f)
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := parseDocument(&API{schema: schema}, text)
		if err != nil {
			if refused, ok := errors.AsType[*fault.Error](err); !ok || refused.Kind != fault.Invalid {
				t.Errorf("%v", err)
			}
			return
		}
		again, err := scan(strings.ReplaceAll(string(doc.text.source), "$\n"+nullVariable, "null"))
		if err != nil || again.tokens > doc.text.tokens || len(doc.text.starts) != len(doc.text.positions) {
			t.Errorf("the canonical form has %d tokens of %d: %v", again.tokens, doc.text.tokens, err)
		}
		selections := 0
		visitor.Visit(doc.tree, &visitor.VisitorOptions{Enter: func(p visitor.VisitFuncParams) (string, any) {
			switch p.Node.(type) {
			case *ast.Field, *ast.FragmentSpread, *ast.InlineFragment:
				selections++
			}
			return visitor.ActionNoChange, nil
		}}, nil)
		m := &costMeter{schema: &schema, fragments: doc.fragments}
		for _, op := range doc.operations {
			before := m.visits
			if _, err := m.weigh(op.def, nil); err != nil || m.visits-before > 2*selections {
				t.Errorf("%d visits of %d selections, %v", m.visits-before, selections, err)
			}
		}
	})
}
