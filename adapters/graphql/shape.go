package graphql

import (
	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/language/ast"
	"github.com/graphql-go/graphql/language/printer"
)

// shape is the members of one object of an answer, in the order in which the document asks for them.
type shape struct {
	keys []string
	sub  []*shape // of each key; nil for plain values
}

// outline finds the shape of every operation's answer, and refuses members that mean different things. The library's own
// rule for that compares every pair of fields and fragments, which a hostile document makes exponential; this one looks
// at every field once, fragments written out, which maxFields bounds.
//
// It is stricter than the standard where a member stands on different types of a union: the schema has none.
// Errors: ErrInvalid.
func (d *document) outline(schema *gql.Schema) error {
	o := &outliner{document: d, schema: schema, arguments: map[*ast.Field]string{}}
	for _, op := range d.operations {
		root := schema.QueryType()
		if op.def.Operation == ast.OperationTypeMutation {
			root = schema.MutationType()
		}
		var err error
		if op.shape, err = o.level([]selected{{op.def.SelectionSet, root}}); err != nil {
			return err
		}
	}
	d.size = 2*len(d.text.source) + 250*len(d.text.starts) + 64*o.members
	return nil
}

type outliner struct {
	*document

	schema    *gql.Schema
	arguments map[*ast.Field]string // in canonical form, of those that were compared
	members   int
}

// selected is a selection on a type.
type selected struct {
	set *ast.SelectionSet
	on  gql.Type
}

// member is what is asked under one key: the first field, and the selections of all.
type member struct {
	first *ast.Field
	below []selected
}

// level is the shape of what sets ask for together.
func (o *outliner) level(sets []selected) (*shape, error) {
	out := &shape{}
	members := map[string]*member{}
	seen := map[string]bool{}
	for _, s := range sets {
		if err := o.collect(out, members, seen, s); err != nil {
			return nil, err
		}
	}
	out.sub = make([]*shape, len(out.keys))
	for i, key := range out.keys {
		m := members[key]
		if len(m.below) == 0 {
			continue
		}
		var err error
		if out.sub[i], err = o.level(m.below); err != nil {
			return nil, err
		}
	}
	o.members += len(out.keys)
	return out, nil
}

// collect adds the fields of s, through fragments; each fragment once a level.
func (o *outliner) collect(out *shape, members map[string]*member, seen map[string]bool, s selected) error {
	for _, selection := range s.set.Selections {
		var err error
		switch sel := selection.(type) {
		case *ast.Field:
			err = o.add(out, members, sel, s.on)
		case *ast.InlineFragment:
			on := s.on
			if sel.TypeCondition != nil {
				on = o.schema.Type(sel.TypeCondition.Name.Value)
			}
			err = o.collect(out, members, seen, selected{sel.SelectionSet, on})
		case *ast.FragmentSpread:
			if def := o.fragments[sel.Name.Value]; def != nil && !seen[sel.Name.Value] {
				seen[sel.Name.Value] = true
				err = o.collect(out, members, seen, selected{def.SelectionSet, o.schema.Type(def.TypeCondition.Name.Value)})
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (o *outliner) add(out *shape, members map[string]*member, f *ast.Field, on gql.Type) error {
	key := f.Name.Value
	if f.Alias != nil {
		key = f.Alias.Value
	}
	m := members[key]
	if m == nil {
		m = &member{first: f}
		members[key] = m
		out.keys = append(out.keys, key)
	} else if m.first != f && (m.first.Name.Value != f.Name.Value || o.told(m.first) != o.told(f)) {
		return o.at(f, ErrInvalid.Saying("Two fields both answer as %q although they ask for different things. Give one an alias.", key))
	}
	if f.SelectionSet != nil {
		if def := fieldOf(o.schema, on, f.Name.Value); def != nil {
			m.below = append(m.below, selected{f.SelectionSet, gql.GetNamed(def.Type).(gql.Type)})
		}
	}
	return nil
}

// told is the arguments of f as text; their order means nothing.
func (o *outliner) told(f *ast.Field) string {
	text, known := o.arguments[f]
	if !known {
		text = argumentText(f.Arguments)
		o.arguments[f] = text
	}
	return text
}

func argumentText(arguments []*ast.Argument) string {
	byName := map[string]string{}
	for _, a := range arguments {
		text, _ := printer.Print(a.Value).(string)
		byName[a.Name.Value] = text
	}
	return sortedText(byName)
}
