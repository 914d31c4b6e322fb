package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// useRows is ports.Uses inside a transaction. The counters decide: one row per discount and one per discount and
// customer, raised by a conditional upsert, always in the same order.
type useRows struct{ *txn }

const (
	raiseCount = `INSERT INTO discount_counts (tenant, environment, discount, customer, used) VALUES ($1, $2, $3, $4, 1)
		ON CONFLICT (tenant, environment, discount, customer) DO UPDATE SET used = discount_counts.used + 1 WHERE CAST($5 AS bigint) = 0 OR discount_counts.used < $5`
	lowerCount = "UPDATE discount_counts SET used = used - 1 WHERE tenant = $1 AND environment = $2 AND discount = $3 AND customer = $4 AND used > 0"

	addUse    = "INSERT INTO discount_uses (tenant, environment, discount, customer, holder, placed) VALUES ($1, $2, $3, $4, $5, FALSE)"
	endUse    = "DELETE FROM discount_uses WHERE tenant = $1 AND discount = $2 AND holder = $3"
	placeUses = "UPDATE discount_uses SET placed = TRUE WHERE tenant = $1 AND holder = $2 AND NOT placed"
)

// counter is one counter row and by how much a call moves it: -1, 0 or 1.
type counter struct {
	env, discount, customer string
	by, limit               int64
	code                    string
}

// uses is what a holder has of discounts and wants of them.
type uses struct {
	*txn

	tenant string
	holder string
	counts map[counter]*counter // by the row alone
	moves  counting[counter]
	rows   []stmt
}

// Reserve implements ports.Uses.
func (t useRows) Reserve(ctx context.Context, id tenant.ID, env tenant.Environment, holder string, wanted []ports.Use) error {
	return t.hold(ctx, id, env, holder, wanted)
}

// Release implements ports.Uses.
func (t useRows) Release(ctx context.Context, id tenant.ID, holder string) error {
	return t.hold(ctx, id, "", holder, nil)
}

// Place implements ports.Uses.
func (t useRows) Place(ctx context.Context, id tenant.ID, env tenant.Environment, holder string, wanted []ports.Use) error {
	return t.hold(ctx, id, env, holder, wanted, stmt{sql: placeUses, args: []any{string(id), holder}})
}

// hold makes wanted the holder's promises and then runs more. Placed uses stay as they are.
func (t useRows) hold(ctx context.Context, id tenant.ID, env tenant.Environment, holder string, wanted []ports.Use, more ...stmt) error {
	if !t.covers(string(id)) {
		return t.refuse(errForeign)
	}
	u := &uses{txn: t.txn, tenant: string(id), holder: holder, counts: map[counter]*counter{}}
	had, err := u.had(ctx)
	if err != nil {
		return fmt.Errorf("read discount uses: %w", err)
	}
	for _, w := range wanted {
		if old, ok := had[w.Discount]; ok && (old.placed || old.customer == w.Customer) {
			delete(had, w.Discount)
			continue
		}
		u.want(string(env), w)
	}
	for discount, old := range had {
		if !old.placed {
			u.giveBack(discount, old)
		}
	}
	return u.count(ctx, more)
}

// GiveBack implements ports.Uses.
func (t useRows) GiveBack(ctx context.Context, id tenant.ID, holder string) error {
	if !t.covers(string(id)) {
		return t.refuse(errForeign)
	}
	u := &uses{txn: t.txn, tenant: string(id), holder: holder, counts: map[counter]*counter{}}
	had, err := u.had(ctx)
	if err != nil {
		return fmt.Errorf("read discount uses: %w", err)
	}
	for discount, old := range had {
		u.giveBack(discount, old)
	}
	return u.count(ctx, nil)
}

type heldUse struct {
	env, customer string
	placed        bool
}

