package graphql

import (
	"encoding/json"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// appendAnswer writes an answer, its members in the order the document asks for them. Spec 7.2.
func appendAnswer(dst []byte, problems []problem, s *shape, data any, extensions map[string]any) ([]byte, error) {
	dst = append(dst, '{')
	if len(problems) > 0 {
		dst = append(appendProblems(dst, problems), ',')
	}
	dst, err := appendValue(append(dst, `"data":`...), s, data)
	if err != nil {
		return nil, err
	}
	if len(extensions) > 0 {
		dst = collection.AppendTree(append(dst, `,"extensions":`...), extensions)
	}
	return append(dst, '}'), nil
}

func appendProblems(dst []byte, problems []problem) []byte {
	dst = append(dst, `"errors":[`...)
	for i, p := range problems {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = p.append(dst)
	}
	return append(dst, ']')
}

// appendValue writes v, which has the members that s names where it is an object the document looks into.
func appendValue(dst []byte, s *shape, v any) (_ []byte, err error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case map[string]any:
		if s != nil {
			return appendMembers(dst, s, v)
		}
	case []any:
		if s != nil {
			dst = append(dst, '[')
			for i, item := range v {
				if i > 0 {
					dst = append(dst, ',')
				}
				if dst, err = appendValue(dst, s, item); err != nil {
					return nil, err
				}
			}
			return append(dst, ']'), nil
		}
	case string, bool, int, int64, collection.Numeral:
	default: // what only introspection answers
		text, err := json.Marshal(v)
		return append(dst, text...), err
	}
	return collection.AppendTree(dst, v), nil
}

func appendMembers(dst []byte, s *shape, m map[string]any) (_ []byte, err error) {
	dst = append(dst, '{')
	for i, key := range s.keys {
		v, there := m[key]
		if !there {
			continue // left out by @skip or @include, or asked of another type
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(collection.AppendString(dst, key), ':')
		if dst, err = appendValue(dst, s.sub[i], v); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}
