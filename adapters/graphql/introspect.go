package graphql

import (
	"errors"

	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/language/ast"
)

// introspect resolves __schema and __type with the library's own executor.
func (r *run) introspect(f *plannedField) (any, error) {
	selected := *f.node
	selected.SelectionSet = ast.NewSelectionSet(&ast.SelectionSet{})
	for _, set := range f.sets {
		selected.SelectionSet.Selections = append(selected.SelectionSet.Selections, set.Selections...)
	}
	op := *r.Operation
	op.SelectionSet = ast.NewSelectionSet(&ast.SelectionSet{Selections: []ast.Selection{&selected}})
	op.VariableDefinitions, op.Directives = nil, nil
	doc := ast.NewDocument(&ast.Document{Definitions: []ast.Node{&op}})
	for _, def := range r.Fragments {
		doc.Definitions = append(doc.Definitions, def)
	}
	answer := gql.Execute(gql.ExecuteParams{Schema: r.schema, AST: doc, Context: r.ctx})
	if len(answer.Errors) > 0 {
		return nil, errors.New(answer.Errors[0].Message)
	}
	data, _ := answer.Data.(map[string]any)
	return data[f.key], nil
}
