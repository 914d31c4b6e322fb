// Package requestcheck checks requests against the members that a provider published, for the fakes of providers: a fake
// refuses what is missing, unknown, of another type or out of range, as the provider does. It knows no provider.
package requestcheck

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kind is the JSON type of a member.
type Kind string

// The kinds. An Integer has neither fraction nor exponent. Members of a Map have any name, and are texts. What is Any is
// not checked.
const (
	Any     Kind = "any"
	Text    Kind = "text"
	Number  Kind = "number"
	Integer Kind = "integer"
	Boolean Kind = "boolean"
	Object  Kind = "object"
	List    Kind = "list"
	Map     Kind = "map"
)

// Member is a member of an object that a provider published.
type Member struct {
	Name     string
	Kind     Kind
	Required bool
	Min, Max int64          // of Text: characters; of Number and Integer: its value, never negative; Max 0: no limit
	Pattern  *regexp.Regexp // of Text; nil: any
	OneOf    []string       // of Text; nil: any
	Members  []Member       // of Object, and of each element of List; an element without is a text
}

// Reason is why a request is refused.
type Reason string

// The reasons.
const (
	Malformed  Reason = "malformed" // no object at all
	Missing    Reason = "missing"
	Unknown    Reason = "unknown"
	WrongType  Reason = "of another type"
	OutOfRange Reason = "out of range"
)

// Problem is the first thing that is wrong with a request.
type Problem struct {
	Reason Reason
	Member string // its path, "products[0].name"; "" for Malformed
}

// Error implements error.
func (p *Problem) Error() string { return fmt.Sprintf("%q is %s", p.Member, p.Reason) }

// JSON checks a body. An empty one is an object without members. Errors: *Problem.
func JSON(body []byte, members []Member) error {
	decoded := map[string]any{}
	if len(bytes.TrimSpace(body)) > 0 {
		numbers := json.NewDecoder(bytes.NewReader(body))
		numbers.UseNumber()
		if numbers.Decode(&decoded) != nil || decoded == nil || numbers.More() {
			return &Problem{Reason: Malformed}
		}
	}
	return checker{}.object("", decoded, members)
}

// Form checks a form whose names are paths, such as "line_items[0][quantity]". Its values are texts: "12" is an
// Integer, "true" a Boolean. Errors: *Problem.
func Form(values url.Values, members []Member) error {
	decoded := map[string]any{}
	for name, all := range values {
		if len(all) != 1 && !strings.HasSuffix(name, "[]") || !put(decoded, strings.Split(strings.ReplaceAll(name, "]", ""), "["), all) {
			return &Problem{Malformed, name}
		}
	}
	return checker{text: true}.object("", decoded, members)
}

// put stores values under a path; false when the path leads through a text.
func put(into map[string]any, path []string, values []string) bool {
	if len(path) == 1 {
		if _, taken := into[path[0]]; taken {
			return false
		}
		into[path[0]] = values[0]
		return true
	}
	next, found := into[path[0]].(map[string]any)
	if !found {
		if _, taken := into[path[0]]; taken {
			return false
		}
		next = map[string]any{}
		into[path[0]] = next
	}
	return put(next, path[1:], values)
}

type checker struct {
	text bool // scalars are texts, and lists are objects of numbered elements
}

func (c checker) object(at string, given map[string]any, members []Member) error {
	for name := range given {
		if !slices.ContainsFunc(members, func(m Member) bool { return m.Name == name }) {
			return &Problem{Unknown, join(at, name)}
		}
	}
	for _, m := range members {
		value, found := given[m.Name]
		if !found {
			if m.Required {
				return &Problem{Missing, join(at, m.Name)}
			}
			continue
		}
		if err := c.member(join(at, m.Name), value, m); err != nil {
			return err
		}
	}
	return nil
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

func (c checker) member(at string, value any, m Member) error {
	switch m.Kind {
	case Any:
		return nil
	case Object:
		if inner, is := value.(map[string]any); is {
			return c.object(at, inner, m.Members)
		}
	case Map:
		if inner, is := value.(map[string]any); is {
			for name, v := range inner {
				if _, is := v.(string); !is {
					return &Problem{WrongType, join(at, name)}
				}
			}
			return nil
		}
	case List:
		if elements, is := c.elements(value); is {
			return c.list(at, elements, m)
		}
	case Text:
		if text, is := value.(string); is {
			return m.checkText(at, text)
		}
	case Number, Integer:
		if number, is := c.number(value); is {
			return m.checkNumber(at, number)
		}
	case Boolean:
		if _, is := value.(bool); is || c.text && (value == "true" || value == "false") {
			return nil
		}
	}
	return &Problem{WrongType, at}
}

func (c checker) elements(value any) (all []any, is bool) {
	if list, is := value.([]any); is {
		return list, true
	}
	numbered, is := value.(map[string]any)
	if !c.text || !is {
		return nil, false
	}
	for name, element := range numbered {
		if _, err := strconv.Atoi(name); err != nil && name != "" {
			return nil, false
		}
		all = append(all, element)
	}
	return all, true
}

func (c checker) list(at string, elements []any, m Member) error {
	element := Member{Kind: Object, Members: m.Members}
	if m.Members == nil {
		element.Kind = Text
	}
	for i, value := range elements {
		if err := c.member(at+"["+strconv.Itoa(i)+"]", value, element); err != nil {
			return err
		}
	}
	return nil
}

func (c checker) number(value any) (json.Number, bool) {
	if text, is := value.(string); c.text && is {
		return json.Number(text), true
	}
	number, is := value.(json.Number)
	return number, is
}

func (m Member) checkText(at, text string) error {
	length := int64(utf8.RuneCountInString(text))
	if length < m.Min || m.Max > 0 && length > m.Max || m.Pattern != nil && !m.Pattern.MatchString(text) ||
		m.OneOf != nil && !slices.Contains(m.OneOf, text) {
		return &Problem{OutOfRange, at}
	}
	return nil
}

func (m Member) checkNumber(at string, number json.Number) error {
	if m.Kind == Integer {
		if _, err := number.Int64(); err != nil {
			return &Problem{WrongType, at}
		}
	}
	value, err := number.Float64()
	if err != nil {
		return &Problem{WrongType, at}
	}
	if value < float64(m.Min) || m.Max > 0 && value > float64(m.Max) {
		return &Problem{OutOfRange, at}
	}
	return nil
}
