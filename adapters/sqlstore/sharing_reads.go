package sqlstore

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore/table"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// sharedReads are the statements that lock and read what the units of a transaction declare, one for each kind of it.
// Every one pairs what it looks for with the tenant of the unit: within a transaction that is bound to many tenants,
// row-level security shows the rows of all.
type sharedReads struct {
	*sharedTransaction

	stmts []db.Stmt
}

// pairs are arrays that a statement joins with a table: the tenant of a unit, and what it looks for. A place is the
// position of a pair, counted from 1.
type pairs struct {
	tenants []string
	columns [][]string
	units   []*unit
}

func (p *pairs) add(u *unit, values ...string) {
	p.tenants, p.units = append(p.tenants, string(u.t.Scope.Tenants[0])), append(p.units, u)
	if p.columns == nil {
		p.columns = make([][]string, len(values))
	}
	for i, v := range values {
		p.columns[i] = append(p.columns[i], v)
	}
}

// from is the table of pairs, called w, with these names of what is looked for.
func (p *pairs) from(names ...string) string {
	arrays, columns := "$1::text[]", "tenant"
	for i, n := range names {
		arrays, columns = arrays+", $"+strconv.Itoa(i+2)+"::text[]", columns+", "+n
	}
	return " FROM unnest(" + arrays + ") WITH ORDINALITY AS w(" + columns + ", place) JOIN "
}

func (p *pairs) args() []any {
	args := []any{p.tenants}
	for _, c := range p.columns {
		args = append(args, c)
	}
	return args
}

// perSchema collects the references of all units by collection, in the order in which collections are locked.
func (r *sharedReads) perSchema(of func(*ports.Prefetch) []ports.Ref, each func(sh *table.Shape, p *pairs)) error {
	groups := map[string]*pairs{}
	schemas := map[string]*collection.Schema{}
	for _, u := range r.units {
		for _, ref := range of(u.t.prefetched.plan) {
			slug := ref.Schema.Slug
			if groups[slug] == nil {
				groups[slug], schemas[slug] = &pairs{}, ref.Schema
			}
			groups[slug].add(u, ref.ID)
		}
	}
	for _, slug := range slices.Sorted(maps.Keys(groups)) {
		sh, err := r.engine.shape(schemas[slug])
		if err != nil {
			return err
		}
		each(sh, groups[slug])
	}
	return nil
}

// selectRecords selects the records of pairs of tenant and id.
func (r *sharedReads) selectRecords(sh *table.Shape, p *pairs, suffix string, locked bool) {
	for i, u := range p.units {
		u.t.prefetched.records[recordKey{sh.Schema.Slug, p.columns[0][i]}] = nil
	}
	text := "SELECT " + sh.SelectColumns("", r.engine.dialect) + ", w.place" + p.from("id") + db.Quote(sh.Table) +
		" r ON r.tenant = w.tenant AND r.id = w.id" + suffix
	r.stmts = append(r.stmts, db.Stmt{SQL: text, Args: p.args(), OnRow: func(row db.Row) error {
		var place int
		st, err := sh.ScanRow(row, &place)
		if err != nil {
			return err
		}
		rec, err := decodeFor(sh, st, p.tenants[place-1])
		f := p.units[place-1].t.prefetched
		at := recordKey{sh.Schema.Slug, p.columns[0][place-1]}
		f.records[at], f.locked[at] = rec, f.locked[at] || locked
		return err
	}})
}

func decodeFor(sh *table.Shape, st table.StoredRow, tenant string) (collection.Record, error) {
	rec, err := sh.DecodeRow(st)
	if err == nil && rec.Text("tenant") != tenant {
		err = table.ErrForeignTenant
	}
	return rec, err
}

// locks locks records. What another transaction holds is left out, so that no unit waits for what concerns another one.
func (r *sharedReads) locks() error {
	return r.perSchema(func(p *ports.Prefetch) []ports.Ref { return p.Lock }, func(sh *table.Shape, p *pairs) {
		r.selectRecords(sh, p, " ORDER BY r.id FOR UPDATE OF r SKIP LOCKED", true)
	})
}

// sharedLocks locks records that others may lock shared, too.
func (r *sharedReads) sharedLocks() error {
	return r.perSchema(func(p *ports.Prefetch) []ports.Ref { return p.LockShared }, func(sh *table.Shape, p *pairs) {
		r.selectRecords(sh, p, " ORDER BY r.id FOR SHARE OF r SKIP LOCKED", true)
	})
}

