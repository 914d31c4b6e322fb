package cart_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
)

// anyShop generates the prices of four variants in one of four currencies, and the discounts of three codes.
func anyShop(t *rapid.T) cart.Facts {
	c := rapid.SampledFrom([]money.Currency{"KRW", "JPY", "USD", "KWD"}).Draw(t, "currency")
	f := cart.Facts{
		Currency: c, Rounding: rapid.SampledFrom([]money.Rounding{money.HalfUp, money.HalfEven, money.Down}).Draw(t, "rounding"),
		Offers: map[string]pricing.Offer{},
	}
	for i := range 4 {
		id := fmt.Sprint("v", i)
		o := pricing.Offer{
			Product: fmt.Sprint("p", i%3), Variant: id, Categories: []string{fmt.Sprint("c", i%2)}, Kind: catalog.Physical,
			RequiresShipping: i > 0, Sellable: true,
			PriceFacts: &catalog.PriceFacts{
				Rounding: f.Rounding, Base: catalog.Price{Amount: money.Of(rapid.Int64Range(0, 99_999).Draw(t, "price"), c)},
			},
		}
		if rapid.Bool().Draw(t, "reduced") {
			o.PriceFacts.Discount = money.DecimalFromE8(rapid.Int64Range(0, 100_00000000).Draw(t, "off"))
		}
		p, err := catalog.ResolvePrice(*o.PriceFacts)
		if err != nil {
			t.Fatal(err)
		}
		o.UnitPrice = p.Amount
		f.Offers[id] = o
	}
	for i := range 3 {
		f.Codes = append(f.Codes, discount.RequestedCode{Code: fmt.Sprint("CODE", i), Discount: anyDiscount(t, c)})
	}
	return f
}

func anyDiscount(t *rapid.T, c money.Currency) *discount.Discount {
	d := &discount.Discount{
		Active: rapid.IntRange(0, 9).Draw(t, "active") > 0, Currency: c, Combinable: rapid.IntRange(0, 3).Draw(t, "combinable") > 0,
		Type: rapid.SampledFrom([]discount.Type{
			discount.Percentage, discount.FixedAmount, discount.FreeShipping, discount.Tiered,
		}).Draw(t, "type"),
	}
	amount := func(label string) money.Money { return money.Of(rapid.Int64Range(0, 200_000).Draw(t, label), c) }
	value := func(k discount.Type) money.Decimal {
		if k == discount.Percentage {
			return money.DecimalFromE8(rapid.Int64Range(0, 100_00000000).Draw(t, "percent"))
		}
		v, err := money.ParseDecimal(amount("value").Major())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	d.Value = value(d.Type)
	for range rapid.IntRange(1, 3).Draw(t, "tiers") {
		tier := discount.Tier{
			From: amount("from"), Type: rapid.SampledFrom([]discount.Type{discount.Percentage, discount.FixedAmount}).Draw(t, "tier"),
		}
		tier.Value = value(tier.Type)
		d.Tiers = append(d.Tiers, tier)
	}
	if rapid.Bool().Draw(t, "minimum") {
		d.MinOrder = new(amount("least"))
	}
	if rapid.Bool().Draw(t, "cap") {
		d.MaxAmount = new(amount("most"))
	}
	if rapid.Bool().Draw(t, "for a product") {
		d.Products = []string{"p1"}
	}
	if rapid.Bool().Draw(t, "for a category") {
		d.Categories = []string{"c1"}
	}
	return d
}

// anyItems generates lines of different variants; anyCodes generates a list of codes in any spelling, some
// twice.
func anyItems(t *rapid.T) (items []cart.LineInput) {
	for i := range rapid.IntRange(0, 4).Draw(t, "lines") {
		items = append(items, item(fmt.Sprint("l", i), fmt.Sprint("v", i), rapid.Int64Range(1, 99).Draw(t, "quantity")))
	}
	return items
}

func anyCodes(t *rapid.T) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"CODE0", "code0 ", "CODE1", "code1", "CODE2", "NONE"}), 0, 5).Draw(t, "codes")
}

