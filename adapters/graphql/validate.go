package graphql

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	gql "github.com/graphql-go/graphql"
	"github.com/graphql-go/graphql/gqlerrors"
	"github.com/graphql-go/graphql/language/ast"
	"github.com/graphql-go/graphql/language/kinds"
	"github.com/graphql-go/graphql/language/visitor"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
)

// maxErrors is how many errors of a document are reported. Each rule stops after as many: describing
// thousands of errors, with suggestions, takes longer than running any document.
const maxErrors = 10

// validationRules are the rules of validation. Cycles of fragments are refused before and conflicting fields
// afterwards, both in linear time.
var validationRules = []gql.ValidationRuleFn{
	boundedRule(gql.KnownTypeNamesRule), boundedRule(gql.FieldsOnCorrectTypeRule), boundedRule(gql.FragmentsOnCompositeTypesRule),
	boundedRule(gql.ArgumentsOfCorrectTypeRule), boundedRule(gql.DefaultValuesOfCorrectTypeRule), boundedRule(gql.KnownArgumentNamesRule),
	boundedRule(gql.KnownDirectivesRule), boundedRule(gql.KnownFragmentNamesRule), boundedRule(gql.LoneAnonymousOperationRule),
	boundedRule(definedVariables), boundedRule(gql.NoUnusedFragmentsRule), boundedRule(gql.NoUnusedVariablesRule),
	boundedRule(gql.PossibleFragmentSpreadsRule), boundedRule(gql.ProvidedNonNullArgumentsRule), boundedRule(gql.ScalarLeafsRule),
	boundedRule(gql.UniqueArgumentNamesRule), boundedRule(gql.UniqueFragmentNamesRule), boundedRule(gql.UniqueInputFieldNamesRule),
	boundedRule(gql.UniqueOperationNamesRule), boundedRule(gql.UniqueVariableNamesRule), boundedRule(gql.VariablesAreInputTypesRule),
	boundedRule(variablesInPlace),
}

// validate checks the document against the rules. Errors: invalid.
func (d *document) validate(schema *gql.Schema) error {
	found := gql.ValidateDocument(schema, d.tree, validationRules)
	if found.IsValid {
		return nil
	}
	return d.validationFaults(found.Errors)
}

// validationFaults are the errors of a document, one for each violation.
func (d *document) validationFaults(found []gqlerrors.FormattedError) error {
	var all invalidDocument
	for _, e := range found[:min(len(found), maxErrors)] {
		at := position{1, 1}
		if len(e.Locations) > 0 { // without the source, the column is the offset
			at = d.text.positionAt(e.Locations[0].Column - 1)
		}
		all = append(all, locatedFault{
			gqlrequest.ErrInvalid.WithMessage("%s", truncate(strings.ReplaceAll(e.Message, "$"+nullVariable, "null"))), at,
		})
	}
	return all
}

// boundedRule stops a rule once maxErrors errors were found.
func boundedRule(rule gql.ValidationRuleFn) gql.ValidationRuleFn {
	return func(v *gql.ValidationContext) *gql.ValidationRuleInstance {
		instance := rule(v)
		for kind, fns := range instance.VisitorOpts.KindFuncMap {
			instance.VisitorOpts.KindFuncMap[kind] = visitor.NamedVisitFuncs{
				Kind: stopAtMaxErrors(v, fns.Kind), Enter: stopAtMaxErrors(v, fns.Enter), Leave: stopAtMaxErrors(v, fns.Leave),
			}
		}
		return instance
	}
}

func stopAtMaxErrors(v *gql.ValidationContext, fn visitor.VisitFunc) visitor.VisitFunc {
	if fn == nil {
		return nil
	}
	return func(p visitor.VisitFuncParams) (string, any) {
		if len(v.Errors()) >= maxErrors {
			return visitor.ActionBreak, nil
		}
		return fn(p)
	}
}

// definedVariables refuses variables that their operation does not define. The literal null is a variable in
// the tree (nullVariable); it is refused where a value is required.
func definedVariables(v *gql.ValidationContext) *gql.ValidationRuleInstance {
	leave := func(p visitor.VisitFuncParams) (string, any) {
		op := p.Node.(*ast.OperationDefinition)
		defined := map[string]bool{}
		for _, def := range op.VariableDefinitions {
			defined[def.Variable.Name.Value] = true
		}
		reported := map[*ast.Variable]bool{}
		for _, usage := range v.RecursiveVariableUsages(op) {
			name := usage.Node.Name.Value
			_, required := usage.Type.(*gql.NonNull)
			switch {
			case reported[usage.Node] || len(v.Errors()) >= maxErrors:
			case name == nullVariable && required:
				v.ReportError(validationError(usage.Node, "Expected a value of type %v, found null.", usage.Type))
			case name != nullVariable && !defined[name]:
				v.ReportError(validationError(usage.Node, "Variable \"$%s\" is not defined by the operation.", name))
			}
			reported[usage.Node] = true
		}
		return visitor.ActionNoChange, nil
	}
	return &gql.ValidationRuleInstance{VisitorOpts: &visitor.VisitorOptions{
		KindFuncMap: map[string]visitor.NamedVisitFuncs{kinds.OperationDefinition: {Leave: leave}},
	}}
}

func validationError(node ast.Node, format string, args ...any) error {
	return gqlerrors.NewError(fmt.Sprintf(format, args...), []ast.Node{node}, "", nil, []int{}, nil)
}

// sortedText is m as one text, sorted by key.
func sortedText(m map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(&b, "%s:%s;", name, m[name])
	}
	return b.String()
}
