package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// pgbenchCatalog is the peer of the catalog: pgbench with the same work on the same tables, which both sides
// read and write in turn. It is superuser, so it has no cost of row-level security, and pipelines what it
// can. Its events go into a table of their own, since the server's sequencer would number them otherwise. The
// counts that the server caches are not updated without events, so the peer's changes keep prices and
// statuses, and its new products are drafts.
type pgbenchCatalog struct {
	url, dir string
	clients  int
	scripts  map[string][]string // pgbench's arguments, by part
	runs     int
}

// newPgbenchCatalog writes the scripts.
func newPgbenchCatalog(ctx context.Context, c *catalog, url, dir string, clients int) (_ *pgbenchCatalog, err error) {
	db, err := sql.Open("pgx", url)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, "CREATE TABLE unnumbered_events_peer (LIKE unnumbered_events INCLUDING ALL)"); err != nil {
		return nil, err
	}
	p := &pgbenchCatalog{url: url, dir: dir, clients: clients, scripts: map[string][]string{}}
	for i, s := range c.stores {
		event, err := c.changed(ctx, db, s)
		if err != nil {
			return nil, err
		}
		insert, err := s.inserts(ctx, db)
		if err != nil {
			return nil, err
		}
		fill := strings.NewReplacer("$tenant", literal(s.tenant), "$event", literal(event.doc), "$changed", literal(event.changed),
			"$previous", literal(event.previous), "$id", "'"+s.products+"' || :i::text",
			"$first", strconv.Itoa(firstSerial), "$last", strconv.Itoa(firstSerial+c.each-1), "$lowest", strconv.Itoa(lowestPrice),
			"$filters", strconv.Itoa(filters-1), "$step", strconv.Itoa(priceCount/filters), "$spread", strconv.Itoa(filterWidth),
			"$farthest", strconv.Itoa(lowestPrice+priceCount-widest), "$narrowest", strconv.Itoa(narrowest), "$widest", strconv.Itoa(widest))
		for _, x := range []struct{ part, text, weight string }{
			{"list", peerFilter + peerList, "@99"}, {"list", peerChange, "@1"}, {"get", peerGet, ""}, {"create", insert, ""},
			{rangesPart, peerRange + peerList, ""},
		} {
			name := filepath.Join(dir, fmt.Sprintf("%s%s%d.sql", x.part, x.weight, i))
			if err := os.WriteFile(name, []byte(fill.Replace(x.text)), 0o600); err != nil {
				return nil, err
			}
			if x.weight == "" {
				x.weight = "@1"
			}
			p.scripts[x.part] = append(p.scripts[x.part], "-f", name+x.weight)
		}
	}
	return p, nil
}

// run measures a part.
func (p *pgbenchCatalog) run(ctx context.Context, part string, length time.Duration, cpu *cpuMeter) (result, error) {
	p.runs++
	args := append([]string{"-D", "n=0", "-D", fmt.Sprintf("run=%d", p.runs+100)}, p.scripts[part]...)
	return runPgbench(ctx, cpu, "pgbench", p.url, p.dir, p.clients, length, args...)
}

const (
	peerFilter = `\set from ($lowest + random(0, $filters) * $step) * 10000
\set to :from + $spread * 10000
`
	peerRange = `\set from random($lowest, $farthest) * 10000
\set to :from + random($narrowest, $widest) * 10000
`
	peerList = `\startpipeline
SELECT r.doc, r.sequence, (SELECT CAST(sum(s.on_hand) AS bigint) FROM stock s WHERE s.tenant = r.tenant AND s.environment = 'live' AND s.product = r.id) FROM products r
 WHERE r.tenant = $tenant AND r.status = 'published' AND r.price >= :from AND r.price < :to ORDER BY r.created_at DESC NULLS LAST, r.id DESC LIMIT 10;
SELECT count(*) FROM products r WHERE r.tenant = $tenant AND r.status = 'published' AND r.price >= :from AND r.price < :to;
\endpipeline
`
	peerGet = `\set i random($first, $last)
SELECT r.doc, r.sequence FROM products r WHERE r.tenant = $tenant AND r.id = $id;
`
	peerChange = `\set i random($first, $last)
BEGIN;
SELECT doc, sequence FROM products WHERE tenant = $tenant AND id = $id FOR UPDATE;
UPDATE products SET doc = doc, price = price, sequence = sequence + 1, updated_at = now() WHERE tenant = $tenant AND id = $id RETURNING sequence \gset
INSERT INTO events (tenant, record, record_sequence, id, collection, operation, environment, doc, changed, previous_doc, occurred_at)
 VALUES ($tenant, $id, :sequence, gen_random_uuid()::text, 'products', 'update', NULL, $event, $changed, $previous, now());
INSERT INTO unnumbered_events_peer (tenant, collection, records, record_sequences) VALUES ($tenant, 'products', ARRAY[$id], ARRAY[:sequence::bigint]);
COMMIT;
`
)

