package cart_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// coupons is the shop with codes: TEN and FIVE take off percentages and combine, ALONE does not combine, OLD
// has expired.
func coupons() cart.Facts {
	f := shop("")
	code := func(code string, percent int64, combinable bool) discount.RequestedCode {
		return discount.RequestedCode{Code: code, Discount: &discount.Discount{
			ID: code, Code: code, Type: discount.Percentage, Value: money.DecimalOf(percent), Combinable: combinable, Active: true,
		}}
	}
	old := code("OLD", 50, true)
	old.Discount.EndsAt = now.Add(-1)
	f.Codes = []discount.RequestedCode{code("TEN", 10, true), code("FIVE", 5, true), code("ALONE", 20, false), old}
	return f
}

// codes shows codes as "CODE -amount", or "CODE reason".
func codes(c cart.Cart) (out []string) {
	for _, x := range c.Codes {
		if x.Applied {
			out = append(out, fmt.Sprintf("%s -%s", x.Code, x.Amount.Major()))
		} else {
			out = append(out, x.Code+" "+x.Reason)
		}
	}
	return out
}

func many(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprint("code", i))
	}
	return list
}

func TestTheListOfCodes(t *testing.T) {
	t.Parallel()
	facts := coupons()
	for name, r := range map[string]struct {
		given []string
		when  cart.Command
		then  []string
		total int64
		err   error
	}{
		"a list replaces the one before": {
			[]string{"TEN"}, cart.SetCodes{Facts: facts, Codes: []string{" five"}}, []string{"FIVE -500"}, 9500, nil,
		},
		"codes apply in the order of the list": {
			nil, cart.SetCodes{Facts: facts, Codes: []string{"five", "ten"}}, []string{"FIVE -500", "TEN -950"}, 8550, nil,
		},
		"a code twice counts once": {nil, cart.SetCodes{Facts: facts, Codes: []string{"ten", "TEN "}}, []string{"TEN -1000"}, 9000, nil},
		"an empty list clears it":  {[]string{"TEN", "OLD"}, cart.SetCodes{Facts: facts}, nil, 10000, nil},
		"an unusable code stays with its reason": {
			nil, cart.SetCodes{Facts: facts, Codes: []string{"old", "wish", "ten"}},
			[]string{"OLD discount_expired", "WISH discount_not_found", "TEN -1000"}, 9000, nil,
		},
		"a code that does not combine stays with its reason": {
			nil, cart.SetCodes{Facts: facts, Codes: []string{"ten", "alone"}}, []string{"TEN -1000", "ALONE discount_not_combinable"}, 9000,
			nil,
		},
		"20 codes are fine":        {nil, cart.SetCodes{Facts: facts, Codes: many(20)}, nil, 10000, nil},
		"21 codes are too many":    {nil, cart.SetCodes{Facts: facts, Codes: many(21)}, nil, 0, fault.ErrValidation},
		"an empty code is invalid": {nil, cart.SetCodes{Facts: facts, Codes: []string{" "}}, nil, 0, fault.ErrValidation},
		"a code of 255 bytes is fine": {
			nil, cart.SetCodes{Facts: facts, Codes: []string{strings.Repeat("X", 255)}},
			[]string{strings.Repeat("X", 255) + " discount_not_found"}, 10000, nil,
		},
		"a longer code is invalid": {
			nil, cart.SetCodes{Facts: facts, Codes: []string{strings.Repeat("x", 256)}}, nil, 0, fault.ErrValidation,
		},

		"a code is applied after the others": {
			[]string{"FIVE"}, cart.ApplyCode{Facts: facts, Code: " ten"}, []string{"FIVE -500", "TEN -950"}, 8550, nil,
		},
		"applying a code again keeps its position": {
			[]string{"TEN", "FIVE"}, cart.ApplyCode{Facts: facts, Code: "ten"}, []string{"TEN -1000", "FIVE -450"}, 8550, nil,
		},
		"an expired code is not applied": {[]string{"TEN"}, cart.ApplyCode{Facts: facts, Code: "old"}, nil, 0, discount.ErrExpired},
		"an unknown code is not applied": {nil, cart.ApplyCode{Facts: facts, Code: "wish"}, nil, 0, discount.ErrNotFound},
		"a code that does not combine is not applied": {
			[]string{"TEN"}, cart.ApplyCode{Facts: facts, Code: "alone"}, nil, 0, discount.ErrNotCombinable,
		},
		"another unusable code does not matter": {
			[]string{"OLD"}, cart.ApplyCode{Facts: facts, Code: "ten"}, []string{"OLD discount_expired", "TEN -1000"}, 9000, nil,
		},
		"the 21st code is not applied":      {many(20), cart.ApplyCode{Facts: facts, Code: "ten"}, nil, 0, fault.ErrValidation},
		"the 20th code is applied":          {many(19), cart.ApplyCode{Facts: facts, Code: "ten"}, nil, 9000, nil},
		"applying an empty code is invalid": {nil, cart.ApplyCode{Facts: facts, Code: ""}, nil, 0, fault.ErrValidation},

		"a code is removed, whatever its case": {
			[]string{"TEN", "FIVE"}, cart.RemoveCode{Facts: facts, Code: "ten "}, []string{"FIVE -500"}, 9500, nil,
		},
		"removing a code that is not listed changes nothing": {
			[]string{"TEN"}, cart.RemoveCode{Facts: facts, Code: "five"}, []string{"TEN -1000"}, 9000, nil,
		},
		"removing an empty code is invalid": {[]string{"TEN"}, cart.RemoveCode{Facts: facts, Code: " "}, nil, 0, fault.ErrValidation},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			given, err := cart.Decide(cart.Cart{}, 0, cart.Create{
				ID: "c", Lines: []cart.LineInput{item("a", "shirt", 10)}, Codes: r.given, Facts: coupons(),
			}, now)
			if err != nil {
				t.Fatal(err)
			}
			before := codes(given)
			next, err := cart.Decide(given, 1, r.when, now)
			if !errors.Is(err, r.err) || !slices.Equal(codes(given), before) {
				t.Fatalf("err = %v, want %v; before %v", err, r.err, codes(given))
			}
			if err != nil {
				if !reflect.DeepEqual(next, given) {
					t.Fatal("a refused command changed the cart")
				}
				return
			}
			if got := codes(next); r.then != nil && !slices.Equal(got, r.then) || next.Totals.Total != krw(r.total) || next.Revision != 2 {
				t.Errorf("%v, total %v, revision %d", got, next.Totals.Total, next.Revision)
			}
		})
	}
}

