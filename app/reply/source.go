package reply

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Source is the answer as GraphQL resolves its fields. Objects are collection.Record where they are whole
// records of a collection, of which the viewer may see no less than the body shows; all others are JSON
// values of what the body shows, and lists are []any or []collection.Record. Only stored text is parsed.
func (b *Body) Source(viewer collection.Audience) (any, error) {
	switch {
	case b == nil:
		return nil, nil
	case b.members == nil:
		return parse(b.Bytes())
	}
	source, err := (&sources{b.audience, viewer}).object(b.members)
	if err != nil || b.secret.Text == "" {
		return source, err
	}
	return b.secret.in(source), nil
}

// in is source, an answer of members, with the secret.
func (s Secret) in(source any) any {
	members := map[string]any{}
	switch known := source.(type) {
	case collection.Record:
		maps.Copy(members, known)
	case map[string]any:
		maps.Copy(members, known)
	}
	switch within := members[s.Within].(type) {
	case collection.Record:
		shown := within.Clone()
		shown[s.Name] = s.Text
		members[s.Within] = shown
	case map[string]any:
		within[s.Name] = s.Text
	}
	members[s.Name] = s.Text
	return members
}

// sources makes the source of a body for an audience.
type sources struct{ audience, viewer collection.Audience }

func (s *sources) object(members Object) (any, error) {
	if len(members) == 1 && members[0].Name == "" {
		return s.member(&members[0])
	}
	out := make(map[string]any, len(members))
	for i := range members {
		m := &members[i]
		v, err := s.member(m)
		if err != nil {
			return nil, err
		}
		if m.Name != "" {
			out[m.Name] = v
			continue
		}
		switch v := v.(type) {
		case collection.Record:
			maps.Copy(out, m.tree(v, m.view(s.audience)))
		case map[string]any:
			maps.Copy(out, v)
		}
	}
	return out, nil
}

func (s *sources) member(m *Member) (any, error) {
	records, list := m.Value.(Records)
	if !list && !m.isRecord() {
		return s.value(m.Value)
	}
	view := m.view(s.audience)
	whole := m.Schema != nil && view.Audience >= s.viewer && view.Depth == 0 && view.Select == nil
	switch {
	case list && whole:
		return []collection.Record(records), nil
	case list:
		trees := make([]any, len(records))
		for i, r := range records {
			trees[i] = m.tree(r, view)
		}
		return trees, nil
	case m.Record == nil:
		return nil, nil
	case whole:
		return m.Record, nil
	}
	return m.tree(m.Record, view), nil
}

// tree is a record as the view shows it.
func (m *Member) tree(r collection.Record, view collection.View) map[string]any {
	if m.Schema != nil {
		return m.Schema.Tree(r, view)
	}
	return collection.Tree(m.Fields, r, view)
}

// value is a value that is no record, as plain JSON.
func (s *sources) value(v any) (any, error) {
	switch v := v.(type) {
	case Object:
		return s.object(v)
	case List:
		out := make([]any, len(v))
		for i := range v {
			var err error
			if out[i], err = s.value(v[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	case JSON:
		return parse(v)
	}
	return collection.ScalarTree(v), nil
}

// ParseObject reads a JSON object of ours, such as the body of an event.
func ParseObject(text []byte) (map[string]any, error) {
	v, err := parse(text)
	o, _ := v.(map[string]any)
	return o, err
}

// Decode reads into a struct what it has of a JSON object of ours, and passes over all other members: that takes a third of the time of
// ParseObject, and hardly any memory.
func Decode(text []byte, into any) error { return json.Unmarshal(text, into) }

// parse reads JSON of ours.
func parse(text []byte) (collection.JSONValue, error) {
	dec := json.NewDecoder(strings.NewReader(string(text)))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	return Numerals(v), err
}

// Numerals is a copy of v, decoded JSON, with collection.JSONNumber in place of json.Number.
func Numerals(v any) collection.JSONValue {
	switch v := v.(type) {
	case json.Number:
		return collection.JSONNumber(v)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = Numerals(x)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = Numerals(x)
		}
		return out
	}
	return v
}
