package list

import (
	"context"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
)

// Lists that are sorted by a text in another language than the shop's default one are merged from indexes (table.TextOrder). Which
// combinations of languages a shop's records are in is remembered for a while: see TextOrder.Known.
const (
	maxTextOrders = 4096
	knownFor      = 10 * time.Second
)

// textOrders remembers the combinations of languages, by tenant and field.
type textOrders struct {
	known *lru.Cache[textOrderKey, knownLocales]
}

type textOrderKey struct{ tenant, field string }

// knownLocales are the combinations of languages that there were at a time.
type knownLocales struct {
	all []string
	at  time.Time
}

// textOrder is the order of the list by indexes of texts; nil where there is none, or too many would have to be merged.
func (f *listQuery) textOrder(ctx context.Context) (*table.TextOrder, error) {
	o, ok := f.sh.TextOrderOf(f.q)
	if !ok || f.compiler.Tenant == "" || f.atMostOne {
		return nil, nil //nolint:nilnil // none is no error
	}
	key := textOrderKey{string(f.at.Scope.Tenants[0]), o.Key()}
	known, ok := f.lists.cache.texts.known.Get(key)
	if now := f.lists.Now(); !ok || now.Sub(known.at) > knownFor {
		known = knownLocales{at: now}
		err := db.Query(ctx, f.at.Session, func(r db.Row) error {
			var locales string
			err := r.Scan(&locales)
			known.all = append(known.all, locales)
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
	return &o, nil
}

// pageOfTexts selects limit rows of the list in the order of its texts, less the first ones, from the mark of a text on, where after is
// the condition on the rows behind it.
func (f *listQuery) pageOfTexts(c *table.Compiler, after, from string, limit int, skip int64) string {
	in := *c
	in.IndexOrder, in.Args = f.texts.Locales, nil // the same arguments, since it is the same condition
	where := in.Where(f.sh, f.q) + after
	return f.rowsOf(c, c.IDsByText(*f.texts, where, from, limit, skip), c.PageOrder(*f.texts))
}

// pageOfTextsFromCursor is pageOfTexts that starts at the cursor if there is one.
func (k *cachedList) pageOfTextsFromCursor(c *table.Compiler) string {
	if k.cursor == nil {
		return k.pageOfTexts(c, "", "", k.q.Limit, k.offset())
	}
	after, from := k.afterCursor(c, k.cursor), ""
	if text := k.cursor.lastKeys[0]; text != nil {
		from = c.Args.Bind(text)
	}
	return k.pageOfTexts(c, after, from, k.limitFromCursor(), 0)
}
