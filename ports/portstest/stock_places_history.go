package portstest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// shelves are where single units lie, one after the other: what the history of a variant is compared with. It knows nothing of
// stored places: units that are sold are put on a pile with where they lay, and come back from it.
type shelves struct {
	locations []collection.Record // by position and id
	at        map[string]int64    // units by location, "" for nowhere in particular
	sold      []string            // where each unit lay that was sold since the places were settled
}

func (m *shelves) onHand() (n int64) {
	for _, units := range m.at {
		n += units
	}
	return n
}

// sell takes a unit as the package comment of inventory has it.
func (m *shelves) sell() {
	from := ""
	for _, l := range slices.Backward(m.locations) {
		if m.at[""] == 0 && from == "" && m.at[l.ID()] > 0 {
			from = l.ID()
		}
	}
	m.at[from]--
	m.sold = append(m.sold, from)
}

// restock puts a unit back where it lay.
func (m *shelves) restock() {
	to := ""
	if last := len(m.sold) - 1; last >= 0 {
		to, m.sold = m.sold[last], m.sold[:last]
	}
	m.at[to]++
}

// remove deletes the location at index i.
func (m *shelves) remove(i int) {
	id := m.locations[i].ID()
	if m.at[id] > 0 || slices.Contains(m.sold, id) {
		m.sold = nil // the variant was settled
	}
	m.at[""] += m.at[id]
	delete(m.at, id)
	m.locations = slices.Delete(m.locations, i, i+1)
}

func (m *shelves) add(l collection.Record) {
	m.locations = append(m.locations, l)
	slices.SortFunc(m.locations, func(a, b collection.Record) int {
		return cmp.Or(cmp.Compare(a.Int("position"), b.Int("position")), cmp.Compare(a.ID(), b.ID()))
	})
}

// somewhere is the id of a location, or "" at times.
func (m *shelves) somewhere(random *rand.Rand) string {
	if i := random.IntN(len(m.locations) + 1); i < len(m.locations) {
		return m.locations[i].ID()
	}
	return ""
}

// places are the units of m at its locations.
func (m *shelves) places() (all inventory.Places) {
	for _, l := range m.locations {
		if n := m.at[l.ID()]; n > 0 {
			all = append(all, inventory.Place{Location: l.ID(), Units: n})
		}
	}
	return all
}

// placesHistory compares random histories with shelves.
func placesHistory(h placesFixture) {
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 36))
		variant, m := fmt.Sprintf("v%d", seed), &shelves{at: map[string]int64{}}
		for range 3 {
			m.add(h.location(int64(random.IntN(3))))
		}
		h.count(tenant.Live, variant, 0)
		for step := range 40 {
			what := h.step(random, variant, m)
			h.wantLying(fmt.Sprintf("seed %d, step %d, %s", seed, step, what), variant, m.at[""], m.places()...)
			h.wantFoundAt(variant, m)
			if h.t.Failed() {
				return
			}
		}
	}
}

// step does something to a variant, and the same to m, and says what.
func (h placesFixture) step(random *rand.Rand, variant string, m *shelves) string {
	h.t.Helper()
	n := int64(random.IntN(6) + 1)
	switch what := random.IntN(20); {
	case what < 4:
		return h.adjustSome(variant, m, m.somewhere(random), n-1)
	case what < 8:
		return h.adjustSome(variant, m, m.somewhere(random), -1)
	case what < 11:
		return h.moveSome(variant, m, inventory.Transfer{From: m.somewhere(random), To: m.somewhere(random), Units: (n + 1) / 2})
	case what < 15:
		if n = min(n, m.onHand()); n == 0 {
			return "nothing to sell"
		}
		if err := h.take("c", ports.Demand{Variant: variant, Quantity: n}); err != nil {
			h.t.Fatal(err)
		}
		for range n {
			m.sell()
		}
		return fmt.Sprintf("sell %d", n)
	case what < 18:
		h.restock(variant, n)
		for range n {
			m.restock()
		}
		return fmt.Sprintf("restock %d", n)
	case what == 18 && len(m.locations) > 0:
		i := random.IntN(len(m.locations))
		h.write(inventory.Locations, m.locations[i], nil)
		m.remove(i)
		return "a location goes"
	}
	m.add(h.location(int64(random.IntN(3))))
	return "a location comes"
}

