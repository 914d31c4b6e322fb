package sqlstore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/change"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// stockRows is ports.Stock inside a transaction. Every change of a count is one conditional UPDATE whose row
// count says whether it was possible; those of one call are sent in variant order, so that two calls never
// wait for each other.
type stockRows struct{ *txn }

// Levels implements ports.Stock.
func (t stockRows) Levels(ctx context.Context, env tenant.Environment, variants []string) (map[string]ports.StockLevel, error) {
	for _, v := range variants {
		t.lockedStock = append(t.lockedStock, ports.StockKey{Environment: env, Variant: v})
	}
	if levels, known := t.levelsInMemory(env, variants); known {
		return levels, nil
	}
	return t.readLevels(ctx, env, variants, t.store.dialect.ForUpdate())
}

// readLevels reads rows of variants, and locks them if suffix does.
func (t stockRows) readLevels(
	ctx context.Context, env tenant.Environment, variants []string, suffix string,
) (map[string]ports.StockLevel, error) {
	levels := make(map[string]ports.StockLevel, len(variants))
	var a db.Args
	text := "SELECT variant, on_hand, reserved, tracked FROM stock r WHERE " + t.TenantFilter(&a, "r") + " AND environment = " +
		a.Bind(string(env)) + " AND " + t.store.dialect.InList("variant", a.Bind(variants)) + " ORDER BY variant" + suffix
	err := db.Query(ctx, t, func(r db.Row) error {
		var variant string
		var l ports.StockLevel
		err := r.Scan(&variant, &l.OnHand, &l.Reserved, &l.Tracked)
		levels[variant] = l
		return err
	}, text, a...)
	if err != nil {
		return nil, fmt.Errorf("stock levels: %w", err)
	}
	return levels, nil
}

const setStock = "UPDATE stock SET product = $3, on_hand = $5, tracked = $6 WHERE tenant = $1 AND environment = $2 AND variant = $4 AND (NOT $6 OR reserved <= $5)"

// Set implements ports.Stock.
func (t stockRows) Set(
	ctx context.Context, id tenant.ID, env tenant.Environment, product, variant string, level ports.StockLevel, cause ports.StockCause,
) error {
	if !t.Covers(string(id)) {
		return t.fail(table.ErrForeignTenant)
	}
	t.forgetStock()
	for _, each := range [...]tenant.Environment{tenant.Live, tenant.Test} {
		t.lockedStock = append(t.lockedStock, ports.StockKey{Environment: each, Variant: variant})
	}
	s := stockSetting{level: level, movement: ports.StockMovement{
		Cause: cause, Tenant: id, Environment: env, Product: product, Variant: variant, After: level.OnHand,
	}}
	possible := true
	stmts := []db.Stmt{s.add(tenant.Live), s.add(tenant.Test), s.readOnHand(t.store.dialect.ForUpdate()), {
		SQL: setStock, Args: []any{string(id), string(env), product, variant, level.OnHand, level.Tracked},
		OnDone: func(n int64) error { possible = n == 1; return nil },
	}}
	var places inventory.Places
	if t.store.hasLocations() {
		stmts = append(stmts, readPlaces(id, env, variant, &places))
	}
	if err := t.Run(ctx, stmts...); err != nil {
		return fmt.Errorf("set stock: %w", err)
	}
	if !possible {
		return t.outOfStock(ctx, id, env, variant, level.OnHand, level.OnHand)
	}
	t.reportMoved(s.moved...)
	return t.settlePlaces(ctx, id, env, variant, places, s.before)
}

// stockSetting is a call of Set and what it moves: the stock of its environment, or of both where it is new.
type stockSetting struct {
	movement ports.StockMovement // from nothing
	level    ports.StockLevel
	moved    []ports.StockMovement
	before   int64 // units on hand of a row that was there
}

// add adds the row of an environment if there is none.
func (s *stockSetting) add(env tenant.Environment) db.Stmt {
	m := s.movement
	m.Environment = env
	return db.Stmt{
		SQL: change.AddStock, Args: []any{string(m.Tenant), string(env), m.Product, m.Variant, s.level.OnHand, s.level.Tracked},
		OnDone: func(n int64) error {
			if n == 1 {
				s.moved = append(s.moved, m)
			}
			return nil
		},
	}
}

