package migrate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// versionStep is the distance between the numbers of shapes that follow each other; some twenty fit in
// between, each halving what is left.
const versionStep = 1 << 20

// shapeVersion is a shape that a database knows.
type shapeVersion struct {
	number    int64
	signature []string
}

// versionAmong is the number of a shape among those of its table, in the order of their numbers, and whether
// it has one already.
func versionAmong(there []shapeVersion, facts []string) (number int64, known bool) {
	var below, above int64
	for _, n := range there {
		if slices.Equal(n.signature, facts) {
			return n.number, true
		}
		if above == 0 && containsAll(n.signature, facts) {
			above = n.number
		}
		if above == 0 {
			below = n.number
		}
	}
	if above == 0 {
		return below + versionStep, false
	}
	return (below + above) / 2, false
}

func containsAll(facts, part []string) bool {
	return !slices.ContainsFunc(part, func(f string) bool { _, found := slices.BinarySearch(facts, f); return !found })
}

// assignVersions gives each shape its number, and reports whether the database knows them all.
func (m *migrator) assignVersions(ctx context.Context, shapes []*table.Shape) (all bool, err error) {
	if err := m.readVersions(ctx, shapes); err != nil {
		return false, fmt.Errorf("read the shapes of tables: %w", err)
	}
	all = true
	for _, sh := range shapes {
		there, facts := m.versions[sh.Table], sh.Signature()
		number, known := versionAmong(there, facts)
		if !known {
			m.newShapes = append(m.newShapes, sh)
			there = append(there, shapeVersion{number, facts})
			slices.SortFunc(there, func(a, b shapeVersion) int { return cmp.Compare(a.number, b.number) })
			m.versions[sh.Table] = there
		}
		all = all && known
		sh.Version, sh.HasOlder = number, there[0].number < number
	}
	return all, nil
}

func (m *migrator) readVersions(ctx context.Context, shapes []*table.Shape) error {
	m.versions, m.newShapes = map[string][]shapeVersion{}, nil
	for _, sh := range shapes {
		if had := m.existing[sh.Table]; had != nil && !had[table.VersionColumn] {
			m.versions[sh.Table] = []shapeVersion{{}} // its rows have none
		}
	}
	if m.existing["shape_versions"] == nil {
		return nil
	}
	return m.asSystem(ctx, func() error {
		return db.Query(ctx, m.session, func(r db.Row) error {
			var table, facts string
			var n shapeVersion
			err := r.Scan(&table, &n.number, &facts)
			if facts != "" {
				n.signature = strings.Split(facts, "\n")
			}
			m.versions[table] = append(m.versions[table], n)
			return err
		}, "SELECT table_name, version, signature FROM shape_versions ORDER BY table_name, version")
	})
}

// saveVersions keeps the numbers that recognize gave to newcomers.
func (m *migrator) saveVersions(ctx context.Context) error {
	return m.asSystem(ctx, func() error {
		for _, sh := range m.newShapes {
			for _, n := range m.versions[sh.Table] {
				if _, err := db.Exec(ctx, m.session, insertShapeVersion, sh.Table, n.number, strings.Join(n.signature, "\n")); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// bumpVersions gives each shape the highest number of its table, so that all of its rows are older ones.
// Whoever runs with the version it had continues to write that one.
func (m *migrator) bumpVersions(ctx context.Context, shapes []*table.Shape) error {
	return m.asSystem(ctx, func() error {
		for _, sh := range shapes {
			there := m.versions[sh.Table]
			if len(sh.Columns) == 0 {
				continue
			}
			highest := there[len(there)-1].number + versionStep
			if _, err := db.Exec(ctx, m.session, "UPDATE shape_versions SET signature = '' WHERE table_name = $1 AND version = $2",
				sh.Table, sh.Version); err != nil {
				return err
			}
			if _, err := db.Exec(ctx, m.session, insertShapeVersion, sh.Table, highest, strings.Join(sh.Signature(), "\n")); err != nil {
				return err
			}
			sh.Version, sh.HasOlder = highest, true
		}
		return nil
	})
}

// insertShapeVersion is insertShapeVersion(table, number, facts).
const insertShapeVersion = "INSERT INTO shape_versions (table_name, version, signature, backfilled) VALUES ($1, $2, $3, 0) ON CONFLICT DO NOTHING"

// olderIndexes find such rows, for each shape that has an older one. They are empty but for what is about to be
// refilled: a write costs them a comparison.
func (m *definer) olderIndexes(add func(table, name, columns string, distinct bool), shapes []*table.Shape) {
	for _, sh := range shapes {
		for i, n := range m.versions[sh.Table] {
			if i > 0 {
				add(sh.Table, table.IndexName("older", sh.Table, strconv.FormatInt(n.number, 10)),
					"(tenant, id) WHERE "+table.OlderRows(n.number), false)
			}
		}
	}
}
