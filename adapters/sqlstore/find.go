package sqlstore

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// Find implements ports.Reader: page and count go in one round trip, and SQLite is not asked to count what a short page
// already proves.
func (v *view) Find(ctx context.Context, q collection.Query) (page collection.Page, err error) {
	sh, err := v.s.shape(q.Schema)
	if err != nil {
		return page, err
	}
	c := &compiler{v: v, env: v.environment(q.Environment), now: q.Now}
	where := " FROM " + quote(sh.table) + " r WHERE " + c.where(sh, q)
	count := stmt{sql: "SELECT count(*)" + where, args: slices.Clip(c.a), each: func(r row) error { return r.Scan(&page.TotalDocs) }}
	if q.Limit == 0 {
		return page, v.on.run(ctx, count)
	}
	offset := int64(max(q.Page, 1)-1) * int64(q.Limit)
	order := c.order(sh, q.Sort)
	text := "SELECT " + sh.selects(c.env) + where + " ORDER BY " + order + " LIMIT " + c.a.bind(int64(q.Limit)) + " OFFSET " + c.a.bind(offset)
	rows := stmt{sql: text, args: c.a, each: func(r row) error {
		rec, err := sh.scan(r)
		page.Docs = append(page.Docs, rec)
		return err
	}}
	one := offset == 0 && v.atMostOne(q.Where)
	if v.s.d.postgres && !one {
		return page, v.on.run(ctx, rows, count)
	}
	if err := v.on.run(ctx, rows); err != nil {
		return page, err
	}
	if n := len(page.Docs); one || n < q.Limit && (n > 0 || offset == 0) {
		page.TotalDocs = offset + int64(n)
		return page, nil
	}
	return page, v.on.run(ctx, count)
}

// atMostOne reports whether a condition asks for one id of one tenant.
func (v *view) atMostOne(cond collection.Cond) bool {
	switch cond := cond.(type) {
	case collection.And:
		return slices.ContainsFunc(cond, v.atMostOne)
	case collection.Test:
		return len(cond.Path) == 1 && cond.Path[0].Name == "id" && cond.Op == collection.Equals && len(v.scope.Tenants) == 1 && !v.scope.System
	case collection.Or:
		return false
	}
	return false
}

// where is the whole condition on rows r of a query: tenant, environment, and what was asked.
func (c *compiler) where(sh *shape, q collection.Query) string {
	parts := []string{c.v.fence(&c.a, "r")}
	if !c.v.scope.System && len(c.v.scope.Tenants) == 1 && len(c.a) == 1 {
		c.tenant = "$1"
	}
	if sh.env && q.Environment != "" {
		parts = append(parts, "r.environment = "+c.a.bind(q.Environment))
	}
	if q.Where != nil {
		parts = append(parts, c.cond(place{sh: sh, alias: "r", row: "r"}, q.Where))
	}
	return strings.Join(parts, " AND ")
}

// order is the ORDER BY list: null is smallest, text goes by code point, ties go by id.
func (c *compiler) order(sh *shape, keys []collection.Order) string {
	var list []string
	for _, k := range keys {
		text := c.sortKey(place{sh: sh, alias: "r", row: "r"}, k.Path)
		switch {
		case k.Desc && c.v.s.d.postgres:
			text += " DESC NULLS LAST"
		case k.Desc:
			text += " DESC"
		case c.v.s.d.postgres:
			text += " NULLS FIRST"
		}
		list = append(list, text)
		if len(k.Path) == 1 && k.Path[0].Name == "id" {
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