// adjustSome counts units at a location, or adds as many nowhere in particular; -1 removes two.
func (h placesFixture) adjustSome(variant string, m *shelves, location string, n int64) string {
	h.t.Helper()
	a := inventory.Adjustment{Count: &n}
	if n < 0 {
		a = inventory.Adjustment{Delta: new(int64(-2))}
	} else if location == "" {
		a = inventory.Adjustment{Delta: new(n + 1)}
	}
	err := inTx(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) error { return h.adjust(ctx, tx, variant, location, a) })
	left := m.at[location]
	if location == "" {
		left = m.onHand()
	}
	if refused := a.Delta != nil && left+*a.Delta < 0; refused != (err != nil) {
		h.t.Errorf("adjust %+v at %q: %v", a, location, err)
	} else if refused {
		return "a refused adjustment"
	}
	m.sold = nil
	switch {
	case a.Count != nil:
		m.at[location] = n
	case location == "" && *a.Delta < 0:
		m.sell()
		m.sell()
		// What was removed by hand does not come back, but to where it lay: the count is beyond what is said to lie there.
	default:
		m.at[location] += *a.Delta
	}
	return fmt.Sprintf("adjust %+v at %q", a, location)
}

func (h placesFixture) adjust(ctx context.Context, tx ports.Tx, variant, location string, a inventory.Adjustment) error {
	levels, err := tx.Stock.Levels(ctx, tenant.Live, []string{variant})
	if err != nil {
		return err
	}
	stored, err := tx.StockPlaces.Of(ctx, h.id, tenant.Live, variant)
	if err != nil {
		return err
	}
	next, places := levels[variant], stored
	if location == "" {
		next, err = a.Apply(variant, next)
	} else {
		next, places, err = a.ApplyAt(variant, location, next, stored)
	}
	if err != nil {
		return err
	}
	if err := tx.Stock.Set(ctx, h.id, tenant.Live, "p", variant, next, ports.StockCause{}); err != nil || location == "" {
		return err
	}
	return tx.StockPlaces.Put(ctx, h.id, tenant.Live, variant, places)
}

func (h placesFixture) moveSome(variant string, m *shelves, move inventory.Transfer) string {
	h.t.Helper()
	err := inTx(h.t, h.s, h.id, func(ctx context.Context, tx ports.Tx) error { return h.transfer(ctx, tx, variant, move) })
	switch possible := move.From != move.To && m.at[move.From] >= move.Units; {
	case possible != (err == nil):
		h.t.Errorf("move %+v: %v", move, err)
	case possible:
		m.at[move.From] -= move.Units
		m.at[move.To] += move.Units
		m.sold = nil
	case move.From != move.To && !errors.Is(err, inventory.ErrNotAtLocation):
		h.t.Errorf("move %+v: %v", move, err)
	}
	return fmt.Sprintf("move %+v", move)
}

// wantFoundAt asks each location for what lies there.
func (h placesFixture) wantFoundAt(variant string, m *shelves) {
	h.t.Helper()
	found := map[string]int64{}
	for _, l := range m.locations {
		page, _, err := h.reader.FindAt(h.t.Context(), h.at(tenant.Live, l.ID(), 1, 100))
		if err != nil {
			h.t.Fatal(err)
		}
		for _, at := range page {
			if at.Variant == variant {
				found[l.ID()] = at.Units
			}
		}
	}
	want := maps.Clone(m.at)
	maps.DeleteFunc(want, func(id string, n int64) bool { return id == "" || n == 0 })
	if !maps.Equal(found, want) {
		h.t.Errorf("by location: %v, want %v", found, want)
	}
}
