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
	groupsMark = "\x01"
	wordMark   = "\x02"
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

// follow drops the terms that have changed, and adds new words.
func (v *view) follow() error {
	changed := map[string]bool{}
	last := v.shelf.revision
	err := db.Query(v.ctx, v.reader(), func(r db.Row) error {
		var packed []byte
		if err := r.Scan(&last, &packed); err != nil {
			return err
		}
		terms, err := unpackTerms(packed)
		for _, t := range terms {
			changed[t] = true
		}
		return err
	}, "SELECT revision, terms FROM product_changes WHERE tenant = $1 AND revision > $2 ORDER BY revision", string(v.tenant), v.shelf.revision)
	if err != nil {
		return err
	}
	var words []string
	for t := range changed {
		switch {
		case strings.HasPrefix(t, wordMark):
			words = append(words, t[len(wordMark):])
		case t == groupsMark:
			v.remove(v.key(groupsEntry, ""))
		default:
			v.remove(v.key(termEntry, t))
		}
	}
	if err := v.reloadSpans(changed); err != nil {
		return err
	}
	v.addWords(words)
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
