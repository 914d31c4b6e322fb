// Package openapitest checks real requests and answers against an OpenAPI document, so that a test suite
// proves that the document is correct. It implements the part of JSON Schema 2020-12 that our documents use,
// and reports other keywords.
package openapitest

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

type object = map[string]any

// validator checks values against the schemas of a document.
type validator struct {
	document       object
	ignoreRequired bool // required members may be missing
}

// problems lists how v differs from s, each with the path of the value, in no order: most values have none, and every exchange of
// every suite is checked.
func (j validator) problems(s object, v any, at string) (out []string) {
	for keyword, operand := range s {
		check := checkOf(keyword)
		if check == nil {
			return append(out, fmt.Sprintf("%s: the schema has the unknown keyword %s", at, keyword))
		}
		out = append(out, check(j, operand, s, v, at)...)
	}
	return out
}

type keywordCheck func(j validator, operand any, s object, v any, at string) []string

var (
	atLeast = func(n, bound int) bool { return n >= bound }
	atMost  = func(n, bound int) bool { return n <= bound }
)

// checkOf is the check of a keyword, nil for unknown ones. It is a function, because checks call one another.
func checkOf(keyword string) keywordCheck {
	switch keyword {
	case "$ref":
		return reference
	case "type":
		return types
	case "enum":
		return enum
	case "const":
		return constant
	case "properties":
		return properties
	case "required":
		return required
	case "additionalProperties":
		return additional
	case "items":
		return items
	case "anyOf":
		return anyOf
	case "allOf":
		return allOf
	case "pattern":
		return pattern
	case "minimum":
		return number(func(n, bound *big.Rat) bool { return n.Cmp(bound) >= 0 })
	case "maximum":
		return number(func(n, bound *big.Rat) bool { return n.Cmp(bound) <= 0 })
	case "minLength":
		return size(atLeast, utf8.RuneCountInString)
	case "maxLength":
		return size(atMost, utf8.RuneCountInString)
	case "minItems":
		return size(atLeast, func(l []any) int { return len(l) })
	case "maxItems":
		return size(atMost, func(l []any) int { return len(l) })
	case "minProperties":
		return size(atLeast, func(m object) int { return len(m) })
	case "description", "format", "default", "example", "writeOnly", "deprecated", "contentMediaType", "contentSchema":
		return func(validator, any, object, any, string) []string { return nil } // they restrict nothing
	}
	return nil
}

// find is what a reference such as "#/components/schemas/Cart" points to.
func (j validator) find(pointer string) object {
	var here any = j.document
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "#/"), "/") {
		m, _ := here.(object)
		here = m[part]
	}
	m, _ := here.(object)
	return m
}

// resolve follows references between components.
func (j validator) resolve(o object) object {
	for {
		pointer, ok := o["$ref"].(string)
		if !ok {
			return o
		}
		o = j.find(pointer)
	}
}

func reference(j validator, operand any, _ object, v any, at string) []string {
	target := j.find(operand.(string))
	if target == nil {
		return []string{at + ": nothing at " + operand.(string)}
	}
	return j.problems(target, v, at)
}

func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case json.Number:
		if !strings.ContainsAny(string(v), ".eE") {
			return "integer"
		}
		if n, ok := new(big.Rat).SetString(string(v)); ok && n.IsInt() {
			return "integer"
		}
		return "number"
	}
	return "object"
}

func types(_ validator, operand any, _ object, v any, at string) []string {
	wanted, ok := operand.([]any)
	if !ok {
		wanted = []any{operand}
	}
	is := typeOf(v)
	if slices.Contains(wanted, any(is)) || is == "integer" && slices.Contains(wanted, any("number")) {
		return nil
	}
	return []string{fmt.Sprintf("%s: %s is none of %v", at, is, wanted)}
}

func enum(_ validator, operand any, _ object, v any, at string) []string {
	if slices.ContainsFunc(operand.([]any), func(x any) bool { return reflect.DeepEqual(x, v) }) {
		return nil
	}
	return []string{fmt.Sprintf("%s: %v is not among the choices", at, v)}
}

