package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// useRows is ports.DiscountUses inside a transaction. The counters decide: one row per discount and one per
// discount and customer, raised by a conditional upsert, always in the same order.
type useRows struct{ *txn }

const (
	incrementCount = `INSERT INTO discount_counts (tenant, environment, discount, customer, used) VALUES ($1, $2, $3, $4, 1)
		ON CONFLICT (tenant, environment, discount, customer) DO UPDATE SET used = discount_counts.used + 1 WHERE CAST($5 AS bigint) = 0 OR discount_counts.used < $5`
	decrementCount = "UPDATE discount_counts SET used = used - 1 WHERE tenant = $1 AND environment = $2 AND discount = $3 AND customer = $4 AND used > 0"

	insertUse  = "INSERT INTO discount_uses (tenant, environment, discount, customer, holder, placed) VALUES ($1, $2, $3, $4, $5, FALSE)"
	deleteUse  = "DELETE FROM discount_uses WHERE tenant = $1 AND discount = $2 AND holder = $3"
	assignUses = "UPDATE discount_uses SET customer = $3 WHERE tenant = $1 AND holder = $2 AND customer <> ''"
	placeUses  = "UPDATE discount_uses SET placed = TRUE WHERE tenant = $1 AND holder = $2 AND NOT placed"
)

// counterMove is one counter row and by how much a call moves it: -1, 0 or 1.
type counterMove struct {
	env, discount, customer string
	delta, limit            int64
	code                    string
}

// useChanges is what a holder has of discounts and wants of them.
type useChanges struct {
	*txn

	tenant string
	holder string
	counts map[counterMove]*counterMove // by the row alone
	moves  conditionalBatch[counterMove]
	rows   []db.Stmt
}

// Reserve implements ports.DiscountUses.
func (t useRows) Reserve(ctx context.Context, id tenant.ID, env tenant.Environment, holder string, wanted []ports.DiscountUse) error {
	return t.setUses(ctx, id, env, holder, wanted)
}

// Release implements ports.DiscountUses.
func (t useRows) Release(ctx context.Context, id tenant.ID, holder string) error {
	return t.setUses(ctx, id, "", holder, nil)
}

// Redeem implements ports.DiscountUses.
func (t useRows) Redeem(ctx context.Context, id tenant.ID, env tenant.Environment, holder string, wanted []ports.DiscountUse) error {
	return t.setUses(ctx, id, env, holder, wanted, db.Stmt{SQL: placeUses, Args: []any{string(id), holder}})
}

// setUses makes wanted the holder's reserved uses and then runs more. Placed uses stay as they are.
func (t useRows) setUses(
	ctx context.Context, id tenant.ID, env tenant.Environment, holder string, wanted []ports.DiscountUse, more ...db.Stmt,
) error {
	u, had, err := t.usesOf(ctx, id, holder)
	if err != nil {
		return err
	}
	for _, w := range wanted {
		if old, ok := had[w.Discount]; ok && (old.placed || old.customer == w.Customer) {
			delete(had, w.Discount)
			continue
		}
		u.claim(string(env), w)
	}
	for discount, old := range had {
		if !old.placed {
			u.giveBack(discount, old)
		}
	}
	return u.apply(ctx, more)
}

// usesOf is what a holder has now.
func (t useRows) usesOf(ctx context.Context, id tenant.ID, holder string) (*useChanges, map[string]currentUse, error) {
	if !t.Covers(string(id)) {
		return nil, nil, t.fail(table.ErrForeignTenant)
	}
	u := &useChanges{txn: t.txn, tenant: string(id), holder: holder, counts: map[counterMove]*counterMove{}}
	had, err := u.currentUses(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("read discount uses: %w", err)
	}
	return u, had, nil
}

// ReleaseAll implements ports.DiscountUses.
func (t useRows) ReleaseAll(ctx context.Context, id tenant.ID, holder string) (bool, error) {
	u, had, err := t.usesOf(ctx, id, holder)
	if err != nil {
		return false, err
	}
	for discount, old := range had {
		u.giveBack(discount, old)
	}
	return len(had) > 0, u.apply(ctx, nil)
}

// Reassign implements ports.DiscountUses.
func (t useRows) Reassign(ctx context.Context, id tenant.ID, holder, customer string) error {
	u, had, err := t.usesOf(ctx, id, holder)
	if err != nil {
		return err
	}
	for discount, old := range had {
		if old.customer != "" {
			u.addMove(counterMove{env: old.env, discount: discount, customer: old.customer}, -1, 0, "")
			u.addMove(counterMove{env: old.env, discount: discount, customer: customer}, 1, 0, "")
		}
	}
	return u.apply(ctx, []db.Stmt{{SQL: assignUses, Args: []any{u.tenant, holder, customer}}})
}

