package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// writePostgres commits a batch in one round trip: one statement per collection, in one implicit transaction that is
// bound to the tenants of all its steps.
func (c *Committer) writePostgres(batch []*pending) {
	groups := map[*shape][]*pending{}
	tenants := map[tenant.ID]struct{}{}
	for _, p := range batch {
		if p.single {
			go c.runAlone(p)
			continue
		}
		groups[p.shape] = append(groups[p.shape], p)
		tenants[p.step.Tenant] = struct{}{}
	}
	if len(groups) == 0 {
		return
	}
	outcomes := map[*pending]string{}
	stmts := make([]stmt, 1, 1+len(groups))
	for sh, group := range groups {
		stmts = append(stmts, stmt{sql: c.texts[sh], args: batchArgs(sh, group), each: func(r row) error {
			var n int
			var outcome string
			err := r.Scan(&n, &outcome)
			if err == nil {
				outcomes[group[n-1]] = outcome
			}
			return err
		}})
	}
	err := c.send(tenants, stmts)
	events := false
	for _, group := range groups {
		for _, p := range group {
			events = events || p.events != nil
			c.conclude(p, outcomes[p], err)
		}
	}
	if err == nil && events {
		c.store.wake()
	}
}

// send runs stmts for tenants; the first one is filled in here.
func (c *Committer) send(tenants map[tenant.ID]struct{}, stmts []stmt) error {
	ids := make([]tenant.ID, 0, len(tenants))
	for id := range tenants {
		ids = append(ids, id)
	}
	list, err := tenantList(ids)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), commitLimit)
	defer cancel()
	stmts[0] = stmt{sql: bindBatch, args: []any{list}}
	err = c.store.breaker.run(func() error { return pgSession{to: c.store.pg.app}.run(ctx, stmts...) })
	if err == nil {
		c.committed()
	}
	return err
}

// conclude settles a step by what its batch said of it: nothing when it was done.
func (c *Committer) conclude(p *pending, outcome string, err error) {
	var answer *pgconn.PgError
	switch {
	case err != nil && errors.As(err, &answer) && !unreachable(err):
		go c.runAlone(p) // the whole batch was undone for the sake of some step: each finds out for itself
	case err != nil: // the answer was lost, the commit may not have been
		c.settle(p, fault.ErrUnavailable.Because(err))
	case outcome == "known":
		c.settle(p, ports.ErrReceiptExists)
	case outcome == "stale":
		c.settle(p, ports.ErrStale)
	case outcome == "again":
		c.again(p)
	default:
		c.settle(p, nil)
	}
}

// bindBatch binds the tenants of a batch, and has each statement planned once, as for few steps, and keeps that plan from reading whole tables or from
// comparing all steps with all rows when they are many: every step finds its rows by primary key.
const bindBatch = "SELECT set_config('cartwright.tenants', $1, true), set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true), " +
	"set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('enable_bitmapscan', 'off', true)"

// The arrays of a batch statement besides those of the rows; n is the step, counted from 1.
const (
	receiptArrays = "n bigint, tenant text, key bytea, fingerprint bytea, result text, body bytea, request_id text, record text, revision bigint, token_version bigint, created_at timestamptz, expires_at timestamptz"
	eventArrays   = "n bigint, tenant text, record text, record_sequence bigint, id text, operation text, environment text, body text, occurred_at timestamptz"
)

// arrays declares a CTE over arrays bound from $from on, one per column ("name type"), and returns the next free mark.
func arrays(name string, columns []string, from int, more string) (text string, next int) {
	marks, names := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		column, typ, _ := strings.Cut(c, " ")
		marks[i], names[i] = fmt.Sprintf("$%d::%s[]", from+i, typ), column
	}
	return fmt.Sprintf("%s AS MATERIALIZED (SELECT * FROM unnest(%s)%s AS %s(%s))", name, strings.Join(marks, ", "), more, name, strings.Join(names, ", ")), from + len(columns)
}

