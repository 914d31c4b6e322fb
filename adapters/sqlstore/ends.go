package sqlstore

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// endKey identifies the end of a page: of which list, in which order, how large.
type endKey [sha256.Size]byte

// end is where a page ended: rank records that the list is about stood at or before the last one of the page, after the
// changes before number at of the feed. Whoever asks for the next page goes on from there and reads the rows that
// OFFSET would give, without passing over those before them.
type end struct {
	feed     *feed
	at, rank int64
	last     []any // the sort keys of the last record
	id       string
}

// pageEnd identifies the end of a page of k's list.
func (k *kept) pageEnd(page int) endKey {
	b := binary.AppendUvarint(append(make([]byte, 0, 128), k.key[:]...), uint64(k.q.Limit)) //nolint:gosec // 0..500
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(page)), uint64(len(k.q.Sort)))  //nolint:gosec // ≥ 1
	for _, o := range k.q.Sort {
		b = binary.AppendUvarint(strconv.AppendBool(b, o.Desc), uint64(len(o.Path)))
		for i := range o.Path {
			b = appendText(b, o.Path[i].Name)
		}
	}
	return sha256.Sum256(b)
}

// start finds a remembered end from which the page is near: that of the page before it, or of the one before that, when
// records have come in since.
func (k *kept) start() *end {
	if k.q.Page <= 1 || k.total == nil || !k.ranked() {
		return nil
	}
	for page := k.q.Page - 1; page >= max(1, k.q.Page-2); page-- {
		e, ok := k.lists.ends.get(k.pageEnd(page))
		if !ok || e.feed != k.feed {
			continue
		}
		if later, ok := k.state.after(e.at); ok {
			e.rank += k.passed(&e, later)
			if skip := k.offset() - e.rank; skip >= 0 && skip <= 2*int64(k.q.Limit) {
				return &e
			}
		}
	}
	return nil
}

// ranked reports whether the order can be told from the records themselves.
func (k *kept) ranked() bool {
	for _, o := range k.q.Sort {
		if !collection.LocalPath(o.Path, k.q.Now) {
			return false
		}
	}
	return true
}

// passed is by how much changes change the rank of e.
func (k *kept) passed(e *end, changes []*change) (n int64) {
	before := func(r collection.Record) bool { return k.holds(r) && k.compare(r, e) <= 0 }
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

// compare orders r against the end by the list's order.
func (k *kept) compare(r collection.Record, e *end) int {
	for i, o := range k.q.Sort {
		c := collection.Compare(o.Value(r), e.last[i])
		if o.Desc {
			c = -c
		}
		if c != 0 || isID(o) {
			return c
		}
	}
	return collection.Compare(r.ID(), e.id)
}

func isID(o collection.Order) bool { return len(o.Path) == 1 && o.Path[0].Name == "id" }

// rememberEnd keeps where a full page ended, as of number at of the feed.
func (k *kept) rememberEnd(at int64) {
	if len(k.page.Docs) < k.q.Limit || k.q.Limit == 0 || !k.ranked() {
		return
	}
	last := k.page.Docs[len(k.page.Docs)-1]
	e := end{feed: k.feed, at: at, rank: k.offset() + int64(k.q.Limit), id: last.ID()}
	for _, o := range k.q.Sort {
		e.last = append(e.last, o.Value(last))
	}
	k.lists.ends.put(k.pageEnd(k.q.Page), e)
}

// beyond is the condition on rows that come after e. It begins with a range of the first sort key, which an index serves,
// and goes on with what is true of nearly all rows in it, so that plans are made for as many as there are. Where that key
// can be null, the range leaves out rows on the other side of null: a page that comes out short then proves nothing (sided).
func (k *kept) beyond(c *compiler, e *end) string {
	if len(k.q.Sort) == 0 || isID(k.q.Sort[0]) {
		return " AND " + k.behind(c, e, 0)
	}
	expr, value := c.sortKey(place{sh: k.sh, alias: "r", row: "r"}, k.q.Sort[0].Path), e.last[0]
	if value == nil {
		return " AND " + expr + " IS NULL AND " + k.behind(c, e, 1)
	}
	sign, mark := " >= ", c.a.bind(value)
	if k.q.Sort[0].Desc {
		sign = " <= "
	}
	return " AND " + expr + sign + mark + " AND (" + expr + " <> " + mark + " OR " + k.behind(c, e, 1) + ")"
}

// behind compares by the sort keys from i on, and in the end by id.
func (k *kept) behind(c *compiler, e *end, i int) string {
	if i == len(k.q.Sort) {
		return "r.id > " + c.a.bind(e.id)
	}
	o := k.q.Sort[i]
	expr := c.sortKey(place{sh: k.sh, alias: "r", row: "r"}, o.Path)
	if e.last[i] == nil {
		rest := "(" + expr + " IS NULL AND " + k.behind(c, e, i+1) + ")"
		if o.Desc {
			return rest
		}
		return "(" + expr + " IS NOT NULL OR " + rest + ")"
	}
	mark := c.a.bind(e.last[i])
	sign, null := " > ", ""
	if o.Desc {
		sign, null = " < ", " OR "+expr+" IS NULL"
	}
	if isID(o) {
		return expr + sign + mark
	}
	return "(" + expr + sign + mark + null + " OR (" + expr + " = " + mark + " AND " + k.behind(c, e, i+1) + "))"
}

// sided reports whether the first sort key can be null.
func (k *kept) sided() bool {
	if len(k.q.Sort) == 0 {
		return false
	}
	path := k.q.Sort[0].Path
	return len(path) > 1 || !k.sh.stands(path[0].Name)
}
