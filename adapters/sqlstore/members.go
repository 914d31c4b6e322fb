package sqlstore

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Which records hold a target in a list of relations is told by the table members: a row per record and target, found by
// its key. Operators of arrays have indexes too, but are not leakproof, so row-level security would keep them from those;
// a comparison of texts is.
//
// Triggers of the records' table keep it, in the statement that writes the record: no road to a row can forget it, not even
// that of an older program which goes on writing beside this one. A record without such a list pays for a search of its
// text, an update that leaves the list alone for reading both documents. A new list of one target costs Postgres 45 µs, of
// which 20 are for the row of members and the rest for the trigger and its reading of JSON; statements of our own would save
// some 25 of them, beside the hundreds that a record with its event and receipt costs.
//
// Whether a list holds anything at all is read from documents.

// membersTable is found by target, in the order that lists ask in.
var membersTable = systemTable{
	name:  "members",
	body:  `tenant TEXT NOT NULL, field TEXT NOT NULL, target TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (tenant, field, target, record)`,
	extra: "autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02", // as for tables of records
}

// list is a field with a list of relations that members tell of.
type list struct {
	table string
	path  []string // through groups
}

func (sh *shape) addLists(at []string, fields []collection.Field) {
	for _, f := range fields {
		path := append(slices.Clone(at), f.Name)
		switch {
		case f.Kind == collection.Group:
			sh.addLists(path, f.Fields)
		case f.Indexed && f.Kind.Many():
			sh.lists = append(sh.lists, list{sh.table, path})
		}
	}
}

// listed finds the list of field f of p among those that members tell of.
func (p place) listed(f collection.Field) (list, bool) {
	if p.json != "" {
		return list{}, false
	}
	path := append(slices.Clone(p.at), f.Name)
	i := slices.IndexFunc(p.sh.lists, func(l list) bool { return slices.Equal(l.path, path) })
	if i < 0 {
		return list{}, false
	}
	return p.sh.lists[i], true
}

// field is what members call l.
func (l list) field() string { return l.table + "." + strings.Join(l.path, ".") }

// holds says that list l of row p holds a target that fits. Postgres makes a join of EXISTS, from either side. SQLite does
// so of IN alone, and reads it once where it depends on no row.
func (c *compiler) holds(p place, l list, fits func(target string) string) string {
	c.skewed = true
	m := c.alias("m")
	where := " WHERE " + c.within(p, m) + " AND " + m + ".field = '" + l.field() + "' AND " + fits(m+".target")
	if !c.v.s.d.postgres && c.tenant != "" {
		return p.alias + ".id IN (SELECT " + m + ".record FROM members " + m + where + ")"
	}
	return "EXISTS (SELECT 1 FROM members " + m + where + " AND " + m + ".record = " + p.alias + ".id)"
}
