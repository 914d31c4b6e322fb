package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// pending is a step on its way through the committer, encoded by the goroutine that brought it.
type pending struct {
	step    ports.Step
	shape   *shape  // nil when there are only receipts
	was     int64   // the recordSequence the step was decided on; 0 creates the record
	row     []any   // the last state as sh.row gives it; nil after a delete
	events  []event // one per change
	marks   []mark
	single  bool // no batch can hold it
	skipped bool // was in a batch that found its row locked
	done    chan error
}

var (
	errNoRun      = errors.New("the changes of a step are one consecutive run of one record")
	errNotTheirs  = errors.New("a step holds a record or receipt of another tenant")
	errBadTenancy = errors.New("the tenant id of a step cannot be bound")
)

func (s *Store) prepare(ctx context.Context, step ports.Step) (*pending, error) {
	p := &pending{step: step, done: make(chan error, 1), marks: make([]mark, 0, 1+len(step.Receipts))}
	if !plain(step.Tenant) {
		return nil, errBadTenancy
	}
	for _, r := range step.Receipts {
		if r.Tenant != step.Tenant {
			return nil, errNotTheirs
		}
		p.marks = append(p.marks, mark{key: r.Key})
	}
	if len(step.Changes) == 0 {
		return p, ctx.Err()
	}
	if err := p.checkRun(); err != nil {
		return nil, err
	}
	first, last := step.Changes[0], step.Changes[len(step.Changes)-1]
	sh, err := s.shape(first.Schema)
	if err != nil {
		return nil, err
	}
	p.shape, p.was, p.events = sh, first.Before.Sequence(), eventsOf(step.Changes)
	p.marks = append(p.marks, mark{record: first.ID()})
	if last.After != nil {
		p.row = sh.row(last.After, s.o.Fold)
	}
	p.single = last.After == nil || p.was == 0 && first.Sequence() > 1 || p.was > 0 && sh.movesUnique(first.Before, last.After)
	return p, ctx.Err()
}

// checkRun refuses changes that do not follow from each other.
func (p *pending) checkRun() error {
	changes := p.step.Changes
	for i, c := range changes {
		if tenantOf(c) != string(p.step.Tenant) {
			return errNotTheirs
		}
		if i > 0 && (c.ID() != changes[0].ID() || c.Schema != changes[0].Schema || c.Before.Sequence() != changes[i-1].Sequence() || changes[i-1].After == nil) {
			return fmt.Errorf("change %d of %s: %w", i, c.ID(), errNoRun)
		}
	}
	return nil
}

// movesUnique reports whether an update changes a value that must be unique: it may break a constraint, which fails the
// whole statement it is part of.
func (sh *shape) movesUnique(before, after collection.Record) bool {
	for _, u := range sh.uniques {
		for _, field := range u.fields {
			if !collection.Equal(before[field], after[field]) {
				return true
			}
		}
	}
	return false
}

// statements make the step durable in a transaction of its own, or behind a savepoint. Receipts come before the row, so
// that a replay is told apart from a stale write; the row is locked before them, as it is in a batch.
func (p *pending) statements(s *Store) []stmt {
	stmts := make([]stmt, 0, 2+len(p.step.Receipts)+3*len(p.events))
	if p.was > 0 && s.d.postgres {
		stmts = append(stmts, stmt{sql: "SELECT 1 FROM " + quote(p.shape.table) + " WHERE tenant = $1 AND id = $2 FOR UPDATE", args: []any{string(p.step.Tenant), p.events[0].record}})
	}
	for _, r := range p.step.Receipts {
		stmts = append(stmts, stmt{sql: addReceipt, args: receiptArgs(r), done: orElse(ports.ErrReceiptExists)})
	}
	switch {
	case p.shape == nil:
	case p.row == nil:
		for _, c := range p.step.Changes {
			stmts = append(stmts, s.rowStatements(p.shape, c)...)
		}
	case p.was == 0:
		stmts = append(stmts, stmt{sql: p.shape.insert, args: p.row})
		stmts = append(stmts, undelete(p.step.Changes[0])...)
	default:
		stmts = append(stmts, stmt{sql: p.shape.update, args: append(slices.Clip(p.row), p.was), done: orElse(ports.ErrStale)})
	}
	for _, e := range p.events {
		stmts = append(stmts, s.eventStatements(e)...)
	}
	return stmts
}

// orElse gives err for a statement that changed no row.
func orElse(err error) func(int64) error {
	return func(n int64) error {
		if n == 0 {
			return err
		}
		return nil
	}
}

// refused is what the use case is told when the step's statements failed with err.
func (p *pending) refused(err error) error {
	if err == nil || p.shape == nil {
		return err
	}
	return p.shape.refused(err)
}
