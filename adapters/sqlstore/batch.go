package sqlstore

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/cartwright-dev/cartwright/ports"
)

// The arrays of a batch statement besides those of the rows; n is the step, counted from 1.
const (
	receiptArrays = "n bigint, tenant text, key bytea, fingerprint bytea, result text, body bytea, request_id text, record text, revision bigint, token_version bigint, created_at timestamptz, expires_at timestamptz"
	eventArrays   = "n bigint, tenant text, record text, record_sequence bigint, id text, collection text, operation text, environment text, doc text, changed text, previous_doc text, occurred_at timestamptz"
	stockArrays   = "tenant text, environment text, product text, variant text, on_hand bigint, tracked boolean"
)

// arrays declares a CTE over arrays bound from $from on, one per column ("name type"), and returns the next free mark.
func arrays(name string, columns []string, from int, more string) (text string, next int) {
	return name + " AS MATERIALIZED (SELECT * FROM " + unnested(name, columns, from, more) + ")", from + len(columns)
}

// unnested is the table of the arrays bound from $from on, one per column ("name type").
func unnested(name string, columns []string, from int, more string) string {
	marks, names := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		column, typ, _ := strings.Cut(c, " ")
		marks[i], names[i] = fmt.Sprintf("$%d::%s[]", from+i, typ), column
	}
	return "unnest(" + strings.Join(marks, ", ") + ")" + more + " AS " + name + "(" + strings.Join(names, ", ") + ")"
}

// form is what the steps of one statement have in common: the collection of their records, nil when they have receipts
// only, and what they create besides.
type form struct {
	shape *shape
	also  string // slugs of further collections, by name
	stock bool
}

func formOf(sh *shape, also []part, units []ports.Units) form {
	var slugs []string
	for _, x := range also {
		slugs = append(slugs, x.shape.schema.Slug)
	}
	slices.Sort(slugs)
	return form{sh, strings.Join(slices.Compact(slugs), " "), len(units) > 0}
}

// shapesOf are the further collections of f.
func (s *Store) shapesOf(f form) (also []*shape) {
	for slug := range strings.FieldsSeq(f.also) {
		also = append(also, s.shapes[slug])
	}
	return also
}

// text is the statement of f.
func (c *Committer) text(f form) string {
	if text, ok := c.texts.Load(f); ok {
		return text.(string)
	}
	text := batchText(f, c.store.shapesOf(f))
	c.texts.Store(f, text)
	return text
}

// batchText is the statement that commits steps of one form, or, without a shape, steps of receipts only. A step
// takes part unless one of its receipts is known; then its row is locked if it still has the expected recordSequence and
// nobody else holds it, and written where it was found; receipts, events and their place in the queue follow for the steps whose row was
// written. The result lists the other steps, each with the reason. A taken value in what a step creates besides fails the
// statement: such steps are rare, and each then runs alone.
func batchText(f form, also []*shape) string {
	sh := f.shape
	receipts, next := arrays("receipt", strings.Split(receiptArrays, ", "), 1, "")
	const known = `known AS MATERIALIZED (
	SELECT r.n FROM receipt r WHERE (SELECT TRUE FROM receipts k WHERE k.tenant = r.tenant AND k.key = r.key) IS NOT NULL)`
	const keep = `INSERT INTO receipts (tenant, key, fingerprint, done, fence, result, body, request_id, record, revision, token_version, created_at, expires_at)
	SELECT tenant, key, fingerprint, TRUE, 0, result, body, request_id, record, revision, token_version, created_at, expires_at FROM receipt r WHERE `
	if sh == nil {
		return "WITH " + receipts + ", " + known + ", kept AS (" + keep + "r.n NOT IN (SELECT n FROM known))\nSELECT DISTINCT n, 'known' FROM known"
	}
	events, next := arrays("event", strings.Split(eventArrays, ", "), next, "")
	steps, next := arrays("step", append([]string{"_was bigint"}, sh.typed()...), next, " WITH ORDINALITY")
	steps = strings.Replace(steps, "))", ", _n))", 1)
	steps, more := besides(f, also, steps, next)
	names := sh.names()
	sets := make([]string, 0, len(names))
	for _, name := range names[2:] {
		sets = append(sets, name+" = f."+name)
	}
	return strings.NewReplacer("TABLE", quote(sh.table), "COLUMNS", strings.Join(names, ", "), "SETS", strings.Join(sets, ", "), "MORE", more).Replace(
		"WITH " + receipts + ", " + events + ", " + steps + ", " + known + `,
free AS MATERIALIZED (
	SELECT s.*, c.ctid AS _at FROM step s JOIN TABLE c ON c.tenant = s.tenant AND c.id = s.id AND c.sequence = s._was
	WHERE s._n NOT IN (SELECT n FROM known) ORDER BY c.id FOR UPDATE OF c SKIP LOCKED),
updated AS (
	UPDATE TABLE c SET SETS FROM free f WHERE c.ctid = f._at RETURNING f._n),
inserted AS (
	INSERT INTO TABLE (COLUMNS) SELECT COLUMNS FROM step WHERE _was = 0 AND _n NOT IN (SELECT n FROM known) ORDER BY id
	ON CONFLICT DO NOTHING RETURNING id),
done AS MATERIALIZED (
	SELECT _n FROM updated UNION ALL SELECT _n FROM step WHERE _was = 0 AND (id IN (SELECT id FROM inserted)) IS TRUE),
kept AS (` + keep + `(r.n IN (SELECT _n FROM done)) IS TRUE),
told AS (
	INSERT INTO events (` + eventValues + `)
	SELECT ` + eventValues + ` FROM event e WHERE (e.n IN (SELECT _n FROM done)) IS TRUE),
queued AS (
	INSERT INTO unnumbered (tenant, collection, records, record_sequences)
	SELECT tenant, collection, array_agg(record), array_agg(record_sequence) FROM event e
	WHERE (e.n IN (SELECT _n FROM done)) IS TRUE GROUP BY tenant, collection, e.n / 32)MORE
SELECT s._n, CASE WHEN s._n IN (SELECT n FROM known) THEN 'known'
	WHEN coalesce((SELECT c.sequence FROM TABLE c WHERE c.tenant = s.tenant AND c.id = s.id), 0) = s._was THEN 'again' ELSE 'stale' END
FROM step s WHERE s._n NOT IN (SELECT _n FROM done)`)
}

