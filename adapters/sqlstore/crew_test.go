package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// crew is units of work that wait for one transaction: the first one holds its lane until all others have come.
type crew struct {
	*testing.T

	store *sqlstore.Store
	n     int
}

func newCrew(t *testing.T) *crew { return crewOf(t, openPostgres(t, parcels, crates)) }

func crewOf(t *testing.T, store *sqlstore.Store) *crew {
	c := &crew{T: t, store: store}
	c.stocked("t1", "t2")
	return c
}

// inCrews runs a rule on both databases, which share transactions each in its way.
func inCrews(t *testing.T, rule func(t *testing.T, c *crew)) {
	t.Run("postgres", func(t *testing.T) { rule(t, newCrew(t)) })
	t.Run("sqlite", func(t *testing.T) { rule(t, crewOf(t, openSQLite(t, parcels, crates))) })
}

// stocked gives tenants three units of the variant.
func (c *crew) stocked(tenants ...tenant.ID) {
	c.Helper()
	for _, id := range tenants {
		err := c.store.Atomically(c.Context(), ports.ForTenant(id), func(ctx context.Context, tx ports.Tx) error {
			return tx.Stock.Set(ctx, id, tenant.Live, "p", "v", ports.StockLevel{OnHand: 3, Tracked: true}, ports.StockCause{})
		})
		if err != nil {
			c.Fatal(err)
		}
	}
}

// work is a unit of work with what it declares.
type work struct {
	tenant tenant.ID
	plan   ports.Prefetch
	fn     func(ctx context.Context, tx ports.Tx) error
}

// together runs works in one transaction, as far as they can share one, and returns what came of each.
func (c *crew) together(works ...work) []error {
	c.Helper()
	out := make([]error, len(works))
	begun, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		err := c.run(work{tenant: "t1", fn: func(context.Context, ports.Tx) error { close(begun); <-release; return nil }})
		if err != nil {
			c.Error(err)
		}
	})
	<-begun
	for i, w := range works {
		all.Go(func() { out[i] = c.run(w) })
		for sqlstore.WaitingUnits(c.store) < i+1 {
			runtime.Gosched()
		}
	}
	close(release)
	all.Wait()
	return out
}

func (c *crew) run(w work) error {
	scope := ports.ForTenant(w.tenant)
	scope.Prefetch = &w.plan
	return c.store.Atomically(c.Context(), scope, w.fn)
}

// crate is a new crate with a label.
func (c *crew) crate(label string) collection.Record {
	c.n++
	at := time.Unix(1_800_000_000, 0).UTC()
	r := collection.Record{
		"id": fmt.Sprintf("crate%02d", c.n), "tenant": "t1", "environment": "live", "createdAt": at, "updatedAt": at, "state": "new", "label": label,
	}
	return r.WithSequence(1)
}

// packing is work that writes a crate.
func (c *crew) packing(r collection.Record) work {
	return work{tenant: "t1", fn: func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(crates, nil, r, fmt.Sprint("e", ids.Add(1)), time.Unix(1_800_000_001, 0)))
	}}
}

func (c *crew) has(r collection.Record) bool {
	_, err := c.store.Read(ports.ForTenant("t1")).Get(c.Context(), crates, r.ID())
	if err != nil && !errors.Is(err, ports.ErrNotFound) {
		c.Fatal(err)
	}
	return err == nil
}

// buying is work of a holder that takes units of the variant.
func (c *crew) buying(id tenant.ID, holder string, units int64) work {
	return work{
		tenant: id, plan: ports.Prefetch{Holder: holder, Environment: tenant.Live, Variants: []string{"v"}},
		fn: func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Stock.Take(ctx, id, tenant.Live, holder, []ports.Demand{{Variant: "v", Quantity: units}}, ports.StockCause{})
			return err
		},
	}
}

func (c *crew) wantStock(id tenant.ID, want ports.StockLevel) {
	c.Helper()
	err := c.store.Atomically(c.Context(), ports.ForTenant(id), func(ctx context.Context, tx ports.Tx) error {
		levels, err := tx.Stock.Levels(ctx, tenant.Live, []string{"v"})
		if levels["v"] != want {
			c.Errorf("stock of %s: %+v, want %+v", id, levels["v"], want)
		}
		return err
	})
	if err != nil {
		c.Error(err)
	}
}
