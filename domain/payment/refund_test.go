package payment_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var everyRefund = []RefundState{RefundRequested, RefundRefused, RefundPending, RefundSucceeded, RefundFailed}

func TestRefundJoinIsOrderIndependent(t *testing.T) {
	t.Parallel()
	for i, a := range everyRefund {
		for j, b := range everyRefund {
			if a.Join(b) != b.Join(a) || a.Join(b) != everyRefund[max(i, j)] || a.Join(b).Join(a) != a.Join(b) {
				t.Errorf("%s and %s give %s, %s", a, b, a.Join(b), b.Join(a))
			}
		}
	}
}

func krw(n int64) money.Money { return money.Of(n, "KRW") }

func refundablePayment(refunds ...Refund) RefundablePayment {
	return RefundablePayment{ID: "t1", Paid: krw(1000), Refunds: refunds}
}

func TestRefundableAmount(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		purse     RefundablePayment
		left, ask int64
		want      int64 // 0: refused
		err       error
	}{
		"everything":                 {refundablePayment(), 1000, 0, 1000, nil},
		"a part":                     {refundablePayment(), 1000, 300, 300, nil},
		"the last of it":             {refundablePayment(Refund{State: RefundSucceeded, Amount: krw(300)}), 700, 700, 700, nil},
		"one too much":               {refundablePayment(Refund{State: RefundSucceeded, Amount: krw(300)}), 700, 701, 0, ErrExceedsPaid},
		"less than nothing":          {refundablePayment(), 1000, -1, 0, ErrExceedsPaid},
		"while the bank still works": {refundablePayment(Refund{State: RefundPending, Amount: krw(300)}), 700, 0, 700, nil},
		"while one is unanswered": {
			refundablePayment(Refund{State: RefundRequested, Amount: krw(300)}), 700, 100, 0, ErrRefundInProgress,
		},
		"nothing is left":               {refundablePayment(Refund{State: RefundPending, Amount: krw(1000)}), 0, 0, 0, ErrExceedsPaid},
		"a refused one takes nothing":   {refundablePayment(Refund{State: RefundRefused, Amount: krw(1000)}), 1000, 0, 1000, nil},
		"one that failed gives it back": {refundablePayment(Refund{State: RefundFailed, Amount: krw(1000)}), 1000, 0, 1000, nil},
	} {
		if got := c.purse.RefundableAmount(); got != krw(c.left) {
			t.Errorf("%s: %v are left", name, got)
		}
		got, err := c.purse.BeginRefund(krw(c.ask), RefundParts{})
		if !errors.Is(err, c.err) || err == nil &&
			(got.Amount != krw(c.want) || got.RemainingBefore != krw(c.left) || got.State != RefundRequested || got.RefundOf != "t1") {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
	if _, err := refundablePayment().BeginRefund(money.Of(1, "USD"), RefundParts{}); !errors.Is(err, ErrExceedsPaid) {
		t.Errorf("another currency: %v", err)
	}
}

func TestRefundRecordRoundTrip(t *testing.T) {
	t.Parallel()
	r := Refund{
		ID: "r1", Tenant: "t", Environment: "test", State: RefundPending, RefundOf: "t1", Amount: krw(3), RemainingBefore: krw(5),
		Order: "o", Checkout: "c",
		Session: "s", Provider: "toss", PaymentID: "p", ProviderID: "pr", Key: "k", CancelsOrder: true, ReturnRequest: "rr", Note: "n",
		Taxes:   tax.Taxes{{Rate: "r1", Name: "VAT", Base: krw(2), Amount: krw(1)}},
		TaxFree: krw(1), RemainingTaxFree: krw(2), VAT: krw(1), Actor: tenant.Actor{Kind: tenant.User, ID: "u", Via: tenant.ViaConsole},
	}
	v := reflect.ValueOf(r)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("the test leaves %s empty", v.Type().Field(i).Name)
		}
	}
	if got := RefundFrom(r.Record()); !reflect.DeepEqual(got, r) {
		t.Errorf("got %+v\nwant %+v", got, r)
	}
	for name := range r.Record() {
		if _, ok := Transactions.Field(name); !ok {
			t.Errorf("%s is not declared", name)
		}
	}
	for state, want := range map[RefundState]string{
		RefundRequested: "pending", RefundPending: "pending", RefundSucceeded: "refunded", RefundRefused: "failed", RefundFailed: "failed",
	} {
		r.State = state
		if got := r.Record().Text("status"); got != want {
			t.Errorf("%s reads %s", state, got)
		}
	}
}

func TestRefundablePaymentsGroupTransactions(t *testing.T) {
	t.Parallel()
	paid := func(id, status string) collection.Record {
		r := Transaction{
			ID: id, Amount: krw(1000), Session: Session{ID: "s-" + id, Provider: "toss", ProviderPaymentID: "p-" + id},
		}.Record()
		r["status"] = status
		return r
	}
	got := RefundablePayments([]collection.Record{
		paid("t1", "paid"), Refund{ID: "r1", RefundOf: "t1", State: RefundSucceeded, Amount: krw(1), RemainingBefore: krw(1000)}.Record(),
		paid("t2", "paid"), paid("t3", "failed"),
	})
	if len(got) != 2 || got[0].RefundableAmount() != krw(999) || got[1].RefundableAmount() != krw(1000) || got[1].Session != "s-t2" ||
		got[1].PaymentID != "p-t2" || got[1].Provider != "toss" {
		t.Errorf("%+v", got)
	}
}
