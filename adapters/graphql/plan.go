package graphql

import (
	"slices"

	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/language/ast"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// plan is a selection on objects of one type, in document order: fragments are expanded, @skip and @include
// are applied, and fields with the same response key are merged. It is made once per request, not once per
// record.
type plan struct {
	on        *gql.Object
	fields    []*plannedField
	allDirect bool // all fields are
}

// plannedField is one response key of an object.
type plannedField struct {
	key         string
	name        string
	def         *gql.FieldDefinition
	node        *ast.Field // the first of its key
	sets        []*ast.SelectionSet
	recordField *recordField // nil: a join, or a field with a resolver
	join        *collection.Join
	args        map[string]any
	argErr      error
	sub         *plan // of objects below
	list        bool
	nonNull     bool
	// nonNullItems means that no item of the list may be null.
	nonNullItems bool
	// direct means that the field is encoded directly from the record: there is nothing to load or compute before.
	direct bool
	// hidden means that the principal may not read the field, which is reported once.
	hidden, hiddenReported bool
}

// planner makes the plans for one request.
type planner struct {
	inputReader

	fragments map[string]*ast.FragmentDefinition
	audience  collection.Audience
}

// plan is the plan for sets on a type.
func (p *planner) plan(on *gql.Object, sets []*ast.SelectionSet) *plan {
	out := &plan{on: on, allDirect: true}
	byKey := map[string]*plannedField{}
	seen := map[string]bool{}
	for _, set := range sets {
		p.collect(out, byKey, seen, set)
	}
	for _, f := range out.fields {
		p.describeField(f, on)
		out.allDirect = out.allDirect && f.direct
	}
	return out
}

// collect adds the fields of set and of its fragments, each fragment once per level.
func (p *planner) collect(out *plan, byKey map[string]*plannedField, seen map[string]bool, set *ast.SelectionSet) {
	if set == nil {
		return
	}
	for _, selection := range set.Selections {
		switch s := selection.(type) {
		case *ast.Field:
			if p.included(s.Directives) {
				out.add(byKey, s)
			}
		case *ast.InlineFragment:
			if p.included(s.Directives) && matches(out.on, s.TypeCondition) {
				p.collect(out, byKey, seen, s.SelectionSet)
			}
		case *ast.FragmentSpread:
			def := p.fragments[s.Name.Value]
			if def != nil && !seen[s.Name.Value] && p.included(s.Directives) && matches(out.on, def.TypeCondition) {
				seen[s.Name.Value] = true
				p.collect(out, byKey, seen, def.SelectionSet)
			}
		}
	}
}

// matches reports whether a fragment applies to objects of the type. The schema has no interfaces and no unions.
func matches(on *gql.Object, condition *ast.Named) bool {
	return condition == nil || condition.Name.Value == on.Name()
}

// included reports whether @skip and @include keep a selection.
func (p *planner) included(directives []*ast.Directive) bool {
	for _, d := range directives {
		skip := d.Name.Value == gql.SkipDirective.Name
		if !skip && d.Name.Value != gql.IncludeDirective.Name {
			continue
		}
		value, _, err := p.argument(gql.Boolean, argumentValue(d.Arguments, "if"))
		if on, _ := value.(bool); err == nil && on == skip {
			return false
		}
	}
	return true
}

func (pl *plan) add(byKey map[string]*plannedField, f *ast.Field) {
	key := f.Name.Value
	if f.Alias != nil {
		key = f.Alias.Value
	}
	one := byKey[key]
	if one == nil {
		one = &plannedField{key: key, name: f.Name.Value, node: f}
		byKey[key] = one
		pl.fields = append(pl.fields, one)
	}
	if f.SelectionSet != nil {
		one.sets = append(one.sets, f.SelectionSet)
	}
}

// describeField completes f with the definition of the field on the type.
func (p *planner) describeField(f *plannedField, on *gql.Object) {
	if f.name == gql.TypeNameMetaFieldDef.Name {
		f.def, f.direct, f.nonNull = gql.TypeNameMetaFieldDef, true, true
		return
	}
	if f.def = on.Fields()[f.name]; f.def == nil {
		return // __schema or __type: validation refused all other unknown fields
	}
	t := f.def.Type
	if n, ok := t.(*gql.NonNull); ok {
		f.nonNull, t = true, n.OfType.(gql.Output)
	}
	if list, ok := t.(*gql.List); ok {
		f.list = true
		_, f.nonNullItems = list.OfType.(*gql.NonNull)
	}
	if object, ok := gql.GetNamed(t).(*gql.Object); ok {
		f.sub = p.plan(object, f.sets)
	}
	f.recordField, f.join = p.recordFields[on.Name()][f.name], p.joins[on.Name()][f.name]
	if f.recordField == nil {
		f.args, f.argErr = p.arguments(f.def, f.node.Arguments)
		return
	}
	f.hidden = f.recordField.VisibleTo > p.audience
	f.direct = f.hidden || !f.recordField.Kind.Related() && (f.sub == nil || f.sub.allDirect)
}

// selects reports whether one of the fields is selected.
func (pl *plan) selects(names ...string) bool {
	return slices.ContainsFunc(pl.fields, func(f *plannedField) bool { return slices.Contains(names, f.name) })
}

// text is a text argument.
func (f *plannedField) text(name string) string { s, _ := f.args[name].(string); return s }
