package sqlstore

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// Write implements ports.Records.
func (t *txn) Write(ctx context.Context, changes ...collection.Change) error {
	return t.write(ctx, &t.view, changes)
}

// across is ports.Records over all tenants, in a transaction whose scope allows it.
type across struct {
	view

	in *txn
}

// Write implements ports.Records.
func (a *across) Write(ctx context.Context, changes ...collection.Change) error {
	return a.in.write(ctx, &a.view, changes)
}

// write sends all changes to the database in one run.
func (t *txn) write(ctx context.Context, within *view, changes []collection.Change) error {
	list, err := t.statements(ctx, within, changes)
	if err != nil {
		return t.refuse(err)
	}
	t.events = t.events || slices.ContainsFunc(changes, func(c collection.Change) bool { return !c.Schema.Silent })
	if t.lazy() {
		t.ahead.forget(changes)
		for _, s := range list {
			w := waiting{stmt: s.stmt, word: s.shape.refused}
			if s.done != nil {
				w.must = s.done(0)
			}
			t.later(w)
		}
		return nil
	}
	done := 0
	stmts := make([]stmt, len(list))
	for i, s := range list {
		stmts[i] = s.stmt
		stmts[i].done = func(n int64) error {
			done = i + 1
			if s.done != nil {
				return s.done(n)
			}
			return nil
		}
	}
	if err := t.run(ctx, stmts...); err != nil {
		if done < len(list) {
			err = list[done].shape.refused(err)
		}
		return t.refuse(err)
	}
	return nil
}

func tenantOf(c collection.Change) string {
	if c.After != nil {
		return c.After.Text("tenant")
	}
	return c.Before.Text("tenant")
}

func (s *Store) rowStatements(sh *shape, c collection.Change) []stmt {
	matched := func(n int64) error {
		if n == 0 {
			return ports.ErrStale
		}
		return nil
	}
	tenant := tenantOf(c)
	switch c.Operation {
	case collection.Created:
		return append([]stmt{{sql: sh.insert, args: sh.row(c.After, s.o.Fold)}}, s.undelete(c)...)
	case collection.Deleted:
		return []stmt{
			{sql: sh.remove, args: []any{tenant, c.ID(), c.Before.Sequence()}, done: matched},
			s.entomb(c),
		}
	default: // an update
	}
	return []stmt{{sql: sh.update, args: append(sh.row(c.After, s.o.Fold), c.Before.Sequence()), done: matched}}
}

// entomb notes that c deletes its record.
func (s *Store) entomb(c collection.Change) stmt {
	if s.d.postgres {
		return stmt{sql: "INSERT INTO tombstones (tenant, id) VALUES ($1, $2) ON CONFLICT DO NOTHING", args: []any{tenantOf(c), c.ID()}}
	}
	return stmt{sql: "INSERT INTO tombstones (tenant, id, last) VALUES ($1, $2, $3) ON CONFLICT DO UPDATE SET last = excluded.last", args: []any{tenantOf(c), c.ID(), c.Sequence()}}
}

// undelete takes the tombstone away when create c follows the deletion of an earlier record. It is the tombstone that keeps
// hot records on SQLite from having a number twice; of others the key of their events does.
func (s *Store) undelete(c collection.Change) []stmt {
	const drop = "DELETE FROM tombstones WHERE tenant = $1 AND id = $2"
	key := []any{tenantOf(c), c.ID()}
	switch first, alone := c.Sequence() == 1, c.Schema.Hot && !s.d.postgres; {
	case first && alone:
		return []stmt{{sql: drop, args: key, done: func(n int64) error {
			if n > 0 {
				return ports.ErrStale
			}
			return nil
		}}}
	case first:
		return nil
	case alone:
		return []stmt{{sql: drop + " AND last = $3", args: append(key, c.Sequence()-1), done: orElse(ports.ErrStale)}}
	}
	return []stmt{{sql: drop, args: key}}
}
