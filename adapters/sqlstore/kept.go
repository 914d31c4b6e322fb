package sqlstore

import (
	"context"
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// lists is what a process remembers for the lists it answers (feed.go). All of it may be forgotten at any time.
type lists struct {
	feeds  recent[feedKey, *feed]
	counts recent[listKey, counted]
	ends   recent[endKey, end]
}

type feedKey struct{ tenant, slug string }

// listKey identifies the records that a list is about: tenant, collection, environment and condition.
type listKey [sha256.Size]byte

// counted is how many records a list is about, after the changes before number at of its feed.
type counted struct {
	feed  *feed
	at, n int64
}

func newLists() *lists {
	return &lists{feeds: recent[feedKey, *feed]{size: maxFeeds}, counts: recent[listKey, counted]{size: maxCounts}, ends: recent[endKey, end]{size: maxEnds}}
}

// forget is for when the database may be another one than before.
func (l *lists) forget() {
	l.feeds.forget()
	l.counts.forget()
	l.ends.forget()
}

// kept is a list whose count is remembered, on its way.
type kept struct {
	*finding

	lists *lists
	feed  *feed
	key   listKey
	state state
	total *int64 // the count by state, nil when it is not known
	from  *end   // where to go on from, by state; nil: the page is found by its offset
}

// keeps prepares f as a kept list; nil when it cannot be one. Only what one tenant's own events say everything about is
// kept, and nothing of transactions, which see changes of their own.
func (f *finding) keeps() *kept {
	s, q := f.v.s, f.q
	if f.one || s.unfenced || f.v.scope.System || len(f.v.scope.Tenants) != 1 || q.Schema.Hot || q.Schema.Silent || !collection.Local(q.Where, q.Now) {
		return nil
	}
	tenant := string(f.v.scope.Tenants[0])
	k := &kept{finding: f, lists: s.lists, key: keyOf(tenant, q)}
	k.feed = s.lists.feeds.getOr(feedKey{tenant, q.Schema.Slug}, func() *feed { return &feed{} })
	return k
}

// run answers the list, or reports that it has to be answered without what is remembered.
func (k *kept) run(ctx context.Context) (ok bool, err error) {
	remembered := true
	for range 3 {
		k.state = k.feed.state(k.v.s.o.Now())
		k.total, k.from, k.page.Docs = k.recall(), nil, nil
		if remembered {
			k.from = k.start()
		}
		var got answer
		if err := k.ask(ctx, &got); err != nil {
			return false, err
		}
		k.page.Docs = k.page.Docs[min(k.surplus(), len(k.page.Docs)):]
		k.page.Docs = k.page.Docs[:min(k.q.Limit, len(k.page.Docs))]
		if k.state.known != nil && !got.follows(k.state.known) {
			k.feed.forget(k.state.known) // and again from a new beginning
			continue
		}
		fresh, err := k.fresh(&got)
		if err != nil {
			return false, err
		}
		if k.from != nil && !k.arrived(fresh) {
			remembered = false // and again by the offset
			continue
		}
		k.conclude(&got, fresh)
		return true, nil
	}
	return false, nil
}

// arrived reports whether the page that began at k.from is the one that was asked for, though changes came in meanwhile.
func (k *kept) arrived(fresh []*change) bool {
	short := len(k.page.Docs) < k.q.Limit
	return k.passed(k.from, fresh) == 0 && !(short && k.sided() && k.offset()+int64(len(k.page.Docs)) != *k.total+k.moved(fresh))
}

// recall brings the remembered count up to k.state.
func (k *kept) recall() *int64 {
	c, ok := k.lists.counts.get(k.key)
	if !ok || k.state.known == nil || c.feed != k.feed {
		return nil
	}
	later, ok := k.state.after(c.at)
	if !ok {
		return nil
	}
	n := c.n + k.moved(later)
	return &n
}

// moved is by how much changes change the count.
func (k *kept) moved(changes []*change) (n int64) {
	for _, c := range changes {
		if k.holds(c.before) {
			n--
		}
		if k.holds(c.after) {
			n++
		}
	}
	return n
}

func (k *kept) holds(r collection.Record) bool {
	return r != nil && (k.q.Environment == "" || !k.sh.env || r.Text("environment") == k.q.Environment) && collection.Holds(r, k.q.Where, k.v.s.o.Fold)
}

// conclude works out the total as of the snapshot of the answer, and remembers what may be known of it.
func (k *kept) conclude(got *answer, fresh []*change) {
	old, moved := k.state.known, k.moved(fresh)
	switch proven, ok := k.proven(); {
	case ok:
		k.page.TotalDocs = proven
		if k.total != nil && proven != *k.total+moved { // somebody wrote past the events
			k.v.s.o.Logger.Error("a remembered count was wrong", "collection", k.sh.schema.Slug, "remembered", *k.total+moved, "proven", proven)
			k.lists.forget()
		}
	case got.count != nil:
		k.page.TotalDocs = *got.count
	default:
		k.page.TotalDocs = *k.total + moved
	}
	next := &known{number: got.number, last: got.last, waiting: got.waiting(), since: k.v.s.o.Now()}
	if old != nil {
		next.at, next.since = old.at+int64(len(fresh)), old.since
	}
	switch {
	case old == nil && len(next.waiting) > maxQueued:
	case old != nil && next.number == old.number && len(fresh)+len(next.waiting)+len(old.waiting) == 0: // nothing has changed
		k.remember(old.at, k.page.TotalDocs)
		k.rememberEnd(old.at)
	case k.feed.learn(old, next, fresh):
		k.remember(next.at, k.page.TotalDocs)
		k.rememberEnd(next.at)
	case old != nil: // another answer was faster: what held before it can be related to it, this one cannot
		k.remember(old.at, k.page.TotalDocs-moved)
	}
}

func (k *kept) remember(at, n int64) { k.lists.counts.put(k.key, counted{k.feed, at, n}) }

// fresh are the changes that k.state did not know.
func (k *kept) fresh(got *answer) (list []*change, err error) {
	if k.state.known == nil {
		return nil, nil
	}
	for _, e := range got.events {
		if k.state.waiting[e.eventKey] || e.number > 0 && e.number <= k.state.number {
			continue
		}
		c := &change{bytes: len(e.text)}
		if c.before, c.after, err = k.sh.decodeEvent(e.text); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// answer is what the database said besides the page.
type answer struct {
	count  *int64
	events []told
	number int64    // of the last numbered event
	last   eventKey // which is this one
}

// told is an event; number is 0 while it has none.
type told struct {
	eventKey

	number int64
	text   []byte // EventText; nil: it is gone, or was not asked for
}

func (a *answer) waiting() map[eventKey]bool {
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

// follows reports whether the history since old is complete: the last numbered event that was known is still there, so
// are the bodies of those that came after it, and they are not too many to be read at once.
func (a *answer) follows(old *known) bool {
	there, waiting := old.number == 0, 0
	for _, e := range a.events {
		switch {
		case e.number > 0 && e.number == old.number:
			there = e.eventKey == old.last
		case e.text == nil:
			return false
		case e.number == 0:
			waiting++
		}
	}
	return there && waiting <= maxChanges && len(a.events)-waiting <= maxChanges
}

// The parts that a statement of a kept list selects, each with columns for: part, text, number, deleted
// relations, computed fields, record, record_sequence.
const (
	partDoc = iota
	partCount
	partEvent
	partNumber
)

const (
	noText   = "CAST(NULL AS text)"
	noNumber = "CAST(NULL AS bigint)"
)

// ask sends the statement. The page, the count where it is not known, and the events are one statement, so that they are
// read from one snapshot.
func (k *kept) ask(ctx context.Context, got *answer) error {
	c, where := *k.c, k.where
	c.a = slices.Clone(k.c.a)
	if c.inOrder = k.ordered(); c.inOrder != "" {
		c.a = nil
		where = k.matching(&c)
	}
	var parts []string
	with := ""
	if k.q.Limit == 0 && k.total != nil {
		c.a = c.a[:1] // of the condition nothing but the tenant is needed
	}
	if k.q.Limit > 0 {
		with = "WITH page AS MATERIALIZED (" + k.near(&c, where) + ") "
		parts = append(parts, "SELECT "+strconv.Itoa(partDoc)+", p.*, "+noText+", "+noNumber+" FROM page p")
	}
	if k.total == nil {
		parts = append(parts, k.part(partCount, noText, k.count(&c), noText, noNumber))
	}
	parts = append(parts, k.news(&c)...)
	return k.v.on.run(ctx, stmt{sql: with + strings.Join(parts, " UNION ALL "), anew: c.skewed, args: c.a, each: func(r row) error { return k.take(r, got) }})
}

// near selects the page. Where it does not begin at the beginning, or an index holds all that is asked for, the ids of the
// page are found first: that reads fewer rows, or none, unless they come in order anyway. From a remembered end on, it begins with k.surplus rows too many.
func (k *kept) near(c *compiler, where string) string {
	var ids string
	if k.from == nil {
		ids = where + k.window(c, k.q.Limit, k.offset())
	} else {
		limit := (k.surplus() + k.q.Limit - 1) / k.q.Limit * k.q.Limit // few different ones
		ids = where + k.beyond(c, k.from) + k.window(c, k.q.Limit+limit, 0)
	}
	if k.q.Page <= 1 && !k.sh.covers(k.q) || c.inOrder != "" {
		return "SELECT " + k.sh.selects(c.env, k.v.s.d) + ids
	}
	return "SELECT " + k.sh.selects(c.env, k.v.s.d) + " FROM (SELECT r.id" + ids + ") k JOIN " + quote(k.sh.table) + " r ON r.tenant = " + c.tenant + " AND r.id = k.id ORDER BY " + c.order(k.sh, k.q.Sort)
}

// ordered names the field by whose index to go on from a remembered end: among many matching rows the next ones are near.
func (k *kept) ordered() string {
	if k.from == nil || len(k.q.Sort) == 0 || *k.total < max(manyRows, 100*int64(k.q.Limit)) {
		return ""
	}
	if f := k.q.Sort[0].Path[0]; len(k.q.Sort[0].Path) == 1 && f.Indexed {
		return f.Name
	}
	return ""
}

// manyRows are so many that a page is found sooner by going through them in order than by sorting them all.
const manyRows = 2000

// surplus is how many rows lie between the end from which the page was sought and its beginning.
func (k *kept) surplus() int {
	if k.from == nil {
		return 0
	}
	return int(k.offset() - k.from.rank)
}

// count is the count, or null where a short page proves it.
func (k *kept) count(c *compiler) string {
	count := "(SELECT count(*)" + k.where + ")"
	if k.q.Limit == 0 {
		return count
	}
	short := "(SELECT count(*) FROM page) < " + c.a.bind(int64(k.q.Limit))
	if k.offset() > 0 {
		short += " AND (SELECT count(*) FROM page) > 0"
	}
	return "CASE WHEN " + short + " THEN NULL ELSE " + count + " END"
}

// part selects one row or, with a FROM, one per row of it.
func (k *kept) part(n int, text, number, record, sequence string) string {
	return "SELECT " + strconv.Itoa(n) + ", " + text + ", " + number + ", " + noText + strings.Repeat(", "+noNumber, len(k.sh.sources)) + ", " + record + ", " + sequence
}

// news are the parts that tell the events that are not known; in the beginning, where the events stand.
func (k *kept) news(c *compiler) []string {
	about := func(alias string) string { return k.v.s.logged(alias, c.tenant, k.sh.schema.Slug) }
	var numbered string
	text, limit := noText, maxQueued+1
	if k.state.known == nil {
		numbered = k.part(partNumber, noText, "k.sequence", "k.record", "k.record_sequence") +
			" FROM " + k.v.s.d.lastNumber(about("l")) + " k"
	} else {
		number := c.a.bind(k.state.number)
		text, limit = k.v.s.textOf(c.tenant, "k"), maxChanges+1
		numbered = k.part(partEvent, "CASE WHEN k.sequence > "+number+" THEN "+text+" END", "k.sequence", "k.record", "k.record_sequence") +
			" FROM " + k.v.s.d.numbersFrom(about("l"), number, strconv.Itoa(maxChanges+2)) + " k"
	}
	if !k.v.s.d.postgres {
		return []string{numbered}
	}
	return []string{numbered, k.part(partEvent, text, "0", "k.record", "k.record_sequence") +
		" FROM (SELECT w.record, w.record_sequence FROM unnumbered u, unnest(u.records, u.record_sequences) AS w(record, record_sequence)" + about("u") + " LIMIT " + strconv.Itoa(limit) + ") k"}
}

// textOf finds the EventText of the event that alias names, by its key however the table is filled.
func (s *Store) textOf(tenant, alias string) string {
	if !s.d.postgres {
		return "(SELECT " + eventText + s.notHot() + ")) END FROM events e WHERE e.tenant = " + tenant + " AND e.sequence = " + alias + ".sequence)"
	}
	return "(SELECT " + EventText + " FROM events e WHERE e.tenant = " + tenant + " AND e.record = " + alias + ".record AND e.record_sequence = " + alias + ".record_sequence)"
}

// take reads one row of the answer.
func (k *kept) take(r row, got *answer) error {
	var part int
	var text []byte
	var number, sequence *int64
	var record, gone *string
	computed := make([]*int64, len(k.sh.sources))
	dest := []any{&part, &text, &number, &gone}
	for i := range computed {
		dest = append(dest, &computed[i])
	}
	if err := r.Scan(append(dest, &record, &sequence)...); err != nil {
		return err
	}
	switch part {
	case partDoc:
		doc, err := k.sh.record(stored{text, *number, gone, computed})
		k.page.Docs = append(k.page.Docs, doc)
		return err
	case partCount:
		got.count = number
	case partNumber:
		got.number, got.last = *number, eventKey{*record, *sequence}
	default:
		e := told{eventKey{*record, *sequence}, *number, text}
		if e.number > got.number {
			got.number, got.last = e.number, e.eventKey
		}
		got.events = append(got.events, e)
	}
	return nil
}
