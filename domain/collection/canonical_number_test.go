package collection_test

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

func canonical(v collection.JSONValue) string { return string(collection.AppendCanonicalJSON(nil, v)) }

func TestEqualNumbersHaveOneNotation(t *testing.T) {
	t.Parallel()
	for want, spellings := range map[string][]collection.JSONNumber{
		"1":            {"1", "1.0", "1.000", "10e-1", "1E0", "0.1e+1", "0.001e3"},
		"-1.5":         {"-1.5", "-1.50", "-15e-1", "-0.15E1"},
		"0":            {"0", "-0", "0.0", "-0.00e5", "0e999999999"},
		"20.05":        {"20.05", "20.0500", "2005e-2", "2.005e1"},
		"0.001":        {"0.001", "1e-3", "0.1E-2"},
		"120000":       {"120000", "12e4", "120000.0", "1.2E5"},
		"1e100":        {"1e100", "10e99", "0.1e101"},
		"25e-60":       {"25e-60", "2.5e-59"},
		"9e9999999999": {"9e9999999999"},
	} {
		for _, n := range spellings {
			if got := canonical(n); got != want {
				t.Errorf("%s: %s, want %s", n, got, want)
			}
		}
	}
	if got := canonical(tree{"b": []any{num("1.0"), int64(1), 1}, "a": num("2e0")}); got != `{"a":2,"b":[1,1,1]}` {
		t.Error(got)
	}
	if got := string(collection.AppendJSONValue(nil, num("1.50"))); got != "1.50" {
		t.Errorf("a value that is shown or stored lost its notation: %s", got)
	}
}

// Two numbers have the same canonical notation if, and only if, they are the same value.
func TestCanonicalNotationDecidesEquality(t *testing.T) {
	t.Parallel()
	number := rapid.Custom(func(t *rapid.T) collection.JSONNumber {
		text := fmt.Sprint(rapid.Int64Range(-1200, 1200).Draw(t, "whole"))
		if rapid.Bool().Draw(t, "has a fraction") {
			text += "." + rapid.StringMatching(`[01]{0,2}0{0,44}[05]`).Draw(t, "fraction")
		}
		if rapid.Bool().Draw(t, "has an exponent") {
			text += rapid.SampledFrom([]string{"e", "E", "e+", "e-"}).Draw(t, "e") + fmt.Sprint(rapid.IntRange(0, 60).Draw(t, "exponent"))
		}
		return collection.JSONNumber(text)
	})
	value := func(t *rapid.T, n string) *big.Rat {
		r, ok := new(big.Rat).SetString(n)
		if !ok {
			t.Fatalf("%q is no number", n)
		}
		return r
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := number.Draw(t, "a"), number.Draw(t, "b")
		same := value(t, string(a)).Cmp(value(t, string(b))) == 0
		if canonicalEqual := canonical(a) == canonical(b); canonicalEqual != same {
			t.Errorf("%s is %s, %s is %s; equal values: %v", a, canonical(a), b, canonical(b), same)
		}
		if value(t, canonical(a)).Cmp(value(t, string(a))) != 0 || canonical(collection.JSONNumber(canonical(a))) != canonical(a) {
			t.Errorf("%s became %s", a, canonical(a))
		}
	})
}
