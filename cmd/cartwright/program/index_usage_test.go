package program

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// Every table is filled with rows of ten tenants; one row of rareEvery has the rare value of each field.
const tableRows, rareEvery = 2_000, 200

var rareTime = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// rareValue is the value that few records have, in the column form of f.
func rareValue(f collection.Field) any {
	switch f.Kind {
	case collection.Select:
		if f.Transition != nil { // neither state of a timed transition, which many rows have
			i := slices.IndexFunc(f.Options, func(o string) bool { return o != f.Transition.From && o != f.Transition.To })
			return f.Options[max(i, 0)] // of one with these states alone, most rows have none
		}
		return f.Options[len(f.Options)-1]
	case collection.Boolean:
		return true
	case collection.Date:
		return rareTime
	case collection.Money, collection.Number, collection.Integer:
		return int64(7)
	default: // other kinds are text
	}
	return "rare"
}

// fillTable inserts the rows. Dropping the indexes and creating them again afterwards is ten times faster.
func fillTable(t *testing.T, conn *pgx.Conn, s *collection.Schema, rows int) {
	t.Helper()
	table := strings.ReplaceAll(s.Slug, "-", "_")
	exec := func(text string) {
		if _, err := conn.Exec(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	collect := func(text string) []string {
		rows, err := conn.Query(t.Context(), text, table)
		if err != nil {
			t.Fatal(err)
		}
		list, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	indexes := collect("SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = $1::text::regclass AND NOT indisprimary")
	for _, name := range collect("SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid = $1::text::regclass AND NOT indisprimary") {
		exec("DROP INDEX " + name)
	}
	exec(`ALTER TABLE "` + table + `" SET UNLOGGED`)
	columns := collect("SELECT column_name || ' ' || udt_name FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position")
	names, values := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		name, typ, _ := strings.Cut(c, " ")
		names[i], values[i] = `"`+name+`"`, columnExpr(s, name, typ)
	}
	exec(fmt.Sprintf("INSERT INTO %q (%s) SELECT %s FROM generate_series(1, %d) i",
		table, strings.Join(names, ", "), strings.Join(values, ", "), rows))
	for _, text := range indexes {
		exec(text)
	}
	exec(`ANALYZE "` + table + `"`)
	for _, f := range s.Fields {
		if f.Indexed && f.Kind.Many() { // the rows that triggers write for documents, several times faster
			members := "'often', " + rareExpr("'rare'", "'v' || i % 500")
			if f.Name == collection.TranslatedSlugsName { // a handle is that of one record of a tenant
				members = "CASE WHEN i <= 10 THEN 'rare' ELSE 'v' || i END"
			}
			exec(fmt.Sprintf("INSERT INTO relation_members SELECT 't' || i %% 10, '%s.%s', v, 'r' || i FROM generate_series(1, %d) i, unnest(ARRAY[%s]) v",
				table, f.Name, rows, members))
		}
	}
}

// columnExpr is the SQL expression for a column of row i.
func columnExpr(s *collection.Schema, name, typ string) string {
	switch name {
	case "tenant":
		return "'t' || i % 10"
	case "id":
		return "'r' || i"
	case "environment":
		return "CASE WHEN i % 4 = 0 THEN 'test' ELSE 'live' END"
	case "doc", "lists_fold":
		return "'{}'"
	case "translated_texts", "translated_long_texts":
		return "NULL"
	case "sequence":
		return "1"
	}
	if strings.HasSuffix(name, "_locales") { // those of a text in other languages
		return "''"
	}
	for _, f := range s.AllFields() {
		switch own := column(f); {
		case own != strings.TrimSuffix(strings.TrimSuffix(name, "_fold"), "_value"):
		case f.Kind == collection.Select:
			if rareValue(f) == f.Options[0] {
				return rareExpr("'"+f.Options[0]+"'", "NULL")
			}
			return rareExpr("'"+rareValue(f).(string)+"'", "'"+f.Options[0]+"'")
		case f.Unique || slices.ContainsFunc(s.UniqueSets, func(set []string) bool { return slices.Contains(set, f.Name) }):
			return map[string]string{"text": "'v' || i", "int8": "i"}[typ]
		}
	}
	switch typ {
	case "int8":
		return rareExpr("7", "100 + i % 9000")
	case "bool":
		return rareExpr("TRUE", "FALSE")
	case "timestamptz":
		return rareExpr("'2026-03-01T00:00:00Z'::timestamptz", "'2026-03-02T00:00:00Z'::timestamptz + i * interval '1 second'")
	}
	return rareExpr("'rare'", "'v' || i % 5000")
}

// rareExpr is the SQL expression rare for one row of rareEvery, and usual for the others.
func rareExpr(rare, usual string) string {
	return fmt.Sprintf("CASE WHEN i %% %d < 10 THEN %s ELSE %s END", 10*rareEvery, rare, usual)
}

// indexedQueries are the queries for which an Indexed field must have an index.
func indexedQueries(registry *collection.Registry, f collection.Field) map[string]collection.Query {
	path := []collection.Field{f}
	test := func(op collection.Op, values ...any) collection.Query {
		return collection.Query{Where: collection.Comparison{Path: path, Op: op, Values: values}}
	}
	all := map[string]collection.Query{
		"equals": test(collection.Equals, rareValue(f)), "in": test(collection.In, rareValue(f)),
	}
	if f.Kind.Many() {
		all["contains"] = test(collection.Contains, rareValue(f))
	}
	if f.Transition == nil && !f.Kind.Many() {
		all["sort"] = collection.Query{Sort: []collection.SortKey{{Path: path}}}
		all["descending"] = collection.Query{Sort: []collection.SortKey{{Path: path, Desc: true}}}
	}
	switch f.Kind {
	case collection.Money, collection.Number, collection.Integer:
		all["range"] = test(collection.LessThanEqual, int64(50))
	case collection.Date:
		all["range"] = test(collection.LessThan, rareTime.Add(time.Hour))
	default: // ranges of other kinds may scan
	}
	if f.Kind.Related() && f.Target() != "media" {
		for _, name := range []string{"slug", "code", "email", "name"} {
			if to, ok := registry.Get(f.RelationTo).Field(name); ok && to.Indexed {
				path = []collection.Field{f, to}
				all[f.Name+"."+name] = test(collection.Equals, "rare")
			}
		}
	}
	return all
}

// In every collection, queries by a field that its schema marks Indexed use an index that begins with the tenant, on
// filled tables and for the role that serves requests.
func TestIndexedFieldsUseAnIndex(t *testing.T) {
	t.Parallel()
	registry, err := Config{}.newRegistry()
	if err != nil {
		t.Fatal(err)
	}
	url := testservers.Postgres(t) // a new database: a used one has other statistics
	for name, o := range map[string]sqlstore.Options{"postgres": {URL: url}, "sqlite": {Path: filepath.Join(t.TempDir(), "data.db")}} {
		o.Registry, o.Fold = registry, foldCase
		store, err := sqlstore.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := store.Close(); err != nil {
				t.Error(err)
			}
		})
		if name == "postgres" {
			conn, err := pgx.Connect(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close(context.Background())
			for _, s := range registry.All() {
				fillTable(t, conn, s, tableRows)
			}
			if _, err := conn.Exec(t.Context(), "ANALYZE relation_members"); err != nil {
				t.Fatal(err)
			}
			categoryListQuery(t, store, registry.Get("products"))
			deliveredOrdersQuery(t, store, registry.Get("orders"))
		}
		wantIndexesUsed(t, name, store, registry)
	}
}

// A new shop has few rows in every table. Statistics of them would have SQLite read these tables whole, also when they
// have grown: an import of 10,000 products beside a server took minutes.
func TestNewShopIsPlannedAsOneThatGrows(t *testing.T) {
	t.Parallel()
	registry, err := Config{}.newRegistry()
	if err != nil {
		t.Fatal(err)
	}
	m := newCommandEnv(t)
	m.must(t, "demo")
	store, err := sqlstore.Open(t.Context(), sqlstore.Options{
		Path: filepath.Join(m.env["CARTWRIGHT_DATA"], "cartwright.db"), Registry: registry, Fold: foldCase,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.Analyze(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantIndexesUsed(t, "a new shop", store, registry)
}

// wantIndexesUsed checks the plans of indexedQueries of all collections.
func wantIndexesUsed(t *testing.T, name string, store *sqlstore.Store, registry *collection.Registry) {
	t.Helper()
	fulfillmentsOfOrdersQuery(t, store, registry.Get("fulfillment-orders"))
	for _, s := range registry.All() {
		for _, f := range s.AllFields() {
			// an index of it would slow every change down
			if !f.Indexed || f.VisibleTo == collection.ServerOnly || s.FrequentlyUpdated && f.Name == "updatedAt" {
				continue
			}
			for op, q := range indexedQueries(registry, f) {
				q.Schema, q.Limit, q.Page, q.Now = s, 10, 1, rareTime
				if s.PerEnvironment {
					q.Environment = "live"
				}
				plan, err := store.Explain(t.Context(), ports.ForTenant("t0"), q)
				if err != nil {
					t.Fatal(err)
				}
				if wrong := planProblem(plan, q); wrong != "" {
					t.Errorf("%s: %s.%s %s: %s\n%s", name, s.Slug, f.Name, op, wrong, plan)
				}
			}
		}
	}
}

// categoryListQuery checks the most frequent list: the first page of a category for shoppers. A small category is read
// by its members, a large one in the order of the page.
func categoryListQuery(t *testing.T, store *sqlstore.Store, products *collection.Schema) {
	t.Helper()
	path := func(name string) []collection.Field {
		f, _ := products.Field(name)
		return []collection.Field{f}
	}
	usual := products.Where("status", collection.Equals, "draft") // the usual value in filled tables
	for target, want := range map[string]string{"rare": "(target = 'rare'", "often": " using i_products_tenant_"} {
		for _, order := range []collection.SortKey{{Path: path("createdAt"), Desc: true}, {Path: path("price")}} {
			q := collection.Query{
				Schema: products, Where: collection.And{products.Where("categories", collection.Equals, target), usual},
				Sort: []collection.SortKey{order}, Limit: 10, Page: 1, Now: rareTime,
			}
			plan, err := store.Explain(t.Context(), ports.ForTenant("t0"), q)
			if err != nil {
				t.Fatal(err)
			}
			page, _, _ := strings.Cut(plan, "\n\n")
			if !strings.Contains(page, want) || target == "often" && strings.Contains(page, "Sort") || strings.Contains(plan, "Seq Scan") {
				t.Errorf("%s by %s:\n%s", target, order.Path[0].Name, plan)
			}
		}
	}
}

// deliveredOrdersQuery checks the query for orders to confirm: its index covers the status and the time of delivery.
func deliveredOrdersQuery(t *testing.T, store *sqlstore.Store, orders *collection.Schema) {
	t.Helper()
	since := orders.Where("deliveredAt", collection.LessThanEqual, rareTime)
	q := collection.Query{
		// the usual value in filled tables
		Schema: orders, Environment: "live", Where: collection.And{orders.Where("status", collection.Equals, "pending"), since},
		Sort: []collection.SortKey{{Path: since.Path}}, Limit: 200, Page: 1, Now: rareTime,
	}
	plan, err := store.Explain(t.Context(), ports.ForTenant("t0"), q)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(plan) {
		if strings.Contains(line, "Index Cond") && strings.Contains(line, "status =") && strings.Contains(line, "delivered_at <=") {
			return
		}
	}
	t.Errorf("%s", plan)
}

// fulfillmentsOfOrdersQuery checks the query for the fulfillment orders of orders, without a condition on the
// environment: it uses an index that has the environment before the order.
func fulfillmentsOfOrdersQuery(t *testing.T, store *sqlstore.Store, fulfillments *collection.Schema) {
	t.Helper()
	for op, where := range map[string]collection.Cond{
		"one":     fulfillments.Where("order", collection.Equals, "rare"),
		"several": fulfillments.Where("order", collection.In, "rare", "rarer"),
	} {
		q := collection.Query{
			Schema: fulfillments, Where: where,
			Sort: fulfillments.SortBy("createdAt"), Limit: 500, Page: 1,
		}
		plan, err := store.Explain(t.Context(), ports.ForTenant("t0"), q)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(plan, "environment=? AND order=?") && !strings.Contains(plan, `ANY ('{live,test}'::text[])) AND ("order" =`) {
			t.Errorf("%s:\n%s", op, plan)
		}
	}
}

// planProblem is what is wrong with the plan of q; "" is nothing.
func planProblem(plan string, q collection.Query) string {
	page, count, _ := strings.Cut(plan, "\n\n")
	lines := strings.Split(page, "\n")
	if q.Where != nil {
		lines = append(lines, strings.Split(count, "\n")...)
	}
	for _, line := range lines {
		switch line = strings.TrimLeft(line, " ->"); {
		case strings.HasPrefix(line, "Seq Scan"), strings.HasPrefix(line, "SCAN"):
			if !strings.Contains(line, "json_each") {
				return "reads the whole table"
			}
		case strings.HasPrefix(line, "Index Cond") && !strings.Contains(line, "tenant ="):
			return "an index is read across tenants"
		case strings.HasPrefix(line, "SEARCH") && strings.Contains(line, "INDEX") && !strings.Contains(line, "tenant=?"):
			return "an index is read across tenants"
		case q.Where == nil && (strings.HasPrefix(line, "Sort  (") || strings.HasPrefix(line, "USE TEMP B-TREE FOR ORDER BY")):
			return "sorts all rows of the tenant"
		}
	}
	if test, ok := q.Where.(collection.Comparison); ok &&
		!slices.ContainsFunc(lines, func(line string) bool { return usesColumn(line, test.Path[0]) }) {
		return "the index does not narrow it down"
	}
	return ""
}

// usesColumn reports whether a line of a plan looks up the column of f.
func usesColumn(line string, f collection.Field) bool {
	i := max(strings.Index(line, "Cond:"), strings.Index(line, "SEARCH"))
	return i >= 0 && strings.Contains(line[i:], column(f))
}

// column is the query column of a top-level field; of a field with many values, that of relation_members.
func column(f collection.Field) string {
	if f.Kind.Many() {
		return "target"
	}
	name := ""
	for _, r := range f.Name {
		if r >= 'A' && r <= 'Z' {
			name += "_"
		}
		name += strings.ToLower(string(r))
	}
	return name
}
