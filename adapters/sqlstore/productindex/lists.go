package productindex

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
)

// groupList is all groups of a tenant. It is never changed.
type groupList struct {
	all   []productsearch.Group
	words [][]string
	at    map[string]int // places, by term
}

// parentOf is the category above one; "": none.
func (l *groupList) parentOf(id string) string {
	if i, ok := l.at[productsearch.Group{Kind: productsearch.Category, ID: id}.Term()]; ok {
		return l.all[i].Parent
	}
	return ""
}

// words are all words of names, sorted.
func (v *view) words() ([]string, error) {
	key := v.key(wordsEntry, "")
	if known, ok := v.get(key); ok {
		return known.([]string), nil
	}
	v.shelf.mu.Lock()
	defer v.shelf.mu.Unlock()
	var words []string
	err := db.Query(v.ctx, v.reader(), func(r db.Row) error {
		var w string
		err := r.Scan(&w)
		words = append(words, w)
		return err
	}, "SELECT word FROM product_words WHERE tenant = $1 ORDER BY word", string(v.tenant))
	if err == nil {
		v.putWords(key, words)
	}
	return words, err
}

func (v *view) putWords(key entryKey, words []string) {
	const header = 16 // of a string
	bytes := 0
	for _, w := range words {
		bytes += header + len(w)
	}
	v.put(key, words, bytes)
}

// changeWords adds words to those that are cached, or takes them away: each says which.
func (v *view) changeWords(words map[string]bool) {
	key := v.key(wordsEntry, "")
	known, ok := v.get(key)
	if !ok || len(words) == 0 {
		return
	}
	var all []string
	for _, w := range known.([]string) {
		if _, changed := words[w]; !changed {
			all = append(all, w)
		}
	}
	for w, there := range words {
		if there {
			all = append(all, w)
		}
	}
	slices.Sort(all)
	v.putWords(key, all)
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
