package sqlstore

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// writePostgres commits a batch in one round trip: one statement per form, in one implicit transaction that is
// bound to the tenants of all its steps.
func (c *Committer) writePostgres(batch []*pending) {
	groups := map[form][]*pending{}
	tenants := map[tenant.ID]struct{}{}
	for _, p := range batch {
		if p.single {
			go c.runAlone(p)
			continue
		}
		groups[p.form] = append(groups[p.form], p)
		tenants[p.step.Tenant] = struct{}{}
	}
	if len(groups) == 0 {
		return
	}
	outcomes := map[*pending]string{}
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
	err := c.send(tenants, stmts)
	events := false
	for _, group := range groups {
		for _, p := range group {
			events = events || p.events != nil
			c.conclude(p, outcomes[p], err)
		}
	}
	if err == nil && events {
		c.store.wake()
	}
}

// send runs stmts for tenants; the first one is filled in here.
func (c *Committer) send(tenants map[tenant.ID]struct{}, stmts []stmt) error {
	ids := make([]tenant.ID, 0, len(tenants))
	for id := range tenants {
		ids = append(ids, id)
	}
	list, err := tenantList(ids)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), commitLimit)
	defer cancel()
	stmts[0] = stmt{sql: bindBatch, args: []any{list}}
	err = c.store.breaker.run(func() error { return pgSession{to: c.store.pg.app}.run(ctx, stmts...) })
	if err == nil {
		c.committed()
	}
	return err
}

// conclude settles a step by what its batch said of it: nothing when it was done.
func (c *Committer) conclude(p *pending, outcome string, err error) {
	var answer *pgconn.PgError
	switch {
	case err != nil && errors.As(err, &answer) && !unreachable(err):
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

// bindBatch binds the tenants of a batch, and has each statement planned once, as for few steps, and keeps that plan from reading whole tables or from
// comparing all steps with all rows when they are many: every step finds its rows by primary key.
const bindBatch = "SELECT set_config('cartwright.tenants', $1, true), set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true), " +
	"set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('enable_bitmapscan', 'off', true)"
