// Package openapitest holds real requests and answers against an OpenAPI document, so that a test suite proves that the
// document tells the truth. It knows the part of JSON Schema 2020-12 that our documents use, and fails on the rest.
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

// validator judges values by the schemas of a document.
type validator struct {
	document       object
	ignoreRequired bool // what is required may be missing
}

// annotations say something to people and nothing to us.
var annotations = []string{"description", "format", "default", "example", "writeOnly", "deprecated", "contentMediaType", "contentSchema"}

// problems lists how v differs from s, each with the path of the value.
func (j validator) problems(s object, v any, at string) (out []string) {
	for _, word := range slices.Sorted(maps.Keys(s)) {
		if slices.Contains(annotations, word) {
			continue
		}
		judge := checkOf(word)
		if judge == nil {
			return append(out, fmt.Sprintf("%s: the schema has a word nobody checks: %s", at, word))
		}
		out = append(out, judge(j, s[word], s, v, at)...)
	}
	return out
}

type keywordCheck func(j validator, word any, s object, v any, at string) []string

var (
	least = func(n, bound int) bool { return n >= bound }
	most  = func(n, bound int) bool { return n <= bound }
)

// checkOf are the words of a schema that say something of a value; it is a function since they call one another.
func checkOf(word string) keywordCheck {
	switch word {
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
		return size(least, utf8.RuneCountInString)
	case "maxLength":
		return size(most, utf8.RuneCountInString)
	case "minItems":
		return size(least, func(l []any) int { return len(l) })
	case "maxItems":
		return size(most, func(l []any) int { return len(l) })
	case "minProperties":
		return size(least, func(m object) int { return len(m) })
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

func reference(j validator, word any, _ object, v any, at string) []string {
	target := j.find(word.(string))
	if target == nil {
		return []string{at + ": nothing at " + word.(string)}
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

func types(_ validator, word any, _ object, v any, at string) []string {
	wanted, ok := word.([]any)
	if !ok {
		wanted = []any{word}
	}
	is := typeOf(v)
	if slices.Contains(wanted, any(is)) || is == "integer" && slices.Contains(wanted, any("number")) {
		return nil
	}
	return []string{fmt.Sprintf("%s: %s is none of %v", at, is, wanted)}
}

func enum(_ validator, word any, _ object, v any, at string) []string {
	if slices.ContainsFunc(word.([]any), func(x any) bool { return reflect.DeepEqual(x, v) }) {
		return nil
	}
	return []string{fmt.Sprintf("%s: %v is not among the choices", at, v)}
}

func constant(_ validator, word any, _ object, v any, at string) []string {
	if reflect.DeepEqual(word, v) {
		return nil
	}
	return []string{fmt.Sprintf("%s: %v is not %v", at, v, word)}
}

func properties(j validator, word any, _ object, v any, at string) (out []string) {
	m, _ := v.(object)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if s, ok := word.(object)[name].(object); ok {
			out = append(out, j.problems(s, m[name], at+"."+name)...)
		}
	}
	return out
}

func required(j validator, word any, _ object, v any, at string) (out []string) {
	m, isObject := v.(object)
	if !isObject || j.ignoreRequired {
		return nil
	}
	for _, name := range word.([]any) {
		if _, ok := m[name.(string)]; !ok {
			out = append(out, fmt.Sprintf("%s: %s is missing", at, name))
		}
	}
	return out
}

func additional(j validator, word any, s object, v any, at string) (out []string) {
	m, _ := v.(object)
	declared, _ := s["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if _, ok := declared[name]; ok || word == true {
			continue
		}
		if inner, ok := word.(object); ok {
			out = append(out, j.problems(inner, m[name], at+"."+name)...)
			continue
		}
		out = append(out, fmt.Sprintf("%s: %s is not declared", at, name))
	}
	return out
}

func items(j validator, word any, _ object, v any, at string) (out []string) {
	list, _ := v.([]any)
	for i, x := range list {
		out = append(out, j.problems(word.(object), x, at+"["+strconv.Itoa(i)+"]")...)
	}
	return out
}

func anyOf(j validator, word any, _ object, v any, at string) []string {
	var all []string
	for _, s := range word.([]any) {
		problems := j.problems(s.(object), v, at)
		if len(problems) == 0 {
			return nil
		}
		all = append(all, strings.Join(problems, "; "))
	}
	return []string{fmt.Sprintf("%s: fits none of: %s", at, strings.Join(all, " | "))}
}

func allOf(j validator, word any, _ object, v any, at string) (out []string) {
	for _, s := range word.([]any) {
		out = append(out, j.problems(s.(object), v, at)...)
	}
	return out
}

func pattern(_ validator, word any, _ object, v any, at string) []string {
	s, isText := v.(string)
	if !isText || regexp.MustCompile(word.(string)).MatchString(s) {
		return nil
	}
	return []string{fmt.Sprintf("%s: %q does not match %v", at, s, word)}
}

func number(fits func(n, bound *big.Rat) bool) keywordCheck {
	return func(_ validator, word any, _ object, v any, at string) []string {
		text, isNumber := v.(json.Number)
		if !isNumber {
			return nil
		}
		n, _ := new(big.Rat).SetString(string(text))
		bound, _ := new(big.Rat).SetString(string(word.(json.Number)))
		if fits(n, bound) {
			return nil
		}
		return []string{fmt.Sprintf("%s: %s is beyond %v", at, text, word)}
	}
}

func size[T any](fits func(n, bound int) bool, count func(T) int) keywordCheck {
	return func(_ validator, word any, _ object, v any, at string) []string {
		x, ok := v.(T)
		bound, _ := strconv.Atoi(string(word.(json.Number)))
		if !ok || fits(count(x), bound) {
			return nil
		}
		return []string{fmt.Sprintf("%s: its size is beyond %v", at, word)}
	}
}
