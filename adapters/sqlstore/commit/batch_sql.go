package commit

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/change"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/ports"
)

// The arrays of a batch statement besides those of the rows; n is the step, counted from 1.
const (
	receiptArrays = "n bigint, " + change.ReceiptArrays
	eventArrays   = "n bigint, " + change.EventArrays
	stockArrays   = "tenant text, environment text, product text, variant text, on_hand bigint, tracked boolean"
)

// statementKey is what the steps of one statement have in common: the collection of their records, nil when
// they have receipts only, and what they create besides.
type statementKey struct {
	shape *table.Shape
	extra string // slugs of further collections, by name
	stock bool
}

func statementKeyOf(sh *table.Shape, also []extraRecord, units []ports.InitialStock) statementKey {
	var slugs []string
	for _, x := range also {
		slugs = append(slugs, x.shape.Schema.Slug)
	}
	slices.Sort(slugs)
	return statementKey{sh, strings.Join(slices.Compact(slugs), " "), len(units) > 0}
}

// batchStatements makes the statements of batches, each once.
type batchStatements struct {
	shapes map[string]*table.Shape
	texts  sync.Map // statementKey → string
	fast   sync.Map // *table.Shape → *fastBatch
}

// extraShapes are the further collections of f.
func (s *batchStatements) extraShapes(f statementKey) (also []*table.Shape) {
	for slug := range strings.FieldsSeq(f.extra) {
		also = append(also, s.shapes[slug])
	}
	return also
}

// statementFor is the statement of f.
func (s *batchStatements) statementFor(f statementKey) string {
	if text, ok := s.texts.Load(f); ok {
		return text.(string)
	}
	text := batchSQL(f, s.extraShapes(f))
	s.texts.Store(f, text)
	return text
}

// batchTemplate is the statement that commits steps of one kind. A step takes part unless one of its receipts
// is known; then its row is locked if it still has the expected record sequence and nobody else has locked
// it, and written where it was found; receipts, events and their entries in the queue follow for the steps
// whose row was written. The result lists the other steps, each with the reason. A taken value in what a step
// creates besides fails the statement: such steps are rare, and each then runs alone.
const batchTemplate = `WITH {Receipts}, {Events}, {Steps}{ExtraArrays}, ` + knownReceipts + `,
locked_rows AS MATERIALIZED (
	SELECT s.*, c.ctid AS _at FROM step s JOIN {Table} c ON c.tenant = s.tenant AND c.id = s.id AND c.sequence = s._was
	WHERE s._n NOT IN (SELECT n FROM known_receipts) ORDER BY c.id FOR UPDATE OF c SKIP LOCKED),
updated AS (
	UPDATE {Table} c SET {Sets} FROM locked_rows f WHERE c.ctid = f._at RETURNING f._n),
inserted AS (
	INSERT INTO {Table} ({Columns}) SELECT {Columns} FROM step WHERE _was = 0 AND _n NOT IN (SELECT n FROM known_receipts) ORDER BY id
	ON CONFLICT DO NOTHING RETURNING id),
written AS MATERIALIZED (
	SELECT _n FROM updated UNION ALL SELECT _n FROM step WHERE _was = 0 AND (id IN (SELECT id FROM inserted)) IS TRUE),
stored_receipts AS (` + keepReceipts + `(r.n IN (SELECT _n FROM written)) IS TRUE),
stored_events AS (
	INSERT INTO events (` + change.EventColumns + `)
	SELECT ` + change.EventColumns + ` FROM event e WHERE (e.n IN (SELECT _n FROM written)) IS TRUE),
queued_events AS (
	INSERT INTO unnumbered_events (tenant, collection, records, record_sequences)
	SELECT tenant, collection, array_agg(record), array_agg(record_sequence) FROM event e
	WHERE (e.n IN (SELECT _n FROM written)) IS TRUE GROUP BY tenant, collection, e.n / 32){ExtraInserts}
SELECT s._n, CASE WHEN s._n IN (SELECT n FROM known_receipts) THEN 'replay'
	WHEN coalesce((SELECT c.sequence FROM {Table} c WHERE c.tenant = s.tenant AND c.id = s.id), 0) = s._was THEN 'retry' ELSE 'stale' END
FROM step s WHERE s._n NOT IN (SELECT _n FROM written)`

// receiptsTemplate is the statement that commits steps of receipts only.
const receiptsTemplate = `WITH {Receipts}, ` + knownReceipts + `, stored_receipts AS (` +
	keepReceipts + `r.n NOT IN (SELECT n FROM known_receipts))
SELECT DISTINCT n, 'replay' FROM known_receipts`

