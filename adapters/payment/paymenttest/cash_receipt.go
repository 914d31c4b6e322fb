package paymenttest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// cashReceipts: the cash receipt that the buyer asks for is in what the browser or the provider gets, where the adapter says so, and
// nowhere else. A payment without one is asked for as ever.
func cashReceipts(t *testing.T, s *suite) {
	const number = "01098765432"
	told := slices.Contains(s.provider.Describe().CashReceipts, s.Kind)
	r := s.request(amountKRW)
	sent := func() string {
		built, err := s.provider.Build(s.Connection, ports.PrepareRequest{PaymentRequest: r})
		if err != nil {
			t.Fatal(err)
		}
		action, err := s.provider.Action(s.Connection, r, domain.Prepared{CheckoutURL: "https://pay.example/1"})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(string(built), action)
	}
	without := sent()
	r.CashReceipt = domain.CashReceiptRequest{Type: domain.CashReceiptPersonal, Number: number}
	if with := sent(); strings.Contains(with, number) != told || !told && with != without {
		t.Errorf("told: %v, but it is %s, without a cash receipt %s", told, with, without)
	}
}
