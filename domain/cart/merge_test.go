package cart_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

// side describes one of the two carts of a merge.
type side struct {
	items      []cart.LineInput
	market     string
	customer   string
	codes      []string
	attributes map[string]string
	status     cart.Status // "" is active
}

func (s side) cart(id string) cart.Cart {
	c, err := cart.Decide(cart.Cart{}, 0, cart.Create{
		ID: id, Tenant: "t", Environment: "test", Customer: s.customer, TokenHash: "token of " + id, Market: s.market,
		Lines: s.items, Codes: s.codes, Attributes: s.attributes, Facts: withCodes(s.market),
	}, now)
	if err != nil {
		panic(err)
	}
	if s.status != "" {
		c.Status = s.status
	}
	return c
}

func withCodes(market string) cart.Facts {
	f := shop(market)
	f.Codes = coupons().Codes
	return f
}

// withNote is it with an attribute.
func withNote(it cart.LineInput, text string) cart.LineInput {
	it.Attributes = map[string]string{"note": text}
	return it
}

func withAdmissions(line string, guests ...string) cart.LineInput {
	it := item(line, "concert", int64(len(guests)))
	for _, name := range guests {
		it.Admissions = append(it.Admissions, sale.Admission{Name: name})
	}
	return it
}

func TestMergingTwoCarts(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]struct {
		source, target side
		facts          *cart.Facts
		then           []string
		warnings       []cart.MergeWarning
	}{
		"equal lines add up, others are appended": {
			side{items: []cart.LineInput{item("s1", "mug", 2), item("s2", "shirt", 1)}},
			side{items: []cart.LineInput{item("t1", "shirt", 3)}}, nil, []string{"t1:shirt×4", "s1:mug×2"}, nil,
		},
		"lines of other attributes stay apart": {
			side{items: []cart.LineInput{withNote(item("s1", "mug", 2), "x"), item("s2", "mug", 1)}},
			side{items: []cart.LineInput{item("t1", "mug", 3)}}, nil, []string{"t1:mug×4", "s1:mug×2"}, nil,
		},
		"an empty target takes all lines": {side{items: []cart.LineInput{item("s1", "mug", 2)}}, side{}, nil, []string{"s1:mug×2"}, nil},
		"an empty source adds nothing":    {side{}, side{items: []cart.LineInput{item("t1", "mug", 2)}}, nil, []string{"t1:mug×2"}, nil},
		"all that is on hand fits": {
			side{items: []cart.LineInput{item("s1", "shirt", 6)}}, side{items: []cart.LineInput{item("t1", "shirt", 4)}}, nil,
			[]string{"t1:shirt×10"}, nil,
		},
		"units that are not on hand are left out, with a warning": {
			side{items: []cart.LineInput{item("s1", "shirt", 7)}}, side{items: []cart.LineInput{item("t1", "shirt", 4)}}, nil,
			[]string{"t1:shirt×10"}, []cart.MergeWarning{{"shirt", 11, 10}},
		},
		"the target's line is filled first": {
			side{items: []cart.LineInput{withNote(item("s1", "shirt", 5), "x"), withNote(item("s2", "shirt", 4), "y")}},
			side{items: []cart.LineInput{item("t1", "shirt", 7)}}, nil,
			[]string{"t1:shirt×7", "s1:shirt×3"}, []cart.MergeWarning{{"shirt", 16, 10}},
		},
		"a line that gets no units is removed": {
			side{items: []cart.LineInput{withNote(item("s1", "shirt", 1), "x"), item("s2", "mug", 1)}},
			side{items: []cart.LineInput{item("t1", "shirt", 10)}}, nil,
			[]string{"t1:shirt×10", "s2:mug×1"}, []cart.MergeWarning{{"shirt", 11, 10}},
		},
		"a line of a sold out variant is removed": {
			side{items: []cart.LineInput{item("s1", "shirt", 1)}},
			side{items: []cart.LineInput{item("t1", "shirt", 2), item("t2", "mug", 1)}}, soldOut("shirt"),
			[]string{"t2:mug×1"}, []cart.MergeWarning{{"shirt", 3, 0}},
		},
		"a line of a deleted variant stays": {
			side{items: []cart.LineInput{item("s1", "shirt", 7)}}, side{items: []cart.LineInput{item("t1", "shirt", 9)}}, gone("shirt"),
			[]string{"t1:shirt×16"}, nil,
		},
		"a line of a variant that is not on sale stays": {
			side{items: []cart.LineInput{item("s1", "shirt", 7)}}, side{items: []cart.LineInput{item("t1", "shirt", 9)}}, hidden("shirt"),
			[]string{"t1:shirt×16"}, nil,
		},
		"a line is cut to 9999 units, with a warning": {
			side{items: []cart.LineInput{item("s1", "mug", 9000)}}, side{items: []cart.LineInput{item("t1", "mug", 1000)}}, nil,
			[]string{"t1:mug×9999"}, []cart.MergeWarning{{"mug", 10000, 9999}},
		},
		"warnings come in the order of the lines": {
			side{items: []cart.LineInput{item("s1", "mug", 9999), item("s2", "shirt", 9)}},
			side{items: []cart.LineInput{item("t1", "shirt", 9), item("t2", "mug", 1)}}, nil,
			[]string{"t1:shirt×10", "t2:mug×9999"}, []cart.MergeWarning{{"shirt", 18, 10}, {"mug", 10000, 9999}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			facts := shop("")
			if r.facts != nil {
				facts = *r.facts
			}
			u := merge(t, r.source.cart("s"), r.target.cart("t"), "", facts)
			if got := sum(u.Target); !slices.Equal(got, r.then) || !slices.Equal(u.Warnings, r.warnings) {
				t.Errorf("lines %v, warnings %v", got, u.Warnings)
			}
		})
	}
}

