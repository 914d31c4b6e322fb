package refunds_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

// keyUnless is a new idempotency key for a change, and none for a preview.
func keyUnless(preview bool) string {
	if preview {
		return ""
	}
	return paymentbed.Key()
}

func (b *bed) cancelling(id string) func(bool) (idempotency.Response, error) {
	return func(preview bool) (idempotency.Response, error) {
		in := refunds.CancelRequest{Reason: "Ordered twice", Preview: preview}
		return b.Refunds.Canceler.CancelOrder(b.T.Context(), b.Server(keyUnless(preview), "orders.cancel", id), id, in)
	}
}

func (b *bed) capturing(id string, amount int64) func(bool) (idempotency.Response, error) {
	return func(preview bool) (idempotency.Response, error) {
		in := refunds.CaptureRequest{Preview: preview}
		if amount > 0 {
			in.Amount = money.Of(amount, "KRW")
		}
		return b.Refunds.Capturer.Capture(b.T.Context(), b.Server(keyUnless(preview), "orders.capture", id), id, in)
	}
}

func (b *bed) cancelingLines(id string, units int64) func(bool) (idempotency.Response, error) {
	return func(preview bool) (idempotency.Response, error) {
		in := b.lineCancel(id, units)
		in.Preview = preview
		return b.cancelLines(b.Instance, keyUnless(preview), id, in)
	}
}

func (b *bed) refunding(id string, amount int64) func(bool) (idempotency.Response, error) {
	return func(preview bool) (idempotency.Response, error) {
		in := giveBack(amount)
		in.Preview = preview
		return b.refundOrder(b.Instance, keyUnless(preview), id, in)
	}
}

func (b *bed) resolving(session paymentbed.Answer, as payment.Resolution) func(bool) (idempotency.Response, error) {
	return func(preview bool) (idempotency.Response, error) {
		return b.Refunds.Attention.Resolve(b.T.Context(), b.Server(keyUnless(preview), "paymentSessions.resolve", ""), refunds.ResolveRequest{
			Session: session.Text("paymentSession.id"), As: as, Note: "Called the buyer.", Preview: preview,
		})
	}
}

// Whatever happened to an order before: what a preview of a cancel or a capture tells is what happens then, and until then nothing.
func TestPreviewsOfOrdersTellWhatHappens(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		dice := rand.New(rand.NewPCG(7, 11))
		for round := range 24 {
			mode := []checkout.CaptureMode{checkout.CaptureAtOnce, checkout.CaptureByHand}[dice.IntN(2)]
			b.captureLater(mode)
			id := b.PaidOrder([]string{fmt.Sprint(1+dice.IntN(3), " mug"), fmt.Sprint(1+dice.IntN(2), " lamp"), "course"}[:1+dice.IntN(3)]...)
			when := fmt.Sprint(round, " ", mode)
			if mode == checkout.CaptureByHand && dice.IntN(3) > 0 {
				b.WantPreview(when+" capture", b.capturing(id, dice.Int64N(2)*(1+dice.Int64N(40000))))
			}
			if dice.IntN(2) == 0 {
				b.WantPreview(when+" cancel lines", b.cancelingLines(id, 1))
			}
			for range dice.IntN(3) {
				b.WantPreview(when+" refund", b.refunding(id, 1+dice.Int64N(9000)))
			}
			b.WantPreview(when+" cancel", b.cancelling(id))
			b.WantPreview(when+" cancel again", b.cancelling(id))
			b.WantPreview(when+" capture of a canceled order", b.capturing(id, 0))
		}
		if _, differences := b.Reconciliation(); len(differences) > 0 {
			t.Error(differences)
		}
	})
}

func TestPreviewsOfAttentionCasesTellWhatHappens(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		for _, as := range []payment.Resolution{payment.ResolutionRefunded, payment.ResolutionDismissed} {
			_, _, session := b.Superseded()
			told := b.WantPreview(string(as), b.resolving(session, as))
			if told.Text("paymentSession.status") != "requires_attention" || told.At("order") != nil {
				t.Errorf("a preview of %s shows %v", as, told)
			}
			b.WantPreview("again", b.resolving(session, as))
		}
		session := b.Pay(b.Checkout("9 lamp").Text("checkout.id"))
		paymentKey := b.Approve(session, "approve")
		b.Release(session)
		others := []paymentbed.Answer{}
		for range 3 {
			others = append(others, b.Pay(b.Checkout("9 lamp").Text("checkout.id")))
		}
		b.CaptureAtBank(session, paymentKey)
		b.SettleSession(session)
		b.WantPreview("place out of stock", b.resolving(session, payment.ResolutionPlaced))
		b.Release(others[0])
		told := b.WantPreview("place", b.resolving(session, payment.ResolutionPlaced))
		if told == nil || told.At("order") != nil || told.Text("checkout.status") != "requires_attention" {
			t.Errorf("%v", told)
		}
	})
}

// An order without codes has no uses that a cancel could free.
func TestPreviewsTellOfCodesOnlyWhereThereAreSome(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		a, err := b.cancelling(b.PaidOrder("mug"))(true)
		if told := b.Must(a, err); told.At("outcome.discountsFreed") != false {
			t.Errorf("%v", told)
		}
	})
}
