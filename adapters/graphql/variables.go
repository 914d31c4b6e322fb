package graphql

import (
	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/language/ast"
	"github.com/graphql-go/graphql/language/kinds"
	"github.com/graphql-go/graphql/language/visitor"
)

// compatibleTypes are the types of variables that are accepted for another type because all their values are
// valid there, as for $email: String or $price: Int. The values are checked again when they are read.
var compatibleTypes = map[string][]string{
	"String": {"DateTime", "EmailAddress", "JSON"}, "DateTime": {"String"}, "EmailAddress": {"String"}, "ID": {"String", "JSON"},
	"Int": {"Float"},
}

// variablesInPlace refuses variables whose type neither matches nor is compatible with the type of their
// position. The literal null is ignored.
func variablesInPlace(v *gql.ValidationContext) *gql.ValidationRuleInstance {
	leave := func(p visitor.VisitFuncParams) (string, any) {
		op := p.Node.(*ast.OperationDefinition)
		a := &API{schema: *v.Schema()}
		defined := map[string]*ast.VariableDefinition{}
		for _, def := range op.VariableDefinitions {
			defined[def.Variable.Name.Value] = def
		}
		for _, usage := range v.RecursiveVariableUsages(op) {
			def := defined[usage.Node.Name.Value]
			if def == nil || usage.Type == nil || len(v.Errors()) >= maxErrors {
				continue
			}
			t := a.typeOf(def.Type)
			_, certain := t.(*gql.NonNull)
			if !certain && def.DefaultValue != nil && !isNull(def.DefaultValue) {
				t = gql.NewNonNull(t)
			}
			if !isAssignable(t, usage.Type) {
				v.ReportError(validationError(usage.Node, `Variable "$%s" of type "%v" used in position expecting type "%v".`,
					usage.Node.Name.Value, a.typeOf(def.Type), usage.Type))
			}
		}
		return visitor.ActionNoChange, nil
	}
	return &gql.ValidationRuleInstance{VisitorOpts: &visitor.VisitorOptions{
		KindFuncMap: map[string]visitor.NamedVisitFuncs{kinds.OperationDefinition: {Leave: leave}},
	}}
}

func isNull(v ast.Value) bool {
	variable, ok := v.(*ast.Variable)
	return ok && variable.Name.Value == nullVariable
}

// isAssignable reports whether every value of type t is valid where wanted is expected.
func isAssignable(t, wanted gql.Type) bool {
	if want, ok := wanted.(*gql.NonNull); ok {
		have, certain := t.(*gql.NonNull)
		return certain && isAssignable(have.OfType, want.OfType)
	}
	if have, ok := t.(*gql.NonNull); ok {
		return isAssignable(have.OfType, wanted)
	}
	want, listed := wanted.(*gql.List)
	have, list := t.(*gql.List)
	if list && listed {
		return isAssignable(have.OfType, want.OfType)
	}
	if t == nil || list || listed {
		return false
	}
	if t.Name() == wanted.Name() {
		return true
	}
	for _, name := range compatibleTypes[t.Name()] {
		if name == wanted.Name() {
			return true
		}
	}
	return isEnumSubset(t, wanted)
}

// isEnumSubset reports whether t is an enum whose names all exist in wanted with the same value, as the enums
// of outputs do in those of inputs.
func isEnumSubset(t, wanted gql.Type) bool {
	have, ok := t.(*gql.Enum)
	want, too := wanted.(*gql.Enum)
	if !ok || !too {
		return false
	}
	wantValues := map[string]any{}
	for _, v := range want.Values() {
		wantValues[v.Name] = v.Value
	}
	for _, v := range have.Values() {
		if wantValues[v.Name] != v.Value {
			return false
		}
	}
	return true
}
