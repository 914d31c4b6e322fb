package returnrequests_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/returnrequests"
	"github.com/cartwright-dev/cartwright/domain/returns"
)

func (b *bed) receiving(id string, in returnrequests.Receipt) func(bool) (idempotency.Response, error) {
	return func(preview bool) (idempotency.Response, error) {
		in.Preview = preview
		return b.Returns.Receive(b.T.Context(), b.Server("", "returnRequests.receive", id), id, in)
	}
}

// someArrivals is what arrived of a return: nobody counted, or up to all units of its first line.
func (b *bed) someArrivals(id string, dice *rand.Rand) []returns.Arrival {
	if dice.IntN(3) == 0 {
		return nil
	}
	l := b.RequestOf(id).Lines[0]
	return []returns.Arrival{{OrderLine: l.OrderLine, Quantity: new(dice.Int64N(l.Quantity + 1))}}
}

func (b *bed) refunding(id string) func(bool) (idempotency.Response, error) {
	return func(preview bool) (idempotency.Response, error) {
		key := paymentbed.Key()
		if preview {
			key = ""
		}
		return b.Returns.Refund(b.T.Context(), b.Server(key, "returnRequests.refund", id), id, returnrequests.RefundInput{Preview: preview})
	}
}

// Whatever is returned, in whatever order of steps: what a preview tells is what happens then, and until then nothing.
func TestPreviewsOfReturnsTellWhatHappens(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		dice := rand.New(rand.NewPCG(3, 5))
		for round := range 8 {
			id := b.DeliveredOrder("3 mug", "2 lamp")
			for range 1 + dice.IntN(2) {
				w := b.ReturnInput(id, 1, dice.Int64N(2))
				keep := dice.IntN(2) == 0
				w.Lines[0].Restock = &keep
				r := b.RequestedReturn(w)
				when := fmt.Sprint(round, " ", keep)
				b.WantPreview(when+" receive before it is approved", b.receiving(r, returnrequests.Receipt{}))
				b.Must(b.ReturnStep("approve", r))
				if dice.IntN(4) > 0 {
					b.WantPreview(when+" receive", b.receiving(r, returnrequests.Receipt{Lines: b.someArrivals(r, dice)}))
				}
				if dice.IntN(3) == 0 {
					_, _ = b.Refund(b.Instance, id, paymentbed.Key(), 30000)
				}
				b.WantPreview(when+" refund", b.refunding(r))
				b.WantPreview(when+" receive a refunded one", b.receiving(r, returnrequests.Receipt{}))
			}
		}
		if _, differences := b.Reconciliation(); len(differences) > 0 {
			t.Error(differences)
		}
	})
}
