package cart_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

func TestUpdatingALine(t *testing.T) {
	t.Parallel()
	shirts := []cart.LineInput{item("a", "shirt", 2), item("b", "mug", 1)}
	twins := []cart.LineInput{
		item("a", "mug", 2), item("m", "shirt", 1), {LineID: "b", Variant: "mug", Quantity: 3, Attributes: map[string]string{"gift": "x"}},
	}
	full := []cart.LineInput{
		item("a", "mug", 9000), {LineID: "b", Variant: "mug", Quantity: 3000, Attributes: map[string]string{"gift": "x"}},
	}
	concert := []cart.LineInput{{LineID: "a", Variant: "concert", Quantity: 2, Admissions: admissions(2)}}
	facts, gone := shop(""), shop("")
	delete(gone.Offers, "shirt")
	update := func(line string, quantity int64) cart.UpdateLine {
		return cart.UpdateLine{Line: line, Quantity: &quantity, Facts: facts}
	}
	check(t, map[string]rule{
		"a quantity is replaced":          {shirts, "", update("a", 5), []string{"a:shirt×5", "b:mug×1"}, nil},
		"quantity zero removes the line":  {shirts, "", update("a", 0), []string{"b:mug×1"}, nil},
		"an unknown line is refused":      {shirts, "", update("z", 0), nil, cart.ErrLineNotFound},
		"a negative quantity is invalid":  {shirts, "", update("a", -1), nil, fault.ErrValidation},
		"more than is on hand is refused": {shirts, "", update("a", 11), nil, inventory.ErrOutOfStock},
		"more than 9999 is refused":       {shirts, "", update("b", 10000), nil, cart.ErrQuantityLimit},
		"a quantity of a deleted variant is refused": {
			shirts, "", cart.UpdateLine{Line: "a", Quantity: new(int64(1)), Facts: gone}, nil, catalog.ErrVariantUnavailable,
		},
		"a line of a deleted variant can be removed": {
			shirts, "", cart.UpdateLine{Line: "a", Quantity: new(int64(0)), Facts: gone}, []string{"b:mug×1"}, nil,
		},
		"a line of a deleted variant takes attributes": {
			shirts, "", cart.UpdateLine{Line: "a", Attributes: &map[string]string{"note": "x"}, Facts: gone},
			[]string{"a:shirt×2", "b:mug×1"}, nil,
		},
		"nothing given changes nothing but the revision": {
			shirts, "", cart.UpdateLine{Line: "a", Facts: facts}, []string{"a:shirt×2", "b:mug×1"}, nil,
		},
		"giving a line the attributes of another joins the two": {
			twins, "", cart.UpdateLine{Line: "a", Attributes: &map[string]string{"gift": "x"}, Facts: facts},
			[]string{"a:mug×5", "m:shirt×1"}, nil,
		},
		"the line that is updated keeps its id": {
			twins, "", cart.UpdateLine{Line: "b", Attributes: &map[string]string{}, Facts: facts}, []string{"m:shirt×1", "b:mug×5"}, nil,
		},
		"setting the same attributes again changes nothing": {
			twins, "", cart.UpdateLine{Line: "b", Attributes: &map[string]string{"gift": "x"}, Facts: facts},
			[]string{"a:mug×2", "m:shirt×1", "b:mug×3"}, nil,
		},
		"lines that add up to more than 9999 are not joined": {
			full, "", cart.UpdateLine{Line: "a", Attributes: &map[string]string{"gift": "x"}, Facts: facts}, nil, cart.ErrQuantityLimit,
		},
		"an event's new quantity needs its admissions":      {concert, "", update("a", 3), nil, cart.ErrAdmissionsMismatch},
		"an event's unchanged quantity needs no admissions": {concert, "", update("a", 2), []string{"a:concert×2"}, nil},
		"an event's quantity and admissions change together": {
			concert, "", cart.UpdateLine{Line: "a", Quantity: new(int64(3)), Admissions: new(admissions(3)), Facts: facts},
			[]string{"a:concert×3"}, nil,
		},
		"an event's admissions are replaced": {
			concert, "", cart.UpdateLine{Line: "a", Admissions: new(admissions(2)), Facts: facts}, []string{"a:concert×2"}, nil,
		},
		"an event with fewer admissions is refused": {
			concert, "", cart.UpdateLine{Line: "a", Admissions: new(admissions(1)), Facts: facts}, nil, cart.ErrAdmissionsMismatch,
		},
		"admissions of anything else are refused": {
			shirts, "", cart.UpdateLine{Line: "a", Admissions: new(admissions(2)), Facts: facts}, nil, cart.ErrAdmissionsMismatch,
		},
		"an empty list of admissions is accepted for anything else": {
			shirts, "", cart.UpdateLine{Line: "a", Admissions: new(admissions(0)), Facts: facts}, []string{"a:shirt×2", "b:mug×1"}, nil,
		},
		"too many attributes are invalid": {
			shirts, "", cart.UpdateLine{Line: "a", Attributes: new(numbered(51)), Facts: facts}, nil, fault.ErrValidation,
		},
		"an admission without a name is invalid": {
			concert, "", cart.UpdateLine{Line: "a", Admissions: &[]sale.Admission{{}, {}}, Facts: facts}, nil, fault.ErrValidation,
		},
		"a line is removed":                         {shirts, "", cart.RemoveLine{Line: "a", Facts: facts}, []string{"b:mug×1"}, nil},
		"an unknown line cannot be removed":         {shirts, "", cart.RemoveLine{Line: "z", Facts: facts}, nil, cart.ErrLineNotFound},
		"clear removes every line":                  {shirts, "", cart.Clear{Facts: facts}, nil, nil},
		"clearing an empty cart counts as a change": {nil, "", cart.Clear{Facts: facts}, nil, nil},
		"removing from a locked cart keeps its prices in its market": {
			[]cart.LineInput{item("a", "mug", 1), item("b", "shirt", 1)}, "us", cart.RemoveLine{Line: "a", Facts: shop("us")},
			[]string{"b:shirt×1"}, nil,
		},
	})
}

