package commit

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// writePostgres commits a batch in one round trip: one implicit transaction, bound to the tenants of all its
// steps. It is tried on the fast path first, if it has one.
func (c *Committer) writePostgres(batch []*pendingStep) {
	batch = c.batchable(batch)
	if len(batch) == 0 {
		return
	}
	defer c.reportBatch(batch)()
	if s := c.statements.fastBatchOf(batch); s != nil && c.optimistic() {
		err := c.commitFast(s, batch)
		if err == nil || !db.Rejected(err) {
			c.finishBatch(batch, nil, err)
			return
		}
		c.disableFastPath(err)
	}
	outcomes, err := c.runBatch(batch)
	c.finishBatch(batch, outcomes, err)
}

// batchable are the steps that a batch can hold; the others are run alone.
func (c *Committer) batchable(batch []*pendingStep) []*pendingStep {
	return slices.DeleteFunc(batch, func(p *pendingStep) bool {
		if p.mustRunAlone {
			c.startSingle(p)
		}
		return p.mustRunAlone
	})
}

// runBatch runs the statements of a batch, one per form.
func (c *Committer) runBatch(batch []*pendingStep) (outcomes map[*pendingStep]string, err error) {
	groups := map[statementKey][]*pendingStep{}
	for _, p := range batch {
		groups[p.statementKey] = append(groups[p.statementKey], p)
	}
	outcomes = map[*pendingStep]string{}
	stmts := make([]db.Stmt, 0, len(groups))
	for f, group := range groups {
		stmts = append(stmts, db.Stmt{
			SQL: c.statements.statementFor(f), Args: batchArgs(f, c.statements.extraShapes(f), group), OnRow: func(r db.Row) error {
				var n int
				var outcome string
				err := r.Scan(&n, &outcome)
				if err == nil {
					outcomes[group[n-1]] = outcome
				}
				return err
			},
		})
	}
	return outcomes, c.send(batch, stmts)
}

// finishBatch settles the steps of a batch.
func (c *Committer) finishBatch(batch []*pendingStep, outcomes map[*pendingStep]string, err error) {
	events := false
	for _, p := range batch {
		events = events || p.events != nil
		c.finishStep(p, outcomes[p], err)
	}
	if err == nil && events {
		c.options.EventsCommitted()
	}
}

// send runs stmts for the tenants of a batch.
func (c *Committer) send(batch []*pendingStep, stmts []db.Stmt) error {
	ctx, cancel := context.WithTimeout(context.Background(), commitLimit)
	defer cancel()
	markSent(batch)
	err := c.options.DB.RunBatch(ctx, tenantsOf(batch), stmts)
	if err == nil {
		c.count(&c.stats.Commits)
	}
	return err
}

// finishStep settles a step by what its batch said of it: nothing when it was done.
func (c *Committer) finishStep(p *pendingStep, outcome string, err error) {
	switch {
	case err != nil && db.Rejected(err):
		c.startSingle(p) // the whole batch was undone for the sake of some step: each finds out for itself
	case err != nil: // the answer was lost, the commit may not have been
		c.complete(p, fault.ErrUnavailable.WithCause(err))
	case outcome == "replay":
		c.complete(p, ports.ErrReceiptExists)
	case outcome == "stale":
		c.complete(p, ports.ErrStale)
	case outcome == "retry":
		c.requeue(p)
	default:
		c.complete(p, nil)
	}
}
