package productindex

import (
	"context"
	"fmt"
	"strings"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/searchplace"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// Index is a ports.ProductSearch.
type Index struct {
	searchplace.Places

	db    *db.DB
	fold  collection.Fold
	cache *cache
}

var _ ports.ProductSearch = (*Index)(nil)

// New is the index in a database; memory bounds what it caches, in bytes.
func New(d *db.DB, fold collection.Fold, memory int) *Index {
	places := searchplace.Places{
		DB: d, Table: "product_places", Indexes: "product indexes", Others: ", claim, numbers, revision, forgotten", Zeros: ", '', 0, 0, 0",
	}
	return &Index{places, d, fold, newCache(d, fold, memory)}
}

// Tables has the products and their bits, and how far they follow the events.
var Tables = []table.SystemTable{
	{
		// Terms are those of the product and the words that are counted of it, compressed; while they are being changed, pending, all
		// terms that it may have.
		Name:    "product_numbers",
		Body:    `tenant TEXT NOT NULL, product TEXT NOT NULL, number BIGINT NOT NULL, terms BYTES NOT NULL, pending BOOLEAN NOT NULL, PRIMARY KEY (tenant, product)`,
		Indexes: []string{"unique (tenant, number)"},
	},
	{
		// Bits are the numbers of a block, whole: those that have the upper bits of it.
		Name: "product_bits",
		Body: `tenant TEXT NOT NULL, term TEXT NOT NULL, block BIGINT NOT NULL, bits BYTES NOT NULL, PRIMARY KEY (tenant, term, block)`,
	},
	{
		Name:  "product_words", // of names, with how many products have them
		Body:  `tenant TEXT NOT NULL, word TEXT NOT NULL, products BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (tenant, word)`,
		Added: []string{"products BIGINT NOT NULL DEFAULT 0"},
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
		Body: searchplace.Columns + `, claim TEXT NOT NULL, numbers BIGINT NOT NULL, revision BIGINT NOT NULL, forgotten BIGINT NOT NULL`,
	},
}

// clearBatch is how many rows Clear deletes of a table.
const clearBatch = 2000

// Clear implements ports.ProductSearch.
func (x *Index) Clear(ctx context.Context, at ports.SearchPlace) (more bool, err error) {
	err = x.At(ctx, at, "clear the product index", func(ctx context.Context, on db.Session) error {
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
