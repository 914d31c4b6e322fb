package toss_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestVirtualAccountDeposit(t *testing.T) {
	s := open(t)
	p := s.buyer("Payment12345")
	p.Secret = "ps_secret_of_the_account"
	said, err := s.confirm("key-1", p)
	if err != nil || said.Status != "WAITING_FOR_DEPOSIT" || strings.Contains(fmt.Sprint(said), p.Secret) {
		t.Errorf("got %v, %v", said, err)
	}
	ref := ports.PaymentRef{PaymentID: p.OrderID}
	want := domain.Instructions{
		Bank: "우리은행", BankCode: "20", Account: "X6505636518308", Holder: "김지우", Amount: money.Of(15000, "KRW"),
		Due: time.Date(2026, 2, 7, 14, 59, 59, 0, time.UTC),
	}
	got, err := s.provider.Lookup(t.Context(), s.conn, ref)
	if err != nil || got.State != ports.ProviderProcessing || got.Instructions == nil {
		t.Fatalf("the buyer is told nothing: %+v, %v", got, err)
	}
	if got.Instructions.Due = got.Instructions.Due.UTC(); *got.Instructions != want {
		t.Errorf("the buyer is told %+v, want %+v", *got.Instructions, want)
	}
	s.fake.SetStatus(p, "DONE")
	receipt := domain.CashReceipt{Type: domain.CashReceiptPersonal, Number: "123456789", URL: "https://receipts.example/cash/" + p.PaymentKey}
	got, err = s.provider.Lookup(t.Context(), s.conn, ref)
	if err != nil || got.State != ports.ProviderPaid || got.Instructions != nil || !got.Escrow || got.CashReceipt == nil || *got.CashReceipt != receipt {
		t.Errorf("after the deposit: %+v, %+v, %v", got, got.CashReceipt, err)
	}
	for _, body := range []string{
		`{"createdAt":"2026-01-31T09:00:00.000000","secret":"ps_secret_of_the_account","status":"DONE","transactionKey":"tx","orderId":"Payment12345"}`,
		`{"eventType":"PAYMENT_STATUS_CHANGED","createdAt":"2026-01-31T09:00:00.000000","data":{"orderId":"Payment12345","paymentKey":"forged","status":"DONE"}}`,
	} {
		hint, err := s.provider.Hint(s.conn, nil, ports.ProviderWebhook{Body: []byte(body), ReceivedAt: time.Unix(0, 0)})
		if err != nil || len(hint.Payments) != 1 || hint.Payments[0] != (ports.PaymentRef{PaymentID: "Payment12345"}) {
			t.Errorf("%s: %+v, %v", body, hint, err)
		}
	}
}
