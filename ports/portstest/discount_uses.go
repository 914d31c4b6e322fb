package portstest

import (
	"context"
	"errors"
	"maps"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// usesFixture is one tenant's discounts with helpers for the tests.
type usesFixture struct {
	t  *testing.T
	s  ports.Store
	id tenant.ID
}

func (c usesFixture) do(fn func(context.Context, ports.DiscountUses) error) error {
	return inTx(c.t, c.s, c.id, func(ctx context.Context, tx ports.Tx) error { return fn(ctx, tx.DiscountUses) })
}

func (c usesFixture) reserve(holder string, uses ...ports.DiscountUse) error {
	return c.do(func(ctx context.Context, u ports.DiscountUses) error {
		return u.Reserve(ctx, c.id, tenant.Live, holder, uses)
	})
}

func (c usesFixture) place(holder string, uses ...ports.DiscountUse) error {
	return c.do(func(ctx context.Context, u ports.DiscountUses) error {
		return u.Redeem(ctx, c.id, tenant.Live, holder, uses)
	})
}

func (c usesFixture) release(holder string) error {
	return c.do(func(ctx context.Context, u ports.DiscountUses) error { return u.Release(ctx, c.id, holder) })
}

func (c usesFixture) want(when, customer string, all, own map[string]int64) {
	c.t.Helper()
	var gotAll, gotOwn map[string]int64
	if err := c.do(func(ctx context.Context, u ports.DiscountUses) (err error) {
		gotAll, gotOwn, err = u.Counts(ctx, tenant.Live, []string{"d1", "d2"}, customer)
		return err
	}); err != nil {
		c.t.Fatal(err)
	}
	drop := func(_ string, n int64) bool { return n == 0 }
	maps.DeleteFunc(gotAll, drop)
	maps.DeleteFunc(gotOwn, drop)
	if !maps.Equal(gotAll, all) || !maps.Equal(gotOwn, own) {
		c.t.Errorf("%s: counts %v and %v of %s, want %v and %v", when, gotAll, gotOwn, customer, all, own)
	}
}

// usesReassigned moves the uses of holders from one customer to another, who may have some.
func usesReassigned(c usesFixture) {
	once := func(customer string) ports.DiscountUse {
		return ports.DiscountUse{Discount: "d1", Customer: customer, Limit: 9, PerCustomerLimit: 1, Code: "ONCE"}
	}
	assign := func(holder string) error {
		return c.do(func(ctx context.Context, u ports.DiscountUses) error { return u.Reassign(ctx, c.id, holder, "ann") })
	}
	guest := ports.DiscountUse{Discount: "d2", Limit: 9}
	if err := errors.Join(c.place("own", once("ann")), c.place("placed", once("bob"), guest), c.reserve("held", once("cid"))); err != nil {
		c.t.Fatal(err)
	}
	if err := errors.Join(assign("placed"), assign("held"), assign("placed"), assign("nobody's")); err != nil {
		c.t.Fatal(err)
	}
	c.want("assigned", "ann", map[string]int64{"d1": 3, "d2": 1}, map[string]int64{"d1": 3})
	c.want("assigned", "bob", map[string]int64{"d1": 3, "d2": 1}, map[string]int64{})
	if err := c.reserve("more", once("ann")); fault.From(err).Reason != ports.ErrDiscountCustomerLimit.Reason {
		c.t.Errorf("beyond the limit: %v", err)
	}
	if err := c.release("held"); err != nil {
		c.t.Fatal(err)
	}
	c.want("released", "ann", map[string]int64{"d1": 2, "d2": 1}, map[string]int64{"d1": 2})
	c.want("released", "cid", map[string]int64{"d1": 2, "d2": 1}, map[string]int64{})
}

// DiscountUses checks ports.DiscountUses of the stores that open makes.
func DiscountUses(t *testing.T, open func(t *testing.T) ports.Store) {
	s := open(t)
	run := func(name string, test func(c usesFixture)) {
		t.Run(name, func(t *testing.T) { test(usesFixture{t, s, freshTenant()}) })
	}
	run("uses are reserved, replaced, released and placed", usesLifecycle)
	run("a limit counts placed and reserved uses", usesLimit)
	run("a customer's limit is their own", usesCustomerLimit)
	run("a one-use code survives fifty placements at once", usesContention)
	run("uses become those of another customer", usesReassigned)
	run("what is given back can be used again", func(c usesFixture) {
		once := ports.DiscountUse{Discount: "d1", Customer: "ann", Limit: 1, PerCustomerLimit: 1}
		back := func(holder string, want bool) error {
			return c.do(func(ctx context.Context, u ports.DiscountUses) error {
				had, err := u.ReleaseAll(ctx, c.id, holder)
				if had != want {
					c.t.Errorf("uses of %s were given back: %t, want %t", holder, had, want)
				}
				return err
			})
		}
		if err := errors.Join(c.place("c1", once), back("c2", false), back("c1", true), back("c1", false)); err != nil {
			c.t.Fatal(err)
		}
		c.want("given back", "ann", map[string]int64{}, map[string]int64{})
		if err := c.place("c2", once); err != nil {
			c.t.Errorf("another use: %v", err)
		}
	})
	run("another tenant counts alone", func(c usesFixture) {
		once := ports.DiscountUse{Discount: "d1", Customer: "ann", Limit: 1}
		other := usesFixture{c.t, c.s, freshTenant()}
		if err := errors.Join(c.place("c1", once), other.place("c1", once)); err != nil {
			c.t.Error(err)
		}
	})
}

func usesLifecycle(c usesFixture) {
	d1, d2 := ports.DiscountUse{Discount: "d1", Customer: "ann", Limit: 5}, ports.DiscountUse{Discount: "d2", Customer: "ann"}
	steps := []struct {
		name     string
		do       func() error
		all, own map[string]int64
	}{
		{"reserved", func() error { return c.reserve("c1", d1) }, map[string]int64{"d1": 1}, map[string]int64{"d1": 1}},
		{"reserved again", func() error { return c.reserve("c1", d1) }, map[string]int64{"d1": 1}, map[string]int64{"d1": 1}},
		{"replaced", func() error { return c.reserve("c1", d2) }, map[string]int64{"d2": 1}, map[string]int64{"d2": 1}},
		{
			"for another customer", func() error { return c.reserve("c1", ports.DiscountUse{Discount: "d2", Customer: "bob"}) },
			map[string]int64{"d2": 1}, map[string]int64{},
		},
		{
			"placed, held or not", func() error { return c.place("c1", d1, d2) }, map[string]int64{"d1": 1, "d2": 1},
			map[string]int64{"d1": 1, "d2": 1},
		},
		{
			"placing again changes nothing", func() error { return c.place("c1", d1, d2) }, map[string]int64{"d1": 1, "d2": 1},
			map[string]int64{"d1": 1, "d2": 1},
		},
		{
			"placed uses stay", func() error { return c.release("c1") }, map[string]int64{"d1": 1, "d2": 1},
			map[string]int64{"d1": 1, "d2": 1},
		},
		{
			"reserved ones end", func() error { return errors.Join(c.reserve("c2", d1), c.release("c2")) },
			map[string]int64{"d1": 1, "d2": 1}, map[string]int64{"d1": 1, "d2": 1},
		},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			c.t.Fatalf("%s: %v", step.name, err)
		}
		c.want(step.name, "ann", step.all, step.own)
	}
}

