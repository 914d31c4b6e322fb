package graphql

import (
	"maps"
	"math"
	"slices"
	"strconv"

	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/language/ast"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// inputReader reads variables and arguments as JSON values. Unlike the library it distinguishes null, which
// clears a field, from absent, which leaves it unchanged.
type inputReader struct {
	*API

	variables map[string]any // as read; variables without a value and a default are missing
}

// variables reads the given values of the variables of op. Errors: ErrVariables at the definition of the variable.
func (a *API) variables(op *ast.OperationDefinition, given map[string]any) (map[string]any, error) {
	read := map[string]any{}
	r := inputReader{API: a, variables: map[string]any{nullVariable: nil}}
	for _, def := range op.VariableDefinitions {
		name := def.Variable.Name.Value
		t := a.typeOf(def.Type)
		value, found := given[name]
		_, required := t.(*gql.NonNull)
		var err error
		switch {
		case found:
			value, err = r.value(t, value)
		case def.DefaultValue != nil:
			value, err = r.literal(t, def.DefaultValue)
		case required:
			err = inputError("is required.")
		default:
			continue
		}
		if err != nil {
			return nil, nodeFault{gqlrequest.ErrVariables.WithMessage("Variable $%s%s", name, err), def}
		}
		read[name] = value
	}
	return read, nil
}

// inputError says why a value does not fit its type. It is the end of a sentence that begins with the path of
// the value.
type inputError string

func (m inputError) Error() string {
	if m != "" && m[0] != '.' && m[0] != '[' {
		return " " + string(m)
	}
	return string(m)
}

func inputErrorAt(step string, err error) error { return inputError(step + err.Error()) }

func (a *API) typeOf(t ast.Type) gql.Type {
	switch t := t.(type) {
	case *ast.NonNull:
		return gql.NewNonNull(a.typeOf(t.Type))
	case *ast.List:
		return gql.NewList(a.typeOf(t.Type))
	case *ast.Named:
		return a.schema.Type(t.Name.Value)
	}
	return nil
}

// value reads the value of a variable as a t.
func (r inputReader) value(t gql.Type, v collection.JSONValue) (any, error) {
	switch t := t.(type) {
	case *gql.NonNull:
		if v == nil {
			return nil, inputError("must not be null.")
		}
		return r.value(t.OfType, v)
	case *gql.List:
		return r.list(t, v)
	case *gql.InputObject:
		return r.object(t, v)
	case *gql.Enum:
		name, _ := v.(string)
		stored, known := r.enums[t][name]
		if v != nil && !known {
			return nil, inputError("takes one of the names of " + t.Name() + ".")
		}
		return stored, nil
	case *gql.Scalar:
		if v == nil {
			return nil, nil
		}
		if read := scalarValue(t, v); read != nil {
			return read, nil
		}
		return nil, inputError("takes a value of type " + t.Name() + ".")
	}
	return nil, inputError("has an unknown type.")
}

func (r inputReader) list(t *gql.List, v collection.JSONValue) (any, error) {
	if v == nil {
		return nil, nil
	}
	items, ok := v.([]any)
	if !ok {
		items = []any{v} // a single item is read as a list of one
	}
	out := make([]any, len(items))
	for i, item := range items {
		var err error
		if out[i], err = r.value(t.OfType, item); err != nil {
			return nil, inputErrorAt("["+strconv.Itoa(i)+"]", err)
		}
	}
	return out, nil
}

func (r inputReader) object(t *gql.InputObject, v collection.JSONValue) (any, error) {
	members, ok := v.(map[string]any)
	switch {
	case v == nil:
		return nil, nil
	case !ok:
		return nil, inputError("takes an object.")
	}
	fields := t.Fields()
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if fields[name] == nil {
			return nil, inputError("." + name + " is not a field of " + t.Name() + ".")
		}
	}
	return readInputObject(t, func(name string, f *gql.InputObjectField) (any, bool, error) {
		given, found := members[name]
		if !found {
			return nil, false, nil
		}
		value, err := r.value(f.Type, given)
		return value, true, err
	})
}

// readInputObject builds an input object; member returns the value of a field and whether it was given.
func readInputObject(t *gql.InputObject, member func(string, *gql.InputObjectField) (any, bool, error)) (any, error) {
	out := map[string]any{}
	fields := t.Fields()
	for _, name := range slices.Sorted(maps.Keys(fields)) { // sorted, so that the same one of several errors is reported each time
		f := fields[name]
		value, found, err := member(name, f)
		_, required := f.Type.(*gql.NonNull)
		switch {
		case err != nil:
			return nil, inputErrorAt("."+name, err)
		case found:
			out[name] = value
		case f.DefaultValue != nil:
			out[name] = f.DefaultValue
		case required:
			return nil, inputError("." + name + " is required.")
		}
	}
	return out, nil
}

