package sqlstore

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// index is one index of a table.
type index struct {
	name, table string
	columns     string // "(a, b)" and whatever follows
	unique      bool
	broken      bool // Postgres: an interrupted build left a part of it behind
}

// text is its definition; how is "" or "CONCURRENTLY ".
func (x index) text(how string) string {
	unique := ""
	if x.unique {
		unique = "UNIQUE "
	}
	return "CREATE " + unique + "INDEX " + how + "IF NOT EXISTS " + quote(x.name) + " ON " + quote(x.table) + " " + x.columns
}

// indexName makes a name that fits every database (63 bytes) and is the same on each run.
func indexName(kind, table, columns string) string {
	name := kind + "_" + table + "_" + columns
	if len(name) <= 60 {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return name[:48] + "_" + hex.EncodeToString(sum[:5])
}

func (m *migrator) indexes(shapes []*shape) (all []index) {
	add := func(table, name, columns string, distinct bool) {
		all = append(all, index{name: name, table: table, columns: columns, unique: distinct})
	}
	for _, t := range systemTables() {
		for _, columns := range t.indexes {
			if t.only != nil && t.only != m.d {
				continue
			}
			list, distinct := strings.CutPrefix(columns, "unique ")
			add(t.name, indexName("i", t.name, flat(list)), list, distinct)
		}
	}
	if m.d.postgres {
		add("event_log", "i_event_log_collection", "(tenant, collection, sequence)"+lukewarm(shapes), false)
	} else {
		add("events", "i_events_key", "(tenant, record, record_sequence)"+lukewarm(shapes), true)
		add("events", "i_events_collection", "(tenant, collection, sequence)"+lukewarm(shapes), false)
	}
	for _, sh := range shapes {
		for _, u := range sh.uniques {
			add(sh.table, u.index, "("+quoted(u.columns)+")", true)
		}
		for _, columns := range sh.sorted() {
			list := strings.Join(columns, ", ")
			if m.d.postgres { // null is smallest here as it is there
				list = strings.ReplaceAll(strings.ReplaceAll(list, " ASC", " NULLS FIRST"), " DESC", " DESC NULLS LAST")
			}
			add(sh.table, indexName("i", sh.table, flat(list)), "("+list+")", false)
		}
		for _, f := range sh.schema.Fields {
			if f.Lapses != nil { // what has lapsed is swept across tenants
				columns := quoted(sh.lapsing(f))
				add(sh.table, indexName("i", sh.table, flat(columns)), "("+columns+")", false)
			}
		}
		if sh.schema.Slug == "api-keys" { // found before their tenant is known
			add(sh.table, "i_api_keys_hash", "(hash)", false)
		}
		if sh.schema.Slug == "payment-sessions" { // the open ones are watched across tenants
			add(sh.table, "i_payment_sessions_open", "(slot_held, created_at)", false)
		}
		if sh.schema.Slug == "webhook-deliveries" { // the pending ones are worked off across tenants
			for _, name := range slices.Sorted(maps.Keys(deliveryIndexes)) {
				add(sh.table, name, deliveryIndexes[name], false)
			}
		}
		if sh.schema.Slug == "provider-connections" { // a webhook names nothing else
			add(sh.table, "i_provider_connections_id", "(id, tenant)", false)
		}
	}
	m.olderIndexes(add, shapes)
	return all
}

// lukewarm leaves the events of hot collections out of the index that lists read, since their counts are not remembered,
// and on SQLite out of the one by record.
func lukewarm(shapes []*shape) string {
	var hot []string
	for _, sh := range shapes {
		if sh.schema.Hot {
			hot = append(hot, "collection <> '"+sh.schema.Slug+"'")
		}
	}
	if hot == nil {
		return ""
	}
	return " WHERE " + strings.Join(hot, " AND ")
}

func flat(list string) string {
	return strings.Trim(strings.NewReplacer(`" DESC NULLS LAST`, "_desc", `" DESC`, "_desc", " NULLS FIRST", "", " DESC NULLS LAST", "", " ASC", "", " DESC", "", `"`, "", "(", "", ")", "", ", ", "_", " ", "_").Replace(list), "_")
}

func quoted(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = quote(n)
	}
	return strings.Join(out, ", ")
}

// sorted lists the indexes that serve filters and sorting: newest first, and every field marked Indexed. On hot records an index
// may only stand on what their usual changes leave alone: any other would keep them from being updated in place.
func (sh *shape) sorted() [][]string {
	lead := []string{"tenant"}
	if sh.env {
		lead = append(lead, "environment")
	}
	on := func(column string) []string { return append(slices.Clone(lead), column, "id") }
	list := [][]string{on("created_at DESC")}
	if f, ok := sh.schema.Field("updatedAt"); ok && f.Indexed && !sh.schema.Hot {
		list = append(list, on("updated_at ASC"))
	}
	for i := range sh.columns {
		c := &sh.columns[i]
		if f, ok := fieldAt(sh.schema.Fields, c.path); ok && f.Indexed && !c.fold {
			list = append(list, on(quote(c.name)+" ASC"))
			if few := f.Kind == collection.Select || f.Kind == collection.Boolean; few && f.Lapses == nil { // ties by id decide nearly all of the order
				list = append(list, on(quote(c.name)+" DESC"))
			}
		}
	}
	for _, fields := range sh.schema.Lists {
		columns := lead
		for _, name := range fields {
			columns = append(slices.Clip(columns), quote(sh.columnOf(name)))
		}
		list = append(list, append(columns, "created_at", "id"))
	}
	return list
}

// lapsing are the columns of the index by which records are found that have lapsed.
func (sh *shape) lapsing(f collection.Field) []string {
	at := f.Lapses.At
	if sh.schema.Hot { // it moves with every change; the sweep looks among those old enough instead
		at = "createdAt"
	}
	return []string{sh.columnOf(f.Name), sh.columnOf(at)}
}

// covers reports whether one index of Schema.Lists holds all that finding the rows of q takes.
func (sh *shape) covers(q collection.Query) bool {
	var asked []collection.Field
	for _, o := range q.Sort {
		asked = append(asked, o.Path...)
	}
	asked, plain := fieldsOf(asked, q.Where)
	return plain && q.Where != nil && slices.ContainsFunc(sh.schema.Lists, func(fields []string) bool {
		return !slices.ContainsFunc(asked, func(f collection.Field) bool {
			return f.Name != "createdAt" && f.Name != "id" && !slices.Contains(fields, f.Name)
		})
	})
}

// fieldsOf appends the fields that a condition is about; plain is false when it looks for words, or for any
// member of a list.
func fieldsOf(all []collection.Field, cond collection.Cond) (_ []collection.Field, plain bool) {
	var conds []collection.Cond
	switch cond := cond.(type) {
	case collection.And:
		conds = cond
	case collection.Or:
		conds = cond
	case collection.Test:
		many := cond.Path[len(cond.Path)-1].Kind.Many()
		reads := cond.Op == collection.Like || cond.Op == collection.Contains && !many || cond.Op == collection.Exists && many
		return append(all, cond.Path...), !reads
	}
	for _, c := range conds {
		if all, plain = fieldsOf(all, c); !plain {
			return all, false
		}
	}
	return all, true
}

func fieldAt(fields []collection.Field, path []string) (collection.Field, bool) {
	if len(path) == 0 {
		return collection.Field{}, false
	}
	i := slices.IndexFunc(fields, func(f collection.Field) bool { return f.Name == path[0] })
	switch {
	case i < 0:
		return collection.Field{}, false
	case len(path) == 1:
		return fields[i], true
	}
	return fieldAt(fields[i].Fields, path[1:])
}