// records reads records without a lock, after stock is locked.
func (r *sharedReads) records() error {
	return r.perSchema(func(p *ports.Prefetch) []ports.Ref { return slices.Concat(p.GetFirst, p.Get) }, func(sh *table.Shape, p *pairs) {
		r.selectRecords(sh, p, "", false)
	})
}

// locksBy locks the records that have a value.
func (r *sharedReads) locksBy() error {
	groups := map[ports.RefBy]*pairs{} // by all but the value
	for _, u := range r.units {
		for _, by := range u.t.prefetched.plan.LockBy {
			u.t.prefetched.lockedBy[by] = nil
			kind := ports.RefBy{Schema: by.Schema, Field: by.Field}
			if groups[kind] == nil {
				groups[kind] = &pairs{}
			}
			groups[kind].add(u, by.Value)
		}
	}
	kinds := slices.SortedFunc(maps.Keys(groups), func(a, b ports.RefBy) int {
		return cmp.Or(cmp.Compare(a.Schema.Slug, b.Schema.Slug), cmp.Compare(a.Field, b.Field))
	})
	for _, kind := range kinds {
		sh, err := r.engine.shape(kind.Schema)
		if err != nil {
			return err
		}
		r.lockByValue(kind, sh, groups[kind])
	}
	return nil
}

// lockByValue locks the records that have the values of p, and then finds out whether some were left out: no unit is
// decided without those.
func (r *sharedReads) lockByValue(kind ports.RefBy, sh *table.Shape, p *pairs) {
	matching := p.from("value") + db.Quote(sh.Table) + " r ON r.tenant = w.tenant AND r." + db.Quote(sh.TextColumn(kind.Field)) + " = w.value"
	if sh.PerEnvironment {
		matching += " AND " + table.AnyEnvironment
	}
	at := func(place int) (*unit, ports.RefBy) {
		return p.units[place-1], ports.RefBy{Schema: kind.Schema, Field: kind.Field, Value: p.columns[0][place-1]}
	}
	r.stmts = append(r.stmts, db.Stmt{
		SQL:  "SELECT " + sh.SelectColumns("", r.engine.dialect) + ", w.place" + matching + " ORDER BY r.id FOR UPDATE OF r SKIP LOCKED",
		Args: p.args(), OnRow: func(row db.Row) error {
			var place int
			st, err := sh.ScanRow(row, &place)
			if err != nil {
				return err
			}
			rec, err := decodeFor(sh, st, p.tenants[place-1])
			u, by := at(place)
			u.t.prefetched.lockedBy[by] = append(u.t.prefetched.lockedBy[by], rec)
			return err
		},
	}, db.Stmt{SQL: "SELECT r.id, w.place" + matching, Args: p.args(), OnRow: func(row db.Row) error {
		var id string
		var place int
		err := row.Scan(&id, &place)
		if err == nil {
			u, by := at(place)
			u.alone = u.alone || !slices.ContainsFunc(u.t.prefetched.lockedBy[by], func(r collection.Record) bool { return r.ID() == id })
		}
		return err
	}})
}

// holders locks and reads the reservations and uses of holders, and then rows of stock.
func (r *sharedReads) holders() error {
	var holders, goods pairs
	seen := map[stockKey]bool{}
	for _, u := range r.units {
		f := u.t.prefetched
		if f.plan.Holder == "" {
			continue
		}
		f.uses, f.stockLoaded = map[string]currentUse{}, true
		holders.add(u, f.plan.Holder)
		for _, v := range f.plan.Variants {
			key := stockKey{string(u.t.Scope.Tenants[0]), string(f.plan.Environment), v}
			f.stock[key] = stockRow{} // what is known when the unit is decided
			if !seen[key] {
				seen[key] = true
				goods.add(u, key.env, key.variant)
			}
		}
	}
	if len(holders.units) > 0 {
		r.usesOf(&holders)
		r.reservationsOf(&holders)
	}
	if len(goods.units) > 0 {
		r.lockStock(&goods)
	}
	return nil
}

