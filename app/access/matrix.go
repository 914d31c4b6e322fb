package access

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Grant is the subset of a collection's records that a principal may access with a verb.
type Grant struct {
	All     bool
	Public  bool                 // the records that match Where
	Where   collection.JSONValue // condition in JSON form; nil matches all
	OwnerID string               // id of the customer who may access their own records, or ""
	Person  string               // id of the user who may access their own records, and shared ones, or ""
	About   []string             // slugs of the collections such that records about them may be accessed; nil: not limited
}

// RequireEach refuses callers who may not do each of verbs to any record of s. Errors: those of Allowed.
func RequireEach(p tenant.Principal, s *collection.Schema, verbs ...collection.Verb) error {
	for _, verb := range verbs {
		if _, err := Allowed(p, s, verb); err != nil {
			return err
		}
	}
	return nil
}

// Allowed is the access matrix: whether p may do verb to records of s, and to which of them. It is derived
// from s.Access, and for finer roles from their permissions. Errors: fault.ErrUnauthenticated for anonymous callers, fault.ErrForbidden.
func Allowed(p tenant.Principal, s *collection.Schema, verb collection.Verb) (Grant, error) {
	a := s.Access
	verbs := []collection.Verb(nil)
	switch p.Kind {
	case tenant.System:
		return Grant{All: true}, nil
	case tenant.SecretKey:
		if verb == collection.Read && p.CanRead || verb != collection.Read && p.CanWrite {
			verbs = a.SecretKey
		}
	case tenant.User:
		verbs = userVerbs(p, s, verb)
	case tenant.ClientKey, tenant.Customer:
		return shopperGrant(p, s, verb)
	default:
		return Grant{}, fault.ErrUnauthenticated
	}
	if !slices.Contains(verbs, verb) {
		return Grant{}, fault.ErrForbidden
	}
	switch {
	case a.PersonField != "":
		return Grant{Person: p.ID}, nil
	case a.AboutField != "" && p.Kind == tenant.User && !p.Role.IsBroad():
		return aboutGrant(p, s)
	}
	return Grant{All: true}, nil
}

// aboutGrant is the grant of a finer role on records about records of other collections: of those that it may read.
func aboutGrant(p tenant.Principal, s *collection.Schema) (Grant, error) {
	f, _ := s.Field(s.Access.AboutField)
	var about []string
	for _, slug := range f.Options {
		if p.May(tenant.On(slug, string(collection.Read))) {
			about = append(about, slug)
		}
	}
	switch len(about) {
	case 0:
		return Grant{}, fault.ErrForbidden
	case len(f.Options):
		return Grant{All: true}, nil
	}
	return Grant{About: about}, nil
}

// userVerbs are the verbs of a user, or of them verb alone, if a finer role contains it. A role grants nothing that it could
// not be given, whatever is stored.
func userVerbs(p tenant.Principal, s *collection.Schema, verb collection.Verb) []collection.Verb {
	a := s.Access
	if a.PersonField != "" {
		return a.Viewer
	}
	switch p.Role {
	case tenant.PlatformAdmin:
		return append(slices.Clone(a.Admin), collection.Read)
	case tenant.Admin:
		return a.Admin
	case tenant.Editor:
		return a.Editor
	case tenant.Viewer:
		return a.Viewer
	case tenant.Packer, tenant.Support, tenant.Marketer, tenant.Accountant:
	default: // the tenant's own
	}
	if p.May(tenant.On(s.Slug, string(verb))) && slices.Contains(grantable(s), verb) {
		return []collection.Verb{verb}
	}
	return nil
}

// shopperGrant is the grant of client keys and customers: public records, and a customer's own. Customers may
// change the fields of their own record that its collection lists as theirs.
func shopperGrant(p tenant.Principal, s *collection.Schema, verb collection.Verb) (Grant, error) {
	var r Grant
	if p.Kind == tenant.Customer && s.Access.OwnerField != "" &&
		(verb == collection.Read || verb == collection.Update && s.Access.OwnerField == "id") {
		r.OwnerID = p.ID
	}
	if verb == collection.Read && s.Access.Public {
		r.Public, r.Where = true, s.Access.PublicWhere
	}
	if !r.Public && r.OwnerID == "" {
		return Grant{}, fault.ErrForbidden
	}
	return r, nil
}

