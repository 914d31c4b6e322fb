package sqlstore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// stockRows is ports.Stock inside a transaction. Every change of a count is one conditional UPDATE whose row count says
// whether it was possible; those of one call are sent in variant order, so that two calls never wait for each other.
type stockRows struct{ *txn }

// Levels implements ports.Stock.
func (t stockRows) Levels(ctx context.Context, env tenant.Environment, variants []string) (map[string]ports.Level, error) {
	levels := make(map[string]ports.Level, len(variants))
	var a args
	text := "SELECT variant, on_hand, reserved, tracked FROM stock r WHERE " + t.fence(&a, "r") + " AND environment = " + a.bind(string(env)) + " AND " + t.s.d.in("variant", a.bind(variants)) + " ORDER BY variant" + t.s.d.forUpdate()
	for _, v := range variants {
		t.held = append(t.held, ports.Place{Environment: env, Variant: v})
	}
	err := query(ctx, t, func(r row) error {
		var variant string
		var l ports.Level
		err := r.Scan(&variant, &l.OnHand, &l.Reserved, &l.Tracked)
		levels[variant] = l
		return err
	}, text, a...)
	if err != nil {
		return nil, fmt.Errorf("stock levels: %w", err)
	}
	return levels, nil
}

const (
	addStock = "INSERT INTO stock (tenant, environment, product, variant, on_hand, reserved, tracked) VALUES ($1, $2, $3, $4, $5, 0, $6) ON CONFLICT (tenant, environment, variant) DO NOTHING"
	setStock = "UPDATE stock SET product = $3, on_hand = $5, tracked = $6 WHERE tenant = $1 AND environment = $2 AND variant = $4 AND (NOT $6 OR reserved <= $5)"
)

// Set implements ports.Stock.
func (t stockRows) Set(ctx context.Context, id tenant.ID, env tenant.Environment, product, variant string, level ports.Level) error {
	if !t.covers(string(id)) {
		return t.refuse(errForeign)
	}
	args := func(env tenant.Environment) []any {
		t.held = append(t.held, ports.Place{Environment: env, Variant: variant})
		return []any{string(id), string(env), product, variant, level.OnHand, level.Tracked}
	}
	if t.lazy() {
		t.ahead.goods = false // what was read ahead is no longer so
	}
	possible := true
	err := t.run(ctx,
		stmt{sql: addStock, args: args(tenant.Live)},
		stmt{sql: addStock, args: args(tenant.Test)},
		stmt{sql: setStock, args: args(env), done: func(n int64) error { possible = n == 1; return nil }},
	)
	if err != nil {
		return fmt.Errorf("set stock: %w", err)
	}
	if !possible {
		return t.short(ctx, id, env, variant, level.OnHand, level.OnHand)
	}
	return nil
}

// short is ErrShort for a variant of which requested units were wanted; held of the promised ones are the caller's own.
func (t stockRows) short(ctx context.Context, id tenant.ID, env tenant.Environment, variant string, requested, held int64) error {
	var free int64
	_, err := queryRow(ctx, t, []any{&free}, "SELECT on_hand - reserved FROM stock WHERE tenant = $1 AND environment = $2 AND variant = $3", string(id), string(env), variant)
	if err != nil {
		return fmt.Errorf("read short stock: %w", err)
	}
	return ports.ErrShort.With("variantId", variant).With("requested", requested).With("available", max(free+held, 0))
}

// promise is what a holder has of one variant, and what it wants.
type promise struct {
	env        string
	variant    string
	held, want int64
}

// promises joins what holder has with what it demands, in variant order. It locks what holder has.
func (t stockRows) promises(ctx context.Context, id tenant.ID, env tenant.Environment, holder string, demands []ports.Demand) ([]promise, error) {
	if !t.covers(string(id)) {
		return nil, t.refuse(errForeign)
	}
	type place struct{ env, variant string }
	all := map[place]*promise{}
	at := func(env, variant string) *promise {
		p := place{env, variant}
		if all[p] == nil {
			all[p] = &promise{env: env, variant: variant}
		}
		return all[p]
	}
	for _, d := range demands {
		if d.Quantity <= 0 {
			return nil, fmt.Errorf("a demand of %d units of %s", d.Quantity, d.Variant)
		}
		at(string(env), d.Variant).want += d.Quantity
	}
	had, known, err := t.promisedTo(ctx, holder)
	for _, p := range had {
		at(p.env, p.variant).held = p.held
	}
	if err == nil && !known {
		err = query(ctx, t, func(r row) error {
			var env, variant string
			var n int64
			err := r.Scan(&env, &variant, &n)
			at(env, variant).held = n
			return err
		}, readPromises+t.s.d.forUpdate(), string(id), holder)
	}
	list := make([]promise, 0, len(all))
	for p := range maps.Values(all) {
		list = append(list, *p)
		t.held = append(t.held, ports.Place{Environment: tenant.Environment(p.env), Variant: p.variant})
	}
	slices.SortFunc(list, byPlace)
	return list, err
}

