package main

import (
	"os"
	"testing"

	"github.com/graphql-go/graphql/language/parser"
)

// goldenSchema is the reviewed schema of this version, which code generators may take from the tree.
const goldenSchema = "../../adapters/graphql/schema.graphql"

// The GraphQL schema changes only where somebody meant it to: run go test -update and review the difference.
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
	reviewed, err := os.ReadFile(goldenSchema)
	if err != nil || string(reviewed) != text {
		t.Errorf("the schema is another than %s (%v): go test ./cmd/cartwright -run GraphQLSchema -update", goldenSchema, err)
	}
}