func soldOut(variant string) *cart.Facts {
	f := shop("")
	o := f.Offers[variant]
	o.Stock.OnHand = 0
	f.Offers[variant] = o
	return &f
}

func gone(variant string) *cart.Facts {
	f := shop("")
	delete(f.Offers, variant)
	return &f
}

func hidden(variant string) *cart.Facts {
	f := shop("")
	o := f.Offers[variant]
	o.Sellable = false
	f.Offers[variant] = o
	return &f
}

// merge merges an hour later, and checks the rules that every merge follows.
func merge(t interface {
	Helper()
	Fatal(...any)
	Errorf(string, ...any)
}, source, target cart.Cart, customer string, f cart.Facts,
) cart.MergeResult {
	t.Helper()
	given := fmt.Sprintf("%+v %+v", source, target)
	at := now.Add(time.Hour)
	u, err := cart.Merge(source, target, customer, f, at)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%+v %+v", source, target); got != given {
		t.Fatal("Merge changed its input", got, given)
	}
	want := source
	want.Status, want.Revision, want.Sequence, want.UpdatedAt = cart.Merged, source.Revision+1, source.Sequence+1, at
	if !reflect.DeepEqual(u.Source, want) {
		t.Errorf("the source: %+v", u.Source)
	}
	if u.Target.ID != target.ID || u.Target.Status != cart.Active || u.Target.Revision != target.Revision+1 ||
		u.Target.Sequence != target.Sequence+1 ||
		u.Target.TokenHash != target.TokenHash || !u.Target.UpdatedAt.Equal(at) || !u.Target.ExpiresAt.Equal(at.Add(cart.Lifetime)) {
		t.Errorf("the target: %+v", u.Target)
	}
	return u
}

