package shop_test

import (
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shop"
)

func TestKoreanRegistrationNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"220-81-62517": "220-81-62517", // of well-known companies
		"1248100998":   "124-81-00998",
		"220-81-62518": "", "2208162517a": "", "220816251": "", "22081625170": "", "": "", "000-00-00000": "", "２２０8162517": "",
	} {
		if got, ok := shop.ParseKoreanRegistration(text); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %t; want %q", text, got, ok, want)
		}
	}
}

// Each single wrong digit is found.
func TestOneWrongDigitOfARegistrationNumberIsFound(t *testing.T) {
	t.Parallel()
	const right = "2208162517"
	for i := range right {
		for d := byte('0'); d <= '9'; d++ {
			text := []byte(right)
			text[i] = d
			if _, ok := shop.ParseKoreanRegistration(string(text)); ok != (right[i] == d) {
				t.Errorf("%s: %t", text, ok)
			}
		}
	}
}

func TestRegistrationNumberIsCheckedInKoreaOnly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		country  string
		currency money.Currency
		number   string
		want     string
		refused  bool
	}{
		"a Korean one gets hyphens":         {"KR", "USD", "2208162517", "220-81-62517", false},
		"without a country by the currency": {"", "KRW", "2208162517", "220-81-62517", false},
		"a wrong one is refused":            {"KR", "KRW", "220-81-62518", "", true},
		"elsewhere it is free":              {"DE", "KRW", "HRB 12345 B", "HRB 12345 B", false},
		"elsewhere by currency":             {"", "EUR", "HRB 12345 B", "HRB 12345 B", false},
		"it may be missing":                 {"KR", "KRW", "", "", false},
	} {
		before := collection.Record{"registrationNumber": collection.TextOrNull(c.number), "address": collection.Record{"country": c.country}}
		got, err := shop.Complete(nil, before, "", c.currency)
		if c.refused != errors.Is(err, fault.ErrValidation) || !c.refused && got.Text("registrationNumber") != c.want {
			t.Errorf("%s: %q, %v", name, got.Text("registrationNumber"), err)
		}
		if before.Text("registrationNumber") != c.number {
			t.Errorf("%s: the record was changed", name)
		}
	}
}

func TestRegistrationNumberIsCheckedWhenItChanges(t *testing.T) {
	t.Parallel()
	german := collection.Record{"registrationNumber": "HRB 1", "address": collection.Record{"country": "DE"}}
	korean := collection.Record{"registrationNumber": "HRB 1", "address": collection.Record{"country": "KR"}}
	if _, err := shop.Complete(german, korean, "", "KRW"); !errors.Is(err, fault.ErrValidation) {
		t.Errorf("a business that moves to Korea: %v", err)
	}
	if _, err := shop.Complete(korean, korean, "", "KRW"); err != nil {
		t.Errorf("another change of a profile that was stored before the rule: %v", err)
	}
}
