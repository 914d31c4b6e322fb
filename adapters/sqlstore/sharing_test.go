package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestUnitsOfWorkShareATransaction(t *testing.T) {
	inCrews(t, func(t *testing.T, c *crew) {
		a, b, refused := c.crate("a"), c.crate("b"), c.crate("c")
		no := c.packing(refused)
		writes := no.fn
		no.fn = func(ctx context.Context, tx ports.Tx) error { return errors.Join(writes(ctx, tx), ports.ErrOutOfStock) }
		before := c.store.SharedStats()
		out := c.together(c.packing(a), no, c.packing(b))
		if out[0] != nil || !errors.Is(out[1], ports.ErrOutOfStock) || out[2] != nil {
			t.Errorf("%v", out)
		}
		if !c.has(a) || !c.has(b) || c.has(refused) {
			t.Errorf("stored %v %v, refused %v", c.has(a), c.has(b), c.has(refused))
		}
		if s := c.store.SharedStats(); s.Transactions != before.Transactions+2 || s.Units != before.Units+4 || s.Alone != before.Alone {
			t.Errorf("%+v, before %+v: want one transaction for three units", s, before)
		}
	})
}

// The units of one transaction are decided one after the other: the last units of a variant go to the first ones.
func TestUnitsOfWorkShareStock(t *testing.T) {
	inCrews(t, func(t *testing.T, c *crew) {
		out := c.together(c.buying("t1", "h1", 2), c.buying("t1", "h2", 2), c.buying("t2", "h3", 3), c.buying("t1", "h4", 1))
		if out[0] != nil || !errors.Is(out[1], ports.ErrOutOfStock) || out[2] != nil || out[3] != nil {
			t.Errorf("%v", out)
		}
		c.wantStock("t1", ports.StockLevel{Tracked: true})
		c.wantStock("t2", ports.StockLevel{Tracked: true})
	})
}

// A unit whose statement the database refuses ends the transaction of all, and each finds out for itself.
func TestRefusedStatementConcernsItsUnitAlone(t *testing.T) {
	inCrews(t, func(t *testing.T, c *crew) {
		first, same, other := c.crate("one"), c.crate("one"), c.crate("two")
		if err := c.run(c.packing(first)); err != nil {
			t.Fatal(err)
		}
		out := c.together(c.packing(same), c.packing(other), c.buying("t1", "h1", 3), c.buying("t1", "h2", 1))
		if !errors.Is(out[0], ports.ErrDuplicate) || out[1] != nil || c.has(same) || !c.has(other) {
			t.Errorf("%v; stored %v, %v", out, c.has(same), c.has(other))
		}
		if (out[2] == nil) == (out[3] == nil) { // whichever came first
			t.Errorf("three units went to %v and %v", out[2], out[3])
		}
	})
}

// A unit whose guarded statement changes no row ends the transaction of all, too, and nobody else hears of it.
func TestMissedRowConcernsItsUnitAlone(t *testing.T) {
	inCrews(t, func(t *testing.T, c *crew) {
		stored, other, third := c.crate("one"), c.crate("two"), c.crate("three")
		if err := c.run(c.packing(stored)); err != nil {
			t.Fatal(err)
		}
		stale := work{tenant: "t1", fn: func(ctx context.Context, tx ports.Tx) error {
			had := stored.Clone().WithSequence(7)
			next := had.Clone().WithSequence(8)
			return tx.Records.Write(ctx, collection.NewChange(crates, had, next, fmt.Sprint("e", ids.Add(1)), time.Unix(1_800_000_001, 0)))
		}}
		key := work{tenant: "t1", fn: func(ctx context.Context, tx ports.Tx) error {
			return tx.Receipts.Save(ctx, ports.Receipt{Tenant: "t1", Key: [32]byte{7}, Result: ports.ReceiptOK, At: time.Unix(1_800_000_001, 0)}, 0)
		}}
		if err := c.run(key); err != nil {
			t.Fatal(err)
		}
		out := c.together(stale, c.packing(other), c.buying("t1", "h1", 3), key, c.packing(third))
		if !errors.Is(out[0], ports.ErrStale) || !errors.Is(out[3], ports.ErrReceiptExists) || out[1] != nil || out[2] != nil || out[4] != nil {
			t.Errorf("%v", out)
		}
		if !c.has(other) || !c.has(third) {
			t.Errorf("stored %v, %v", c.has(other), c.has(third))
		}
		c.wantStock("t1", ports.StockLevel{Tracked: true})
	})
}

// What was not declared is read all the same, in a transaction of the unit's own.
func TestUnitWithUndeclaredReadsRunsAlone(t *testing.T) {
	c := newCrew(t)
	r := c.crate("a")
	if err := c.run(c.packing(r)); err != nil {
		t.Fatal(err)
	}
	before := c.store.SharedStats()
	var seen collection.Record
	out := c.together(work{tenant: "t1", fn: func(ctx context.Context, tx ports.Tx) (err error) {
		seen, err = tx.Records.Lock(ctx, crates, r.ID())
		return err
	}})
	if out[0] != nil || seen.Text("label") != "a" {
		t.Errorf("%v, %v", out, seen)
	}
	if s := c.store.SharedStats(); s.Alone != before.Alone+1 {
		t.Errorf("%+v, before %+v", s, before)
	}
}

