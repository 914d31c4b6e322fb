package portstest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// errRollback makes a transaction roll back.
var errRollback = errors.New("boom")

// inTx runs fn in a transaction of tenant id.
func inTx(t *testing.T, s ports.Store, id tenant.ID, fn func(context.Context, ports.Tx) error) error {
	t.Helper()
	return s.Atomically(t.Context(), ports.ForTenant(id), fn)
}

// mustInTx is inTx for a transaction that must succeed.
func mustInTx(t *testing.T, s ports.Store, id tenant.ID, fn func(context.Context, ports.Tx) error) {
	t.Helper()
	if err := inTx(t, s, id, fn); err != nil {
		t.Fatal(err)
	}
}

// nextName makes the tenants of tests distinct in suites that share a database.
var nextName atomic.Int64

func freshTenant() tenant.ID { return tenant.ID("tenant-" + strconv.FormatInt(nextName.Add(1), 10)) }

// stockFixture is one tenant's stock with helpers for the tests.
type stockFixture struct {
	t        *testing.T
	s        ports.Store
	id       tenant.ID
	declared bool // its transactions say up front what they reserve and take
}

// inTx runs fn, which reserves or takes demands for holder, in a transaction.
func (h stockFixture) inTx(holder string, demands []ports.Demand, fn func(context.Context, ports.Tx) error) error {
	scope := ports.ForTenant(h.id)
	if h.declared {
		scope.Prefetch = &ports.Prefetch{Holder: holder, Environment: tenant.Live}
		for _, d := range demands {
			if !slices.Contains(scope.Prefetch.Variants, d.Variant) {
				scope.Prefetch.Variants = append(scope.Prefetch.Variants, d.Variant)
			}
		}
	}
	return h.s.Atomically(h.t.Context(), scope, fn)
}

func (h stockFixture) set(variant string, onHand int64, tracked bool) {
	h.t.Helper()
	mustInTx(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) error {
		return tx.Stock.Set(ctx, h.id, tenant.Live, "p", variant, ports.StockLevel{OnHand: onHand, Tracked: tracked}, ports.StockCause{})
	})
}

func (h stockFixture) reserve(holder string, demands ...ports.Demand) error {
	return h.inTx(holder, demands, func(ctx context.Context, tx ports.Tx) error {
		return tx.Stock.Reserve(ctx, h.id, tenant.Live, holder, demands, day.Add(time.Hour))
	})
}

func (h stockFixture) take(holder string, demands ...ports.Demand) error {
	return h.inTx(holder, demands, func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Stock.Take(ctx, h.id, tenant.Live, holder, demands, ports.StockCause{})
		return err
	})
}

func (h stockFixture) want(when string, want map[string]ports.StockLevel) {
	h.t.Helper()
	var got, unlocked map[string]ports.StockLevel
	mustInTx(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) (err error) {
		variants := slices.Collect(maps.Keys(want))
		if unlocked, err = tx.Stock.Available(ctx, tenant.Live, variants); err != nil {
			return err
		}
		got, err = tx.Stock.Levels(ctx, tenant.Live, variants)
		return err
	})
	if !maps.Equal(got, want) || !maps.Equal(unlocked, want) {
		h.t.Errorf("%s: stock %v, without a lock %v, want %v", when, got, unlocked, want)
	}
}

