package cart_test

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
)

// After any history of commands, the invariants of a cart hold and its units agree with a model that only
// counts.
func TestRandomCommandsKeepInvariants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := &machine{units: map[string]int64{}}
		c, err := cart.Decide(cart.Cart{}, 0, cart.Create{ID: "c", Tenant: "t", Environment: "live", Facts: shop("")}, now)
		if err != nil {
			t.Fatal(err)
		}
		m.cart = c
		t.Repeat(map[string]func(*rapid.T){"add": m.add, "update": m.update, "remove": m.remove, "clear": m.clear, "": m.check})
	})
}

type machine struct {
	cart  cart.Cart
	units map[string]int64 // by variant and gift
	lines int
}

func (m *machine) do(t *rapid.T, cmd cart.Command) bool {
	given := fmt.Sprintf("%+v", m.cart)
	expected := rapid.SampledFrom([]int64{0, m.cart.Revision}).Draw(t, "expected")
	next, err := cart.Decide(m.cart, expected, cmd, now)
	if fmt.Sprintf("%+v", m.cart) != given {
		t.Fatal("Decide changed its input")
	}
	if _, stale := cart.Decide(m.cart, m.cart.Revision+1, cmd, now); stale == nil {
		t.Fatal("a command with a stale revision was applied")
	}
	if err != nil {
		if !reflect.DeepEqual(next, m.cart) {
			t.Fatal("a refused command changed the cart")
		}
		return false
	}
	if next.Revision != m.cart.Revision+1 {
		t.Fatalf("revision %d after %d", next.Revision, m.cart.Revision)
	}
	m.cart = next
	return true
}

func slot(variant, gift string) string { return variant + "/" + gift }

func gifts(gift string) map[string]string {
	if gift == "" {
		return nil
	}
	return map[string]string{"gift": gift}
}

func (m *machine) add(t *rapid.T) {
	m.lines++
	variant := rapid.SampledFrom([]string{"shirt", "mug", "concert", "draft", "ghost"}).Draw(t, "variant")
	gift := rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "gift")
	n := rapid.Int64Range(0, 6).Draw(t, "quantity")
	it := cart.LineInput{LineID: fmt.Sprint("l", m.lines), Variant: variant, Quantity: n, Attributes: gifts(gift)}
	if variant == "concert" {
		it.Admissions = admissions(int(n))
	}
	if m.do(t, cart.AddLine{Line: it, Facts: shop("")}) {
		m.units[slot(variant, gift)] += n
	}
}

func (m *machine) pick(t *rapid.T) (cart.Line, bool) {
	if len(m.cart.Lines) == 0 {
		return cart.Line{}, false
	}
	return rapid.SampledFrom(m.cart.Lines).Draw(t, "line"), true
}

func (m *machine) update(t *rapid.T) {
	l, ok := m.pick(t)
	if !ok {
		return
	}
	n := rapid.Int64Range(0, 12).Draw(t, "quantity")
	gift := rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "gift")
	cmd := cart.UpdateLine{Line: l.ID, Quantity: &n, Attributes: new(gifts(gift)), Facts: shop("")}
	if l.Kind == catalog.Event {
		cmd.Admissions = new(admissions(int(n)))
	}
	if m.do(t, cmd) {
		delete(m.units, slot(l.Variant, l.Attributes["gift"]))
		if n > 0 {
			m.units[slot(l.Variant, gift)] += n
		}
	}
}

func (m *machine) remove(t *rapid.T) {
	if l, ok := m.pick(t); ok && m.do(t, cart.RemoveLine{Line: l.ID, Facts: shop("")}) {
		delete(m.units, slot(l.Variant, l.Attributes["gift"]))
	}
}

func (m *machine) clear(t *rapid.T) {
	if rapid.IntRange(0, 9).Draw(t, "dice") == 0 && m.do(t, cart.Clear{Facts: shop("")}) {
		clear(m.units)
	}
}

func (m *machine) check(t *rapid.T) {
	units, byVariant := map[string]int64{}, map[string]int64{}
	ids := map[string]bool{}
	total := krw(0)
	for _, l := range m.cart.Lines {
		units[slot(l.Variant, l.Attributes["gift"])] += l.Quantity
		byVariant[l.Variant] += l.Quantity
		if ids[l.ID] || l.Quantity < 1 || l.Quantity > cart.MaxQuantity || !l.Available {
			t.Fatalf("line %+v", l)
		}
		if l.Kind == catalog.Event && int64(len(l.Admissions)) != l.Quantity || l.Kind != catalog.Event && len(l.Admissions) > 0 {
			t.Fatalf("admissions of %+v", l)
		}
		ids[l.ID] = true
		total = total.Plus(l.Total)
	}
	if !reflect.DeepEqual(units, m.units) {
		t.Fatalf("units %v, want %v", units, m.units)
	}
	if byVariant["shirt"] > 10 || byVariant["concert"] > 5 || total != m.cart.Totals.Total {
		t.Fatalf("stock or totals: %v, %v, %+v", byVariant, total, m.cart.Totals)
	}
	if len(m.cart.Lines) != len(m.units) {
		t.Fatal("two lines have the same variant and attributes")
	}
}
