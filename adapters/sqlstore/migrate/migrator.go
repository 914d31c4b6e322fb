package migrate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// migrator brings a database to the tables that this program needs. Every step leaves what exists already
// alone, so an interrupted migration is repeated as a whole; nothing is dropped, so an older instance keeps
// serving.
type migrator struct {
	definer

	session   db.Session
	newShapes []*table.Shape // versions that the database does not know yet
}

// definer makes the definitions that a database lacks. Without existing tables they are those for an empty one.
type definer struct {
	dialect          *db.Dialect
	existing         map[string]map[string]bool // columns of the existing tables, by table
	existingTriggers map[string]bool
	notifyOf         map[string]bool           // slugs of the collections whose changes are sent; true: new records, too
	systemTables     []table.SystemTable       // tables that no collection describes
	versions         map[string][]shapeVersion // known versions of each table
}

// definition is one statement that defines something.
type definition struct {
	text    string
	repeats bool // given on every migration, also where it changes nothing
}

func definitionsOf(texts ...string) []definition {
	out := make([]definition, len(texts))
	for i, t := range texts {
		out[i].text = t
	}
	return out
}

// upToDate looks at the database, numbers the shapes, and reports whether it has all of the definitions
// already.
func (m *migrator) upToDate(ctx context.Context, shapes []*table.Shape) (bool, error) {
	if err := m.inspect(ctx); err != nil {
		return false, fmt.Errorf("read the tables there are: %w", err)
	}
	known, err := m.assignVersions(ctx, shapes)
	if err != nil || !known {
		return false, err
	}
	return m.applied(ctx, m.definitionsHash(shapes))
}

// definitions are tables, columns, security and triggers, after inspect.
func (m *definer) definitions(shapes []*table.Shape) []definition {
	all := m.tables(shapes)
	if m.dialect.Postgres {
		all = append(all, m.security(shapes)...)
	}
	return slices.Concat(all, m.memberTriggers(shapes), m.listedTextTriggers(shapes), m.notifyTriggers(shapes), m.versionTriggers(shapes),
		m.lateFactTriggers(shapes))
}

// define makes tables, columns and triggers, keeps the numbers of new shapes, and makes the indexes of new
// tables.
func (m *migrator) define(ctx context.Context, shapes []*table.Shape) error {
	var steps []string
	for _, d := range m.definitions(shapes) {
		steps = append(steps, d.text)
	}
	if err := m.exec(ctx, steps); err != nil {
		return err
	}
	if err := m.saveVersions(ctx); err != nil {
		return err
	}
	steps = nil
	for _, x := range m.indexes(shapes) {
		if m.existing[x.table] == nil {
			steps = append(steps, x.definition(false))
		}
	}
	return m.exec(ctx, steps)
}

