package cart_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

// shop is a small catalog: a shirt (10 on hand), a mug (untracked), a concert (an event), and a hidden draft.
func shop(market string) cart.Facts {
	currency, rate := money.Currency("KRW"), int64(1)
	if market == "us" {
		currency, rate = "USD", 2
	}
	offer := func(id, kind string, price int64, stock inventory.Level) pricing.Offer {
		return pricing.Offer{
			Product: "p-" + id, Variant: id, Title: id, Kind: kind, RequiresShipping: kind == catalog.Physical,
			UnitPrice: money.Of(price*rate, currency), Sellable: id != "draft", Stock: stock,
		}
	}
	return cart.Facts{Market: market, Currency: currency, Offers: map[string]pricing.Offer{
		"shirt":   offer("shirt", catalog.Physical, 1000, inventory.Level{OnHand: 10, Reserved: 9, Tracked: true}),
		"mug":     offer("mug", catalog.Physical, 500, inventory.Level{}),
		"concert": offer("concert", catalog.Event, 9000, inventory.Level{OnHand: 5, Tracked: true}),
		"draft":   offer("draft", catalog.Digital, 1, inventory.Level{}),
	}}
}

func item(line, variant string, quantity int64) cart.LineInput {
	return cart.LineInput{LineID: line, Variant: variant, Quantity: quantity}
}

func admissions(n int) (list []sale.Admission) {
	for i := range n {
		list = append(list, sale.Admission{Name: fmt.Sprint("guest ", i)})
	}
	return list
}

func begin(t *testing.T, market string, items ...cart.LineInput) cart.Cart {
	t.Helper()
	c, err := cart.Decide(cart.Cart{}, 0, cart.Create{
		ID: "c", Tenant: "t", Environment: "test", Market: market, Lines: items, Facts: shop(market),
	}, now)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// sum formats lines as "line:variant×quantity".
func sum(c cart.Cart) (out []string) {
	for _, l := range c.Lines {
		out = append(out, fmt.Sprintf("%s:%s×%d", l.ID, l.Variant, l.Quantity))
	}
	return out
}

// pricedFacts is a shop whose mug costs so much that the total of a full line overflows.
func pricedFacts() cart.Facts {
	f := shop("")
	mug := f.Offers["mug"]
	mug.UnitPrice = money.Of(money.Max/2, "KRW")
	f.Offers["mug"] = mug
	return f
}

// numbered returns n attributes of the maximum size.
func numbered(n int) map[string]string {
	m := map[string]string{}
	for i := range n {
		m[fmt.Sprint(i)] = strings.Repeat("x", cart.MaxAttribute)
	}
	return m
}

type rule struct {
	given []cart.LineInput
	in    string // market of the given cart
	when  cart.Command
	then  []string
	err   error
}

func check(t *testing.T, rules map[string]rule) {
	t.Helper()
	for name, r := range rules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			given := begin(t, r.in, r.given...)
			before := begin(t, r.in, r.given...)
			next, err := cart.Decide(given, 1, r.when, now.Add(time.Hour))
			if !errors.Is(err, r.err) {
				t.Fatalf("err = %v, want %v", err, r.err)
			}
			if !reflect.DeepEqual(given, before) {
				t.Fatalf("Decide changed its input: %+v", given)
			}
			if err != nil {
				if !reflect.DeepEqual(next, before) {
					t.Fatal("a refused command changed the cart")
				}
				return
			}
			if got := sum(next); !slices.Equal(got, r.then) {
				t.Errorf("lines = %v, want %v", got, r.then)
			}
			if next.Revision != 2 || next.Sequence != 2 || !next.ExpiresAt.Equal(now.Add(time.Hour+cart.Lifetime)) ||
				!next.CreatedAt.Equal(now) {
				t.Errorf("revision %d, sequence %d, expires %v", next.Revision, next.Sequence, next.ExpiresAt)
			}
		})
	}
}

