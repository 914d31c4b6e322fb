package list

import (
	"context"
	"strconv"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// talliedRange is what a list whose condition bounds a number has to do with a tally.
type talliedRange struct {
	bounds

	place  *tallyPlace
	making *tallyRows // nil: the list makes no tally
}

// tallyRows is what a list that makes a tally has read of it.
type tallyRows struct {
	tally // still empty, but for records

	by  map[int64]int32
	sum int64
}

// asTallied prepares the use of a tally, for lists that an index serves: making one reads what it is about.
func (k *cachedList) asTallied(tenant string) {
	if b, ok := boundsOf(k.q.Where); ok && k.indexed {
		k.ranged = &talliedRange{bounds: b, place: k.cache.tallies.place(tallyKey(tenant, k.q, b))}
	}
}

// talliedCount is the count by the tally, brought up to k.state. When there is none, or the feed does not reach back
// to it, it is nil, and one may be made in the background.
func (k *cachedList) talliedCount() *int64 {
	r := k.ranged
	if t := r.place.current(); t != nil && k.state.feedSnapshot != nil && t.feed == k.feed {
		if t.at > k.state.nextAt { // another list was faster
			return nil
		}
		if later, ok := k.state.changesSince(t.at); ok {
			if old := len(later) - maxTallyLag; old > maxTallyLag { // the last ones are left to lists that began before them
				next := t.shifted(k.valueShift(later[:old]), t.at+int64(old))
				r.place.replace(t, next)
				t, later = next, later[old:]
			}
			n := t.between(r.within) + k.countShift(later)
			return &n
		}
	}
	if r.making == nil && r.place.due() {
		k.startTally()
	}
	return nil
}

// startTally has the tally made in the background: after a bulk load, whose pages Postgres has not visited yet, that
// may take longer than a request may.
func (k *cachedList) startTally() {
	place, q := k.ranged.place, k.q
	q.Limit, q.Page = 0, 1
	k.lists.Start(func() {
		ctx, cancel := context.WithTimeout(context.Background(), tallyTime)
		defer cancel()
		if err := k.lists.makeTally(ctx, k.at, q); err != nil {
			place.made(nil, false)
			k.lists.Logger.Warn("the values of a range could not be tallied", "collection", k.sh.Schema.Slug, "error", err)
		}
	})
}

// makeTally makes the tally of q, which only counts.
func (l *Finder) makeTally(ctx context.Context, at At, q collection.Query) error {
	f, err := l.query(ctx, at, q)
	if err != nil {
		return err
	}
	k := f.asCached()
	k.ranged.making = &tallyRows{} // see tallyParts
	_, err = k.run(ctx)
	return err
}

// valueShift is by how much changes change the tally.
func (k *cachedList) valueShift(changes []*feedChange) map[int64]int32 {
	by := map[int64]int32{}
	count := func(r collection.Record, n int32) {
		if !k.meets(r, k.ranged.rest) {
			return
		}
		if v, ok := (collection.SortKey{Path: []collection.Field{k.ranged.field}}).Value(r).(int64); ok {
			by[v] += n
		}
	}
	for _, c := range changes {
		count(c.before, -1)
		count(c.after, 1)
	}
	return by
}

// tallyParts are the parts from which the tally is made: a row for each value, and how many records there are.
func (k *cachedList) tallyParts(c *table.Compiler) []string {
	k.ranged.making = &tallyRows{by: map[int64]int32{}}
	limit := " LIMIT " + strconv.Itoa(maxTallyRows+1)
	about := func(cond collection.Cond) string {
		q := k.q
		q.Where = cond
		return " FROM " + db.Quote(k.sh.Table) + " r WHERE " + c.Where(k.sh, q)
	}
	value := c.SortKey(k.sh, []collection.Field{k.ranged.field})
	return []string{
		k.part(partValue, table.NoText, "x.value", table.NoText, "x.n") + " FROM (SELECT v.value, count(*) AS n FROM (SELECT " + value +
			" AS value" + about(k.ranged.rest) + limit + ") v GROUP BY v.value) x",
		k.part(partRecords, table.NoText, "(SELECT count(*) FROM (SELECT 1"+about(nil)+limit+") a)", table.NoText, table.NoNumber),
	}
}

// add is one row of partValue; records without a value are within no range.
func (t *tallyRows) add(value *int64, n int64) {
	if t.sum += n; value != nil && t.sum <= maxTallyRows {
		t.by[*value] = int32(n) //nolint:gosec // at most maxTallyRows
	}
}

// saveTally keeps the tally that was read, less what fresh changed, as of number at of the feed.
func (k *cachedList) saveTally(at int64, fresh []*feedChange) {
	if k.ranged == nil || k.ranged.making == nil {
		return
	}
	m := k.ranged.making
	k.ranged.making = nil
	if m.sum > maxTallyRows {
		k.ranged.place.made(nil, true)
		return
	}
	m.feed = k.feed
	if m.records > maxTallyRows {
		m.records = -1
	}
	for v, n := range k.valueShift(fresh) {
		m.by[v] -= n
	}
	k.ranged.place.made(m.shifted(m.by, at), false)
	k.cache.tallies.trim()
}

// dropTally gives up making a tally.
func (k *cachedList) dropTally() {
	if k.ranged != nil && k.ranged.making != nil {
		k.ranged.making = nil
		k.ranged.place.made(nil, false)
	}
}
