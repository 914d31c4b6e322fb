package jobs

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// CheckOpen counts the jobs of a collection that have not ended, in the transaction that adds one. It locks the tenant, so that
// those who add one at the same moment count one after the other. Errors: job.ErrTooMany.
func CheckOpen(ctx context.Context, tx ports.Tx, s *collection.Schema, t tenant.ID, env tenant.Environment) error {
	if _, err := tx.Records.Lock(ctx, identity.Tenants, string(t)); err != nil {
		return err
	}
	open, err := tx.Records.Find(ctx, collection.Query{Schema: s, Environment: string(env), Where: job.Open(s), Page: 1})
	if err == nil && open.TotalDocs >= job.MaxOpen {
		err = job.ErrTooMany
	}
	return err
}

// RequestCancel stores that somebody wants a job to end, under the id of a new event, and answers the job's record. To want it
// twice changes nothing. Errors: ports.ErrNotFound, job.ErrEnded.
func RequestCancel(
	ctx context.Context, tx ports.Tx, s *collection.Schema, id, eventID string, now time.Time,
) (collection.Record, error) {
	stored, err := tx.Records.Lock(ctx, s, id)
	if err != nil {
		return nil, err
	}
	next, err := job.FromRecord(stored).RequestCancel(now)
	if err != nil {
		return nil, err
	}
	record := stored.Clone()
	next.Put(record)
	change := collection.NewChange(s, stored, record, eventID, now)
	if len(change.ChangedFields()) == 0 {
		return stored, nil
	}
	return record, tx.Records.Write(ctx, change)
}

// Receipt is that of a request that made or changed a job: its answer has the job's record as the only member.
func Receipt(
	c idempotency.Call, result ports.ReceiptResult, member string, s *collection.Schema, record collection.Record, now time.Time,
) idempotency.Receipt {
	body := c.Body(reply.Member{Name: member, Schema: s, Record: record})
	receipt := c.Receipt(result, body, nil, now, now.Add(idempotency.Retention))
	receipt.About(record)
	return receipt
}
