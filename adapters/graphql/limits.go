package graphql

import (
	"strconv"

	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/language/ast"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Limits of a document. Rule graphql-5. They are checked before anything is loaded, in time linear in the
// length of the document: a fragment is weighed once, however often it is spread.
const (
	maxDepth      = 12 // nested fields; ofType of introspection does not count
	maxAliases    = 100
	maxComplexity = 30_000
	maxDirectives = 100
	maxOperations = 50
	// maxFields bounds the fields of all operations together, with fragments expanded, and so the work of
	// validation.
	maxFields = 20_000
	// maxTypeLists is how deep introspection may nest lists of types, fields or related types: types { fields
	// { … } }.
	maxTypeLists = 2

	// defaultLimit is the size of a page when the query does not give a limit.
	defaultLimit = 10
	// assumedListSize is the size that a list without a limit is assumed to have.
	assumedListSize = 10
	// assumedTypeCount is the assumed size of introspection's list of types. It lets a document ask for that
	// list twice at most.
	assumedTypeCount = 50
)

// weight is the cost of a selection.
type weight struct {
	cost              int64 // fields, multiplied by the sizes of the lists around them
	fields            int64 // fields, with fragments expanded
	aliases           int64
	depth             int
	typeLists         int
	dependsOnVariable bool // cost depends on a variable
}

// costCap is above every limit, and far from overflow.
const costCap = 1 << 40

// add adds a selection at the same level.
func (w *weight) add(x weight) {
	w.cost = min(costCap, w.cost+x.cost)
	w.fields = min(costCap, w.fields+x.fields)
	w.aliases = min(costCap, w.aliases+x.aliases)
	w.depth, w.typeLists = max(w.depth, x.depth), max(w.typeLists, x.typeLists)
	w.dependsOnVariable = w.dependsOnVariable || x.dependsOnVariable
}

// costMeter weighs the operations of one document.
type costMeter struct {
	schema    *gql.Schema
	expensive map[string]bool // fields that check or hash a password
	fragments map[string]*ast.FragmentDefinition
	variables map[string]any // of the operation, with defaults
	weighed   map[string]*weight
	visits    int // selections visited, for tests: at most the number in the document
}

// passwordCost is the cost of checking or hashing a password: as much time as reading thousands of records.
const passwordCost = 2_900

// weigh is the weight of an operation. Errors: ErrDocument for a fragment that contains itself.
func (m *costMeter) weigh(op *ast.OperationDefinition, variables map[string]any) (weight, error) {
	m.variables = withDefaults(op, variables)
	m.weighed = map[string]*weight{}
	root := m.schema.QueryType()
	if op.Operation == ast.OperationTypeMutation {
		root = m.schema.MutationType()
	}
	return m.set(root, op.SelectionSet, false)
}

// withDefaults adds the default values of op to the given variables.
func withDefaults(op *ast.OperationDefinition, given map[string]any) map[string]any {
	out := map[string]any{}
	for _, def := range op.VariableDefinitions {
		name := def.Variable.Name.Value
		if v, ok := given[name]; ok && v != nil {
			out[name] = v
		} else if n, ok := def.DefaultValue.(*ast.IntValue); ok {
			out[name] = collection.JSONNumber(n.Value)
		}
	}
	return out
}

// set weighs a selection on parent, which is nil in an invalid document. paged means that the selection is on
// a page, whose limit is already part of the cost.
func (m *costMeter) set(parent gql.Type, set *ast.SelectionSet, paged bool) (weight, error) {
	var sum weight
	if set == nil {
		return sum, nil
	}
	for _, selection := range set.Selections {
		m.visits++
		w, err := m.selection(parent, selection, paged)
		if err != nil {
			return sum, err
		}
		sum.add(w)
	}
	return sum, nil
}

func (m *costMeter) selection(parent gql.Type, selection ast.Selection, paged bool) (weight, error) {
	switch s := selection.(type) {
	case *ast.Field:
		return m.field(parent, s, paged)
	case *ast.InlineFragment:
		if s.TypeCondition != nil {
			parent = m.schema.Type(s.TypeCondition.Name.Value)
		}
		return m.set(parent, s.SelectionSet, paged)
	case *ast.FragmentSpread:
		return m.fragment(s.Name.Value, paged)
	}
	return weight{}, nil
}

// fragment weighs a fragment once, and returns the same weight afterwards.
func (m *costMeter) fragment(name string, paged bool) (weight, error) {
	at := name
	if paged {
		at = "paged " + name
	}
	known, seen := m.weighed[at]
	switch {
	case known != nil:
		return *known, nil
	case seen:
		return weight{}, nodeFault{gqlrequest.ErrTooComplex.WithMessage("The fragment %s contains itself.", name), m.fragments[name]}
	}
	def := m.fragments[name]
	if def == nil {
		return weight{}, nil // validation reports the missing fragment
	}
	m.weighed[at] = nil
	w, err := m.set(m.schema.Type(def.TypeCondition.Name.Value), def.SelectionSet, paged)
	m.weighed[at] = &w
	return w, err
}

func (m *costMeter) field(parent gql.Type, f *ast.Field, paged bool) (weight, error) {
	def := fieldOf(m.schema, parent, f.Name.Value)
	var of gql.Type
	if def != nil {
		of = gql.GetNamed(def.Type).(gql.Type)
	}
	times, byVariable := m.multiplier(def, of, f, paged)
	below, err := m.set(of, f.SelectionSet, hasLimit(def))
	w := weight{
		cost: 1 + times*below.cost, fields: 1 + below.fields, aliases: below.aliases, depth: 1 + below.depth,
		typeLists: below.typeLists, dependsOnVariable: byVariable || below.dependsOnVariable,
	}
	if m.expensive[f.Name.Value] {
		w.cost = min(costCap, w.cost+passwordCost)
	}
	if f.Alias != nil {
		w.aliases++
	}
	if isIntrospectionType(parent) {
		switch f.Name.Value {
		case "ofType":
			w.depth--
		case "types", "fields", "inputFields", "interfaces", "possibleTypes":
			w.typeLists++
		}
	}
	return w, err
}

// multiplier is how often the selection below a field is repeated.
func (m *costMeter) multiplier(def *gql.FieldDefinition, of gql.Type, f *ast.Field, paged bool) (n int64, byVariable bool) {
	switch {
	case def == nil || f.SelectionSet == nil:
		return 1, false
	case hasLimit(def):
		return m.limit(f)
	case f.Name.Value == "types" && isIntrospectionType(of):
		return assumedTypeCount, false
	case isIntrospectionType(of) || paged && f.Name.Value == "docs" || !isList(def.Type):
		return 1, false
	}
	return assumedListSize, false
}

// limit is the limit argument of f: a number, or a variable.
func (m *costMeter) limit(f *ast.Field) (n int64, byVariable bool) {
	n = defaultLimit
	for _, a := range f.Arguments {
		if a.Name.Value != "limit" {
			continue
		}
		text := ""
		switch v := a.Value.(type) {
		case *ast.IntValue:
			text = v.Value
		case *ast.Variable:
			numeral, _ := m.variables[v.Name.Value].(collection.JSONNumber)
			text, byVariable = string(numeral), true
		}
		if given, err := strconv.ParseInt(text, 10, 64); err == nil {
			n = given
		}
	}
	return max(1, min(n, collection.MaxLimit)), byVariable
}

// check refuses a weight above a limit. Errors: ErrTooComplex at the operation.
func (w weight) check(op *ast.OperationDefinition) error {
	if f := w.exceeded(); f != nil {
		return nodeFault{f, op}
	}
	return nil
}

// exceeded is the limit that a weight is above; nil: none.
func (w weight) exceeded() *fault.Error {
	switch {
	case w.depth > maxDepth:
		return gqlrequest.ErrTooComplex.WithMessage("The document nests fields %d levels deep; %d are allowed.", w.depth, maxDepth)
	case w.aliases > maxAliases:
		return gqlrequest.ErrTooComplex.WithMessage("The document has %d aliases; %d are allowed.", w.aliases, maxAliases)
	case w.typeLists > maxTypeLists:
		return gqlrequest.ErrTooComplex.WithMessage(
			"The introspection query nests lists of types and fields too deeply; %d levels are allowed.", maxTypeLists)
	case w.cost > maxComplexity:
		return gqlrequest.ErrTooComplex.WithMessage(
			"The document has a complexity of %d; %d is allowed. Every field counts once, and a field below a list as many times as the list's limit.",
			w.cost, maxComplexity)
	}
	return nil
}

// fieldOf is the definition of a field; nil when parent has none.
func fieldOf(schema *gql.Schema, parent gql.Type, name string) *gql.FieldDefinition {
	object, ok := parent.(*gql.Object)
	if !ok || object == nil {
		return nil
	}
	switch {
	case name == gql.TypeNameMetaFieldDef.Name:
		return gql.TypeNameMetaFieldDef
	case name == gql.SchemaMetaFieldDef.Name && object == schema.QueryType():
		return gql.SchemaMetaFieldDef
	case name == gql.TypeMetaFieldDef.Name && object == schema.QueryType():
		return gql.TypeMetaFieldDef
	}
	return object.Fields()[name]
}

// hasLimit reports whether the field returns a page.
func hasLimit(def *gql.FieldDefinition) bool {
	if def == nil {
		return false
	}
	for _, a := range def.Args {
		if a.Name() == "limit" {
			return true
		}
	}
	return false
}

// isList reports whether the type is a list.
func isList(t gql.Type) bool {
	if n, ok := t.(*gql.NonNull); ok {
		t = n.OfType
	}
	_, list := t.(*gql.List)
	return list
}

// isIntrospectionType reports whether the type describes the schema itself.
func isIntrospectionType(t gql.Type) bool {
	object, ok := t.(*gql.Object)
	return ok && object != nil && len(object.Name()) > 2 && object.Name()[:2] == "__"
}