func buildCart(t *rapid.T, f cart.Facts, items []cart.LineInput, codes []string) cart.Cart {
	c, err := cart.Decide(cart.Cart{}, 0, cart.Create{ID: "c", Lines: items, Codes: codes, Facts: f}, now)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// checkSums compares the sums of c with its lines and codes.
func checkSums(t *rapid.T, c cart.Cart) {
	var subtotal, off, total, codes int64
	for _, l := range c.Lines {
		if l.Subtotal.Minor != l.UnitPrice.Minor*l.Quantity || l.Discount.Minor < 0 || l.Discount.Minor > l.Subtotal.Minor ||
			l.Total.Minor != l.Subtotal.Minor-l.Discount.Minor {
			t.Fatalf("line %+v", l)
		}
		subtotal, off, total = subtotal+l.Subtotal.Minor, off+l.Discount.Minor, total+l.Total.Minor
	}
	for _, x := range c.Codes {
		if x.Amount.Minor < 0 || !x.Applied && x.Amount.Minor > 0 || x.Applied == (x.Reason != "") {
			t.Fatalf("code %+v", x)
		}
		codes += x.Amount.Minor
	}
	if c.Totals.Subtotal.Minor != subtotal || c.Totals.Discount.Minor != off || codes != off || c.Totals.Total.Minor != total || total < 0 {
		t.Fatalf("%+v does not add up", c)
	}
}

// f(f(x)) = f(x): a command that changes nothing leaves every amount as it was, however often it is repeated.
func TestPricingACartAgainChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := anyShop(t)
		items := anyItems(t)
		c := buildCart(t, f, items, anyCodes(t))
		checkSums(t, c)
		again := c
		for i := range items {
			var err error
			if again, err = cart.Decide(again, 0, cart.UpdateLine{Line: items[i].LineID, Quantity: &items[i].Quantity, Facts: f},
				now.Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(again.Lines, c.Lines) || !reflect.DeepEqual(again.Codes, c.Codes) || again.Totals != c.Totals {
			t.Fatalf("first %+v, again %+v", c, again)
		}
	})
}

// The totals depend on the content of a cart only, not on the commands that led to it.
func TestSameContentGivesSameTotals(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f, items, codes := anyShop(t), anyItems(t), anyCodes(t)
		atOnce := buildCart(t, f, items, codes)
		step := buildCart(t, f, nil, codes)
		for _, it := range items {
			var err error
			if step, err = cart.Decide(step, 0, cart.AddLine{Line: it, Facts: f}, now); err != nil {
				t.Fatal(err)
			}
		}
		if step.Totals != atOnce.Totals || !reflect.DeepEqual(step.Codes, atOnce.Codes) {
			t.Fatalf("one by one %+v, at once %+v", step, atOnce)
		}
	})
}

// Additions in another order give the same sums, unless a code covers only some of the lines that an earlier
// code was split over.
func TestOrderOfAdditionsDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f, items, codes := anyShop(t), anyItems(t), anyCodes(t)
		for _, x := range f.Codes {
			x.Discount.Products, x.Discount.Categories = nil, nil
		}
		first := buildCart(t, f, items, codes)
		other := append([]cart.LineInput(nil), items...)
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "shuffle"), 0))
		random.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		if again := buildCart(t, f, other, codes); again.Totals != first.Totals || !reflect.DeepEqual(again.Codes, first.Codes) {
			t.Fatalf("first %+v, again %+v", first, again)
		}
	})
}

func TestDuplicateCodesCollapse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f, items, codes := anyShop(t), anyItems(t), anyCodes(t)
		var once []string
		for _, code := range codes {
			if code = strings.ToUpper(strings.TrimSpace(code)); !strings.Contains(strings.Join(once, ","), code) {
				once = append(once, code)
			}
		}
		if many, few := buildCart(t, f, items, codes), buildCart(t, f, items, once); !reflect.DeepEqual(many, few) {
			t.Fatalf("%q gives %+v, %q gives %+v", codes, many, once, few)
		}
	})
}

// The explanation of a cart has the cart's own totals as long as the facts are those it was priced by.
func TestAnyCartIsExplained(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := anyShop(t)
		c := buildCart(t, f, anyItems(t), anyCodes(t))
		before := c.Record()
		x, err := c.Explain(f, now)
		if err != nil || !x.Current || x.Subtotal != c.Totals.Subtotal || x.Discount != c.Totals.Discount || x.Total != c.Totals.Total ||
			len(x.Lines) != len(c.Lines) || len(x.Codes) != len(c.Codes) {
			t.Fatalf("%+v of %+v, %v", x, c, err)
		}
		for i, l := range x.Lines {
			own := c.Lines[i]
			if l.ID != own.ID || l.Price.Source != catalog.PriceFixed || l.Price.Amount != own.UnitPrice || l.Subtotal != own.Subtotal ||
				l.Discount != own.Discount || l.Total != own.Total {
				t.Fatalf("%+v of %+v", l, own)
			}
		}
		if !reflect.DeepEqual(c.Record(), before) {
			t.Fatal("Explain changed the cart")
		}
	})
}
