package commit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/change"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The bounds of the committer.
const (
	maxBatch     = 512              // steps of one transaction
	minBatch     = 32               // steps that are not left for the next batch, on SQLite
	maxTenants   = 128              // tenants of one transaction: row-level security compares each row with all of them
	maxBytes     = 8 << 20          // of the values of one transaction, unless a single step has more
	maxWaiting   = 8192             // steps in the queue; one more is refused as unavailable
	waitingBytes = 64 << 20         // of their values; likewise
	secondLaneAt = 32               // steps that have to wait before a second lane is opened
	maxSingles   = 3                // transactions of single steps at a time, beside the lanes
	commitLimit  = 10 * time.Second // a transaction that takes longer is given up
)

// Committer is a ports.Committer that makes many steps durable with one commit. It has no timer and, without
// steps, no goroutine: the first step opens a lane, which takes what waits, commits it, takes what came
// meanwhile, and closes when nothing did. Under light load a step is a transaction of its own; the busier the
// store, the larger the batches.
//
// In one batch a record and a receipt key occur once; a second step for either waits for the outcome of the
// first. A step that cannot be decided inside a batch, such as one whose row another transaction holds, is
// repeated, then run alone, so that it never holds up its neighbours.
//
// On Postgres changes of records that are there, which is what carts are made of, are in batches of their own
// and take the fast path: see fastBatch. For each change of a cart, 64 of them in ten tenants being changed
// at once, Postgres spends 75 to 100 µs: most on the row, then the receipt and the event, and a few each on
// the queue of events, on numbering them later and on taking it all in. What bounds it are bytes and index
// entries, so hot collections have no index that moves with a change, large values are packed with lz4, an
// event keeps one document, and queue and log of events take one row for many of a tenant. One lane instead
// of two, three, or a second one that opens earlier, made no difference, nor did fewer settings per batch.
//
// On SQLite what a change costs the thread that commits is for nearly a half pages of the log, and what costs
// pages are index entries that begin with something of their own: the receipts' keys, which are random, take
// 46 for 32 changes of 64 carts in ten tenants, and an index of the events by their record, which hot
// collections therefore do without, took 48. Without it, and with the number of an event in its own row, a
// sixth less is written for each change, what was before it included. Binding values takes a tenth and
// database/sql less; pages of 2 or 8 KB instead of 4 made no difference.
type Committer struct {
	options         Options
	write           func(batch []*pendingStep) // commits a batch and settles each of its steps
	lanes           int                        // at most open at a time
	statements      *batchStatements           // Postgres
	slowBatchesLeft atomic.Int64               // batches that do not try the fast path
	singles         chan struct{}              // holds a token per single step under way

	mu       sync.Mutex
	waiting  []*pendingStep
	bytes    int                      // of waiting
	inFlight map[conflictKey]struct{} // what steps under way touch
	open     int                      // lanes
	stats    Stats
}

var _ ports.Committer = (*Committer)(nil)

// Stats count since the start.
type Stats struct {
	Batches int64 // transactions with the steps of a batch
	Single  int64 // transactions with a single step that no batch could decide
	Steps   int64 // answered, refused ones too
	Largest int64 // steps in the largest batch
	Fast    int64 // batches that took the fast path
	Commits int64 // transactions that the database acknowledged
}

// conflictKey is something that two steps under way must not share: a record, or a receipt.
type conflictKey struct {
	record string
	key    ports.ReceiptKey
}

// Options are what a Committer stands on.
type Options struct {
	DB              *db.DB
	Shapes          map[string]*table.Shape // by slug
	Writer          change.Writer
	EventsCommitted func() // called after each transaction with events
	// AfterCommit, if any, is called after every transaction, whatever its outcome, with how long each of its steps had
	// waited for it, and its time.
	AfterCommit func(waited []time.Duration, took time.Duration)
	// TraceBatch, if any, is called before a transaction, with the contexts of those whose steps it has, and
	// after its end.
	TraceBatch func(steps []context.Context) (ended func())
	Task       *background.Task // of the lanes; nil: a panic is logged and not counted
}

// New makes a committer; a store needs only one.
func New(o Options) *Committer {
	c := &Committer{
		options: o, lanes: 1, statements: &batchStatements{shapes: o.Shapes}, singles: make(chan struct{}, maxSingles),
		inFlight: map[conflictKey]struct{}{},
	}
	c.write = c.writeSQLite
	if o.DB.Dialect.Postgres {
		c.write, c.lanes = c.writePostgres, 2
	}
	return c
}

