package migrate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// Definitions lock tables even where they find nothing to do, and every start of a server or a command would
// stall and deadlock with the traffic of the others. So a database remembers the sets of definitions it has
// been given; nothing is ever dropped, so a set that was applied once is still there.
var migrationTables = []table.SystemTable{
	{Name: "migrations", Body: `hash TEXT PRIMARY KEY`, Global: true},
	// The shapes that each table has had, see VersionColumn; refilled counts rows, so that instances learn of
	// it.
	{
		Name:   "shape_versions",
		Body:   `table_name TEXT NOT NULL, version BIGINT NOT NULL, signature TEXT NOT NULL, backfilled BIGINT NOT NULL, PRIMARY KEY (table_name, version)`,
		Global: true,
	},
}

// definitionsHash identifies all definitions for these shapes, as an empty database would get them.
func (m *definer) definitionsHash(shapes []*table.Shape) string {
	fresh := definer{dialect: m.dialect, notifyOf: m.notifyOf, systemTables: m.systemTables}
	var steps []string
	for _, d := range fresh.definitions(shapes) {
		steps = append(steps, d.text)
	}
	for _, x := range fresh.indexes(shapes) {
		steps = append(steps, x.definition(false))
	}
	sum := sha256.Sum256([]byte(strings.Join(steps, ";\n")))
	return hex.EncodeToString(sum[:])
}

// applied reports whether the database has been given the definitions with a hash.
func (m *migrator) applied(ctx context.Context, hash string) (found bool, err error) {
	if m.existing["migrations"] == nil {
		return false, nil
	}
	err = m.asSystem(ctx, func() error {
		return db.Query(ctx, m.session, func(r db.Row) error { found = true; return r.Scan(&hash) },
			"SELECT hash FROM migrations WHERE hash = $1", hash)
	})
	return found, err
}

func (m *migrator) recordApplied(ctx context.Context, hash string) error {
	return m.asSystem(ctx, func() error {
		_, err := db.Exec(ctx, m.session, "INSERT INTO migrations (hash) VALUES ($1) ON CONFLICT DO NOTHING", hash)
		return err
	})
}

// asSystem does work on rows, which row-level security hides from their owner.
func (m *migrator) asSystem(ctx context.Context, work func() error) error {
	if !m.dialect.Postgres {
		return work()
	}
	if err := m.exec(ctx, []string{"SET LOCAL ROLE " + db.SystemRole}); err != nil {
		return err
	}
	if err := work(); err != nil {
		return err
	}
	return m.exec(ctx, []string{"SET LOCAL ROLE NONE"})
}

// AllSystemTables are tables that no collection describes, with those that migrations themselves need.
func AllSystemTables(of []table.SystemTable) []table.SystemTable {
	return slices.Concat(migrationTables, of, []table.SystemTable{table.RelationMembersTable, table.ListedTextsTable})
}