// changed changes the price of the store's first product and returns the parts of its event.
func (c *catalog) changed(ctx context.Context, db *sql.DB, s store) (event struct{ doc, changed, previous string }, err error) {
	r := request{method: "PATCH", path: "/api/products/" + s.product, secret: s.secret, body: []byte(`{"price":7531865}`)}
	if err := c.call(200, `{"message":`, r); err != nil {
		return event, err
	}
	err = db.QueryRowContext(ctx, "SELECT doc, changed, previous_doc FROM events WHERE record = $1 AND record_sequence = 2", s.product).
		Scan(&event.doc, &event.changed, &event.previous)
	return event, err
}

// inserts is the script that creates a product: the rows of the first one with new ids.
func (s store) inserts(ctx context.Context, db *sql.DB) (string, error) {
	var b strings.Builder
	b.WriteString("\\set n :n + 1\n\\startpipeline\nBEGIN;\n")
	for _, t := range seedTables {
		rows, err := s.rowsOf(ctx, db, t.name, t.template)
		if err != nil {
			return "", err
		}
		for _, row := range rows {
			b.WriteString(row)
		}
	}
	for _, x := range [][2]string{{"products", s.products}, {"product-variants", s.variants}} {
		fmt.Fprintf(&b,
			"INSERT INTO unnumbered_events_peer (tenant, collection, records, record_sequences) VALUES ($tenant, '%s', ARRAY[%s], ARRAY[1::bigint]);\n",
			x[0], serial(x[1]))
	}
	b.WriteString("COMMIT;\n\\endpipeline\n")
	return b.String(), nil
}

// serial is an expression for an id that no other transaction of the peer uses.
func serial(prefix string) string {
	return "'" + prefix + "' || (:run::bigint * 100000000000 + :client_id::bigint * 100000000 + :n::bigint)::text"
}

// rowsOf are statements that insert copies of the template's rows of a table.
func (s store) rowsOf(ctx context.Context, db *sql.DB, table, template string) (texts []string, err error) {
	columns, err := columnsOf(ctx, db, table)
	if err != nil {
		return nil, err
	}
	selected := make([]string, len(columns))
	for i, c := range columns {
		selected[i] = `"` + c + `"::text`
	}
	names := strings.NewReplacer("{product}", quoteSQL(s.product), "{variant}", quoteSQL(s.variant))
	rows, err := db.QueryContext(ctx, "SELECT "+strings.Join(selected, ", ")+" FROM "+table+" WHERE tenant = $1 AND "+
		names.Replace(template)+map[bool]string{true: " AND record_sequence = 1"}[table == "events"], s.tenant)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Err(), rows.Close()) }()
	for rows.Next() {
		held, to := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range held {
			to[i] = &held[i]
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		values := make([]string, len(columns))
		for i, v := range held {
			values[i] = s.copiedValue(table, columns[i], v)
		}
		texts = append(texts, "INSERT INTO "+table+` ("`+strings.Join(columns, `", "`)+`") VALUES (`+strings.Join(values, ", ")+");\n")
	}
	return texts, nil
}

// copiedValue is the value of a column in a copy: ids and other unique values are new.
func (s store) copiedValue(table, column string, v sql.NullString) string {
	switch {
	case !v.Valid:
		return "NULL"
	case v.String == s.product:
		return serial(s.products)
	case v.String == s.variant:
		return serial(s.variants)
	case column == "slug", column == "slug_fold":
		return serial("bench-product-")
	case table == "products" && column == "status":
		return "'draft'"
	}
	return literal(v.String)
}
