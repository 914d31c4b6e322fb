package collection

import (
	"maps"
	"slices"
)

const maxJSONDepth = 20

// jsonValue reads undeclared JSON, or an object whose values are of f.ValueKind.
func (a *inputMerge) jsonValue(path string, f Field, raw JSONValue) any {
	if depthOf(raw) > maxJSONDepth {
		a.problem(path, "This value nests too deeply.")
		return nil
	}
	if f.ValueKind == 0 {
		return raw
	}
	members, ok := raw.(map[string]any)
	if !ok {
		a.problem(path, "This field takes an object.")
		return nil
	}
	out := make(map[string]any, len(members))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		out[name] = a.scalar(path+"."+name, Field{Name: name, Kind: f.ValueKind, MaxLength: f.MaxLength}, members[name])
	}
	return out
}

func depthOf(t JSONValue) int {
	deepest := 0
	switch t := t.(type) {
	case []any:
		for _, x := range t {
			deepest = max(deepest, depthOf(x))
		}
	case map[string]any:
		for _, x := range t {
			deepest = max(deepest, depthOf(x))
		}
	default:
		return 0
	}
	return deepest + 1
}
