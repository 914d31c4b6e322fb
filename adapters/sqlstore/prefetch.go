package sqlstore

import (
	"context"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// A unit of work that declares its reads up front takes two round trips to Postgres, as long as it reads
// nothing else: one begins it, locks and reads, the other writes and commits. What it writes is queued until
// the next read or the commit; a statement whose effect decides something is worded so that having none is an
// error, which keeps the commit behind it from happening. SQLite has no round trips: there the declaration
// means nothing.

// beginPrefetched begins the transaction with the locks and reads of its plan.
func (t *txn) beginPrefetched(ctx context.Context) error {
	stmts, err := db.BeginFor(t.Scope)
	if err != nil {
		return err
	}
	f := t.prefetched
	for locks := f.plan.Lock; len(locks) > 0; {
		n := 1
		for n < len(locks) && locks[n].Schema == locks[0].Schema {
			n++
		}
		s, err := t.prefetchLocked(locks[:n])
		if err != nil {
			return err
		}
		stmts, locks = append(stmts, s), locks[n:]
	}
	more, err := t.prefetchFirst()
	if err != nil {
		return err
	}
	if stmts = append(stmts, more...); f.plan.DiscountUsesFirst {
		f.uses = map[string]currentUse{}
		stmts = append(stmts, t.readUses(string(t.Scope.Tenants[0]), f.plan.Holder, f.uses))
	} else {
		goods, err := t.prefetchStock()
		if err != nil {
			return err
		}
		stmts = append(stmts, goods...)
	}
	err = t.inner.Run(ctx, stmts...)
	f.stockLoaded = err == nil && !f.plan.DiscountUsesFirst && f.plan.Holder != ""
	return err
}

// prefetchFirst locks the records of the plan that have a value, and reads what comes before the stock.
func (t *txn) prefetchFirst() (stmts []db.Stmt, err error) {
	f := t.prefetched
	for _, by := range f.plan.LockBy {
		f.lockedBy[by] = nil
		s, err := t.lockBy(by, func(r collection.Record) { f.lockedBy[by] = append(f.lockedBy[by], r) })
		if err != nil {
			return nil, err
		}
		stmts = append(stmts, s)
	}
	for _, r := range f.plan.LockShared {
		s, err := t.prefetchRecord(r, " FOR SHARE OF r")
		if err != nil {
			return nil, err
		}
		t.prefetched.locked[recordKey{r.Schema.Slug, r.ID}] = true
		stmts = append(stmts, s)
	}
	for _, r := range f.plan.GetFirst {
		s, err := t.prefetchRecord(r, "")
		if err != nil {
			return nil, err
		}
		stmts = append(stmts, s)
	}
	return stmts, nil
}

// prefetchRecord prefetches a record.
func (t *txn) prefetchRecord(r ports.Ref, suffix string) (db.Stmt, error) {
	sh, err := t.store.shape(r.Schema)
	if err != nil {
		return db.Stmt{}, err
	}
	at := recordKey{r.Schema.Slug, r.ID}
	t.prefetched.records[at] = nil
	text, a := t.selectOne(sh, r.ID, suffix)
	return db.Stmt{SQL: text, Args: a, OnRow: func(from db.Row) error {
		rec, err := sh.ScanRecord(from)
		t.prefetched.records[at] = rec
		return err
	}}, nil
}

// prefetchLocked prefetches records of one collection and locks them, in the order of their ids.
func (t *txn) prefetchLocked(refs []ports.Ref) (s db.Stmt, err error) {
	for _, r := range refs {
		if s, err = t.prefetchRecord(r, t.store.dialect.ForUpdate()+" OF r"); err != nil {
			return db.Stmt{}, err
		}
		t.prefetched.locked[recordKey{r.Schema.Slug, r.ID}] = true
	}
	if len(refs) == 1 {
		return s, nil
	}
	sh, err := t.store.shape(refs[0].Schema)
	if err != nil {
		return db.Stmt{}, err
	}
	ids := make([]string, len(refs))
	for i, r := range refs {
		ids[i] = r.ID
	}
	var a db.Args
	text := "SELECT " + sh.SelectColumns(t.StockEnvironment(""), t.store.dialect) + " FROM " + db.Quote(sh.Table) + " r WHERE " +
		t.TenantFilter(&a, "r") + " AND " + t.store.dialect.InList("r.id", a.Bind(ids)) +
		" ORDER BY r.id" + t.store.dialect.ForUpdate() + " OF r"
	return db.Stmt{SQL: text, Args: a, OnRow: func(from db.Row) error {
		rec, err := sh.ScanRecord(from)
		if err == nil {
			t.prefetched.records[recordKey{sh.Schema.Slug, rec.ID()}] = rec
		}
		return err
	}}, nil
}

// prefetchStock locks the rows of stock of the plan and reads the reservations, and then the records about
// them.
func (t *txn) prefetchStock() (stmts []db.Stmt, err error) {
	f := t.prefetched
	f.reservations, f.stock = nil, map[stockKey]stockRow{}
	if f.plan.Holder != "" {
		var a db.Args
		lock := "SELECT variant, product, on_hand, reserved, tracked FROM stock r WHERE " + t.TenantFilter(&a, "r") + " AND environment = " +
			a.Bind(string(f.plan.Environment)) + " AND " + t.store.dialect.InList("variant", a.Bind(f.plan.Variants)) +
			" ORDER BY variant" + t.store.dialect.ForUpdate()
		stmts = append(stmts, db.Stmt{
			SQL: selectReservations + t.store.dialect.ForUpdate(), Args: []any{string(t.Scope.Tenants[0]), f.plan.Holder},
			OnRow: func(r db.Row) error {
				var p reservation
				err := r.Scan(&p.env, &p.variant, &p.reserved)
				f.reservations = append(f.reservations, p)
				return err
			},
		}, db.Stmt{SQL: lock, Args: a, OnRow: func(r db.Row) error {
			var variant string
			var s stockRow
			err := r.Scan(&variant, &s.product, &s.onHand, &s.reserved, &s.tracked)
			f.stock[stockKey{string(t.Scope.Tenants[0]), string(f.plan.Environment), variant}] = s
			return err
		}})
	}
	for _, r := range f.plan.Get {
		s, err := t.prefetchRecord(r, "")
		if err != nil {
			return nil, err
		}
		stmts = append(stmts, s)
	}
	return stmts, nil
}

// prefetchedReservations is what was prefetched of the reservations of holder, if it was; those of a plan
// with codes are read now.
func (t *txn) prefetchedReservations(ctx context.Context, holder string) ([]reservation, bool, error) {
	if t.prefetched == nil || t.prefetched.plan.Holder != holder {
		return nil, false, nil
	}
	if !t.prefetched.stockLoaded {
		stmts, err := t.prefetchStock()
		if err == nil {
			err = t.Run(ctx, stmts...)
		}
		if err != nil {
			return nil, false, err
		}
		t.prefetched.stockLoaded = true
	}
	return t.prefetched.reservations, true, nil
}

// Get implements ports.Reader.
func (t *txn) Get(ctx context.Context, c *collection.Schema, id string) (collection.Record, error) {
	if t.prefetched != nil {
		if r, known := t.prefetched.records[recordKey{c.Slug, id}]; known {
			return cloneOrAbsent(r)
		}
	}
	return t.view.Get(ctx, c, id)
}

// Lock implements ports.Records.
func (t *txn) Lock(ctx context.Context, c *collection.Schema, id string) (collection.Record, error) {
	if r, known := t.prefetched.lockedRecord(c, id); known {
		return cloneOrAbsent(r)
	}
	return t.view.Lock(ctx, c, id)
}

// lockedRecord is a record that was locked from the start, and not changed since; nil if there is none.
func (f *prefetchedData) lockedRecord(c *collection.Schema, id string) (r collection.Record, known bool) {
	if f == nil {
		return nil, false
	}
	at := recordKey{c.Slug, id}
	r, known = f.records[at]
	return r, known && f.locked[at]
}

// LockShared implements ports.Records.
func (t *txn) LockShared(ctx context.Context, c *collection.Schema, id string) (collection.Record, error) {
	if r, known := t.prefetched.lockedRecord(c, id); known {
		return cloneOrAbsent(r)
	}
	return t.view.LockShared(ctx, c, id)
}

// LockBy implements ports.Records.
func (t *txn) LockBy(ctx context.Context, c *collection.Schema, field, value string) ([]collection.Record, error) {
	if t.prefetched != nil {
		if list, known := t.prefetched.lockedBy[ports.RefBy{Schema: c, Field: field, Value: value}]; known {
			all := make([]collection.Record, len(list))
			for i, r := range list {
				all[i] = r.Clone()
			}
			return all, nil
		}
	}
	return t.view.LockBy(ctx, c, field, value)
}

func cloneOrAbsent(r collection.Record) (collection.Record, error) {
	if r == nil {
		return nil, ports.ErrNotFound
	}
	return r.Clone(), nil
}

// GetMany implements ports.Reader.
func (t *txn) GetMany(
	ctx context.Context, c *collection.Schema, ids []string, room *collection.Room,
) (map[string]collection.Record, error) {
	if t.prefetched != nil {
		all := make(map[string]collection.Record, len(ids))
		known := true
		for _, id := range ids {
			r, foreseen := t.prefetched.records[recordKey{c.Slug, id}]
			if known = known && foreseen; r != nil {
				all[id] = r.Clone()
			}
		}
		if known {
			return all, nil
		}
	}
	return t.view.GetMany(ctx, c, ids, room)
}

// readUses reads, and locks, what a holder has.
func (t *txn) readUses(tenant, holder string, had map[string]currentUse) db.Stmt {
	return db.Stmt{
		SQL: "SELECT discount, environment, customer, placed FROM discount_uses WHERE tenant = $1 AND holder = $2" +
			t.store.dialect.ForUpdate(), Args: []any{tenant, holder},
		OnRow: func(r db.Row) error {
			var discount string
			var h currentUse
			err := r.Scan(&discount, &h.env, &h.customer, &h.placed)
			had[discount] = h
			return err
		},
	}
}

// selectReservations reads what a holder has reserved.
const selectReservations = "SELECT environment, variant, quantity FROM reservations WHERE tenant = $1 AND holder = $2"