// A record that another transaction holds, or that two units want, is changed by one after the other.
func TestUnitsOfWorkNeverLoseAChange(t *testing.T) {
	inCrews(t, func(t *testing.T, c *crew) {
		r := c.crate("0")
		if err := c.run(c.packing(r)); err != nil {
			t.Fatal(err)
		}
		relabel := func(declared bool) error {
			w := work{tenant: "t1", fn: func(ctx context.Context, tx ports.Tx) error {
				was, err := tx.Records.Lock(ctx, crates, r.ID())
				if err != nil {
					return err
				}
				is := was.Clone()
				is["label"] = fmt.Sprint(mustNumber(t, was.Text("label")) + 1)
				return tx.Records.Write(ctx, collection.NewChange(crates, was, is, fmt.Sprint("e", ids.Add(1)), time.Unix(1_800_000_001, 0)))
			}}
			if declared {
				w.plan.Lock = []ports.Ref{{Schema: crates, ID: r.ID()}}
				return c.run(w)
			}
			return c.store.Atomically(t.Context(), ports.ForTenant("t1"), w.fn)
		}
		var all sync.WaitGroup
		const times = 40
		for i := range times {
			all.Go(func() {
				if err := relabel(i%4 > 0); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		got, err := c.store.Read(ports.ForTenant("t1")).Get(t.Context(), crates, r.ID())
		if err != nil || got.Text("label") != fmt.Sprint(times) {
			t.Errorf("%v, %v; want %d changes", got, err, times)
		}
	})
}

func mustNumber(t *testing.T, text string) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(text, &n); err != nil {
		t.Error(err)
	}
	return n
}

// A unit that panics does so where its caller is, and harms no other.
func TestPanicOfAUnitIsItsOwn(t *testing.T) {
	inCrews(t, func(t *testing.T, c *crew) {
		r := c.crate("a")
		var met any
		wild := func() (err error) {
			defer func() { met = recover() }()
			return c.run(work{tenant: "t1", fn: func(context.Context, ports.Tx) error { panic("wild") }})
		}
		var all sync.WaitGroup
		all.Go(func() { _ = wild() })
		if out := c.together(c.packing(r)); out[0] != nil || !c.has(r) {
			t.Errorf("%v", out)
		}
		all.Wait()
		if met != "wild" {
			t.Errorf("the caller met %v", met)
		}
	})
}

// Within a transaction that is bound to many tenants, a unit finds what is its own tenant's, and writes nothing else.
func TestUnitsOfWorkSeeTheirTenantAlone(t *testing.T) {
	inCrews(t, func(t *testing.T, c *crew) {
		r := c.crate("a")
		if err := c.run(c.packing(r)); err != nil {
			t.Fatal(err)
		}
		ref := ports.Ref{Schema: crates, ID: r.ID()}
		foreign := c.crate("b")
		write := c.packing(foreign)
		write.tenant = "t2"
		out := c.together(
			c.packing(c.crate("c")), // so that the transaction is bound to both
			work{tenant: "t2", plan: ports.Prefetch{Get: []ports.Ref{ref}}, fn: func(ctx context.Context, tx ports.Tx) error {
				_, err := tx.Records.Get(ctx, crates, r.ID())
				return err
			}},
			work{tenant: "t2", plan: ports.Prefetch{Lock: []ports.Ref{ref}}, fn: func(ctx context.Context, tx ports.Tx) error {
				_, err := tx.Records.Lock(ctx, crates, r.ID())
				return err
			}},
			write,
		)
		if out[0] != nil || !errors.Is(out[1], ports.ErrNotFound) || !errors.Is(out[2], ports.ErrNotFound) || out[3] == nil || c.has(foreign) {
			t.Errorf("%v", out)
		}
	})
}

// A caller that gives up before its unit is under way changes nothing; one that gives up later is told how it ended.
func TestUnitOfACallerThatGaveUp(t *testing.T) {
	inCrews(t, func(t *testing.T, c *crew) {
		early, late := c.crate("early"), c.crate("late")
		begun, release := make(chan struct{}), make(chan struct{})
		gone, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		scope := ports.ForTenant("t1")
		scope.Prefetch = &ports.Prefetch{}
		all.Go(func() {
			err := c.store.Atomically(gone, scope, func(ctx context.Context, tx ports.Tx) error {
				close(begun)
				<-release
				return c.packing(late).fn(ctx, tx)
			})
			if err != nil {
				t.Error(err)
			}
		})
		<-begun
		all.Go(func() {
			if err := c.store.Atomically(gone, scope, c.packing(early).fn); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		for sqlstore.WaitingUnits(c.store) == 0 {
			runtime.Gosched()
		}
		leave()
		for sqlstore.WaitingUnits(c.store) > 0 {
			runtime.Gosched()
		}
		close(release)
		all.Wait()
		if c.has(early) || !c.has(late) {
			t.Errorf("early %v, late %v", c.has(early), c.has(late))
		}
	})
}

// Of a large shop, records are locked by their index, and not among all that the shop has.
func TestSharedTransactionFindsRecordsByTheirIndex(t *testing.T) {
	url := testservers.Postgres(t)
	s := openStore(t, sqlstore.Options{URL: url}, []*collection.Schema{crates})
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := conn.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	if _, err := conn.Exec(t.Context(), `INSERT INTO crates (tenant, id, environment, sequence, created_at, updated_at, doc, state)
		SELECT 't1', n::text, 'live', 1, now(), now(), '{}', n::text FROM generate_series(1, 5000) n; ANALYZE crates`); err != nil {
		t.Fatal(err)
	}
	text, args, err := sqlstore.LockBySQL(s, crates, "state", "t1", "7")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(t.Context(), "EXPLAIN "+text, args...)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(plan, func(line string) bool {
		return strings.Contains(line, "Index Cond:") && strings.Contains(line, "(environment = ANY") && strings.Contains(line, "(state = ")
	}) {
		t.Errorf("%s", strings.Join(plan, "\n"))
	}
}
