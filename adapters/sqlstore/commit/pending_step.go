package commit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/change"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// pendingStep is a step on its way through the committer, encoded by the goroutine that brought it.
type pendingStep struct {
	statementKey // its shape is nil when there are only receipts

	step         ports.CommitRequest
	baseSequence int64          // the recordSequence the step was decided on; 0 creates the record
	row          []any          // the last state as sh.row gives it; nil after a delete
	extras       []extraRecord  // further records that come with it
	events       []change.Event // one per change; none of silent collections
	conflictKeys []conflictKey
	bytes        int  // about how large the values are that it writes
	mustRunAlone bool // no batch can hold it
	narrow       bool // sh.touch does for it
	skipped      bool // was in a batch that found its row locked
	queuedAt     time.Time
	ctx          context.Context //nolint:containedctx // whose step it is, for who watches batches; it ends nothing
	done         chan error
	handedOver   atomic.Bool // somebody else than the lane that took it last will answer it, or it is answered
	sent         atomic.Bool // the database may have committed it
	answered     atomic.Bool
}

// markSent notes that the database may have committed a batch.
func markSent(batch []*pendingStep) {
	for _, p := range batch {
		p.sent.Store(true)
	}
}

// extraRecord is a record that is created beside the one a step is about.
type extraRecord struct {
	shape *table.Shape
	row   []any
}

var (
	errNotConsecutive   = errors.New("the changes of a step are one consecutive run of one record")
	errExtrasNeedCreate = errors.New("only a step that creates a record creates others with it")
	errOtherTenant      = errors.New("a step holds a record or receipt of another tenant")
	errBadTenantID      = errors.New("the tenant id of a step cannot be bound")
)

// What has to be true of a step's receipt and row; each is made once.
var (
	isNewReceipt  = db.ErrIfNone(ports.ErrReceiptExists)
	isExpectedRow = db.ErrIfNone(ports.ErrStale)
)

// stepEncoder prepares steps for the committer.
type stepEncoder struct {
	shapes map[string]*table.Shape
	writer change.Writer
}

// prepare checks and encodes a step.
func (c stepEncoder) prepare(ctx context.Context, step ports.CommitRequest) (*pendingStep, error) {
	p := &pendingStep{step: step, ctx: ctx, done: make(chan error, 1), conflictKeys: make([]conflictKey, 0, 1+len(step.Receipts))}
	if !db.ValidTenantID(step.Tenant) {
		return nil, errBadTenantID
	}
	for _, r := range step.Receipts {
		if r.Tenant != step.Tenant {
			return nil, errOtherTenant
		}
		p.conflictKeys = append(p.conflictKeys, conflictKey{key: r.Key})
		p.bytes += stepOverhead + len(r.Body)
	}
	if len(step.Changes) == 0 && len(step.Creates)+len(step.InitialStock) == 0 {
		return p, ctx.Err()
	}
	if err := p.validateChanges(); err != nil {
		return nil, err
	}
	first, last := step.Changes[0], step.Changes[len(step.Changes)-1]
	sh, err := table.ShapeOf(c.shapes, first.Schema)
	if err != nil {
		return nil, err
	}
	p.shape, p.baseSequence, p.events = sh, first.Before.Sequence(), c.writer.EventsOf(step.Changes)
	p.conflictKeys = append(p.conflictKeys, conflictKey{record: first.ID()})
	if last.After != nil {
		p.row = sh.RowValues(last.After, c.writer.Fold)
	}
	p.mustRunAlone = sh.Schema.NoEvents || last.After == nil || p.baseSequence == 0 && first.Sequence() > 1 ||
		p.baseSequence > 0 && sh.ChangesUnique(first.Before, last.After)
	p.narrow = !c.writer.Dialect.Postgres && p.baseSequence > 0 && last.After != nil && sh.KeepsIndexedValues(first.Before, last.After)
	if err := c.addExtras(p); err != nil {
		return nil, err
	}
	p.bytes += p.sizeOfChanges()
	return p, ctx.Err()
}

// stepOverhead is about how large the values of a step are besides its JSON.
const stepOverhead = 1 << 10

// sizeOfChanges is about how large the rows and events of p are. A row is about as large as its event.
func (p *pendingStep) sizeOfChanges() int {
	size := stepOverhead
	for i := range p.events {
		size += len(p.events[i].Doc)
		if previous, ok := p.events[i].Previous.(string); ok {
			size += len(previous)
		}
	}
	if n := len(p.step.Changes); n > 0 && n <= len(p.events) {
		size += len(p.events[n-1].Doc)
	}
	return size
}

