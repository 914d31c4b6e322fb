package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// pending is a step on its way through the committer, encoded by the goroutine that brought it.
type pending struct {
	form // its shape is nil when there are only receipts

	step    ports.Step
	was     int64   // the recordSequence the step was decided on; 0 creates the record
	row     []any   // the last state as sh.row gives it; nil after a delete
	also    []part  // further records that come with it
	events  []event // one per change; none of silent collections
	marks   []mark
	single  bool            // no batch can hold it
	touches bool            // sh.touch does for it
	skipped bool            // was in a batch that found its row locked
	from    context.Context //nolint:containedctx // whose step it is, for who watches batches; it ends nothing
	done    chan error
}

// part is a record that is created beside the one a step is about.
type part struct {
	shape *shape
	row   []any
}

var (
	errNoRun      = errors.New("the changes of a step are one consecutive run of one record")
	errNoCreate   = errors.New("only a step that creates a record creates others with it")
	errNotTheirs  = errors.New("a step holds a record or receipt of another tenant")
	errBadTenancy = errors.New("the tenant id of a step cannot be bound")
)

func (s *Store) prepare(ctx context.Context, step ports.Step) (*pending, error) {
	p := &pending{step: step, from: ctx, done: make(chan error, 1), marks: make([]mark, 0, 1+len(step.Receipts))}
	if !plain(step.Tenant) {
		return nil, errBadTenancy
	}
	for _, r := range step.Receipts {
		if r.Tenant != step.Tenant {
			return nil, errNotTheirs
		}
		p.marks = append(p.marks, mark{key: r.Key})
	}
	if len(step.Changes) == 0 && len(step.Also)+len(step.Stock) == 0 {
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
	p.shape, p.was, p.events = sh, first.Before.Sequence(), s.eventsOf(step.Changes)
	p.marks = append(p.marks, mark{record: first.ID()})
	if last.After != nil {
		p.row = sh.row(last.After, s.o.Fold)
	}
	p.single = sh.schema.Silent || last.After == nil || p.was == 0 && first.Sequence() > 1 || p.was > 0 && sh.movesUnique(first.Before, last.After)
	p.touches = !s.d.postgres && p.was > 0 && last.After != nil && sh.keepsIndexed(first.Before, last.After)
	if err := s.addParts(p); err != nil {
		return nil, err
	}
	return p, ctx.Err()
}

// addParts encodes what is created beside the record of p.
func (s *Store) addParts(p *pending) error {
	for _, c := range p.step.Also {
		sh, err := s.shape(c.Schema)
		if err != nil {
			return err
		}
		p.also = append(p.also, part{sh, sh.row(c.After, s.o.Fold)})
		p.events = append(p.events, s.eventsOf([]collection.Change{c})...)
		p.marks = append(p.marks, mark{record: c.ID()})
		p.single = p.single || sh.schema.Silent || sh.movesUnique(nil, c.After)
	}
	p.form = formOf(p.shape, p.also, p.step.Stock)
	return nil
}

// checkRun refuses changes that do not follow from each other.
func (p *pending) checkRun() error {
	changes := p.step.Changes
	if beside := len(p.step.Also) + len(p.step.Stock); beside > 0 && (len(changes) != 1 || changes[0].Operation != collection.Created) {
		return errNoCreate
	}
	for _, c := range p.step.Also {
		if c.Operation != collection.Created || c.Sequence() != 1 {
			return errNoCreate
		}
		if tenantOf(c) != string(p.step.Tenant) {
			return errNotTheirs
		}
	}
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

// statements make the step durable in a transaction of its own, or behind a savepoint.
func (p *pending) statements(s *Store) []stmt {
	stmts := p.writes(s)
	for _, e := range p.events {
		stmts = append(stmts, s.eventStatements(e)...)
	}
	return stmts
}

// writes are the statements without events. Receipts come before the row, so that a replay is told apart from a stale
// write; the row is locked before them, as it is in a batch.
func (p *pending) writes(s *Store) []stmt {
	stmts := make([]stmt, 0, 2+len(p.step.Receipts)+3*len(p.events))
	if p.was > 0 && s.d.postgres {
		stmts = append(stmts, stmt{sql: "SELECT 1 FROM " + quote(p.shape.table) + " WHERE tenant = $1 AND id = $2 FOR UPDATE", args: []any{string(p.step.Tenant), p.step.Changes[0].ID()}})
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
		stmts = append(stmts, s.undelete(p.step.Changes[0])...)
	default:
		stmts = append(stmts, stmt{sql: p.shape.update, args: append(slices.Clip(p.row), p.was), done: orElse(ports.ErrStale)})
	}
	for _, x := range p.also {
		stmts = append(stmts, stmt{sql: x.shape.insert, args: x.row})
	}
	for _, row := range p.units() {
		stmts = append(stmts, stmt{sql: addStock, args: row})
	}
	return stmts
}

// units are the rows of stock that p brings, as addStock takes them.
func (p *pending) units() (rows [][]any) {
	for _, u := range p.step.Stock {
		for _, env := range []tenant.Environment{tenant.Live, tenant.Test} {
			rows = append(rows, []any{string(p.step.Tenant), string(env), u.Product, u.Variant, u.Level.OnHand, u.Level.Tracked})
		}
	}
	return rows
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
	for _, x := range p.also {
		if told := x.shape.refused(err); errors.Is(told, ports.ErrDuplicate) {
			return told
		}
	}
	return p.shape.refused(err)
}
