package deliveries

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/change"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Finish implements ports.Deliveries. Nobody but the operator changes a row that is claimed: if the row is
// another one than the claim was of, it keeps its place in the queue, and remembers the attempt.
func (q Queue) Finish(ctx context.Context, all []ports.ClaimedDelivery) (ended []ports.FinishedDelivery, err error) {
	err = q.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		ended = make([]ports.FinishedDelivery, len(all))
		rows, err := q.lockRows(ctx, on, all)
		if err != nil {
			return err
		}
		if err := q.endClaims(ctx, on, all, ended); err != nil {
			return err
		}
		if err := q.storeAttempts(ctx, on, all, rows, ended); err != nil {
			return err
		}
		if err := q.releaseHeldBack(ctx, on, all, ended); err != nil {
			return err
		}
		return q.recordHealth(ctx, on, all, ended)
	})
	if err != nil {
		return nil, fmt.Errorf("finish deliveries: %w", err)
	}
	return ended, nil
}

// Release implements ports.Deliveries. The claim is over and stays, so that its fence is not given again.
func (q Queue) Release(ctx context.Context, all []ports.ClaimedDelivery) error {
	over := time.Unix(0, 0).UTC()
	err := q.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		stmts := make([]db.Stmt, len(all))
		for i, c := range all {
			stmts[i] = db.Stmt{
				SQL:  "UPDATE webhook_claims SET expires_at = $4 WHERE tenant = $1 AND delivery = $2 AND fence = $3",
				Args: []any{string(c.Tenant), c.ID, c.Fence, over},
			}
		}
		return on.Run(ctx, stmts...)
	})
	if err != nil {
		return fmt.Errorf("release deliveries: %w", err)
	}
	return nil
}

// lockRows reads the rows of all, by id, and holds them.
func (q Queue) lockRows(ctx context.Context, on db.Session, all []ports.ClaimedDelivery) (map[string]collection.Record, error) {
	sh := q.shape
	ids := map[tenant.ID][]string{}
	var owners []tenant.ID
	for _, c := range all {
		if ids[c.Tenant] == nil {
			owners = append(owners, c.Tenant)
		}
		ids[c.Tenant] = append(ids[c.Tenant], c.ID)
	}
	slices.Sort(owners) // two instances lock in the same order
	rows := make(map[string]collection.Record, len(all))
	stmts := make([]db.Stmt, len(owners))
	for i, owner := range owners {
		var a db.Args
		text := "SELECT " + sh.SelectColumns("", q.db.Dialect) + " FROM webhook_deliveries r WHERE r.tenant = " + a.Bind(string(owner)) +
			" AND " + q.db.Dialect.InList("r.id", a.Bind(ids[owner])) + " ORDER BY r.id" + q.db.Dialect.ForUpdate()
		stmts[i] = db.Stmt{SQL: text, Args: a, OnRow: func(r db.Row) error {
			return q.scan(r, func(found collection.Record) { rows[found.ID()] = found })
		}}
	}
	return rows, on.Run(ctx, stmts...)
}

// endClaims ends the claims of all, and notes those that had ended before.
func (q Queue) endClaims(ctx context.Context, on db.Session, all []ports.ClaimedDelivery, ended []ports.FinishedDelivery) error {
	stmts := make([]db.Stmt, len(all))
	for i, c := range all {
		stmts[i] = db.Stmt{
			SQL:  "DELETE FROM webhook_claims WHERE tenant = $1 AND delivery = $2 AND fence = $3",
			Args: []any{string(c.Tenant), c.ID, c.Fence},
			OnDone: func(n int64) error {
				ended[i].Lost = n == 0
				return nil
			},
		}
	}
	return on.Run(ctx, stmts...)
}

// storeAttempts stores those of all that were still held.
func (q Queue) storeAttempts(
	ctx context.Context, on db.Session, all []ports.ClaimedDelivery, rows map[string]collection.Record, ended []ports.FinishedDelivery,
) error {
	var changes []collection.Change
	for i, c := range all {
		stored := rows[c.ID]
		if ended[i].Lost = ended[i].Lost || stored == nil; ended[i].Lost {
			continue
		}
		next := c.Delivery
		if asked := webhook.DeliveryFrom(stored); stored.Sequence() != c.Fence/claimsPerSequence && asked.Status == webhook.Pending {
			asked.Attempts = c.Attempts
			next = asked
		}
		after := next.Record()
		after["tenant"] = string(c.Tenant)
		changes = append(changes, collection.NewChange(webhook.Deliveries, stored, after, "", q.now()))
	}
	return q.write(ctx, on, changes)
}