func (u *uses) had(ctx context.Context) (map[string]heldUse, error) {
	if u.ahead != nil && u.ahead.uses != nil && u.ahead.plan.Holder == u.holder {
		had := u.ahead.uses
		u.ahead.uses = nil // they are about to change
		return had, nil
	}
	had := map[string]heldUse{}
	return had, u.run(ctx, u.readUses(u.tenant, u.holder, had))
}

// readUses reads, and locks, what a holder has.
func (t *txn) readUses(tenant, holder string, had map[string]heldUse) stmt {
	return stmt{
		sql: "SELECT discount, environment, customer, placed FROM discount_uses WHERE tenant = $1 AND holder = $2" + t.s.d.forUpdate(), args: []any{tenant, holder},
		each: func(r row) error {
			var discount string
			var h heldUse
			err := r.Scan(&discount, &h.env, &h.customer, &h.placed)
			had[discount] = h
			return err
		},
	}
}

func (u *uses) move(c counter, by, limit int64, code string) {
	if u.counts[c] == nil {
		u.counts[c] = &counter{env: c.env, discount: c.discount, customer: c.customer}
	}
	it := u.counts[c]
	it.by += by
	it.limit = max(it.limit, limit)
	it.code = cmp.Or(code, it.code)
}

func (u *uses) want(env string, w ports.Use) {
	u.move(counter{env: env, discount: w.Discount}, 1, w.Limit, w.Code)
	if w.Customer != "" {
		u.move(counter{env: env, discount: w.Discount, customer: w.Customer}, 1, w.PerCustomerLimit, w.Code)
	}
	u.rows = append(u.rows, stmt{sql: addUse, args: []any{u.tenant, env, w.Discount, w.Customer, u.holder}})
}

// giveBack comes first among the rows: the same discount may be wanted again for another customer.
func (u *uses) giveBack(discount string, old heldUse) {
	u.move(counter{env: old.env, discount: discount}, -1, 0, "")
	if old.customer != "" {
		u.move(counter{env: old.env, discount: discount, customer: old.customer}, -1, 0, "")
	}
	u.rows = slices.Insert(u.rows, 0, stmt{sql: endUse, args: []any{u.tenant, discount, u.holder}})
}

func (u *uses) count(ctx context.Context, more []stmt) error {
	sorted := slices.SortedFunc(maps.Values(u.counts), func(a, b *counter) int {
		return cmp.Or(cmp.Compare(a.discount, b.discount), cmp.Compare(a.env, b.env), cmp.Compare(a.customer, b.customer))
	})
	for _, c := range sorted {
		switch {
		case c.by > 0:
			u.moves.add(*c, raiseCount, u.tenant, c.env, c.discount, c.customer, c.limit)
		case c.by < 0:
			u.moves.plain(lowerCount, u.tenant, c.env, c.discount, c.customer)
		}
	}
	u.moves.stmts = append(append(u.moves.stmts, u.rows...), more...)
	if u.lazy() {
		u.moves.later(u.txn, func(c counter) error { return c.usedUp() })
		return nil
	}
	full, err := u.moves.run(ctx, u.txn)
	switch {
	case err != nil:
		return fmt.Errorf("count discount uses: %w", err)
	case full != nil:
		return full.usedUp()
	}
	return nil
}

func (c *counter) usedUp() error {
	f := ports.ErrUsedUp
	if c.customer != "" {
		f = ports.ErrCustomerUsedUp
	}
	return f.With("code", c.code)
}

// Counts implements ports.Uses.
func (t useRows) Counts(ctx context.Context, env tenant.Environment, discounts []string, customer string) (all, own map[string]int64, err error) {
	all, own = map[string]int64{}, map[string]int64{}
	var a args
	text := "SELECT discount, customer, used FROM discount_counts r WHERE " + t.fence(&a, "r") + " AND environment = " + a.bind(string(env)) +
		" AND customer IN ('', " + a.bind(customer) + ") AND " + t.s.d.in("discount", a.bind(discounts))
	err = query(ctx, t, func(r row) error {
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
