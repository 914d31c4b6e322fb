package productindex

import (
	"context"
	"fmt"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// Index is a ports.ProductSearch.
type Index struct {
	db    *db.DB
	fold  collection.Fold
	cache *cache
}

var _ ports.ProductSearch = (*Index)(nil)

// New is the index in a database; memory bounds what it caches, in bytes.
func New(d *db.DB, fold collection.Fold, memory int) *Index {
	return &Index{d, fold, newCache(d, fold, memory)}
}

// Tables has the products and their bits, and how far they follow the events.
var Tables = []table.SystemTable{
	{
		// Terms are those of the product, compressed; while they are being changed, pending, all that it may have.
		Name:    "product_numbers",
		Body:    `tenant TEXT NOT NULL, product TEXT NOT NULL, number BIGINT NOT NULL, terms BYTES NOT NULL, pending BOOLEAN NOT NULL, PRIMARY KEY (tenant, product)`,
		Indexes: []string{"unique (tenant, number)"},
	},
	{
		// Bits are the lower 16 bits of the numbers of block.
		Name: "product_bits",
		Body: `tenant TEXT NOT NULL, term TEXT NOT NULL, block BIGINT NOT NULL, bits BYTES NOT NULL, PRIMARY KEY (tenant, term, block)`,
	},
	{
		Name: "product_words", // of names
		Body: `tenant TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (tenant, word)`,
	},
	{
		Name: "product_groups", // brands, categories, tags and values of options; names is a JSON object by language
		Body: `tenant TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, parent TEXT NOT NULL, names TEXT NOT NULL, PRIMARY KEY (tenant, kind, id)`,
	},
	{
		Name: "product_changes", // the terms of the last changes of bits
		Body: `tenant TEXT NOT NULL, revision BIGINT NOT NULL, terms BYTES NOT NULL, PRIMARY KEY (tenant, revision)`,
	},
	{
		// Numbers is the last one given. What changed up to the revision forgotten is not known any more.
		Name: "product_places",
		Body: `tenant TEXT PRIMARY KEY, version BIGINT NOT NULL, sequence BIGINT NOT NULL, reading TEXT NOT NULL, after_id TEXT NOT NULL,
			claim TEXT NOT NULL, numbers BIGINT NOT NULL, revision BIGINT NOT NULL, forgotten BIGINT NOT NULL`,
	},
}

const isBehind = "coalesce(p.version, 0) < $1 OR p.version = $1 AND (p.sequence < c.last OR p.reading <> '')"

const behind = `SELECT c.tenant, c.last, coalesce(t.trimmed, 0), coalesce(p.version, 0), coalesce(p.sequence, 0), coalesce(p.reading, ''), coalesce(p.after_id, '')
	FROM event_counters c LEFT JOIN product_places p ON p.tenant = c.tenant LEFT JOIN event_trims t ON t.tenant = c.tenant
	WHERE ` + isBehind + ` ORDER BY c.tenant LIMIT $2`

// Behind implements ports.ProductSearch.
func (x *Index) Behind(ctx context.Context, version int64, limit int) (all []ports.SearchLag, err error) {
	err = db.Query(ctx, x.db.Reader(db.SystemScope), func(r db.Row) error {
		var l ports.SearchLag
		err := r.Scan(&l.Tenant, &l.Newest, &l.Trimmed, &l.Version, &l.Sequence, &l.Reading, &l.After)
		all = append(all, l)
		return err
	}, behind, version, int64(limit))
	if err != nil {
		return nil, fmt.Errorf("ask which product indexes are behind: %w", err)
	}
	return all, nil
}

const backlog = `SELECT CAST(coalesce(sum(c.last - coalesce(p.sequence, 0)), 0) AS bigint),
	count(CASE WHEN p.version = $1 AND p.reading = '' THEN NULL ELSE 1 END)
	FROM event_counters c LEFT JOIN product_places p ON p.tenant = c.tenant WHERE ` + isBehind

// Backlog implements ports.ProductSearch.
func (x *Index) Backlog(ctx context.Context, version int64) (b ports.SearchBacklog, err error) {
	if _, err = db.QueryRow(ctx, x.db.Reader(db.SystemScope), []any{&b.Events, &b.Making}, backlog, version); err != nil {
		return b, fmt.Errorf("measure the product indexes: %w", err)
	}
	return b, nil
}

// clearBatch is how many rows Clear deletes of a table.
const clearBatch = 2000

// Clear implements ports.ProductSearch.
func (x *Index) Clear(ctx context.Context, at ports.SearchPlace) (more bool, err error) {
	err = x.at(ctx, at, "clear the product index", func(ctx context.Context, on db.Session) error {
		for _, table := range []string{"product_bits", "product_numbers", "product_words", "product_groups", "product_changes"} {
			rows := "rowid IN (SELECT rowid FROM " + table + " WHERE tenant = $1 LIMIT %d)"
			if x.db.Dialect.Postgres {
				rows = "ctid = ANY (ARRAY(SELECT ctid FROM " + table + " WHERE tenant = $1 LIMIT %d))"
			}
			deleted, err := db.Exec(ctx, on, fmt.Sprintf("DELETE FROM "+table+" WHERE "+rows, clearBatch), string(at.Tenant))
			if err != nil {
				return err
			}
			more = more || deleted == clearBatch
		}
		_, err := db.Exec(ctx, on, "UPDATE product_places SET claim = '', revision = revision + 1, forgotten = revision + 1 WHERE tenant = $1", string(at.Tenant))
		return err
	})
	return more, err
}

// at runs work in a transaction that holds the place of a tenant. Errors: ports.ErrStale when it is another one.
func (x *Index) at(ctx context.Context, place ports.SearchPlace, what string, work func(context.Context, db.Session) error) error {
	err := x.db.Transact(ctx, ports.ForTenant(place.Tenant), func(ctx context.Context, on db.Session) error {
		is := ports.SearchPlace{Tenant: place.Tenant}
		if place.Version == 0 {
			if _, err := db.Exec(ctx, on, "INSERT INTO product_places (tenant, version, sequence, reading, after_id, claim, numbers, revision, forgotten)"+
				" VALUES ($1, 0, 0, '', '', '', 0, 0, 0) ON CONFLICT DO NOTHING", string(place.Tenant)); err != nil {
				return err
			}
		}
		if _, err := db.QueryRow(ctx, on, []any{&is.Version, &is.Sequence, &is.Reading, &is.After},
			"SELECT version, sequence, reading, after_id FROM product_places WHERE tenant = $1"+x.db.Dialect.ForUpdate(), string(place.Tenant)); err != nil {
			return err
		}
		if is != place {
			return ports.ErrStale
		}
		return work(ctx, on)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// between stands between terms that are stored together.
const between = "\x1e"

func packTerms(terms []string) []byte {
	return packer.EncodeAll([]byte(strings.Join(terms, between)), nil)
}

func unpackTerms(packed []byte) ([]string, error) {
	text, err := unpacker.DecodeAll(packed, nil)
	if err != nil || len(text) == 0 {
		return nil, err
	}
	return strings.Split(string(text), between), nil
}
