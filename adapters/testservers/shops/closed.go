package shops

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// ClosedToKeys returns schemas with one collection that only logged-in users may read, neither secret keys nor the
// public. No collection of the product is like that, but the rules of audiences are about any that may come.
func ClosedToKeys(schemas []*collection.Schema, slug string) []*collection.Schema {
	out := slices.Clone(schemas)
	i := slices.IndexFunc(out, func(s *collection.Schema) bool { return s.Slug == slug })
	shut := *out[i]
	shut.Access = collection.Access{Viewer: shut.Access.Viewer, Editor: shut.Access.Editor, Admin: shut.Access.Admin}
	out[i] = &shut
	return out
}
