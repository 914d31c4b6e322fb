package sqlstore

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// recordsPerBatch is how many records are read at a time to look for damaged ones.
const recordsPerBatch = 500

// FindDamaged reads every record there is, and calls found with those that cannot be read; n counts all. Errors:
// fault.ErrUnavailable.
func (s *Store) FindDamaged(ctx context.Context, found func(*collection.DamagedError)) (n int64, err error) {
	for _, slug := range slices.Sorted(maps.Keys(s.engine.shapes)) {
		for tenant, id, more := "", "", true; more; {
			rows := 0
			err := db.Query(ctx, s.engine.db.Reader(db.SystemScope), func(r db.Row) error {
				var doc []byte
				rows++
				if err := r.Scan(&tenant, &id, &doc); err != nil {
					return err
				}
				if damaged := damageOf(s.engine.shapes[slug], tenant, id, doc); damaged != nil {
					found(damaged)
				}
				return nil
			}, "SELECT tenant, id, doc FROM "+db.Quote(s.engine.shapes[slug].Table)+
				" WHERE (tenant, id) > ($1, $2) ORDER BY tenant, id LIMIT "+strconv.Itoa(recordsPerBatch), tenant, id)
			if err != nil {
				return n, err
			}
			n += int64(rows)
			more = rows == recordsPerBatch
		}
	}
	return n, nil
}

// errMisplaced: a document says another id or tenant than its row.
var errMisplaced = errors.New("the document is another record's")

// damageOf is what is wrong with the document of a row; nil if nothing is.
func damageOf(sh *table.Shape, tenant, id string, doc []byte) *collection.DamagedError {
	r, err := sh.Decode(doc)
	if err == nil && (r.ID() != id || r.Text("tenant") != tenant) {
		err = errMisplaced
	}
	if err == nil {
		return nil
	}
	if damaged, is := errors.AsType[*collection.DamagedError](err); is {
		err = damaged.Err
	}
	return &collection.DamagedError{Collection: sh.Schema.Slug, Tenant: tenant, ID: id, Err: err}
}
