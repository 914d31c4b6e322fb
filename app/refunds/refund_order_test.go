package refunds_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

func (b *bed) refundOrder(i *paymentbed.Instance, key, orderID string, in refunds.OrderRefundRequest) (idempotency.Response, error) {
	return i.Refunds.Orders.RefundOrder(b.T.Context(), b.Server(key, "orders.refund", fmt.Sprint(orderID, in)), orderID, in)
}

func giveBack(amount int64) refunds.OrderRefundRequest {
	return refunds.OrderRefundRequest{Amount: paymentbed.KRW(amount), Reason: "It came late"}
}

func TestAmountsAreRefundedUpToWhatWasPaid(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug") // 15000 with shipping
		in := giveBack(4000)
		in.Preview = true
		told := b.Must(b.refundOrder(b.Instance, "", id, in))
		if told.At("refund.refundableAmount") != b.Read([]byte(`{"a":11000}`)).At("a") || told.At("transaction") != nil || len(b.RefundsOf(id)) != 0 {
			t.Errorf("%v", told)
		}
		key := paymentbed.Key()
		first, err := b.refundOrder(b.Instance, key, id, giveBack(4000))
		done := b.Must(first, err)
		if done.Text("transaction.note") != "It came late" || done.Text("order.paymentStatus") != "partially_refunded" ||
			done.At("refund.refundableAmount") != told.At("refund.refundableAmount") {
			t.Errorf("%v", done)
		}
		again, err := b.refundOrder(b.NewInstance(), key, id, giveBack(4000))
		if err != nil || again.Body.String() != first.Body.String() {
			t.Errorf("%s %v", again.Body, err)
		}
		for _, in := range []refunds.OrderRefundRequest{giveBack(11001), {Amount: paymentbed.KRW(11001), Reason: "r", Preview: true}} {
			a, err := b.refundOrder(b.Instance, paymentbed.Key(), id, in)
			paymentbed.Refused(t, "more than is left", a, err, payment.ErrExceedsPaid)
		}
		for _, in := range []refunds.OrderRefundRequest{
			giveBack(0), giveBack(-1), {Amount: money.Of(100, "USD"), Reason: "r"}, {Amount: paymentbed.KRW(1)},
		} {
			a, err := b.refundOrder(b.Instance, paymentbed.Key(), id, in)
			paymentbed.Refused(t, fmt.Sprint(in), a, err, fault.ErrValidation)
		}
		b.WantMoney(id, 4000, "partially_refunded")
		if l := b.Level("mug"); l.OnHand != 99 {
			t.Errorf("a refund of money moved goods: %+v", l)
		}
	})
}

func TestConcurrentRefundsOfAnOrderNeverExceedWhatWasPaid(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug") // 15000 with shipping
		instances := []*paymentbed.Instance{b.Instance, b.NewInstance()}
		var done atomic.Int64
		shops.Concurrently(64, func(i int) {
			key := paymentbed.Key()
			for range 200 {
				a, err := b.refundOrder(instances[i%2], key, id, giveBack(4000))
				refusal := err
				if err == nil && a.Fault != nil {
					refusal = a.Fault
				}
				switch {
				case refusal == nil:
					done.Add(1)
					return
				case errors.Is(refusal, payment.ErrExceedsPaid):
					return
				case errors.Is(refusal, payment.ErrRefundInProgress), errors.Is(refusal, idempotency.ErrInProgress):
					continue
				}
				t.Error(refusal)
				return
			}
			t.Error("it never got its turn")
		})
		if done.Load() != 3 {
			t.Errorf("%d refunds", done.Load())
		}
		b.WantMoney(id, 12000, "partially_refunded")
	})
}

// Whatever operators take back of an order, in whatever order and by 8 of them at once: what was paid is what is left plus what
// was given back, at the provider, in the ledger and in the order, and every unit is sold, or back on the shelf.
func TestCorrectionsOfOrdersAlwaysAddUp(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		for round := range 4 {
			id := b.PaidOrder("6 mug", "2 lamp", "course")
			mugs, lamps := b.Level("mug").OnHand, b.Level("lamp").OnHand
			lines := b.OrderOf(id).Lines
			shops.Concurrently(8, func(worker int) {
				dice := rand.New(rand.NewPCG(uint64(round), uint64(worker)))
				for range 6 {
					switch dice.IntN(5) {
					case 0, 1:
						_, _ = b.refundOrder(b.Instance, paymentbed.Key(), id, giveBack(1+dice.Int64N(20000)))
					case 2, 3:
						in := refunds.LineCancelRequest{Reason: "Sold out", Items: []order.Item{
							{OrderLine: lines[dice.IntN(len(lines))].ID, Quantity: 1 + dice.Int64N(2)},
						}}
						_, _ = b.cancelLines(b.Instance, paymentbed.Key(), id, in)
					case 4:
						if dice.IntN(12) == 0 {
							_, _ = b.CancelOrder(b.Instance, paymentbed.Key(), id)
						}
					}
				}
			})
			b.wantAddedUp(id, mugs, lamps)
		}
	})
}

func (b *bed) wantAddedUp(id string, mugs, lamps int64) {
	b.T.Helper()
	o := b.OrderOf(id)
	paid, back := b.BankTotals(id)
	if _, open := o.LineCancelInProgress(); open || o.Refunded.Minor != back || back > paid || b.Balance(id) != paid-back {
		b.T.Errorf("%d of %d went back, the order says %v, the ledger has %d; %+v", back, paid, o.Refunded, b.Balance(id), o.LineCancels)
	}
	if _, differences := b.Reconciliation(); len(differences) > 0 {
		b.T.Error(differences)
	}
	kept := []int64{o.Lines[0].Kept(), o.Lines[1].Kept()}
	if o.Status == order.Canceled {
		kept = []int64{0, 0}
		if back != paid {
			b.T.Errorf("canceled, and %d of %d were refunded", back, paid)
		}
	}
	if m, l := b.Level("mug").OnHand-mugs, b.Level("lamp").OnHand-lamps; m != 6-kept[0] || l != 2-kept[1] {
		b.T.Errorf("%d mugs and %d lamps are back, %v were kept", m, l, kept)
	}
}