// besides adds to a statement what its steps create besides: the arrays to those of the steps, and inserts for the steps
// that are done.
func besides(f form, also []*shape, steps string, next int) (with, more string) {
	const done = " WHERE (x._n IN (SELECT _n FROM done)) IS TRUE"
	add := func(name string, columns []string, insert string) {
		var in string
		in, next = arrays(name, columns, next, "")
		steps += ", " + in
		more += ",\n" + name + "_in AS (" + insert + ")"
	}
	for i, sh := range also {
		name, columns := "also"+strconv.Itoa(i), strings.Join(sh.names(), ", ")
		add(name, append([]string{"_n bigint"}, sh.typed()...), "INSERT INTO "+quote(sh.table)+" ("+columns+") SELECT "+columns+" FROM "+name+" x"+done+" ORDER BY id")
	}
	if f.stock {
		add("units", strings.Split("_n bigint, "+stockArrays, ", "), "INSERT INTO stock (tenant, environment, product, variant, on_hand, reserved, tracked) SELECT tenant, environment, product, variant, on_hand, 0, tracked FROM units x"+done+" ON CONFLICT DO NOTHING")
	}
	return steps, more
}

// typed lists the columns of row with the type their array is bound as.
func (sh *shape) typed() []string {
	types := map[string]string{"sequence": "bigint", shapeColumn: "bigint", "created_at": "timestamptz", "updated_at": "timestamptz"}
	for _, c := range sh.columns {
		types[c.name] = map[string]string{"TEXT": "text", "BIGINT": "bigint", "TIMESTAMP": "timestamptz", "BOOLEAN": "boolean"}[c.typ]
	}
	list := sh.names()
	for i, quoted := range list {
		typ := types[strings.Trim(quoted, `"`)]
		if typ == "" {
			typ = "text"
		}
		list[i] = quoted + " " + typ
	}
	return list
}

// batchArgs binds a group of steps to the arrays of its statement.
func batchArgs(f form, also []*shape, group []*pending) []any {
	var receipts, events, rows, units table
	parts := make([]table, len(also))
	for i, p := range group {
		n := int64(i + 1)
		for _, r := range p.step.Receipts {
			receipts.add(n, receiptArgs(r)...)
		}
		for _, e := range p.events {
			events.add(n, e.tenant, e.record, e.sequence, e.id, e.collection, e.operation, e.environment, e.doc, e.changed, e.previous, e.at)
		}
		if f.shape != nil {
			rows.add(p.was, p.row...)
		}
		for _, x := range p.also {
			parts[slices.Index(also, x.shape)].add(n, x.row...)
		}
		for _, row := range p.units() {
			units.add(n, row...)
		}
	}
	args := receipts.columns(strings.Count(receiptArrays, ",") + 1)
	if f.shape == nil {
		return args
	}
	args = append(args, events.columns(strings.Count(eventArrays, ",")+1)...)
	args = append(args, rows.columns(0)...)
	for _, t := range parts {
		args = append(args, t.columns(0)...)
	}
	return append(args, units.columns(0)...)
}

// table is rows on their way into arrays of columns.
type table struct{ cols []pgtype.FlatArray[any] }

func (t *table) add(first any, rest ...any) {
	if t.cols == nil {
		t.cols = make([]pgtype.FlatArray[any], 1+len(rest))
	}
	t.cols[0] = append(t.cols[0], first)
	for i, v := range rest {
		t.cols[i+1] = append(t.cols[i+1], v)
	}
}

// empty reports whether no row was added.
func (t *table) empty() bool { return t.cols == nil }

// columns are the arrays as bind arguments; width counts the columns of a table without rows.
func (t *table) columns(width int) []any {
	if t.cols == nil {
		t.cols = make([]pgtype.FlatArray[any], width)
	}
	args := make([]any, len(t.cols))
	for i, c := range t.cols {
		args[i] = c
	}
	return args
}
