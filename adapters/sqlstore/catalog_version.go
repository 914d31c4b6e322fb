package sqlstore

import (
	"context"
	"fmt"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// CatalogVersion implements ports.Reader. It is the number of a transaction: triggers store it (see package migrate).
func (v *view) CatalogVersion(ctx context.Context) (version int64, ok bool, err error) {
	if !v.store.dialect.Postgres || len(v.store.options.NotifyOf) == 0 || len(v.Scope.Tenants) != 1 {
		return 0, false, nil
	}
	_, err = db.QueryRow(ctx, v.session, []any{&version}, "SELECT version FROM catalog_versions WHERE tenant = $1", string(v.Scope.Tenants[0]))
	if err != nil {
		return 0, false, fmt.Errorf("read the catalog version: %w", err)
	}
	return version, true, nil
}

// CatalogVersion implements ports.Reader.
func (t *txn) CatalogVersion(ctx context.Context) (version int64, ok bool, err error) {
	if t.prefetched != nil && t.prefetched.catalogVersion != nil {
		return *t.prefetched.catalogVersion, len(t.store.options.NotifyOf) > 0, nil
	}
	return t.view.CatalogVersion(ctx)
}

// Available implements ports.Stock.
func (t stockRows) Available(ctx context.Context, env tenant.Environment, variants []string) (map[string]ports.StockLevel, error) {
	if t.prefetched != nil && t.prefetched.available != nil && t.prefetched.plan.Environment == env {
		levels := make(map[string]ports.StockLevel, len(variants))
		known := true
		for _, v := range variants {
			l, read := t.prefetched.available[v]
			if known = known && read; l != nil {
				levels[v] = *l
			}
		}
		if known {
			return levels, nil
		}
	}
	return t.readLevels(ctx, env, variants, "")
}

// versions reads the catalog versions of units.
func (r *sharedReads) versions() error {
	var p pairs
	for _, u := range r.units {
		if u.t.prefetched.plan.CatalogVersion {
			u.t.prefetched.catalogVersion = new(int64)
			p.add(u)
		}
	}
	if len(p.units) > 0 {
		r.stmts = append(r.stmts, db.Stmt{
			SQL: "SELECT r.version, w.place" + p.from() + "catalog_versions r ON r.tenant = w.tenant", Args: p.args(), OnRow: func(row db.Row) error {
				var version int64
				var place int
				err := row.Scan(&version, &place)
				if err == nil {
					*p.units[place-1].t.prefetched.catalogVersion = version
				}
				return err
			},
		})
	}
	return nil
}

// available reads stock without a lock.
func (r *sharedReads) available() error {
	var p pairs
	for _, u := range r.units {
		plan := u.t.prefetched.plan
		for _, v := range plan.Available {
			if u.t.prefetched.available == nil {
				u.t.prefetched.available = map[string]*ports.StockLevel{}
			}
			u.t.prefetched.available[v] = nil
			p.add(u, string(plan.Environment), v)
		}
	}
	if len(p.units) > 0 {
		r.stmts = append(r.stmts, db.Stmt{
			SQL: "SELECT r.on_hand, r.reserved, r.tracked, w.place" + p.from("environment", "variant") +
				"stock r ON r.tenant = w.tenant AND r.environment = w.environment AND r.variant = w.variant",
			Args: p.args(), OnRow: func(row db.Row) error {
				var l ports.StockLevel
				var place int
				err := row.Scan(&l.OnHand, &l.Reserved, &l.Tracked, &place)
				if err == nil {
					p.units[place-1].t.prefetched.available[p.columns[1][place-1]] = &l
				}
				return err
			},
		})
	}
	return nil
}
