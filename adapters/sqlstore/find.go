package sqlstore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Find implements ports.Reader. A count is remembered where that can be done exactly (kept.go); else page and count go in
// one round trip, and SQLite is not asked to count what a short page already proves.
func (v *view) Find(ctx context.Context, q collection.Query) (page collection.Page, err error) {
	sh, err := v.s.shape(q.Schema)
	if err != nil {
		return page, err
	}
	f := &finding{v: v, sh: sh, q: q, c: &compiler{v: v, env: v.environment(q.Environment), now: q.Now}, one: v.atMostOne(q, q.Where)}
	f.where = f.matching(f.c)
	if _, reading := v.on.(*reads); !reading || v.scope.System {
		return f.page, f.run(ctx)
	}
	limited, cancel := context.WithTimeout(ctx, v.s.o.QueryTime)
	defer cancel()
	err = f.remembering(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = f.tooSlow(err)
	}
	return f.page, err
}

// remembering answers outside of transactions.
func (f *finding) remembering(ctx context.Context) error {
	if k := f.keeps(); k != nil && !f.q.Uncounted {
		if done, err := k.run(ctx); err != nil || done {
			return err
		}
	}
	return f.run(ctx)
}

// tooSlow is what a query is told whose time ran out: where it waited for its turn, or indexes serve all of it, the database
// is slow, else the query.
func (f *finding) tooSlow(err error) error {
	asked, plain := fieldsOf(nil, f.q.Where)
	for _, o := range f.q.Sort {
		asked = append(asked, o.Path[len(o.Path)-1])
	}
	waited := f.v.s.d.postgres && !gaveUp(err)
	if waited || plain && !slices.ContainsFunc(asked, func(f collection.Field) bool { return !f.Indexed && !f.Unique }) {
		return fault.ErrUnavailable.Because(err)
	}
	return ports.ErrSlow.Because(err)
}

// finding is a query on its way.
type finding struct {
	v     *view
	sh    *shape
	q     collection.Query
	c     *compiler
	where string // FROM and WHERE, with the arguments of c
	one   bool   // there is at most one such record
	page  collection.Page
}

func (f *finding) matching(c *compiler) string {
	return " FROM " + quote(f.sh.table) + " r WHERE " + c.where(f.sh, f.q)
}

func (f *finding) offset() int64 { return int64(max(f.q.Page, 1)-1) * int64(f.q.Limit) }

// rows selects the page.
func (f *finding) rows(c *compiler) string {
	return "SELECT " + f.sh.selects(c.env, f.v.s.d) + f.where + f.window(c, f.q.Limit, f.offset())
}

// window is the order and the part of it that is wanted. The limit is no argument: a plan that is made once for all limits
// is made for large ones.
func (f *finding) window(c *compiler, limit int, skip int64) string {
	text := " ORDER BY " + c.order(f.sh, f.q.Sort) + " LIMIT " + strconv.Itoa(limit)
	if skip > 0 {
		text += " OFFSET " + c.a.bind(skip)
	}
	return text
}

// proven is the count that the page itself proves: it is short, so the matching records end with it.
func (f *finding) proven() (total int64, ok bool) {
	n := int64(len(f.page.Docs))
	return f.offset() + n, f.q.Limit > 0 && (f.one && f.offset() == 0 || n < int64(f.q.Limit) && (n > 0 || f.offset() == 0))
}

func (f *finding) run(ctx context.Context) error {
	f.page.Docs = nil
	count := stmt{sql: "SELECT count(*)" + f.where, anew: f.c.skewed, args: slices.Clip(f.c.a), each: func(r row) error { return r.Scan(&f.page.TotalDocs) }}
	if f.q.Limit == 0 {
		return f.v.on.run(ctx, count)
	}
	rows := stmt{sql: f.rows(f.c), anew: f.c.skewed, args: f.c.a, each: func(r row) error {
		rec, err := f.sh.scan(r)
		f.page.Docs = append(f.page.Docs, rec)
		return err
	}}
	if f.q.Uncounted {
		return f.v.on.run(ctx, rows)
	}
	if f.v.s.d.postgres && !f.one {
		return f.v.on.run(ctx, rows, count)
	}
	if err := f.v.on.run(ctx, rows); err != nil {
		return err
	}
	if total, ok := f.proven(); ok {
		f.page.TotalDocs = total
		return nil
	}
	return f.v.on.run(ctx, count)
}