func (u *useChanges) currentUses(ctx context.Context) (map[string]currentUse, error) {
	if u.prefetched != nil && u.prefetched.uses != nil && u.prefetched.plan.Holder == u.holder {
		had := u.prefetched.uses
		u.prefetched.uses = nil // they are about to change
		return had, nil
	}
	had := map[string]currentUse{}
	return had, u.Run(ctx, u.readUses(u.tenant, u.holder, had))
}

func (u *useChanges) addMove(c counterMove, by, limit int64, code string) {
	if u.counts[c] == nil {
		u.counts[c] = &counterMove{env: c.env, discount: c.discount, customer: c.customer}
	}
	it := u.counts[c]
	it.delta += by
	it.limit = max(it.limit, limit)
	it.code = cmp.Or(code, it.code)
}

func (u *useChanges) claim(env string, w ports.DiscountUse) {
	u.addMove(counterMove{env: env, discount: w.Discount}, 1, w.Limit, w.Code)
	if w.Customer != "" {
		u.addMove(counterMove{env: env, discount: w.Discount, customer: w.Customer}, 1, w.PerCustomerLimit, w.Code)
	}
	u.rows = append(u.rows, db.Stmt{SQL: insertUse, Args: []any{u.tenant, env, w.Discount, w.Customer, u.holder}})
}

// giveBack comes first among the rows: the same discount may be wanted again for another customer.
func (u *useChanges) giveBack(discount string, old currentUse) {
	u.addMove(counterMove{env: old.env, discount: discount}, -1, 0, "")
	if old.customer != "" {
		u.addMove(counterMove{env: old.env, discount: discount, customer: old.customer}, -1, 0, "")
	}
	u.rows = slices.Insert(u.rows, 0, db.Stmt{SQL: deleteUse, Args: []any{u.tenant, discount, u.holder}})
}

func (u *useChanges) apply(ctx context.Context, more []db.Stmt) error {
	sorted := slices.SortedFunc(maps.Values(u.counts), func(a, b *counterMove) int {
		return cmp.Or(cmp.Compare(a.discount, b.discount), cmp.Compare(a.env, b.env), cmp.Compare(a.customer, b.customer))
	})
	for _, c := range sorted {
		switch {
		case c.delta > 0:
			u.moves.addConditional(*c, incrementCount, u.tenant, c.env, c.discount, c.customer, c.limit)
		case c.delta < 0:
			u.moves.addUnconditional(decrementCount, u.tenant, c.env, c.discount, c.customer)
		}
	}
	u.moves.stmts = append(append(u.moves.stmts, u.rows...), more...)
	if u.defersWrites() {
		u.moves.enqueue(u.txn, func(c counterMove) error { return c.usedUpFault() })
		return nil
	}
	full, err := u.moves.run(ctx, u.txn)
	switch {
	case err != nil:
		return fmt.Errorf("count discount uses: %w", err)
	case full != nil:
		return full.usedUpFault()
	}
	return nil
}

func (c *counterMove) usedUpFault() error {
	f := ports.ErrDiscountUsageLimit
	if c.customer != "" {
		f = ports.ErrDiscountCustomerLimit
	}
	return f.WithData("code", c.code)
}

// Counts implements ports.DiscountUses.
func (t useRows) Counts(
	ctx context.Context, env tenant.Environment, discounts []string, customer string,
) (all, own map[string]int64, err error) {
	all, own = map[string]int64{}, map[string]int64{}
	var a db.Args
	text := "SELECT discount, customer, used FROM discount_counts r WHERE " + t.TenantFilter(&a, "r") + " AND environment = " +
		a.Bind(string(env)) +
		" AND customer IN ('', " + a.Bind(customer) + ") AND " + t.store.dialect.InList("discount", a.Bind(discounts))
	err = db.Query(ctx, t, func(r db.Row) error {
		var discount, of string
		var n int64
		err := r.Scan(&discount, &of, &n)
		if of == "" {
			all[discount] = n
		} else {
			own[discount] = n
		}
		return err
	}, text, a...)
	if err != nil {
		return nil, nil, fmt.Errorf("discount counts: %w", err)
	}
	return all, own, nil
}
