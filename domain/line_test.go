package domain_test

import (
	"fmt"
	"maps"
	"reflect"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/pricing"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

// lineInput are the fields of a line that a shopper sends, filled, by their names in sale.Line.
func lineInput(in cart.LineInput) map[string]any {
	fields := map[string]any{}
	for f, v := range reflect.ValueOf(in).Fields() {
		fields[f.Name] = v.Interface()
	}
	fields["ID"] = fields["LineID"]
	delete(fields, "LineID")
	return fields
}

// A field of a line comes from the offer, from the totals or from the shopper: one that nobody sets would be
// empty in every cart, checkout and order.
func TestEveryFieldOfALineComesFromSomewhere(t *testing.T) {
	t.Parallel()
	var offer pricing.Offer
	var totals pricing.LineTotals
	var fill filler
	fill.fill(reflect.ValueOf(&totals).Elem())
	for f, v := range reflect.ValueOf(&offer).Elem().Fields() {
		if f.Name != "Policy" && f.Name != "PriceFacts" { // what a price is worked out from
			fill.fill(v)
		}
	}
	var l sale.Line
	l.SetOffer(offer)
	l.SetPrice(offer)
	l.SetTotals(totals)
	sent := lineInput(cart.LineInput{})
	for f, v := range reflect.ValueOf(l).Fields() {
		if _, shopper := sent[f.Name]; v.IsZero() != shopper {
			t.Errorf("Line.%s: set by SetOffer, SetPrice or SetTotals: %t; a field of cart.LineInput: %t", f.Name, !v.IsZero(), shopper)
		}
	}
}

// What a shopper sends for a line is in the line: of a new cart, added to a cart, changed, and in a cart that
// it was merged into.
func TestALineHasWhatTheShopperSent(t *testing.T) {
	t.Parallel()
	var in cart.LineInput
	(&filler{}).fill(reflect.ValueOf(&in).Elem())
	in.Quantity = int64(len(in.Admissions))
	for i := range in.Admissions {
		in.Admissions[i].Email = fmt.Sprintf("guest%d@example.com", i)
		in.Admissions[i].PhoneE164 = "" // the server works it out of the phone, which is no number here
	}
	facts := cart.Facts{Currency: "KRW", Offers: map[string]pricing.Offer{in.Variant: {
		Variant: in.Variant, Kind: catalog.Event, UnitPrice: money.Of(1000, "KRW"), Sellable: true,
	}}}
	now := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	decide := func(c cart.Cart, do cart.Command) cart.Cart {
		next, err := cart.Decide(c, 0, do, now)
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	check := func(how string, c cart.Cart, want map[string]any) {
		if len(c.Lines) != 1 {
			t.Fatalf("%s: %+v", how, c.Lines)
		}
		line := reflect.ValueOf(c.Lines[0].Line)
		for name, sent := range want {
			if got := line.FieldByName(name); !got.IsValid() || !reflect.DeepEqual(got.Interface(), sent) {
				t.Errorf("%s: %s is %v, sent was %v", how, name, got, sent)
			}
		}
	}
	empty := decide(cart.Cart{}, cart.Create{ID: "c", Facts: facts})
	added := decide(empty, cart.AddLine{Line: in, Facts: facts})
	check("added", added, lineInput(in))
	check("created", decide(cart.Cart{}, cart.Create{ID: "d", Lines: []cart.LineInput{in}, Facts: facts}), lineInput(in))
	merged, err := cart.Merge(added, empty, "", facts, now)
	if err != nil {
		t.Fatal(err)
	}
	check("merged", merged.Target, lineInput(in))
	bare := cart.LineInput{LineID: in.LineID, Variant: in.Variant, Quantity: in.Quantity, Admissions: make([]sale.Admission, in.Quantity)}
	for i := range bare.Admissions {
		bare.Admissions[i].Name = "Kim"
	}
	check("changed", decide(decide(empty, cart.AddLine{Line: bare, Facts: facts}), lineUpdate(t, in, facts)), lineInput(in))
}

// lineUpdate gives a line all of in that can be changed: all but what it is a line of.
func lineUpdate(t *testing.T, in cart.LineInput, facts cart.Facts) cart.UpdateLine {
	t.Helper()
	update := cart.UpdateLine{Line: in.LineID, Facts: facts}
	values := lineInput(in)
	maps.DeleteFunc(values, func(name string, _ any) bool { return name == "ID" || name == "Variant" })
	for name, v := range values {
		field := reflect.ValueOf(&update).Elem().FieldByName(name)
		if !field.IsValid() {
			t.Errorf("cart.UpdateLine has no %s", name)
			continue
		}
		field.Set(reflect.New(field.Type().Elem()))
		field.Elem().Set(reflect.ValueOf(v))
	}
	return update
}
