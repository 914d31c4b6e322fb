package sqlstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Definitions lock tables even where they find nothing to do, and every start of a server or a command would stall and
// deadlock with the traffic of the others. So a database remembers the sets of definitions it has been given; nothing is
// ever dropped, so a set that was applied once still stands.
var migrationTables = []systemTable{
	{name: "migrations", body: `mark TEXT PRIMARY KEY`, global: true},
	// The shapes that each table has had, see shapeColumn; refilled counts rows, so that instances learn of it.
	{name: "shapes", body: `target TEXT NOT NULL, number BIGINT NOT NULL, facts TEXT NOT NULL, refilled BIGINT NOT NULL, PRIMARY KEY (target, number)`, global: true},
}

// mark identifies all definitions for these shapes, as an empty database would get them.
func (m *migrator) mark(shapes []*shape) string {
	fresh := migrator{d: m.d, told: m.told}
	var steps []string
	for _, d := range fresh.definitions(shapes) {
		steps = append(steps, d.text)
	}
	for _, x := range fresh.indexes(shapes) {
		steps = append(steps, x.text(""))
	}
	sum := sha256.Sum256([]byte(strings.Join(steps, ";\n")))
	return hex.EncodeToString(sum[:])
}

// applied reports whether the database has been given the definitions of mark.
func (m *migrator) applied(ctx context.Context, mark string) (found bool, err error) {
	if m.had["migrations"] == nil {
		return false, nil
	}
	err = m.asSystem(ctx, func() error {
		return query(ctx, m.s, func(r row) error { found = true; return r.Scan(&mark) }, "SELECT mark FROM migrations WHERE mark = $1", mark)
	})
	return found, err
}

func (m *migrator) remember(ctx context.Context, mark string) error {
	return m.asSystem(ctx, func() error {
		_, err := exec(ctx, m.s, "INSERT INTO migrations (mark) VALUES ($1) ON CONFLICT DO NOTHING", mark)
		return err
	})
}

// asSystem does work on rows, which row-level security hides from their owner.
func (m *migrator) asSystem(ctx context.Context, work func() error) error {
	if !m.d.postgres {
		return work()
	}
	if err := m.exec(ctx, []string{"SET LOCAL ROLE " + systemRole}); err != nil {
		return err
	}
	if err := work(); err != nil {
		return err
	}
	return m.exec(ctx, []string{"SET LOCAL ROLE NONE"})
}
