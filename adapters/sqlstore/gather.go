package sqlstore

import (
	"context"
	"sync"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The bounds of a gathered read.
const (
	maxGathered   = 1024 // ids in one run
	gatherLanes   = 2    // runs under way at a time
	secondGather  = 24   // wishes that have to wait before a second lane is opened
	aloneGathered = 4    // wishes of a failed run that are repeated at a time
)

// gathering reads by id for many callers at once: what they ask for while a run is under way goes into the next one, one
// statement per collection, bound to the tenants of all. Like the committer it has no timer, and without wishes no
// goroutine. Reading a row costs Postgres a fraction of what a transaction does that reads one.
//
// Statements pair every id with the tenant that asked for it; a row of another tenant, which row-level security does not
// hide within a run that is bound to both, is an error.
type gathering struct {
	store   *Store
	mu      sync.Mutex
	waiting []*wish
	open    int // lanes
}

// wish is what one caller wants to read: records of a collection, or which ids are gone.
type wish struct {
	tenant tenant.ID
	kind   wanted
	ids    []string
	rows   []stored
	gone   map[string]int64
	done   chan error
}

// wanted is what the wishes of one statement have in common; without a shape they ask for tombstones.
type wanted struct {
	shape *shape
	env   string // whose stock is told
}

// gathers reports whether reads by id of a view go through the gathering: those of one tenant, outside a transaction.
func (v *view) gathers() bool {
	_, outside := v.on.(*reads)
	return outside && v.s.d.postgres && !v.scope.System && len(v.scope.Tenants) == 1 && plain(v.scope.Tenants[0])
}

// gather answers a wish. Errors: fault.ErrUnavailable, and what ended ctx.
func (v *view) gather(ctx context.Context, w *wish) error {
	w.tenant, w.done = v.scope.Tenants[0], make(chan error, 1)
	v.s.gathering.enqueue(w) //nolint:contextcheck // a lane reads for many callers, none of whom may end it for the others
	select {
	case err := <-w.done: // within the store's deadline, or two of them behind a run that takes long
		return v.s.ended(ctx, err)
	case <-ctx.Done():
		return v.s.ended(ctx, ctx.Err())
	}
}

func (g *gathering) enqueue(w *wish) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(g.waiting, w)
	if g.open == 0 || g.open < gatherLanes && len(g.waiting) >= secondGather {
		g.open++
		go g.lane()
	}
}

func (g *gathering) lane() {
	for batch := g.next(); batch != nil; batch = g.next() {
		g.serve(batch)
	}
}

// next takes what waits. When nothing does, the lane is closed.
func (g *gathering) next() []*wish {
	g.mu.Lock()
	defer g.mu.Unlock()
	n, ids := 0, 0
	for n < len(g.waiting) && (n == 0 || ids+len(g.waiting[n].ids) <= maxGathered) {
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

// serve answers a batch. A statement that fails does so for the sake of some wish, such as an id that cannot be one: each
// then finds out for itself.
func (g *gathering) serve(batch []*wish) {
	err := g.read(batch)
	if err == nil || len(batch) == 1 || unreachable(err) {
		for _, w := range batch {
			w.done <- err
		}
		return
	}
	places := make(chan struct{}, aloneGathered)
	for _, w := range batch {
		places <- struct{}{}
		go func() {
			w.done <- g.read([]*wish{w})
			<-places
		}()
	}
}

// read runs the statements of a batch. The answers are a wish's own until it is done: a repetition starts them anew.
func (g *gathering) read(batch []*wish) error {
	kinds, tenants := map[wanted][]*wish{}, map[tenant.ID]struct{}{}
	for _, w := range batch {
		w.rows, w.gone = nil, nil
		kinds[w.kind] = append(kinds[w.kind], w)
		tenants[w.tenant] = struct{}{}
	}
	stmts := make([]stmt, 0, len(kinds))
	for kind, wishes := range kinds {
		stmts = append(stmts, kind.statement(g.store, wishes))
	}
	scope := make([]tenant.ID, 0, len(tenants))
	for id := range tenants {
		scope = append(scope, id)
	}
	ctx, cancel := context.WithTimeout(context.Background(), g.store.o.Deadline)
	defer cancel()
	return g.store.askTogether(ctx, scope, stmts)
}

// statement reads what wishes of one kind ask for; a place is the position of a pair of tenant and id.
func (k wanted) statement(s *Store, wishes []*wish) stmt {
	var tenants, ids []string
	var of []*wish
	for _, w := range wishes {
		for _, id := range w.ids {
			tenants, ids, of = append(tenants, string(w.tenant)), append(ids, id), append(of, w)
		}
	}
	same := "r.tenant = w.tenant AND r.id = w.id"
	if s.unfenced {
		same = "r.id = w.id"
	}
	from := " FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w(tenant, id, place) JOIN "
	if k.shape == nil {
		text := "SELECT (SELECT max(e.record_sequence) FROM events e WHERE e.tenant = r.tenant AND e.record = r.id), w.place" + from + "tombstones r ON " + same
		return stmt{sql: text, args: []any{tenants, ids}, each: func(r row) error {
			var last *int64
			var place int
			if err := r.Scan(&last, &place); err != nil {
				return err
			}
			of[place-1].isGone(ids[place-1], last)
			return nil
		}}
	}
	text := "SELECT " + k.shape.selects(k.env, s.d) + ", w.place" + from + quote(k.shape.table) + " r ON " + same
	return stmt{sql: text, args: []any{tenants, ids}, each: func(r row) error {
		var place int
		st, err := k.shape.fetch(r, &place)
		if err == nil {
			w := of[place-1]
			w.rows = append(w.rows, st)
		}
		return err
	}}
}

func (w *wish) isGone(id string, last *int64) {
	if w.gone == nil {
		w.gone = map[string]int64{}
	}
	if w.gone[id] = 0; last != nil {
		w.gone[id] = *last
	}
}

// records decodes what was found for w, by the goroutine of its caller.
func (w *wish) records() (map[string]collection.Record, error) {
	found := make(map[string]collection.Record, len(w.rows))
	for _, st := range w.rows {
		r, err := w.kind.shape.record(st)
		if err != nil {
			return nil, err
		}
		if r.Text("tenant") != string(w.tenant) {
			return nil, errForeign
		}
		found[r.ID()] = r
	}
	return found, nil
}
