package program

import (
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/graphql-go/graphql/language/parser"
)

// goldenSchema is the reviewed schema of this version; code generators may read it.
const goldenSchema = "../../../adapters/graphql/schema.graphql"

// Every change of the GraphQL schema is reviewed: run go test -update and look at the difference.
func TestGraphQLSchemaMatchesGolden(t *testing.T) {
	t.Parallel()
	text, err := process{}.graphQLSDL()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(parser.ParseParams{Source: text}); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(goldenSchema, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(goldenSchema)
	if err != nil || string(golden) != text {
		t.Errorf("the schema differs from %s (%v): go test ./cmd/cartwright/program -run GraphQLSchema -update", goldenSchema, err)
	}
}

// sharedFields are the GraphQL fields of operations that share one with another operation.
var sharedFields = map[string]string{"apiKeys.delete": "apiKeyRevoke", "media.create": "createMedia", "media.update": "updateMedia"}

// restOnly are operations without a GraphQL field.
var restOnly = []string{"auth.token"}

// Every operation is a GraphQL field: a mutation if it changes something, else a query. Operations that do not answer
// with JSON exist over REST only. Rule graphql-1.
func TestEveryOperationHasGraphQLField(t *testing.T) {
	t.Parallel()
	s, _ := startServerWithClock(t, nil)
	const document = `{ __schema { mutationType { fields(includeDeprecated: true) { name } } queryType { fields(includeDeprecated: true) { name } } } }`
	raw, err := json.Marshal(map[string]string{"query": document})
	if err != nil {
		t.Fatal(err)
	}
	_, a := requestJSON(t, "POST", s.BaseURL+"/api/graphql", string(raw), "X-API-Key: "+s.NewCredentials.SecretKey)
	fields := map[string]bool{}
	for kind, of := range a["data"].(map[string]any)["__schema"].(map[string]any) {
		for _, f := range of.(map[string]any)["fields"].([]any) {
			fields[kind+" "+f.(map[string]any)["name"].(string)] = true
		}
	}
	for _, o := range s.operations() {
		if o.Produces != nil || slices.Contains(restOnly, o.Name) {
			continue
		}
		kind := map[bool]string{true: "mutationType", false: "queryType"}[o.Mutates]
		name := cmp.Or(o.GraphQL, sharedFields[o.Name])
		if o.GraphQLField != nil {
			name = o.GraphQLField.Name
		}
		if !fields[kind+" "+name] {
			t.Errorf("%s is no field of %s", o.Name, kind)
		}
	}
}
