package portone_test

import (
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestVirtualAccountTellsWhereToPay(t *testing.T) {
	t.Parallel()
	d := open(t)
	ref := d.hosted(t, "Payment1")
	if !d.fake.Buy("Payment1", ref.ProviderSessionID, nil, "VIRTUAL_ACCOUNT_ISSUED") {
		t.Fatal("the buyer got no account")
	}
	want := domain.Instructions{
		Bank: "신한은행", BankCode: "SHINHAN", Account: "56211102345678", Holder: "Shop Inc.", Amount: money.Of(15000, "KRW"),
		Due: time.Date(2026, 2, 7, 14, 59, 59, 0, time.UTC),
	}
	if got := d.want(t, ref, ports.ProviderProcessing); got.Instructions == nil || *got.Instructions != want {
		t.Errorf("got %+v, want %+v", got.Instructions, want)
	}
	if !d.fake.Buy("Payment1", ref.ProviderSessionID, nil, "PAID") {
		t.Fatal("the deposit does not arrive")
	}
	if got := d.want(t, ref, ports.ProviderPaid); got.Instructions != nil {
		t.Errorf("after the deposit: %+v", got.Instructions)
	}
}
