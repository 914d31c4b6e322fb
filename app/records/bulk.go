package records

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// BulkResult is the result of a write to many records. Each is written independently, so some may fail while
// others succeed.
type BulkResult struct {
	Docs     []reply.JSON // JSON of the written records; of deleted ones, the last state
	Failed   []BulkFailure
	Replayed bool // everything was done by an earlier request with the same key
}

// BulkFailure is a record that could not be written.
type BulkFailure struct {
	ID        string
	Fault     *fault.Error
	RequestID string // of the request that was refused first
}

// BulkSelection selects the records of a bulk write.
type BulkSelection struct {
	Where      collection.JSONValue
	Sort       string // the order in which they are written
	Limit      int    // at most this many, 1..500; 0: all, but an error if more than 500 match
	Projection Projection
}

// UpdateMany merges input into every record that matches where. Errors: as Update, fault.ErrValidation
// without a where or when too many records match.
func (c *Service) UpdateMany(
	ctx context.Context, call idempotency.Call, s *collection.Schema, selection BulkSelection, input map[string]any,
) (BulkResult, error) {
	if HasNoPatchableField(s) {
		return BulkResult{}, ErrCommandOnly
	}
	return c.bulkWrite(ctx, call, selection, writeRequest{
		schema: s, verb: collection.Update, input: input, projection: selection.Projection, docOnly: true,
	})
}

// DeleteMany deletes every record that matches where. Errors: as Delete and UpdateMany.
func (c *Service) DeleteMany(
	ctx context.Context, call idempotency.Call, s *collection.Schema, selection BulkSelection,
) (BulkResult, error) {
	switch {
	case s.CommandOnly:
		return BulkResult{}, ErrCommandOnly
	case s.NoDelete:
		return BulkResult{}, ErrDeleteNotSupported
	}
	return c.bulkWrite(ctx, call, selection, writeRequest{
		schema: s, verb: collection.Delete, projection: selection.Projection, docOnly: true,
	})
}

func (c *Service) bulkWrite(
	ctx context.Context, call idempotency.Call, selection BulkSelection, j writeRequest,
) (done BulkResult, err error) {
	if err := j.requireProof(call.Principal); err != nil {
		return done, err
	}
	if j.filter, err = c.accessFilter(call.Principal, j.schema, j.verb); err != nil {
		return done, err // checked even if no record matches
	}
	if call.Principal.Kind == tenant.Customer && j.filter != nil {
		if err := c.checkCustomerFields(j); err != nil {
			return done, err
		}
	}
	ids, known, err := c.bulkTargets(ctx, call, selection, j)
	if err != nil {
		return done, err
	}
	done.Replayed = known
	size := 0 // of Docs; what a write embeds newly was not counted before
	for _, id := range ids {
		if size > MaxPageBytes {
			done.Failed = append(done.Failed, BulkFailure{id, ErrAnswerTooLarge.WithMessage(
				"The record was not written: those before it have more than %d bytes together. Repeat the call for the rest.", MaxPageBytes), call.RequestID})
			continue
		}
		one := call
		one.Operation += "/" + id
		j.id = id
		answer, err := c.execute(ctx, one, j)
		f := fault.From(err)
		if err != nil && (f.Kind == fault.Internal || f.Kind == fault.Unavailable || errors.Is(err, tenant.ErrReauthenticate)) {
			return done, err // an error that is not specific to this record
		} else if err != nil {
			answer = idempotency.Response{Fault: f, RequestID: call.RequestID}
		}
		done.Replayed = done.Replayed && answer.Replayed
		if answer.Fault != nil {
			done.Failed = append(done.Failed, BulkFailure{id, answer.Fault, answer.RequestID})
			continue
		}
		done.Docs = append(done.Docs, answer.Body.Bytes())
		size += len(answer.Body.Bytes())
	}
	return done, nil
}