func TestClearKeepsMarketDropsCodes(t *testing.T) {
	t.Parallel()
	c, err := cart.Decide(cart.Cart{}, 0, cart.Create{
		ID: "c", Market: "us", Codes: []string{" ten "}, Lines: []cart.LineInput{item("a", "mug", 1)}, Facts: shop("us"),
	}, now)
	if err != nil || len(c.Codes) != 1 || c.Codes[0].Code != "TEN" || c.Codes[0].Reason != "discount_not_found" {
		t.Fatalf("%+v %v", c.Codes, err)
	}
	next, err := cart.Decide(c, 1, cart.Clear{Facts: shop("us")}, now)
	if err != nil || next.Market != "us" || next.Codes != nil || next.Lines != nil || !next.Totals.Total.IsZero() ||
		next.Currency != "USD" {
		t.Errorf("%+v %v", next, err)
	}
}

func TestMarketLockRepricesEveryLine(t *testing.T) {
	t.Parallel()
	c := begin(t, "", item("a", "shirt", 2), item("b", "mug", 1))
	facts := shop("us")
	delete(facts.Offers, "mug")
	next, err := cart.Decide(c, 1, cart.AddLine{Line: item("d", "shirt", 1), Market: "us", Facts: facts}, now)
	if err != nil {
		t.Fatal(err)
	}
	shirt, mug := next.Lines[0], next.Lines[1]
	if next.Market != "us" || next.Currency != "USD" || shirt.UnitPrice != money.Of(2000, "USD") || shirt.Total != money.Of(6000, "USD") ||
		!shirt.PriceChanged {
		t.Errorf("%+v", next)
	}
	if mug.Available || mug.UnitPrice != money.Of(0, "USD") || next.Totals.Total != money.Of(6000, "USD") {
		t.Errorf("not sold in the market: %+v", mug)
	}
}