// Stats are the counts so far.
func (c *Committer) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}

// Waiting is how many steps wait for a transaction.
func (c *Committer) Waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.waiting)
}

// nameActor has changes name who made them.
func nameActor(ctx context.Context, changes []collection.Change) {
	for i := range changes {
		changes[i].Actor = changes[i].Actor.Or(ports.ActorOf(ctx))
	}
}

// Commit implements ports.Committer. With fault.ErrUnavailable the outcome is unknown: ctx ended, or the
// connection was lost, while the step may have been on its way.
func (c *Committer) Commit(ctx context.Context, step ports.CommitRequest) error {
	if len(step.Changes)+len(step.Receipts) == 0 {
		return nil
	}
	nameActor(ctx, step.Changes)
	nameActor(ctx, step.Creates)
	p, err := stepEncoder{c.options.Shapes, c.options.Writer}.prepare(ctx, step)
	if err != nil {
		return fmt.Errorf("commit step: %w", err)
	}
	if !c.enqueue(p) { //nolint:contextcheck // a batch belongs to many callers, none of whom may end it for the others
		return fault.ErrUnavailable.WithCause(errors.New("the commit queue is full"))
	}
	select {
	case err := <-p.done:
		return err
	case <-ctx.Done():
		return fault.ErrUnavailable.WithCause(ctx.Err())
	}
}

func (c *Committer) enqueue(p *pendingStep) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) >= maxWaiting || c.bytes > 0 && c.bytes+p.bytes > waitingBytes {
		return false
	}
	p.queuedAt = time.Now()
	c.addWaiting(p)
	if c.open == 0 || c.open < c.lanes && len(c.waiting) >= secondLaneAt {
		c.openLane()
	}
	return true
}

// addWaiting puts a step into the queue. It needs the lock.
func (c *Committer) addWaiting(p *pendingStep) {
	c.waiting = append(c.waiting, p)
	c.bytes += p.bytes
}

// openLane needs the lock.
func (c *Committer) openLane() {
	c.open++
	c.options.Task.Start(func() {
		for batch := c.next(); batch != nil; batch = c.next() {
			c.writeSafely(batch)
		}
	})
}

// writeSafely writes a batch. When that panics before anything was sent to the database, each step that has no answer
// runs alone, so that only the one that causes the panic fails; afterwards their outcome is unknown.
func (c *Committer) writeSafely(batch []*pendingStep) {
	all := slices.Clone(batch)
	err := c.options.Task.Call(func() error { c.write(batch); return nil })
	if err == nil {
		return
	}
	for _, p := range all {
		switch {
		case p.handedOver.Load():
		case p.sent.Load() || len(all) == 1:
			c.complete(p, fault.ErrUnavailable.WithCause(err))
		default:
			c.startSingle(p)
		}
	}
}

// startSingle runs a step alone, beside the lanes.
func (c *Committer) startSingle(p *pendingStep) {
	p.handedOver.Store(true)
	c.options.Task.Start(func() {
		if err := c.options.Task.Call(func() error { c.runSingle(p); return nil }); err != nil {
			c.complete(p, fault.ErrUnavailable.WithCause(err))
		}
	})
}

// reportBatch reports to the hooks that a transaction begins; the function it returns reports that it ended.
func (c *Committer) reportBatch(batch []*pendingStep) (ended func()) {
	start, over := time.Now(), func() {}
	if c.options.TraceBatch != nil {
		from := make([]context.Context, 0, len(batch))
		for _, p := range batch {
			from = append(from, p.ctx)
		}
		over = c.options.TraceBatch(from)
	}
	if c.options.AfterCommit == nil {
		return over
	}
	waited := make([]time.Duration, len(batch))
	for i, p := range batch {
		waited[i] = start.Sub(p.queuedAt)
	}
	return func() {
		over()
		c.options.AfterCommit(waited, time.Since(start))
	}
}

