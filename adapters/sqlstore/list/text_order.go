package list

import (
	"context"
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// Lists that are sorted by a text in another language than the shop's default one are merged from indexes (table.TextOrder). Which
// combinations of languages a shop's records are in is remembered for a while. It is all there are if no change since has brought another one:
// the feed of the collection has the changes, and a list reads those that the feed does not have in its own statement.
const (
	maxTextOrders = 4096
	knownFor      = 10 * time.Second
)

// textOrders remembers the combinations of languages, by tenant and field.
type textOrders struct {
	known *lru.Cache[textOrderKey, knownLocales]
}

type textOrderKey struct{ tenant, field string }

// textOrderKey is what the list remembers the combinations of o by.
func (f *listQuery) textOrderKey(o table.TextOrder) textOrderKey {
	return textOrderKey{string(f.at.Scope.Tenants[0]), o.Key()}
}

// knownLocales are the combinations of languages that there were at a time, or before the change number next of a feed at least.
type knownLocales struct {
	all  []string
	at   time.Time
	feed *changeFeed // nil: it is not known after which changes
	next int64
}

// isCurrent reports whether they can still be used, and whether lists need nothing newer to know that there are no others.
func (l knownLocales) isCurrent(now time.Time, feed *changeFeed, state feedState) bool {
	if now.Sub(l.at) > knownFor {
		return false
	}
	if state.feedSnapshot == nil {
		return true
	}
	_, reaches := state.changesSince(l.next)
	return l.feed == feed && reaches
}

// textOrder is the order of the list by indexes of texts; nil where there is none, or too many would have to be merged.
func (f *listQuery) textOrder(ctx context.Context) (*table.TextOrder, error) {
	o, ok := f.sh.TextOrderOf(f.q)
	if !ok || f.compiler.Tenant == "" || f.atMostOne {
		return nil, nil //nolint:nilnil // none is no error
	}
	key := f.textOrderKey(o)
	known, ok := f.lists.cache.texts.known.Get(key)
	now, feed := f.lists.Now(), f.lists.cache.feed(feedKey{key.tenant, f.sh.Schema.Slug})
	if state := feed.stateAt(now); !ok || !known.isCurrent(now, feed, state) {
		// Rows that an older version writes beside this one are in no language until they are swept.
		known = knownLocales{at: now, all: []string{""}}
		if !f.at.InTransaction && state.feedSnapshot != nil { // a transaction may see what was before
			known.feed, known.next = feed, state.nextAt
		}
		err := db.Query(ctx, f.at.Session, func(r db.Row) error {
			var locales string
			err := r.Scan(&locales)
			if locales != "" {
				known.all = append(known.all, locales)
			}
			return err
		}, o.KnownSQL(), key.tenant)
		if err != nil {
			return nil, err
		}
		f.lists.cache.texts.known.Add(key, known)
	}
	if o.Known = known.all; !o.IsMergeable() {
		return nil, nil //nolint:nilnil // as above
	}
	f.known = known
	return &o, nil
}

// knowsLocales reports whether no record has a combination of languages that is not known, as of k.state.
func (k *cachedList) knowsLocales() bool {
	if k.state.feedSnapshot == nil || k.known.feed != k.feed {
		return false
	}
	later, ok := k.state.changesSince(k.known.next)
	if !ok || len(later) == 0 {
		return ok
	}
	all, key := k.cache.texts.known, k.textOrderKey(*k.texts)
	if k.bringsLocales(later) { // the next list reads them again
		all.Remove(key)
		return false
	}
	k.known.next = k.state.nextAt // they need not be looked at again
	all.Add(key, k.known)
	return true
}

// bringsLocales reports whether changes bring a combination of languages that is not known.
func (k *cachedList) bringsLocales(changes []*feedChange) bool {
	return slices.ContainsFunc(changes, func(c *feedChange) bool { return c.after != nil && !k.texts.Knows(c.after) })
}

// pageOfTexts selects the page in the order of its texts.
func (f *listQuery) pageOfTexts(c *table.Compiler) string {
	if f.offset() == 0 {
		return c.RowsByText(f.sh, *f.texts, f.whereOfTexts(c), table.TextMark{}, f.q.Limit)
	}
	return f.rowsOf(c, c.IDsByText(*f.texts, f.whereOfTexts(c), f.q.Limit, f.offset()), c.PageOrder(*f.texts, "k"))
}

// whereOfTexts is the whole condition, by no index but those of the texts.
func (f *listQuery) whereOfTexts(c *table.Compiler) string {
	in := *c
	in.IndexOrder, in.Args = f.texts.Locales, nil // the same arguments, since it is the same condition
	return in.Where(f.sh, f.q)
}

// pageOfTextsFromCursor is pageOfTexts that starts at the cursor if there is one.
func (k *cachedList) pageOfTextsFromCursor(c *table.Compiler) string {
	if k.cursor == nil {
		return k.pageOfTexts(c)
	}
	where, from := k.whereOfTexts(c), table.TextMark{}
	if text := k.cursor.lastKeys[0]; text != nil {
		from = table.TextMark{Text: c.Args.Bind(text), ID: c.Args.Bind(k.cursor.id)}
	} else {
		where += k.afterCursor(c, k.cursor)
	}
	return c.RowsByText(k.sh, *k.texts, where, from, k.limitFromCursor())
}