func TestEveryChangeBringsLinesUpToDate(t *testing.T) {
	t.Parallel()
	c := begin(t, "", item("a", "shirt", 5), item("b", "mug", 1))
	facts := shop("")
	shirt := facts.Offers["shirt"]
	shirt.UnitPrice, shirt.CompareAt, shirt.Title, shirt.Stock.OnHand = krw(800), krw(1000), "Shirt, red", 4
	facts.Offers["shirt"] = shirt
	delete(facts.Offers, "mug")
	next, err := cart.Decide(c, 1, cart.UpdateLine{Line: "b", Facts: facts}, now)
	if err != nil {
		t.Fatal(err)
	}
	a, b := next.Lines[0], next.Lines[1]
	if a.UnitPrice != krw(800) || a.CompareAt != krw(1000) || a.Title != "Shirt, red" || !a.PriceChanged || a.Available {
		t.Errorf("cheaper and out of stock: %+v", a)
	}
	if b.UnitPrice != krw(500) || b.PriceChanged || b.Available {
		t.Errorf("deleted variant: %+v", b)
	}
	again, err := cart.Decide(next, 2, cart.UpdateLine{Line: "b", Facts: facts}, now)
	if err != nil || again.Lines[0].PriceChanged {
		t.Errorf("the price flag must compare with the latest change only: %+v %v", again.Lines[0], err)
	}
	shirt.Sellable = false
	facts.Offers["shirt"] = shirt
	hidden, err := cart.Decide(next, 2, cart.RemoveLine{Line: "b", Facts: facts}, now)
	if err != nil || hidden.Lines[0].Available || hidden.Lines[0].UnitPrice != krw(800) {
		t.Errorf("taken off sale: %+v %v", hidden.Lines[0], err)
	}
}

func TestLineTurnedEventIsUnavailableWithoutAdmissions(t *testing.T) {
	t.Parallel()
	c := begin(t, "", item("a", "mug", 1))
	facts := shop("")
	mug := facts.Offers["mug"]
	mug.Kind, mug.RequiresShipping = catalog.Event, false
	facts.Offers["mug"] = mug
	next, err := cart.Decide(c, 1, cart.UpdateLine{Line: "a", Facts: facts}, now)
	if err != nil || next.Lines[0].Available || next.RequiresShipping() {
		t.Errorf("%+v %v", next.Lines[0], err)
	}
	next, err = cart.Decide(next, 2, cart.UpdateLine{Line: "a", Admissions: new(admissions(1)), Facts: facts}, now)
	if err != nil || !next.Lines[0].Available {
		t.Errorf("%+v %v", next.Lines[0], err)
	}
}

