package graphql

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"

	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/language/ast"
	"github.com/graphql-go/graphql/language/parser"
	"github.com/graphql-go/graphql/language/source"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// testSchema has pages of things that contain things, a mutation, and resolvers that fail in every way.
func testSchema(t testing.TB) gql.Schema {
	t.Helper()
	text := gql.String
	numeral := gql.NewScalar(gql.ScalarConfig{
		Name: "Int", Serialize: func(v any) any { return v }, ParseValue: func(v any) any {
			if n, ok := v.(collection.JSONNumber); ok {
				return n
			}
			return nil
		},
		ParseLiteral: func(v ast.Value) any {
			if n, ok := v.(*ast.IntValue); ok {
				return collection.JSONNumber(n.Value)
			}
			return nil
		},
	})
	thing := gql.NewObject(gql.ObjectConfig{Name: "Thing", Fields: gql.Fields{"name": {Type: text}, "size": {Type: numeral}}})
	thing.AddFieldConfig("self", &gql.Field{Type: thing, Resolve: func(p gql.ResolveParams) (any, error) { return p.Source, nil }})
	thing.AddFieldConfig("parts", &gql.Field{Type: gql.NewList(thing), Args: gql.FieldConfigArgument{"like": {Type: text}}})
	page := gql.NewObject(gql.ObjectConfig{
		Name: "Things", Fields: gql.Fields{"docs": {Type: gql.NewList(thing)}, "totalDocs": {Type: numeral}},
	})
	failing := func(err error) gql.FieldResolveFn {
		return func(gql.ResolveParams) (any, error) { return nil, err }
	}
	one := map[string]any{"name": "one", "size": collection.JSONNumber("12345678901234567890.10")}
	query := gql.NewObject(gql.ObjectConfig{Name: "Query", Fields: gql.Fields{
		"Thing": {
			Type: thing, Args: gql.FieldConfigArgument{"id": {Type: gql.NewNonNull(text)}, "size": {Type: numeral}},
			Resolve: func(p gql.ResolveParams) (any, error) { return map[string]any{"name": p.Args["id"]}, nil },
		},
		"Things": {Type: page, Args: gql.FieldConfigArgument{"limit": {Type: numeral}}, Resolve: func(gql.ResolveParams) (any, error) {
			return map[string]any{"docs": []any{one}}, nil
		}},
		"refused": {Type: text, Resolve: failing(fault.Invalidf("name", "Too short."))},
		"broken":  {Type: text, Resolve: failing(errors.New("sql: secret table"))},
		"panics":  {Type: text, Resolve: func(gql.ResolveParams) (any, error) { panic("secret stack") }},
		"later": {Type: text, Resolve: func(gql.ResolveParams) (any, error) {
			return func() (any, error) { panic("secret thunk") }, nil
		}},
	}})
	mutation := gql.NewObject(gql.ObjectConfig{Name: "Mutation", Fields: gql.Fields{"rename": {
		Type: thing, Args: gql.FieldConfigArgument{"name": {Type: text}},
		Resolve: func(p gql.ResolveParams) (any, error) { return map[string]any{"name": p.Args["name"]}, nil },
	}}})
	schema, err := gql.NewSchema(gql.SchemaConfig{Query: query, Mutation: mutation})
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// harness executes documents on an engine and keeps its log.
type harness struct {
	t      testing.TB
	engine *Engine
	log    *bytes.Buffer
}

func newHarness(t testing.TB) harness {
	t.Helper()
	log := &bytes.Buffer{}
	return harness{t, NewEngine(&API{schema: testSchema(t)}, slog.New(slog.NewTextHandler(log, nil))), log}
}

func (h harness) execute(document string, variables map[string]any) (answer, gqlrequest.Response) {
	h.t.Helper()
	return h.answer(gqlrequest.Request{Document: document, Variables: variables, Call: idempotency.Call{RequestID: "r-1"}})
}

func (h harness) answer(req gqlrequest.Request) (answer, gqlrequest.Response) {
	h.t.Helper()
	raw := h.engine.Answer(h.t.Context(), req)
	var out answer
	if err := json.Unmarshal(raw.Body, &out); err != nil {
		h.t.Fatalf("%s: %v", raw.Body, err)
	}
	return out, raw
}

type answer struct {
	Data   json.RawMessage
	Errors []struct {
		Message    string
		Locations  []struct{ Line, Column int }
		Path       []any
		Extensions map[string]any
	}
}

// refusal requires that document is refused, and that every error has the reason.
func (h harness) refusal(document, reason string) answer {
	h.t.Helper()
	out, _ := h.execute(document, nil)
	if len(out.Errors) == 0 || string(out.Data) != "null" {
		h.t.Fatalf("%.200s: answered %s", document, out.Data)
	}
	for _, e := range out.Errors {
		if e.Extensions["reason"] != reason || e.Extensions["code"] != "BAD_USER_INPUT" || e.Extensions["requestId"] != "r-1" {
			h.t.Errorf("%.200s: %s %v, want %s", document, e.Message, e.Extensions, reason)
		}
	}
	return out
}

// parsed is text as a document, before any check.
func parsed(t testing.TB, text *canonicalText) *document {
	t.Helper()
	tree, err := parser.Parse(parser.ParseParams{Source: source.NewSource(&source.Source{Body: text.source})})
	if err != nil {
		t.Fatal(err)
	}
	d := &document{text: text, tree: tree, fragments: map[string]*ast.FragmentDefinition{}}
	if err := d.splitDefinitions(); err != nil {
		t.Fatal(err)
	}
	return d
}