func constant(_ validator, operand any, _ object, v any, at string) []string {
	if reflect.DeepEqual(operand, v) {
		return nil
	}
	return []string{fmt.Sprintf("%s: %v is not %v", at, v, operand)}
}

func properties(j validator, operand any, _ object, v any, at string) (out []string) {
	m, _ := v.(object)
	for name, x := range m {
		if s, ok := operand.(object)[name].(object); ok {
			out = append(out, j.problems(s, x, at+"."+name)...)
		}
	}
	return out
}

func required(j validator, operand any, _ object, v any, at string) (out []string) {
	m, isObject := v.(object)
	if !isObject || j.ignoreRequired {
		return nil
	}
	for _, name := range operand.([]any) {
		if _, ok := m[name.(string)]; !ok {
			out = append(out, fmt.Sprintf("%s: %s is missing", at, name))
		}
	}
	return out
}

func additional(j validator, operand any, s object, v any, at string) (out []string) {
	m, _ := v.(object)
	declared, _ := s["properties"].(object)
	for name, x := range m {
		if _, ok := declared[name]; ok || operand == true {
			continue
		}
		if inner, ok := operand.(object); ok {
			out = append(out, j.problems(inner, x, at+"."+name)...)
			continue
		}
		out = append(out, fmt.Sprintf("%s: %s is not declared", at, name))
	}
	return out
}

func items(j validator, operand any, _ object, v any, at string) (out []string) {
	list, _ := v.([]any)
	for i, x := range list {
		out = append(out, j.problems(operand.(object), x, at+"["+strconv.Itoa(i)+"]")...)
	}
	return out
}

func anyOf(j validator, operand any, _ object, v any, at string) []string {
	var all []string
	for _, s := range operand.([]any) {
		problems := j.problems(s.(object), v, at)
		if len(problems) == 0 {
			return nil
		}
		slices.Sort(problems)
		all = append(all, strings.Join(problems, "; "))
	}
	return []string{fmt.Sprintf("%s: fits none of: %s", at, strings.Join(all, " | "))}
}

func allOf(j validator, operand any, _ object, v any, at string) (out []string) {
	for _, s := range operand.([]any) {
		out = append(out, j.problems(s.(object), v, at)...)
	}
	return out
}

// patterns are the patterns that were compiled, by their text.
var patterns sync.Map

func compiled(text string) *regexp.Regexp {
	if known, ok := patterns.Load(text); ok {
		return known.(*regexp.Regexp)
	}
	known, _ := patterns.LoadOrStore(text, regexp.MustCompile(text))
	return known.(*regexp.Regexp)
}

func pattern(_ validator, operand any, _ object, v any, at string) []string {
	s, isText := v.(string)
	if !isText || compiled(operand.(string)).MatchString(s) {
		return nil
	}
	return []string{fmt.Sprintf("%s: %q does not match %v", at, s, operand)}
}

func number(fits func(n, bound *big.Rat) bool) keywordCheck {
	return func(_ validator, operand any, _ object, v any, at string) []string {
		text, isNumber := v.(json.Number)
		if !isNumber {
			return nil
		}
		n, _ := new(big.Rat).SetString(string(text))
		bound, _ := new(big.Rat).SetString(string(operand.(json.Number)))
		if fits(n, bound) {
			return nil
		}
		return []string{fmt.Sprintf("%s: %s is beyond %v", at, text, operand)}
	}
}

func size[T any](fits func(n, bound int) bool, count func(T) int) keywordCheck {
	return func(_ validator, operand any, _ object, v any, at string) []string {
		x, ok := v.(T)
		bound, _ := strconv.Atoi(string(operand.(json.Number)))
		if !ok || fits(count(x), bound) {
			return nil
		}
		return []string{fmt.Sprintf("%s: its size is beyond %v", at, operand)}
	}
}
