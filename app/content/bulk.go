package content

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Bulk is what became of a write to many records: each stands for itself, so some may fail beside others.
type Bulk struct {
	Docs     [][]byte // wire JSON of the written records, of deleted ones the last state
	Failed   []Failure
	Replayed bool // all of it was done by an earlier request with the same key
}

// Failure is a record that could not be written.
type Failure struct {
	ID        string
	Fault     *fault.Error
	RequestID string // of the request that was refused first
}

// Many says which records a write to many is for.
type Many struct {
	Where collection.Tree
	Sort  string // in which order they are written
	Limit int    // at most so many, 1..500; 0: all, unless there are more than 500
	Show  Show
}

// UpdateMany merges input into every record that meets where. Errors: as Update, fault.ErrValidation without a where or
// when it finds too many records.
func (c *Content) UpdateMany(ctx context.Context, call once.Call, s *collection.Schema, many Many, input map[string]any) (Bulk, error) {
	if fixed(s) {
		return Bulk{}, ErrOperated
	}
	return c.many(ctx, call, many, job{schema: s, verb: collection.Update, input: input, show: many.Show, bare: true})
}

// DeleteMany removes every record that meets where. Errors: as Delete and UpdateMany.
func (c *Content) DeleteMany(ctx context.Context, call once.Call, s *collection.Schema, many Many) (Bulk, error) {
	switch {
	case s.Operated:
		return Bulk{}, ErrOperated
	case s.NoDelete:
		return Bulk{}, ErrNoDelete
	}
	return c.many(ctx, call, many, job{schema: s, verb: collection.Delete, show: many.Show, bare: true})
}

func (c *Content) many(ctx context.Context, call once.Call, many Many, j job) (done Bulk, err error) {
	if j.reach, err = c.reach(call.Principal, j.schema, j.verb); err != nil {
		return done, err // also where nothing would be found
	}
	if j.reach != nil {
		if err := c.ownOnly(j); err != nil {
			return done, err
		}
	}
	ids, known, err := c.plan(ctx, call, many, j)
	if err != nil {
		return done, err
	}
	done.Replayed = known
	for _, id := range ids {
		one := call
		one.Operation += "/" + id
		j.id = id
		answer, err := c.write(ctx, one, j)
		if f := fault.From(err); err != nil && (f.Kind == fault.Internal || f.Kind == fault.Unavailable) {
			return done, err // not this record's fault
		} else if err != nil {
			answer = once.Answer{Fault: f, RequestID: call.RequestID}
		}
		done.Replayed = done.Replayed && answer.Replayed
		if answer.Fault != nil {
			done.Failed = append(done.Failed, Failure{id, answer.Fault, answer.RequestID})
			continue
		}
		done.Docs = append(done.Docs, answer.Body)
	}
	return done, nil
}

// plan is the ids of the records to write: under a key those that its first request found.
func (c *Content) plan(ctx context.Context, call once.Call, many Many, j job) (ids []string, known bool, err error) {
	if ids, known, err = c.planned(ctx, call); known || err != nil {
		return ids, known, err
	}
	if ids, err = c.matching(ctx, call, many, j.schema); err != nil || call.Key == "" {
		return ids, false, err
	}
	now := collection.Instant(c.Now())
	kept := call.Receipt(ports.OK, []byte(strings.Join(ids, " ")), nil, now, now.Add(keepFor))
	err = c.Store.Atomically(ctx, ports.For(call.Principal), func(ctx context.Context, tx ports.Tx) error {
		return tx.Receipts.Keep(ctx, kept, 0)
	})
	if errors.Is(err, ports.ErrReceiptExists) {
		if ids, known, err = c.planned(ctx, call); !known && err == nil {
			err = once.ErrInProgress
		}
		return ids, known, err
	}
	return ids, false, err
}

func (c *Content) planned(ctx context.Context, call once.Call) (ids []string, known bool, err error) {
	kept, err := c.replay(ctx, call)
	if kept == nil || err != nil {
		return nil, false, err
	}
	return strings.Fields(string(kept.Body)), true, nil
}

// matching finds the ids of the records to write. Errors: fault.ErrValidation, collection.ErrQuery.
func (c *Content) matching(ctx context.Context, call once.Call, many Many, s *collection.Schema) (ids []string, err error) {
	if err := c.check(s, call.Principal, many.Limit, many.Show); err != nil {
		return nil, err
	}
	cond, err := c.where(call.Principal, s, many.Where)
	if err != nil {
		return nil, err
	}
	if everything(cond) {
		return nil, fault.Invalidf("where", "Writing to many records takes a where that tests a field.")
	}
	limit := many.Limit
	if limit == 0 {
		limit = collection.MaxLimit
	}
	query, err := c.query(call.Principal, s, Query{Where: many.Where, Sort: many.Sort, Limit: limit, Page: 1})
	if err != nil {
		return nil, err
	}
	found, err := c.Store.Read(ports.For(call.Principal)).Find(ctx, query)
	if err != nil {
		return nil, err
	}
	if many.Limit == 0 && found.TotalDocs > collection.MaxLimit {
		return nil, fault.Invalidf("where", "This finds %d records; at most %d are written at once. Give a limit to write them in turns.", found.TotalDocs, collection.MaxLimit)
	}
	for _, r := range found.Docs {
		ids = append(ids, r.ID())
	}
	return ids, nil
}

// everything reports whether cond tests nothing, so that a filter that came out empty does not rewrite a whole collection.
func everything(cond collection.Cond) bool {
	switch cond := cond.(type) {
	case collection.And:
		return !slices.ContainsFunc(cond, func(c collection.Cond) bool { return !everything(c) })
	case collection.Or:
		return slices.ContainsFunc(cond, everything)
	case collection.Test:
		return false
	}
	return cond == nil
}
