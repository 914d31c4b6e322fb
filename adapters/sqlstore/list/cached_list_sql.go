package list

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// listAnswer is what the statement of a cached list returned besides the page.
type listAnswer struct {
	count  *int64
	events []loggedEvent
	number int64    // of the last numbered event
	last   eventKey // which is this one
}

// loggedEvent is an event of the log; number is 0 until it is numbered.
type loggedEvent struct {
	eventKey

	number int64
	text   []byte // EventText; nil: it was trimmed, or not selected
}

func (a *listAnswer) unnumbered() map[eventKey]bool {
	var all map[eventKey]bool
	for _, e := range a.events {
		if e.number == 0 {
			if all == nil {
				all = map[eventKey]bool{}
			}
			all[e.eventKey] = true
		}
	}
	return all
}

// continues reports whether the events since old are complete: the last numbered event of old still exists, the
// events after it still have their texts, and they are few enough to be read at once.
func (a *listAnswer) continues(old *feedSnapshot) bool {
	there, waiting := old.lastNumber == 0, 0
	for _, e := range a.events {
		switch {
		case e.number > 0 && e.number == old.lastNumber:
			there = e.eventKey == old.lastEvent
		case e.text == nil:
			return false
		case e.number == 0:
			waiting++
		}
	}
	return there && waiting <= maxChanges && len(a.events)-waiting <= maxChanges
}

// The parts that the statement of a cached list selects, each with columns for: part, text, number, deleted
// relations, computed fields, record, record_sequence.
const (
	partDoc = iota
	partCount
	partEvent
	partNumber
	partValue   // of a tally: a value, and how many records have it
	partRecords // of a tally: how many records there are
)

// query runs the statement. The page, the count where it is not known, and the events are one statement, so
// that they are read from one snapshot.
func (k *cachedList) query(ctx context.Context, got *listAnswer) error {
	c, where := *k.compiler, k.where
	c.Args = slices.Clone(k.compiler.Args)
	way := k.wayToPage()
	if c.IndexOrder = way.indexOrder; c.IndexOrder != "" {
		c.Args = nil
		where = k.fromWhere(&c)
	}
	var parts []string
	with := ""
	if k.q.Limit == 0 && k.total != nil {
		c.Args = c.Args[:1] // of the condition nothing but the tenant is needed
	}
	if k.q.Limit > 0 {
		page := "(" + k.pageSQL(&c, where, way) + ")"
		if k.total == nil { // the count reads it, too
			with, page = "WITH page AS MATERIALIZED "+page+" ", "page"
		}
		parts = append(parts, "SELECT "+strconv.Itoa(partDoc)+", p.*, "+table.NoText+", "+table.NoNumber+" FROM "+page+" p")
	}
	if k.total == nil {
		parts = append(parts, k.part(partCount, table.NoText, k.countExpr(&c), table.NoText, table.NoNumber))
	}
	parts = append(parts, k.newEventParts(&c)...)
	making := k.ranged != nil && k.ranged.making != nil
	if making {
		parts = append(parts, k.tallyParts(&c)...)
	}
	return k.at.Session.Run(ctx, db.Stmt{
		SQL: with + strings.Join(parts, " UNION ALL "), Args: c.Args,
		CustomPlan: c.Skewed, GenericPlan: (way.planned() || k.texts != nil && k.q.Limit > 0) && !c.Skewed, Costly: making || k.costly(),
		OnRow: func(r db.Row) error { return k.scanPart(r, got) },
	})
}

// costly is listQuery.costly; from a cursor no rows are skipped.
func (k *cachedList) costly() bool { return !k.indexed || k.cursor == nil && k.listQuery.costly() }

// overlap is how many rows lie between the cursor and the beginning of the page.
func (k *cachedList) overlap() int {
	if k.cursor == nil {
		return 0
	}
	return int(k.offset() - k.cursor.rank)
}

// countExpr is the count, or null where a page that is not full proves it.
func (k *cachedList) countExpr(c *table.Compiler) string {
	count := "(SELECT count(*)" + k.where + ")"
	if k.q.Limit == 0 {
		return count
	}
	short := "(SELECT count(*) FROM page) < " + c.Args.Bind(int64(k.q.Limit))
	if k.offset() > 0 {
		short += " AND (SELECT count(*) FROM page) > 0"
	}
	return "CASE WHEN " + short + " THEN NULL ELSE " + count + " END"
}

// part selects one row or, with a FROM, one per row of it.
func (k *cachedList) part(n int, text, number, record, sequence string) string {
	return "SELECT " + strconv.Itoa(n) + ", " + text + ", " + number + ", " + table.NoText +
		strings.Repeat(", "+table.NoNumber, len(k.sh.Computed)) + ", " + record + ", " + sequence
}

// newEventParts are the parts with the events that the feed does not have yet or, when the feed is empty, the
// number of the last one.
func (k *cachedList) newEventParts(c *table.Compiler) []string {
	about := func(alias string) string { return k.lists.Events.LoggedWhere(alias, c.Tenant, k.sh.Schema.Slug) }
	var numbered string
	text, limit := table.NoText, maxUnnumbered+1
	if k.state.feedSnapshot == nil {
		numbered = k.part(partNumber, table.NoText, "k.sequence", "k.record", "k.record_sequence") +
			" FROM " + k.lists.Events.LastNumber(about("l")) + " k"
	} else {
		number := c.Args.Bind(k.state.lastNumber)
		text, limit = k.lists.Events.EventTextExpr(c.Tenant, "k"), maxChanges+1
		numbered = k.part(partEvent, "CASE WHEN k.sequence > "+number+" THEN "+text+" END", "k.sequence", "k.record", "k.record_sequence") +
			" FROM " + k.lists.Events.NumberedFrom(about("l"), number, strconv.Itoa(maxChanges+2)) + " k"
	}
	if !k.lists.Dialect.Postgres {
		return []string{numbered}
	}
	return []string{numbered, k.part(partEvent, text, "0", "k.record", "k.record_sequence") +
		" FROM (SELECT w.record, w.record_sequence FROM unnumbered_events u, unnest(u.records, u.record_sequences) AS w(record, record_sequence)" +
		about("u") + " LIMIT " + strconv.Itoa(limit) + ") k"}
}

// scanPart reads one row of the result.
func (k *cachedList) scanPart(r db.Row, got *listAnswer) error {
	var part int
	var text []byte
	var number, sequence *int64
	var record, gone *string
	computed := make([]*int64, len(k.sh.Computed))
	dest := []any{&part, &text, &number, &gone}
	for i := range computed {
		dest = append(dest, &computed[i])
	}
	if err := r.Scan(append(dest, &record, &sequence)...); err != nil {
		return err
	}
	switch part {
	case partDoc:
		if err := k.addBytes(len(text)); err != nil {
			return err
		}
		doc, err := k.sh.DecodeRow(table.StoredRow{Doc: text, Sequence: *number, DeletedLinks: gone, Computed: computed})
		return k.page.AddRecord(k.q, doc, err)
	case partCount:
		got.count = number
	case partValue:
		k.ranged.making.add(number, *sequence)
	case partRecords:
		k.ranged.making.records = *number
	case partNumber:
		got.number, got.last = *number, eventKey{*record, *sequence}
	default:
		e := loggedEvent{eventKey{*record, *sequence}, *number, text}
		if e.number > got.number {
			got.number, got.last = e.number, e.eventKey
		}
		got.events = append(got.events, e)
	}
	return nil
}