// atMostOne reports whether a condition asks for one id, or one unique value, of one tenant.
func (v *view) atMostOne(q collection.Query, cond collection.Cond) bool {
	switch cond := cond.(type) {
	case collection.And:
		return slices.ContainsFunc(cond, func(c collection.Cond) bool { return v.atMostOne(q, c) })
	case collection.Test:
		f := cond.Path[0]
		unique := f.Name == "id" || f.Unique && (q.Environment != "" || !q.Schema.Environmented)
		return unique && len(cond.Path) == 1 && cond.Op == collection.Equals && cond.Values[0] != nil && len(v.scope.Tenants) == 1 && !v.scope.System
	case collection.Or:
		return false
	}
	return false
}

// anyEnvironment holds for every row of an environmented collection. Indexes have the environment behind the tenant: without
// a word about it, what is asked of the fields behind it would have all of the tenant's rows looked at.
const anyEnvironment = "r.environment IN ('" + string(tenant.Live) + "', '" + string(tenant.Test) + "')"

// where is the whole condition on rows r of a query: tenant, environment, and what was asked.
func (c *compiler) where(sh *shape, q collection.Query) string {
	parts := []string{c.v.fence(&c.a, "r")}
	if !c.v.scope.System && len(c.v.scope.Tenants) == 1 && len(c.a) == 1 {
		c.tenant = "$1"
	}
	switch {
	case sh.env && q.Environment != "":
		parts = append(parts, "r.environment = "+c.a.bind(q.Environment))
	case sh.env && !c.v.everywhere():
		parts = append(parts, anyEnvironment)
	}
	if q.Where != nil {
		parts = append(parts, c.conjuncts(place{sh: sh, alias: "r", row: "r"}, q.Where)...)
	}
	return strings.Join(parts, " AND ")
}

// conjuncts are the conditions that cond demands at once. With an order to keep, only those on its first field may choose
// the index: a plan that finds all matching rows by another one would sort them anew for each page.
func (c *compiler) conjuncts(p place, cond collection.Cond) (parts []string) {
	if all, ok := cond.(collection.And); ok {
		for _, x := range all {
			parts = append(parts, c.conjuncts(p, x)...)
		}
		return parts
	}
	text := c.cond(p, cond)
	if c.inOrder != "" && !mentions(cond, c.inOrder) {
		text = "(" + text + ") IS TRUE"
	}
	return []string{text}
}

func mentions(cond collection.Cond, field string) bool {
	asked, _ := fieldsOf(nil, cond)
	return slices.ContainsFunc(asked, func(f collection.Field) bool { return f.Name == field })
}

// order is the ORDER BY list: null is smallest, text goes by code point, ties go by id.
func (c *compiler) order(sh *shape, keys []collection.Order) string {
	var list []string
	for _, k := range keys {
		text := c.sortKey(place{sh: sh, alias: "r", row: "r"}, k.Path)
		id := isID(k) // never null, and its index says nothing of nulls
		switch {
		case k.Desc && c.v.s.d.postgres && !id:
			text += " DESC NULLS LAST"
		case k.Desc:
			text += " DESC"
		case c.v.s.d.postgres && !id:
			text += " NULLS FIRST"
		}
		list = append(list, text)
		if id {
			return strings.Join(list, ", ")
		}
	}
	return strings.Join(append(list, "r.id"), ", ")
}

// sortKey is the value at path as one expression; through relations it is looked up.
func (c *compiler) sortKey(p place, path []collection.Field) string {
	f := path[0]
	switch {
	case len(path) == 1:
		expr, _ := c.scalar(p, f)
		if c.lapses(f) {
			return c.reading(p, f, expr)
		}
		return expr
	case f.Kind == collection.Group:
		return c.sortKey(p.inside(f.Name), path[1:])
	}
	expr, _ := c.scalar(p, f)
	target, within := c.target(p, f)
	return "(SELECT " + c.sortKey(target, path[1:]) + " FROM " + quote(target.sh.table) + " " + target.alias + " WHERE " + within + " AND " + target.alias + ".id = " + expr + ")"
}
