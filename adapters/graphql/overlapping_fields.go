package graphql

import (
	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/language/ast"
	"github.com/graphql-go/graphql/language/printer"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
)

// checkOverlappingFields refuses fields that have the same response key but different names or arguments. The
// library's own rule compares every pair of fields and fragments, which takes exponential time for a hostile
// document; this one visits every field once, with fragments expanded, which maxFields bounds.
//
// It is stricter than the specification for fields on different types of a union, but the schema has no unions.
// Errors: ErrInvalid.
func (d *document) checkOverlappingFields(schema *gql.Schema) error {
	c := &overlapChecker{document: d, schema: schema, arguments: map[*ast.Field]string{}}
	for _, op := range d.operations {
		root := schema.QueryType()
		if op.def.Operation == ast.OperationTypeMutation {
			root = schema.MutationType()
		}
		if err := c.level([]typedSelection{{op.def.SelectionSet, root}}); err != nil {
			return err
		}
	}
	d.size = 2*len(d.text.source) + 250*len(d.text.starts)
	return nil
}

type overlapChecker struct {
	*document

	schema    *gql.Schema
	arguments map[*ast.Field]string // in canonical form, of the fields compared so far
}

// typedSelection is a selection on a type.
type typedSelection struct {
	set *ast.SelectionSet
	on  gql.Type
}

// responseKey is the fields with one response key: the first of them, and the selections of all.
type responseKey struct {
	first *ast.Field
	below []typedSelection
}

// responseKeys are those of one object of the response, in document order.
type responseKeys struct {
	byKey map[string]*responseKey
	order []*responseKey
	seen  map[string]bool // fragments
}

// level checks the fields that sets select together, and then the levels below.
func (c *overlapChecker) level(sets []typedSelection) error {
	here := &responseKeys{byKey: map[string]*responseKey{}, seen: map[string]bool{}}
	for _, s := range sets {
		if err := c.collect(here, s); err != nil {
			return err
		}
	}
	for _, m := range here.order {
		if len(m.below) == 0 {
			continue
		}
		if err := c.level(m.below); err != nil {
			return err
		}
	}
	return nil
}

// collect adds the fields of s and of its fragments, each fragment once per level.
func (c *overlapChecker) collect(here *responseKeys, s typedSelection) error {
	for _, selection := range s.set.Selections {
		var err error
		switch sel := selection.(type) {
		case *ast.Field:
			err = c.add(here, sel, s.on)
		case *ast.InlineFragment:
			on := s.on
			if sel.TypeCondition != nil {
				on = c.schema.Type(sel.TypeCondition.Name.Value)
			}
			err = c.collect(here, typedSelection{sel.SelectionSet, on})
		case *ast.FragmentSpread:
			if def := c.fragments[sel.Name.Value]; def != nil && !here.seen[sel.Name.Value] {
				here.seen[sel.Name.Value] = true
				err = c.collect(here, typedSelection{def.SelectionSet, c.schema.Type(def.TypeCondition.Name.Value)})
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *overlapChecker) add(here *responseKeys, f *ast.Field, on gql.Type) error {
	key := f.Name.Value
	if f.Alias != nil {
		key = f.Alias.Value
	}
	m := here.byKey[key]
	if m == nil {
		m = &responseKey{first: f}
		here.byKey[key] = m
		here.order = append(here.order, m)
	} else if m.first != f && (m.first.Name.Value != f.Name.Value || c.argumentText(m.first) != c.argumentText(f)) {
		return c.locate(f, gqlrequest.ErrInvalid.WithMessage(
			"Two fields share the response key %q but have different names or arguments. Give one of them an alias.", key))
	}
	if f.SelectionSet != nil {
		if def := fieldOf(c.schema, on, f.Name.Value); def != nil {
			m.below = append(m.below, typedSelection{f.SelectionSet, gql.GetNamed(def.Type).(gql.Type)})
		}
	}
	return nil
}

// argumentText is the arguments of f as text, independent of their order.
func (c *overlapChecker) argumentText(f *ast.Field) string {
	text, known := c.arguments[f]
	if !known {
		text = printArguments(f.Arguments)
		c.arguments[f] = text
	}
	return text
}

func printArguments(arguments []*ast.Argument) string {
	byName := map[string]string{}
	for _, a := range arguments {
		text, _ := printer.Print(a.Value).(string)
		byName[a.Name.Value] = text
	}
	return sortedText(byName)
}