const (
	readPromises = "SELECT environment, variant, quantity FROM reservations WHERE tenant = $1 AND holder = $2"

	// $4 more units are promised; fewer when negative.
	promiseUnits = "UPDATE stock SET reserved = reserved + $4 WHERE tenant = $1 AND environment = $2 AND variant = $3 AND (NOT tracked OR on_hand - reserved >= $4)"
	// $4 units leave the house, $5 are no longer promised.
	takeUnits = `UPDATE stock SET on_hand = CASE WHEN tracked THEN on_hand - $4 ELSE on_hand END, reserved = reserved - $5
		WHERE tenant = $1 AND environment = $2 AND variant = $3 AND (NOT tracked OR on_hand - reserved + $5 >= $4)`

	keepPromise = `INSERT INTO reservations (tenant, holder, environment, variant, quantity, until_time) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (tenant, holder, environment, variant) DO UPDATE SET quantity = excluded.quantity, until_time = excluded.until_time`
	endPromise  = "DELETE FROM reservations WHERE tenant = $1 AND holder = $2 AND environment = $3 AND variant = $4"
	endPromises = "DELETE FROM reservations WHERE tenant = $1 AND holder = $2"
)

// Reserve implements ports.Stock.
func (t stockRows) Reserve(ctx context.Context, id tenant.ID, env tenant.Environment, holder string, demands []ports.Demand, until time.Time) error {
	list, err := t.promises(ctx, id, env, holder, demands)
	if err != nil {
		return fmt.Errorf("reserve stock: %w", err)
	}
	var moves counting[promise]
	for _, p := range list {
		switch more := p.want - p.held; {
		case more > 0:
			moves.add(p, promiseUnits, string(id), p.env, p.variant, more)
		case more < 0:
			moves.plain(promiseUnits, string(id), p.env, p.variant, more)
		}
		if p.want > 0 {
			moves.plain(keepPromise, string(id), holder, p.env, p.variant, p.want, until)
		} else {
			moves.plain(endPromise, string(id), holder, p.env, p.variant)
		}
	}
	if t.lazy() {
		t.queue(&moves)
		return nil
	}
	return t.move(ctx, id, &moves)
}

// Release implements ports.Stock.
func (t stockRows) Release(ctx context.Context, id tenant.ID, holder string) error {
	return t.Reserve(ctx, id, "", holder, nil, time.Time{})
}

// Take implements ports.Stock.
func (t stockRows) Take(ctx context.Context, id tenant.ID, env tenant.Environment, holder string, demands []ports.Demand) ([]ports.Demand, error) {
	list, err := t.promises(ctx, id, env, holder, demands)
	if err != nil {
		return nil, fmt.Errorf("take stock: %w", err)
	}
	tracked, foreseen := t.trackedAhead(env, holder, list)
	var moves counting[promise]
	for _, p := range list {
		if foreseen {
			moves.add(p, takeUnits, string(id), p.env, p.variant, p.want, p.held)
			continue
		}
		moves.add(p, takeUnits+" RETURNING tracked", string(id), p.env, p.variant, p.want, p.held)
		moves.read(func(r row) error {
			var counted bool
			err := r.Scan(&counted)
			tracked[p.variant] = tracked[p.variant] || counted && p.want > 0
			return err
		})
	}
	moves.plain(endPromises, string(id), holder)
	if foreseen {
		t.queue(&moves)
	} else if err := t.move(ctx, id, &moves); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(inventory.Sum(demands), func(d ports.Demand) bool { return !tracked[d.Variant] }), nil
}

// trackedAhead is which of the wanted variants are tracked, as it was read ahead with the lock on their rows; known is
// false, and the map empty, when it was not.
func (t stockRows) trackedAhead(env tenant.Environment, holder string, list []promise) (tracked map[string]bool, known bool) {
	tracked = map[string]bool{}
	if !t.lazy() || t.ahead.plan.Holder != holder || t.ahead.plan.Environment != env {
		return tracked, false
	}
	for _, p := range list {
		if p.want > 0 && !slices.Contains(t.ahead.plan.Variants, p.variant) {
			return map[string]bool{}, false
		}
		tracked[p.variant] = t.ahead.tracked[p.variant]
	}
	return tracked, true
}

const returnUnits = "UPDATE stock SET on_hand = on_hand + $4 WHERE tenant = $1 AND environment = $2 AND variant = $3"

// Restock implements ports.Stock.
func (t stockRows) Restock(ctx context.Context, id tenant.ID, env tenant.Environment, demands []ports.Demand) error {
	if !t.covers(string(id)) {
		return t.refuse(errForeign)
	}
	var moves []stmt
	for _, d := range inventory.Sum(demands) {
		t.held = append(t.held, ports.Place{Environment: env, Variant: d.Variant})
		moves = append(moves, stmt{sql: returnUnits, args: []any{string(id), string(env), d.Variant, d.Quantity}})
	}
	if len(moves) == 0 {
		return nil
	}
	if err := t.run(ctx, moves...); err != nil {
		return fmt.Errorf("restock: %w", err)
	}
	return nil
}

// queue has moves wait for the commit.
func (t stockRows) queue(moves *counting[promise]) {
	moves.later(t.txn, func(p promise) error { return ports.ErrShort.With("variantId", p.variant).With("requested", p.want) })
}

// move makes moves now.
func (t stockRows) move(ctx context.Context, id tenant.ID, moves *counting[promise]) error {
	refused, err := moves.run(ctx, t.txn)
	switch {
	case err != nil:
		return fmt.Errorf("move stock: %w", err)
	case refused != nil:
		return t.short(ctx, id, tenant.Environment(refused.env), refused.variant, refused.want, refused.held)
	}
	return nil
}
