package gather

import (
	"context"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The limits of a batched read.
const (
	maxBatchIDs      = 1024 // ids in one run
	readLanes        = 2    // runs under way at a time
	secondReadLaneAt = 24   // requests that have to wait before a second lane is opened
	maxSingleReads   = 4    // requests of a failed run that are repeated at a time
)

// Batcher reads by id for many callers at once: what they request while a run is under way goes into the next
// one, one statement per collection, bound to the tenants of all. Like the committer it has no timer, and
// without requests no goroutine. Reading a row costs Postgres a fraction of what a transaction does that
// reads one.
//
// Statements pair every id with the tenant that requested it; a row of another tenant, which row-level
// security does not hide within a run that is bound to both, is an error.
type Batcher struct {
	db       *db.DB // Postgres
	deadline time.Duration
	task     *background.Task
	mu       sync.Mutex
	waiting  []*request
	open     int // lanes
}

// New makes a batcher of a Postgres whose runs end after a time. Its goroutines belong to task, which may be nil.
func New(d *db.DB, deadline time.Duration, task *background.Task) *Batcher {
	return &Batcher{db: d, deadline: deadline, task: task}
}

// Wanted is what one caller wants to read: records of a collection, or which ids are gone.
type Wanted struct {
	Tenant     tenant.ID
	Shape      *table.Shape // nil: tombstones
	Env        string       // whose stock is shown
	IDs        []string
	Unfiltered bool // see table.TenantScope
}

// request is what one caller waits for.
type request struct {
	tenant  tenant.ID
	kind    readGroup
	ids     []string
	free    int64 // bytes that rows may have
	rows    []table.StoredRow
	size    int64 // bytes of all found, of which rows are the first
	deleted map[string]int64
	done    chan error
}

// readGroup is what the requests of one statement have in common; without a shape they read tombstones.
type readGroup struct {
	shape      *table.Shape
	env        string // whose stock is shown
	unfiltered bool
}

// Records reads records by id, which take room. Errors: fault.ErrUnavailable, collection.ErrAnswerTooLarge, and what
// ended ctx.
func (g *Batcher) Records(ctx context.Context, w Wanted, room *collection.Room) (map[string]collection.Record, error) {
	r, err := g.ask(ctx, w, room.Left())
	if err == nil {
		err = room.Take(int(r.size))
	}
	if err == nil {
		err = ports.MemoryOf(ctx).Take(r.size)
	}
	if err != nil {
		return nil, err
	}
	return r.records()
}

// Deleted reads which ids are gone, each with the number of its last event, 0 when that is not known. Errors:
// as Records.
func (g *Batcher) Deleted(ctx context.Context, w Wanted) (map[string]int64, error) {
	r, err := g.ask(ctx, w, 0)
	if err != nil {
		return nil, err
	}
	return r.deleted, nil
}

// ask waits for what is wanted. Of records that have more bytes than are free it gets the first ones, and their size.
func (g *Batcher) ask(ctx context.Context, w Wanted, free int64) (*request, error) {
	if err := ctx.Err(); err != nil { // below, an answer that is there as soon would be left to chance
		return nil, g.db.TranslateError(ctx, err)
	}
	r := &request{tenant: w.Tenant, kind: readGroup{w.Shape, w.Env, w.Unfiltered}, ids: w.IDs, free: free, done: make(chan error, 1)}
	g.enqueue(r) // without ctx: a lane reads for many callers, none of whom may end it for the others
	select {
	case err := <-r.done: // within the deadline, or two of them behind a run that takes long
		return r, g.db.TranslateError(ctx, err)
	case <-ctx.Done():
		return r, g.db.TranslateError(ctx, ctx.Err())
	}
}

func (g *Batcher) enqueue(w *request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(g.waiting, w)
	if g.open == 0 || g.open < readLanes && len(g.waiting) >= secondReadLaneAt {
		g.open++
		g.task.Start(g.lane)
	}
}

func (g *Batcher) lane() {
	for batch := g.next(); batch != nil; batch = g.next() {
		if err := g.task.Call(func() error { g.serve(batch); return nil }); err != nil {
			for _, w := range batch {
				w.answer(err)
			}
		}
	}
}

// answer answers a request, unless it was answered before.
func (w *request) answer(err error) {
	select {
	case w.done <- err:
	default:
	}
}

// next takes what waits. When nothing does, the lane is closed.
func (g *Batcher) next() []*request {
	g.mu.Lock()
	defer g.mu.Unlock()
	n, ids := 0, 0
	for n < len(g.waiting) && (n == 0 || ids+len(g.waiting[n].ids) <= maxBatchIDs) {
		ids += len(g.waiting[n].ids)
		n++
	}
	if n == 0 {
		g.open--
		return nil
	}
	batch := g.waiting[:n:n]
	g.waiting = g.waiting[n:]
	return batch
}

// serve answers a batch. A statement that fails does so because of one request, such as an id that cannot be
// one: each then finds out for itself.
func (g *Batcher) serve(batch []*request) {
	err := g.task.Call(func() error { return g.read(batch) })
	if err == nil || len(batch) == 1 || db.Unreachable(err) {
		for _, w := range batch {
			w.answer(err)
		}
		return
	}
	places := make(chan struct{}, maxSingleReads)
	for _, w := range batch {
		places <- struct{}{}
		g.task.Start(func() {
			w.answer(g.task.Call(func() error { return g.read([]*request{w}) }))
			<-places
		})
	}
}

// read runs the statements of a batch. The answers belong to a request alone until it is done: a repetition
// starts them anew.
func (g *Batcher) read(batch []*request) error {
	kinds, tenants := map[readGroup][]*request{}, map[tenant.ID]struct{}{}
	for _, w := range batch {
		w.rows, w.size, w.deleted = nil, 0, nil
		kinds[w.kind] = append(kinds[w.kind], w)
		tenants[w.tenant] = struct{}{}
	}
	stmts := make([]db.Stmt, 0, len(kinds))
	for kind, wishes := range kinds {
		stmts = append(stmts, kind.statement(g.db.Dialect, wishes))
	}
	scope := make([]tenant.ID, 0, len(tenants))
	for id := range tenants {
		scope = append(scope, id)
	}
	ctx, cancel := context.WithTimeout(context.Background(), g.deadline)
	defer cancel()
	return g.db.ReadForTenants(ctx, scope, stmts)
}

// statement reads what requests of one kind need; a place is the position of a pair of tenant and id.
func (k readGroup) statement(d *db.Dialect, wishes []*request) db.Stmt {
	var tenants, ids []string
	var of []*request
	for _, w := range wishes {
		for _, id := range w.ids {
			tenants, ids, of = append(tenants, string(w.tenant)), append(ids, id), append(of, w)
		}
	}
	same := "r.tenant = w.tenant AND r.id = w.id"
	if k.unfiltered {
		same = "r.id = w.id"
	}
	from := " FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w(tenant, id, place) JOIN "
	if k.shape == nil {
		text := "SELECT (SELECT max(e.record_sequence) FROM events e WHERE e.tenant = r.tenant AND e.record = r.id), w.place" + from +
			"tombstones r ON " + same
		return db.Stmt{SQL: text, Args: []any{tenants, ids}, OnRow: func(r db.Row) error {
			var last *int64
			var place int
			if err := r.Scan(&last, &place); err != nil {
				return err
			}
			of[place-1].addDeleted(ids[place-1], last)
			return nil
		}}
	}
	text := "SELECT " + k.shape.SelectColumns(k.env, d) + ", w.place" + from + db.Quote(k.shape.Table) + " r ON " + same
	return db.Stmt{SQL: text, Args: []any{tenants, ids}, OnRow: func(r db.Row) error {
		var place int
		st, err := k.shape.ScanRow(r, &place)
		if err == nil {
			w := of[place-1]
			if w.size += int64(len(st.Doc)); w.size <= w.free {
				w.rows = append(w.rows, st)
			}
		}
		return err
	}}
}

func (w *request) addDeleted(id string, last *int64) {
	if w.deleted == nil {
		w.deleted = map[string]int64{}
	}
	if w.deleted[id] = 0; last != nil {
		w.deleted[id] = *last
	}
}

// records decodes what was found for w, by the goroutine of its caller.
func (w *request) records() (map[string]collection.Record, error) {
	found := make(map[string]collection.Record, len(w.rows))
	for _, st := range w.rows {
		r, err := w.kind.shape.DecodeRow(st)
		if err != nil {
			return nil, err
		}
		if r.Text("tenant") != string(w.tenant) {
			return nil, table.ErrForeignTenant
		}
		found[r.ID()] = r
	}
	return found, nil
}
