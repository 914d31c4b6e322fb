package collection

import (
	"maps"
	"slices"
)

const maxTreeDepth = 20

// tree reads undeclared JSON: any, or an object of the one kind of values that f takes.
func (a *accept) tree(path string, f Field, raw Tree) any {
	if depthOf(raw) > maxTreeDepth {
		a.problem(path, "This value nests too deeply.")
		return nil
	}
	if f.Of == 0 {
		return raw
	}
	members, ok := raw.(map[string]any)
	if !ok {
		a.problem(path, "This field takes an object.")
		return nil
	}
	out := make(map[string]any, len(members))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		out[name] = a.scalar(path+"."+name, Field{Name: name, Kind: f.Of, MaxLength: f.MaxLength}, members[name])
	}
	return out
}

func depthOf(t Tree) int {
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
