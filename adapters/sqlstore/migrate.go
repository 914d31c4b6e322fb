package sqlstore

import (
	"context"
	"fmt"
	"strings"
)

// migrator brings a database to the tables that this program needs. Every step leaves what is there already alone, so
// an interrupted migration is repeated as a whole; nothing is dropped, so an older instance keeps serving.
type migrator struct {
	s    session
	d    *dialect
	had  map[string]map[string]bool // columns of the tables there were before, by table
	kept map[string]bool            // triggers there were before
	told map[string]bool            // Options.Told

	numbered  map[string][]numbered // the shapes of each table
	newcomers []*shape              // of those, the ones the database does not know yet
}

// definition is one statement that defines something.
type definition struct {
	text  string
	again bool // given on every migration, also where it changes nothing
}

func define(texts ...string) []definition {
	out := make([]definition, len(texts))
	for i, t := range texts {
		out[i].text = t
	}
	return out
}

// current looks at the database, numbers the shapes, and reports whether it has all of the definitions already.
func (m *migrator) current(ctx context.Context, shapes []*shape) (bool, error) {
	if err := m.inspect(ctx); err != nil {
		return false, fmt.Errorf("read the tables there are: %w", err)
	}
	known, err := m.recognize(ctx, shapes)
	if err != nil || !known {
		return false, err
	}
	return m.applied(ctx, m.mark(shapes))
}

// definitions are tables, columns, security and triggers, after inspect.
func (m *migrator) definitions(shapes []*shape) []definition {
	all := m.tables(shapes)
	if m.d.postgres {
		all = append(all, m.security(shapes)...)
	}
	return append(append(all, m.keepers(shapes)...), m.tellers(shapes)...)
}

// define makes tables, columns and triggers, keeps the numbers of new shapes, and makes the indexes of new tables.
func (m *migrator) define(ctx context.Context, shapes []*shape) error {
	var steps []string
	for _, d := range m.definitions(shapes) {
		steps = append(steps, d.text)
	}
	if err := m.exec(ctx, steps); err != nil {
		return err
	}
	if err := m.register(ctx); err != nil {
		return err
	}
	steps = nil
	for _, x := range m.indexes(shapes) {
		if m.had[x.table] == nil {
			steps = append(steps, x.text(""))
		}
	}
	return m.exec(ctx, steps)
}

