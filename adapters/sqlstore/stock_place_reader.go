package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// StockPlaceReader is a ports.StockPlaceReader.
type StockPlaceReader struct{ db *db.DB }

var _ ports.StockPlaceReader = StockPlaceReader{}

// findPlaces reads the stock of a variant and its places by one statement: the first row is the stock.
const findPlaces = `SELECT on_hand, reserved, tracked, location, units FROM (
	SELECT s.on_hand, s.reserved, s.tracked, '' AS location, 0 AS units, 0 AS position, '' AS id FROM stock s
		WHERE s.tenant = $1 AND s.environment = $2 AND s.variant = $3
	UNION ALL SELECT 0, 0, false, p.location, p.units, coalesce(l.position, 0), l.id` + placesJoin + `
		WHERE p.tenant = $1 AND p.environment = $2 AND p.variant = $3) x ORDER BY CASE WHEN x.id = '' THEN 0 ELSE 1 END, x.position, x.id`

// Find implements ports.StockPlaceReader.
func (s StockPlaceReader) Find(
	ctx context.Context, id tenant.ID, env tenant.Environment, variant string,
) (level ports.StockLevel, places inventory.Places, err error) {
	err = db.Query(ctx, s.db.Reader(ports.ForTenant(id)), func(r db.Row) error {
		var l ports.StockLevel
		var at inventory.Place
		err := r.Scan(&l.OnHand, &l.Reserved, &l.Tracked, &at.Location, &at.Units)
		if at.Location == "" {
			level = l
		} else {
			places = append(places, at)
		}
		return err
	}, findPlaces, string(id), string(env), variant)
	if err != nil {
		return level, nil, fmt.Errorf("find the places of a variant: %w", err)
	}
	return level, places, nil
}

// lyingAt are the variants at location $3 with what is stored there and the units on hand beyond those that stay before it, as
// inventory.Places.Lying has it: some lie there if there are any.
const lyingAt = `SELECT p.variant, p.units, s.on_hand - (SELECT CAST(coalesce(sum(b.units), 0) AS bigint) FROM stock_places b
		JOIN stock_locations before ON before.tenant = b.tenant AND before.id = b.location
		WHERE b.tenant = p.tenant AND b.environment = p.environment AND b.variant = p.variant
			AND (coalesce(before.position, 0), before.id) < (coalesce(l.position, 0), l.id)) AS left_over` + placesJoin + `
	JOIN stock s ON s.tenant = p.tenant AND s.environment = p.environment AND s.variant = p.variant
	WHERE p.tenant = $1 AND p.environment = $2 AND p.location = $3`

// FindAt implements ports.StockPlaceReader.
func (s StockPlaceReader) FindAt(ctx context.Context, q ports.PlaceQuery) (page []ports.PlacedVariant, total int64, err error) {
	of := []any{string(q.Tenant), string(q.Environment), q.Location}
	err = s.db.Reader(ports.ForTenant(q.Tenant)).Run(ctx, db.Stmt{
		SQL: "SELECT count(*) FROM (" + lyingAt + ") x WHERE x.left_over > 0", Args: of, Costly: true,
		OnRow: func(r db.Row) error { return r.Scan(&total) },
	}, db.Stmt{
		SQL:  "SELECT x.variant, x.units, x.left_over FROM (" + lyingAt + ") x WHERE x.left_over > 0 ORDER BY x.variant LIMIT $4 OFFSET $5",
		Args: append(of[:3:3], int64(q.Limit), int64(q.Page-1)*int64(q.Limit)), Costly: true,
		OnRow: func(r db.Row) error {
			var at ports.PlacedVariant
			var leftOver int64
			err := r.Scan(&at.Variant, &at.Units, &leftOver)
			at.Units = min(at.Units, leftOver)
			page = append(page, at)
			return err
		},
	})
	if err != nil {
		return nil, 0, fmt.Errorf("find what lies at a location: %w", err)
	}
	return page, total, nil
}
