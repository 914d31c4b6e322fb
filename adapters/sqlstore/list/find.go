package list

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/eventlog"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// Options are what lists are found with.
type Options struct {
	Dialect   *db.Dialect
	Shapes    map[string]*table.Shape // by slug
	Events    eventlog.Tables
	Fold      collection.Fold  // how searched text is compared
	QueryTime time.Duration    // bound of a list outside a transaction
	Now       func() time.Time // only for how old a cached count is, and whether a list was slow
	OnSlow    func()           // called after a list outside a transaction that took longer than slowList; nil: nothing
	Logger    *slog.Logger
	Start     func(work func()) // runs work beside lists, on a goroutine of its own
}

// Finder answers lists of records.
type Finder struct {
	Options

	cache *listCache
}

// New makes a finder that has cached nothing.
func New(o Options) *Finder { return &Finder{o, newListCache()} }

// Forget drops all that is cached: the database may be another one than before, or rows have changed without
// events.
func (l *Finder) Forget() { l.cache.forget() }

// At is where a list is read: within a scope, on a session.
type At struct {
	table.TenantScope

	Session       db.Session
	InTransaction bool
}

// Find is ports.Reader.Find. A count is cached where that can be done exactly (cachedList); otherwise page
// and count take one round trip, and SQLite does not count what a short page already proves.
func (l *Finder) Find(ctx context.Context, at At, q collection.Query) (page collection.Page, err error) {
	f, err := l.query(ctx, at, q)
	if err != nil {
		return page, err
	}
	f.memory = ports.MemoryOf(ctx)
	defer func() {
		if db.TooComplex(err) {
			err = collection.ErrQuery.WithMessage("The query is too complex.").WithCause(err)
		}
	}()
	if at.InTransaction || at.Scope.System {
		return f.page, f.run(ctx)
	}
	limited, cancel := context.WithTimeout(ctx, l.QueryTime)
	defer cancel()
	began := l.Now()
	err = f.runCached(limited)
	if l.OnSlow != nil && l.Now().Sub(began) > slowList {
		l.OnSlow()
	}
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = f.timeoutFault(err)
	}
	return f.page, err
}

// slowList is many times what a list takes whose plan is right.
const slowList = 100 * time.Millisecond

// query prepares q.
func (l *Finder) query(ctx context.Context, at At, q collection.Query) (*listQuery, error) {
	sh, err := table.ShapeOf(l.Shapes, q.Schema)
	if err != nil {
		return nil, err
	}
	c := &table.Compiler{TenantScope: at.TenantScope, Shapes: l.Shapes, Fold: l.Fold, Env: at.StockEnvironment(q.Environment), Now: q.Now}
	f := &listQuery{lists: l, at: at, sh: sh, q: q, compiler: c, atMostOne: at.atMostOne(q, q.Where)}
	f.where, f.indexed = f.fromWhere(c), servedByIndex(sh, q)
	f.texts, err = f.textOrder(ctx)
	return f, err
}

// runCached answers outside of transactions.
func (f *listQuery) runCached(ctx context.Context) error {
	if k := f.asCached(); k != nil && !f.q.SkipCount {
		if done, err := k.run(ctx); err != nil || done {
			return err
		}
	}
	return f.run(ctx)
}

// timeoutFault is the error of a query that timed out: the database is to blame if it had no connection to give
// or indexes serve the query, else the query, or others like it of the same tenant.
func (f *listQuery) timeoutFault(err error) error {
	if !f.costly() || errors.Is(err, db.ErrNoConnection) {
		return fault.ErrUnavailable.WithCause(err)
	}
	return ports.ErrQueryTooSlow.WithCause(err)
}

// servedByIndex reports whether indexes serve all that a query compares and sorts by.
func servedByIndex(sh *table.Shape, q collection.Query) bool {
	fields, plain := table.FieldsOf(nil, q.Where)
	if _, ok := sh.TextOrderOf(q); !ok {
		for _, o := range q.Sort {
			fields = append(fields, o.Path[len(o.Path)-1])
		}
	}
	return plain && !slices.ContainsFunc(fields, func(f collection.Field) bool { return !f.Indexed && !f.Unique })
}

// farOffset is the number of rows to skip from which on a page costs as much as what no index serves.
const farOffset = 10_000

// costly reports whether the query may have to read all of the tenant's records.
func (f *listQuery) costly() bool { return !f.indexed || f.offset() >= farOffset }