func TestAddingAnItem(t *testing.T) {
	t.Parallel()
	add := func(it cart.LineInput) cart.AddLine { return cart.AddLine{Line: it, Facts: shop("")} }
	gift := func(it cart.LineInput, text string) cart.LineInput {
		it.Attributes = map[string]string{"gift": text}
		return it
	}
	event := func(line string, n int64, names int) cart.LineInput {
		it := item(line, "concert", n)
		it.Admissions = admissions(names)
		return it
	}
	var many []cart.LineInput
	for i := range cart.MaxLines {
		many = append(many, gift(item(fmt.Sprint("l", i), "mug", 1), fmt.Sprint(i)))
	}
	manyAnd7 := sum(begin(t, "", many...))
	manyAnd7[7] = "l7:mug×2"
	check(t, map[string]rule{
		"a new variant is a new line at the end": {
			[]cart.LineInput{item("a", "mug", 1)}, "", add(item("b", "shirt", 2)), []string{"a:mug×1", "b:shirt×2"}, nil,
		},
		"the same variant adds up in its line": {
			[]cart.LineInput{item("a", "mug", 1)}, "", add(item("b", "mug", 2)), []string{"a:mug×3"}, nil,
		},
		"other attributes make another line": {
			[]cart.LineInput{item("a", "mug", 1)}, "", add(gift(item("b", "mug", 2), "x")), []string{"a:mug×1", "b:mug×2"}, nil,
		},
		"equal attributes add up": {
			[]cart.LineInput{gift(item("a", "mug", 1), "x")}, "", add(gift(item("b", "mug", 2), "x")), []string{"a:mug×3"}, nil,
		},
		"empty attributes equal no attributes": {
			[]cart.LineInput{item("a", "mug", 1)}, "",
			add(cart.LineInput{LineID: "b", Variant: "mug", Quantity: 1, Attributes: map[string]string{}}), []string{"a:mug×2"}, nil,
		},
		"an unknown variant is refused":                   {nil, "", add(item("b", "ghost", 1)), nil, catalog.ErrVariantUnavailable},
		"a variant that is not on sale is refused":        {nil, "", add(item("b", "draft", 1)), nil, catalog.ErrVariantUnavailable},
		"all units on hand may be added, reserved or not": {nil, "", add(item("b", "shirt", 10)), []string{"b:shirt×10"}, nil},
		"more than is on hand is refused":                 {nil, "", add(item("b", "shirt", 11)), nil, inventory.ErrOutOfStock},
		"lines of one variant share its stock": {
			[]cart.LineInput{item("a", "shirt", 6)}, "", add(gift(item("b", "shirt", 5), "x")), nil, inventory.ErrOutOfStock,
		},
		"9999 units fill a line": {nil, "", add(item("b", "mug", 9999)), []string{"b:mug×9999"}, nil},
		"adding to more than 9999 is refused": {
			[]cart.LineInput{item("a", "mug", 9999)}, "", add(item("b", "mug", 1)), nil, cart.ErrQuantityLimit,
		},
		"adding 10000 at once is refused":              {nil, "", add(item("b", "mug", 10000)), nil, cart.ErrQuantityLimit},
		"a quantity below one is invalid":              {nil, "", add(item("b", "mug", 0)), nil, fault.ErrValidation},
		"a missing variant is invalid":                 {nil, "", add(item("b", "", 1)), nil, fault.ErrValidation},
		"an existing line of 200 takes more units":     {many, "", add(gift(item("b", "mug", 1), "7")), manyAnd7, nil},
		"the 201st line is refused":                    {many, "", add(item("b", "mug", 1)), nil, cart.ErrLineLimit},
		"an event takes one admission per unit":        {nil, "", add(event("b", 2, 2)), []string{"b:concert×2"}, nil},
		"an event with too few admissions is refused":  {nil, "", add(event("b", 2, 1)), nil, cart.ErrAdmissionsMismatch},
		"an event with too many admissions is refused": {nil, "", add(event("b", 1, 2)), nil, cart.ErrAdmissionsMismatch},
		"an event adds up with its admissions": {
			[]cart.LineInput{event("a", 1, 1)}, "", add(event("b", 2, 2)), []string{"a:concert×3"}, nil,
		},
		"admissions of anything else are refused": {
			nil, "", add(cart.LineInput{LineID: "b", Variant: "mug", Quantity: 1, Admissions: admissions(1)}), nil,
			cart.ErrAdmissionsMismatch,
		},
		"an admission without a name is invalid": {
			nil, "", add(cart.LineInput{LineID: "b", Variant: "concert", Quantity: 1, Admissions: []sale.Admission{{}}}), nil,
			fault.ErrValidation,
		},
		"a guest with a name and a telephone number of 255 bytes is admitted": {nil, "", add(cart.LineInput{
			LineID: "b", Variant: "concert", Quantity: 1,
			Admissions: []sale.Admission{{Name: strings.Repeat("n", 255), Phone: strings.Repeat("1", 255)}},
		}), []string{"b:concert×1"}, nil},
		"a longer name is invalid": {
			nil, "",
			add(cart.LineInput{
				LineID: "b", Variant: "concert", Quantity: 1, Admissions: []sale.Admission{{Name: strings.Repeat("n", 256)}},
			}),
			nil, fault.ErrValidation,
		},
		"a longer telephone number is invalid": {
			nil, "",
			add(cart.LineInput{
				LineID: "b", Variant: "concert", Quantity: 1, Admissions: []sale.Admission{{Name: "A", Phone: strings.Repeat("1", 256)}},
			}),
			nil, fault.ErrValidation,
		},
		"an admission with an invalid email is invalid": {
			nil, "",
			add(cart.LineInput{LineID: "b", Variant: "concert", Quantity: 1, Admissions: []sale.Admission{{Name: "A", Email: "nobody"}}}),
			nil, fault.ErrValidation,
		},
		"the first line with a market locks an empty cart": {
			nil, "", cart.AddLine{Line: item("b", "mug", 1), Market: "us", Facts: shop("us")}, []string{"b:mug×1"}, nil,
		},
		"a line with the cart's own market is added": {
			nil, "us", cart.AddLine{Line: item("b", "mug", 1), Market: "us", Facts: shop("us")}, []string{"b:mug×1"}, nil,
		},
		"a line without a market is added to a locked cart": {
			nil, "us", cart.AddLine{Line: item("b", "mug", 1), Facts: shop("us")}, []string{"b:mug×1"}, nil,
		},
		"a line from another market is refused": {
			nil, "us", cart.AddLine{Line: item("b", "mug", 1), Market: "kr", Facts: shop("us")}, nil, cart.ErrMarketMismatch,
		},
		"a total that overflows is refused": {
			nil, "", cart.AddLine{Line: item("b", "mug", 9999), Facts: pricedFacts()}, nil, money.ErrOutOfRange,
		},
		"too many attributes are invalid": {
			nil, "", add(cart.LineInput{LineID: "b", Variant: "mug", Quantity: 1, Attributes: numbered(51)}), nil, fault.ErrValidation,
		},
		"an attribute of more than 2 KiB is invalid": {
			nil, "", add(gift(item("b", "mug", 1), string(make([]byte, 2049)))), nil, fault.ErrValidation,
		},
		"seven attributes of 2 KiB are fine": {
			nil, "", add(cart.LineInput{LineID: "b", Variant: "mug", Quantity: 1, Attributes: numbered(7)}), []string{"b:mug×1"}, nil,
		},
		"an attribute without a name is invalid": {
			nil, "", add(cart.LineInput{LineID: "b", Variant: "mug", Quantity: 1, Attributes: map[string]string{"": "x"}}), nil,
			fault.ErrValidation,
		},
	})
}