// write changes rows of deliveries.
func (q Queue) write(ctx context.Context, on db.Session, changes []collection.Change) error {
	if len(changes) == 0 {
		return nil
	}
	return change.Run(ctx, on, q.writer.Statements(ctx, on, changes, slices.Repeat([]*table.Shape{q.shape}, len(changes)), true))
}

// releaseHeldBack makes those due that were held back by one that has ended, after it had failed before: an
// operator may have had it tried before its time.
func (q Queue) releaseHeldBack(ctx context.Context, on db.Session, all []ports.ClaimedDelivery, ended []ports.FinishedDelivery) error {
	const release = "UPDATE webhook_deliveries SET next_attempt_at = $4 WHERE tenant = $1 AND record = $2 AND endpoint = $3 AND ended_at IS NULL AND tries = 0 AND next_attempt_at > $4"
	var stmts []db.Stmt
	for i, c := range all {
		if !ended[i].Lost && c.Status != webhook.Pending && (len(c.Attempts) > 1 || c.Replayed) && c.RecordSequence > 0 {
			stmts = append(stmts, db.Stmt{SQL: release, Args: []any{string(c.Tenant), c.RecordID, c.Endpoint, c.EndedAt}})
		}
	}
	return on.Run(ctx, stmts...)
}

// endpointRun is how an endpoint did lately.
type endpointRun struct {
	tenant    tenant.ID
	endpoint  string
	delivered bool      // something got through
	since     time.Time // of the first failure after that
	failed    []int     // places in the list of those that failed since
}

// endpointRuns are those of the attempts that were stored, by endpoint.
func endpointRuns(all []ports.ClaimedDelivery, ended []ports.FinishedDelivery) (list []*endpointRun) {
	var order []int
	for i, c := range all {
		if !ended[i].Lost && !c.Test && c.Status != webhook.Discarded && len(c.Attempts) > 0 {
			order = append(order, i)
		}
	}
	last := func(i int) webhook.Attempt { return all[i].Attempts[len(all[i].Attempts)-1] }
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(all[a].Tenant, all[b].Tenant), cmp.Compare(all[a].Endpoint, all[b].Endpoint),
			last(a).At.Compare(last(b).At), cmp.Compare(all[a].Sequence, all[b].Sequence))
	})
	for _, i := range order {
		if n := len(list); n == 0 || list[n-1].endpoint != all[i].Endpoint || list[n-1].tenant != all[i].Tenant {
			list = append(list, &endpointRun{tenant: all[i].Tenant, endpoint: all[i].Endpoint})
		}
		s := list[len(list)-1]
		if last(i).Succeeded() {
			s.delivered, s.failed = true, nil
			continue
		}
		if s.failed == nil {
			s.since = last(i).At
		}
		s.failed = append(s.failed, i)
	}
	return list
}

// recordHealth notes how the last attempts ended, and says since when all have failed.
func (q Queue) recordHealth(ctx context.Context, on db.Session, all []ports.ClaimedDelivery, ended []ports.FinishedDelivery) error {
	var stmts []db.Stmt
	for _, s := range endpointRuns(all, ended) {
		key := []any{string(s.tenant), s.endpoint}
		if s.delivered {
			stmts = append(stmts, db.Stmt{SQL: "DELETE FROM webhook_health WHERE tenant = $1 AND endpoint = $2", Args: key})
		}
		if s.failed == nil {
			continue
		}
		stmts = append(stmts,
			db.Stmt{
				SQL:  "INSERT INTO webhook_health (tenant, endpoint, failing_since) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
				Args: append(key[:2:2], s.since),
			},
			db.Stmt{
				SQL: "SELECT failing_since FROM webhook_health WHERE tenant = $1 AND endpoint = $2", Args: key,
				OnRow: func(r db.Row) error {
					var since db.NullTime
					err := r.Scan(&since)
					for _, i := range s.failed {
						ended[i].FailingSince = since.Time
					}
					return err
				},
			})
	}
	return on.Run(ctx, stmts...)
}
