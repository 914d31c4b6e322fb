package orders_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
)

// From every status to every other one: a preview is refused as the step is, tells what becomes of the order, and does nothing.
func TestPreviewOfATransitionTellsWhatHappens(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		for _, from := range order.ImportedStatuses {
			for _, to := range order.Statuses {
				id := b.ordered(from)
				was, paid := b.get(order.Schema, id), len(b.all(payment.Transactions))
				told, refusal := b.Transition(t.Context(), b.key(), id, orders.Transition{To: to, Preview: true})
				refusal = refused(told, refusal)
				if now := b.get(order.Schema, id); now.Sequence() != was.Sequence() || len(b.all(payment.Transactions)) != paid {
					t.Errorf("%s to %s: a preview changed %v to %v", from, to, was, now)
				}
				err := refused(b.step(id, to))
				if refusal != nil || err != nil {
					if fault.From(refusal).Reason != fault.From(err).Reason {
						t.Errorf("%s to %s: foretold %v, happened %v", from, to, refusal, err)
					}
					continue
				}
				outcome := shops.Response(shops.ParseObject(t, told.Body.String()))
				moved, _ := outcome.Path("outcome.money").([]any)
				if want := len(b.all(payment.Transactions)) - paid; len(moved) != want && from != order.Canceled && to != order.Canceled {
					t.Errorf("%s to %s: %v, and %d transactions", from, to, moved, want)
				}
				now := b.get(order.Schema, id)
				for _, field := range []string{"status", "paymentStatus", "fulfillmentStatus"} {
					if want := foretold(outcome, field, was.Text(field)); now.Text(field) != want {
						t.Errorf("%s to %s: %s is %s, foretold was %s", from, to, field, now.Text(field), want)
					}
				}
			}
		}
	})
}

// foretold is what a preview says that a field of the order would be, which is now.
func foretold(told shops.Response, field, now string) string {
	records, _ := told.Path("outcome.records").([]any)
	for _, r := range records {
		of, _ := r.(map[string]any)
		changes, _ := of["changes"].([]any)
		for _, c := range changes {
			if c, _ := c.(map[string]any); of["collection"] == "orders" && c["field"] == field {
				now, _ = c["to"].(string)
			}
		}
	}
	return now
}
