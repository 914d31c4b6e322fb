package table

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Which records hold a target in a list of relations is in the table relation_members: a row per record and
// target, found by its key. Operators of arrays have indexes too, but are not leakproof, so row-level
// security would keep them from those; a comparison of texts is.
//
// Triggers of the records' table keep it, in the statement that writes the record: no code path that writes a
// row can skip it, not even that of an older program that still runs beside this one. A record without such a
// list pays for a search of its text, an update that leaves the list alone for reading both documents. A new
// list of one target costs Postgres 45 µs, of which 20 are for the row of members and the rest for the
// trigger and its reading of JSON; statements of our own would save some 25 of them, beside the hundreds that
// a record with its event and receipt costs.
//
// Whether a list holds anything at all is read from documents.

// RelationMembersTable is found by target, in the order in which lists look records up.
var RelationMembersTable = SystemTable{
	Name:    "relation_members",
	Body:    `tenant TEXT NOT NULL, field TEXT NOT NULL, target TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (tenant, field, target, record)`,
	Storage: "autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02", // as for tables of records
}

// RelationList is a field with a list of relations whose members are in relation_members.
type RelationList struct {
	Table string
	Path  []string // through groups
}

func addRelationLists(sh *Shape, at []string, fields []collection.Field) {
	for _, f := range fields {
		path := append(slices.Clone(at), f.Name)
		switch {
		case f.Kind == collection.Group:
			addRelationLists(sh, path, f.Fields)
		case f.Indexed && f.Kind.Many():
			sh.RelationLists = append(sh.RelationLists, RelationList{sh.Table, path})
		}
	}
}

// indexedList finds the list of field f of p among those whose members are in relation_members.
func (p pathScope) indexedList(f collection.Field) (RelationList, bool) {
	if p.json != "" {
		return RelationList{}, false
	}
	path := append(slices.Clone(p.at), f.Name)
	i := slices.IndexFunc(p.sh.RelationLists, func(l RelationList) bool { return slices.Equal(l.Path, path) })
	if i < 0 {
		return RelationList{}, false
	}
	return p.sh.RelationLists[i], true
}

// Key is what members call l.
func (l RelationList) Key() string { return l.Table + "." + strings.Join(l.Path, ".") }

// hasMember says that list l of row p holds a target that fits. Postgres makes a join of EXISTS, from either
// side. SQLite does so of IN alone, and reads it once where it depends on no row.
func (c *Compiler) hasMember(p pathScope, l RelationList, fits func(target string) string) string {
	c.Skewed = true
	m := c.alias("m")
	where := " WHERE " + c.within(p, m) + " AND " + m + ".field = '" + l.Key() + "' AND " + fits(m+".target")
	if !c.Dialect.Postgres && c.Tenant != "" {
		return p.alias + ".id IN (SELECT " + m + ".record FROM relation_members " + m + where + ")"
	}
	return "EXISTS (SELECT 1 FROM relation_members " + m + where + " AND " + m + ".record = " + p.alias + ".id)"
}
