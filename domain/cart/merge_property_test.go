package cart_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
)

// For any two carts, the merged cart has of each variant the sum of the units, or as many as are on hand and
// a warning.
func TestMergeReportsEveryLostUnit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) (items []cart.LineInput) {
			for i := range rapid.IntRange(0, 5).Draw(t, label) {
				variant := rapid.SampledFrom([]string{"shirt", "mug", "concert"}).Draw(t, "variant")
				n := rapid.Int64Range(1, 2).Draw(t, "quantity")
				it := cart.LineInput{
					LineID: fmt.Sprint(label, i), Variant: variant, Quantity: n,
					Attributes: gifts(rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "gift")),
				}
				if variant == "concert" {
					it.Admissions = admissions(int(n))
				}
				items = append(items, it)
			}
			return items
		}
		start := func(id string) cart.Cart {
			c, err := cart.Decide(cart.Cart{}, 0, cart.Create{ID: id, Lines: draw(id), Facts: shop("")}, now)
			if err != nil {
				t.Skip("more than is on hand")
			}
			return c
		}
		source, target := start("s"), start("t")
		f := shop("")
		for id, o := range f.Offers {
			o.Stock.OnHand, o.Stock.Tracked = rapid.Int64Range(-1, 12).Draw(t, "on hand"), rapid.Bool().Draw(t, "tracked")
			f.Offers[id] = o
		}
		u := merge(t, source, target, "", f)
		requested, got, total := map[string]int64{}, map[string]int64{}, krw(0)
		for _, l := range slices.Concat(source.Lines, target.Lines) {
			requested[l.Variant] += l.Quantity
		}
		for _, l := range u.Target.Lines {
			got[l.Variant] += l.Quantity
			total = total.Plus(l.Total)
			if l.Quantity < 1 || !l.Available || l.Kind == catalog.Event && int64(len(l.Admissions)) != l.Quantity {
				t.Fatalf("%+v", l)
			}
		}
		var warned []string
		for _, w := range u.Warnings {
			warned = append(warned, w.Variant)
			if w.Requested != requested[w.Variant] || w.Kept != got[w.Variant] || w.Kept >= w.Requested {
				t.Fatalf("%+v", w)
			}
		}
		for variant, n := range requested {
			want := n
			if stock := f.Offers[variant].Stock; stock.Tracked {
				want = min(n, max(0, stock.OnHand))
			}
			if got[variant] != want || slices.Contains(warned, variant) != (want < n) {
				t.Fatalf("%s: %d of %d, warnings %v", variant, got[variant], n, u.Warnings)
			}
		}
		if total != u.Target.Totals.Total {
			t.Fatal(total, u.Target.Totals)
		}
	})
}
