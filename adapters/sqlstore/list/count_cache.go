package list

import (
	"context"
	"crypto/sha256"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// listCache is what a process caches for the lists it answers; the least recently used entries are evicted.
// All of it may be dropped at any time. Decision 33.
type listCache struct {
	feeds   *lru.Cache[feedKey, *changeFeed]
	counts  *lru.Cache[listKey, cachedCount]
	cursors *lru.Cache[cursorKey, pageCursor]
	tallies tallies
	texts   textOrders
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
	return &listCache{
		newLRU[feedKey, *changeFeed](maxFeeds), newLRU[listKey, cachedCount](maxCounts), newLRU[cursorKey, pageCursor](maxCursors),
		newTallies(), textOrders{newLRU[textOrderKey, knownLocales](maxTextOrders)},
	}
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
	l.tallies.places.Purge()
	l.texts.known.Purge()
}

// cachedList is one execution of a list with a cached count.
type cachedList struct {
	*listQuery

	cache  *listCache
	feed   *changeFeed
	key    listKey
	state  feedState
	total  *int64        // the count by state, nil when it is not known
	cursor *pageCursor   // where the page starts, by state; nil: the page is found by its offset
	ranged *talliedRange // nil: the condition bounds no number, or no index serves it
}

// asCached prepares f as a list with a cached count; nil when it cannot be one. Only what one tenant's own
// events describe completely is cached, and nothing of transactions, which see changes of their own.
func (f *listQuery) asCached() *cachedList {
	q := f.q
	if f.atMostOne || f.at.Unfiltered || f.at.Scope.System || len(f.at.Scope.Tenants) != 1 || q.Schema.FrequentlyUpdated ||
		q.Schema.NoEvents || !collection.RecordLocal(q.Where, q.Now) {
		return nil
	}
	tenant := string(f.at.Scope.Tenants[0])
	k := &cachedList{listQuery: f, cache: f.lists.cache, key: listKeyOf(tenant, q)}
	k.feed = f.lists.cache.feed(feedKey{tenant, q.Schema.Slug})
	k.asTallied(tenant)
	return k
}

// run answers the list; !ok means that it has to be answered without the cache.
func (k *cachedList) run(ctx context.Context) (ok bool, err error) {
	useCursor, mayKnow := true, true
	defer k.dropTally()
	for range 3 {
		k.state = k.feed.stateAt(k.lists.Now())
		k.total, k.cursor, k.page.Docs, k.page.Bytes = k.currentCount(), nil, nil, 0 //nolint:contextcheck // a tally is made beside the request
		if useCursor {
			k.cursor = k.findCursor()
		}
		if k.texts != nil {
			k.texts.Complete = mayKnow && k.knowsLocales()
		}
		var got listAnswer
		if err := k.query(ctx, &got); err != nil {
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
		if k.texts != nil && k.texts.Complete && k.bringsLocales(fresh) {
			mayKnow = false // and again with the records in others
			continue
		}
		if k.cursor != nil && !k.pageMatches(fresh) {
			useCursor = false // and again by the offset
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
	return k.rankShift(k.cursor, fresh) == 0 &&
		!(short && k.firstKeyNullable() && k.offset()+int64(len(k.page.Docs)) != *k.total+k.countShift(fresh))
}

// currentCount is the cached count brought up to k.state; nil when there is none.
func (k *cachedList) currentCount() *int64 {
	if c, ok := k.cache.counts.Get(k.key); ok && k.state.feedSnapshot != nil && c.feed == k.feed {
		if later, ok := k.state.changesSince(c.at); ok {
			n := c.n + k.countShift(later)
			return &n
		}
	}
	if k.ranged != nil {
		return k.talliedCount()
	}
	return nil
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

func (k *cachedList) matches(r collection.Record) bool { return k.meets(r, k.q.Where) }

// meets is matches with another condition than k's.
func (k *cachedList) meets(r collection.Record, cond collection.Cond) bool {
	return r != nil && (k.q.Environment == "" || !k.sh.PerEnvironment || r.Text("environment") == k.q.Environment) &&
		collection.Matches(r, cond, k.lists.Fold)
}

// finish computes the total as of the snapshot of the answer, and caches what it can.
func (k *cachedList) finish(got *listAnswer, fresh []*feedChange) {
	old, moved := k.state.feedSnapshot, k.countShift(fresh)
	switch proven, ok := k.provenTotal(); {
	case ok:
		k.page.TotalDocs = proven
		if k.total != nil && proven != *k.total+moved { // a row was written without its event
			k.lists.Logger.Error("cached count was wrong and has been corrected", "collection", k.sh.Schema.Slug, "cached", *k.total+moved,
				"proven", proven)
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
		k.saveTally(old.nextAt, nil)
		k.saveCursor(old.nextAt)
	case k.feed.advance(old, next, fresh):
		k.saveCount(next.nextAt, k.page.TotalDocs)
		k.saveTally(next.nextAt, nil)
		k.saveCursor(next.nextAt)
	case old != nil: // another list was faster: the count before its changes can be cached, the one after cannot
		k.saveCount(old.nextAt, k.page.TotalDocs-moved)
		k.saveTally(old.nextAt, fresh)
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
