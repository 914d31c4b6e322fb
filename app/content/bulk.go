package content

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Bulk is what became of a write to many records: each stands for itself, so some may fail beside others.
type Bulk struct {
	Docs   [][]byte // wire JSON of the written records, of deleted ones the last state
	Failed []Failure
}

// Failure is a record that could not be written.
type Failure struct {
	ID    string
	Fault *fault.Error
}

// UpdateMany merges input into every record that meets where. An idempotency key is not used: the same call again finds
// what is there then. Errors: as Update, fault.ErrValidation without a where or when it finds more than 500 records.
func (c *Content) UpdateMany(ctx context.Context, call once.Call, s *collection.Schema, where collection.Tree, input map[string]any, show Show) (Bulk, error) {
	return c.many(ctx, call, s, collection.Update, where, func(call once.Call, id string) (once.Answer, error) {
		return c.write(ctx, call, job{schema: s, verb: collection.Update, id: id, input: input, show: show, bare: true})
	})
}

// DeleteMany removes every record that meets where. Errors: as Delete and UpdateMany.
func (c *Content) DeleteMany(ctx context.Context, call once.Call, s *collection.Schema, where collection.Tree, show Show) (Bulk, error) {
	switch {
	case s.Operated:
		return Bulk{}, ErrOperated
	case s.NoDelete:
		return Bulk{}, ErrNoDelete
	}
	return c.many(ctx, call, s, collection.Delete, where, func(call once.Call, id string) (once.Answer, error) {
		return c.write(ctx, call, job{schema: s, verb: collection.Delete, id: id, show: show, bare: true})
	})
}

func (c *Content) many(ctx context.Context, call once.Call, s *collection.Schema, verb collection.Verb, where collection.Tree, write func(once.Call, string) (once.Answer, error)) (done Bulk, err error) {
	if _, err := c.reach(call.Principal, s, verb); err != nil {
		return done, err // also where nothing would be found
	}
	cond, err := c.where(call.Principal, s, where)
	if err != nil {
		return done, err
	}
	if everything(cond) {
		return done, fault.Invalidf("where", "Writing to many records takes a where that tests a field.")
	}
	query, err := c.query(call.Principal, s, Query{Where: where, Limit: collection.MaxLimit, Page: 1})
	if err != nil {
		return done, err
	}
	found, err := c.Store.Read(ports.For(call.Principal)).Find(ctx, query)
	if err != nil {
		return done, err
	}
	if found.TotalDocs > collection.MaxLimit {
		return done, fault.Invalidf("where", "This finds %d records; at most %d are written at once.", found.TotalDocs, collection.MaxLimit)
	}
	call.Key = ""
	for _, r := range found.Docs {
		answer, err := write(call, r.ID())
		if f := fault.From(err); err != nil && (f.Kind == fault.Internal || f.Kind == fault.Unavailable || f.Kind == fault.Forbidden) {
			return done, err // not this record's fault
		} else if err != nil {
			done.Failed = append(done.Failed, Failure{r.ID(), f})
			continue
		}
		done.Docs = append(done.Docs, answer.Body)
	}
	return done, nil
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
