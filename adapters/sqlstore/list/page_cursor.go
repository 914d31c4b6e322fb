package list

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// cursorKey identifies the end of a page: of which list, in which order, how large.
type cursorKey [sha256.Size]byte

// pageCursor is where a page ended: rank records that the list is about stood at or before the last one of
// the page, after the changes before number at of the feed. The next page starts there and reads the rows
// that OFFSET would give, without passing over those before them.
type pageCursor struct {
	feed     *changeFeed
	at, rank int64
	lastKeys []any // the sort keys of the last record
	id       string
}

// cursorKeyOf identifies the end of a page of k's list.
func (k *cachedList) cursorKeyOf(page int) cursorKey {
	b := binary.AppendUvarint(append(make([]byte, 0, 128), k.key[:]...), uint64(k.q.Limit)) //nolint:gosec // 0..500
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(page)), uint64(len(k.q.Sort)))  //nolint:gosec // ≥ 1
	for _, o := range k.q.Sort {
		b = binary.AppendUvarint(strconv.AppendBool(b, o.Desc), uint64(len(o.Path)))
		for i := range o.Path {
			b = appendField(b, &o.Path[i])
		}
	}
	return sha256.Sum256(b)
}

// findCursor finds a cached cursor near the page: that of the page before it or, when records have been created
// since, of the one before that.
func (k *cachedList) findCursor() *pageCursor {
	if k.q.Page <= 1 || k.total == nil || !k.sortsLocally() {
		return nil
	}
	for page := k.q.Page - 1; page >= max(1, k.q.Page-2); page-- {
		e, ok := k.cache.cursors.Get(k.cursorKeyOf(page))
		if !ok || e.feed != k.feed {
			continue
		}
		if later, ok := k.state.changesSince(e.at); ok {
			e.rank += k.rankShift(&e, later)
			if skip := k.offset() - e.rank; skip >= 0 && skip <= 2*int64(k.q.Limit) {
				return &e
			}
		}
	}
	return nil
}

// sortsLocally reports whether the records themselves determine the order.
func (k *cachedList) sortsLocally() bool {
	for _, o := range k.q.Sort {
		if !collection.RecordLocalPath(o.Path, k.q.Now) {
			return false
		}
	}
	return true
}

// rankShift is by how much changes change the rank of e.
func (k *cachedList) rankShift(e *pageCursor, changes []*feedChange) (n int64) {
	before := func(r collection.Record) bool { return k.matches(r) && k.compare(r, e) <= 0 }
	for _, c := range changes {
		if before(c.before) {
			n--
		}
		if before(c.after) {
			n++
		}
	}
	return n
}

// compare compares r with e in the list's order.
func (k *cachedList) compare(r collection.Record, e *pageCursor) int {
	for i, o := range k.q.Sort {
		c := collection.Compare(o.Value(r), e.lastKeys[i])
		if o.Desc {
			c = -c
		}
		if c != 0 || table.IsID(o) {
			return c
		}
	}
	if collection.TiesDescend(k.q.Sort) {
		return collection.Compare(e.id, r.ID())
	}
	return collection.Compare(r.ID(), e.id)
}

// saveCursor caches where a full page ended, as of number at of the feed.
func (k *cachedList) saveCursor(at int64) {
	if len(k.page.Docs) < k.q.Limit || k.q.Limit == 0 || !k.sortsLocally() {
		return
	}
	last := k.page.Docs[len(k.page.Docs)-1]
	e := pageCursor{feed: k.feed, at: at, rank: k.offset() + int64(k.q.Limit), id: last.ID()}
	for _, o := range k.q.Sort {
		e.lastKeys = append(e.lastKeys, o.Value(last))
	}
	k.cache.cursors.Add(k.cursorKeyOf(k.q.Page), e)
}

// afterCursor is the condition on rows that come after e. It begins with a range of the first sort key, which
// an index serves, followed by a condition that nearly all rows of the range meet, so that the planner estimates
// the number of rows well. When that key can be null, the range omits the rows on the other side of null, so a
// page that is not full then does not prove the count (pageMatches).
func (k *cachedList) afterCursor(c *table.Compiler, e *pageCursor) string {
	if len(k.q.Sort) == 0 || table.IsID(k.q.Sort[0]) {
		return " AND " + k.afterSortKeys(c, e, 0)
	}
	expr, value := c.SortKey(k.sh, k.q.Sort[0].Path), e.lastKeys[0]
	if value == nil {
		return " AND " + expr + " IS NULL AND " + k.afterSortKeys(c, e, 1)
	}
	sign, mark := " >= ", c.Args.Bind(value)
	if k.q.Sort[0].Desc {
		sign = " <= "
	}
	return " AND " + expr + sign + mark + " AND (" + expr + " <> " + mark + " OR " + k.afterSortKeys(c, e, 1) + ")"
}

// afterSortKeys compares by the sort keys from i on, and in the end by id.
func (k *cachedList) afterSortKeys(c *table.Compiler, e *pageCursor, i int) string {
	if i == len(k.q.Sort) {
		if collection.TiesDescend(k.q.Sort) {
			return "r.id < " + c.Args.Bind(e.id)
		}
		return "r.id > " + c.Args.Bind(e.id)
	}
	o := k.q.Sort[i]
	expr := c.SortKey(k.sh, o.Path)
	if e.lastKeys[i] == nil {
		rest := "(" + expr + " IS NULL AND " + k.afterSortKeys(c, e, i+1) + ")"
		if o.Desc {
			return rest
		}
		return "(" + expr + " IS NOT NULL OR " + rest + ")"
	}
	mark := c.Args.Bind(e.lastKeys[i])
	sign, null := " > ", ""
	if o.Desc {
		sign, null = " < ", " OR "+expr+" IS NULL"
	}
	if table.IsID(o) {
		return expr + sign + mark
	}
	return "(" + expr + sign + mark + null + " OR (" + expr + " = " + mark + " AND " + k.afterSortKeys(c, e, i+1) + "))"
}

// firstKeyNullable reports whether the first sort key can be null.
func (k *cachedList) firstKeyNullable() bool {
	if len(k.q.Sort) == 0 {
		return false
	}
	path := k.q.Sort[0].Path
	return len(path) > 1 || !k.sh.IsBaseColumn(path[0].Name)
}
