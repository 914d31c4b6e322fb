package payments_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestTransactionHasTheCashReceipt(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		p := b.scriptProvider()
		for name, c := range map[string]struct {
			receipt *payment.CashReceipt
			want    string
		}{
			"all": {
				&payment.CashReceipt{Type: payment.CashReceiptPersonal, Number: "123456789", URL: "https://receipts.example/1"},
				`{"type":"personal","issueNumber":"123456789","receiptUrl":"https://receipts.example/1"}`,
			},
			"no more than its number": {
				&payment.CashReceipt{Number: "987654321"}, `{"type":null,"issueNumber":"987654321","receiptUrl":null}`,
			},
			"none": {nil, `{"type":null,"issueNumber":null,"receiptUrl":null}`},
		} {
			p.script(func(got *ports.ProviderPayment) { got.CashReceipt, got.Escrow = c.receipt, c.receipt != nil })
			session := b.Pay(b.Checkout("mug").Text("checkout.id"))
			done := b.Must(b.Payments.Sessions.Confirm(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.confirm", ""),
				paymentbed.Confirmation(session, b.Approve(session, "approve"))))
			for _, r := range b.All(payment.Transactions) {
				if r.Text("order") != done.Text("order.id") {
					continue
				}
				shown := b.Read(collection.AppendJSON(nil, payment.Transactions, r, collection.View{}))
				got, _ := shown.At("cashReceipt").(map[string]any)
				want := b.Read([]byte(c.want))
				for member := range want {
					if got[member] != want[member] {
						t.Errorf("%s: %s is %v, want %v", name, member, got[member], want[member])
					}
				}
				if escrow := shown.At("escrow") == true; escrow != (c.receipt != nil) {
					t.Errorf("%s: by escrow: %v", name, escrow)
				}
			}
		}
	})
}
