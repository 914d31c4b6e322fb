package change

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// On Postgres the changes of one call share statements: what it takes to send one, to plan it and to start it
// is as much as a row costs, and each change used to take three. Events and their places in the queue always
// do. Rows do in transactions that send their writes with the commit, where they are many of one kind and no
// value is at stake that others must not have: then nothing depends on their order. SQLite has neither round
// trips nor plans to save.

// groupMin is from how many changes of one kind on their rows share a statement.
const groupMin = 8

// Stmt is a statement of a change, or of several, of a collection.
type Stmt struct {
	db.Stmt

	Shape *table.Shape
}

// Statements make changes on their rows of shapes, each with its event and, for a delete, its tombstone.
// Grouped, rows share statements where they can. On is where they will run.
func (w Writer) Statements(
	ctx context.Context, on db.Session, changes []collection.Change, shapes []*table.Shape, grouped bool,
) (list []Stmt) {
	if len(changes) < 2 || !w.Dialect.Postgres {
		for i, c := range changes {
			rows := w.RowStatements(shapes[i], c)
			if c.Operation == collection.Updated && !w.Dialect.Postgres {
				rows[0] = narrowUpdate(ctx, on, shapes[i], c, rows[0])
			}
			for _, e := range w.EventsOf([]collection.Change{c}) {
				rows = append(rows, w.EventStatements(e)...)
			}
			list = appendStmts(list, shapes[i], rows)
		}
		return list
	}
	singly, of := changes, shapes
	if grouped {
		list, singly, of = w.groupedRows(changes, shapes)
	}
	for i, c := range singly {
		list = appendStmts(list, of[i], w.RowStatements(of[i], c))
	}
	return appendStmts(list, shapes[0], w.eventInserts(changes))
}

// Run runs a list in one round trip. The error of a statement is translated by its collection.
func Run(ctx context.Context, on db.Session, list []Stmt) error {
	done := 0
	stmts := make([]db.Stmt, len(list))
	for i, s := range list {
		stmts[i] = s.Stmt
		stmts[i].OnDone = func(n int64) error {
			done = i + 1
			if s.OnDone != nil {
				return s.OnDone(n)
			}
			return nil
		}
	}
	err := on.Run(ctx, stmts...)
	if err != nil && done < len(list) {
		err = list[done].Shape.TranslateError(err)
	}
	return err
}

// narrowUpdate is full, the update of a row on SQLite, without the indexed columns that stay as they are: an
// order is in twenty indexes, of which most changes concern a few. A row that another version of the table
// wrote is updated in full.
func narrowUpdate(ctx context.Context, on db.Session, sh *table.Shape, c collection.Change, full db.Stmt) db.Stmt {
	return db.Stmt{SQL: sh.UpdateOf(c), Args: full.Args, OnDone: func(n int64) error {
		if n > 0 {
			return nil
		}
		return on.Run(ctx, full)
	}}
}

func appendStmts(list []Stmt, sh *table.Shape, stmts []db.Stmt) []Stmt {
	for _, st := range stmts {
		list = append(list, Stmt{st, sh})
	}
	return list
}

// eventInserts store the events of changes and queue them for their numbers.
func (w Writer) eventInserts(changes []collection.Change) []db.Stmt {
	var events, queue db.ColumnArrays
	for i, c := range changes {
		for _, e := range w.EventsOf([]collection.Change{c}) {
			events.AddRow(e.Tenant, e.Values()[1:]...)
			queue.AddRow(int64(i), e.Tenant, e.Record, e.Sequence, e.Collection)
		}
	}
	if events.Empty() {
		return nil
	}
	return []db.Stmt{{SQL: InsertEvents, Args: events.Columns(0)}, {SQL: InsertManyUnnumbered, Args: queue.Columns(0)}}
}

// changeKind is what changes have in common whose rows may share a statement.
type changeKind struct {
	shape *table.Shape
	op    collection.Operation
}

// groupedRows are the statements for those rows that share one; the other changes are left.
func (w Writer) groupedRows(changes []collection.Change, shapes []*table.Shape) (list []Stmt, rest []collection.Change, of []*table.Shape) {
	kinds := map[changeKind]int{}
	var order []changeKind
	for i, c := range changes {
		k := changeKind{shapes[i], c.Operation}
		if kinds[k]++; kinds[k] == groupMin {
			order = append(order, k)
		}
	}
	groups := map[changeKind][]collection.Change{}
	type recordKey struct{ table, id string }
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
			list = append(list, Stmt{w.groupedStatement(k, groups[k]), k.shape})
		}
	}
	if list != nil {
		list = append([]Stmt{{db.Stmt{SQL: "SELECT " + db.PrimaryKeyPlans}, list[0].Shape}}, list...)
	}
	return list, rest, of
}

// changesNoUnique reports whether the row of a change is written whatever else is: there is nothing unique
// about what it changes.
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
func (w Writer) groupedStatement(k changeKind, changes []collection.Change) db.Stmt {
	var rows db.ColumnArrays
	for _, c := range changes {
		row := k.shape.RowValues(c.After, w.Fold)
		if c.Operation == collection.Created {
			rows.AddRow(row[0], row[1:]...)
			continue
		}
		rows.AddRow(c.Before.Sequence(), row...)
	}
	if k.op == collection.Created {
		columns := strings.Join(k.shape.QuotedColumns(), ", ")
		return db.Stmt{SQL: "INSERT INTO " + db.Quote(k.shape.Table) + " (" + columns + ") SELECT " + columns + " FROM " +
			db.Unnest("f", k.shape.TypedColumns(), 1, ""), Args: rows.Columns(0)}
	}
	return db.Stmt{SQL: k.shape.UpdateManySQL(), Args: rows.Columns(0), AffectsAll: true, OnDone: func(n int64) error {
		if n != int64(len(changes)) {
			return ports.ErrStale
		}
		return nil
	}}
}
