package fulfillments_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
)

// After batches, releases, parcels and cancels in any order at once: what a batch has had is in it or was released, and
// whatever can be shipped is in exactly one batch once one more was made.
func TestOpenUnitsAreInOneBatchAndNeverLost(t *testing.T) {
	onBatches(t, func(t *testing.T, d batchFixture) {
		const orders, people, steps = 12, 6, 12
		all, _ := d.sellMany(orders)
		shops.Concurrently(people, func(person int) {
			draw := rand.New(rand.NewPCG(uint64(person), 57))
			for range steps {
				if err := d.stepAtRandom(draw, all); err != nil && !isRefusal(err) {
					t.Error(err)
				}
			}
		})
		_, err := d.CreateBatch(t.Context(), d.staff("", ""), fulfillments.BatchRequest{})
		if err != nil && !errors.Is(err, order.ErrBatchEmpty) {
			t.Fatal(err)
		}
		in := map[string]int64{}
		for _, w := range d.view().All(order.FulfillmentOrders) {
			in[w.Text("carrierBatch")]++
		}
		for _, b := range d.view().All(order.CarrierBatches) {
			if b.Int("count")-b.Int("released") != in[b.ID()] {
				t.Errorf("batch %d had %d, %d were released, %d are left", b.Int("number"), b.Int("count"), b.Int("released"), in[b.ID()])
			}
		}
		for _, s := range all {
			_ = d.goods(s, func(g order.OrderFulfillment) (order.OrderFulfillment, error) {
				if len(g.ToShip(s.byCarrier)) > 0 && g.FulfillmentOrders[0].CarrierBatch == "" {
					t.Errorf("%s is in no batch", s.byCarrier)
				}
				return g, errors.New("only looked")
			})
		}
	})
}

// isRefusal reports whether a step was refused because another one came first.
func isRefusal(err error) bool {
	k := fault.From(err).Kind
	return k == fault.Conflict || k == fault.Unprocessable
}

// stepAtRandom does one thing to some of the orders.
func (d batchFixture) stepAtRandom(draw *rand.Rand, all []storedOrder) error {
	s := all[draw.IntN(len(all))]
	answer, err := func() (idempotency.Response, error) {
		switch draw.IntN(6) {
		case 0:
			return d.CreateBatch(d.t.Context(), d.staff("", ""), fulfillments.BatchRequest{})
		case 1:
			return d.CreateBatch(d.t.Context(), d.staff("", ""), fulfillments.BatchRequest{IDs: []string{s.byCarrier}})
		case 2:
			id := d.batchOf(s)
			if id == "" {
				return idempotency.Response{}, nil
			}
			return d.ReleaseBatch(d.t.Context(), d.staff("", ""), id, nil)
		case 3:
			return d.Create(d.t.Context(), d.staff("", ""), fulfillments.FulfillmentInput{FulfillmentOrder: s.byCarrier})
		case 4:
			for _, f := range d.parcels(s) {
				if f.State == order.FulfillmentPending {
					return d.Cancel(d.t.Context(), d.staff("", ""), f.ID)
				}
			}
			return idempotency.Response{}, nil
		default:
			if draw.IntN(4) > 0 {
				return idempotency.Response{}, nil
			}
			return idempotency.Response{}, d.goods(s, func(g order.OrderFulfillment) (order.OrderFulfillment, error) { return g.Cancel(), nil })
		}
	}()
	if err == nil && answer.Fault != nil {
		err = answer.Fault
	}
	return err
}
