package migrate

import (
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// index is one index of a table.
type index struct {
	name, table string
	columns     string // "(a, b)" and whatever follows
	unique      bool
	broken      bool // Postgres: an interrupted build left a part of it behind
}

// definition is its statement; concurrently lets others write the table meanwhile (Postgres only).
func (x index) definition(concurrently bool) string { return x.create(concurrently, " IF NOT EXISTS") }

func (x index) create(concurrently bool, unless string) string {
	text := "CREATE "
	if x.unique {
		text += "UNIQUE "
	}
	text += "INDEX"
	if concurrently {
		text += " CONCURRENTLY"
	}
	return text + unless + " " + db.Quote(x.name) + " ON " + db.Quote(x.table) + " " + x.columns
}

func (m *definer) indexes(shapes []*table.Shape) (all []index) {
	add := func(table, name, columns string, distinct bool) {
		all = append(all, index{name: name, table: table, columns: columns, unique: distinct})
	}
	for _, t := range m.systemTables {
		for _, columns := range t.Indexes {
			if t.Only != nil && t.Only != m.dialect {
				continue
			}
			list, distinct := strings.CutPrefix(columns, "unique ")
			add(t.Name, table.IndexName("i", t.Name, indexSuffix(list)), list, distinct)
		}
	}
	cold := table.ExceptCollections(table.HotCollections(shapes))
	if cold != "" {
		cold = " WHERE " + cold
	}
	if m.dialect.Postgres {
		add("event_log", "i_event_log_collection", "(tenant, collection, sequence)"+cold, false)
	} else {
		add("events", "i_events_key", "(tenant, record, record_sequence)"+cold, true)
		add("events", "i_events_collection", "(tenant, collection, sequence)"+cold, false)
	}
	add(table.RelationMembersTable.Name, table.SlugMembersIndex, "(tenant, field, target) WHERE "+table.SlugMembers, true)
	for _, sh := range shapes {
		for _, u := range sh.Uniques {
			if u.Members {
				continue
			}
			where := ""
			for i, column := range u.Present {
				where += []string{" WHERE ", " AND "}[min(i, 1)] + db.Quote(column) + " IS NOT NULL"
			}
			add(sh.Table, u.Index, "("+quoteAll(u.Columns)+")"+where, true)
		}
		for _, columns := range sh.ListIndexes() {
			names, list := make([]string, len(columns)), make([]string, len(columns))
			for i, c := range columns {
				names[i], list[i] = c.Name, c.Text(m.dialect)
			}
			add(sh.Table, table.IndexName("i", sh.Table, strings.Join(names, "_")), "("+strings.Join(list, ", ")+")", false)
		}
		for _, f := range sh.Schema.Fields {
			if f.Transition != nil { // due transitions are swept across tenants
				columns := quoteAll(sh.TransitionIndex(f))
				add(sh.Table, table.IndexName("i", sh.Table, indexSuffix(columns)), "("+columns+")", false)
			}
		}
		for _, x := range sh.Schema.Indexes {
			columns, where := sh.DeclaredIndex(x)
			add(sh.Table, table.IndexName("i", sh.Table, indexSuffix(columns)), "("+columns+")"+where, false)
		}
	}
	m.olderIndexes(add, shapes)
	return all
}

// indexSuffix is the columns of a declared index as a part of its name.
func indexSuffix(list string) string {
	return strings.Trim(strings.NewReplacer(`"`, "", "(", "", ")", "", ", ", "_", " ", "_").Replace(list), "_")
}

func quoteAll(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = db.Quote(n)
	}
	return strings.Join(out, ", ")
}
