package payment_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment"
)

func TestIsSafePageURL(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://pay.example/c/1":       true,
		"http://pay.example/c/1":        false,
		"https://":                      false,
		"https://user@pay.example/c/1":  false,
		"javascript:alert(1)":           false,
		"//pay.example":                 false,
		"https://pay.example/%zz":       false,
		"":                              false,
		"https://pay.example:8443/?a=b": true,
	} {
		if got := payment.IsSafePageURL(address); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
}

func TestBasicAuthHeader(t *testing.T) {
	t.Parallel()
	h := payment.BasicAuthHeader("sk")
	if h.Get("Authorization") != "Basic c2s6" || h.Get("Accept") != "application/json" || len(h) != 2 {
		t.Errorf("%v", h)
	}
}
