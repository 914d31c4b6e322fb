package eventlog

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Tables makes statements about the log of events.
type Tables struct {
	Dialect *db.Dialect
	Hot     []string // slugs of the collections that change constantly
	Kept    []string // slugs of the collections whose events are never trimmed
}

// LoggedWhere is the condition on the events of a tenant in a collection that is not hot. SQLite uses the
// index without the hot ones only where a statement repeats the condition of that index.
func (l Tables) LoggedWhere(alias, tenant, slug string) string {
	return " WHERE " + alias + ".tenant = " + tenant + " AND " + alias + ".collection = '" + slug + "'" + l.exceptHot()
}

// exceptHot is the condition of the indexes on SQLite that leave hot collections out.
func (l Tables) exceptHot() string {
	if l.Dialect.Postgres || len(l.Hot) == 0 {
		return ""
	}
	return " AND " + table.ExceptCollections(l.Hot)
}

// NumberedFrom is a table of the numbered events l that match where, from number on and at most limit of
// them, in order: tenant, sequence, record, record_sequence.
func (l Tables) NumberedFrom(where, number, limit string) string {
	if !l.Dialect.Postgres {
		return "(SELECT l.tenant, l.sequence, l.record, l.record_sequence FROM events l" + where + " AND l.sequence >= " + number +
			" ORDER BY l.sequence LIMIT " + limit + ")"
	}
	return l.numbered(numbersOf{where: where, from: number, limit: limit})
}

// numbersOf are some numbers of the log on Postgres: those of rows l that match where, from a number on and below another one
// ("": without that bound), in an order ("" or " DESC") and at most limit of them.
type numbersOf struct{ where, from, below, order, limit string }

// numbered is a table of numbers: tenant, sequence, record, record_sequence.
func (l Tables) numbered(n numbersOf) string {
	const number = "l.sequence - cardinality(l.records) + x.place"
	below := ""
	if n.below != "" {
		below = " AND " + number + " < " + n.below
	}
	return "(SELECT l.tenant, " + number + " AS sequence, x.record, x.record_sequence FROM (SELECT * FROM event_log l" + n.where +
		" AND l.sequence >= " + n.from + " ORDER BY l.sequence" + n.order + " LIMIT " + n.limit +
		") l, unnest(l.records, l.record_sequences) WITH ORDINALITY AS x(record, record_sequence, place)" +
		" WHERE " + number + " >= " + n.from + below + " ORDER BY 2" + n.order + " LIMIT " + n.limit + ")"
}

// LastNumber is a table of the last of them.
func (l Tables) LastNumber(where string) string {
	log, record, sequence := "events", "l.record", "l.record_sequence"
	if l.Dialect.Postgres {
		log, record, sequence = "event_log", "l.records[cardinality(l.records)]", "l.record_sequences[cardinality(l.records)]"
	}
	return "(SELECT l.sequence, " + record + " AS record, " + sequence + " AS record_sequence FROM " + log + " l" + where +
		" ORDER BY l.sequence DESC LIMIT 1)"
}

// EventTextExpr finds the EventText of the event that alias names, by its key however the table is filled.
func (l Tables) EventTextExpr(tenant, alias string) string {
	if !l.Dialect.Postgres {
		return "(SELECT " + table.EventTextOpen + l.exceptHot() + ")) END FROM events e WHERE e.tenant = " + tenant + " AND e.sequence = " +
			alias + ".sequence)"
	}
	return "(SELECT " + table.EventText + " FROM events e WHERE e.tenant = " + tenant + " AND e.record = " + alias +
		".record AND e.record_sequence = " + alias + ".record_sequence)"
}

