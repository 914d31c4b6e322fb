package eventlog

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// trimmed is the number up to which the log of tenant $1 was trimmed.
const trimmed = "coalesce((SELECT f.trimmed FROM event_trims f WHERE f.tenant = $1), 0)"

// log is the table whose rows have the numbers.
func (l Tables) log() string {
	if l.Dialect.Postgres {
		return "event_log"
	}
	return "events"
}

// bounds selects the last number that was given out to tenant $1, and the one that ends a page which begins
// after $2 and is $3 long: null where there is none behind $2. Between the two, up to where the log was
// trimmed: SQLite keeps some of the events there, which later ones need.
func (l Tables) bounds() string {
	return "SELECT s.last, s.trimmed, (SELECT max(h.sequence) FROM " + l.log() +
		" h WHERE h.tenant = $1 AND h.sequence <= s.first + $3) FROM (SELECT c.last, " + trimmed + " AS trimmed, " +
		"(SELECT min(l.sequence) FROM " + l.log() + " l WHERE l.tenant = $1 AND l.sequence > $2 AND l.sequence > " + trimmed +
		") AS first FROM event_counters c WHERE c.tenant = $1) s"
}

// boundsBefore is bounds for a page that begins with number $2 and goes down: the last column is the row of the log that has it,
// or the last one.
func (l Tables) boundsBefore() string {
	return "SELECT c.last, " + trimmed + ", (SELECT min(l.sequence) FROM " + l.log() +
		" l WHERE l.tenant = $1 AND l.sequence >= $2 OR l.tenant = $1 AND l.sequence = c.last) FROM event_counters c WHERE c.tenant = $1"
}

// page selects the events of a page up to number end, the last one of a row of the log: of each number in question, whether it
// is shown or not, its place, what it is about and its EventText, null if that is of the other environment, of another actor
// or gone. A descending page begins with the numbers before q.Before and ends with the one after q.After.
func (l Tables) page(within table.TenantScope, q ports.EventQuery, end int64) (text string, a db.Args) {
	where := " WHERE " + within.TenantFilter(&a, "l") + " AND l.sequence <= " + a.Bind(end)
	from, limit := a.Bind(q.After+1), strconv.Itoa(q.Limit) // a plan that is made once for all limits is made for large ones
	if q.Collections != nil {
		where += " AND " + l.Dialect.InList("l.collection", a.Bind(q.Collections))
	}
	shown, order, below := l.shown(q.Environment, q.Actor, &a), "", ""
	if q.Before > 0 {
		below = a.Bind(q.Before)
	}
	if q.Descending {
		order = " DESC"
	}
	matching := ""
	if q.Actor != "" { // few may match: all numbers up to end are looked at, and only what matches is read
		limit, matching, shown = l.unlimited(), " WHERE "+shown, "TRUE"
	}
	rest := matching + " ORDER BY n.sequence" + order + " LIMIT " + strconv.Itoa(q.Limit)
	columns := eventColumns + ", CASE WHEN " + shown + " THEN " + table.EventTextOpen + l.exceptHot() + ")) END END"
	if q.WithoutBodies {
		columns = eventColumns + ", CASE WHEN e.id IS NOT NULL AND " + shown + " THEN '{}' END"
	}
	if !l.Dialect.Postgres { // the log and the events are one table
		if below != "" {
			where += " AND l.sequence < " + below
		}
		return "SELECT e.sequence, " + columns + " FROM (SELECT l.tenant, l.sequence FROM events l" + where +
			" AND l.sequence >= " + from + " ORDER BY l.sequence" + order +
			" LIMIT " + limit + ") n JOIN events e ON e.tenant = n.tenant AND e.sequence = n.sequence" + rest, a
	}
	// Each event is found by its key, however the table is filled.
	return "SELECT n.sequence, " + columns + " FROM " + l.numbered(numbersOf{where, from, below, order, limit}) +
		" n LEFT JOIN LATERAL (SELECT * FROM events k" +
		" WHERE k.tenant = n.tenant AND k.record = n.record AND k.record_sequence = n.record_sequence LIMIT 1) e ON TRUE" + rest, a
}

// eventColumns are those of an event that logPage reads after its number.
const eventColumns = "e.record, e.record_sequence, e.id, e.collection, e.operation, e.environment, e.occurred_at, e.actor"

// unlimited is a LIMIT of any number of rows.
func (l Tables) unlimited() string {
	if l.Dialect.Postgres {
		return "ALL"
	}
	return "-1"
}

// likeEscapes makes a pattern of a text.
var likeEscapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// shown is the condition on the events e of an environment, or of both, and of an actor.
func (l Tables) shown(env tenant.Environment, actor string, a *db.Args) string {
	shown := "TRUE"
	if env != "" {
		shown = "(e.environment IS NULL OR e.environment = " + a.Bind(string(env)) + ")"
	}
	if actor != "" {
		actor = likeEscapes.Replace(actor)
		pattern := "% " + actor
		if slices.Contains(tenant.ActorKinds, actor) {
			pattern = actor + " %"
		}
		shown += " AND e.actor LIKE " + a.Bind(pattern) + ` ESCAPE '\'`
	}
	return shown
}

// history selects the events of records as page does, in their order, with number 0.
func (l Tables) history(within table.TenantScope, q ports.HistoryQuery) (text string, a db.Args) {
	where := " WHERE " + within.TenantFilter(&a, "e") + " AND " + l.Dialect.InList("e.record", a.Bind(q.Records)) +
		strings.ReplaceAll(l.exceptHot(), "collection", "e.collection") + " AND " + l.shown(q.Environment, q.Actor, &a)
	if q.After > 0 {
		where += " AND e.record_sequence > " + a.Bind(q.After)
	}
	if q.Before > 0 {
		where += " AND e.record_sequence < " + a.Bind(q.Before)
	}
	if !q.BeforeTime.IsZero() {
		where += " AND (e.occurred_at, e.id) < (" + a.Bind(q.BeforeTime) + ", " + a.Bind(q.BeforeID) + ")"
	}
	order := "e.occurred_at, e.id"
	if len(q.Records) == 1 {
		order = "e.record_sequence"
	}
	if q.Descending {
		order = strings.ReplaceAll(order, ",", " DESC,") + " DESC"
	}
	return "SELECT 0, " + eventColumns + ", " + table.EventTextOpen + l.exceptHot() + ")) END FROM events e" + where + " ORDER BY " + order +
		" LIMIT " + strconv.Itoa(q.Limit), a
}
