package graphql

import (
	"strconv"

	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/language/ast"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// What a document may ask for. Rule graphql-5. Every limit is checked before anything is looked up, and in time that
// grows with the length of the document alone: what a fragment costs is counted once, however often it is spread.
const (
	maxDepth      = 12 // fields within fields; wrapped types of introspection (ofType) do not count
	maxAliases    = 100
	maxComplexity = 20_000
	maxDirectives = 100
	maxOperations = 50
	// maxFields bounds the fields of all operations together, fragments written out: it bounds the work of validation.
	maxFields = 20_000
	// maxTypeLists is how many lists of types, fields or relatives introspection may nest: types { fields { … } }.
	maxTypeLists = 2

	// defaultLimit is what a page holds when nobody says.
	defaultLimit = 10
	// assumedListSize is what a list without a limit is taken to hold.
	assumedListSize = 10
	// assumedTypeCount is what introspection's list of types counts, so that a document can ask for it twice at most.
	assumedTypeCount = 50
)

// weight is what a selection asks for.
type weight struct {
	cost              int64 // fields, each as often as its lists repeat it
	fields            int64 // fields, fragments written out
	aliases           int64
	depth             int
	typeLists         int
	dependsOnVariable bool // cost depends on a variable
}

// costCap is more than any limit, and far from overflowing.
const costCap = 1 << 40

// add counts another selection beside w.
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
	variables map[string]any // of the operation: given, or by default
	weighed   map[string]*weight
	visits    int // selections looked at, for tests: it never exceeds those written
}

// passwordCost is what checking or hashing a password costs besides the field itself: as much time as reading thousands of
// records.
const passwordCost = 1_900

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

// withDefaults adds the defaults of op to the variables given.
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

// set weighs a selection on parent, which is nil where the document is wrong. Paged: it stands in a page, whose limit
// has multiplied it already.
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

// fragment weighs a fragment the first time it is spread.
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
		return weight{}, gqlrequest.ErrTooComplex.WithMessage("The fragment %s contains itself.", name)
	}
	def := m.fragments[name]
	if def == nil {
		return weight{}, nil // validation says so
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

// multiplier is how often a field repeats what stands in it.
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

// check refuses what is above a limit. Errors: ErrDocument.
func (w weight) check() error {
	switch {
	case w.depth > maxDepth:
		return gqlrequest.ErrTooComplex.WithMessage("The document nests fields %d levels deep; %d are allowed.", w.depth, maxDepth)
	case w.aliases > maxAliases:
		return gqlrequest.ErrTooComplex.WithMessage("The document has %d aliases; %d are allowed.", w.aliases, maxAliases)
	case w.typeLists > maxTypeLists:
		return gqlrequest.ErrTooComplex.WithMessage("The introspection query nests lists of types and fields too deeply; %d levels are allowed.", maxTypeLists)
	case w.cost > maxComplexity:
		return gqlrequest.ErrTooComplex.WithMessage("The document has a complexity of %d; %d is allowed. Every field counts once, and below a list as often as its limit.", w.cost, maxComplexity)
	}
	return nil
}

// fieldOf finds the definition of a field; nil when parent has none.
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

// hasLimit reports whether the field answers a page.
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