// scalarValue is v as a value of t, nil when it is not one. The library's own scalars coerce too much: any
// number into text.
func scalarValue(t *gql.Scalar, v collection.JSONValue) any {
	switch t {
	case gql.String, gql.ID:
		return text(v)
	case gql.Boolean:
		if b, ok := v.(bool); ok {
			return b
		}
		return nil
	case gql.Int:
		n, _ := v.(collection.JSONNumber)
		if i, err := strconv.ParseInt(string(n), 10, 64); err != nil || i > math.MaxInt32 || i < math.MinInt32 {
			return nil
		}
		return n
	}
	return t.ParseValue(v)
}

// arguments reads the arguments of a field. Errors: ErrVariables.
func (r inputReader) arguments(def *gql.FieldDefinition, given []*ast.Argument) (map[string]any, error) {
	out := map[string]any{}
	for _, arg := range def.Args {
		value, found, err := r.argument(arg.Type, argumentValue(given, arg.Name()))
		_, required := arg.Type.(*gql.NonNull)
		switch {
		case err != nil:
			return nil, gqlrequest.ErrVariables.WithMessage("The argument %s%s", arg.Name(), err)
		case found:
			out[arg.Name()] = value
		case arg.DefaultValue != nil:
			out[arg.Name()] = arg.DefaultValue
		case required:
			return nil, gqlrequest.ErrVariables.WithMessage("The argument %s is required.", arg.Name())
		}
	}
	return out, nil
}

func argumentValue(given []*ast.Argument, name string) ast.Value {
	for _, a := range given {
		if a.Name.Value == name {
			return a.Value
		}
	}
	return nil
}

// argument reads a value of the document; found is false for a variable that was not given.
func (r inputReader) argument(t gql.Type, v ast.Value) (value any, found bool, err error) {
	if v == nil {
		return nil, false, nil
	}
	if variable, ok := v.(*ast.Variable); ok {
		name := variable.Name.Value
		if value, found = r.variables[name]; !found && name != nullVariable {
			return nil, false, nil
		}
		if _, required := t.(*gql.NonNull); required && value == nil {
			return nil, true, inputError("must not be null.")
		}
		return value, true, nil
	}
	value, err = r.literal(t, v)
	return value, true, err
}

// literal reads a value of the document that is not a variable.
func (r inputReader) literal(t gql.Type, v ast.Value) (any, error) {
	switch t := t.(type) {
	case *gql.NonNull:
		value, found, err := r.argument(t.OfType, v)
		if err == nil && (!found || value == nil) {
			err = inputError("must not be null.")
		}
		return value, err
	case *gql.List:
		return r.literalList(t, v)
	case *gql.InputObject:
		return r.literalObject(t, v)
	case *gql.Enum:
		if name, ok := v.(*ast.EnumValue); ok {
			return r.value(t, name.Value)
		}
		return nil, inputError("takes one of the names of " + t.Name() + ", without quotes.")
	case *gql.Scalar:
		if _, isEnum := v.(*ast.EnumValue); isEnum && t != jsonScalar && t != localeScalar {
			return nil, inputError("takes a value of type " + t.Name() + ".")
		}
		return r.value(t, literal(v, r.variables))
	}
	return nil, inputError("has an unknown type.")
}

func (r inputReader) literalList(t *gql.List, v ast.Value) (any, error) {
	items := []ast.Value{v}
	if list, ok := v.(*ast.ListValue); ok {
		items = list.Values
	}
	out := make([]any, len(items))
	for i, item := range items {
		var err error
		if out[i], _, err = r.argument(t.OfType, item); err != nil {
			return nil, inputErrorAt("["+strconv.Itoa(i)+"]", err)
		}
	}
	return out, nil
}

func (r inputReader) literalObject(t *gql.InputObject, v ast.Value) (any, error) {
	object, ok := v.(*ast.ObjectValue)
	if !ok {
		return nil, inputError("takes an object.")
	}
	given := map[string]ast.Value{}
	fields := t.Fields()
	for _, f := range object.Fields {
		if fields[f.Name.Value] == nil {
			return nil, inputError("." + f.Name.Value + " is not a field of " + t.Name() + ".")
		}
		given[f.Name.Value] = f.Value
	}
	return readInputObject(t, func(name string, f *gql.InputObjectField) (any, bool, error) { return r.argument(f.Type, given[name]) })
}
