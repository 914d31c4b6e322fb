package sqlstore

import (
	"cmp"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// A transaction that has its rows of stock locked and read from the start decides on them in memory. What it moves is
// written once, with the commit.

// stockKey identifies a row of stock.
type stockKey struct{ tenant, env, variant string }

// stockRow is the row of stock of a variant in one environment.
type stockRow struct {
	product          string
	onHand, reserved int64
	tracked          bool
}

// stockMove is by how much the counts of a row of stock change.
type stockMove struct{ onHand, reserved int64 }

// reservation is what a holder has of one variant, and what it wants.
type reservation struct {
	env              string
	variant          string
	reserved, wanted int64
}

// byStockKey is the order in which rows of stock are locked.
func byStockKey(a, b reservation) int {
	return cmp.Or(cmp.Compare(a.variant, b.variant), cmp.Compare(a.env, b.env))
}

// free is how many units of a row a holder could have that has reserved some of them.
func (s stockRow) free(reserved int64) int64 { return s.onHand - s.reserved + reserved }

// move notes that the counts of a row change.
func (f *prefetchedData) move(key stockKey, by stockMove) {
	m := f.moves[key]
	m.onHand += by.onHand
	m.reserved += by.reserved
	f.moves[key] = m
	s := f.stock[key]
	s.onHand += by.onHand
	s.reserved += by.reserved
	f.stock[key] = s
}

// hasStock reports whether all rows of a list are known, locked, and as the transaction leaves them. A variant without a
// row has none to be locked.
func (t stockRows) hasStock(id tenant.ID, holder string, list []reservation) bool {
	f := t.prefetched
	if f == nil || f.plan.Holder != holder || !f.stockLoaded {
		return false
	}
	return !slices.ContainsFunc(list, func(p reservation) bool {
		_, known := f.stock[stockKey{string(id), p.env, p.variant}]
		return !known && (p.env != string(f.plan.Environment) || !slices.Contains(f.plan.Variants, p.variant))
	})
}

// reserveInMemory moves what is reserved of a list to what is wanted. Errors: ports.ErrOutOfStock, which moves nothing.
func (t stockRows) reserveInMemory(id tenant.ID, list []reservation) error {
	f := t.prefetched
	for _, p := range list {
		s := f.stock[stockKey{string(id), p.env, p.variant}]
		if more := p.wanted - p.reserved; more > 0 && (s.product == "" || s.tracked && s.free(0) < more) {
			return shortOf(p, s)
		}
	}
	for _, p := range list {
		if more := p.wanted - p.reserved; more != 0 {
			f.move(stockKey{string(id), p.env, p.variant}, stockMove{reserved: more})
		}
	}
	return nil
}

// takeInMemory takes what is wanted of a list and ends its reservations. It returns the rows of what was wanted as they
// were left. Errors: ports.ErrOutOfStock, which takes nothing.
func (t stockRows) takeInMemory(id tenant.ID, list []reservation) (left map[string]stockRow, err error) {
	f := t.prefetched
	for _, p := range list {
		s := f.stock[stockKey{string(id), p.env, p.variant}]
		if s.product == "" || s.tracked && s.free(p.reserved) < p.wanted {
			return nil, shortOf(p, s)
		}
	}
	left = map[string]stockRow{}
	for _, p := range list {
		key := stockKey{string(id), p.env, p.variant}
		by := stockMove{reserved: -p.reserved}
		if f.stock[key].tracked {
			by.onHand = -p.wanted
		}
		f.move(key, by)
		if p.wanted > 0 {
			left[p.variant] = f.stock[key]
		}
	}
	return left, nil
}

func shortOf(p reservation, s stockRow) error {
	return ports.ErrOutOfStock.WithData("variantId", p.variant).WithData("requested", p.wanted).
		WithData("available", max(s.free(p.reserved), 0))
}

// levelsInMemory are the rows of variants, if all are known.
func (t stockRows) levelsInMemory(env tenant.Environment, variants []string) (levels map[string]ports.StockLevel, known bool) {
	f := t.prefetched
	if f == nil || len(t.Scope.Tenants) != 1 {
		return nil, false
	}
	levels = make(map[string]ports.StockLevel, len(variants))
	for _, v := range variants {
		s, known := f.stock[stockKey{string(t.Scope.Tenants[0]), string(env), v}]
		if !known || s.product == "" {
			return nil, false
		}
		levels[v] = inventory.Level{OnHand: s.onHand, Reserved: s.reserved, Tracked: s.tracked}
	}
	return levels, true
}

// moveStock moves the counts of locked rows. What was decided in memory holds here too: available units stay available.
const moveStock = `UPDATE stock s SET on_hand = s.on_hand + m.on_hand, reserved = s.reserved + m.reserved
	FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[]) AS m(tenant, environment, variant, on_hand, reserved)
	WHERE s.tenant = m.tenant AND s.environment = m.environment AND s.variant = m.variant
		AND (NOT s.tracked OR m.on_hand >= m.reserved OR s.on_hand + m.on_hand >= s.reserved + m.reserved)`

// moveStmts write the moves that wait.
func (f *prefetchedData) moveStmts() []queuedStmt {
	maps.DeleteFunc(f.moves, func(_ stockKey, m stockMove) bool { return m == stockMove{} })
	if len(f.moves) == 0 {
		return nil
	}
	keys := slices.SortedFunc(maps.Keys(f.moves), func(a, b stockKey) int {
		return cmp.Or(cmp.Compare(a.variant, b.variant), cmp.Compare(a.env, b.env), cmp.Compare(a.tenant, b.tenant))
	})
	tenants, envs, variants := make([]string, len(keys)), make([]string, len(keys)), make([]string, len(keys))
	onHand, reserved := make([]int64, len(keys)), make([]int64, len(keys))
	for i, k := range keys {
		tenants[i], envs[i], variants[i], onHand[i], reserved[i] = k.tenant, k.env, k.variant, f.moves[k].onHand, f.moves[k].reserved
	}
	return []queuedStmt{{
		Stmt:        db.Stmt{SQL: moveStock, Args: []any{tenants, envs, variants, onHand, reserved}, AffectsAll: true},
		errIfNoRows: ports.ErrStale,
	}}
}
