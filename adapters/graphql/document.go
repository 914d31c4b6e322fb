package graphql

import (
	"errors"
	"strings"

	"github.com/graphql-go/graphql/gqlerrors"
	"github.com/graphql-go/graphql/language/ast"
	"github.com/graphql-go/graphql/language/parser"
	"github.com/graphql-go/graphql/language/source"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// document is a parsed and valid request. Requests share it, and it is never changed.
type document struct {
	text       *canonicalText
	tree       *ast.Document
	fragments  map[string]*ast.FragmentDefinition
	operations []*documentOperation
	size       int // estimated bytes in memory
}

// documentOperation is one operation of a document.
type documentOperation struct {
	def    *ast.OperationDefinition
	weight weight // without variables
}

// parseDocument parses and validates text. Cheap checks that bound the others come first. Errors: ErrSyntax,
// ErrDocument, ErrInvalid, or several of them as invalid.
func parseDocument(api *API, text string) (d *document, err error) {
	defer recoverInto(&d, &err) // the library's rules can panic on documents that its parser accepted
	canonical, err := scan(text)
	if err != nil {
		return nil, err
	}
	d = &document{text: canonical, fragments: map[string]*ast.FragmentDefinition{}}
	// Without the source, nodes keep their offset only, and the library does not compute the positions of errors.
	d.tree, err = parser.Parse(parser.ParseParams{
		Source: source.NewSource(&source.Source{Body: canonical.source}), Options: parser.ParseOptions{NoSource: true},
	})
	if err != nil {
		return nil, d.syntaxFault(err)
	}
	if err := d.splitDefinitions(); err != nil {
		return nil, err
	}
	if err := d.weigh(api); err != nil {
		return nil, d.locateFault(err)
	}
	if err := d.validate(&api.schema); err != nil {
		return nil, err
	}
	return d, d.checkOverlappingFields(&api.schema)
}

// syntaxFault reports where the parser stopped.
func (d *document) syntaxFault(err error) error {
	at, what := position{1, 1}, "something else is expected here"
	if e, ok := errors.AsType[*gqlerrors.Error](err); ok && len(e.Positions) > 0 {
		at = d.text.positionAt(e.Positions[0])
		line, _, _ := strings.Cut(e.Message, "\n")
		if _, problem, ok := strings.Cut(line, ") "); ok {
			what = strings.ReplaceAll(truncate(problem), nullVariable, "null")
		}
	}
	return locatedFault{gqlrequest.ErrSyntax.WithMessage("The document is not valid GraphQL: %s.", what), at}
}

// splitDefinitions sorts the definitions into operations and fragments. Errors: ErrInvalid for any other
// kind.
func (d *document) splitDefinitions() error {
	directives := 0
	for _, def := range d.tree.Definitions {
		switch def := def.(type) {
		case *ast.OperationDefinition:
			if def.Operation == ast.OperationTypeSubscription {
				return d.locate(def, gqlrequest.ErrInvalid.WithMessage("Subscriptions are not supported."))
			}
			for _, v := range def.VariableDefinitions {
				if !hasTypeName(v.Type) {
					return d.locate(v, gqlrequest.ErrSyntax.WithMessage("The variable $%s has no type.", v.Variable.Name.Value))
				}
			}
			d.operations = append(d.operations, &documentOperation{def: def})
		case *ast.FragmentDefinition:
			d.fragments[def.Name.Value] = def
		default:
			return d.locate(def, gqlrequest.ErrInvalid.WithMessage("A document can contain queries, mutations and fragments only."))
		}
	}
	for i, b := range d.text.starts {
		if d.text.source[b] == '@' {
			directives++
		}
		if directives > maxDirectives {
			return locatedFault{
				gqlrequest.ErrTooComplex.WithMessage("The document has more than %d directives.", maxDirectives), d.text.positions[i],
			}
		}
	}
	switch n := len(d.operations); {
	case n == 0:
		return gqlrequest.ErrOperation.WithMessage("The document has no operation.")
	case n > maxOperations:
		return d.locate(d.operations[maxOperations].def,
			gqlrequest.ErrTooComplex.WithMessage("The document has %d operations; %d are allowed.", n, maxOperations))
	}
	return nil
}

// hasTypeName reports whether a type has a name; the parser accepts [] without one.
func hasTypeName(t ast.Type) bool {
	switch t := t.(type) {
	case *ast.List:
		return hasTypeName(t.Type)
	case *ast.NonNull:
		return hasTypeName(t.Type)
	case *ast.Named:
		return t != nil
	}
	return false
}

// locate is f with the position of node.
func (d *document) locate(node ast.Node, f *fault.Error) error {
	return locatedFault{f, d.text.positionAt(node.GetLoc().Start)}
}

// locateFault replaces the node of a fault by its position.
func (d *document) locateFault(err error) error {
	if at, ok := errors.AsType[nodeFault](err); ok {
		return d.locate(at.node, at.fault)
	}
	return err
}

// weigh checks every operation against the limits, and unused fragments against those that bound validation.
func (d *document) weigh(api *API) error {
	m := &costMeter{schema: &api.schema, expensive: api.expensive, fragments: d.fragments}
	var fields int64
	for _, op := range d.operations {
		w, err := m.weigh(op.def, nil)
		if err != nil {
			return err
		}
		if !w.dependsOnVariable {
			if err := w.check(op.def); err != nil {
				return err
			}
		}
		op.weight = w
		if fields += w.fields; fields > maxFields {
			return nodeFault{
				gqlrequest.ErrTooComplex.WithMessage("The document has more than %d fields with its fragments expanded.", maxFields), op.def,
			}
		}
	}
	for name := range d.fragments { // unused fragments must not have cycles either
		if _, err := m.fragment(name, false); err != nil {
			return err
		}
	}
	return nil
}

// choose selects the operation to run. Errors: ErrOperation.
func (d *document) choose(name string) (*documentOperation, error) {
	if name == "" {
		if len(d.operations) > 1 {
			return nil, gqlrequest.ErrOperation.WithMessage("The document has several operations: choose one with operationName.")
		}
		return d.operations[0], nil
	}
	for _, op := range d.operations {
		if op.def.Name != nil && op.def.Name.Value == name {
			return op, nil
		}
	}
	return nil, gqlrequest.ErrOperation.WithMessage("The document has no operation named %q.", truncate(name))
}

// truncate shortens a client's text for an error message.
func truncate(text string) string {
	const maxBytes = 300
	if len(text) <= maxBytes {
		return text
	}
	return text[:maxBytes] + "…"
}