// exec runs definitions, which have no arguments and need no plan.
func (m *migrator) exec(ctx context.Context, steps []string) error {
	if len(steps) == 0 {
		return nil
	}
	if m.dialect.Postgres { // one round trip
		return m.session.Run(ctx, db.Stmt{SQL: strings.Join(steps, ";\n")})
	}
	for _, text := range steps {
		if err := m.session.Run(ctx, db.Stmt{SQL: text}); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

func (m *migrator) inspect(ctx context.Context) error {
	m.existing = map[string]map[string]bool{}
	text := "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'"
	if m.dialect.Postgres {
		// Each start asks; information_schema.columns takes five times as long.
		text = "SELECT c.relname::text, a.attname::text FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid " +
			"WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped"
	}
	err := db.Query(ctx, m.session, func(r db.Row) error {
		var table, name string
		if err := r.Scan(&table, &name); err != nil {
			return err
		}
		if m.existing[table] == nil {
			m.existing[table] = map[string]bool{}
		}
		m.existing[table][name] = true
		return nil
	}, text)
	if err != nil {
		return err
	}
	m.existingTriggers, err = m.triggers(ctx)
	return err
}

func (m *definer) tables(shapes []*table.Shape) (all []definition) {
	for _, t := range m.systemTables {
		if t.Only == nil || t.Only == m.dialect {
			all = append(all, m.systemTable(t)...)
		}
	}
	for _, sh := range shapes {
		all = append(all, definitionsOf(m.table(sh)...)...)
	}
	return all
}

func (m *definer) systemTable(t table.SystemTable) (all []definition) {
	text := "CREATE TABLE IF NOT EXISTS " + db.Quote(t.Name) + " (" + m.dialect.DDL(t.Body) + ")"
	if m.dialect.Postgres && t.Storage != "" {
		text += " WITH (" + t.Storage + ")"
	}
	if t.Clustered != "" && !m.dialect.Postgres {
		text += " WITHOUT ROWID"
	}
	there := m.existing[t.Name] != nil
	all = append(all, definition{text, there})
	for _, column := range t.Added {
		if name, _, _ := strings.Cut(column, " "); there && !m.existing[t.Name][name] {
			all = append(all, definition{text: "ALTER TABLE " + db.Quote(t.Name) + " ADD COLUMN " + m.dialect.DDL(column)})
		}
	}
	for _, column := range t.Compressed {
		if m.dialect.Postgres {
			all = append(all, definition{compressLZ4(t.Name, column), there})
		}
	}
	if t.AppendOnly && !m.dialect.Postgres { // Postgres has grants and a policy for that
		all = append(all, m.appendOnlyTriggers(t)...)
	}
	return all
}

// appendOnlyTriggers keep the rows of t. The trigger of older versions, which kept those of deleted tenants, too, goes.
func (m *definer) appendOnlyTriggers(t table.SystemTable) (all []definition) {
	refuse := " BEGIN SELECT RAISE(ABORT, 'rows of " + t.Name + " are only ever added'); END"
	if older := t.Name + "_no_delete"; m.existingTriggers[older] {
		all = append(all, definition{text: "DROP TRIGGER " + older})
	}
	for _, trigger := range []struct{ name, on string }{
		{t.Name + "_no_update", "UPDATE ON " + db.Quote(t.Name)},
		{t.Name + "_kept", "DELETE ON " + db.Quote(t.Name) + " WHEN NOT " + table.BeingErased("OLD")},
	} {
		text := "CREATE TRIGGER IF NOT EXISTS " + trigger.name + " BEFORE " + trigger.on + refuse
		all = append(all, definition{text, m.existingTriggers[trigger.name]})
	}
	return all
}

// compressLZ4 has a column of large values compressed several times faster than Postgres does by itself;
// servers built without lz4 keep to that.
func compressLZ4(table, column string) string {
	return "DO $do$ BEGIN ALTER TABLE " + db.Quote(table) + " ALTER COLUMN " + db.Quote(column) +
		" SET COMPRESSION lz4; EXCEPTION WHEN feature_not_supported THEN NULL; END $do$"
}

func (m *definer) table(sh *table.Shape) (steps []string) {
	switch {
	case m.existing[sh.Table] == nil && m.dialect.Postgres:
		return []string{m.newTable(sh), compressLZ4(sh.Table, "doc")}
	case m.existing[sh.Table] == nil:
		return []string{m.newTable(sh)}
	}
	if !m.existing[sh.Table][table.VersionColumn] {
		steps = append(steps, "ALTER TABLE "+db.Quote(sh.Table)+" ADD COLUMN "+m.dialect.DDL(table.VersionColumnDDL))
	}
	for _, c := range m.missingColumns(sh) {
		steps = append(steps, "ALTER TABLE "+db.Quote(sh.Table)+" ADD COLUMN "+db.Quote(c.Name)+" "+m.dialect.DDL(c.Definition()))
	}
	return steps
}

func (m *definer) newTable(sh *table.Shape) string {
	body := "tenant TEXT NOT NULL, id TEXT NOT NULL, "
	if sh.PerEnvironment {
		body += "environment TEXT NOT NULL, "
	}
	body += "sequence BIGINT NOT NULL, created_at TIMESTAMP NOT NULL, updated_at TIMESTAMP NOT NULL, doc TEXT NOT NULL, " +
		table.VersionColumnDDL
	text := "CREATE TABLE " + db.Quote(sh.Table) + " (" + m.dialect.DDL(body)
	for _, c := range sh.Columns {
		text += ", " + db.Quote(c.Name) + " " + m.dialect.DDL(c.Definition())
	}
	text += ", PRIMARY KEY (tenant, id))"
	if m.dialect.Postgres { // room for updates in place, and a visibility map fresh enough for counts
		text += " WITH (fillfactor = " + fillFactor(sh) +
			", autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)"
	}
	return text
}

// missingColumns are the columns that a table which was there before does not have.
func (m *definer) missingColumns(sh *table.Shape) (out []*table.Column) {
	had := m.existing[sh.Table]
	for i := range sh.Columns {
		if c := &sh.Columns[i]; had != nil && !had[c.Name] {
			out = append(out, c)
		}
	}
	return out
}

// fillFactor is how much of a page new rows take, in percent. The rest is for updates in place, which touch
// no index: rows that change all the time need room for a second version each.
func fillFactor(sh *table.Shape) string {
	if sh.Schema.FrequentlyUpdated {
		return "45"
	}
	return "85"
}

// existingIndexes finds the indexes there are, by name; the value reports whether it is whole.
func (m *migrator) existingIndexes(ctx context.Context) (map[string]bool, error) {
	text := "SELECT name, TRUE FROM sqlite_master WHERE type = 'index'"
	if m.dialect.Postgres {
		text = "SELECT c.relname::text, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = current_schema()"
	}
	return m.catalogNames(ctx, text)
}

// catalogNames reads names of the catalog, each with whether it is whole.
func (m *migrator) catalogNames(ctx context.Context, text string) (map[string]bool, error) {
	there := map[string]bool{}
	return there, db.Query(ctx, m.session, func(r db.Row) error {
		var name string
		var whole bool
		err := r.Scan(&name, &whole)
		there[name] = whole
		return err
	}, text)
}
