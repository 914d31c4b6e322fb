package productindex

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Marks of changes that are not bits.
const (
	groupsMark   = "\x01"
	wordMark     = "\x02" // and a word that came
	lostWordMark = "\x03" // and a word that went
)

// view is the cache for one search of a tenant.
type view struct {
	*cache

	ctx    context.Context //nolint:containedctx // a view lives for one search
	tenant tenant.ID
	shelf  *shelf
}

// open drops what has changed of a tenant since it was read.
func (c *cache) open(ctx context.Context, id tenant.ID) (*view, error) {
	v := &view{c, ctx, id, c.shelf(id)}
	was := v.shelf
	var revision, forgotten int64
	there, err := db.QueryRow(ctx, v.reader(), []any{&revision, &forgotten},
		"SELECT revision, forgotten FROM product_places WHERE tenant = $1", string(id))
	if err != nil {
		return nil, err
	}
	was.mu.Lock()
	defer was.mu.Unlock()
	switch {
	case there && was.revision >= revision:
		return v, nil
	case !there || was.revision == 0 || was.revision < forgotten:
		v.shelf = c.replace(id, revision)
		return v, nil
	}
	return v, v.follow()
}

func (v *view) key(kind entryKind, name string) entryKey { return entryKey{v.shelf, kind, name} }

func (v *view) reader() db.Session { return v.db.Reader(ports.ForTenant(v.tenant)) }

// follow drops the terms that have changed, and changes the words.
func (v *view) follow() error {
	changed, words := map[string]bool{}, map[string]bool{}
	last := v.shelf.revision
	err := db.Query(v.ctx, v.reader(), func(r db.Row) error {
		var packed []byte
		if err := r.Scan(&last, &packed); err != nil {
			return err
		}
		terms, err := unpackTerms(packed)
		for _, t := range terms {
			switch {
			case strings.HasPrefix(t, wordMark):
				words[t[len(wordMark):]] = true
			case strings.HasPrefix(t, lostWordMark):
				words[t[len(lostWordMark):]] = false
			default:
				changed[t] = true
			}
		}
		return err
	}, "SELECT revision, terms FROM product_changes WHERE tenant = $1 AND revision > $2 ORDER BY revision", string(v.tenant), v.shelf.revision)
	if err != nil {
		return err
	}
	if changed[groupsMark] {
		v.remove(v.key(groupsEntry, ""))
	}
	for t := range changed {
		v.remove(v.key(termEntry, t))
	}
	if err := v.reloadSpans(changed); err != nil {
		return err
	}
	v.changeWords(words)
	v.shelf.revision = last
	return nil
}

// maxReread is how many terms of a span are read again alone; of more the whole span is.
const maxReread = 200

// reloadSpans reads the changed terms of spans again.
func (v *view) reloadSpans(changed map[string]bool) error {
	stale := map[*span]bool{}
	var terms []string
	for name := range v.shelf.spans {
		known, ok := v.peek(v.key(spanEntry, name))
		if !ok {
			delete(v.shelf.spans, name)
			continue
		}
		s := known.(*span)
		inside := s.those(changed)
		switch {
		case len(inside) > maxReread:
			v.remove(v.key(spanEntry, name))
		case len(inside) > 0:
			stale[s] = true
			terms = append(terms, inside...)
		}
	}
	if len(terms) == 0 {
		return nil
	}
	sets, err := v.readTerms(terms)
	if err != nil {
		return err
	}
	for s := range stale {
		v.putSpan(s.with(sets))
	}
	return nil
}
