// Package openapitest checks real requests and answers against an OpenAPI document, so that a test suite
// proves that the document is correct. It implements the part of JSON Schema 2020-12 that our documents use,
// and reports other keywords.
package openapitest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

type object = map[string]any

// validator checks values against the schemas of a document.
type validator struct {
	document       object
	ignoreRequired bool // required members may be missing
}

// annotations are keywords that restrict nothing.
var annotations = []string{"description", "format", "default", "example", "writeOnly", "deprecated", "contentMediaType", "contentSchema"}

// problems lists how v differs from s, each with the path of the value.
func (j validator) problems(s object, v any, at string) (out []string) {
	for _, keyword := range slices.Sorted(maps.Keys(s)) {
		if slices.Contains(annotations, keyword) {
			continue
		}
		check := checkOf(keyword)
		if check == nil {
			return append(out, fmt.Sprintf("%s: the schema has the unknown keyword %s", at, keyword))
		}
		out = append(out, check(j, s[keyword], s, v, at)...)
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
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if s, ok := operand.(object)[name].(object); ok {
			out = append(out, j.problems(s, m[name], at+"."+name)...)
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
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if _, ok := declared[name]; ok || operand == true {
			continue
		}
		if inner, ok := operand.(object); ok {
			out = append(out, j.problems(inner, m[name], at+"."+name)...)
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

func pattern(_ validator, operand any, _ object, v any, at string) []string {
	s, isText := v.(string)
	if !isText || regexp.MustCompile(operand.(string)).MatchString(s) {
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