// next takes the batch of a lane out of the queue. When there is none, the lane is closed.
func (c *Committer) next() []*pendingStep {
	c.mu.Lock()
	defer c.mu.Unlock()
	var batch []*pendingStep
	most := maxBatch
	if !c.options.DB.Dialect.Postgres {
		most = min(maxBatch, max(minBatch, (len(c.waiting)+1)/2))
	}
	tenants := map[tenant.ID]struct{}{}
	rest, bytes := c.waiting[:0], 0
	for _, p := range c.waiting {
		apart := batch != nil && bytes+p.bytes > maxBytes || c.options.DB.Dialect.Postgres && batch != nil && p.fastShape() != batch[0].fastShape()
		if !apart {
			tenants[p.step.Tenant] = struct{}{}
		}
		if apart || len(batch) == most || len(tenants) > maxTenants || !c.acquireKeys(p) {
			rest = append(rest, p)
			continue
		}
		p.handedOver.Store(false)
		batch = append(batch, p)
		bytes += p.bytes
	}
	c.bytes -= bytes
	clear(c.waiting[len(rest):])
	c.waiting = rest
	if batch == nil {
		c.open--
		return nil
	}
	c.stats.Batches++
	c.stats.Largest = max(c.stats.Largest, int64(len(batch)))
	return batch
}

// acquireKeys marks what p touches, unless some of it is marked already.
func (c *Committer) acquireKeys(p *pendingStep) bool {
	for _, m := range p.conflictKeys {
		if _, taken := c.inFlight[m]; taken {
			return false
		}
	}
	for _, m := range p.conflictKeys {
		c.inFlight[m] = struct{}{}
	}
	return true
}

// complete answers a step that was taken out of the queue, unless it was answered before.
func (c *Committer) complete(p *pendingStep, err error) {
	if p.answered.Swap(true) {
		return
	}
	p.handedOver.Store(true)
	c.mu.Lock()
	c.stats.Steps++
	c.releaseKeys(p)
	c.mu.Unlock()
	p.done <- err
}

// requeue puts a skipped step back to be part of the next batch; the second time it runs alone.
func (c *Committer) requeue(p *pendingStep) {
	if p.skipped {
		c.startSingle(p)
		return
	}
	p.skipped = true
	p.handedOver.Store(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.addWaiting(p)
	c.releaseKeys(p)
}

// releaseKeys lets others touch what p touched, and has them taken up. It needs the lock.
func (c *Committer) releaseKeys(p *pendingStep) {
	for _, m := range p.conflictKeys {
		delete(c.inFlight, m)
	}
	if c.open == 0 && len(c.waiting) > 0 {
		c.openLane()
	}
}

// count counts one up in the stats.
func (c *Committer) count(n *int64) {
	c.mu.Lock()
	*n++
	c.mu.Unlock()
}

// slowPathBatches is how many batches do not try the fast path after one for which it failed: those who
// change a record at the same time from elsewhere seldom do it once.
const slowPathBatches = 16

// optimistic reports whether the next batch tries the fast path.
func (c *Committer) optimistic() bool { return c.slowBatchesLeft.Add(-1) < 0 }

// disableFastPath has the batches after one that ended with err done with care, unless a request was only
// sent twice.
func (c *Committer) disableFastPath(err error) {
	constraint, _ := db.Violation(err)
	if errors.Is(err, ports.ErrReceiptExists) || db.OnConstraint(constraint, "receipts_pkey", "receipts", []string{"tenant", "key"}) {
		return
	}
	c.slowBatchesLeft.Store(slowPathBatches)
}

// runSingle gives a step its own transaction, in which it may wait for its row.
func (c *Committer) runSingle(p *pendingStep) {
	c.singles <- struct{}{}
	defer func() { <-c.singles }()
	c.count(&c.stats.Single)
	ctx, cancel := context.WithTimeout(context.Background(), commitLimit)
	defer cancel()
	defer c.reportBatch([]*pendingStep{p})()
	scope := ports.ForTenant(p.step.Tenant)
	err := c.options.DB.Retry(ctx, func(ctx context.Context) error { // in no turn: it would keep the place of other tenants' steps
		return c.options.DB.InTransaction(ctx, scope, func(on db.Session) error {
			return p.translateError(on.Run(ctx, p.statements(c.options.Writer)...))
		})
	})
	if err == nil && len(p.events) > 0 {
		c.options.EventsCommitted()
	}
	if err == nil {
		c.count(&c.stats.Commits)
	}
	c.complete(p, err)
}
