package graphql

import (
	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/language/ast"
	"github.com/graphql-go/graphql/language/kinds"
	"github.com/graphql-go/graphql/language/visitor"
)

// compatibleTypes are types of variables that may stand where another type is wanted, because every value of theirs can be read there:
// whoever writes $email: String or $price: Int means no mistake. Values are looked at again where they arrive.
var compatibleTypes = map[string][]string{
	"String": {"DateTime", "EmailAddress", "JSON"}, "DateTime": {"String"}, "EmailAddress": {"String"}, "ID": {"String", "JSON"}, "Int": {"Float"},
}

// variablesInPlace refuses variables whose type is not that of the place where they stand, nor kin to it. The literal null
// is not its business.
func variablesInPlace(v *gql.ValidationContext) *gql.ValidationRuleInstance {
	look := func(p visitor.VisitFuncParams) (string, any) {
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
				v.ReportError(validationError(usage.Node, `Variable "$%s" of type "%v" used in position expecting type "%v".`, usage.Node.Name.Value, a.typeOf(def.Type), usage.Type))
			}
		}
		return visitor.ActionNoChange, nil
	}
	return &gql.ValidationRuleInstance{VisitorOpts: &visitor.VisitorOptions{
		KindFuncMap: map[string]visitor.NamedVisitFuncs{kinds.OperationDefinition: {Leave: look}},
	}}
}

func isNull(v ast.Value) bool {
	variable, ok := v.(*ast.Variable)
	return ok && variable.Name.Value == nullVariable
}

// isAssignable reports whether every value of type t may stand where wanted is.
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

// isEnumSubset reports whether t is an enum whose names all mean the same in wanted: the enum of answers fits those of inputs.
func isEnumSubset(t, wanted gql.Type) bool {
	have, ok := t.(*gql.Enum)
	want, too := wanted.(*gql.Enum)
	if !ok || !too {
		return false
	}
	means := map[string]any{}
	for _, v := range want.Values() {
		means[v.Name] = v.Value
	}
	for _, v := range have.Values() {
		if means[v.Name] != v.Value {
			return false
		}
	}
	return true
}
