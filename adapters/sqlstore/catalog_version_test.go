package sqlstore_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// versionOf is the catalog version of a tenant.
func versionOf(t *testing.T, s *sqlstore.Store, id tenant.ID) int64 {
	t.Helper()
	version, ok, err := s.Read(ports.ForTenant(id)).CatalogVersion(t.Context())
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	return version
}

// The version is another one after every commit that changes a watched collection, and only then.
func TestCatalogVersionFollowsCommits(t *testing.T) {
	one, other := instances(t, sqlstore.Options{URL: testservers.Postgres(t)})
	seen := map[int64]bool{}
	renews := func(what string, want bool, act func()) {
		t.Helper()
		before, theirs := versionOf(t, other, "t1"), versionOf(t, other, "t2")
		act()
		after := versionOf(t, other, "t1")
		if (after != before) != want || want && seen[after] || versionOf(t, other, "t2") != theirs {
			t.Errorf("%s: version %d, before %d", what, after, before)
		}
		seen[before], seen[after] = true, true
	}
	rec := func(of *collection.Schema, count int64) collection.Record {
		return collection.Record{"id": of.Slug, "tenant": "t1", "count": count}
	}
	read := func(of *collection.Schema) collection.Record {
		r, err := one.Read(ports.ForTenant("t1")).Get(t.Context(), of, of.Slug)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	renews("a new record that changes what is known of others", true, func() { apply(t, one, "t1", nil, rec(loud, 1), loud, nil) })
	renews("a new record that does not", false, func() { apply(t, one, "t1", nil, rec(settled, 1), settled, nil) })
	renews("a new record that nobody watches", false, func() { apply(t, one, "t1", nil, rec(mute, 1), mute, nil) })
	renews("a change", true, func() { apply(t, one, "t1", read(settled), rec(settled, 2), settled, nil) })
	renews("another change", true, func() { apply(t, one, "t1", read(settled), rec(settled, 3), settled, nil) })
	renews("a change that nobody watches", false, func() { apply(t, one, "t1", read(mute), rec(mute, 2), mute, nil) })
	renews("a change that is undone", false, func() { apply(t, one, "t1", read(settled), rec(settled, 4), settled, errors.New("no")) })
	renews("a deletion", true, func() { apply(t, one, "t1", read(settled), nil, settled, nil) })
}

// A unit of work that declares it reads the version, and stock, in the transaction that it shares.
func TestUnitReadsVersionAndStockInASharedTransaction(t *testing.T) {
	c := newCrew(t)
	o := sqlstore.Options{URL: testservers.Postgres(t)}
	o.NotifyOf = map[string]bool{"crates": true}
	c.store = openStore(t, o, []*collection.Schema{parcels, crates})
	c.stocked("t1", "t2")
	if err := c.run(c.packing(c.crate("one"))); err != nil {
		t.Fatal(err)
	}
	want := versionOf(t, c.store, "t1")
	looking := func(id tenant.ID, version *int64, levels *map[string]ports.StockLevel) work {
		return work{
			tenant: id, plan: ports.Prefetch{CatalogVersion: true, Environment: tenant.Live, Available: []string{"v", "unknown"}},
			fn: func(ctx context.Context, tx ports.Tx) (err error) {
				if *version, _, err = tx.Records.CatalogVersion(ctx); err == nil {
					*levels, err = tx.Stock.Available(ctx, tenant.Live, []string{"v", "unknown"})
				}
				return err
			},
		}
	}
	var mine, theirs int64
	var levels, others map[string]ports.StockLevel
	before := c.store.SharedStats()
	out := c.together(looking("t1", &mine, &levels), looking("t2", &theirs, &others))
	full := ports.StockLevel{OnHand: 3, Tracked: true}
	if err := errors.Join(out...); err != nil || mine != want || mine == 0 || theirs != 0 || len(levels) != 1 || levels["v"] != full || others["v"] != full {
		t.Errorf("%v: versions %d %d, want %d and 0; %v %v", err, mine, theirs, want, levels, others)
	}
	if s := c.store.SharedStats(); s.Alone != before.Alone || s.Units != before.Units+3 {
		t.Errorf("%+v, before %+v", s, before)
	}
}