// TableRow is the access of each principal to one collection.
type TableRow struct {
	Collection string
	Access     map[string]string // by principal: CRUD, with a dash for each refused verb; lower case if only for some records
}

// tablePrincipals are the columns of the matrix.
var tablePrincipals = []struct {
	name string
	p    tenant.Principal
}{
	{"platform-admin", tenant.Principal{Kind: tenant.User, Role: tenant.PlatformAdmin}},
	{"tenant-admin", tenant.Principal{Kind: tenant.User, Role: tenant.Admin}},
	{"tenant-editor", tenant.Principal{Kind: tenant.User, Role: tenant.Editor}},
	{"tenant-viewer", tenant.Principal{Kind: tenant.User, Role: tenant.Viewer}},
	{"packer", tenant.Principal{Kind: tenant.User, Role: tenant.Packer}},
	{"support", tenant.Principal{Kind: tenant.User, Role: tenant.Support}},
	{"marketer", tenant.Principal{Kind: tenant.User, Role: tenant.Marketer}},
	{"accountant", tenant.Principal{Kind: tenant.User, Role: tenant.Accountant}},
	{"secret-key", tenant.Principal{Kind: tenant.SecretKey, CanRead: true, CanWrite: true}},
	{"client-key", tenant.Principal{Kind: tenant.ClientKey}},
	{"customer", tenant.Principal{Kind: tenant.Customer, ID: "own"}},
}

// Table is the access matrix with one row per collection, computed with Allowed.
func Table(r *collection.Registry) []TableRow {
	var rows []TableRow
	for _, s := range r.All() {
		row := TableRow{s.Slug, map[string]string{}}
		for _, who := range tablePrincipals {
			row.Access[who.name] = crudCell(who.p, s)
		}
		rows = append(rows, row)
	}
	return rows
}

// FormatTable renders Table as text.
func FormatTable(r *collection.Registry) string {
	var b strings.Builder
	writeRow(&b, "collection", func(name string, _ tenant.Principal) string { return name })
	for _, one := range Table(r) {
		writeRow(&b, one.Collection, func(name string, _ tenant.Principal) string { return one.Access[name] })
	}
	return b.String()
}

// FormatOperations renders the permissions of operations, and who has them, as text: the second half of the matrix.
func FormatOperations() string {
	var b strings.Builder
	writeRow(&b, "operations", func(name string, _ tenant.Principal) string { return name })
	for _, known := range tenant.OperationPermissions {
		writeRow(&b, string(known.Permission), func(_ string, p tenant.Principal) string {
			p.Tenant.CommerceEnabled = true
			if RequireOperator(p, known.Permission) != nil {
				return "-"
			}
			return "yes"
		})
	}
	return b.String()
}

// writeRow writes one row with a cell for each principal.
func writeRow(b *strings.Builder, name string, cell func(name string, p tenant.Principal) string) {
	line := padCell(name, firstColumn)
	for _, who := range tablePrincipals {
		line += padCell(cell(who.name, who.p), len(who.name)+2)
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}

// crudCell is "CRUD" with a dash for each refused verb; lower case if the grant covers only some records.
func crudCell(p tenant.Principal, s *collection.Schema) string {
	out := ""
	for _, v := range verbs {
		letter := strings.ToUpper(string(v[:1]))
		r, err := Allowed(p, s, v)
		switch {
		case err != nil:
			letter = "-"
		case !r.All && (r.Where != nil || !r.Public):
			letter = strings.ToLower(letter)
		}
		out += letter
	}
	return out
}

// firstColumn is the width of the first column of a table.
const firstColumn = 22

func padCell(s string, width int) string { return s + strings.Repeat(" ", max(1, width-len(s))) }
