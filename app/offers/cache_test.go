package offers_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/offers"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// tally counts the readers it returns, one per database lookup.
type tally struct {
	ports.Store

	looks  int
	before func() // runs when a lookup begins
}

func (s *tally) Read(scope ports.Scope) ports.Reader {
	s.looks++
	return &hooked{s.Store.Read(scope), s}
}

type hooked struct {
	ports.Reader

	s *tally
}

// GetMany runs the hook after the variants were read and before the result is assembled.
func (h *hooked) GetMany(ctx context.Context, s *collection.Schema, ids []string, room *collection.Room) (map[string]record, error) {
	if h.s.before != nil {
		h.s.before()
	}
	return h.Reader.GetMany(ctx, s, ids, room)
}

type memory struct {
	shop
	*offers.Cache

	store *tally
	clock time.Time
}

func remember(t *testing.T, life time.Duration) *memory {
	m := &memory{shop: open(t), clock: now}
	m.store = &tally{Store: m.shop.store}
	m.Cache = offers.NewCache(m.store, func() time.Time { return m.clock }, life)
	return m
}

// expect compares the cache's result with the database's; looks is the expected number of lookups so far.
func (m *memory) expect(looks int, q offers.Request) {
	m.Helper()
	want, _, err := m.ask(q)
	if err != nil {
		m.Fatal(err)
	}
	q.Tenant, q.Environment = tenant.Settings{ID: "shop", Currency: "KRW"}, tenant.Live
	m.store.looks = 0
	got, err := m.Lookup(m.Context(), q)
	if err != nil || !reflect.DeepEqual(got, want) {
		m.Errorf("%v\n got %+v\nwant %+v", err, got, want)
	}
	if m.store.looks != looks {
		m.Errorf("looked %d times, want %d", m.store.looks, looks)
	}
}

func (m *memory) raise(price int64) {
	m.Helper()
	err := m.WrapStore(m.shop.store).Atomically(m.Context(), ports.ForTenant("shop"), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Get(ctx, catalog.Products, "song")
		if err != nil {
			return err
		}
		after := before.Clone()
		after["price"] = krw(price)
		return tx.Records.Write(ctx, collection.NewChange(catalog.Products, before, after, "e-song-"+krw(price).Major(), now))
	})
	if err != nil {
		m.Fatal(err)
	}
}

func TestCachedFactsAreNotReadAgain(t *testing.T) {
	t.Parallel()
	m := remember(t, time.Second)
	shirts := offers.Request{Variants: []string{"shirt-s", "shirt-l"}, Codes: []string{"nope", "tenth"}}
	m.expect(1, shirts)
	m.expect(1, shirts) // an unknown code is looked up every time
	shirts.Codes = []string{"tenth"}
	m.expect(0, shirts)
	m.expect(1, offers.Request{Variants: []string{"shirt-s", "song-1"}})
	m.expect(0, offers.Request{Variants: []string{"shirt-s", "song-1", "shirt-l"}})
	for _, ref := range []string{"jp", "m-jp"} {
		m.expect(1, offers.Request{Variants: []string{"shirt-l"}, Market: ref})
	}
	m.expect(0, offers.Request{Variants: []string{"shirt-l"}, Market: "jp"})
	m.clock = m.clock.Add(time.Second)
	m.expect(1, shirts)
}

func TestZeroTTLDisablesTheCache(t *testing.T) {
	t.Parallel()
	m := remember(t, 0)
	m.expect(1, offers.Request{Variants: []string{"shirt-s"}})
	m.expect(1, offers.Request{Variants: []string{"shirt-s"}})
}

func TestLocalWritesInvalidateAtOnce(t *testing.T) {
	t.Parallel()
	m := remember(t, time.Hour)
	song := offers.Request{Variants: []string{"song-1"}}
	m.expect(1, song)
	m.raise(1900)
	m.expect(1, song)
	err := m.WrapStore(m.shop.store).Atomically(t.Context(), ports.ForTenant("shop"), func(ctx context.Context, tx ports.Tx) error {
		return tx.Stock.Set(ctx, "shop", tenant.Live, "song", "song-1", inventory.Level{OnHand: 7}, ports.StockCause{})
	})
	if err != nil {
		t.Fatal(err)
	}
	m.expect(1, song)
	units := []inventory.Demand{{Variant: "song-1", Quantity: 1}}
	for name, move := range map[string]func(context.Context, ports.Stock) error{
		"a sale": func(ctx context.Context, s ports.Stock) error {
			_, err := s.Take(ctx, "shop", tenant.Live, "k1", units, ports.StockCause{})
			return err
		},
		"the restock of a canceled sale": func(ctx context.Context, s ports.Stock) error {
			return s.Restock(ctx, "shop", tenant.Live, units, ports.StockCause{})
		},
	} {
		m.expect(0, song)
		if err := m.WrapStore(m.shop.store).Atomically(t.Context(), ports.ForTenant("shop"), func(ctx context.Context, tx ports.Tx) error {
			return move(ctx, tx.Stock)
		}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m.expect(1, song)
	}
}

func TestLookupOvertakenByInvalidationIsNotCached(t *testing.T) {
	t.Parallel()
	m := remember(t, time.Hour)
	song := offers.Request{Tenant: tenant.Settings{ID: "shop", Currency: "KRW"}, Environment: tenant.Live, Variants: []string{"song-1"}}
	m.store.before = func() {
		m.store.before = nil
		m.raise(2900)
	}
	if _, err := m.Lookup(t.Context(), song); err != nil {
		t.Fatal(err)
	}
	m.expect(1, song)
	m.expect(0, song)
}

func TestUnknownMarketIsNotCached(t *testing.T) {
	t.Parallel()
	m := remember(t, time.Hour)
	for range 2 {
		_, err := m.Lookup(t.Context(), offers.Request{Tenant: tenant.Settings{ID: "shop", Currency: "KRW"}, Market: "us"})
		if !errors.Is(err, catalog.ErrMarketNotFound) {
			t.Error(err)
		}
	}
}

// A transaction that knows the stock it leaves tells the cache, so that a cart finds the offer there with what is left.
func TestSoldUnitsAreSubtractedInMemory(t *testing.T) {
	t.Parallel()
	m := remember(t, time.Hour)
	song := offers.Request{Variants: []string{"song-1"}}
	err := m.WrapStore(m.shop.store).Atomically(t.Context(), ports.ForTenant("shop"), func(ctx context.Context, tx ports.Tx) error {
		return tx.Stock.Set(ctx, "shop", tenant.Live, "song", "song-1", inventory.Level{OnHand: 7, Tracked: true}, ports.StockCause{})
	})
	if err != nil {
		t.Fatal(err)
	}
	m.expect(1, song)
	units := []inventory.Demand{{Variant: "song-1", Quantity: 2}}
	take := func(ending error) {
		scope := ports.ForTenant("shop")
		scope.Prefetch = &ports.Prefetch{Holder: "k1", Environment: tenant.Live, Variants: []string{"song-1"}}
		err := m.WrapStore(m.shop.store).Atomically(t.Context(), scope, func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.Stock.Take(ctx, "shop", tenant.Live, "k1", units, ports.StockCause{}); err != nil {
				return err
			}
			return ending
		})
		if !errors.Is(err, ending) {
			t.Fatal(err)
		}
	}
	take(nil)
	m.expect(0, song)
	take(errors.New("no"))
	m.expect(1, song) // what an undone transaction left is not known
}