// exec runs definitions, which have no arguments and need no plan.
func (m *migrator) exec(ctx context.Context, steps []string) error {
	if len(steps) == 0 {
		return nil
	}
	if m.d.postgres { // one round trip
		return m.s.run(ctx, stmt{sql: strings.Join(steps, ";\n")})
	}
	for _, text := range steps {
		if err := m.s.run(ctx, stmt{sql: text}); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

func (m *migrator) inspect(ctx context.Context) error {
	m.had = map[string]map[string]bool{}
	text := "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'"
	if m.d.postgres {
		text = "SELECT table_name::text, column_name::text FROM information_schema.columns WHERE table_schema = current_schema()"
	}
	err := query(ctx, m.s, func(r row) error {
		var table, name string
		if err := r.Scan(&table, &name); err != nil {
			return err
		}
		if m.had[table] == nil {
			m.had[table] = map[string]bool{}
		}
		m.had[table][name] = true
		return nil
	}, text)
	if err != nil {
		return err
	}
	m.kept, err = m.triggers(ctx)
	return err
}

func (m *migrator) tables(shapes []*shape) (all []definition) {
	for _, t := range systemTables() {
		if t.only == nil || t.only == m.d {
			all = append(all, m.systemTable(t)...)
		}
	}
	for _, sh := range shapes {
		all = append(all, define(m.table(sh)...)...)
	}
	return all
}

func (m *migrator) systemTable(t systemTable) (all []definition) {
	text := "CREATE TABLE IF NOT EXISTS " + quote(t.name) + " (" + m.d.ddl(t.body) + ")"
	if m.d.postgres && t.extra != "" {
		text += " WITH (" + t.extra + ")"
	}
	there := m.had[t.name] != nil
	all = append(all, definition{text, there})
	for _, column := range t.packed {
		if m.d.postgres {
			all = append(all, definition{packed(t.name, column), there})
		}
	}
	if t.appendOnly && !m.d.postgres { // Postgres has grants for that
		for _, verb := range []string{"UPDATE", "DELETE"} {
			all = append(all, definition{"CREATE TRIGGER IF NOT EXISTS " + t.name + "_no_" + strings.ToLower(verb) + " BEFORE " + verb + " ON " + quote(t.name) + " BEGIN SELECT RAISE(ABORT, 'rows of " + t.name + " are only ever added'); END", there})
		}
	}
	return all
}

// packed has a column of large values compressed several times faster than Postgres does by itself; servers built without
// lz4 keep to that.
func packed(table, column string) string {
	return "DO $do$ BEGIN ALTER TABLE " + quote(table) + " ALTER COLUMN " + quote(column) + " SET COMPRESSION lz4; EXCEPTION WHEN feature_not_supported THEN NULL; END $do$"
}

func (m *migrator) table(sh *shape) (steps []string) {
	switch {
	case m.had[sh.table] == nil && m.d.postgres:
		return []string{m.newTable(sh), packed(sh.table, "doc")}
	case m.had[sh.table] == nil:
		return []string{m.newTable(sh)}
	}
	if !m.had[sh.table][shapeColumn] {
		steps = append(steps, "ALTER TABLE "+quote(sh.table)+" ADD COLUMN "+m.d.ddl(shapeBody))
	}
	for _, c := range m.missing(sh) {
		steps = append(steps, "ALTER TABLE "+quote(sh.table)+" ADD COLUMN "+quote(c.name)+" "+m.d.ddl(c.typ))
	}
	return steps
}

func (m *migrator) newTable(sh *shape) string {
	body := "tenant TEXT NOT NULL, id TEXT NOT NULL, "
	if sh.env {
		body += "environment TEXT NOT NULL, "
	}
	body += "sequence BIGINT NOT NULL, created_at TIMESTAMP NOT NULL, updated_at TIMESTAMP NOT NULL, doc TEXT NOT NULL, " + shapeBody
	text := "CREATE TABLE " + quote(sh.table) + " (" + m.d.ddl(body)
	for _, c := range sh.columns {
		text += ", " + quote(c.name) + " " + m.d.ddl(c.typ)
	}
	text += ", PRIMARY KEY (tenant, id))"
	if m.d.postgres { // room for updates in place, and a visibility map fresh enough for counts
		text += " WITH (fillfactor = " + sh.fill() + ", autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)"
	}
	return text
}

// missing are the columns that a table which was there before does not have.
func (m *migrator) missing(sh *shape) (out []*column) {
	had := m.had[sh.table]
	for i := range sh.columns {
		if c := &sh.columns[i]; had != nil && !had[c.name] {
			out = append(out, c)
		}
	}
	return out
}

// fill is how much of a page new rows take, in percent. The rest is for updates in place, which touch no index: rows that
// change all the time need room for a second version each.
func (sh *shape) fill() string {
	if sh.schema.Hot {
		return "45"
	}
	return "85"
}

// indexed finds the indexes there are, by name; the value reports whether it is whole.
func (m *migrator) indexed(ctx context.Context) (map[string]bool, error) {
	text := "SELECT name, TRUE FROM sqlite_master WHERE type = 'index'"
	if m.d.postgres {
		text = "SELECT c.relname::text, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema()"
	}
	return m.there(ctx, text)
}

// there reads names of the catalog, each with whether it is whole.
func (m *migrator) there(ctx context.Context, text string) (map[string]bool, error) {
	there := map[string]bool{}
	return there, query(ctx, m.s, func(r row) error {
		var name string
		var whole bool
		err := r.Scan(&name, &whole)
		there[name] = whole
		return err
	}, text)
}