func (r *sharedReads) usesOf(holders *pairs) {
	r.stmts = append(r.stmts, db.Stmt{
		SQL: "SELECT r.discount, r.environment, r.customer, r.placed, w.place" + holders.from("holder") +
			"discount_uses r ON r.tenant = w.tenant AND r.holder = w.holder FOR UPDATE OF r",
		Args: holders.args(), OnRow: func(row db.Row) error {
			var place int
			var discount string
			var had currentUse
			err := row.Scan(&discount, &had.env, &had.customer, &had.placed, &place)
			if err == nil {
				holders.units[place-1].t.prefetched.uses[discount] = had
			}
			return err
		},
	})
}

func (r *sharedReads) reservationsOf(holders *pairs) {
	r.stmts = append(r.stmts, db.Stmt{
		SQL: "SELECT r.environment, r.variant, r.quantity, w.place" + holders.from("holder") +
			"reservations r ON r.tenant = w.tenant AND r.holder = w.holder FOR UPDATE OF r",
		Args: holders.args(), OnRow: func(row db.Row) error {
			var place int
			var had reservation
			err := row.Scan(&had.env, &had.variant, &had.reserved, &place)
			if err == nil {
				f := holders.units[place-1].t.prefetched
				f.reservations = append(f.reservations, had)
			}
			return err
		},
	})
}

func (r *sharedReads) lockStock(goods *pairs) {
	r.stmts = append(r.stmts, db.Stmt{
		SQL: "SELECT r.product, r.on_hand, r.reserved, r.tracked, w.place" + goods.from("environment", "variant") +
			"stock r ON r.tenant = w.tenant AND r.environment = w.environment AND r.variant = w.variant ORDER BY r.variant, r.environment FOR UPDATE OF r",
		Args: goods.args(), OnRow: func(row db.Row) error {
			var place int
			var s stockRow
			err := row.Scan(&s.product, &s.onHand, &s.reserved, &s.tracked, &place)
			if err == nil {
				r.stock[stockKey{goods.tenants[place-1], goods.columns[0][place-1], goods.columns[1][place-1]}] = s
			}
			return err
		},
	})
}

// calls reads the earlier attempts of calls to providers.
func (r *sharedReads) calls() error {
	var p pairs
	var of []ports.CallRef
	for _, u := range r.units {
		for _, c := range u.t.prefetched.plan.Calls {
			u.t.prefetched.calls[c] = nil
			p.add(u, c.Session, c.Operation)
			of = append(of, c)
		}
	}
	if len(of) == 0 {
		return nil
	}
	r.stmts = append(r.stmts, db.Stmt{
		SQL: "SELECT r.provider_key, r.request, r.started_at, w.place" + p.from("session", "operation") +
			"provider_calls r ON r.tenant = w.tenant AND r.session = w.session AND r.operation = w.operation ORDER BY w.place, r.attempt",
		Args: p.args(), OnRow: func(row db.Row) error {
			var place int
			var at db.NullTime
			var c ports.ProviderCall
			err := row.Scan(&c.ProviderKey, &c.Request, &at, &place)
			if err == nil {
				c.FirstAttemptAt = at.Time
				f := p.units[place-1].t.prefetched
				f.calls[of[place-1]] = append(f.calls[of[place-1]], c)
			}
			return err
		},
	})
	return nil
}

// receipts reads what is stored under the keys of units.
func (r *sharedReads) receipts() error {
	var tenants []string
	var keys [][]byte
	var units []*unit
	for _, u := range r.units {
		if key := u.t.prefetched.plan.Receipt; key != nil {
			tenants, keys, units = append(tenants, string(u.t.Scope.Tenants[0])), append(keys, key[:]), append(units, u)
		}
	}
	if len(units) == 0 {
		return nil
	}
	r.stmts = append(r.stmts, db.Stmt{
		SQL: "SELECT " + receiptColumns + ", r.done, w.place FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS w(tenant, key, place) " +
			"JOIN receipts r ON r.tenant = w.tenant AND r.key = w.key",
		Args: []any{tenants, keys}, OnRow: func(row db.Row) error {
			var place int
			var done bool
			kept, err := scanReceipt(row, &done, &place)
			if err == nil {
				f := units[place-1].t.prefetched
				kept.Key = *f.plan.Receipt
				f.receipt = &storedReceipt{kept, done}
			}
			return err
		},
	})
	return nil
}
