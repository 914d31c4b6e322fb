package list

import (
	"context"
	"crypto/sha256"
	"slices"
	"strconv"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// listCache is what a process caches for the lists it answers (changeFeed): the least recently used go first.
// All of it may be dropped at any time. Decision 33.
type listCache struct {
	feeds   *lru.Cache[feedKey, *changeFeed]
	counts  *lru.Cache[listKey, cachedCount]
	cursors *lru.Cache[cursorKey, pageCursor]
}

type feedKey struct{ tenant, slug string }

// listKey identifies the records that a list is about: tenant, collection, environment and condition.
type listKey [sha256.Size]byte

// cachedCount is how many records a list is about, after the changes before number at of its feed.
type cachedCount struct {
	feed  *changeFeed
	at, n int64
}

func newListCache() *listCache {
	return &listCache{newLRU[feedKey, *changeFeed](maxFeeds), newLRU[listKey, cachedCount](maxCounts), newLRU[cursorKey, pageCursor](maxCursors)}
}

func newLRU[K comparable, V any](size int) *lru.Cache[K, V] {
	cache, _ := lru.New[K, V](size) // fails on sizes below 1
	return cache
}

// feed is the feed of a collection of a tenant, a new one when there is none.
func (l *listCache) feed(k feedKey) *changeFeed {
	if known, ok := l.feeds.Get(k); ok {
		return known
	}
	fresh := &changeFeed{}
	if known, ok, _ := l.feeds.PeekOrAdd(k, fresh); ok { // another list was first
		return known
	}
	return fresh
}

// forget drops everything: the database may be another one than before.
func (l *listCache) forget() {
	l.feeds.Purge()
	l.counts.Purge()
	l.cursors.Purge()
}

// cachedList is a list whose count is remembered, on its way.
type cachedList struct {
	*listQuery

	cache  *listCache
	feed   *changeFeed
	key    listKey
	state  feedState
	total  *int64      // the count by state, nil when it is not known
	cursor *pageCursor // where to go on from, by state; nil: the page is found by its offset
}

// asCached prepares f as a list with a cached count; nil when it cannot be one. Only what one tenant's own
// events describe completely is cached, and nothing of transactions, which see changes of their own.
func (f *listQuery) asCached() *cachedList {
	q := f.q
	if f.atMostOne || f.at.Unfiltered || f.at.Scope.System || len(f.at.Scope.Tenants) != 1 || q.Schema.FrequentlyUpdated || q.Schema.NoEvents || !collection.RecordLocal(q.Where, q.Now) {
		return nil
	}
	tenant := string(f.at.Scope.Tenants[0])
	k := &cachedList{listQuery: f, cache: f.lists.cache, key: listKeyOf(tenant, q)}
	k.feed = f.lists.cache.feed(feedKey{tenant, q.Schema.Slug})
	return k
}

// run answers the list, or reports that it has to be answered without what is remembered.
func (k *cachedList) run(ctx context.Context) (ok bool, err error) {
	remembered := true
	for range 3 {
		k.state = k.feed.stateAt(k.lists.Now())
		k.total, k.cursor, k.page.Docs = k.currentCount(), nil, nil
		if remembered {
			k.cursor = k.findCursor()
		}
		var got listAnswer
		if err := k.ask(ctx, &got); err != nil {
			return false, err
		}
		k.page.Docs = k.page.Docs[min(k.overlap(), len(k.page.Docs)):]
		k.page.Docs = k.page.Docs[:min(k.q.Limit, len(k.page.Docs))]
		if k.state.feedSnapshot != nil && !got.continues(k.state.feedSnapshot) {
			k.feed.reset(k.state.feedSnapshot) // and again from a new beginning
			continue
		}
		fresh, err := k.newChanges(&got)
		if err != nil {
			return false, err
		}
		if k.cursor != nil && !k.pageMatches(fresh) {
			remembered = false // and again by the offset
			continue
		}
		k.finish(&got, fresh)
		return true, nil
	}
	return false, nil
}

// pageMatches reports whether the page that began at the cursor is still the requested one after the changes
// that came in meanwhile.
func (k *cachedList) pageMatches(fresh []*feedChange) bool {
	short := len(k.page.Docs) < k.q.Limit
	return k.rankShift(k.cursor, fresh) == 0 && !(short && k.firstKeyNullable() && k.offset()+int64(len(k.page.Docs)) != *k.total+k.countShift(fresh))
}

// currentCount brings the remembered count up to k.state.
func (k *cachedList) currentCount() *int64 {
	c, ok := k.cache.counts.Get(k.key)
	if !ok || k.state.feedSnapshot == nil || c.feed != k.feed {
		return nil
	}
	later, ok := k.state.changesSince(c.at)
	if !ok {
		return nil
	}
	n := c.n + k.countShift(later)
	return &n
}

// countShift is by how much changes change the count.
func (k *cachedList) countShift(changes []*feedChange) (n int64) {
	for _, c := range changes {
		if k.matches(c.before) {
			n--
		}
		if k.matches(c.after) {
			n++
		}
	}
	return n
}

func (k *cachedList) matches(r collection.Record) bool {
	return r != nil && (k.q.Environment == "" || !k.sh.PerEnvironment || r.Text("environment") == k.q.Environment) && collection.Matches(r, k.q.Where, k.lists.Fold)
}

// finish works out the total as of the snapshot of the answer, and remembers what may be known of it.
func (k *cachedList) finish(got *listAnswer, fresh []*feedChange) {
	old, moved := k.state.feedSnapshot, k.countShift(fresh)
	switch proven, ok := k.provenTotal(); {
	case ok:
		k.page.TotalDocs = proven
		if k.total != nil && proven != *k.total+moved { // a row was written without its event
			k.lists.Logger.Error("cached count was wrong and has been corrected", "collection", k.sh.Schema.Slug, "remembered", *k.total+moved, "proven", proven)
			k.cache.forget()
		}
	case got.count != nil:
		k.page.TotalDocs = *got.count
	default:
		k.page.TotalDocs = *k.total + moved
	}
	next := &feedSnapshot{lastNumber: got.number, lastEvent: got.last, unnumbered: got.unnumbered(), since: k.lists.Now()}
	if old != nil {
		next.nextAt, next.since = old.nextAt+int64(len(fresh)), old.since
	}
	switch {
	case old == nil && len(next.unnumbered) > maxUnnumbered:
	case old != nil && next.lastNumber == old.lastNumber && len(fresh)+len(next.unnumbered)+len(old.unnumbered) == 0: // nothing has changed
		k.saveCount(old.nextAt, k.page.TotalDocs)
		k.saveCursor(old.nextAt)
	case k.feed.advance(old, next, fresh):
		k.saveCount(next.nextAt, k.page.TotalDocs)
		k.saveCursor(next.nextAt)
	case old != nil: // another answer was faster: what held before it can be related to it, this one cannot
		k.saveCount(old.nextAt, k.page.TotalDocs-moved)
	}
}

func (k *cachedList) saveCount(at, n int64) { k.cache.counts.Add(k.key, cachedCount{k.feed, at, n}) }

// newChanges are the changes that k.state did not know.
func (k *cachedList) newChanges(got *listAnswer) (list []*feedChange, err error) {
	if k.state.feedSnapshot == nil {
		return nil, nil
	}
	for _, e := range got.events {
		if k.state.unnumbered[e.eventKey] || e.number > 0 && e.number <= k.state.lastNumber {
			continue
		}
		c := &feedChange{bytes: len(e.text)}
		if c.before, c.after, err = k.sh.DecodeEvent(e.text); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// listAnswer is what the database said besides the page.
type listAnswer struct {
	count  *int64
	events []loggedEvent
	number int64    // of the last numbered event
	last   eventKey // which is this one
}

// loggedEvent is an event; number is 0 while it has none.
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

// continues reports whether the history since old is complete: the last numbered event that was known is
// still there, so are the bodies of those that came after it, and they are not too many to be read at once.
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
)

// ask sends the statement. The page, the count where it is not known, and the events are one statement, so
// that they are read from one snapshot.
func (k *cachedList) ask(ctx context.Context, got *listAnswer) error {
	c, where := *k.compiler, k.where
	c.Args = slices.Clone(k.compiler.Args)
	if c.IndexOrder = k.cursorIndexField(); c.IndexOrder != "" {
		c.Args = nil
		where = k.fromWhere(&c)
	}
	var parts []string
	with := ""
	if k.q.Limit == 0 && k.total != nil {
		c.Args = c.Args[:1] // of the condition nothing but the tenant is needed
	}
	if k.q.Limit > 0 {
		with = "WITH page AS MATERIALIZED (" + k.pageSQL(&c, where) + ") "
		parts = append(parts, "SELECT "+strconv.Itoa(partDoc)+", p.*, "+table.NoText+", "+table.NoNumber+" FROM page p")
	}
	if k.total == nil {
		parts = append(parts, k.part(partCount, table.NoText, k.countExpr(&c), table.NoText, table.NoNumber))
	}
	parts = append(parts, k.newEventParts(&c)...)
	return k.at.Session.Run(ctx, db.Stmt{SQL: with + strings.Join(parts, " UNION ALL "), CustomPlan: c.Skewed, Args: c.Args, OnRow: func(r db.Row) error { return k.scanPart(r, got) }})
}

// pageSQL selects the page. Where it does not begin at the beginning, or an index holds all that is asked
// for, the ids of the page are found first: that reads fewer rows, or none, unless they come in order anyway.
// From a remembered end on, it begins with k.surplus rows too many.
func (k *cachedList) pageSQL(c *table.Compiler, where string) string {
	var ids string
	if k.cursor == nil {
		ids = where + k.orderLimit(c, k.q.Limit, k.offset())
	} else {
		limit := (k.overlap() + k.q.Limit - 1) / k.q.Limit * k.q.Limit // few different ones
		ids = where + k.afterCursor(c, k.cursor) + k.orderLimit(c, k.q.Limit+limit, 0)
	}
	if k.q.Page <= 1 && !k.sh.CoveredByList(k.q) || c.IndexOrder != "" {
		return "SELECT " + k.sh.SelectColumns(c.Env, k.lists.Dialect) + ids
	}
	return "SELECT " + k.sh.SelectColumns(c.Env, k.lists.Dialect) + " FROM (SELECT r.id" + ids + ") k JOIN " + db.Quote(k.sh.Table) + " r ON r.tenant = " + c.Tenant + " AND r.id = k.id ORDER BY " + c.Order(k.sh, k.q.Sort)
}

// cursorIndexField names the field by whose index to go on from a remembered end: among many matching rows
// the next ones are near.
func (k *cachedList) cursorIndexField() string {
	if k.cursor == nil || len(k.q.Sort) == 0 || *k.total < max(cursorIndexMin, 100*int64(k.q.Limit)) {
		return ""
	}
	if f := k.q.Sort[0].Path[0]; len(k.q.Sort[0].Path) == 1 && f.Indexed {
		return f.Name
	}
	return ""
}

// cursorIndexMin are so many that a page is found sooner by going through them in order than by sorting them
// all.
const cursorIndexMin = 2000

// overlap is how many rows lie between the end from which the page was sought and its beginning.
func (k *cachedList) overlap() int {
	if k.cursor == nil {
		return 0
	}
	return int(k.offset() - k.cursor.rank)
}

// countExpr is the count, or null where a short page proves it.
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
	return "SELECT " + strconv.Itoa(n) + ", " + text + ", " + number + ", " + table.NoText + strings.Repeat(", "+table.NoNumber, len(k.sh.Computed)) + ", " + record + ", " + sequence
}

// newEventParts are the parts with the events that are not known yet or, when none is known, the number of
// the last one.
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
		" FROM (SELECT w.record, w.record_sequence FROM unnumbered_events u, unnest(u.records, u.record_sequences) AS w(record, record_sequence)" + about("u") + " LIMIT " + strconv.Itoa(limit) + ") k"}
}

// scanPart reads one row of the answer.
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
		doc, err := k.sh.DecodeRow(table.StoredRow{Doc: text, Sequence: *number, DeletedLinks: gone, Computed: computed})
		k.page.Docs = append(k.page.Docs, doc)
		return err
	case partCount:
		got.count = number
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