// Stock checks ports.Stock of the stores that open makes.
func Stock(t *testing.T, open func(t *testing.T) ports.Store) {
	s := open(t)
	run := func(name string, test func(h stockFixture)) {
		t.Run(name, func(t *testing.T) { test(stockFixture{t, s, freshTenant(), false}) })
		t.Run(name+", declared", func(t *testing.T) { test(stockFixture{t, s, freshTenant(), true}) })
	}
	run("units are set, reserved, replaced, released and taken", stockLifecycle)
	run("a shortage names the variant and changes nothing", stockShortage)
	run("a refusal leaves the rest of its transaction alone", stockRefusalCommits)
	run("untracked variants never run short", func(h stockFixture) {
		h.set("v", 0, false)
		if err := errors.Join(h.reserve("c", ports.Demand{Variant: "v", Quantity: 9}),
			h.take("c", ports.Demand{Variant: "v", Quantity: 9})); err != nil {
			h.t.Fatal(err)
		}
		h.want("after the sale", map[string]ports.StockLevel{"v": {}})
	})
	run("the count cannot be set below what is reserved", func(h stockFixture) {
		h.set("v", 5, true)
		_ = h.reserve("c", ports.Demand{Variant: "v", Quantity: 4})
		err := inTx(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) error {
			return tx.Stock.Set(ctx, h.id, tenant.Live, "p", "v", ports.StockLevel{OnHand: 3, Tracked: true}, ports.StockCause{})
		})
		if !errors.Is(err, ports.ErrOutOfStock) {
			h.t.Errorf("err = %v, want ErrOutOfStock", err)
		}
	})
	run("Take returns the units subtracted from on-hand counts", stockTaken)
	run("Take agrees with the counts while tracking changes", stockTrackingRace)
	run("sold units come back, tracked or not by now", func(h stockFixture) {
		h.set("v", 5, true)
		h.set("w", 4, false)
		if err := h.take("c", ports.Demand{Variant: "v", Quantity: 3}); err != nil {
			h.t.Fatal(err)
		}
		mustInTx(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) error {
			return tx.Stock.Restock(ctx, h.id, tenant.Live, []ports.Demand{
				{Variant: "v", Quantity: 1}, {Variant: "w", Quantity: 1}, {Variant: "v", Quantity: 2}, {Variant: "gone", Quantity: 1},
			}, ports.StockCause{})
		})
		h.want("restocked", map[string]ports.StockLevel{"v": {OnHand: 5, Tracked: true}, "w": {OnHand: 5}})
		if err := inTx(h.t, h.s, freshTenant(), func(ctx context.Context, tx ports.Tx) error {
			return tx.Stock.Restock(ctx, h.id, tenant.Live, []ports.Demand{{Variant: "v", Quantity: 1}}, ports.StockCause{})
		}); err == nil {
			h.t.Error("another tenant restocked")
		}
	})
	run("live and test stock are apart", stockEnvironments)
	run("another tenant sees and moves nothing", stockTenants)
	run("a hundred buyers get exactly thirty units", stockContention)
	run("crossing demands never wait for each other", stockLockOrder)
}

func stockLifecycle(h stockFixture) {
	h.set("a", 10, true)
	h.set("b", 5, true)
	steps := []struct {
		name string
		do   func() error
		want map[string]ports.StockLevel
	}{
		{"reserve sums demands of a variant", func() error {
			return h.reserve("c1", ports.Demand{Variant: "b", Quantity: 1}, ports.Demand{Variant: "a", Quantity: 2},
				ports.Demand{Variant: "b", Quantity: 1})
		}, map[string]ports.StockLevel{"a": {OnHand: 10, Reserved: 2, Tracked: true}, "b": {OnHand: 5, Reserved: 2, Tracked: true}}},
		{"reserving again replaces", func() error { return h.reserve("c1", ports.Demand{Variant: "a", Quantity: 10}) },
			map[string]ports.StockLevel{"a": {OnHand: 10, Reserved: 10, Tracked: true}, "b": {OnHand: 5, Tracked: true}}},
		{"the holder takes its reserved units", func() error { return h.take("c1", ports.Demand{Variant: "a", Quantity: 8}) },
			map[string]ports.StockLevel{"a": {OnHand: 2, Tracked: true}, "b": {OnHand: 5, Tracked: true}}},
		{"without a reservation available units are taken", func() error { return h.take("c2", ports.Demand{Variant: "b", Quantity: 5}) },
			map[string]ports.StockLevel{"a": {OnHand: 2, Tracked: true}, "b": {Tracked: true}}},
		{"release gives back", func() error {
			return errors.Join(h.reserve("c3", ports.Demand{Variant: "a", Quantity: 2}),
				inTx(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) error { return tx.Stock.Release(ctx, h.id, "c3") }))
		}, map[string]ports.StockLevel{"a": {OnHand: 2, Tracked: true}, "b": {Tracked: true}}},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			h.t.Fatalf("%s: %v", step.name, err)
		}
		h.want(step.name, step.want)
	}
}

func stockShortage(h stockFixture) {
	h.set("a", 3, true)
	h.set("b", 3, true)
	if err := h.reserve("other", ports.Demand{Variant: "b", Quantity: 2}); err != nil {
		h.t.Fatal(err)
	}
	for name, do := range map[string]func(string, ...ports.Demand) error{"reserve": h.reserve, "take": h.take} {
		f := fault.From(do("c", ports.Demand{Variant: "a", Quantity: 3}, ports.Demand{Variant: "b", Quantity: 2}))
		if !errors.Is(f, ports.ErrOutOfStock) || f.Data["variantId"] != "b" || f.Data["requested"] != int64(2) ||
			f.Data["available"] != int64(1) {
			h.t.Errorf("%s: %v with %v", name, f, f.Data)
		}
	}
	if err := h.reserve("c", ports.Demand{Variant: "unheard-of", Quantity: 1}); !errors.Is(err, ports.ErrOutOfStock) {
		h.t.Errorf("a variant without a row: %v, want ErrOutOfStock", err)
	}
	h.want("after refusals", map[string]ports.StockLevel{"a": {OnHand: 3, Tracked: true}, "b": {OnHand: 3, Reserved: 2, Tracked: true}})
}