// readOnHand reads what a row that was there has, and locks it.
func (s *stockSetting) readOnHand(forUpdate string) db.Stmt {
	m := s.movement
	return db.Stmt{
		SQL: selectOnHand + forUpdate, Args: []any{string(m.Tenant), string(m.Environment), m.Variant},
		OnRow: func(r db.Row) error {
			err := r.Scan(&m.Before)
			s.before = m.Before
			if s.moved == nil {
				s.moved = append(s.moved, m)
			}
			return err
		},
	}
}

const selectOnHand = "SELECT on_hand FROM stock WHERE tenant = $1 AND environment = $2 AND variant = $3"

// reportMoved notes movements for BeforeStockCommit: those of a count, and those that somebody asked for by id.
func (t stockRows) reportMoved(moved ...ports.StockMovement) {
	for _, m := range moved {
		if m.Before != m.After || m.Movement != "" {
			t.movedStock = append(t.movedStock, m)
		}
	}
}

// outOfStock is ErrOutOfStock for a variant of which requested units were wanted; held of the reserved ones
// are the caller's own.
func (t stockRows) outOfStock(ctx context.Context, id tenant.ID, env tenant.Environment, variant string, requested, held int64) error {
	var free int64
	_, err := db.QueryRow(ctx, t, []any{&free},
		"SELECT on_hand - reserved FROM stock WHERE tenant = $1 AND environment = $2 AND variant = $3", string(id), string(env), variant)
	if err != nil {
		return fmt.Errorf("read short stock: %w", err)
	}
	return ports.ErrOutOfStock.WithData("variantId", variant).WithData("requested", requested).WithData("available", max(free+held, 0))
}

// mergeReservations joins what holder has with what it demands, in variant order. It locks what holder has.
func (t stockRows) mergeReservations(
	ctx context.Context, id tenant.ID, env tenant.Environment, holder string, demands []ports.Demand,
) ([]reservation, error) {
	if !t.Covers(string(id)) {
		return nil, t.fail(table.ErrForeignTenant)
	}
	type place struct{ env, variant string }
	all := map[place]*reservation{}
	at := func(env, variant string) *reservation {
		p := place{env, variant}
		if all[p] == nil {
			all[p] = &reservation{env: env, variant: variant}
		}
		return all[p]
	}
	for _, d := range demands {
		if d.Quantity <= 0 {
			return nil, fmt.Errorf("a demand of %d units of %s", d.Quantity, d.Variant)
		}
		at(string(env), d.Variant).wanted += d.Quantity
	}
	had, known, err := t.prefetchedReservations(ctx, holder)
	for _, p := range had {
		at(p.env, p.variant).reserved = p.reserved
	}
	if err == nil && !known {
		err = db.Query(ctx, t, func(r db.Row) error {
			var env, variant string
			var n int64
			err := r.Scan(&env, &variant, &n)
			at(env, variant).reserved = n
			return err
		}, selectReservations+t.store.dialect.ForUpdate(), string(id), holder)
	}
	list := make([]reservation, 0, len(all))
	for p := range maps.Values(all) {
		list = append(list, *p)
		t.lockedStock = append(t.lockedStock, ports.StockKey{Environment: tenant.Environment(p.env), Variant: p.variant})
	}
	slices.SortFunc(list, byStockKey)
	return list, err
}

