package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// tableColumn is a column of a table of the database.
type tableColumn struct{ table, name, kind string }

// columns are the columns of all tables.
func (s *Store) columns(ctx context.Context) (all []tableColumn, err error) {
	text := "SELECT m.name, c.name, lower(c.type) FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY 1, c.cid"
	if s.engine.dialect.Postgres {
		text = "SELECT c.relname::text, a.attname::text, format_type(a.atttypid, NULL) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid " +
			"WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1, a.attnum"
	}
	return all, db.Query(ctx, s.engine.db.Reader(db.SystemScope), func(r db.Row) error {
		var c tableColumn
		err := r.Scan(&c.table, &c.name, &c.kind)
		all = append(all, c)
		return err
	}, text)
}

// sampleValue is a value of a column as SQL; texts name the tenant.
func sampleValue(c tableColumn, id tenant.ID) string {
	text := "'" + string(id) + "'"
	switch {
	case c.name == "doc":
		return `'{"id":"` + string(id) + `","tenant":"` + string(id) + `"}'`
	case c.table == "ledger_entries" && c.name == "type":
		return "'charge'"
	case strings.HasPrefix(c.kind, "text[]"):
		return "ARRAY[" + text + "]"
	case strings.HasPrefix(c.kind, "bigint[]"):
		return "ARRAY[1::bigint]"
	case strings.Contains(c.kind, "bool"):
		return "FALSE"
	case strings.Contains(c.kind, "bytea"):
		return "convert_to(" + text + ", 'UTF8')"
	case c.kind == "blob":
		return "CAST(" + text + " AS BLOB)"
	case strings.Contains(c.kind, "timestamp"):
		return "'2026-01-01T00:00:00Z'"
	case c.name == "translated_texts": // read by triggers
		return `'{"` + string(id) + `":{"name":["` + string(id) + `","` + string(id) + `"]}}'`
	case strings.Contains(c.kind, "int"), strings.Contains(c.kind, "double"), c.kind == "real", strings.Contains(c.kind, "numeric"):
		return "1"
	}
	return text
}

// FillEveryTable adds a row of a tenant to every table that has rows of tenants.
func (s *Store) FillEveryTable(ctx context.Context, id tenant.ID) error {
	all, err := s.columns(ctx)
	if err != nil {
		return err
	}
	for _, table := range s.ErasedTables() {
		var names, values []string
		for _, c := range all {
			if c.table == table {
				names, values = append(names, db.Quote(c.name)), append(values, sampleValue(c, id))
			}
		}
		insert := "INSERT INTO " + db.Quote(table) + " (" + strings.Join(names, ", ") + ") VALUES (" + strings.Join(values, ", ") + ")"
		if err := s.ExecSystem(ctx, insert); err != nil {
			return fmt.Errorf("%s: %w", insert, err)
		}
	}
	return nil
}

// Dump has the rows of all tables as text, in order, by table.
func (s *Store) Dump(ctx context.Context) (map[string][]string, error) {
	all, err := s.columns(ctx)
	if err != nil {
		return nil, err
	}
	cells := map[string][]string{}
	for _, c := range all {
		cell := "coalesce(CAST(" + db.Quote(c.name) + " AS TEXT), '-')"
		if c.kind == "bytea" {
			cell = "coalesce(encode(" + db.Quote(c.name) + ", 'escape'), '-')"
		}
		cells[c.table] = append(cells[c.table], cell)
	}
	rows := map[string][]string{}
	for table, row := range cells {
		rows[table] = nil
		err := db.Query(ctx, s.engine.db.Reader(db.SystemScope), func(r db.Row) error {
			var text string
			err := r.Scan(&text)
			rows[table] = append(rows[table], text)
			return err
		}, "SELECT "+strings.Join(row, " || '|' || ")+" FROM "+db.Quote(table))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", table, err)
		}
		slices.Sort(rows[table])
	}
	return rows, nil
}
