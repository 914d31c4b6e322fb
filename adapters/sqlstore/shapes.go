package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Every row tells the number of the shape of its table by which it was written last. An instance of an older shape that
// still runs beside newer ones writes its own number, so the rows whose newer columns it left empty or behind are exactly
// those with a smaller number than ours. No clock, no notice from one instance to another and no lock of a writer decides.
//
// A shape has all that its columns are made from as its identity. Numbers grow in the order in which shapes come to a
// database, but one that is part of an older one, as after a step back, goes below it.

// shapeColumn holds that number. Rows from before there were numbers have 0.
const (
	shapeColumn = "shape"
	shapeBody   = shapeColumn + " BIGINT NOT NULL DEFAULT 0"
)

// shapeStep is the distance between the numbers of shapes that follow each other; some twenty fit in between, each
// halving what is left.
const shapeStep = 1 << 20

// numbered is a shape that a database knows.
type numbered struct {
	number int64
	facts  []string
}

// facts lists all that the columns of sh are made from, sorted: the columns, the fields that have one, or a part in one, and
// the lists that members tell of.
func (sh *shape) facts() []string {
	var all []string
	for _, c := range sh.columns {
		all = append(all, "column "+c.name+" "+c.typ)
	}
	for _, l := range sh.lists {
		all = append(all, "members "+l.field())
	}
	all = appendFacts(all, "", sh.schema.Fields)
	slices.Sort(all)
	return all
}

func appendFacts(all []string, at string, fields []collection.Field) []string {
	for _, f := range fields {
		switch f.Kind {
		case collection.JSON, collection.RichText:
		case collection.Group:
			all = appendFacts(all, at+f.Name+".", f.Fields)
		case collection.Array:
			all = appendFacts(all, at+f.Name+"[].", f.Fields)
		default:
			fact := fmt.Sprint("field ", at, f.Name, " ", f.Kind)
			if searched(&f) {
				fact += " searched"
			}
			all = append(all, fact)
		}
	}
	return all
}

// placeAmong is the number of a shape among those of its table, in the order of their numbers, and whether it has one already.
func placeAmong(there []numbered, facts []string) (number int64, known bool) {
	var below, above int64
	for _, n := range there {
		if slices.Equal(n.facts, facts) {
			return n.number, true
		}
		if above == 0 && holdsAll(n.facts, facts) {
			above = n.number
		}
		if above == 0 {
			below = n.number
		}
	}
	if above == 0 {
		return below + shapeStep, false
	}
	return (below + above) / 2, false
}

func holdsAll(facts, part []string) bool {
	return !slices.ContainsFunc(part, func(f string) bool { _, found := slices.BinarySearch(facts, f); return !found })
}

// recognize gives each shape its number, and reports whether the database knows them all.
func (m *migrator) recognize(ctx context.Context, shapes []*shape) (all bool, err error) {
	if err := m.readNumbers(ctx, shapes); err != nil {
		return false, fmt.Errorf("read the shapes of tables: %w", err)
	}
	all = true
	for _, sh := range shapes {
		there, facts := m.numbered[sh.table], sh.facts()
		number, known := placeAmong(there, facts)
		if !known {
			m.newcomers = append(m.newcomers, sh)
			there = append(there, numbered{number, facts})
			slices.SortFunc(there, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
			m.numbered[sh.table] = there
		}
		all = all && known
		sh.number, sh.older = number, there[0].number < number
	}
	return all, nil
}

func (m *migrator) readNumbers(ctx context.Context, shapes []*shape) error {
	m.numbered, m.newcomers = map[string][]numbered{}, nil
	for _, sh := range shapes {
		if had := m.had[sh.table]; had != nil && !had[shapeColumn] {
			m.numbered[sh.table] = []numbered{{}} // its rows have none
		}
	}
	if m.had["shapes"] == nil {
		return nil
	}
	return m.asSystem(ctx, func() error {
		return query(ctx, m.s, func(r row) error {
			var table, facts string
			var n numbered
			err := r.Scan(&table, &n.number, &facts)
			if facts != "" {
				n.facts = strings.Split(facts, "\n")
			}
			m.numbered[table] = append(m.numbered[table], n)
			return err
		}, "SELECT target, number, facts FROM shapes ORDER BY target, number")
	})
}

// register keeps the numbers that recognize gave to newcomers.
func (m *migrator) register(ctx context.Context) error {
	return m.asSystem(ctx, func() error {
		for _, sh := range m.newcomers {
			for _, n := range m.numbered[sh.table] {
				if _, err := exec(ctx, m.s, addNumber, sh.table, n.number, strings.Join(n.facts, "\n")); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// renumber gives each shape the highest number of its table, so that all of its rows are older ones. Whoever runs with the
// number it had goes on writing that.
func (m *migrator) renumber(ctx context.Context, shapes []*shape) error {
	return m.asSystem(ctx, func() error {
		for _, sh := range shapes {
			there := m.numbered[sh.table]
			if len(sh.columns) == 0 {
				continue
			}
			highest := there[len(there)-1].number + shapeStep
			if _, err := exec(ctx, m.s, "UPDATE shapes SET facts = '' WHERE target = $1 AND number = $2", sh.table, sh.number); err != nil {
				return err
			}
			if _, err := exec(ctx, m.s, addNumber, sh.table, highest, strings.Join(sh.facts(), "\n")); err != nil {
				return err
			}
			sh.number, sh.older = highest, true
		}
		return nil
	})
}

// addNumber is addNumber(table, number, facts).
const addNumber = "INSERT INTO shapes (target, number, facts, refilled) VALUES ($1, $2, $3, 0) ON CONFLICT DO NOTHING"

// olderRows is the condition on rows whose columns an older shape wrote.
func olderRows(number int64) string { return shapeColumn + " < " + strconv.FormatInt(number, 10) }

// olderIndexes find such rows, for each shape that has an older one. They are empty but for what is about to be
// refilled: a write costs them a comparison.
func (m *migrator) olderIndexes(add func(table, name, columns string, distinct bool), shapes []*shape) {
	for _, sh := range shapes {
		for i, n := range m.numbered[sh.table] {
			if i > 0 {
				add(sh.table, indexName("older", sh.table, strconv.FormatInt(n.number, 10)), "(tenant, id) WHERE "+olderRows(n.number), false)
			}
		}
	}
}
