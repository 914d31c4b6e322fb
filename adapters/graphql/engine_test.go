package graphql

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

func TestResponseKeepsDocumentOrder(t *testing.T) {
	h := newHarness(t)
	out, _ := h.execute(`query Q($id: String!) { z: Thing(id: $id) { ...F name self { size name } } a: Things { totalDocs docs { size ...F } } }
		fragment F on Thing { name self { __typename } }`, map[string]any{"id": "x"})
	want := `{"z":{"name":"x","self":{"__typename":"Thing","size":null,"name":"x"}},"a":{"totalDocs":null,"docs":[{"size":12345678901234567890.10,"name":"one","self":{"__typename":"Thing"}}]}}`
	if string(out.Data) != want {
		t.Errorf("got  %s\nwant %s", out.Data, want)
	}
}

func TestInternalErrorsAreHiddenAndLoggedOnce(t *testing.T) {
	h := newHarness(t)
	out, raw := h.execute("{\n refused broken\n  panics later Thing(id: \"1\") { name }\n}", nil)
	if string(out.Data) != `{"refused":null,"broken":null,"panics":null,"later":null,"Thing":{"name":"1"}}` {
		t.Errorf("data %s", out.Data)
	}
	if len(out.Errors) != 4 {
		t.Fatalf("%s", raw.Body)
	}
	if e := out.Errors[0]; e.Extensions["code"] != "BAD_USER_INPUT" ||
		fmt.Sprint(e.Extensions["fields"]) != "[map[field:name message:Too short.]]" ||
		fmt.Sprint(e.Path, e.Locations) != "[refused] [{2 2}]" {
		t.Errorf("refused: %+v", e)
	}
	for _, e := range out.Errors[1:] {
		if e.Extensions["code"] != "INTERNAL_SERVER_ERROR" {
			t.Errorf("%+v", e)
		}
	}
	if fmt.Sprint(out.Errors[2].Locations) != "[{3 3}]" {
		t.Errorf("the error of panics is located at %v", out.Errors[2].Locations)
	}
	for _, secret := range []string{"secret table", "secret stack", "secret thunk"} {
		if strings.Contains(string(raw.Body), secret) {
			t.Errorf("%q is in the response", secret)
		}
		if n := strings.Count(h.log.String(), secret); n != 1 {
			t.Errorf("%q is logged %d times", secret, n)
		}
	}
	if !strings.Contains(h.log.String(), "harness_test.go") || strings.Count(h.log.String(), "requestId=r-1") != 3 {
		t.Errorf("the log lacks stack or request id: %s", h.log)
	}
}

func TestVariablesMatchTheirTypes(t *testing.T) {
	h := newHarness(t)
	query := `query($id: String!, $size: Int) { Thing(id: $id, size: $size) { name } }`
	for _, bad := range []map[string]any{nil, {"id": nil}, {"id": "1", "size": "much" + strings.Repeat("!", 5000)}} {
		out, raw := h.execute(query, bad)
		if len(out.Errors) != 1 || out.Errors[0].Extensions["reason"] != "graphql_variables" || raw.Fault == nil || len(raw.Body) > 1500 {
			t.Errorf("%s", raw.Body)
		}
	}
	if out, _ := h.execute(query, map[string]any{"id": "1", "size": collection.JSONNumber("5")}); len(out.Errors) > 0 {
		t.Errorf("%+v", out.Errors)
	}
}

func TestOperationIsChosenByName(t *testing.T) {
	h := newHarness(t)
	h.refusal(`query A { __typename } query B { __typename }`, "graphql_operation")
	h.refusal(`fragment F on Thing { name }`, "graphql_operation")
	h.refusal(`subscription { x }`, "graphql_validation")
	if out, _ := h.execute(`subscription { x }`, nil); strings.Contains(out.Errors[0].Message, "/api/") {
		t.Errorf("the error names an address that does not exist: %+v", out.Errors)
	}
	h.refusal(`type A { b: Int }`, "graphql_validation")
}

// Comments and strings in any script, escapes above U+FFFF, block strings and null, all of which the
// library's own scanner misreads.
func TestStringLiterals(t *testing.T) {
	h := newHarness(t)
	for value, want := range map[string]string{
		`"한국어 \uD83D\uDE00 \u{1F600} \"q\" \\ \/ \n"`:          `한국어 😀 😀 \"q\" \\ / \n`,
		"\"\"\"\n    first\n      second \\\"\"\"\n    \"\"\"": `first\n  second \"\"\"`,
		`"a #b"`: "a #b",
	} {
		out, raw := h.execute("# 주석 한글\nmutation { # é\n rename(name: "+value+") { name # 이름\n __typename } }", nil)
		if string(out.Data) != `{"rename":{"name":"`+want+`","__typename":"Thing"}}` {
			t.Errorf("%s: %s", value, raw.Body)
		}
	}
	if out, raw := h.execute(`mutation($n: String = null) { rename(name: null) { name } b: rename(name: $n) { name } }`,
		nil); string(out.Data) != `{"rename":{"name":null},"b":{"name":null}}` {
		t.Errorf("%s", raw.Body)
	}
	h.refusal(`{ Thing(id: null) { name } }`, "graphql_validation")
	h.refusal(`query($__null: String) { Thing(id: $__null) { name } }`, "graphql_syntax")
}

func TestValidationErrorsAreLocated(t *testing.T) {
	h := newHarness(t)
	for document, at := range map[string]string{
		"{\n  Thing(id: \"1\") { nam }\n}":                              "[{2 20}]",
		"{ 한 }":                                                         "[{1 3}]",
		"{ Thing(id: \"\\q\") { name } }":                               "[{1 13}]",
		"{ Thing(id: \"1\") { name }":                                   "[{1 25}]",
		"# 주석\n{ Thing(id: 1) { name } }":                               "[{2 13}]",
		"{ Thing(id: \"1\") { a: name } Thing(id: \"2\") { a: name } }": "[{1 30}]",
	} {
		out, raw := h.execute(document, nil)
		if len(out.Errors) == 0 || fmt.Sprint(out.Errors[0].Locations) != at {
			t.Errorf("%s: %s, want %s", document, raw.Body, at)
		}
	}
	h.refusal("{ Thing(id: \"1\") { ...F } } fragment F on Thing { name: size name }", "graphql_validation")
	h.refusal(`{ Thing(id: "1") { parts(like: "a") { name } parts(like: "b") { name } } }`, "graphql_validation")
	if out, raw := h.execute(`{ Thing(id: "1") { parts(like: "a") { name } parts(like: "a") { size } } }`, nil); len(out.Errors) > 0 {
		t.Errorf("%s", raw.Body)
	}
}

// Execution stops when the client has disconnected; a client that still waits gets a retryable error.
func TestDeadlineEndsExecution(t *testing.T) {
	h := newHarness(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out := h.engine.Answer(ctx, gqlrequest.Request{Document: `{ Thing(id: "1") { name } panics }`})
	if out.Fault == nil || out.Fault.Kind != fault.Unavailable || !strings.Contains(string(out.Body), `"UNAVAILABLE"`) || h.log.Len() > 0 {
		t.Errorf("%s %s", out.Body, h.log)
	}
}