// bulkTargets returns the ids of the records to write: under an idempotency key those that its first request
// found.
func (c *Service) bulkTargets(
	ctx context.Context, call idempotency.Call, selection BulkSelection, j writeRequest,
) (ids []string, known bool, err error) {
	if ids, known, err = c.storedTargets(ctx, call); known || err != nil {
		return ids, known, err
	}
	if ids, err = c.findTargets(ctx, call, selection, j); err != nil || call.Key == "" {
		return ids, false, err
	}
	now := collection.TruncateTime(c.Now())
	receipt := call.Receipt(ports.ReceiptOK, reply.FromText([]byte(strings.Join(ids, " "))), nil, now, now.Add(idempotency.Retention))
	err = c.Store.Atomically(ctx, ports.ForPrincipal(call.Principal), func(ctx context.Context, tx ports.Tx) error {
		return tx.Receipts.Save(ctx, receipt.Receipt, 0)
	})
	if errors.Is(err, ports.ErrReceiptExists) {
		if ids, known, err = c.storedTargets(ctx, call); !known && err == nil {
			err = idempotency.ErrInProgress
		}
		return ids, known, err
	}
	return ids, false, err
}

func (c *Service) storedTargets(ctx context.Context, call idempotency.Call) (ids []string, known bool, err error) {
	receipt, err := c.replay(ctx, call)
	if receipt == nil || err != nil {
		return nil, false, err
	}
	return strings.Fields(receipt.Body.String()), true, nil
}

// findTargets finds the ids of the records to write. Errors: fault.ErrValidation, collection.ErrQuery.
func (c *Service) findTargets(
	ctx context.Context, call idempotency.Call, selection BulkSelection, j writeRequest,
) (ids []string, err error) {
	s := j.schema
	if err := c.checkQuery(s, call.Principal, selection.Limit, selection.Projection); err != nil {
		return nil, err
	}
	cond, err := c.parseWhere(call.Principal, s, selection.Where)
	if err != nil {
		return nil, err
	}
	if matchesEverything(cond) {
		return nil, fault.Invalidf("where", "Bulk writes require a where that tests a field.")
	}
	limit := selection.Limit
	if limit == 0 {
		limit = collection.MaxLimit
	}
	query, err := c.buildQuery(call.Principal, s, Query{Where: selection.Where, Sort: selection.Sort, Limit: limit, Page: 1})
	if err != nil {
		return nil, err
	}
	query.MaxBytes = MaxPageBytes
	found, err := c.Store.Read(ports.ForPrincipal(call.Principal)).Find(ctx, query)
	if err != nil {
		return nil, err
	}
	if selection.Limit == 0 && found.TotalDocs > collection.MaxLimit {
		return nil, fault.Invalidf("where",
			"The filter matches %d records; at most %d can be written at once. Set a limit and repeat the call.", found.TotalDocs,
			collection.MaxLimit)
	}
	if err := c.checkBulkAnswer(ctx, call.Principal, j, found); err != nil {
		return nil, err
	}
	for _, r := range found.Docs {
		ids = append(ids, r.ID())
	}
	return ids, nil
}

// checkBulkAnswer refuses a bulk write whose answer, which has every record, would be larger than that of a list, before
// any record is changed. Rule collections-31. Errors: ErrAnswerTooLarge.
func (c *Service) checkBulkAnswer(ctx context.Context, p tenant.Principal, j writeRequest, found collection.Page) error {
	if j.projection.Select == nil {
		if found.Bytes+int64(collection.InputSize(j.input)*len(found.Docs)) > MaxPageBytes {
			return ErrAnswerTooLarge.WithData("limit", int64(MaxPageBytes)).
				WithMessage("The changed records could have more than %d bytes together. Set a smaller limit, or select fewer fields.", MaxPageBytes)
		}
	}
	if j.projection.Depth == 0 {
		return nil
	}
	shown, err := c.newRenderer(ctx, c.readSource(p), p, j.schema, found.Docs, j.projection)
	if err == nil {
		_, err = shown.body(reply.Member{Schema: j.schema, Name: "docs", Value: reply.Records(found.Docs), View: &shown.view})
	}
	return err
}

// matchesEverything reports whether cond has no tests, so that an accidentally empty filter does not rewrite
// a whole collection.
func matchesEverything(cond collection.Cond) bool {
	switch cond := cond.(type) {
	case collection.And:
		return !slices.ContainsFunc(cond, func(c collection.Cond) bool { return !matchesEverything(c) })
	case collection.Or:
		return slices.ContainsFunc(cond, matchesEverything)
	case collection.Comparison:
		return false
	}
	return cond == nil
}
