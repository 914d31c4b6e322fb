package productindex

import (
	"strconv"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
)

// ids are the products of numbers, in their order. A number is never given to another product, so that what is cached stays true.
func (v *view) ids(numbers []uint32) ([]string, error) {
	products := make(map[uint32]string, len(numbers))
	var missing []string
	for _, n := range numbers {
		text := strconv.FormatUint(uint64(n), 10)
		if known, ok := v.get(v.key(idEntry, text)); ok {
			products[n] = known.(string)
		} else {
			missing = append(missing, text)
		}
	}
	if err := v.readIDs(missing, products); err != nil {
		return nil, err
	}
	var ids []string
	for _, n := range numbers {
		if id := products[n]; id != "" {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// readIDs reads the products of numbers.
func (v *view) readIDs(numbers []string, products map[uint32]string) error {
	if len(numbers) == 0 {
		return nil
	}
	each := "number = ANY($2::text[]::bigint[])"
	if !v.db.Dialect.Postgres {
		each = "number IN (SELECT CAST(value AS INTEGER) FROM json_each($2))"
	}
	return db.Query(v.ctx, v.reader(), func(r db.Row) error {
		var number int64
		var id string
		err := r.Scan(&number, &id)
		products[uint32(number)] = id //nolint:gosec // see Put
		v.put(v.key(idEntry, strconv.FormatInt(number, 10)), id, len(id))
		return err
	}, "SELECT number, product FROM product_numbers WHERE tenant = $1 AND "+each, string(v.tenant), numbers)
}