// listQuery is one execution of a query.
type listQuery struct {
	lists     *Finder
	at        At
	sh        *table.Shape
	q         collection.Query
	compiler  *table.Compiler
	where     string           // FROM and WHERE, with the arguments of c
	indexed   bool             // see servedByIndex
	atMostOne bool             // there is at most one such record
	texts     *table.TextOrder // the order by indexes of texts in another language; nil: it is none, or there is no such index
	known     knownLocales     // of texts
	page      collection.Page
	memory    ports.Memory // of the request
	counted   int64        // bytes there, also when the page is read again
}

// addBytes counts the bytes of a row before the next one is read, so that a page that is refused is not read to its end.
func (f *listQuery) addBytes(n int) error {
	err := f.page.AddBytes(f.q, n)
	if more := f.page.Bytes - f.counted; err == nil && more > 0 {
		f.counted += more
		err = f.memory.Take(more)
	}
	return err
}

func (f *listQuery) fromWhere(c *table.Compiler) string {
	return " FROM " + db.Quote(f.sh.Table) + " r WHERE " + c.Where(f.sh, f.q)
}

func (f *listQuery) offset() int64 { return int64(max(f.q.Page, 1)-1) * int64(f.q.Limit) }

// rows selects the page.
func (f *listQuery) rows(c *table.Compiler) string {
	if f.texts != nil {
		return f.pageOfTexts(c)
	}
	return "SELECT " + f.sh.SelectColumns(c.Env, f.lists.Dialect) + f.where + f.orderLimit(c, f.q.Limit, f.offset())
}

// orderLimit is the order and the part of it that is wanted. The limit is no argument: a plan that is made
// once for all limits is made for large ones.
func (f *listQuery) orderLimit(c *table.Compiler, limit int, skip int64) string {
	text := " ORDER BY " + c.Order(f.sh, f.q.Sort) + " LIMIT " + strconv.Itoa(limit)
	if skip > 0 {
		text += " OFFSET " + c.Args.Bind(skip)
	}
	return text
}

// provenTotal is the count that the page itself proves: it is short, so the matching records end with it.
func (f *listQuery) provenTotal() (total int64, ok bool) {
	n := int64(len(f.page.Docs))
	return f.offset() + n, f.q.Limit > 0 && (f.atMostOne && f.offset() == 0 || n < int64(f.q.Limit) && (n > 0 || f.offset() == 0))
}

func (f *listQuery) run(ctx context.Context) error {
	f.page.Docs, f.page.Damaged, f.page.Bytes = nil, nil, 0
	if f.texts != nil {
		f.texts.Complete = false // only what reads the changes since knows that
	}
	count := db.Stmt{
		SQL: "SELECT count(*)" + f.where, CustomPlan: f.compiler.Skewed, Costly: f.costly(), Args: slices.Clip(f.compiler.Args),
		OnRow: func(r db.Row) error { return r.Scan(&f.page.TotalDocs) },
	}
	if f.q.Limit == 0 {
		return f.at.Session.Run(ctx, count)
	}
	rows := count
	rows.SQL = f.rows(f.compiler)
	rows.Args, rows.GenericPlan = f.compiler.Args, f.texts != nil && !f.compiler.Skewed
	rows.OnRow = func(r db.Row) error {
		row, err := f.sh.ScanRow(r)
		if err == nil {
			err = f.addBytes(len(row.Doc))
		}
		if err != nil {
			return err
		}
		rec, err := f.sh.DecodeRow(row)
		return f.page.AddRecord(f.q, rec, err)
	}
	if f.q.SkipCount {
		return f.at.Session.Run(ctx, rows)
	}
	if f.lists.Dialect.Postgres && !f.atMostOne {
		return f.at.Session.Run(ctx, rows, count)
	}
	if err := f.at.Session.Run(ctx, rows); err != nil {
		return err
	}
	if total, ok := f.provenTotal(); ok {
		f.page.TotalDocs = total
		return nil
	}
	return f.at.Session.Run(ctx, count)
}

// atMostOne reports whether a condition matches at most one id, or one unique value, of one tenant.
func (v At) atMostOne(q collection.Query, cond collection.Cond) bool {
	switch cond := cond.(type) {
	case collection.And:
		return slices.ContainsFunc(cond, func(c collection.Cond) bool { return v.atMostOne(q, c) })
	case collection.Comparison:
		f := cond.Path[0]
		unique := f.Name == "id" || f.Unique && (q.Environment != "" || !q.Schema.PerEnvironment)
		return unique && len(cond.Path) == 1 && cond.Op == collection.Equals && cond.Values[0] != nil && len(v.Scope.Tenants) == 1 &&
			!v.Scope.System
	case collection.Or:
		return false
	}
	return false
}
