package commit

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/change"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// fastBatch is the way of a batch whose steps update records of one collection. Its statements take for
// granted what those of batchSQL look at first, that no receipt is known and that every row is as expected
// and free. Where that is wrong one of them fails, nothing of the batch is done, and it is repeated with
// care. Postgres has a third less to do, since no row is locked before it is written and no body copied on
// the way; we have, since arrays are built in the form it takes them.
type fastBatch struct {
	shape  *table.Shape
	texts  [fastParts]string
	arrays sync.Pool // of *fastArrays
}

// The statements of a fast batch.
const (
	fastRows = iota
	fastReceipts
	fastEvents
	fastQueue
	fastParts
)

// bindFastBatch is BindBatchTenants for a fast batch, which fails rather than wait long for a row.
const bindFastBatch = db.BindBatchTenants + ", set_config('lock_timeout', '20ms', true)"

// fastArrays are the arguments of the statements.
type fastArrays [fastParts][]db.BinaryArray

func newFastBatch(sh *table.Shape) *fastBatch {
	columns := [fastParts][]string{
		append([]string{"_was bigint"}, sh.TypedColumns()...),
		strings.Split(change.ReceiptArrays, ", "), strings.Split(change.EventArrays, ", "), strings.Split(change.QueueArrays, ", "),
	}
	s := &fastBatch{shape: sh}
	s.arrays.New = func() any {
		arrays := &fastArrays{}
		for i, list := range columns {
			for _, c := range list {
				arrays[i] = append(arrays[i], db.BinaryArray{Element: db.ElementOIDs[c[strings.LastIndexByte(c, ' ')+1:]]})
			}
		}
		return arrays
	}
	s.texts = [...]string{
		db.RequireRows(db.Stmt{SQL: sh.UpdateManySQL(), AffectsAll: true}),
		"INSERT INTO receipts (done, fence, " + change.ReceiptColumns + ") SELECT TRUE, 0, " + change.ReceiptColumns + " FROM " +
			db.Unnest("r", columns[fastReceipts], 1, ""),
		change.InsertEvents,
		change.InsertManyUnnumbered,
	}
	return s
}

// fastShape is the collection whose records p changes, if p can be in a batch that takes the fast path.
func (p *pendingStep) fastShape() *table.Shape {
	if p.baseSequence == 0 || p.mustRunAlone || p.skipped {
		return nil
	}
	return p.shape
}

// fastBatchOf is the fast path of a batch, whose steps are all alike in this; nil when it has none.
func (s *batchStatements) fastBatchOf(batch []*pendingStep) *fastBatch {
	sh := batch[0].fastShape()
	if sh == nil {
		return nil
	}
	if known, ok := s.fast.Load(sh); ok {
		return known.(*fastBatch)
	}
	made, _ := s.fast.LoadOrStore(sh, newFastBatch(sh))
	return made.(*fastBatch)
}

// fill puts a batch into arrays, rows in the order of their ids, as every transaction takes them.
func (a *fastArrays) fill(batch []*pendingStep) error {
	for i := range a {
		for j := range a[i] {
			a[i][j].Reset()
		}
	}
	slices.SortFunc(batch, func(a, b *pendingStep) int { return cmp.Compare(a.events[0].Record, b.events[0].Record) })
	var err error
	add := func(part int, values ...any) {
		for i, value := range values {
			err = cmp.Or(err, a[part][i].Add(value))
		}
	}
	for n, p := range batch {
		err = cmp.Or(err, a[fastRows][0].Add(p.baseSequence))
		for i, value := range p.row {
			err = cmp.Or(err, a[fastRows][1+i].Add(value))
		}
		for _, r := range p.step.Receipts {
			add(fastReceipts, change.ReceiptArgs(r)...)
		}
		for _, e := range p.events {
			add(fastEvents, e.Values()...)
			add(fastQueue, int64(n), e.Tenant, e.Record, e.Sequence, e.Collection)
		}
	}
	return err
}

// commitFast runs a batch in one round trip and one implicit transaction.
func (c *Committer) commitFast(s *fastBatch, batch []*pendingStep) error {
	arrays := s.arrays.Get().(*fastArrays)
	defer s.arrays.Put(arrays)
	if err := arrays.fill(batch); err != nil {
		return err
	}
	stmts := make([]db.EncodedStmt, fastParts)
	for i := range arrays {
		values := make([][]byte, len(arrays[i]))
		for j := range values {
			values[j] = arrays[i][j].Bytes()
		}
		stmts[i] = db.EncodedStmt{SQL: s.texts[i], Values: values}
	}
	ctx, cancel := context.WithTimeout(context.Background(), commitLimit)
	defer cancel()
	markSent(batch)
	err := c.options.DB.RunEncoded(ctx, bindFastBatch, tenantsOf(batch), stmts)
	if err == nil {
		c.count(&c.stats.Commits)
		c.count(&c.stats.Fast)
	}
	return err
}

// tenantsOf lists the tenants of a batch.
func tenantsOf(batch []*pendingStep) (ids []tenant.ID) {
	for _, p := range batch {
		if !slices.Contains(ids, p.step.Tenant) {
			ids = append(ids, p.step.Tenant)
		}
	}
	return ids
}