func usesLimit(c usesFixture) {
	use := func(customer string) ports.DiscountUse {
		return ports.DiscountUse{Discount: "d1", Customer: customer, Limit: 2, Code: "TEN"}
	}
	if err := errors.Join(c.place("c1", use("ann")), c.reserve("c2", use("bob"))); err != nil {
		c.t.Fatal(err)
	}
	f := fault.From(c.reserve("c3", ports.DiscountUse{Discount: "d2", Customer: "eve"}, use("eve")))
	if !errors.Is(f, ports.ErrDiscountUsageLimit) || f.Data["code"] != "TEN" {
		c.t.Errorf("third use: %v %v, want ErrDiscountUsageLimit for TEN", f, f.Data)
	}
	c.want("after the refusal", "eve", map[string]int64{"d1": 2}, map[string]int64{})
	if err := c.place("c2", use("bob")); err != nil {
		c.t.Errorf("redeeming a reserved use at the limit: %v", err)
	}
}

func usesCustomerLimit(c usesFixture) {
	use := ports.DiscountUse{Discount: "d1", Customer: "ann", PerCustomerLimit: 1, Code: "TEN"}
	bobs := use
	bobs.Customer = "bob"
	if err := errors.Join(c.reserve("c1", use), c.reserve("c2", bobs)); err != nil {
		c.t.Fatal(err)
	}
	if f := fault.From(c.reserve("c3", use)); !errors.Is(f, ports.ErrDiscountCustomerLimit) || f.Data["code"] != "TEN" {
		c.t.Errorf("second use: %v %v, want ErrDiscountCustomerLimit for TEN", f, f.Data)
	}
}

func usesContention(c usesFixture) {
	var placed atomic.Int64
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			err := c.place("c"+strconv.Itoa(i), ports.DiscountUse{
				Discount: "d1", Customer: "u" + strconv.Itoa(i), Limit: 1, PerCustomerLimit: 1,
			})
			switch {
			case err == nil:
				placed.Add(1)
			case !errors.Is(err, ports.ErrDiscountUsageLimit):
				c.t.Errorf("placement %d: %v", i, err)
			}
		})
	}
	all.Wait()
	if placed.Load() != 1 {
		c.t.Errorf("%d placements, want 1", placed.Load())
	}
}