// trimmableUntil is the number up to which everything behind from happened before a time, and how many rows
// of the log that is.
func (l Tables) trimmableUntil(
	ctx context.Context, on db.Session, id tenant.ID, from int64, before time.Time,
) (until int64, rows int, err error) {
	text := "SELECT l.sequence, l.occurred_at FROM events l WHERE l.tenant = $1 AND l.sequence > $2 ORDER BY l.sequence LIMIT $3"
	if l.Dialect.Postgres {
		text = "SELECT l.sequence, (SELECT max(e.occurred_at) FROM unnest(l.records, l.record_sequences) AS x(record, record_sequence) JOIN events e ON e.tenant = l.tenant AND e.record = x.record AND e.record_sequence = x.record_sequence)" +
			" FROM event_log l WHERE l.tenant = $1 AND l.sequence > $2 ORDER BY l.sequence LIMIT $3"
	}
	until = from
	young := false
	err = db.Query(ctx, on, func(r db.Row) error {
		var n int64
		var at db.NullTime
		err := r.Scan(&n, &at)
		if young = young || !at.Before(before); !young {
			until = n
			rows++
		}
		return err
	}, text, string(id), from, int64(trimBatch))
	return until, rows, err
}

// trimSQL delete what is not needed any more once the numbers of tenant $1 from $2 (not itself) to $3 are
// trimmed. Every event is found by its key, however the table is filled.
func (l Tables) trimSQL() []string {
	const numbers = "tenant = $1 AND sequence > $2 AND sequence <= $3"
	kept := func(of string) string {
		if len(l.Kept) == 0 {
			return ""
		}
		return " AND " + of + ".collection NOT IN ('" + strings.Join(l.Kept, "', '") + "')"
	}
	if l.Dialect.Postgres {
		return []string{
			"DELETE FROM events WHERE ctid = ANY (ARRAY(SELECT k.ctid FROM event_log l, unnest(l.records, l.record_sequences) AS w(record, record_sequence), LATERAL (SELECT x.ctid FROM events x" +
				" WHERE x.tenant = l.tenant AND x.record = w.record AND x.record_sequence <= w.record_sequence AND (x.record_sequence < w.record_sequence OR x.operation = 'delete') OFFSET 0) k" +
				" WHERE l.tenant = $1 AND l.sequence > $2 AND l.sequence <= $3" + kept("l") + "))",
			"DELETE FROM event_log WHERE " + numbers,
		}
	}
	cold, hot := "", ""
	for _, slug := range l.Hot {
		cold += " AND x.collection <> '" + slug + "'"
		hot += " OR collection = '" + slug + "'"
	}
	return []string{
		"DELETE FROM events WHERE tenant = $1 AND sequence IN (SELECT x.sequence FROM events e CROSS JOIN events x WHERE e.tenant = $1 AND e.sequence > $2 AND e.sequence <= $3" +
			" AND x.tenant = $1 AND x.record = e.record AND x.record_sequence < e.record_sequence" + cold + kept("x") + ")",
		"DELETE FROM events WHERE " + numbers + " AND (operation = 'delete'" + hot + ")" + kept("events"),
	}
}

// IndexedByRecord reports whether an index finds the events of a collection by their record. On SQLite those of hot collections
// have none: the log of the tenant is gone through.
func (l Tables) IndexedByRecord(slug string) bool {
	return l.Dialect.Postgres || !slices.Contains(l.Hot, slug)
}

// EventsOfRecords selects the events of records $2 of tenant $1 in a collection: the record, what tells the event from others of
// the record, doc and previous_doc.
func (l Tables) EventsOfRecords(slug string) string {
	key, index := "e.record_sequence", ""
	if !l.Dialect.Postgres {
		if key = "e.sequence"; l.IndexedByRecord(slug) {
			index = l.exceptHot()
		}
	}
	return "SELECT e.record, " + key + ", e.doc, e.previous_doc FROM events e WHERE e.tenant = $1 AND " + l.Dialect.InList("e.record", "$2") +
		" AND e.collection = '" + slug + "'" + index
}

// Between limits EventsOfRecords of a collection that is not IndexedByRecord to the numbers behind $3 until $4, and Numbered to
// the numbers $3, a list.
const (
	Between  = " AND e.sequence > $3 AND e.sequence <= $4"
	Numbered = " AND e.sequence IN (SELECT CAST(value AS INTEGER) FROM json_each($3))"
)

// RewriteEvent replaces doc by $4 and previous_doc by $5 in the event of record $2 of tenant $1 that $3 tells from others.
func (l Tables) RewriteEvent() string {
	key := "record_sequence"
	if !l.Dialect.Postgres {
		key = "sequence"
	}
	return "UPDATE events SET doc = $4, previous_doc = $5 WHERE tenant = $1 AND record = $2 AND " + key + " = $3"
}
