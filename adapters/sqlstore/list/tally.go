package list

import (
	"crypto/sha256"
	"math"
	"slices"
	"sort"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// The limits of tallies.
const (
	maxTallies    = 4096     // conditions whose ranges are noticed, most of them without a tally
	maxTallyBytes = 32 << 20 // of all tallies
	maxTallyRows  = 200_000  // records that a tally is made from; of more, each range is counted
	tallyEntry    = 8 + 4    // bytes of a distinct value
	tallyAfter    = 3        // ranges that are counted before a tally is made
	maxTallyLag   = 32       // changes that each list applies anew; from twice as many on, the tally takes the older half
)

// tallyTime bounds the making of a tally.
const tallyTime = time.Minute

// tally is how many records that meet the rest of a list's condition have each value of the field that the condition
// bounds, so that the count of any range is two binary searches. A shop's visitors move price sliders: nearly every
// range is one that was never counted. It is immutable.
type tally struct {
	feed    *changeFeed
	at      int64   // it contains the changes before this number of its feed
	values  []int64 // distinct, ascending, in column form
	upTo    []int32 // how many records have this value or a smaller one
	records int64   // of the collection, whatever they are; -1: more than were counted
}

// atMost is how many records have a value of at most limit.
func (t *tally) atMost(limit int64) int64 {
	i := sort.Search(len(t.values), func(i int) bool { return t.values[i] > limit })
	if i == 0 {
		return 0
	}
	return int64(t.upTo[i-1])
}

// between is how many records have a value within r.
func (t *tally) between(r valueRange) int64 {
	if r.least > r.most {
		return 0
	}
	n := t.atMost(r.most)
	if r.least > math.MinInt64 {
		n -= t.atMost(r.least - 1)
	}
	return n
}

func (t *tally) bytes() int64 { return int64(len(t.values)) * tallyEntry }

// shifted is t with so many records more, or fewer, of each value, as of number at of the feed.
func (t *tally) shifted(by map[int64]int32, at int64) *tally {
	next := &tally{feed: t.feed, at: at, records: t.records}
	next.values, next.upTo = make([]int64, 0, len(t.values)+len(by)), make([]int32, 0, len(t.values)+len(by))
	fresh := make([]int64, 0, len(by))
	for v := range by {
		fresh = append(fresh, v)
	}
	slices.Sort(fresh)
	var before, sum int32
	add := func(value int64, n int32) {
		if n != 0 {
			sum += n
			next.values, next.upTo = append(next.values, value), append(next.upTo, sum)
		}
	}
	for i, v := range t.values {
		for len(fresh) > 0 && fresh[0] < v {
			add(fresh[0], by[fresh[0]])
			fresh = fresh[1:]
		}
		n := t.upTo[i] - before
		before = t.upTo[i]
		if len(fresh) > 0 && fresh[0] == v {
			n += by[v]
			fresh = fresh[1:]
		}
		add(v, n)
	}
	for _, v := range fresh {
		add(v, by[v])
	}
	return next
}

// valueRange is a range of values in column form, with both of its ends.
type valueRange struct{ least, most int64 }

// narrow applies a comparison; ok is false for one that is no bound.
func (r *valueRange) narrow(op collection.Op, v int64) (ok bool) {
	switch op {
	case collection.GreaterThan:
		if v == math.MaxInt64 {
			*r = valueRange{1, 0}
			return true
		}
		r.least = max(r.least, v+1)
	case collection.GreaterThanEqual:
		r.least = max(r.least, v)
	case collection.LessThan:
		if v == math.MinInt64 {
			*r = valueRange{1, 0}
			return true
		}
		r.most = min(r.most, v-1)
	case collection.LessThanEqual:
		r.most = min(r.most, v)
	default:
		return false
	}
	return true
}

// bounds is a condition as a range of one field and the rest.
type bounds struct {
	field  collection.Field
	within valueRange
	rest   collection.And
}

// boundsOf takes a condition apart; ok is false when it bounds no number, or more than one.
func boundsOf(cond collection.Cond) (b bounds, ok bool) {
	b.within = valueRange{math.MinInt64, math.MaxInt64}
	for _, c := range conjunctsOf(nil, cond) {
		t, compares := c.(collection.Comparison)
		if !compares || !bounded(t) {
			b.rest = append(b.rest, c)
			continue
		}
		if ok && b.field.Name != t.Path[0].Name {
			return b, false
		}
		v, _ := t.Values[0].(int64)
		b.field, ok = t.Path[0], b.within.narrow(t.Op, v)
	}
	return b, ok
}

// bounded reports whether a comparison bounds a number of the record itself.
func bounded(t collection.Comparison) bool {
	f := t.Path[0]
	number := f.Kind == collection.Money || f.Kind == collection.Number || f.Kind == collection.Integer
	if len(t.Path) > 1 || !number || f.Source != "" || len(t.Values) != 1 {
		return false
	}
	_, whole := t.Values[0].(int64)
	return whole && new(valueRange).narrow(t.Op, 0)
}

func conjunctsOf(all []collection.Cond, cond collection.Cond) []collection.Cond {
	if list, ok := cond.(collection.And); ok {
		for _, c := range list {
			all = conjunctsOf(all, c)
		}
		return all
	}
	if cond == nil {
		return all
	}
	return append(all, cond)
}

// tallyKey identifies the lists that have a tally in common.
func tallyKey(tenant string, q collection.Query, b bounds) listKey {
	q.Where = b.rest
	key := listKeyOf(tenant, q)
	return sha256.Sum256(append(key[:], b.field.Name...))
}

// tallyPlace is where the tally of a condition is kept, or noticed to be wanted.
type tallyPlace struct {
	mu       sync.Mutex
	tally    *tally // nil: none
	asked    int    // ranges that were counted without one
	making   bool
	tooLarge bool
}

// due reports whether the caller is to make the tally, and marks it as being made.
func (p *tallyPlace) due() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	if p.making || p.tooLarge || p.asked < tallyAfter {
		return false
	}
	p.making = true
	return true
}

func (p *tallyPlace) current() *tally {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tally
}

// isTooLarge reports whether there are too many records for a tally.
func (p *tallyPlace) isTooLarge() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tooLarge
}

// made ends the making of a tally, which may have failed: t is nil then.
func (p *tallyPlace) made(t *tally, tooLarge bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.making, p.tooLarge, p.asked = false, tooLarge, 0
	if t != nil {
		p.tally = t
	}
}

// replace puts next in the place of old, if that is still there.
func (p *tallyPlace) replace(old, next *tally) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tally == old {
		p.tally = next
	}
}

// tallies are the tallies of a process. The least recently used go when they have too many bytes together.
type tallies struct {
	places *lru.Cache[listKey, *tallyPlace]
}

func newTallies() tallies { return tallies{newLRU[listKey, *tallyPlace](maxTallies)} }

// place is the place of a tally, a new one when there is none.
func (t tallies) place(k listKey) *tallyPlace {
	if known, ok := t.places.Get(k); ok {
		return known
	}
	fresh := &tallyPlace{}
	if known, ok, _ := t.places.PeekOrAdd(k, fresh); ok { // another list was first
		return known
	}
	return fresh
}

// trim makes room after a tally was made.
func (t tallies) trim() {
	var bytes int64
	for _, p := range t.places.Values() {
		if held := p.current(); held != nil {
			bytes += held.bytes()
		}
	}
	for bytes > maxTallyBytes {
		_, oldest, ok := t.places.RemoveOldest()
		if !ok {
			return
		}
		if held := oldest.current(); held != nil {
			bytes -= held.bytes()
		}
	}
}