func TestARefusedCodeIsNamed(t *testing.T) {
	t.Parallel()
	_, err := cart.Decide(begin(t, ""), 1, cart.ApplyCode{Code: "old", Facts: coupons()}, now)
	if f := fault.From(err); f.Data["code"] != "OLD" {
		t.Error(f.Data)
	}
}

func TestTheAttributesOfACart(t *testing.T) {
	t.Parallel()
	some := map[string]string{"from": "app"}
	for name, r := range map[string]struct {
		given, when, then map[string]string
		err               error
	}{
		"all attributes are replaced":           {some, map[string]string{"note": "x"}, map[string]string{"note": "x"}, nil},
		"nil clears them":                       {some, nil, nil, nil},
		"an empty map clears them":              {some, map[string]string{}, nil, nil},
		"50 of 2 KiB are fine":                  {nil, numbered(50), numbered(50), nil},
		"51 are too many":                       {some, numbered(51), nil, fault.ErrValidation},
		"a value of more than 2 KiB is invalid": {some, map[string]string{"a": strings.Repeat("x", 2049)}, nil, fault.ErrValidation},
		"a name of 255 bytes is fine": {
			nil, map[string]string{strings.Repeat("n", 255): "x"}, map[string]string{strings.Repeat("n", 255): "x"}, nil,
		},
		"a longer name is invalid": {some, map[string]string{strings.Repeat("n", 256): "x"}, nil, fault.ErrValidation},
		"an empty name is invalid": {some, map[string]string{"": "x"}, nil, fault.ErrValidation},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			given, err := cart.Decide(cart.Cart{}, 0, cart.Create{ID: "c", Attributes: r.given, Facts: shop("")}, now)
			if err != nil {
				t.Fatal(err)
			}
			next, err := cart.Decide(given, 1, cart.SetAttributes{Attributes: r.when, Facts: shop("")}, now)
			switch {
			case !errors.Is(err, r.err):
				t.Fatal(err)
			case err != nil && !reflect.DeepEqual(next, given):
				t.Fatal("a refused command changed the cart")
			case err == nil && (!reflect.DeepEqual(next.Attributes, r.then) || next.Revision != 2):
				t.Errorf("%v", next.Attributes)
			}
		})
	}
}