const (
	// Reserves $4 more units; releases them when negative.
	reserveUnits = "UPDATE stock SET reserved = reserved + $4 WHERE tenant = $1 AND environment = $2 AND variant = $3 AND (NOT tracked OR on_hand - reserved >= $4)"
	// Removes $4 units from stock and releases $5 reserved units.
	takeUnits = `UPDATE stock SET on_hand = CASE WHEN tracked THEN on_hand - $4 ELSE on_hand END, reserved = reserved - $5
		WHERE tenant = $1 AND environment = $2 AND variant = $3 AND (NOT tracked OR on_hand - reserved + $5 >= $4)`

	upsertReservation = `INSERT INTO reservations (tenant, holder, environment, variant, quantity, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (tenant, holder, environment, variant) DO UPDATE SET quantity = excluded.quantity, expires_at = excluded.expires_at`
	deleteReservation  = "DELETE FROM reservations WHERE tenant = $1 AND holder = $2 AND environment = $3 AND variant = $4"
	deleteReservations = "DELETE FROM reservations WHERE tenant = $1 AND holder = $2"
)

// Reserve implements ports.Stock.
func (t stockRows) Reserve(
	ctx context.Context, id tenant.ID, env tenant.Environment, holder string, demands []ports.Demand, until time.Time,
) error {
	list, err := t.mergeReservations(ctx, id, env, holder, demands)
	if err != nil {
		return fmt.Errorf("reserve stock: %w", err)
	}
	if t.hasStock(id, holder, list) {
		if err := t.reserveInMemory(id, list); err != nil {
			return err
		}
		for _, s := range reservationStmts(id, holder, list, until) {
			t.enqueue(queuedStmt{Stmt: s})
		}
		t.prefetched.reservations = reservedNow(list)
		return nil
	}
	var moves conditionalBatch[reservation]
	for _, p := range list {
		switch more := p.wanted - p.reserved; {
		case more > 0:
			moves.addConditional(p, reserveUnits, string(id), p.env, p.variant, more)
		case more < 0:
			moves.addUnconditional(reserveUnits, string(id), p.env, p.variant, more)
		}
	}
	moves.stmts = append(moves.stmts, reservationStmts(id, holder, list, until)...)
	t.forgetStock()
	return t.runMoves(ctx, id, &moves)
}

// reservationStmts store what is wanted of a list as what is reserved.
func reservationStmts(id tenant.ID, holder string, list []reservation, until time.Time) (stmts []db.Stmt) {
	for _, p := range list {
		if p.wanted > 0 {
			stmts = append(stmts, db.Stmt{SQL: upsertReservation, Args: []any{string(id), holder, p.env, p.variant, p.wanted, until}})
		} else {
			stmts = append(stmts, db.Stmt{SQL: deleteReservation, Args: []any{string(id), holder, p.env, p.variant}})
		}
	}
	return stmts
}

// reservedNow is what a holder has who got what it wanted.
func reservedNow(list []reservation) (now []reservation) {
	for _, p := range list {
		if p.wanted > 0 {
			now = append(now, reservation{env: p.env, variant: p.variant, reserved: p.wanted})
		}
	}
	return now
}

// Release implements ports.Stock.
func (t stockRows) Release(ctx context.Context, id tenant.ID, holder string) error {
	return t.Reserve(ctx, id, "", holder, nil, time.Time{})
}

// Take implements ports.Stock.
func (t stockRows) Take(
	ctx context.Context, id tenant.ID, env tenant.Environment, holder string, demands []ports.Demand, cause ports.StockCause,
) ([]ports.Demand, error) {
	list, err := t.mergeReservations(ctx, id, env, holder, demands)
	if err != nil {
		return nil, fmt.Errorf("take stock: %w", err)
	}
	left, err := t.take(ctx, id, holder, list)
	if err != nil {
		return nil, err
	}
	taken := slices.DeleteFunc(inventory.Sum(demands), func(d ports.Demand) bool { return !left[d.Variant].tracked })
	for _, d := range taken {
		s := left[d.Variant]
		t.reportMoved(ports.StockMovement{
			Cause: cause, Tenant: id, Environment: env, Product: s.product, Variant: d.Variant, Before: s.onHand + d.Quantity, After: s.onHand,
		})
	}
	return taken, nil
}

const returningStock = " RETURNING product, on_hand, tracked"