func TestCartsThatAreNotMerged(t *testing.T) {
	t.Parallel()
	var left, right []cart.LineInput
	for i := range 101 {
		left = append(left, withNote(item(fmt.Sprint("s", i), "mug", 1), fmt.Sprint("s", i)))
		right = append(right, withNote(item(fmt.Sprint("t", i), "mug", 1), fmt.Sprint("t", i)))
	}
	for name, r := range map[string]struct {
		source, target side
		customer       string
		facts          cart.Facts
		err            error
	}{
		"200 lines are fine":     {side{items: left[1:]}, side{items: right[1:]}, "", shop(""), nil},
		"201 lines are too many": {side{items: left}, side{items: right[1:]}, "", shop(""), cart.ErrLineLimit},
		"a completed source":     {side{status: cart.Completed}, side{}, "", shop(""), cart.ErrNotActive},
		"a completed target":     {side{}, side{status: cart.Completed}, "", shop(""), cart.ErrNotActive},
		"a merged source":        {side{status: cart.Merged}, side{}, "", shop(""), cart.ErrNotActive},
		"a merged target":        {side{}, side{status: cart.Merged}, "", shop(""), cart.ErrNotActive},
		"two markets":            {side{market: "us"}, side{market: "kr"}, "", shop("kr"), cart.ErrMarketMismatch},
		"carts of two customers": {side{customer: "kim"}, side{customer: "lee"}, "", shop(""), cart.ErrCustomerMismatch},
		"another customer's cart into the caller's": {
			side{customer: "kim"}, side{customer: "lee"}, "lee", shop(""), cart.ErrCustomerMismatch,
		},
		"a guest's cart into another customer's":      {side{}, side{customer: "lee"}, "kim", shop(""), cart.ErrCustomerMismatch},
		"a guest's target, another customer's source": {side{customer: "lee"}, side{}, "kim", shop(""), cart.ErrCustomerMismatch},
		"twenty codes are fine":                       {side{codes: many(20)[10:]}, side{codes: many(10)}, "", shop(""), nil},
		"more codes than a cart may have": {
			side{codes: many(21)[10:]}, side{codes: many(10)}, "", shop(""), fault.ErrValidation,
		},
		"fifty attributes are fine": {side{attributes: numbered(50)}, side{attributes: numbered(20)}, "", shop(""), nil},
		"more attributes than a cart may have": {
			side{attributes: numbered(50)}, side{attributes: map[string]string{"note": "x"}}, "", shop(""), fault.ErrValidation,
		},
		"a total that overflows": {
			side{items: []cart.LineInput{item("s1", "mug", 2)}}, side{items: []cart.LineInput{item("t1", "mug", 2)}}, "", pricedFacts(),
			money.ErrOutOfRange,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u, err := cart.Merge(r.source.cart("s"), r.target.cart("t"), r.customer, r.facts, now)
			if !errors.Is(err, r.err) {
				t.Fatal(err)
			}
			if err != nil && !reflect.DeepEqual(u, cart.MergeResult{}) {
				t.Error("a refused merge returned a result", u)
			}
		})
	}
}

func TestAnAbandonedCartIsNotMerged(t *testing.T) {
	t.Parallel()
	old, fresh := side{}.cart("s"), side{}.cart("t")
	fresh.ExpiresAt = now.Add(2 * cart.Lifetime)
	for _, c := range [][2]cart.Cart{{old, fresh}, {fresh, old}} {
		_, err := cart.Merge(c[0], c[1], "", shop(""), now.Add(cart.Lifetime))
		if f := fault.From(err); !errors.Is(err, cart.ErrNotActive) || f.Data["cartId"] != "s" || f.Data["currentRevision"] != int64(1) {
			t.Error(err, f.Data)
		}
	}
}

func TestFactsOfAnotherMarketDecideNoMerge(t *testing.T) {
	t.Parallel()
	if _, err := cart.Merge(side{market: "us"}.cart("s"), side{}.cart("t"), "", shop(""), now); err == nil {
		t.Error("facts of another market were accepted")
	}
}

func TestACartIsNotMergedWithItself(t *testing.T) {
	t.Parallel()
	if err := cart.CheckMerge("a", "a"); !errors.Is(err, fault.ErrValidation) {
		t.Error(err)
	}
	if err := cart.CheckMerge("a", "b"); err != nil {
		t.Error(err)
	}
}

func TestMergedCartCustomer(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]struct{ source, target, customer, then string }{
		"two guests' carts are a guest's":                           {"", "", "", ""},
		"a guest's cart merged into a customer's is the customer's": {"", "kim", "kim", "kim"},
		"a customer's target stays theirs when the server merges":   {"", "kim", "", "kim"},
		"a guest's target becomes the calling customer's":           {"", "", "kim", "kim"},
		"a guest's target becomes the source's customer's":          {"kim", "", "", "kim"},
		"both of one customer stay theirs":                          {"kim", "kim", "kim", "kim"},
	} {
		if u := merge(t, side{customer: r.source}.cart("s"), side{customer: r.target}.cart("t"), r.customer, shop("")); u.Target.Customer != r.then {
			t.Errorf("%s: %q", name, u.Target.Customer)
		}
	}
}

