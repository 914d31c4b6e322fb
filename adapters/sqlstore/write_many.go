package sqlstore

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// On Postgres the changes of one call share statements: what it takes to send one, to plan it and to start it is as much as a row
// costs, and each change used to take three. Events and their places in the queue always do. Rows do in transactions that
// send their writes with the commit, where they are many of one kind and no value is at stake that others must not have:
// then nothing depends on their order. SQLite has neither round trips nor plans to save.

// groupMin is from how many changes of one kind on their rows share a statement.
const groupMin = 8

// collectionStmt is a statement of a change, or of several, of a collection.
type collectionStmt struct {
	db.Stmt

	shape *table.Shape
}

// statements make changes durable, each as its row, its event and, for a delete, its tombstone.
func (t *txn) statements(ctx context.Context, within *view, changes []collection.Change) (list []collectionStmt, err error) {
	shapes := make([]*table.Shape, len(changes))
	for i, c := range changes {
		if shapes[i], err = t.store.shape(c.Schema); err != nil {
			return nil, err
		}
		if !within.Covers(tenantOf(c)) {
			return nil, errForeignTenant
		}
	}
	if len(changes) < 2 || !t.store.dialect.Postgres {
		for i, c := range changes {
			rows := t.store.writer.rowStatements(shapes[i], c)
			if c.Operation == collection.Updated && !t.store.dialect.Postgres {
				rows[0] = t.narrowUpdate(ctx, shapes[i], c, rows[0])
			}
			for _, e := range t.store.writer.eventsOf([]collection.Change{c}) {
				rows = append(rows, t.store.writer.eventStatements(e)...)
			}
			list = appendWritten(list, shapes[i], rows)
		}
		return list, nil
	}
	singly, of := changes, shapes
	if t.defersWrites() {
		list, singly, of = t.store.writer.groupedRows(changes, shapes)
	}
	for i, c := range singly {
		list = appendWritten(list, of[i], t.store.writer.rowStatements(of[i], c))
	}
	return appendWritten(list, shapes[0], t.store.writer.eventInserts(changes)), nil
}

func appendWritten(list []collectionStmt, sh *table.Shape, stmts []db.Stmt) []collectionStmt {
	for _, st := range stmts {
		list = append(list, collectionStmt{st, sh})
	}
	return list
}

// The statements for many events, and for their places in the queue.
var (
	insertEvents         = "INSERT INTO events (" + eventValues + ") SELECT " + eventValues + " FROM " + db.Unnest("e", strings.Split(eventArrays, ", ")[1:], 1, "")
	insertManyUnnumbered = "INSERT INTO unnumbered_events (tenant, collection, records, record_sequences)\n" +
		"SELECT tenant, collection, array_agg(record), array_agg(record_sequence) FROM " +
		db.Unnest("q", strings.Split(queueArrays, ", "), 1, "") + " GROUP BY tenant, collection, n / 32"
)

// eventInserts store the events of changes and queue them for their numbers.
func (w rowWriter) eventInserts(changes []collection.Change) []db.Stmt {
	var events, queue db.ColumnArrays
	for i, c := range changes {
		for _, e := range w.eventsOf([]collection.Change{c}) {
			events.AddRow(e.tenant, e.values()[1:]...)
			queue.AddRow(int64(i), e.tenant, e.record, e.sequence, e.collection)
		}
	}
	if events.Empty() {
		return nil
	}
	return []db.Stmt{{SQL: insertEvents, Args: events.Columns(0)}, {SQL: insertManyUnnumbered, Args: queue.Columns(0)}}
}

// changeKind is what changes have in common whose rows may share a statement.
type changeKind struct {
	shape *table.Shape
	op    collection.Operation
}

// groupedRows are the statements for those rows that share one; the other changes are left.
func (w rowWriter) groupedRows(changes []collection.Change, shapes []*table.Shape) (list []collectionStmt, rest []collection.Change, of []*table.Shape) {
	kinds := map[changeKind]int{}
	var order []changeKind
	for i, c := range changes {
		k := changeKind{shapes[i], c.Operation}
		if kinds[k]++; kinds[k] == groupMin {
			order = append(order, k)
		}
	}
	groups := map[changeKind][]collection.Change{}
	seen := map[recordKey]bool{}
	for i, c := range changes {
		at := recordKey{shapes[i].Table, c.ID()}
		if seen[at] { // its changes follow each other
			return nil, changes, shapes
		}
		seen[at] = true
		k := changeKind{shapes[i], c.Operation}
		if kinds[k] >= groupMin && changesNoUnique(shapes[i], c) {
			groups[k] = append(groups[k], c)
			continue
		}
		rest, of = append(rest, c), append(of, shapes[i])
	}
	for _, k := range order {
		if len(groups[k]) > 0 {
			list = append(list, collectionStmt{w.groupedStatement(k, groups[k]), k.shape})
		}
	}
	if list != nil {
		list = append([]collectionStmt{{db.Stmt{SQL: "SELECT " + db.PrimaryKeyPlans}, list[0].shape}}, list...)
	}
	return list, rest, of
}

// changesNoUnique reports whether the row of a change is written whatever else is: there is nothing unique about what it changes.
func changesNoUnique(sh *table.Shape, c collection.Change) bool {
	switch c.Operation {
	case collection.Created:
		return len(sh.Uniques) == 0 && c.Sequence() == 1
	case collection.Updated:
		changed := c.ChangedFields()
		return !slices.ContainsFunc(sh.Uniques, func(u table.Unique) bool {
			return slices.ContainsFunc(u.Fields, func(f string) bool { return slices.Contains(changed, f) })
		})
	case collection.Deleted:
	}
	return false
}

// groupedStatement writes the rows of changes of one kind, all or none.
func (w rowWriter) groupedStatement(k changeKind, changes []collection.Change) db.Stmt {
	var rows db.ColumnArrays
	for _, c := range changes {
		row := k.shape.RowValues(c.After, w.fold)
		if c.Operation == collection.Created {
			rows.AddRow(row[0], row[1:]...)
			continue
		}
		rows.AddRow(c.Before.Sequence(), row...)
	}
	if k.op == collection.Created {
		columns := strings.Join(k.shape.QuotedColumns(), ", ")
		return db.Stmt{SQL: "INSERT INTO " + db.Quote(k.shape.Table) + " (" + columns + ") SELECT " + columns + " FROM " + db.Unnest("f", k.shape.TypedColumns(), 1, ""), Args: rows.Columns(0)}
	}
	return db.Stmt{SQL: k.shape.UpdateManySQL(), Args: rows.Columns(0), AffectsAll: true, OnDone: func(n int64) error {
		if n != int64(len(changes)) {
			return ports.ErrStale
		}
		return nil
	}}
}