func stockRefusalCommits(h stockFixture) {
	h.set("a", 3, true)
	h.set("b", 0, true)
	key := freshKey()
	mustInTx(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) error {
		err := tx.Stock.Reserve(ctx, h.id, tenant.Live, "c", []ports.Demand{{Variant: "a", Quantity: 1}, {Variant: "b", Quantity: 1}}, day)
		if !errors.Is(err, ports.ErrOutOfStock) {
			return err
		}
		return tx.Receipts.Save(ctx, ports.Receipt{Tenant: h.id, Key: key, Result: ports.ReceiptRefused, At: day}, 0)
	})
	h.want("after the refusal", map[string]ports.StockLevel{"a": {OnHand: 3, Tracked: true}, "b": {Tracked: true}})
	if _, err := h.s.Read(ports.ForTenant(h.id)).Receipt(h.t.Context(), key); err != nil {
		h.t.Errorf("the refusal's receipt: %v", err)
	}
}

func stockEnvironments(h stockFixture) {
	h.set("v", 7, true)
	levels := map[tenant.Environment]ports.StockLevel{}
	mustInTx(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) error {
		if err := tx.Stock.Set(ctx, h.id, tenant.Live, "p", "v", ports.StockLevel{OnHand: 9, Tracked: true}, ports.StockCause{}); err != nil {
			return err
		}
		for _, env := range []tenant.Environment{tenant.Live, tenant.Test} {
			got, err := tx.Stock.Levels(ctx, env, []string{"v"})
			if err != nil {
				return err
			}
			levels[env] = got["v"]
		}
		return nil
	})
	want := map[tenant.Environment]ports.StockLevel{tenant.Live: {OnHand: 9, Tracked: true}, tenant.Test: {OnHand: 7, Tracked: true}}
	if !maps.Equal(levels, want) {
		h.t.Errorf("levels %v, want %v: the test row starts as a copy and a live restock leaves it alone", levels, want)
	}
}

func stockTenants(h stockFixture) {
	h.set("v", 5, true)
	outsider := stockFixture{h.t, h.s, freshTenant(), h.declared}
	outsider.want("an outsider's view", map[string]ports.StockLevel{})
	if err := outsider.reserve("c", ports.Demand{Variant: "v", Quantity: 1}); !errors.Is(err, ports.ErrOutOfStock) {
		h.t.Errorf("another tenant reserved: %v", err)
	}
	err := inTx(h.t, h.s, outsider.id, func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Stock.Take(ctx, h.id, tenant.Live, "c", []ports.Demand{{Variant: "v", Quantity: 1}}, ports.StockCause{})
		return err
	})
	if err == nil {
		h.t.Error("a transaction took stock of a tenant outside its scope")
	}
	h.want("after the outsiders", map[string]ports.StockLevel{"v": {OnHand: 5, Tracked: true}})
}

func stockContention(h stockFixture) {
	h.set("v", 30, true)
	var sold atomic.Int64
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			holder, demand := "c"+strconv.Itoa(i), ports.Demand{Variant: "v", Quantity: 1}
			err := h.reserve(holder, demand)
			if err == nil {
				err = h.take(holder, demand)
			}
			switch {
			case err == nil:
				sold.Add(1)
			case !errors.Is(err, ports.ErrOutOfStock):
				h.t.Errorf("buyer %d: %v", i, err)
			}
		})
	}
	all.Wait()
	if sold.Load() != 30 {
		h.t.Errorf("sold %d, want 30", sold.Load())
	}
	h.want("after the rush", map[string]ports.StockLevel{"v": {Tracked: true}})
}

func stockLockOrder(h stockFixture) {
	h.set("a", 1000, true)
	h.set("b", 1000, true)
	var all sync.WaitGroup
	for i := range 40 {
		demands := []ports.Demand{{Variant: "a", Quantity: 1}, {Variant: "b", Quantity: 1}}
		if i%2 == 1 {
			slices.Reverse(demands)
		}
		all.Go(func() {
			if err := h.reserve("c"+strconv.Itoa(i), demands...); err != nil {
				h.t.Errorf("buyer %d: %v", i, err)
			}
		})
	}
	all.Wait()
	h.want("after the crossing", map[string]ports.StockLevel{
		"a": {OnHand: 1000, Reserved: 40, Tracked: true}, "b": {OnHand: 1000, Reserved: 40, Tracked: true},
	})
}
