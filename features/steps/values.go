package steps

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// valueAt follows a path of keys (string) and positions (int) into JSON; a missing step gives nil.
func valueAt(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, _ := v.(object)
			v = m[step]
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				return nil
			}
			v = list[step]
		}
	}
	return v
}

// text is the string, number or boolean at a path, written out; "" for everything else.
func text(v any, path ...any) string {
	switch v := valueAt(v, path...).(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// list is the array at a path; nil if there is none.
func list(v any, path ...any) []any {
	l, _ := valueAt(v, path...).([]any)
	return l
}

// idOf is the id of a related record, which the server may have embedded.
func idOf(v any) string {
	if m, ok := v.(object); ok {
		return text(m, "id")
	}
	s, _ := v.(string)
	return s
}

// names are those of the records in a list.
func names(a answer) (all []string) {
	for _, doc := range list(a.body, "docs") {
		all = append(all, text(doc, "name"))
	}
	return all
}

// equal compares values as text, so that amounts are compared digit by digit.
func equal(what string, got any, want string) error {
	if g := text(got); g != want {
		return fmt.Errorf("%s is %q, want %q", what, g, want)
	}
	return nil
}

func firstNonEmpty(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

const missingID = "01890000-0000-7000-8000-000000000000" // of no record