// The parts that both have: the steps with a known receipt, and the receipts to keep, as far as a condition.
const (
	knownReceipts = `known_receipts AS MATERIALIZED (
	SELECT r.n FROM receipt r WHERE (SELECT TRUE FROM receipts k WHERE k.tenant = r.tenant AND k.key = r.key) IS NOT NULL)`
	keepReceipts = `INSERT INTO receipts (tenant, key, fingerprint, done, fence, result, body, request_id, record, revision, token_version, created_at, expires_at)
	SELECT tenant, key, fingerprint, TRUE, 0, result, body, request_id, record, revision, token_version, created_at, expires_at FROM receipt r WHERE `
)

// extraParts insert the rows of a CTE called Name.
type extraParts struct{ Name, Arrays, Into, Values, Last string }

// batchSQL fills the template for steps of one kind; without a shape they have receipts only.
func batchSQL(f statementKey, also []*table.Shape) string {
	receipts, next := db.ArraysCTE("receipt", strings.Split(receiptArrays, ", "), 1, "")
	sh := f.shape
	if sh == nil {
		return strings.Replace(receiptsTemplate, "{Receipts}", receipts, 1)
	}
	events, next := db.ArraysCTE("event", strings.Split(eventArrays, ", "), next, "")
	steps, next := db.ArraysCTE("step", append([]string{"_was bigint"}, sh.TypedColumns()...), next, "_n")
	var arrays, inserts strings.Builder
	for _, x := range extrasOf(f, also, next) {
		arrays.WriteString(", " + x.Arrays)
		inserts.WriteString(",\n" + x.Name + "_in AS (INSERT INTO " + x.Into + " SELECT " + x.Values + " FROM " + x.Name +
			" x WHERE (x._n IN (SELECT _n FROM written)) IS TRUE " + x.Last + ")")
	}
	return strings.NewReplacer(
		"{Receipts}", receipts, "{Events}", events, "{Steps}", steps, "{ExtraArrays}", arrays.String(), "{ExtraInserts}", inserts.String(),
		"{Table}", db.Quote(sh.Table), "{Columns}", strings.Join(sh.QuotedColumns(), ", "), "{Sets}", sh.AssignFrom("f"),
	).Replace(batchTemplate)
}

// extrasOf are the parts of what steps create besides, with arrays bound from $next on.
func extrasOf(f statementKey, also []*table.Shape, next int) (list []extraParts) {
	for i, sh := range also {
		x := extraParts{Name: "also" + strconv.Itoa(i), Values: strings.Join(sh.QuotedColumns(), ", "), Last: "ORDER BY id"}
		x.Into = db.Quote(sh.Table) + " (" + x.Values + ")"
		x.Arrays, next = db.ArraysCTE(x.Name, append([]string{"_n bigint"}, sh.TypedColumns()...), next, "")
		list = append(list, x)
	}
	if f.stock {
		x := extraParts{
			Name: "units", Into: "stock (tenant, environment, product, variant, on_hand, reserved, tracked)",
			Values: "tenant, environment, product, variant, on_hand, 0, tracked", Last: "ON CONFLICT DO NOTHING",
		}
		x.Arrays, _ = db.ArraysCTE(x.Name, strings.Split("_n bigint, "+stockArrays, ", "), next, "")
		list = append(list, x)
	}
	return list
}

// batchArgs binds a group of steps to the arrays of its statement.
func batchArgs(f statementKey, also []*table.Shape, group []*pendingStep) []any {
	var receipts, events, rows, units db.ColumnArrays
	parts := make([]db.ColumnArrays, len(also))
	for i, p := range group {
		n := int64(i + 1)
		for _, r := range p.step.Receipts {
			receipts.AddRow(n, change.ReceiptArgs(r)...)
		}
		for _, e := range p.events {
			events.AddRow(n, e.Values()...)
		}
		if f.shape != nil {
			rows.AddRow(p.baseSequence, p.row...)
		}
		for _, x := range p.extras {
			parts[slices.Index(also, x.shape)].AddRow(n, x.row...)
		}
		for _, row := range p.stockArgs() {
			units.AddRow(n, row...)
		}
	}
	args := receipts.Columns(strings.Count(receiptArrays, ",") + 1)
	if f.shape == nil {
		return args
	}
	args = append(args, events.Columns(strings.Count(eventArrays, ",")+1)...)
	args = append(args, rows.Columns(0)...)
	for _, t := range parts {
		args = append(args, t.Columns(0)...)
	}
	return append(args, units.Columns(0)...)
}
