package once

import "github.com/cartwright-dev/cartwright/domain/collection"

// Member is one named record of an answer; a nil Record is null.
type Member struct {
	Name   string
	Schema *collection.Schema
	Record collection.Record
}

// Body is the JSON object of an answer with these members, as c's caller may see them.
func (c Call) Body(members ...Member) []byte {
	view := collection.View{}
	if c.Principal.Staff() {
		view.Audience = collection.Staff
	}
	out := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(collection.AppendString(out, m.Name), ':')
		if m.Record == nil {
			out = append(out, "null"...)
			continue
		}
		out = collection.AppendJSON(out, m.Schema, m.Record, view)
	}
	return append(out, '}')
}
