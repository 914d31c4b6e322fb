package access

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Reach says which records of a collection a principal may touch with a verb it has.
type Reach struct {
	All    bool
	Public bool            // those that Where admits
	Where  collection.Tree // JSON-form condition; nil admits all
	Own    string          // id of the customer whose own records are within reach, or ""
}

// Allowed is the access matrix: whether p may do verb to records of s, and to which ones. It derives from s.Access alone.
// Errors: fault.ErrUnauthenticated for nobody, fault.ErrForbidden.
func Allowed(p tenant.Principal, s *collection.Schema, verb collection.Verb) (Reach, error) {
	a := s.Access
	verbs := []collection.Verb(nil)
	switch p.Kind {
	case tenant.System:
		return Reach{All: true}, nil
	case tenant.SecretKey:
		if verb == collection.Read && p.CanRead || verb != collection.Read && p.CanWrite {
			verbs = a.SecretKey
		}
	case tenant.User:
		verbs = verbsOf(p.Role, a)
	case tenant.ClientKey, tenant.Customer:
		return shopper(p, s, verb)
	default:
		return Reach{}, fault.ErrUnauthenticated
	}
	if !slices.Contains(verbs, verb) {
		return Reach{}, fault.ErrForbidden
	}
	return Reach{All: true}, nil
}

func verbsOf(r tenant.Role, a collection.Access) []collection.Verb {
	switch r {
	case tenant.PlatformAdmin:
		return append(slices.Clone(a.Admin), collection.Read)
	case tenant.Admin:
		return a.Admin
	case tenant.Editor:
		return a.Editor
	case tenant.Viewer:
		return a.Viewer
	}
	return nil
}

// shopper is what client keys and customers reach: public records, and a customer's own. Customers may change the fields
// of their own record that its collection leaves to them.
func shopper(p tenant.Principal, s *collection.Schema, verb collection.Verb) (Reach, error) {
	var r Reach
	if p.Kind == tenant.Customer && s.Access.Owner != "" && (verb == collection.Read || verb == collection.Update && s.Access.Owner == "id") {
		r.Own = p.ID
	}
	if verb == collection.Read && s.Access.Public {
		r.Public, r.Where = true, s.Access.PublicWhere
	}
	if !r.Public && r.Own == "" {
		return Reach{}, fault.ErrForbidden
	}
	return r, nil
}

// Row is what principals may do to a collection.
type Row struct {
	Collection string
	Access     map[string]string // by principal: CRUD, a dash for each verb refused, lower case for some records
}

// principals are the columns of the matrix.
var principals = []struct {
	name string
	p    tenant.Principal
}{
	{"platform-admin", tenant.Principal{Kind: tenant.User, Role: tenant.PlatformAdmin}},
	{"tenant-admin", tenant.Principal{Kind: tenant.User, Role: tenant.Admin}},
	{"tenant-editor", tenant.Principal{Kind: tenant.User, Role: tenant.Editor}},
	{"tenant-viewer", tenant.Principal{Kind: tenant.User, Role: tenant.Viewer}},
	{"secret-key", tenant.Principal{Kind: tenant.SecretKey, CanRead: true, CanWrite: true}},
	{"client-key", tenant.Principal{Kind: tenant.ClientKey}},
	{"customer", tenant.Principal{Kind: tenant.Customer, ID: "own"}},
}

// Table is who may do what to which collection, one row each: the table that Allowed enforces, asked from Allowed.
func Table(r *collection.Registry) []Row {
	var rows []Row
	for _, s := range r.All() {
		row := Row{s.Slug, map[string]string{}}
		for _, who := range principals {
			row.Access[who.name] = cell(who.p, s)
		}
		rows = append(rows, row)
	}
	return rows
}

// Matrix prints the Table.
func Matrix(r *collection.Registry) string {
	var b strings.Builder
	row := func(name string, cells func(name string) string) {
		line := pad(name)
		for _, who := range principals {
			line += pad(cells(who.name))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	row("collection", func(name string) string { return name })
	for _, one := range Table(r) {
		row(one.Collection, func(name string) string { return one.Access[name] })
	}
	return b.String()
}

// cell is "CRUD" with a dash for each verb refused; lower case where only some records are within reach.
func cell(p tenant.Principal, s *collection.Schema) string {
	out := ""
	for _, v := range []collection.Verb{collection.Create, collection.Read, collection.Update, collection.Delete} {
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

func pad(s string) string { return s + strings.Repeat(" ", max(1, 22-len(s))) }
