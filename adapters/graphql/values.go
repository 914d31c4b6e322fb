package graphql

import (
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// valueOf is a field of a record or of a JSON object.
func valueOf(source any, name string) any {
	switch s := source.(type) {
	case collection.Record:
		value, _ := s.Value(name)
		return value
	case map[string]any:
		return s[name]
	}
	return nil
}

// idOf is the id of a record or of a JSON object.
func idOf(source any) string {
	id, _ := valueOf(source, "id").(string)
	return id
}

// listOf converts a list to []any.
func listOf(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case []collection.Record:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = x
		}
		return out
	case []string:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = x
		}
		return out
	}
	return nil
}