func TestMergedCartMarket(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]struct{ source, target, then string }{
		"none":                       {"", "", ""},
		"the one both are locked to": {"us", "us", "us"},
		"the source's":               {"us", "", "us"},
		"the target's":               {"", "us", "us"},
	} {
		shirts := []cart.LineInput{item("s1", "shirt", 1)}
		source, target := side{items: shirts, market: r.source}.cart("s"),
			side{items: []cart.LineInput{item("t1", "mug", 1)}, market: r.target}.cart("t")
		u := merge(t, source, target, "", shop(r.then))
		if u.Target.Market != r.then || u.Target.Currency != shop(r.then).Currency ||
			u.Target.Totals.Total != shop(r.then).Offers["shirt"].UnitPrice.Plus(shop(r.then).Offers["mug"].UnitPrice) {
			t.Errorf("%s: %+v", name, u.Target)
		}
		mug, shirt := u.Target.Lines[0], u.Target.Lines[1]
		if mug.PriceChanged != (r.target != r.then) || shirt.PriceChanged != (r.source != r.then) {
			t.Errorf("%s: priceChanged must be set only for prices that differ from the line's cart: %+v %+v", name, mug, shirt)
		}
	}
}

func TestMergeKeepsAdmissions(t *testing.T) {
	t.Parallel()
	source := side{items: []cart.LineInput{withAdmissions("s1", "Choi", "Han", "Yun")}}.cart("s")
	target := side{items: []cart.LineInput{withAdmissions("t1", "Kim", "Lee", "Park")}}.cart("t")
	u := merge(t, source, target, "", shop("")) // five seats are left
	var names []string
	for _, a := range u.Target.Lines[0].Admissions {
		names = append(names, a.Name)
	}
	if !slices.Equal(names, []string{"Kim", "Lee", "Park", "Choi", "Han"}) || u.Target.Lines[0].Quantity != 5 ||
		!u.Target.Lines[0].Available || !slices.Equal(u.Warnings, []cart.MergeWarning{{"concert", 6, 5}}) {
		t.Error(names, u.Warnings)
	}
}

func TestCodesAndAttributesOfAMergedCart(t *testing.T) {
	t.Parallel()
	source := side{
		items: []cart.LineInput{item("s1", "shirt", 10)}, codes: []string{"FIVE", "TEN"},
		attributes: map[string]string{"from": "app", "gift": "yes"},
	}.cart("s")
	target := side{codes: []string{"OLD", "TEN"}, attributes: map[string]string{"from": "web"}}.cart("t")
	u := merge(t, source, target, "", withCodes(""))
	if got := codes(u.Target); !slices.Equal(got, []string{"OLD discount_expired", "TEN -1000", "FIVE -450"}) {
		t.Error(got)
	}
	if !reflect.DeepEqual(u.Target.Attributes, map[string]string{"from": "web", "gift": "yes"}) {
		t.Error(u.Target.Attributes)
	}
	if plain := merge(t, side{}.cart("s"), side{}.cart("t"), "", shop("")); plain.Target.Attributes != nil || plain.Target.Codes != nil {
		t.Error(plain.Target)
	}
}

func TestAssignCustomer(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]struct {
		owner string
		err   error
	}{"a guest's": {"", nil}, "their own": {"kim", nil}, "another customer's": {"lee", cart.ErrCustomerMismatch}} {
		given := side{customer: r.owner, items: []cart.LineInput{item("a", "mug", 2)}}.cart("c")
		next, err := cart.Decide(given, 0, cart.AssignCustomer{Customer: "kim", Facts: shop("")}, now)
		switch {
		case !errors.Is(err, r.err):
			t.Errorf("%s: %v", name, err)
		case err != nil && !reflect.DeepEqual(next, given):
			t.Errorf("%s: %+v", name, next)
		case err == nil && (next.Customer != "kim" || next.Revision != 2 || next.Status != cart.Active || len(next.Lines) != 1):
			t.Errorf("%s: %+v", name, next)
		}
	}
}
