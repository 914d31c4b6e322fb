package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// swift is the way of a batch whose steps update records of one collection. Its statements take for granted what those of
// batchText look at first, that no receipt is known and that every row is as expected and free. Where that is wrong one of
// them fails, nothing of the batch is done, and it is repeated with care. Postgres has a third less to do, since no row is
// locked before it is written and no body copied on the way; we have, since arrays are built in the form it takes them.
type swift struct {
	shape *shape
	texts [1 + swiftParts]string // the first binds the tenants
	kept  sync.Pool              // of *swiftArrays
}

// The statements of a swift batch.
const (
	swiftRows = iota
	swiftReceipts
	swiftEvents
	swiftQueue
	swiftParts
)

// bindSwift is bindBatch for a swift batch, which rather fails than waits long for a row.
const bindSwift = bindBatch + ", set_config('lock_timeout', '20ms', true)"

// swiftArrays are the arguments of the statements.
type swiftArrays [swiftParts][]vector

const (
	receiptValues = "tenant, key, fingerprint, result, body, request_id, record, revision, token_version, created_at, expires_at"
	eventValues   = "tenant, record, record_sequence, id, collection, operation, environment, doc, changed, previous_doc, occurred_at"
	queueArrays   = "n bigint, tenant text, record text, record_sequence bigint, collection text"
)

func newSwift(sh *shape) *swift {
	columns := [swiftParts][]string{
		append([]string{"_was bigint"}, sh.typed()...),
		strings.Split(receiptArrays, ", ")[1:], strings.Split(eventArrays, ", ")[1:], strings.Split(queueArrays, ", "),
	}
	s := &swift{shape: sh}
	s.kept.New = func() any {
		arrays := &swiftArrays{}
		for i, list := range columns {
			for _, c := range list {
				arrays[i] = append(arrays[i], vector{element: elements[c[strings.LastIndexByte(c, ' ')+1:]]})
			}
		}
		return arrays
	}
	s.texts = [...]string{
		bindSwift,
		guarded(stmt{sql: sh.updateMany(), many: true}),
		"INSERT INTO receipts (done, fence, " + receiptValues + ") SELECT TRUE, 0, " + receiptValues + " FROM " + unnested("r", columns[swiftReceipts], 1, ""),
		insertEvents,
		insertQueues,
	}
	return s
}

// swiftly is the collection whose records p changes, if p can be in a batch that takes the swift way.
func (p *pending) swiftly() *shape {
	if p.was == 0 || p.single || p.skipped {
		return nil
	}
	return p.shape
}

// swiftOf is the swift way of a batch, whose steps are all alike in this; nil when it has none.
func (c *Committer) swiftOf(batch []*pending) *swift {
	sh := batch[0].swiftly()
	if sh == nil {
		return nil
	}
	if known, ok := c.texts.Load(sh); ok {
		return known.(*swift)
	}
	made, _ := c.texts.LoadOrStore(sh, newSwift(sh))
	return made.(*swift)
}

// fill puts a batch into arrays, rows in the order of their ids, as every transaction takes them.
func (a *swiftArrays) fill(batch []*pending) error {
	for i := range a {
		for j := range a[i] {
			a[i][j].reset()
		}
	}
	slices.SortFunc(batch, func(a, b *pending) int { return cmp.Compare(a.events[0].record, b.events[0].record) })
	var err error
	add := func(part int, values ...any) {
		for i, value := range values {
			err = cmp.Or(err, a[part][i].add(value))
		}
	}
	for n, p := range batch {
		err = cmp.Or(err, a[swiftRows][0].add(p.was))
		for i, value := range p.row {
			err = cmp.Or(err, a[swiftRows][1+i].add(value))
		}
		for _, r := range p.step.Receipts {
			add(swiftReceipts, receiptArgs(r)...)
		}
		for _, e := range p.events {
			add(swiftEvents, e.tenant, e.record, e.sequence, e.id, e.collection, e.operation, e.environment, e.doc, e.changed, e.previous, e.at)
			add(swiftQueue, int64(n), e.tenant, e.record, e.sequence, e.collection)
		}
	}
	return err
}

// commitSwiftly runs a batch in one round trip and one implicit transaction.
func (c *Committer) commitSwiftly(s *swift, batch []*pending) error {
	arrays := s.kept.Get().(*swiftArrays)
	defer s.kept.Put(arrays)
	if err := arrays.fill(batch); err != nil {
		return err
	}
	list, err := tenantsOf(batch)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), commitLimit)
	defer cancel()
	err = c.store.breaker.run(func() error {
		conn, err := c.store.pg.app.Acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		described := make([]*pgconn.StatementDescription, 1+swiftParts)
		for i, text := range s.texts {
			if described[i], err = conn.Conn().Prepare(ctx, text, text); err != nil {
				return err
			}
		}
		p := conn.Conn().PgConn().StartPipeline(ctx)
		p.SendQueryStatement(described[0], [][]byte{[]byte(list)}, []int16{0}, nil)
		for i := range arrays {
			values := make([][]byte, len(arrays[i]))
			for j := range values {
				values[j] = arrays[i][j].bytes()
			}
			p.SendQueryStatement(described[1+i], values, []int16{1}, nil)
		}
		return errors.Join(p.Sync(), drain(p))
	})
	if err == nil {
		c.count(&c.stats.Commits)
		c.count(&c.stats.Swift)
	}
	return err
}

// drain reads what a pipeline answers, of which only errors matter here.
func drain(p *pgconn.Pipeline) error {
	var failed error
	for {
		answer, err := p.GetResults()
		if reader, ok := answer.(*pgconn.ResultReader); ok {
			_, err = reader.Close()
		}
		failed = cmp.Or(failed, err)
		if _, ended := answer.(*pgconn.PipelineSync); ended || err != nil || answer == nil {
			return cmp.Or(failed, p.Close())
		}
	}
}

// tenantsOf lists the tenants of a batch as the policies split it.
func tenantsOf(batch []*pending) (string, error) {
	var ids []tenant.ID
	for _, p := range batch {
		if !slices.Contains(ids, p.step.Tenant) {
			ids = append(ids, p.step.Tenant)
		}
	}
	return tenantList(ids)
}