// addExtras encodes what is created beside the record of p.
func (c stepEncoder) addExtras(p *pendingStep) error {
	for _, x := range p.step.Creates {
		sh, err := table.ShapeOf(c.shapes, x.Schema)
		if err != nil {
			return err
		}
		p.extras = append(p.extras, extraRecord{sh, sh.RowValues(x.After, c.writer.Fold)})
		p.events = append(p.events, c.writer.EventsOf([]collection.Change{x})...)
		p.conflictKeys = append(p.conflictKeys, conflictKey{record: x.ID()})
		p.mustRunAlone = p.mustRunAlone || sh.Schema.NoEvents || sh.ChangesUnique(nil, x.After)
	}
	p.statementKey = statementKeyOf(p.shape, p.extras, p.step.InitialStock)
	return nil
}

// validateChanges refuses changes that do not follow from each other.
func (p *pendingStep) validateChanges() error {
	changes := p.step.Changes
	if beside := len(p.step.Creates) + len(p.step.InitialStock); beside > 0 &&
		(len(changes) != 1 || changes[0].Operation != collection.Created) {
		return errExtrasNeedCreate
	}
	for _, c := range p.step.Creates {
		if c.Operation != collection.Created || c.Sequence() != 1 {
			return errExtrasNeedCreate
		}
		if change.TenantOf(c) != string(p.step.Tenant) {
			return errOtherTenant
		}
	}
	for i, c := range changes {
		if change.TenantOf(c) != string(p.step.Tenant) {
			return errOtherTenant
		}
		if i > 0 && (c.ID() != changes[0].ID() || c.Schema != changes[0].Schema || c.Before.Sequence() != changes[i-1].Sequence() ||
			changes[i-1].After == nil) {
			return fmt.Errorf("change %d of %s: %w", i, c.ID(), errNotConsecutive)
		}
	}
	return nil
}

// statements make the step durable in a transaction of its own, or behind a savepoint.
func (p *pendingStep) statements(w change.Writer) []db.Stmt {
	stmts := p.writes(w)
	for _, e := range p.events {
		stmts = append(stmts, w.EventStatements(e)...)
	}
	return stmts
}

// writes are the statements without events. Receipts come before the row, so that a replay is distinguished
// from a stale write; the row is locked before them, as it is in a batch.
func (p *pendingStep) writes(w change.Writer) []db.Stmt {
	stmts := make([]db.Stmt, 0, 2+len(p.step.Receipts)+3*len(p.events))
	if p.baseSequence > 0 && w.Dialect.Postgres {
		stmts = append(stmts, db.Stmt{
			SQL:  "SELECT 1 FROM " + db.Quote(p.shape.Table) + " WHERE tenant = $1 AND id = $2 FOR UPDATE",
			Args: []any{string(p.step.Tenant), p.step.Changes[0].ID()},
		})
	}
	for _, r := range p.step.Receipts {
		stmts = append(stmts, db.Stmt{SQL: change.InsertReceipt, Args: change.ReceiptArgs(r), OnDone: isNewReceipt})
	}
	switch {
	case p.shape == nil:
	case p.row == nil:
		for _, c := range p.step.Changes {
			stmts = append(stmts, w.RowStatements(p.shape, c)...)
		}
	case p.baseSequence == 0:
		stmts = append(stmts, db.Stmt{SQL: p.shape.InsertSQL, Args: p.row})
		stmts = append(stmts, w.ClearTombstone(p.step.Changes[0])...)
	default:
		stmts = append(stmts, db.Stmt{SQL: p.shape.UpdateSQL, Args: append(slices.Clip(p.row), p.baseSequence), OnDone: isExpectedRow})
	}
	for _, x := range p.extras {
		stmts = append(stmts, db.Stmt{SQL: x.shape.InsertSQL, Args: x.row})
	}
	for _, row := range p.stockArgs() {
		stmts = append(stmts, db.Stmt{SQL: change.AddStock, Args: row})
	}
	return stmts
}

// stockArgs are the rows of stock that p brings, as change.AddStock takes them.
func (p *pendingStep) stockArgs() (rows [][]any) {
	for _, u := range p.step.InitialStock {
		for _, env := range []tenant.Environment{tenant.Live, tenant.Test} {
			rows = append(rows, []any{string(p.step.Tenant), string(env), u.Product, u.Variant, u.Level.OnHand, u.Level.Tracked})
		}
	}
	return rows
}

// translateError is the error of a use case whose statements failed with err.
func (p *pendingStep) translateError(err error) error {
	if err == nil || p.shape == nil {
		return err
	}
	for _, x := range p.extras {
		if told := x.shape.TranslateError(err); errors.Is(told, ports.ErrDuplicate) {
			return told
		}
	}
	return p.shape.TranslateError(err)
}

// narrowStatements makes a step's update leave the indexes alone. A row that an older or a newer program
// wrote is updated in full.
func (p *pendingStep) narrowStatements(ctx context.Context, on db.Session, stmts []db.Stmt) []db.Stmt {
	for i, full := range stmts {
		if p.narrow && full.SQL == p.shape.UpdateSQL {
			stmts[i] = db.Stmt{SQL: p.shape.NarrowUpdateSQL, Args: full.Args, OnDone: func(n int64) error {
				if n > 0 {
					return nil
				}
				return on.Run(ctx, full)
			}}
		}
	}
	return stmts
}