// batchText is the statement that commits steps of one collection, or, without a shape, steps of receipts only. A step
// takes part unless one of its receipts is known; then its row is locked if it still has the expected recordSequence and
// nobody else holds it, and written where it was found; receipts, events and their place in the queue follow for the steps whose row was
// written. The result lists the other steps, each with the reason.
func batchText(sh *shape) string {
	receipts, next := arrays("receipt", strings.Split(receiptArrays, ", "), 1, "")
	const known = `known AS MATERIALIZED (
	SELECT r.n FROM receipt r WHERE (SELECT TRUE FROM receipts k WHERE k.tenant = r.tenant AND k.key = r.key) IS NOT NULL)`
	const keep = `INSERT INTO receipts (tenant, key, fingerprint, done, fence, result, body, request_id, record, revision, token_version, created_at, expires_at)
	SELECT tenant, key, fingerprint, TRUE, 0, result, body, request_id, record, revision, token_version, created_at, expires_at FROM receipt r WHERE `
	if sh == nil {
		return "WITH " + receipts + ", " + known + ", kept AS (" + keep + "r.n NOT IN (SELECT n FROM known))\nSELECT DISTINCT n, 'known' FROM known"
	}
	events, next := arrays("event", strings.Split(eventArrays, ", "), next, "")
	steps, _ := arrays("step", append([]string{"_was bigint"}, sh.typed()...), next, " WITH ORDINALITY")
	steps = strings.Replace(steps, "))", ", _n))", 1)
	names := sh.names()
	sets := make([]string, 0, len(names))
	for _, name := range names[2:] {
		sets = append(sets, name+" = f."+name)
	}
	return strings.NewReplacer("TABLE", quote(sh.table), "COLUMNS", strings.Join(names, ", "), "SETS", strings.Join(sets, ", "), "COLLECTION", sh.schema.Slug).Replace(
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
	INSERT INTO events (tenant, record, record_sequence, id, collection, operation, environment, body, occurred_at)
	SELECT tenant, record, record_sequence, id, 'COLLECTION', operation, environment, body, occurred_at FROM event e WHERE (e.n IN (SELECT _n FROM done)) IS TRUE),
queued AS (
	INSERT INTO unnumbered (tenant, collection, environment, records, record_sequences)
	SELECT tenant, 'COLLECTION', environment, array_agg(record), array_agg(record_sequence) FROM event e
	WHERE (e.n IN (SELECT _n FROM done)) IS TRUE GROUP BY tenant, environment, e.n / 32)
SELECT s._n, CASE WHEN s._n IN (SELECT n FROM known) THEN 'known'
	WHEN coalesce((SELECT c.sequence FROM TABLE c WHERE c.tenant = s.tenant AND c.id = s.id), 0) = s._was THEN 'again' ELSE 'stale' END
FROM step s WHERE s._n NOT IN (SELECT _n FROM done)`)
}

// typed lists the columns of row with the type their array is bound as.
func (sh *shape) typed() []string {
	types := map[string]string{"sequence": "bigint", "created_at": "timestamptz", "updated_at": "timestamptz"}
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
func batchArgs(sh *shape, group []*pending) []any {
	var receipts, events, rows table
	for i, p := range group {
		n := int64(i + 1)
		for _, r := range p.step.Receipts {
			receipts.add(n, receiptArgs(r)...)
		}
		for _, e := range p.events {
			events.add(n, e.tenant, e.record, e.sequence, e.id, e.operation, e.environment, e.body, e.at)
		}
		if sh != nil {
			rows.add(p.was, p.row...)
		}
	}
	args := receipts.columns(strings.Count(receiptArrays, ",") + 1)
	if sh == nil {
		return args
	}
	args = append(args, events.columns(strings.Count(eventArrays, ",")+1)...)
	return append(args, rows.columns(0)...)
}

// table is rows on their way into arrays of columns.
type table struct{ cols []pgtype.FlatArray[any] }

func (t *table) add(first int64, rest ...any) {
	if t.cols == nil {
		t.cols = make([]pgtype.FlatArray[any], 1+len(rest))
	}
	t.cols[0] = append(t.cols[0], first)
	for i, v := range rest {
		t.cols[i+1] = append(t.cols[i+1], v)
	}
}

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
