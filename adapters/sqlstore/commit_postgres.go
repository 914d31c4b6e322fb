package sqlstore

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// writePostgres commits a batch in one round trip: one implicit transaction, bound to the tenants of all its steps. It is
// tried the swift way first, if it has one.
func (c *Committer) writePostgres(batch []*pending) {
	batch = c.togethers(batch)
	if len(batch) == 0 {
		return
	}
	defer c.began(batch)()
	if s := c.swiftOf(batch); s != nil && c.trusting() {
		err := c.commitSwiftly(s, batch)
		if err == nil || !answered(err) {
			c.concludeAll(batch, nil, err)
			return
		}
		c.doubt(err)
	}
	outcomes, err := c.attempt(batch)
	c.concludeAll(batch, outcomes, err)
}

// togethers are the steps that a batch can hold; the others are run alone.
func (c *Committer) togethers(batch []*pending) []*pending {
	return slices.DeleteFunc(batch, func(p *pending) bool {
		if p.single {
			go c.runAlone(p)
		}
		return p.single
	})
}

// attempt runs the statements of a batch, one per form.
func (c *Committer) attempt(batch []*pending) (outcomes map[*pending]string, err error) {
	groups := map[form][]*pending{}
	for _, p := range batch {
		groups[p.form] = append(groups[p.form], p)
	}
	outcomes = map[*pending]string{}
	stmts := make([]stmt, 1, 1+len(groups))
	for f, group := range groups {
		stmts = append(stmts, stmt{sql: c.text(f), args: batchArgs(f, c.store.shapesOf(f), group), each: func(r row) error {
			var n int
			var outcome string
			err := r.Scan(&n, &outcome)
			if err == nil {
				outcomes[group[n-1]] = outcome
			}
			return err
		}})
	}
	return outcomes, c.send(batch, stmts)
}

// concludeAll settles the steps of a batch.
func (c *Committer) concludeAll(batch []*pending, outcomes map[*pending]string, err error) {
	events := false
	for _, p := range batch {
		events = events || p.events != nil
		c.conclude(p, outcomes[p], err)
	}
	if err == nil && events {
		c.store.wake()
	}
}

// send runs stmts for the tenants of a batch; the first one is filled in here.
func (c *Committer) send(batch []*pending, stmts []stmt) error {
	list, err := tenantsOf(batch)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), commitLimit)
	defer cancel()
	stmts[0] = stmt{sql: bindBatch, args: []any{list}}
	err = c.store.breaker.run(func() error { return pgSession{to: c.store.pg.app}.run(ctx, stmts...) })
	if err == nil {
		c.count(&c.stats.Commits)
	}
	return err
}

// conclude settles a step by what its batch said of it: nothing when it was done.
func (c *Committer) conclude(p *pending, outcome string, err error) {
	switch {
	case err != nil && answered(err):
		go c.runAlone(p) // the whole batch was undone for the sake of some step: each finds out for itself
	case err != nil: // the answer was lost, the commit may not have been
		c.settle(p, fault.ErrUnavailable.Because(err))
	case outcome == "known":
		c.settle(p, ports.ErrReceiptExists)
	case outcome == "stale":
		c.settle(p, ports.ErrStale)
	case outcome == "again":
		c.again(p)
	default:
		c.settle(p, nil)
	}
}

// answered reports whether err is what Postgres said of a statement: nothing of its transaction was done.
func answered(err error) bool {
	var answer *pgconn.PgError
	return errors.As(err, &answer) && !unreachable(err)
}

// bindBatch binds the tenants of a batch, and has each statement planned once, as for few steps, and keeps that plan from reading whole tables or from
// comparing all steps with all rows when they are many: every step finds its rows by primary key.
const bindBatch = "SELECT set_config('cartwright.tenants', $1, true), " + byKey

// byKey are the settings for that.
const byKey = "set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true), " +
	"set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('enable_bitmapscan', 'off', true)"
