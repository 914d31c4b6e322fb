package productindex

import (
	"context"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/productsearch"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Weight is what the tables of the index weigh, in bytes.
func (x *Index) Weight(ctx context.Context) (bytes int64, err error) {
	for _, t := range Tables {
		var n int64
		text := "SELECT pg_total_relation_size('" + t.Name + "')"
		if !x.db.Dialect.Postgres {
			text = "SELECT CAST(coalesce(sum(pgsize), 0) AS INTEGER) FROM dbstat WHERE name = '" + t.Name + "' OR name LIKE 'i_" + t.Name + "%' OR name LIKE 'sqlite_autoindex_" + t.Name + "%'"
		}
		if _, err := db.QueryRow(ctx, x.db.Reader(db.SystemScope), []any{&n}, text); err != nil {
			return 0, err
		}
		bytes += n
	}
	return bytes, nil
}

// Cached is how much memory the cached sets take, in bytes.
func (x *Index) Cached() int { return x.cache.used }

// Filled is how far the index of a tenant follows the events, and the last number it gave.
func (x *Index) Filled(ctx context.Context, id tenant.ID) (sequence int64, numbers int, err error) {
	_, err = db.QueryRow(ctx, x.db.Reader(db.SystemScope), []any{&sequence, &numbers},
		"SELECT sequence, numbers FROM product_places WHERE tenant = $1", string(id))
	return sequence, numbers, err
}

// SearchAfter is Search in which something happens after the groups were read, and before anything else is.
func (x *Index) SearchAfter(ctx context.Context, r productsearch.Request, change func()) (found productsearch.Found, err error) {
	v, err := x.cache.open(ctx, r.Tenant)
	if err != nil {
		return found, err
	}
	s := &search{view: v, Request: r, fold: x.fold}
	if s.list, err = s.groups(); err != nil {
		return found, err
	}
	change()
	return s.find()
}
