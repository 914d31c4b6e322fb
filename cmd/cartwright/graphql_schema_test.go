package main

import (
	"os"
	"testing"

	"github.com/graphql-go/graphql/language/parser"
)

// goldenSchema is the reviewed schema of this version; code generators may read it.
const goldenSchema = "../../adapters/graphql/schema.graphql"

// Every change of the GraphQL schema is reviewed: run go test -update and look at the difference.
func TestGraphQLSchemaMatchesGolden(t *testing.T) {
	t.Parallel()
	text, err := graphQLSDL()
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
		t.Errorf("the schema differs from %s (%v): go test ./cmd/cartwright -run GraphQLSchema -update", goldenSchema, err)
	}
}