func TestACartThatEndedCannotBeChanged(t *testing.T) {
	t.Parallel()
	add := cart.AddLine{Line: item("b", "mug", 1), Facts: shop("")}
	c := begin(t, "")
	for name, tc := range map[string]struct {
		status cart.Status
		at     time.Time
		err    error
	}{
		"a completed cart":                     {cart.Completed, now, cart.ErrNotActive},
		"a merged cart":                        {cart.Merged, now, cart.ErrNotActive},
		"a cart 30 days after its last change": {cart.Active, now.Add(cart.Lifetime), cart.ErrNotActive},
		"a cart just before that":              {cart.Active, now.Add(cart.Lifetime - time.Millisecond), nil},
	} {
		given := c
		given.Status = tc.status
		if _, err := cart.Decide(given, 1, add, tc.at); !errors.Is(err, tc.err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if c.StatusAt(now.Add(cart.Lifetime)) != cart.Abandoned || c.StatusAt(now) != cart.Active {
		t.Error("an expired cart must read as abandoned")
	}
}

func TestRevisionConflictNamesCurrentRevision(t *testing.T) {
	t.Parallel()
	c := begin(t, "")
	for _, expected := range []int64{2, 99} {
		next, err := cart.Decide(c, expected, cart.Clear{Facts: shop("")}, now)
		if f := fault.From(err); !errors.Is(err, cart.ErrRevisionConflict) || f.Data["currentRevision"] != int64(1) ||
			!reflect.DeepEqual(next, c) {
			t.Error(expected, err)
		}
	}
	if _, err := cart.Decide(c, 0, cart.Clear{Facts: shop("")}, now); err != nil {
		t.Error("0 must match any revision:", err)
	}
}

func TestACartStartsAtRevisionOne(t *testing.T) {
	t.Parallel()
	c := begin(t, "us", item("a", "mug", 1), item("b", "mug", 2))
	if c.Revision != 1 || c.Status != cart.Active || len(c.Lines) != 1 || c.Lines[0].Quantity != 3 ||
		c.Totals.Total != money.Of(3000, "USD") || c.Lines[0].PriceChanged {
		t.Errorf("%+v", c)
	}
	for name, cmd := range map[string]cart.Create{
		"an invalid line":      {Lines: []cart.LineInput{{Variant: "mug"}}},
		"too many codes":       {Codes: make([]string, cart.MaxCodes+1)},
		"an empty code":        {Codes: []string{" "}},
		"a nameless attribute": {Attributes: map[string]string{"": "x"}},
	} {
		if _, err := cart.Decide(cart.Cart{}, 0, cmd, now); !errors.Is(err, fault.ErrValidation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := cart.Decide(cart.Cart{}, 0, cart.Create{Lines: make([]cart.LineInput, cart.MaxLines+1)}, now); !errors.Is(err, cart.ErrLineLimit) {
		t.Errorf("too many lines: %v", err)
	}
}

func TestOnlyCreateStartsFromNothing(t *testing.T) {
	t.Parallel()
	if _, err := cart.Decide(begin(t, ""), 0, cart.Create{ID: "c", Facts: shop("")}, now); err == nil {
		t.Error("Create replaced an existing cart")
	}
	if _, err := cart.Decide(cart.Cart{}, 0, cart.Clear{Facts: shop("")}, now); err == nil {
		t.Error("Clear accepted the zero cart")
	}
	if _, err := cart.Decide(begin(t, "us"), 0, cart.Clear{Facts: shop("")}, now); err == nil {
		t.Error("facts of another market were accepted")
	}
}

func TestCodesReduceTotals(t *testing.T) {
	t.Parallel()
	facts := shop("")
	ten, _ := money.ParseDecimal("10")
	facts.Codes = []discount.RequestedCode{
		{Code: "TEN", Discount: &discount.Discount{ID: "d", Code: "TEN", Type: discount.Percentage, Value: ten, Active: true}},
	}
	c, err := cart.Decide(cart.Cart{}, 0, cart.Create{
		ID: "c", Lines: []cart.LineInput{item("a", "shirt", 1)}, Codes: []string{"ten", "nope", "TEN"}, Facts: facts,
	}, now)
	if err != nil || len(c.Codes) != 2 || !c.Codes[0].Applied || c.Codes[0].Amount != krw(100) || c.Codes[1].Applied ||
		c.Codes[1].Reason != "discount_not_found" {
		t.Fatalf("%+v %v", c.Codes, err)
	}
	if c.Totals.Discount != krw(100) || c.Totals.Total != krw(900) || c.Lines[0].Total != krw(900) {
		t.Errorf("%+v", c.Totals)
	}
}

func TestCompleteIsIdempotent(t *testing.T) {
	t.Parallel()
	c := begin(t, "").Complete(now.Add(time.Hour))
	if c.Status != cart.Completed || c.Revision != 2 || c.Sequence != 2 || !c.UpdatedAt.Equal(now.Add(time.Hour)) {
		t.Errorf("%+v", c)
	}
	if again := c.Complete(now.Add(2 * time.Hour)); !reflect.DeepEqual(again, c) {
		t.Errorf("%+v", again)
	}
}
