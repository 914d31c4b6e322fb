package table

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// AnyEnvironment holds for every row of a collection per environment. Indexes have the environment behind the
// tenant: without a word about it, conditions on the columns behind it would read all of the tenant's rows.
const AnyEnvironment = "r" + anyEnvironment

const anyEnvironment = ".environment IN ('" + string(tenant.Live) + "', '" + string(tenant.Test) + "')"

// Where is the whole condition on rows r of a query: tenant, environment, and its own.
func (c *Compiler) Where(sh *Shape, q collection.Query) string {
	parts := []string{c.TenantFilter(&c.Args, "r")}
	if !c.Scope.System && len(c.Scope.Tenants) == 1 && len(c.Args) == 1 {
		c.Tenant = "$1"
	}
	switch {
	case sh.PerEnvironment && q.Environment != "":
		parts = append(parts, "r.environment = "+c.Args.Bind(q.Environment))
	case sh.PerEnvironment && !c.allTenants():
		parts = append(parts, AnyEnvironment)
	}
	if q.Where != nil {
		parts = append(parts, c.conjuncts(rowScope(sh), q.Where)...)
	}
	return strings.Join(parts, " AND ")
}

// conjuncts are the conditions that cond demands at once. With an order to keep, only those on its first
// field may choose the index: a plan that finds all matching rows by another one would sort them anew for
// each page.
func (c *Compiler) conjuncts(p pathScope, cond collection.Cond) (parts []string) {
	if all, ok := cond.(collection.And); ok {
		for _, x := range all {
			parts = append(parts, c.conjuncts(p, x)...)
		}
		return parts
	}
	text := c.cond(p, cond)
	if c.IndexOrder != "" && !mentions(cond, c.IndexOrder) {
		text = "(" + text + ") IS TRUE"
	}
	return []string{text}
}

func mentions(cond collection.Cond, field string) bool {
	asked, _ := FieldsOf(nil, cond)
	return slices.ContainsFunc(asked, func(f collection.Field) bool { return f.Name == field })
}

// Order is the ORDER BY list: null is smallest, text goes by code point, ties go by id in the
// direction of the last key.
func (c *Compiler) Order(sh *Shape, keys []collection.SortKey) string {
	var list []string
	for _, k := range keys {
		text := c.sortKey(rowScope(sh), k.Path)
		id := IsID(k) // never null, and its index says nothing of nulls
		switch {
		case k.Desc && c.Dialect.Postgres && !id:
			text += " DESC NULLS LAST"
		case k.Desc:
			text += " DESC"
		case c.Dialect.Postgres && !id:
			text += " NULLS FIRST"
		}
		list = append(list, text)
		if id {
			return strings.Join(list, ", ")
		}
	}
	tie := "r.id"
	if collection.TiesDescend(keys) {
		tie += " DESC"
	}
	return strings.Join(append(list, tie), ", ")
}

// SortKey is the value at path of row r of a collection as one expression.
func (c *Compiler) SortKey(sh *Shape, path []collection.Field) string {
	return c.sortKey(rowScope(sh), path)
}

// rowScope is row r itself.
func rowScope(sh *Shape) pathScope { return pathScope{sh: sh, alias: "r", row: "r"} }

// SortKey is the value at path as one expression; through relations it is looked up.
func (c *Compiler) sortKey(p pathScope, path []collection.Field) string {
	f := path[0]
	switch {
	case len(path) == 1:
		expr, _ := c.scalar(p, f)
		if c.hasTransition(f) {
			return c.effectiveExpr(p, f, expr)
		}
		return expr
	case f.Kind == collection.Group:
		return c.sortKey(p.inside(f.Name), path[1:])
	}
	expr, _ := c.scalar(p, f)
	target, within := c.target(p, f)
	return "(SELECT " + c.sortKey(target, path[1:]) + " FROM " + db.Quote(target.sh.Table) + " " + target.alias + " WHERE " + within +
		" AND " + target.alias + ".id = " + expr + ")"
}

// IsID reports whether a sort key is the id.
func IsID(o collection.SortKey) bool { return len(o.Path) == 1 && o.Path[0].Name == "id" }
