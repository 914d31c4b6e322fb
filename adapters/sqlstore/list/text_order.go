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