// take takes what is wanted of a list, and returns the rows of that as they are left, by variant.
func (t stockRows) take(ctx context.Context, id tenant.ID, holder string, list []reservation) (map[string]stockRow, error) {
	ended := db.Stmt{SQL: deleteReservations, Args: []any{string(id), holder}}
	if t.hasStock(id, holder, list) {
		left, err := t.takeInMemory(id, list)
		if err == nil {
			t.enqueue(queuedStmt{Stmt: ended})
			t.prefetched.reservations = nil
		}
		return left, err
	}
	left := map[string]stockRow{}
	var moves conditionalBatch[reservation]
	for _, p := range list {
		moves.addConditional(p, takeUnits+returningStock, string(id), p.env, p.variant, p.wanted, p.reserved)
		moves.onRows(func(r db.Row) error {
			var s stockRow
			err := r.Scan(&s.product, &s.onHand, &s.tracked)
			if p.wanted > 0 {
				left[p.variant] = s
			}
			return err
		})
	}
	moves.stmts = append(moves.stmts, ended)
	t.forgetStock()
	return left, t.runMoves(ctx, id, &moves)
}

// forgetStock has stock that was read ahead read again: it is about to change.
func (t stockRows) forgetStock() {
	if t.defersWrites() {
		t.prefetched.stockLoaded, t.prefetched.stock = false, map[stockKey]stockRow{}
	}
}

const restockUnits = "UPDATE stock SET on_hand = on_hand + $4 WHERE tenant = $1 AND environment = $2 AND variant = $3" + returningStock

// Restock implements ports.Stock.
func (t stockRows) Restock(
	ctx context.Context, id tenant.ID, env tenant.Environment, demands []ports.Demand, cause ports.StockCause,
) error {
	if !t.Covers(string(id)) {
		return t.fail(table.ErrForeignTenant)
	}
	var moves []db.Stmt
	for _, d := range inventory.Sum(demands) {
		t.lockedStock = append(t.lockedStock, ports.StockKey{Environment: env, Variant: d.Variant})
		moves = append(moves, db.Stmt{SQL: restockUnits, Args: []any{string(id), string(env), d.Variant, d.Quantity}, OnRow: func(r db.Row) error {
			var s stockRow
			err := r.Scan(&s.product, &s.onHand, &s.tracked)
			t.reportMoved(ports.StockMovement{
				Cause: cause, Tenant: id, Environment: env, Product: s.product, Variant: d.Variant, Before: s.onHand - d.Quantity, After: s.onHand,
			})
			return err
		}})
	}
	if len(moves) == 0 {
		return nil
	}
	t.forgetStock()
	if err := t.Run(ctx, moves...); err != nil {
		return fmt.Errorf("restock: %w", err)
	}
	return nil
}

// runMoves makes moves now.
func (t stockRows) runMoves(ctx context.Context, id tenant.ID, moves *conditionalBatch[reservation]) error {
	refused, err := moves.run(ctx, t.txn)
	switch {
	case err != nil:
		return fmt.Errorf("move stock: %w", err)
	case refused != nil:
		return t.outOfStock(ctx, id, tenant.Environment(refused.env), refused.variant, refused.wanted, refused.reserved)
	}
	return nil
}

// releaseExpired takes its locks as Reserve does: reservations first, then stock in variant order.
func releaseExpired(ctx context.Context, t *txn, tenantID, holder string, now time.Time) error {
	var ended []reservation
	err := db.Query(ctx, t, func(r db.Row) error {
		var p reservation
		err := r.Scan(&p.env, &p.variant, &p.reserved)
		ended = append(ended, p)
		return err
	}, "DELETE FROM reservations WHERE tenant = $1 AND holder = $2 AND expires_at <= $3 RETURNING environment, variant, quantity",
		tenantID, holder, now)
	if err != nil || len(ended) == 0 {
		return err
	}
	slices.SortFunc(ended, byStockKey)
	var moves conditionalBatch[reservation]
	for _, p := range ended {
		moves.addUnconditional(reserveUnits, tenantID, p.env, p.variant, -p.reserved)
		t.lockedStock = append(t.lockedStock, ports.StockKey{Environment: tenant.Environment(p.env), Variant: p.variant})
	}
	_, err = moves.run(ctx, t)
	return err
}
