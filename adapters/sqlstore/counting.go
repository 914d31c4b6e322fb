package sqlstore

import "context"

// counting is a list of statements for one round trip, some of them conditional: what such a one is about is refused
// when it changes no row.
type counting[T any] struct {
	stmts   []stmt
	about   map[int]T // what the conditional ones are about
	refused *T        // the first
}

// add appends a conditional statement about what.
func (c *counting[T]) add(what T, sql string, args ...any) {
	if c.about == nil {
		c.about = map[int]T{}
	}
	c.about[len(c.stmts)] = what
	c.stmts = append(c.stmts, stmt{sql: sql, args: args, done: func(n int64) error {
		if n == 0 && c.refused == nil {
			c.refused = &what
		}
		return nil
	}})
}

// read has the rows of the statement that was appended last read by each.
func (c *counting[T]) read(each func(row) error) { c.stmts[len(c.stmts)-1].each = each }

// plain appends a statement that always succeeds.
func (c *counting[T]) plain(sql string, args ...any) {
	c.stmts = append(c.stmts, stmt{sql: sql, args: args})
}

// run sends them and returns what was refused first. Then none of them has any effect, and the transaction goes on: it
// may keep a receipt of the refusal.
func (c *counting[T]) run(ctx context.Context, t *txn) (*T, error) {
	if len(c.stmts) == 0 {
		return nil, nil
	}
	err := t.run(ctx, append([]stmt{{sql: "SAVEPOINT counting"}}, c.stmts...)...)
	if err == nil && c.refused != nil {
		err = t.run(ctx, stmt{sql: "ROLLBACK TO SAVEPOINT counting"})
	}
	return c.refused, err
}

// later puts them in line. What is refused ends the transaction, in the words given.
func (c *counting[T]) later(t *txn, refusal func(T) error) {
	for i, s := range c.stmts {
		w := waiting{stmt: s}
		if what, conditional := c.about[i]; conditional {
			w.must = refusal(what)
		}
		t.later(w)
	}
}
