package graphql

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Where nothing could be run, data is null, and each error has the place that caused it if it is in the document.
func TestRefusalsHaveDataAndPlaces(t *testing.T) {
	deep := strings.Repeat("\n self {", maxDepth)
	for name, c := range map[string]struct {
		request gqlrequest.Request
		places  string
	}{
		"an unfinished document":  {gqlrequest.Request{Document: "{\n  Thing("}, "[[{2 8}]]"},
		"an unknown field":        {gqlrequest.Request{Document: "{\n  Thing(id: \"1\") { nam }\n}"}, "[[{2 20}]]"},
		"two unknown fields":      {gqlrequest.Request{Document: "{ a\n b }"}, "[[{1 3}] [{2 2}]]"},
		"brackets without an end": {gqlrequest.Request{Document: strings.Repeat("{", maxNesting+1)}, "[[{1 65}]]"},
		"a name without an end":   {gqlrequest.Request{Document: "{\n" + strings.Repeat("n", maxName+1) + "}"}, "[[{2 1}]]"},
		"too many tokens":         {gqlrequest.Request{Document: strings.Repeat("a ", maxTokens) + "\n a"}, "[[{2 2}]]"},
		"too many operations": {
			gqlrequest.Request{Document: strings.Repeat("query Q { __typename }\n", maxOperations+1)}, fmt.Sprintf("[[{%d 1}]]", maxOperations+1),
		},
		"too many fields": {
			gqlrequest.Request{Document: strings.Repeat("query Q { ...F }\n", 45) + repeated(450)}, "[[{45 1}]]",
		},
		"fields too deep": {
			gqlrequest.Request{Document: "query A { __typename }\nquery B { Thing(id: \"1\")  {" + deep + " name" + strings.Repeat("}", maxDepth+2)},
			"[[{2 1}]]",
		},
		"a fragment in itself": {
			gqlrequest.Request{Document: "{ Thing(id: \"1\") { ...F } }\n\nfragment F on Thing { self { ...F } }"}, "[[{3 1}]]",
		},
		"a limit in a variable": {
			gqlrequest.Request{
				Document:  "\nquery($n: Int) { Things(limit: $n) { docs { " + strings.Join(aliases(60), " ") + " } } }",
				Variables: map[string]any{"n": collection.JSONNumber("500")},
			}, "[[{2 1}]]",
		},
		"a variable without a value": {gqlrequest.Request{Document: "query(\n  $id: String!) { Thing(id: $id) { name } }"}, "[[{2 3}]]"},
		"a false token": {
			gqlrequest.Request{Document: "{ __typename\n Thing(id: \"1\") { name } }", AuthError: fault.ErrUnauthenticated}, "[[{2 2}]]",
		},
		// no place in the document
		"no operation":      {gqlrequest.Request{Document: "fragment F on Thing { name }"}, "[[]]"},
		"an unknown name":   {gqlrequest.Request{Document: "query A { __typename }", Operation: "B"}, "[[]]"},
		"a choice of names": {gqlrequest.Request{Document: "query A { __typename } query B { __typename }"}, "[[]]"},
	} {
		h := newHarness(t)
		c.request.Call = idempotency.Call{RequestID: "r-1"}
		out, raw := h.answer(c.request)
		var places []any
		for _, e := range out.Errors {
			places = append(places, e.Locations)
		}
		if got := fmt.Sprint(places); string(out.Data) != "null" || got != c.places || raw.Fault == nil {
			t.Errorf("%s: errors at %s, want %s: %.300s", name, got, c.places, raw.Body)
		}
	}
}

// repeated is a fragment F with n fields.
func repeated(n int) string {
	return "fragment F on Query { " + strings.Repeat("__typename ", n) + "}"
}

// aliases are n fields with names of their own.
func aliases(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("n%d: name", i)
	}
	return out
}
