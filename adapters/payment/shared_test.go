package payment_test

import (
	"reflect"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
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

// Facts portone-32: each method has it by itself. Without one the action is that of before.
func TestStandardActionNamesTheCashReceipt(t *testing.T) {
	t.Parallel()
	plain := payment.StandardAction(ports.Connection{}, "channel", ports.PaymentRequest{})
	if plain["transfer"] != nil || plain["virtualAccount"] != nil {
		t.Error(plain)
	}
	for kind, want := range map[domain.CashReceiptType]string{domain.CashReceiptPersonal: "PERSONAL", domain.CashReceiptCorporate: "CORPORATE"} {
		act := payment.StandardAction(ports.Connection{}, "channel", ports.PaymentRequest{
			CashReceipt: domain.CashReceiptRequest{Type: kind, Number: "1208800767"},
		})
		told := map[string]any{"cashReceiptType": want, "customerIdentifier": "1208800767"}
		if !reflect.DeepEqual(act["transfer"], told) || !reflect.DeepEqual(act["virtualAccount"], told) || act["payMethod"] != "CARD" {
			t.Error(act)
		}
	}
}

func TestStandardActionNamesTheBuyer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		buyer ports.Buyer
		want  map[string]any
	}{
		"all": {
			ports.Buyer{Name: "Kim", Email: "kim@shop.example", Phone: "010-1234-5678"},
			map[string]any{"fullName": "Kim", "email": "kim@shop.example", "phoneNumber": "010-1234-5678"},
		},
		"no phone": {ports.Buyer{Email: "kim@shop.example"}, map[string]any{"fullName": "", "email": "kim@shop.example", "phoneNumber": ""}},
	} {
		act := payment.StandardAction(ports.Connection{}, "channel", ports.PaymentRequest{Buyer: c.buyer})
		if got := act["customer"]; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}
