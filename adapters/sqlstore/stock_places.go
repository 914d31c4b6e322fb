package sqlstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// placeRows is ports.StockPlaces inside a transaction.
type placeRows struct{ *txn }

var _ ports.StockPlaces = placeRows{}

const (
	// Places are in the order of inventory.Places. That of a location that is not there, of which none is left, is skipped.
	placesJoin  = " FROM stock_places p JOIN stock_locations l ON l.tenant = p.tenant AND l.id = p.location"
	placesOrder = "coalesce(l.position, 0), l.id"

	selectPlaces = "SELECT p.location, p.units" + placesJoin + " WHERE p.tenant = $1 AND p.environment = $2 AND p.variant = $3 ORDER BY " + placesOrder

	// Those of many variants.
	selectPlacesOfMany = "SELECT p.variant, p.location, p.units" + placesJoin + " WHERE p.tenant = $1 AND p.environment = $2 AND "

	deletePlaces      = "DELETE FROM stock_places WHERE tenant = $1 AND environment = $2 AND variant = $3"
	insertPlace       = "INSERT INTO stock_places (tenant, environment, variant, location, units) VALUES ($1, $2, $3, $4, $5)"
	forgetVariant     = "DELETE FROM stock_places WHERE tenant = $1 AND environment IN ('live', 'test') AND variant = $2"
	forgetLocation    = "DELETE FROM stock_places WHERE tenant = $1 AND location = $2"
	variantsAt        = "SELECT environment, variant FROM stock_places WHERE tenant = $1 AND location = $2 ORDER BY environment, variant"
	settledInOneRound = 500 // variants
)

// hasLocations reports whether the store has locations, without which it has no places either.
func (e *engine) hasLocations() bool { return e.shapes[inventory.Locations.Slug] != nil }

// readPlaces reads the places of a variant.
func readPlaces(id tenant.ID, env tenant.Environment, variant string, into *inventory.Places) db.Stmt {
	return db.Stmt{SQL: selectPlaces, Args: []any{string(id), string(env), variant}, OnRow: func(r db.Row) error {
		var at inventory.Place
		err := r.Scan(&at.Location, &at.Units)
		*into = append(*into, at)
		return err
	}}
}

// putPlaces stores places instead of those that a variant has.
func putPlaces(id tenant.ID, env tenant.Environment, variant string, places inventory.Places) []db.Stmt {
	stmts := []db.Stmt{{SQL: deletePlaces, Args: []any{string(id), string(env), variant}}}
	for _, at := range places {
		stmts = append(stmts, db.Stmt{SQL: insertPlace, Args: []any{string(id), string(env), variant, at.Location, at.Units}})
	}
	return stmts
}

// Of implements ports.StockPlaces.
func (t placeRows) Of(ctx context.Context, id tenant.ID, env tenant.Environment, variant string) (places inventory.Places, err error) {
	if !t.Covers(string(id)) {
		return nil, t.fail(table.ErrForeignTenant)
	}
	if err := t.Run(ctx, readPlaces(id, env, variant, &places)); err != nil {
		return nil, fmt.Errorf("read places: %w", err)
	}
	return places, nil
}

// Put implements ports.StockPlaces.
func (t placeRows) Put(ctx context.Context, id tenant.ID, env tenant.Environment, variant string, places inventory.Places) error {
	if !t.Covers(string(id)) {
		return t.fail(table.ErrForeignTenant)
	}
	if err := t.Run(ctx, putPlaces(id, env, variant, places)...); err != nil {
		return fmt.Errorf("store places: %w", err)
	}
	return nil
}

// settlePlaces has the stored places of a variant be where its units lie while onHand are there.
func (t *txn) settlePlaces(ctx context.Context, id tenant.ID, env tenant.Environment, variant string, stored inventory.Places, onHand int64) error {
	lying, _ := stored.Lying(onHand)
	if slices.Equal(lying, stored) {
		return nil
	}
	if err := t.Run(ctx, putPlaces(id, env, variant, lying)...); err != nil {
		return fmt.Errorf("settle places: %w", err)
	}
	return nil
}

// settleBefore settles what changes of records make unsettled: the variants at locations that are deleted.
func (t *txn) settleBefore(ctx context.Context, changes []collection.Change) error {
	for _, c := range changes {
		if c.Schema.Slug == inventory.Locations.Slug && c.Operation == collection.Deleted {
			if err := t.settleAt(ctx, tenant.ID(c.Record().Text("tenant")), c.ID()); err != nil {
				return err
			}
		}
	}
	return nil
}

// settleAt settles all variants at a location, in parts. It locks their stock.
func (t *txn) settleAt(ctx context.Context, id tenant.ID, location string) error {
	there := map[tenant.Environment][]string{}
	err := db.Query(ctx, t, func(r db.Row) error {
		var env, variant string
		err := r.Scan(&env, &variant)
		there[tenant.Environment(env)] = append(there[tenant.Environment(env)], variant)
		return err
	}, variantsAt, string(id), location)
	if err != nil {
		return fmt.Errorf("look for what lies at a location: %w", err)
	}
	for _, env := range [...]tenant.Environment{tenant.Live, tenant.Test} {
		for part := range slices.Chunk(there[env], settledInOneRound) {
			if err := t.settleVariants(ctx, id, env, part); err != nil {
				return err
			}
		}
	}
	return nil
}

// settleVariants settles variants, whose stock it locks.
func (t *txn) settleVariants(ctx context.Context, id tenant.ID, env tenant.Environment, variants []string) error {
	levels, err := stockRows{t}.readLevels(ctx, env, variants, t.store.dialect.ForUpdate())
	if err != nil {
		return err
	}
	stored := map[string]inventory.Places{}
	err = db.Query(ctx, t, func(r db.Row) error {
		var variant string
		var at inventory.Place
		err := r.Scan(&variant, &at.Location, &at.Units)
		stored[variant] = append(stored[variant], at)
		return err
	}, selectPlacesOfMany+t.store.dialect.InList("p.variant", "$3")+" ORDER BY p.variant, "+placesOrder, string(id), string(env), variants)
	if err != nil {
		return fmt.Errorf("read places: %w", err)
	}
	var stmts []db.Stmt
	for _, v := range variants {
		if lying, _ := stored[v].Lying(levels[v].OnHand); !slices.Equal(lying, stored[v]) {
			stmts = append(stmts, putPlaces(id, env, v, lying)...)
		}
	}
	if err := t.Run(ctx, stmts...); err != nil {
		return fmt.Errorf("settle places: %w", err)
	}
	return nil
}

// forgetPlaces deletes the places of what changes delete.
func (t *txn) forgetPlaces(ctx context.Context, changes []collection.Change) error {
	if !t.store.hasLocations() {
		return nil
	}
	var stmts []db.Stmt
	for _, c := range changes {
		sql := map[string]string{catalog.Variants.Slug: forgetVariant, inventory.Locations.Slug: forgetLocation}[c.Schema.Slug]
		if sql != "" && c.Operation == collection.Deleted {
			stmts = append(stmts, db.Stmt{SQL: sql, Args: []any{c.Record().Text("tenant"), c.ID()}})
		}
	}
	if len(stmts) == 0 {
		return nil
	}
	if err := t.runOrDefer(ctx, stmts...); err != nil {
		return fmt.Errorf("delete places: %w", err)
	}
	return nil
}
