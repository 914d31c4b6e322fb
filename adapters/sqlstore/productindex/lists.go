package productindex

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
)

// groupList is all groups of a tenant. It is never changed.
type groupList struct {
	all   []productsearch.Group
	words [][]string
	at    map[string]int // places, by term
}

// find is the group of an id, if it is in the list.
func (l *groupList) find(kind productsearch.GroupKind, id string) (g productsearch.Group, ok bool) {
	i, ok := l.at[productsearch.Group{Kind: kind, ID: id}.Term()]
	if ok {
		g = l.all[i]
	}
	return g, ok
}

// parentOf is the category above one; "": none.
func (l *groupList) parentOf(id string) string {
	above, _ := l.find(productsearch.Category, id)
	return above.Parent
}

// wordList is the words of names from one up to another one, or the first of them. It is never changed.
type wordList struct {
	from, to string
	limit    int
	words    []string // sorted
}

func (l *wordList) name() string { return l.from + between + l.to + between + strconv.Itoa(l.limit) }

// words are words of names from one up to another one, sorted; at most limit.
func (v *view) words(from, to string, limit int) ([]string, error) {
	list := &wordList{from: from, to: to, limit: limit}
	if known, ok := v.get(v.key(wordsEntry, list.name())); ok {
		return known.(*wordList).words, nil
	}
	v.shelf.mu.Lock()
	defer v.shelf.mu.Unlock()
	joined, together := "group_concat(word, ' ')", "" // as one text: thousands of rows would take many times as long; no word has a space
	if v.db.Dialect.Postgres {
		joined = "string_agg(word, ' ')"
	}
	_, err := db.QueryRow(v.ctx, v.reader(), []any{&together}, "SELECT coalesce("+joined+", '') FROM (SELECT word FROM product_words "+
		"WHERE tenant = $1 AND word >= $2 AND word < $3 ORDER BY word LIMIT $4) w", string(v.tenant), from, to, int64(limit))
	if together != "" {
		list.words = strings.Split(together, " ")
		slices.Sort(list.words) // they are: no database promises it
	}
	if err == nil {
		v.putWords(list)
	}
	return list.words, err
}

// putWords keeps a list. The lock of the shelf is held.
func (v *view) putWords(l *wordList) {
	const header = 16 // of a string
	bytes := 0
	for _, w := range l.words {
		bytes += header + len(w)
	}
	v.put(v.key(wordsEntry, l.name()), l, bytes)
	v.shelf.words[l.name()] = true
}

// changeWords adds words to those that are cached, or takes them away: each says which. A list that was cut is read again.
func (v *view) changeWords(changed map[string]bool) {
	for name := range v.shelf.words {
		known, ok := v.peek(v.key(wordsEntry, name))
		if !ok {
			delete(v.shelf.words, name)
			continue
		}
		was := known.(*wordList)
		switch next := was.with(changed); {
		case next != was && (len(was.words) >= was.limit || len(next.words) > was.limit):
			v.remove(v.key(wordsEntry, name))
		case next != was:
			v.putWords(next)
		}
	}
}

// with is l with words that came, and without those that went; l itself if they are others.
func (l *wordList) with(changed map[string]bool) *wordList {
	next := l
	for w, there := range changed {
		at, has := slices.BinarySearch(next.words, w)
		if w < l.from || w >= l.to || has == there {
			continue
		}
		if next == l {
			next = &wordList{l.from, l.to, l.limit, slices.Clone(l.words)}
		}
		if there {
			next.words = slices.Insert(next.words, at, w)
		} else {
			next.words = slices.Delete(next.words, at, at+1)
		}
	}
	return next
}

// groups are all groups.
func (v *view) groups() (*groupList, error) {
	key := v.key(groupsEntry, "")
	if known, ok := v.get(key); ok {
		return known.(*groupList), nil
	}
	v.shelf.mu.Lock()
	defer v.shelf.mu.Unlock()
	list := &groupList{at: map[string]int{}}
	bytes := 0
	err := db.Query(v.ctx, v.reader(), func(r db.Row) error {
		var g productsearch.Group
		var names string
		if err := r.Scan(&g.Kind, &g.ID, &g.Parent, &names); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(names), &g.Names); err != nil {
			return fmt.Errorf("names of group %s: %w", g.ID, err)
		}
		list.at[g.Term()] = len(list.all)
		list.all, list.words = append(list.all, g), append(list.words, g.WordsOf(v.fold))
		bytes += 3*len(names) + 300 //nolint:mnd // about what the maps and lists take
		return nil
	}, "SELECT kind, id, parent, names FROM product_groups WHERE tenant = $1 ORDER BY kind, id", string(v.tenant))
	if err != nil {
		return nil, err
	}
	v.put(key, list, bytes)
	return list, nil
}
