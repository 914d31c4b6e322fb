package searchindex

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// How many entries one transaction replaces at most: on SQLite everybody else waits for it.
const (
	postgresEntries = 500
	sqliteEntries   = 25
)

// clearBatch is how many rows Clear deletes.
const clearBatch = 2000

// Put implements ports.SearchIndex. Most changes of a record leave its terms as they are, so that what is there is read
// first, and only what differs is written.
func (x Index) Put(ctx context.Context, from, to ports.SearchPlace, entries []search.Entry) error {
	size := sqliteEntries
	if x.db.Dialect.Postgres {
		size = postgresEntries
	}
	for len(entries) > size {
		if err := x.put(ctx, from, from, entries[:size]); err != nil {
			return err
		}
		entries = entries[size:]
	}
	return x.put(ctx, from, to, entries)
}

func (x Index) put(ctx context.Context, from, to ports.SearchPlace, entries []search.Entry) error {
	return x.At(ctx, from, "store search terms", func(ctx context.Context, on db.Session) error {
		there, err := x.rowsOf(ctx, on, from, entries)
		if err != nil {
			return err
		}
		var added []row
		for _, e := range entries {
			for _, t := range e.Terms {
				r := row{e.Collection, e.Environment, t.Text, e.Record, e.Source, string(t.Kind)}
				if !there[r] {
					added = append(added, r)
				}
				delete(there, r)
			}
		}
		gone := slices.Collect(maps.Keys(there))
		stmts := slices.Concat(x.change(deleteRows, from, gone), x.change(insertRows, from, added))
		if to != from {
			stmts = append(stmts, db.Stmt{
				SQL:  "UPDATE search_places SET version = $2, sequence = $3, reading = $4, after_id = $5 WHERE tenant = $1",
				Args: []any{string(from.Tenant), to.Version, to.Sequence, to.Reading, to.After},
			})
		}
		return on.Run(ctx, stmts...)
	})
}

// row is a row of search_terms but for its tenant.
type row struct{ collection, environment, term, record, source, kind string }

func (r row) values() []any {
	return []any{r.collection, r.environment, r.term, r.record, r.source, r.kind}
}

// rowColumns are the columns of a row with their types.
var rowColumns = []string{"collection text", "environment text", "term text", "record text", "source text", "kind text"}

const columnNames = "collection, environment, term, record, source, kind"

// rowsOf are the rows of the sources of entries.
func (x Index) rowsOf(ctx context.Context, on db.Session, place ports.SearchPlace, entries []search.Entry) (map[row]bool, error) {
	sources := make([]string, len(entries))
	for i, e := range entries {
		sources[i] = e.Source
	}
	there := map[row]bool{}
	scan := func(r db.Row) error {
		var one row
		err := r.Scan(&one.collection, &one.environment, &one.term, &one.record, &one.source, &one.kind)
		there[one] = true
		return err
	}
	if len(sources) == 0 {
		return there, nil
	}
	own, parts := x.contributed(place.Tenant, sources)
	own.OnRow, parts.OnRow = scan, scan
	return there, on.Run(ctx, own, parts)
}

// contributed select what sources contribute to themselves, and as parts to other records.
func (x Index) contributed(id tenant.ID, sources []string) (own, parts db.Stmt) {
	const rows = "SELECT " + columnNames + " FROM search_terms WHERE tenant = $1 AND "
	args := []any{string(id), sources}
	return db.Stmt{SQL: rows + x.db.Dialect.InList("record", "$2") + " AND source = record", Args: args},
		db.Stmt{SQL: rows + x.db.Dialect.InList("source", "$2") + " AND source <> record", Args: args}
}

// rowChange is a change of many rows, on Postgres as one statement on the rows d, and on SQLite as one for each.
type rowChange struct{ many, one string }

var (
	deleteRows = rowChange{
		"DELETE FROM search_terms s USING " + db.Unnest("d", rowColumns, 2, "") + //nolint:mnd // after the tenant
			" WHERE s.tenant = $1 AND s.collection = d.collection AND s.environment = d.environment AND s.term = d.term AND s.record = d.record AND s.source = d.source AND s.kind = d.kind",
		"DELETE FROM search_terms WHERE tenant = $1 AND collection = $2 AND environment = $3 AND term = $4 AND record = $5 AND source = $6 AND kind = $7",
	}
	insertRows = rowChange{
		"INSERT INTO search_terms (tenant, " + columnNames + ") SELECT $1, " + columnNames + " FROM " +
			db.Unnest("d", rowColumns, 2, "") + " ON CONFLICT DO NOTHING", //nolint:mnd // after the tenant
		"INSERT INTO search_terms (tenant, " + columnNames + ") VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
	}
)

// change makes the statements of a change of rows.
func (x Index) change(how rowChange, place ports.SearchPlace, rows []row) (stmts []db.Stmt) {
	var columns db.ColumnArrays
	for _, r := range rows {
		values := r.values()
		if columns.AddRow(values[0], values[1:]...); !x.db.Dialect.Postgres {
			stmts = append(stmts, db.Stmt{SQL: how.one, Args: append([]any{string(place.Tenant)}, values...)})
		}
	}
	if x.db.Dialect.Postgres && !columns.Empty() {
		stmts = []db.Stmt{{SQL: how.many, Args: append([]any{string(place.Tenant)}, columns.Columns(0)...)}}
	}
	return stmts
}

// Clear implements ports.SearchIndex.
func (x Index) Clear(ctx context.Context, at ports.SearchPlace) (more bool, err error) {
	rows := "rowid IN (SELECT rowid FROM search_terms WHERE tenant = $1 LIMIT %d)"
	if x.db.Dialect.Postgres {
		rows = "ctid = ANY (ARRAY(SELECT ctid FROM search_terms WHERE tenant = $1 LIMIT %d))"
	}
	text := fmt.Sprintf("DELETE FROM search_terms WHERE "+rows, clearBatch)
	err = x.At(ctx, at, "clear search terms", func(ctx context.Context, on db.Session) error {
		deleted, err := db.Exec(ctx, on, text, string(at.Tenant))
		more = deleted == clearBatch
		return err
	})
	return more, err
}
