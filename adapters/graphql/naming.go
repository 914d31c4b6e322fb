package graphql

import (
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// rootNames are the names of a collection's fields on Query and Mutation. Rule graphql-7.
type rootNames struct{ list, single, count, create, update, remove string }

// rootNamesOf is Products, Product, countProducts, and so on; where plural and singular are the same word,
// allMedia, Media, countallMedia.
func rootNamesOf(s *collection.Schema) rootNames {
	plural := s.Plural
	if plural == s.Singular {
		plural = "all" + s.Singular
	}
	return rootNames{
		list: plural, single: s.Singular, count: "count" + plural,
		create: "create" + s.Singular, update: "update" + s.Singular, remove: "delete" + s.Singular,
	}
}

// capitalize is name with a capital letter, as the types of groups and arrays are called: Tenant_Settings.
func capitalize(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// enumName is a select value as a name of an enum: out-of-stock is out_of_stock, 3d is _3d.
func enumName(value string) string {
	name := strings.Map(func(r rune) rune {
		if r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, value)
	switch {
	case name == "" || name[0] >= '0' && name[0] <= '9', name == "true", name == "false", name == "null":
		return "_" + name
	}
	return name
}
