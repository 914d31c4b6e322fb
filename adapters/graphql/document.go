package graphql

import (
	"errors"
	"strings"

	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/gqlerrors"
	"github.com/graphql-go/graphql/language/ast"
	"github.com/graphql-go/graphql/language/parser"
	"github.com/graphql-go/graphql/language/source"

	"github.com/cartwright-dev/cartwright/app/querying"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// document is a request text that was parsed and fits the schema. It is shared by requests and never changed.
type document struct {
	text       *scanned
	tree       *ast.Document
	fragments  map[string]*ast.FragmentDefinition
	operations []*action
	size       int // bytes it takes in memory, about
}

// action is one operation of a document.
type action struct {
	def    *ast.OperationDefinition
	weight weight // without variables
}

// read makes a document of text. What is cheap and bounds the rest comes first. Errors: ErrSyntax, ErrDocument, ErrInvalid,
// or several as invalid.
func read(schema *gql.Schema, text string) (d *document, err error) {
	defer catch(&d, &err) // the library's rules take documents apart that its parser took for whole
	canonical, err := scan(text)
	if err != nil {
		return nil, err
	}
	d = &document{text: canonical, fragments: map[string]*ast.FragmentDefinition{}}
	// Without its source the parser's nodes know their offset only, and errors cost nothing to place.
	d.tree, err = parser.Parse(parser.ParseParams{Source: source.NewSource(&source.Source{Body: canonical.source}), Options: parser.ParseOptions{NoSource: true}})
	if err != nil {
		return nil, d.syntax(err)
	}
	if err := d.sort(); err != nil {
		return nil, err
	}
	if err := d.weigh(schema); err != nil {
		return nil, err
	}
	if err := d.validate(schema); err != nil {
		return nil, err
	}
	return d, d.agree(schema)
}

// syntax says where the parser stopped.
func (d *document) syntax(err error) error {
	at, what := position{1, 1}, "something else is expected here"
	if e, ok := errors.AsType[*gqlerrors.Error](err); ok && len(e.Positions) > 0 {
		at = d.text.place(e.Positions[0])
		line, _, _ := strings.Cut(e.Message, "\n")
		if _, told, ok := strings.Cut(line, ") "); ok {
			what = strings.ReplaceAll(clip(told), nullVariable, "null")
		}
	}
	return located{querying.ErrSyntax.Saying("The document is not valid GraphQL: %s.", what), at}
}

// sort takes the document apart. Errors: ErrInvalid for what is neither query nor mutation nor fragment.
func (d *document) sort() error {
	directives := 0
	for _, def := range d.tree.Definitions {
		switch def := def.(type) {
		case *ast.OperationDefinition:
			if def.Operation == ast.OperationTypeSubscription {
				return d.at(def, querying.ErrInvalid.Saying("There are no subscriptions."))
			}
			for _, v := range def.VariableDefinitions {
				if !named(v.Type) {
					return d.at(v, querying.ErrSyntax.Saying("The variable $%s has no type.", v.Variable.Name.Value))
				}
			}
			d.operations = append(d.operations, &action{def: def})
		case *ast.FragmentDefinition:
			d.fragments[def.Name.Value] = def
		default:
			return d.at(def, querying.ErrInvalid.Saying("A document has queries, mutations and fragments only."))
		}
	}
	for i, b := range d.text.starts {
		if d.text.source[b] == '@' {
			directives++
		}
		if directives > maxDirectives {
			return located{querying.ErrDocument.Saying("The document has more than %d directives.", maxDirectives), d.text.places[i]}
		}
	}
	switch n := len(d.operations); {
	case n == 0:
		return querying.ErrOperation.Saying("The document has no operation.")
	case n > maxOperations:
		return querying.ErrDocument.Saying("The document has %d operations; %d are allowed.", n, maxOperations)
	}
	return nil
}

// named reports whether a type ends in a name: the parser takes [] for one.
func named(t ast.Type) bool {
	switch t := t.(type) {
	case *ast.List:
		return named(t.Type)
	case *ast.NonNull:
		return named(t.Type)
	case *ast.Named:
		return t != nil
	}
	return false
}

// at is f at the place of node.
func (d *document) at(node ast.Node, f *fault.Error) error {
	return located{f, d.text.place(node.GetLoc().Start)}
}

// weigh holds every operation to the limits, and the unused fragments to those that bound validation.
func (d *document) weigh(schema *gql.Schema) error {
	m := &meter{schema: schema, fragments: d.fragments}
	var fields int64
	for _, op := range d.operations {
		w, err := m.weigh(op.def, nil)
		if err != nil {
			return err
		}
		if !w.byVariable {
			if err := w.check(); err != nil {
				return err
			}
		}
		op.weight = w
		fields += w.fields
	}
	if fields > maxFields {
		return querying.ErrDocument.Saying("The document has more than %d fields with its fragments written out.", maxFields)
	}
	for name := range d.fragments { // unused ones must not turn in circles either
		if _, err := m.fragment(name, false); err != nil {
			return err
		}
	}
	return nil
}

// choose finds the operation to run. Errors: ErrOperation.
func (d *document) choose(name string) (*action, error) {
	if name == "" {
		if len(d.operations) > 1 {
			return nil, querying.ErrOperation.Saying("The document has several operations: say which with operationName.")
		}
		return d.operations[0], nil
	}
	for _, op := range d.operations {
		if op.def.Name != nil && op.def.Name.Value == name {
			return op, nil
		}
	}
	return nil, querying.ErrOperation.Saying("The document has no operation named %q.", clip(name))
}

// clip keeps a text of the client's short enough to repeat.
func clip(text string) string {
	const most = 300
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}
