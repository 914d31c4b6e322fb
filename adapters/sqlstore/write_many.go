package sqlstore

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// On Postgres the changes of one call share statements: what it takes to send one, to plan it and to start it is as much as a row
// costs, and each change used to take three. Events and their places in the queue always do. Rows do in transactions that
// send their writes with the commit, where they are many of one kind and no value is at stake that others must not have:
// then nothing depends on their order. SQLite has neither round trips nor plans to save.

// manyRowsOf is from how many changes of one kind on their rows share a statement.
const manyRowsOf = 8

// written is a statement of a change, or of several, of a collection.
type written struct {
	stmt

	shape *shape
}

// statements make changes durable, each as its row, its event and, for a delete, its tombstone.
func (t *txn) statements(ctx context.Context, within *view, changes []collection.Change) (list []written, err error) {
	shapes := make([]*shape, len(changes))
	for i, c := range changes {
		if shapes[i], err = t.s.shape(c.Schema); err != nil {
			return nil, err
		}
		if !within.covers(tenantOf(c)) {
			return nil, errForeign
		}
	}
	if len(changes) < 2 || !t.s.d.postgres {
		for i, c := range changes {
			rows := t.s.rowStatements(shapes[i], c)
			if c.Operation == collection.Updated && !t.s.d.postgres {
				rows[0] = t.narrowed(ctx, shapes[i], c, rows[0])
			}
			for _, e := range t.s.eventsOf([]collection.Change{c}) {
				rows = append(rows, t.s.eventStatements(e)...)
			}
			list = appendWritten(list, shapes[i], rows)
		}
		return list, nil
	}
	singly, of := changes, shapes
	if t.lazy() {
		list, singly, of = t.s.manyRows(changes, shapes)
	}
	for i, c := range singly {
		list = appendWritten(list, of[i], t.s.rowStatements(of[i], c))
	}
	return appendWritten(list, shapes[0], t.s.manyEvents(changes)), nil
}

func appendWritten(list []written, sh *shape, stmts []stmt) []written {
	for _, st := range stmts {
		list = append(list, written{st, sh})
	}
	return list
}

// The statements for many events, and for their places in the queue.
var (
	insertEvents = "INSERT INTO events (" + eventValues + ") SELECT " + eventValues + " FROM " + unnested("e", strings.Split(eventArrays, ", ")[1:], 1, "")
	insertQueues = "INSERT INTO unnumbered (tenant, collection, records, record_sequences)\n" +
		"SELECT tenant, collection, array_agg(record), array_agg(record_sequence) FROM " +
		unnested("q", strings.Split(queueArrays, ", "), 1, "") + " GROUP BY tenant, collection, n / 32"
)

// manyEvents store the events of changes and put them in line for their numbers.
func (s *Store) manyEvents(changes []collection.Change) []stmt {
	var events, queue table
	for i, c := range changes {
		for _, e := range s.eventsOf([]collection.Change{c}) {
			events.add(e.tenant, e.values()[1:]...)
			queue.add(int64(i), e.tenant, e.record, e.sequence, e.collection)
		}
	}
	if events.empty() {
		return nil
	}
	return []stmt{{sql: insertEvents, args: events.columns(0)}, {sql: insertQueues, args: queue.columns(0)}}
}

// kindOf is what changes have in common whose rows may share a statement.
type kindOf struct {
	shape *shape
	op    collection.Operation
}

// manyRows are the statements for those rows that share one; the other changes are left.
func (s *Store) manyRows(changes []collection.Change, shapes []*shape) (list []written, rest []collection.Change, of []*shape) {
	kinds := map[kindOf]int{}
	var order []kindOf
	for i, c := range changes {
		k := kindOf{shapes[i], c.Operation}
		if kinds[k]++; kinds[k] == manyRowsOf {
			order = append(order, k)
		}
	}
	groups := map[kindOf][]collection.Change{}
	seen := map[ref]bool{}
	for i, c := range changes {
		at := ref{shapes[i].table, c.ID()}
		if seen[at] { // its changes follow each other
			return nil, changes, shapes
		}
		seen[at] = true
		k := kindOf{shapes[i], c.Operation}
		if kinds[k] >= manyRowsOf && unrivaled(shapes[i], c) {
			groups[k] = append(groups[k], c)
			continue
		}
		rest, of = append(rest, c), append(of, shapes[i])
	}
	for _, k := range order {
		if len(groups[k]) > 0 {
			list = append(list, written{s.rowsStatement(k, groups[k]), k.shape})
		}
	}
	if list != nil {
		list = append([]written{{stmt{sql: "SELECT " + byKey}, list[0].shape}}, list...)
	}
	return list, rest, of
}

// unrivaled reports whether the row of a change is written whatever else is: there is nothing unique about what it changes.
func unrivaled(sh *shape, c collection.Change) bool {
	switch c.Operation {
	case collection.Created:
		return len(sh.uniques) == 0 && c.Sequence() == 1
	case collection.Updated:
		changed := c.Changed()
		return !slices.ContainsFunc(sh.uniques, func(u unique) bool {
			return slices.ContainsFunc(u.fields, func(f string) bool { return slices.Contains(changed, f) })
		})
	case collection.Deleted:
	}
	return false
}

// rowsStatement writes the rows of changes of one kind, all or none.
func (s *Store) rowsStatement(k kindOf, changes []collection.Change) stmt {
	var rows table
	for _, c := range changes {
		row := k.shape.row(c.After, s.o.Fold)
		if c.Operation == collection.Created {
			rows.add(row[0], row[1:]...)
			continue
		}
		rows.add(c.Before.Sequence(), row...)
	}
	if k.op == collection.Created {
		columns := strings.Join(k.shape.names(), ", ")
		return stmt{sql: "INSERT INTO " + quote(k.shape.table) + " (" + columns + ") SELECT " + columns + " FROM " + unnested("f", k.shape.typed(), 1, ""), args: rows.columns(0)}
	}
	return stmt{sql: k.shape.updateMany(), args: rows.columns(0), many: true, done: func(n int64) error {
		if n != int64(len(changes)) {
			return ports.ErrStale
		}
		return nil
	}}
}

// updateMany is the update of many rows, each if its recordSequence is still the first of its values.
func (sh *shape) updateMany() string {
	var sets []string
	for _, name := range sh.names()[2:] {
		sets = append(sets, name+" = f."+name)
	}
	return "UPDATE " + quote(sh.table) + " c SET " + strings.Join(sets, ", ") + " FROM " + unnested("f", append([]string{"_was bigint"}, sh.typed()...), 1, "") +
		" WHERE c.tenant = f.tenant AND c.id = f.id AND c.sequence = f._was"
}
